/**
 * Running sums of what accounts did: plain data that `performance.ts` fills and reads.
 *
 * Money is in nano (1e-9 of its currency), sizes in lots of their instrument.
 */
import { changing, fixed, mapOf, plainUnit, type RowOf, rowUnit, units } from '../../core/index.ts'
import type { Currency, Payoff } from '../../model/index.ts'

export const walletFields = {
  /** Money that came from outside or from other accounts, less money that went there. */
  deposits: changing(units.wide),
  /** Realized profit of fills, of given and transferred positions, and what settlements turned into cash. */
  realized: changing(units.wide),
  /** Funding of all sessions that were settled. */
  funding: changing(units.wide),
  /** Funding that entered the profit of positions so far: the rows of the table `funding`. */
  bookedFunding: changing(units.wide),
  /** Debts that the insurance fund paid, less what was paid of the losses of others. */
  insurance: changing(units.wide),
  /** Options: premiums received less those paid, and what was delivered. */
  premiums: changing(units.wide),
  /** Spot: what was received of this currency less what was given for it, fees left out. */
  flows: changing(units.wide),
  makerFees: changing(units.wide),
  takerFees: changing(units.wide),
  deliveryFees: changing(units.wide),
  /** Paid for positions that a liquidation transferred, less what was received of that. */
  commissions: changing(units.wide),
  fills: changing(units.count),
  makerFills: changing(units.count),
  /** Notional of its fills, where this is the settlement currency. */
  turnover: changing(units.wide),
  makerTurnover: changing(units.wide),
  /** True if it ever had a fill or a given position: only then does its equity move by itself. */
  exposed: changing(units.flag),
  /** True if a fill happened since its equity was last sampled. */
  due: changing(units.flag),
  /** The highest profit (equity less deposits) of any sample; 0 before the first. */
  peak: changing(units.wide),
  /** The largest fall of the profit below its peak. */
  drawdown: changing(units.wide),
  /** The fall that was the largest share of the peak of equity, and that peak; 0 of 0 before any. */
  shareFall: changing(units.wide),
  sharePeak: changing(units.wide),
}

/** One currency of one account. */
export interface WalletTally extends RowOf<typeof walletFields> {}

const instrumentFields = {
  bought: changing(units.count),
  sold: changing(units.count),
  /** Signed; 0 for spot. */
  position: changing(units.count),
}

/** One instrument of one account. */
export interface InstrumentTally extends RowOf<typeof instrumentFields> {}

const orderFields = {
  opened: changing(units.count),
  edited: changing(units.count),
  filled: changing(units.count),
  /** Cancelled after a part of them was filled. */
  cancelledPartly: changing(units.count),
  /** Live now with a part filled. */
  livePartly: changing(units.count),
}

/** Counts of an account's orders that stood in a book or were on their way to it. */
export interface OrderTally extends RowOf<typeof orderFields> {}

const triggerFields = {
  placed: changing(units.count),
  fired: changing(units.count),
  rejected: changing(units.count),
  /** Cancelled before they fired; they are among the cancelled by reason too. */
  cancelled: changing(units.count),
}

/** Counts of an account's orders that wait: trigger orders, and secondaries before their turn. */
export interface TriggerTally extends RowOf<typeof triggerFields> {}

const counts = mapOf(units.text, units.count)

export const accountFields = {
  name: fixed(units.text),
  house: fixed(units.flag),
  orders: fixed(rowUnit('counts of orders', orderFields)),
  triggers: fixed(rowUnit('counts of waiting orders', triggerFields)),
  /** Placements refused, edits refused and orders cancelled, by reason in the order of appearance. */
  refused: fixed(counts),
  editsRefused: fixed(counts),
  cancelled: fixed(counts),
  wallets: fixed(mapOf(plainUnit<Currency>('currency'), rowUnit('wallet', walletFields))),
  instruments: fixed(mapOf(units.count, rowUnit('instrument', instrumentFields))),
}

/** One account. */
export interface AccountTally extends RowOf<typeof accountFields> {}

/** Terms of an instrument that a fill needs. */
export interface InstrumentTerms {
  readonly name: string
  readonly payoff: Payoff
  readonly amountStep9: number
  readonly settlementCurrency: Currency
  /** The wallet that a spot trade moves beside the settlement currency; null for all else. */
  readonly base: Currency | null
  readonly isOption: boolean
}

/** An account that did nothing yet. */
export function createAccountTally(name: string, house: boolean): AccountTally {
  return {
    name,
    house,
    orders: { opened: 0, edited: 0, filled: 0, cancelledPartly: 0, livePartly: 0 },
    triggers: { placed: 0, fired: 0, rejected: 0, cancelled: 0 },
    refused: new Map(),
    editsRefused: new Map(),
    cancelled: new Map(),
    wallets: new Map(),
    instruments: new Map(),
  }
}

/** The wallet of an account, made when first needed. */
export function walletOf(account: AccountTally, currency: Currency): WalletTally {
  const known = account.wallets.get(currency)
  if (known !== undefined) return known
  const made = emptyWallet()
  account.wallets.set(currency, made)
  return made
}

/** The instrument of an account, made when first needed. */
export function instrumentOf(account: AccountTally, instrument: number): InstrumentTally {
  const known = account.instruments.get(instrument)
  if (known !== undefined) return known
  const made = { bought: 0, sold: 0, position: 0 }
  account.instruments.set(instrument, made)
  return made
}

/** Adds one to the count of a word. */
export function countWord(counts: Map<string, number>, word: string): void {
  counts.set(word, (counts.get(word) ?? 0) + 1)
}

/** Samples the equity of a wallet: its peak, and how far it has fallen below. */
export function sampleWallet(wallet: WalletTally, equity: bigint): void {
  wallet.due = false
  const profit = equity - wallet.deposits
  if (profit >= wallet.peak) {
    wallet.peak = profit
    return
  }
  const fall = wallet.peak - profit
  if (fall > wallet.drawdown) wallet.drawdown = fall
  const peak = wallet.peak + wallet.deposits
  if (peak <= 0n || (fall <= wallet.shareFall && peak >= wallet.sharePeak)) return
  // Shares are compared crosswise: a fraction of integers needs no division until the end.
  if (fall * wallet.sharePeak >= wallet.shareFall * peak) {
    wallet.shareFall = fall
    wallet.sharePeak = peak
  }
}

function emptyWallet(): WalletTally {
  return {
    deposits: 0n,
    realized: 0n,
    funding: 0n,
    bookedFunding: 0n,
    insurance: 0n,
    premiums: 0n,
    flows: 0n,
    makerFees: 0n,
    takerFees: 0n,
    deliveryFees: 0n,
    commissions: 0n,
    fills: 0,
    makerFills: 0,
    turnover: 0n,
    makerTurnover: 0n,
    exposed: false,
    due: false,
    peak: 0n,
    drawdown: 0n,
    shareFall: 0n,
    sharePeak: 0n,
  }
}
