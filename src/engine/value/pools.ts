/**
 * Pools of liquidation: the positions of an account that share one margin. A pool is a currency of the account, or the
 * whole account if its currencies share their margin.
 */
import { type AccountId, type Amount, amount, currencyId, divHalfAwayBig } from '../../core/index.ts'
import { readHolding } from '../../ledger/index.ts'
import {
  CURRENCY_SLOTS,
  type Currency,
  currencyOf,
  type LiquidationCurrency,
  type MarginState,
} from '../../model/index.ts'
import { optionGreeks9 } from '../../pricing/index.ts'
import {
  type AccountRow,
  ALL_CURRENCIES,
  type Exchange,
  findHolding,
  type HoldingRow,
  type InstrumentRow,
  isCoinSettled,
  type Liquidation,
  walletRowOf,
} from '../state/index.ts'
import { marginsOfPool } from './account-margins.ts'
import { exactMargin } from './exact-margin.ts'
import { modelOf } from './models/margin-models.ts'
import { optionMarketOf } from './option-prices.ts'
import { updateSkippedHolding } from './skipped-revaluations.ts'
import { usdIndex9 } from './usd-index.ts'

/** Positions that share their margin. */
export interface Pool {
  readonly account: AccountRow
  readonly currency: number
}

/** The margins of a pool and its equity, in nano; for a whole account in 1e-9 USD. */
export interface PoolState extends MarginState {
  readonly equity: Amount
}

/** A position that can be closed. */
export interface PoolPosition {
  readonly owner: HoldingRow
  /** Signed, in lots. */
  readonly size: number
  /** Contribution to the delta of its price index, in coin, 1e-9. */
  readonly delta: bigint
  /** Standard maintenance margin of the position by itself, in the unit of the pool. */
  readonly maintenance: bigint
  /** Value of an option at its mark, in the unit of the pool; 0 for other instruments. */
  readonly worth: bigint
}

/**
 * The pools of an account that a round checks: those in which it may have a position, and those that are being
 * liquidated. A currency without either is omitted if its sums alone show that.
 */
export function poolsOf(exchange: Exchange, account: AccountRow): readonly Pool[] {
  const model = modelOf(account)
  if (model.shared !== null) return [{ account, currency: ALL_CURRENCIES }]
  const pools: Pool[] = []
  for (let currency = 0; currency < CURRENCY_SLOTS; currency += 1) {
    const pool = { account, currency }
    const isBound = model.isBound(exchange, account, walletRowOf(account.account.id, currency))
    if (isBound || liquidationOf(pool) !== undefined) pools.push(pool)
  }
  return pools
}

/** The current liquidation of a pool. */
export function liquidationOf({ account, currency }: Pool): Liquidation | undefined {
  return account.liquidations.find((each) => each.currency === currency)
}

/** The columns of every event of a pool's liquidation. */
export function liquidationHeader(
  pool: Pool,
  margins: PoolState,
): MarginState & { readonly account: AccountId; readonly currency: LiquidationCurrency } {
  const name = nameOf(pool.currency) ?? 'USD'
  return {
    account: pool.account.account.id,
    currency: name,
    marginBalance: margins.marginBalance,
    initial: margins.initial,
    maintenance: margins.maintenance,
  }
}

/** The margins of a pool at the current time, including funding. */
export function stateOfPool(exchange: Exchange, { account, currency }: Pool): PoolState {
  const pool = { account: account.account.id, currency: nameOf(currency) }
  const { equity, marginBalance, initial, maintenance } = marginsOfPool(exchange, pool)
  return {
    marginBalance: amount(marginBalance),
    initial: amount(initial),
    maintenance: amount(maintenance),
    equity: amount(equity),
  }
}

/** The currency of a pool; null for all currencies. */
function nameOf(currency: number): Currency | null {
  return currency === ALL_CURRENCIES ? null : currencyOf(currencyId(currency))
}

/** The positions of a pool, instruments in the order of listing. */
export function positionsOfPool(exchange: Exchange, { account, currency }: Pool): readonly PoolPosition[] {
  const found: PoolPosition[] = []
  for (const row of exchange.instruments) {
    if (row.base >= 0 || row.deliveredAt !== null) continue
    if (currency !== ALL_CURRENCIES && row.settlement !== currency) continue
    const owner = findHolding(exchange, account.account.id, row)
    if (owner === undefined) continue
    const position = positionOf(exchange, owner, currency)
    if (position.size !== 0) found.push(position)
  }
  return found
}

/** The current position of a holding. */
function positionOf(exchange: Exchange, owner: HoldingRow, currency: number): PoolPosition {
  updateSkippedHolding(exchange, owner)
  const { size, value, profit } = readHolding(exchange.ledger, owner.holding)
  const worth = owner.row.option === null ? 0n : profit
  const { maintenance18 } = exactMargin(exchange, owner, { position: size, buys: 0, sells: 0 })
  return {
    owner,
    size,
    delta: deltaOf(exchange, owner.row, size, value, worth),
    maintenance: inPool(exchange, owner.row, maintenance18, currency),
    worth: inPool(exchange, owner.row, worth * NANO, currency),
  }
}

/** Delta of a position in coin. An option that is paid in coin has its value subtracted (market.md 5.3). */
function deltaOf(exchange: Exchange, row: InstrumentRow, size: number, value: bigint, worth: bigint): bigint {
  const { payoff, amountStep9 } = row.instrument
  if (payoff === 'inverse') return divHalfAwayBig(value, NANO)
  const size9 = BigInt(size) * BigInt(amountStep9)
  if (row.option === null) return size9
  const market = optionMarketOf(exchange, row.option)
  if (market.forward9 === 0 || market.time >= row.option.contract.expiration) return 0n
  const { delta9 } = optionGreeks9(row.option.contract, market)
  const delta = divHalfAwayBig(size9 * BigInt(delta9), NANO)
  return isCoinSettled(row) ? delta - worth : delta
}

const NANO = 1_000_000_000n

/** Converts money in 1e-18 of the currency of an instrument to the unit of a pool. */
function inPool(exchange: Exchange, row: InstrumentRow, value18: bigint, currency: number): bigint {
  if (currency !== ALL_CURRENCIES) return divHalfAwayBig(value18, NANO)
  const index9 = usdIndex9(exchange, currencyOf(row.settlement))
  return divHalfAwayBig(value18 * BigInt(index9), NANO * NANO)
}
