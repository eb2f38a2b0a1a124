/**
 * Pools of liquidation: the positions of an account whose margin is one. That is a currency of it, or all of it where
 * its currencies share their margin.
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
import { freshenHolding } from './skipped-revaluations.ts'
import { usdIndex9 } from './usd-index.ts'

/** Positions that share their margin. */
export interface Pool {
  readonly account: AccountRow
  readonly currency: number
}

/** The margins of a pool, and what its account is worth in it, in nano; of a whole account in 1e-9 USD. */
export interface PoolState extends MarginState {
  readonly equity: Amount
}

/** A position that can be closed. */
export interface PoolPosition {
  readonly owner: HoldingRow
  /** Signed, in lots. */
  readonly size: number
  /** Share in the delta of its price index, in coin, 1e-9. */
  readonly delta: bigint
  /** Standard maintenance margin of the position by itself, in the unit of the pool. */
  readonly maintenance: bigint
  /** Worth at its mark of an option, in the unit of the pool; else 0. */
  readonly worth: bigint
}

/**
 * The pools of an account that a round looks at: those in which it may have a position, and those that are
 * being liquidated. A currency without either is left out as soon as that is seen from its sums alone.
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

/** The liquidation of a pool that is going on. */
export function liquidationOf({ account, currency }: Pool): Liquidation | undefined {
  return account.liquidations.find((each) => each.currency === currency)
}

/** The columns that every event of a pool's liquidation has. */
export function liquidationHeader(
  { account, currency }: Pool,
  { marginBalance, initial, maintenance }: PoolState,
): MarginState & { readonly account: AccountId; readonly currency: LiquidationCurrency } {
  const name = nameOf(currency) ?? 'USD'
  return { account: account.account.id, currency: name, marginBalance, initial, maintenance }
}

/** The margins of a pool at the present, funding included. */
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

/** The currency of a pool; null for all of them. */
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

/** A position as it stands. */
function positionOf(exchange: Exchange, owner: HoldingRow, currency: number): PoolPosition {
  const { row } = owner
  freshenHolding(exchange, owner)
  const { size, value, profit } = readHolding(exchange.ledger, owner.holding)
  const worth = row.option === null ? 0n : profit
  const { maintenance18 } = exactMargin(exchange, owner, { position: size, buys: 0, sells: 0 })
  return {
    owner,
    size,
    delta: deltaOf(exchange, row, { size, value, worth }),
    maintenance: inPool(exchange, row, { value18: maintenance18, currency }),
    worth: inPool(exchange, row, { value18: worth * NANO, currency }),
  }
}

/** Delta of a position in coin: of an option in coin less what it is worth (market.md 5.3). */
function deltaOf(
  exchange: Exchange,
  row: InstrumentRow,
  of: { readonly size: number; readonly value: bigint; readonly worth: bigint },
): bigint {
  const { payoff, amountStep9 } = row.instrument
  if (payoff === 'inverse') return divHalfAwayBig(of.value, NANO)
  const size9 = BigInt(of.size) * BigInt(amountStep9)
  if (row.option === null) return size9
  const market = optionMarketOf(exchange, row.option)
  if (market.forward9 === 0 || market.time >= row.option.contract.expiration) return 0n
  const { delta9 } = optionGreeks9(row.option.contract, market)
  const delta = divHalfAwayBig(size9 * BigInt(delta9), NANO)
  return isCoinSettled(row) ? delta - of.worth : delta
}

const NANO = 1_000_000_000n

/** Money in 1e-18 of the currency of an instrument in the unit of a pool. */
function inPool(
  exchange: Exchange,
  { settlement }: InstrumentRow,
  of: { readonly value18: bigint; readonly currency: number },
): bigint {
  if (of.currency !== ALL_CURRENCIES) return divHalfAwayBig(of.value18, NANO)
  const index9 = usdIndex9(exchange, currencyOf(settlement))
  return divHalfAwayBig(of.value18 * BigInt(index9), NANO * NANO)
}
