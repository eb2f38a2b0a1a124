/**
 * What accounts did, as running sums: plain data that `performance.ts` fills and reads.
 *
 * Money is in nano (1e-9 of its currency), sizes in lots of their instrument.
 */
import type { Plain } from '../../core/index.ts'
import type { Currency, Payoff } from '../../model/index.ts'
import { isRecord } from '../snapshot.ts'

/** One currency of one account. */
export interface WalletTally {
  /** What came from outside or from other accounts, less what went there. */
  deposits: bigint
  /** Realized profit of fills, of given and transferred positions, and what settlements turned into cash. */
  realized: bigint
  /** Funding of all sessions that were settled. */
  funding: bigint
  /** Debts that the insurance fund paid, less what was paid of the losses of others. */
  insurance: bigint
  /** Options: premiums received less those paid, and what was delivered. */
  premiums: bigint
  /** Spot: what was received of this currency less what was given for it, fees left out. */
  flows: bigint
  makerFees: bigint
  takerFees: bigint
  deliveryFees: bigint
  /** Paid for positions that a liquidation transferred, less what was received of that. */
  commissions: bigint
  fills: number
  makerFills: number
  /** Notional of its fills, where this is the settlement currency. */
  turnover: bigint
  makerTurnover: bigint
  /** Whether it ever had a fill or a given position: only then does its equity move by itself. */
  exposed: boolean
  /** Whether a fill happened since its equity was last sampled. */
  due: boolean
  /** The highest profit (equity less deposits) of any sample; 0 before the first. */
  peak: bigint
  /** The largest fall of the profit below its peak. */
  drawdown: bigint
  /** The fall that was the largest share of the peak of equity, and that peak; 0 of 0 before any. */
  shareFall: bigint
  sharePeak: bigint
}

/** One instrument of one account. */
export interface InstrumentTally {
  bought: number
  sold: number
  /** Signed; 0 for spot. */
  position: number
}

/** Counts of an account's orders that stood in a book or were on their way to it. */
export interface OrderTally {
  opened: number
  edited: number
  filled: number
  /** Cancelled after a part of them was filled. */
  cancelledPartly: number
  /** Live now with a part filled. */
  livePartly: number
}

/** Counts of an account's orders that wait: trigger orders, and secondaries before their turn. */
export interface TriggerTally {
  placed: number
  fired: number
  rejected: number
  /** Cancelled before they fired; they are among the cancelled by reason too. */
  cancelled: number
}

/** One account. */
export interface AccountTally {
  readonly name: string
  readonly house: boolean
  readonly orders: OrderTally
  readonly triggers: TriggerTally
  /** Placements refused, edits refused and orders cancelled, by reason in the order of appearance. */
  readonly refused: Map<string, number>
  readonly editsRefused: Map<string, number>
  readonly cancelled: Map<string, number>
  readonly wallets: Map<Currency, WalletTally>
  readonly instruments: Map<number, InstrumentTally>
}

/** What a fill needs to know of its instrument. */
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

/** An account as plain data. */
export function snapshotAccount(account: AccountTally): Plain {
  const { name, house, orders, triggers, refused, editsRefused, cancelled } = account
  const { wallets, instruments } = account
  return {
    name,
    house,
    orders: { ...orders },
    triggers: { ...triggers },
    refused: [...refused],
    editsRefused: [...editsRefused],
    cancelled: [...cancelled],
    wallets: [...wallets].map(([currency, wallet]) => [currency, { ...wallet }]),
    instruments: [...instruments].map(([id, tally]) => [id, { ...tally }]),
  }
}

/** The account of a snapshot, or undefined where it is of another shape. */
export function restoreAccount(saved: Plain): AccountTally | undefined {
  if (!isRecord(saved)) return undefined
  const { name, house, orders, triggers } = saved
  if (typeof name !== 'string' || typeof house !== 'boolean') return undefined
  const account = createAccountTally(name, house)
  const { refused, editsRefused, cancelled, wallets, instruments } = account
  const isWhole =
    fill(account.orders, orders) &&
    fill(account.triggers, triggers) &&
    eachEntry(saved['refused'], (word, value) => setCount(refused, word, value)) &&
    eachEntry(saved['editsRefused'], (word, value) => setCount(editsRefused, word, value)) &&
    eachEntry(saved['cancelled'], (word, value) => setCount(cancelled, word, value)) &&
    eachEntry(saved['wallets'], (currency, value) => {
      const wallet = emptyWallet()
      // Only this file writes the keys of wallets, and they are currencies.
      wallets.set(currency as Currency, wallet)
      return fill(wallet, value)
    }) &&
    eachEntry(saved['instruments'], (id, value) => {
      const tally = { bought: 0, sold: 0, position: 0 }
      instruments.set(Number(id), tally)
      return fill(tally, value)
    })
  return isWhole ? account : undefined
}

function emptyWallet(): WalletTally {
  return {
    deposits: 0n,
    realized: 0n,
    funding: 0n,
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

/** Copies saved fields over those of a new tally; false where one is missing or of another type. */
function fill(tally: object, saved: Plain | undefined): boolean {
  if (!isRecord(saved)) return false
  const fields = Object.entries(tally)
  if (!fields.every(([name, value]) => typeof saved[name] === typeof value)) return false
  Object.assign(tally, saved)
  return fields.length === Object.keys(saved).length
}

function setCount(counts: Map<string, number>, word: Plain, value: Plain): boolean {
  if (typeof word !== 'string' || typeof value !== 'number') return false
  counts.set(word, value)
  return true
}

/** Hands on each entry of a saved list; false where it is no list of entries or one is refused. */
function eachEntry(saved: Plain | undefined, take: (key: Plain, value: Plain) => boolean): boolean {
  if (!Array.isArray(saved)) return false
  return saved.every((entry: Plain) => {
    const [key, value] = Array.isArray(entry) ? (entry as readonly Plain[]) : []
    return key !== undefined && value !== undefined && take(key, value)
  })
}
