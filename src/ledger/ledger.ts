/**
 * The ledger: cash of every account and currency, and positions of every account and instrument.
 *
 * Positions follow market.md 5.1 exactly. For each holding (account, instrument):
 * - `size`     signed lots;
 * - `entry`    E, the basis since opening;
 * - `session`  S, the basis since the last settlement;
 * - `realized` R, realized this session;
 * - `funding`  F, funding of this session, in nano;
 * - `value`    the basis of the size at the mark, signed like E;
 * - `profit`   nano(R) + nano(S - value) + F: what the session's profit adds to equity.
 * The unit of E, S, R and value is 1e-18 coin for inverse contracts and 1e-9 quote for linear ones;
 * a buy adds +n (inverse) or -n (linear) to the basis, so that `S - value` is the profit of both.
 *
 * Rule: position.option. Options are linear contracts whose price moves at once: a fill adds the premium to cash, the same integer on
 * both sides, and their marks add nothing to the profit of the session. Their `profit` is what they are worth,
 * size times mark; at a settlement S becomes that value, without cash.
 *
 * For each wallet (account, currency): `cash`, the sum of `profit` over its futures, and that of the worth of
 * its options, in nano.
 *
 * Laws, after every command: per instrument the sizes sum to 0 and R + S sums to 0; per currency the
 * cash of all accounts changes by deposits only. A settlement moves what a holder won from the basis of
 * the holding to cash, rounded once; a mirror holding of the house takes the exact opposite in both, so
 * that nothing is ever posted as what is missing. State lies in `Float64Array` rows of wide integers
 * (core/wide.ts); rows are handed out by the engine, which knows whose they are.
 */
import {
  addToWide,
  addWide,
  assert,
  compareWide,
  copyWide,
  divHalfAwayBig,
  negateWide,
  setWide,
  setWideBigint,
  setWideShare,
  subtractWide,
  wideDifferenceToNano,
  wideToBigint,
  wideToNano,
  wideToNumber,
  withRoom,
} from '../core/index.ts'
import { type PricedTerms, setBasis } from './terms.ts'

const HOLDING_STRIDE = 13
const SIZE = 0
const ENTRY = 1
const SESSION = 3
const REALIZED = 5
const VALUE = 7
const PROFIT = 9
const FUNDING = 11

const WALLET_STRIDE = 6
const CASH = 0
const WALLET_PROFIT = 2
const WALLET_OPTIONS = 4

/** The ledger's rows; only this file knows their layout. */
export interface Ledger {
  holdings: Float64Array
  wallets: Float64Array
  /** Registers of the arithmetic; their content means nothing between calls. */
  readonly scratch: Float64Array
}

/** Whose rows a posting changes. */
export interface HoldingOwner {
  readonly holding: number
  readonly wallet: number
}

/** A fill as the ledger books it. */
export interface FillPosting {
  /** 1 buys, -1 sells. */
  readonly sign: 1 | -1
  readonly lots: number
  readonly price: PricedTerms
  /** The mark that values the position after the fill. */
  readonly mark: PricedTerms
}

/** An empty ledger. */
export function createLedger(): Ledger {
  return {
    holdings: new Float64Array(HOLDING_STRIDE * 16),
    wallets: new Float64Array(WALLET_STRIDE * 32),
    scratch: new Float64Array(12),
  }
}

/** Makes room for holdings 0..rows-1. */
export function reserveHoldings(ledger: Ledger, rows: number): void {
  ledger.holdings = withRoom(ledger.holdings, rows * HOLDING_STRIDE)
}

/** Makes room for wallets 0..rows-1. */
export function reserveWallets(ledger: Ledger, rows: number): void {
  ledger.wallets = withRoom(ledger.wallets, rows * WALLET_STRIDE)
}

/** Adds nano to a wallet's cash. */
export function postCash(ledger: Ledger, wallet: number, nano: number): void {
  addToWide(ledger.wallets, wallet * WALLET_STRIDE + CASH, nano)
}

