/**
 * What is liquidated together: the positions of an account whose margin is one. That is a currency of
 * it, or all of it where its currencies share their margin.
 */
import {
  type AccountId,
  type Amount,
  amount,
  currencyId,
  divHalfAwayBig,
} from '../../core/index.ts'
import { cashOf, profitOf, readHolding } from '../../ledger/index.ts'
import { hasMaintenance, readExposure, readTotals } from '../../margin/index.ts'
import { CURRENCY_SLOTS, type Currency, currencyOf, type MarginState } from '../../model/index.ts'
import { pendingOfWallet } from '../prices/funding.ts'
import {
  type AccountRow,
  ALL_CURRENCIES,
  type Exchange,
  type HoldingRow,
  type Liquidation,
  walletOf,
} from '../state/exchange.ts'
import { findHolding } from '../state/holdings.ts'

/** Positions that share their margin. */
export interface Pool {
  readonly account: AccountRow
  readonly currency: number
}

/** The margins of a pool, and what its account is worth in it, in nano. */
export interface PoolMargins extends MarginState {
  readonly equity: Amount
}

/** A position that can be closed. */
export interface PoolPosition {
  readonly owner: HoldingRow
  /** Signed, in lots. */
  readonly size: number
  /** Signed size in coin, 1e-9. */
  readonly coin: bigint
  readonly maintenance: bigint
}

/** The pools of an account that have something to lose, or are being liquidated. */
export function poolsOf(exchange: Exchange, account: AccountRow): readonly Pool[] {
  const pools: Pool[] = []
  for (let currency = 0; currency < CURRENCY_SLOTS; currency += 1) {
    const pool = { account, currency }
    const wallet = walletOf(account.account.id, currency)
    const isHeld = hasMaintenance(exchange.margin, wallet)
    if (isHeld || liquidationOf(pool) !== undefined) pools.push(pool)
  }
  return pools
}

/** The liquidation of a pool that is going on. */
export function liquidationOf({ account, currency }: Pool): Liquidation | undefined {
  return account.liquidations.find((each) => each.currency === currency)
}

/** What every event of a pool's liquidation tells. */
export function headerOf(
  { account, currency }: Pool,
  { marginBalance, initial, maintenance }: PoolMargins,
): MarginState & { readonly account: AccountId; readonly currency: Currency | 'USD' } {
  const name = currency === ALL_CURRENCIES ? 'USD' : currencyOf(currencyId(currency))
  return { account: account.account.id, currency: name, marginBalance, initial, maintenance }
}

/** The margins of a pool at the present, funding included. */
export function marginsOfPool(exchange: Exchange, { account, currency }: Pool): PoolMargins {
  const wallet = walletOf(account.account.id, currency)
  const { initial, maintenance } = readTotals(exchange.margin, wallet)
  const pending = pendingOfWallet(exchange, account, wallet)
  const balance = cashOf(exchange.ledger, wallet) + profitOf(exchange.ledger, wallet) + pending
  return {
    marginBalance: amount(balance),
    initial: amount(initial),
    maintenance: amount(maintenance),
    equity: amount(balance),
  }
}

/** The positions of a pool, instruments in the order of listing. */
export function positionsOfPool(
  exchange: Exchange,
  { account, currency }: Pool,
): readonly PoolPosition[] {
  const found: PoolPosition[] = []
  for (const row of exchange.instruments) {
    if (row.base >= 0 || row.settlement !== currency || row.deliveredAt !== null) continue
    const owner = findHolding(exchange, account.account.id, row)
    if (owner === undefined) continue
    const position = positionOf(exchange, owner)
    if (position.size !== 0) found.push(position)
  }
  return found
}

/** A position as it stands. */
function positionOf(exchange: Exchange, owner: HoldingRow): PoolPosition {
  const { size, value } = readHolding(exchange.ledger, owner.holding)
  const { payoff, amountStep9 } = owner.row.instrument
  const coin =
    payoff === 'inverse'
      ? divHalfAwayBig(value, 1_000_000_000n)
      : BigInt(size) * BigInt(amountStep9)
  const { maintenance } = readExposure(exchange.margin, owner.holding)
  return { owner, size, coin, maintenance: BigInt(maintenance) }
}
