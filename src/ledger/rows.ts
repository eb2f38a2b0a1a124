/**
 * The rows of the ledger: cash of every account and currency, and positions of every account and instrument.
 * `positions.ts` books fills, marks and funding into them, `settling.ts` settlements and deliveries.
 *
 * Positions follow market.md 5.1 exactly. For each holding (account, instrument):
 * - `size` signed lots;
 * - `entry` E, the basis since opening;
 * - `day` S, the basis since the last settlement, at the start of the trading day;
 * - `realized` R, realized this trading day;
 * - `funding` F, funding of this trading day, in nano;
 * - `value` the basis of the size at the mark, signed like E;
 * - `profit` nano(R) + nano(S - value) + F: the day's profit in equity.
 *
 * The unit of E, S, R and value is 1e-18 coin for inverse contracts and 1e-9 quote for linear ones. A buy adds +n
 * (inverse) or -n (linear) to the basis, so that `S - value` is the profit of both.
 *
 * For an option `profit` is its value, size times mark (`positions.ts`).
 *
 * For each wallet (account, currency): `cash`, the sum of `profit` over its futures, and the sum of the values of its
 * options, in nano.
 *
 * Laws, after every command: per instrument the sizes sum to 0 and R + S sums to 0; per currency only deposits change
 * the total cash of all accounts. A settlement moves the profit of a holding from its basis to cash, rounded once. A
 * mirror holding of the house takes the exact opposite in both, so that no amount is ever posted as a difference.
 * `Float64Array` rows of wide integers (core/wide.ts) hold the state; the engine assigns the rows and knows their
 * owners.
 */
import {
  addToWide,
  addWide,
  assert,
  copyWide,
  type Nano,
  NEAR_LOSS,
  nanoAt,
  nanoOf,
  setWideBigint,
  subtractWide,
  wideDifferenceToNano,
  wideNear,
  wideToBigint,
  withRoom,
} from '../core/index.ts'

/** Cells of a holding. Only this folder uses the layout of rows. */
export const HOLDING_STRIDE = 13
export const SIZE = 0
export const ENTRY = 1
export const DAY = 3
export const REALIZED = 5
export const VALUE = 7
export const PROFIT = 9
export const FUNDING = 11

/** Cells of a wallet. */
export const WALLET_STRIDE = 6
export const CASH = 0
export const WALLET_PROFIT = 2
export const WALLET_OPTIONS = 4

/** The ledger's rows. */
export interface Ledger {
  holdings: Float64Array
  wallets: Float64Array
  /** Registers of the arithmetic; their content has no meaning between calls. */
  readonly scratch: Float64Array
}