/** Adds a wide nano amount times `sign` to a wallet's cash. */
export function postWideCash(
  ledger: Ledger,
  wallet: number,
  posting: { readonly source: Float64Array; readonly from: number; readonly sign: 1 | -1 },
): void {
  const at = wallet * WALLET_STRIDE + CASH
  if (posting.sign === 1) addWide(ledger.wallets, at, posting.source, posting.from)
  else subtractWide(ledger.wallets, at, posting.source, posting.from)
}

/** Cash of a wallet in nano. */
export function cashOf(ledger: Ledger, wallet: number): bigint {
  return wideToBigint(ledger.wallets, wallet * WALLET_STRIDE + CASH)
}

/** Session profit of a wallet's holdings in nano. */
export function profitOf(ledger: Ledger, wallet: number): bigint {
  return wideToBigint(ledger.wallets, wallet * WALLET_STRIDE + WALLET_PROFIT)
}

/** What the options of a wallet are worth at their marks, in nano; negative where more are owed. */
export function optionsValueOf(ledger: Ledger, wallet: number): bigint {
  return wideToBigint(ledger.wallets, wallet * WALLET_STRIDE + WALLET_OPTIONS)
}

/** Sets a wide value to cash plus session profit of a wallet, in nano. */
export function setMarginBalance(
  target: Float64Array,
  at: number,
  owner: { readonly ledger: Ledger; readonly wallet: number },
): void {
  const { wallets } = owner.ledger
  copyWide(target, at, wallets, owner.wallet * WALLET_STRIDE + CASH)
  addWide(target, at, wallets, owner.wallet * WALLET_STRIDE + WALLET_PROFIT)
}

/** Signed size of a holding in lots. */
export function sizeOf(ledger: Ledger, holding: number): number {
  return ledger.holdings[holding * HOLDING_STRIDE + SIZE] as number
}

/**
 * Books a fill into a holding and revalues it at the mark.
 * Returns the realized profit of this fill in nano of the settlement currency.
 */
export function postFill(ledger: Ledger, owner: HoldingOwner, fill: FillPosting): bigint {
  const { holdings, scratch } = ledger
  const { sign, lots, price, mark } = fill
  const at = owner.holding * HOLDING_STRIDE
  const size = holdings[at + SIZE] as number
  let realized = 0n
  setBasis(scratch, 0, { priced: price, lots })
  if (isNegativeBasis(sign, price)) negateWide(scratch, 0)
  // The basis of a buy is what it costs, with a minus.
  if (price.terms.premium) {
    addWide(ledger.wallets, owner.wallet * WALLET_STRIDE + CASH, scratch, 0)
  }
  if (size === 0 || size > 0 === sign > 0) {
    addWide(holdings, at + ENTRY, scratch, 0)
    addWide(holdings, at + SESSION, scratch, 0)
  } else {
    realized = reduceHolding(ledger, at, fill)
  }
  holdings[at + SIZE] = size + sign * lots
  revalueHolding(ledger, owner, mark)
  return realized
}

/** Values a holding at a mark and carries the change of its profit into its wallet. */
export function revalueHolding(ledger: Ledger, owner: HoldingOwner, mark: PricedTerms): void {
  const { holdings, wallets } = ledger
  const at = owner.holding * HOLDING_STRIDE
  const size = holdings[at + SIZE] as number
  setBasis(holdings, at + VALUE, { priced: mark, lots: Math.abs(size) })
  if (isNegativeBasis(size, mark)) negateWide(holdings, at + VALUE)
  if (mark.terms.premium) {
    revalueOption(ledger, owner)
    return
  }
  // The profit moves from its old value to the new one in the wallet's sum.
  const sum = owner.wallet * WALLET_STRIDE + WALLET_PROFIT
  if (mark.terms.payoff === 'inverse') {
    const before = wideToNumber(holdings, at + PROFIT)
    const floating = wideDifferenceToNano(holdings, at + SESSION, at + VALUE)
    const profit =
      floating + wideToNano(holdings, at + REALIZED) + wideToNumber(holdings, at + FUNDING)
    setWide(holdings, at + PROFIT, profit)
    addToWide(wallets, sum, profit - before)
    return
  }
  subtractWide(wallets, sum, holdings, at + PROFIT)
  copyWide(holdings, at + PROFIT, holdings, at + SESSION)
  subtractWide(holdings, at + PROFIT, holdings, at + VALUE)
  addWide(holdings, at + PROFIT, holdings, at + REALIZED)
  addWide(holdings, at + PROFIT, holdings, at + FUNDING)
  addWide(wallets, sum, holdings, at + PROFIT)
}

/** An option is worth the opposite of its basis at the mark. */
function revalueOption({ holdings, wallets }: Ledger, owner: HoldingOwner): void {
  const at = owner.holding * HOLDING_STRIDE
  const sum = owner.wallet * WALLET_STRIDE + WALLET_OPTIONS
  subtractWide(wallets, sum, holdings, at + PROFIT)
  copyWide(holdings, at + PROFIT, holdings, at + VALUE)
  negateWide(holdings, at + PROFIT)
  addWide(wallets, sum, holdings, at + PROFIT)
}

/** Adds funding received (negative: paid) to the session of a holding, in nano. */
export function postFunding(ledger: Ledger, owner: HoldingOwner, nano: bigint): void {
  const { holdings, wallets, scratch } = ledger
  const at = owner.holding * HOLDING_STRIDE
  setWideBigint(scratch, 0, nano)
  addWide(holdings, at + FUNDING, scratch, 0)
  addWide(holdings, at + PROFIT, scratch, 0)
  addWide(wallets, owner.wallet * WALLET_STRIDE + WALLET_PROFIT, scratch, 0)
}

/** What a settlement of a holding came to, in nano of the settlement currency. */
export interface SettledProfit {
  /** Realized since the last settlement, funding included. */
  readonly realized: bigint
  /** Realized and unrealized, funding included: what became cash. */
  readonly session: bigint
  readonly funding: bigint
}

/**
 * Settles a holding at a price: the profit of its session becomes cash, rounded once to nano, and the
 * next session counts from that price; `mirror`, a holding of the house in the same instrument, takes the
 * opposite. With `ends` the position is delivered: the holding is empty afterwards.
 */
export function settleHolding(
  ledger: Ledger,
  owner: HoldingOwner,
  by: { readonly price: PricedTerms; readonly mirror: HoldingOwner; readonly ends: boolean },
): SettledProfit {
  const { price, mirror, ends } = by
  revalueHolding(ledger, owner, price)
  const { holdings, wallets, scratch } = ledger
  const at = owner.holding * HOLDING_STRIDE
  const inverse = price.terms.payoff === 'inverse'
  const funding = wideToBigint(holdings, at + FUNDING)
  const realized = wideToBigint(holdings, at + REALIZED)
  // The exact profit stays in scratch 0, what of it becomes cash in scratch 2.
  copyWide(scratch, 0, holdings, at + REALIZED)
  addWide(scratch, 0, holdings, at + SESSION)
  subtractWide(scratch, 0, holdings, at + VALUE)
  copyWide(scratch, 2, scratch, 0)
  if (inverse) setWide(scratch, 2, wideToNano(scratch, 0))
  addWide(scratch, 2, holdings, at + FUNDING)
  addWide(wallets, owner.wallet * WALLET_STRIDE + CASH, scratch, 2)
  subtractWide(wallets, mirror.wallet * WALLET_STRIDE + CASH, scratch, 2)
  const session = wideToBigint(scratch, 2)
  if (ends) {
    addWide(scratch, 0, holdings, at + VALUE)
    holdings[at + SIZE] = 0
    setWide(holdings, at + ENTRY, 0)
    setWide(holdings, at + SESSION, 0)
  } else copyWide(holdings, at + SESSION, holdings, at + VALUE)
  setWide(holdings, at + REALIZED, 0)
  setWide(holdings, at + FUNDING, 0)
  revalueHolding(ledger, owner, price)
  addWide(holdings, mirror.holding * HOLDING_STRIDE + REALIZED, scratch, 0)
  revalueHolding(ledger, mirror, price)
  return { realized: (inverse ? roundedNano(realized) : realized) + funding, session, funding }
}