/** The rows of the holding and the wallet that a posting changes. */
export interface HoldingOwner {
  readonly holding: number
  readonly wallet: number
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
export function postCash(ledger: Ledger, wallet: number, nano: bigint): void {
  postNano(ledger, wallet, nanoOf(nano))
}

/** Adds an amount in its number form to a wallet's cash. */
export function postNano({ wallets, scratch }: Ledger, wallet: number, nano: Nano): void {
  const at = wallet * WALLET_STRIDE + CASH
  if (typeof nano === 'number') {
    addToWide(wallets, at, nano)
    return
  }
  setWideBigint(scratch, 0, nano)
  addWide(wallets, at, scratch, 0)
}

/** Adds a wide nano amount times `sign` to a wallet's cash. */
export function postWideCash(ledger: Ledger, wallet: number, source: Float64Array, from: number, sign: 1 | -1): void {
  const at = wallet * WALLET_STRIDE + CASH
  if (sign === 1) addWide(ledger.wallets, at, source, from)
  else subtractWide(ledger.wallets, at, source, from)
}

/** Cash of a wallet in nano. */
export function cashOf(ledger: Ledger, wallet: number): bigint {
  return wideToBigint(ledger.wallets, wallet * WALLET_STRIDE + CASH)
}

/** Cash of a wallet in nano, in its number form. */
export function cashNano(ledger: Ledger, wallet: number): Nano {
  return nanoAt(ledger.wallets, wallet * WALLET_STRIDE + CASH)
}

/** Profit of the trading day of a wallet's holdings in nano. */
export function profitOf(ledger: Ledger, wallet: number): bigint {
  return wideToBigint(ledger.wallets, wallet * WALLET_STRIDE + WALLET_PROFIT)
}

/** Value of a wallet's options at their marks, in nano; negative if short options are worth more. */
export function optionsValueOf(ledger: Ledger, wallet: number): bigint {
  return wideToBigint(ledger.wallets, wallet * WALLET_STRIDE + WALLET_OPTIONS)
}

/** Sets a wide value to cash plus the day's profit of a wallet, in nano. */
export function setMarginBalance(target: Float64Array, at: number, ledger: Ledger, wallet: number): void {
  copyWide(target, at, ledger.wallets, wallet * WALLET_STRIDE + CASH)
  addWide(target, at, ledger.wallets, wallet * WALLET_STRIDE + WALLET_PROFIT)
}

/** A close lower bound in nano for cash plus the day's profit of a wallet. */
export function marginBalanceAtLeast({ wallets }: Ledger, wallet: number): number {
  const cash = wideNear(wallets, wallet * WALLET_STRIDE + CASH)
  const profit = wideNear(wallets, wallet * WALLET_STRIDE + WALLET_PROFIT)
  return cash + profit - (Math.abs(cash) + Math.abs(profit)) * NEAR_LOSS
}

/** Signed size of a holding in lots. */
export function sizeOf(ledger: Ledger, holding: number): number {
  return ledger.holdings[holding * HOLDING_STRIDE + SIZE] as number
}

/** A holding as exact integers; the bases have the unit of the contract. */
export interface HoldingState {
  readonly size: number
  readonly entry: bigint
  /** Basis since the last settlement. */
  readonly day: bigint
  readonly realized: bigint
  /** In nano. */
  readonly funding: bigint
  readonly value: bigint
  /** Profit; for an option its value. */
  readonly profit: bigint
}

/** Reads a holding. */
export function readHolding(ledger: Ledger, holding: number): HoldingState {
  const { holdings } = ledger
  const at = holding * HOLDING_STRIDE
  return {
    size: holdings[at + SIZE] as number,
    entry: wideToBigint(holdings, at + ENTRY),
    day: wideToBigint(holdings, at + DAY),
    realized: wideToBigint(holdings, at + REALIZED),
    funding: wideToBigint(holdings, at + FUNDING),
    value: wideToBigint(holdings, at + VALUE),
    profit: wideToBigint(holdings, at + PROFIT),
  }
}

/** Adds the floating profit of an inverse holding in nano, rounded once, to a wide sum. */
export function addFloatingCoin(sum: Float64Array, at: number, ledger: Ledger, holding: number): void {
  const from = holding * HOLDING_STRIDE
  addToWide(sum, at, wideDifferenceToNano(ledger.holdings, from + DAY, from + VALUE))
}

/** Adds the floating profit of a linear holding, whose basis is in nano, to a wide sum. */
export function addFloatingQuote(sum: Float64Array, at: number, ledger: Ledger, holding: number): void {
  const from = holding * HOLDING_STRIDE
  addWide(sum, at, ledger.holdings, from + DAY)
  subtractWide(sum, at, ledger.holdings, from + VALUE)
}

/** True if a wallet has neither cash nor profit of the day. */
export function isEmptyWallet({ wallets }: Ledger, wallet: number): boolean {
  const at = wallet * WALLET_STRIDE
  for (let limb = 0; limb < WALLET_STRIDE; limb += 1) {
    if (wallets[at + limb] !== 0) return false
  }
  return true
}

/** The rows of a ledger that a snapshot stores. */
interface LedgerRows {
  readonly holdings: Float64Array
  readonly wallets: Float64Array
}

/** The used rows of the ledger as plain arrays, for a snapshot; `holdings` and `wallets` are the numbers of used rows. */
export function snapshotLedger(ledger: Ledger, holdings: number, wallets: number): LedgerRows {
  return {
    holdings: ledger.holdings.slice(0, holdings * HOLDING_STRIDE),
    wallets: ledger.wallets.slice(0, wallets * WALLET_STRIDE),
  }
}

/** A ledger from the rows of a snapshot. */
export function restoreLedger(rows: LedgerRows): Ledger {
  assert(rows.holdings.length % HOLDING_STRIDE === 0, 'holdings are stored in whole rows')
  assert(rows.wallets.length % WALLET_STRIDE === 0, 'wallets are stored in whole rows')
  const ledger = createLedger()
  ledger.holdings = withRoom(rows.holdings, rows.holdings.length)
  ledger.wallets = withRoom(rows.wallets, rows.wallets.length)
  return ledger
}