/**
 * Begins a new session of an option: what it is worth counts from its mark, nothing is realized yet. No cash
 * moves, because options are not settled each day; `mirror`, a holding of the house in the same instrument,
 * takes the profit of the session that ends, so that what is left by roundings is somebody's.
 */
export function resetSession(
  ledger: Ledger,
  owner: HoldingOwner,
  by: { readonly mark: PricedTerms; readonly mirror: HoldingOwner },
): void {
  revalueHolding(ledger, owner, by.mark)
  const { holdings } = ledger
  const at = owner.holding * HOLDING_STRIDE
  const realized = by.mirror.holding * HOLDING_STRIDE + REALIZED
  addWide(holdings, realized, holdings, at + REALIZED)
  addWide(holdings, realized, holdings, at + SESSION)
  subtractWide(holdings, realized, holdings, at + VALUE)
  copyWide(holdings, at + SESSION, holdings, at + VALUE)
  setWide(holdings, at + REALIZED, 0)
}

/**
 * Delivers an option: its holder receives what it is worth in nano (negative: pays), `mirror`, a holding of the
 * house in the same instrument, takes the opposite in cash and in basis, and the position ends.
 * Returns the profit of the session.
 */
export function deliverOption(
  ledger: Ledger,
  owner: HoldingOwner,
  by: { readonly value: bigint; readonly mark: PricedTerms; readonly mirror: HoldingOwner },
): bigint {
  const { holdings, wallets, scratch } = ledger
  const { value, mark, mirror } = by
  const at = owner.holding * HOLDING_STRIDE
  setWideBigint(scratch, 2, value)
  addWide(wallets, owner.wallet * WALLET_STRIDE + CASH, scratch, 2)
  subtractWide(wallets, mirror.wallet * WALLET_STRIDE + CASH, scratch, 2)
  copyWide(scratch, 0, holdings, at + REALIZED)
  addWide(scratch, 0, holdings, at + SESSION)
  holdings[at + SIZE] = 0
  setWide(holdings, at + ENTRY, 0)
  setWide(holdings, at + SESSION, 0)
  setWide(holdings, at + REALIZED, 0)
  revalueHolding(ledger, owner, mark)
  addWide(holdings, mirror.holding * HOLDING_STRIDE + REALIZED, scratch, 0)
  return wideToBigint(scratch, 0) + value
}

/** A coin basis in 1e-18 as nano. */
function roundedNano(basis: bigint): bigint {
  return divHalfAwayBig(basis, 1_000_000_000n)
}

/** A holding as exact integers; the unit of the bases is that of the contract. */
export interface HoldingState {
  readonly size: number
  readonly entry: bigint
  readonly session: bigint
  readonly realized: bigint
  /** In nano. */
  readonly funding: bigint
  readonly value: bigint
  /** Of an option what it is worth. */
  readonly profit: bigint
}

/** Reads a holding. */
export function readHolding(ledger: Ledger, holding: number): HoldingState {
  const { holdings } = ledger
  const at = holding * HOLDING_STRIDE
  return {
    size: holdings[at + SIZE] as number,
    entry: wideToBigint(holdings, at + ENTRY),
    session: wideToBigint(holdings, at + SESSION),
    realized: wideToBigint(holdings, at + REALIZED),
    funding: wideToBigint(holdings, at + FUNDING),
    value: wideToBigint(holdings, at + VALUE),
    profit: wideToBigint(holdings, at + PROFIT),
  }
}

/** Adds the floating profit of a holding in nano, rounded once, to a wide sum: of inverse contracts. */
export function addFloatingCoin(
  sum: Float64Array,
  at: number,
  { ledger, holding }: { readonly ledger: Ledger; readonly holding: number },
): void {
  const from = holding * HOLDING_STRIDE
  addToWide(sum, at, wideDifferenceToNano(ledger.holdings, from + SESSION, from + VALUE))
}

/** The same of linear contracts, whose basis is in nano. */
export function addFloatingQuote(
  sum: Float64Array,
  at: number,
  { ledger, holding }: { readonly ledger: Ledger; readonly holding: number },
): void {
  const from = holding * HOLDING_STRIDE
  addWide(sum, at, ledger.holdings, from + SESSION)
  subtractWide(sum, at, ledger.holdings, from + VALUE)
}

/** Whether a wallet has neither cash nor session profit. */
export function isEmptyWallet({ wallets }: Ledger, wallet: number): boolean {
  const at = wallet * WALLET_STRIDE
  for (let limb = 0; limb < WALLET_STRIDE; limb += 1) {
    if (wallets[at + limb] !== 0) return false
  }
  return true
}

/** The rows of the ledger as plain arrays, for a snapshot: `holdings` and `wallets` rows in use. */
export function snapshotLedger(
  ledger: Ledger,
  rows: { readonly holdings: number; readonly wallets: number },
): { readonly holdings: Float64Array; readonly wallets: Float64Array } {
  return {
    holdings: ledger.holdings.slice(0, rows.holdings * HOLDING_STRIDE),
    wallets: ledger.wallets.slice(0, rows.wallets * WALLET_STRIDE),
  }
}

/** A ledger from the rows of a snapshot. */
export function restoreLedger(rows: {
  readonly holdings: Float64Array
  readonly wallets: Float64Array
}): Ledger {
  assert(rows.holdings.length % HOLDING_STRIDE === 0, 'holdings come in whole rows')
  assert(rows.wallets.length % WALLET_STRIDE === 0, 'wallets come in whole rows')
  const ledger = createLedger()
  ledger.holdings = withRoom(rows.holdings, rows.holdings.length)
  ledger.wallets = withRoom(rows.wallets, rows.wallets.length)
  return ledger
}

/**
 * The part of a fill against the position closes it; what crosses zero opens the other way.
 * Returns the change of realized profit in nano.
 */
function reduceHolding(ledger: Ledger, at: number, fill: FillPosting): bigint {
  const { holdings, scratch } = ledger
  const size = Math.abs(holdings[at + SIZE] as number)
  const closing = Math.min(fill.lots, size)
  if (closing < fill.lots) {
    // n - nc opens; nc is the coin (or cost) of the closing part alone.
    setBasis(scratch, 2, { priced: fill.price, lots: closing })
    if (isNegativeBasis(fill.sign, fill.price)) negateWide(scratch, 2)
    subtractWide(scratch, 0, scratch, 2)
  } else {
    copyWide(scratch, 2, scratch, 0)
    setWide(scratch, 0, 0)
  }
  takeShares(ledger, at, { part: closing, whole: size })
  copyWide(scratch, 8, holdings, at + REALIZED)
  addWide(holdings, at + REALIZED, scratch, 6)
  addWide(holdings, at + REALIZED, scratch, 2)
  addWide(holdings, at + ENTRY, scratch, 0)
  addWide(holdings, at + SESSION, scratch, 0)
  if (fill.price.terms.payoff === 'inverse') {
    return BigInt(wideToNano(holdings, at + REALIZED) - wideToNano(scratch, 8))
  }
  copyWide(scratch, 4, holdings, at + REALIZED)
  subtractWide(scratch, 4, scratch, 8)
  return wideToBigint(scratch, 4)
}

/** Takes the closing part out of both bases; that of the session's is left in scratch 6. */
function takeShares(
  ledger: Ledger,
  at: number,
  share: { readonly part: number; readonly whole: number },
): void {
  const { holdings, scratch } = ledger
  const { part, whole } = share
  const same = compareWide(holdings, at + ENTRY, holdings, at + SESSION) === 0
  setWideShare(scratch, 6, { source: holdings, from: at + SESSION, part, whole })
  // Until the first settlement both bases are one, and so are their shares.
  if (same) copyWide(scratch, 4, scratch, 6)
  else setWideShare(scratch, 4, { source: holdings, from: at + ENTRY, part, whole })
  subtractWide(holdings, at + ENTRY, scratch, 4)
  subtractWide(holdings, at + SESSION, scratch, 6)
}

/** Whether a size has a basis below zero: buys add coin (inverse) or cost money (linear). */
function isNegativeBasis(size: number, { terms }: PricedTerms): boolean {
  return terms.payoff === 'inverse' ? size < 0 : size > 0
}
