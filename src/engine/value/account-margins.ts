/**
 * The margins of accounts: one face for the four models of the venue.
 *
 * Of segregated models each currency has its own; of cross models all currencies share theirs, and what is
 * told of a currency is the total in USD over its index (market.md 6.4). Funding counts to the present.
 *
 * Margin balance is equity, of standard margin without the value of options (5.3).
 */
import { type AccountId, type Amount, amount, assert } from '../../core/index.ts'
import { type CrossTotals, ofUsd } from '../../margin/index.ts'
import { type Currency, currencies, currencyIdOf } from '../../model/index.ts'
import { type AccountRow, accountRow, type Exchange } from '../state/index.ts'
import type { OwnMargins, SharedMargin } from './models/margin-model.ts'
import { modelOf } from './models/margin-models.ts'
import { usdIndex9 } from './usd-index.ts'
import { walletState } from './wallet-state.ts'

/** Margins of an account in a currency, in nano of it. */
export interface AccountMargins {
  readonly currency: Currency
  readonly balance: bigint
  readonly equity: bigint
  readonly optionsValue: bigint
  readonly marginBalance: bigint
  readonly initial: bigint
  readonly maintenance: bigint
  /** Margin balance less initial margin and what spot orders reserve. */
  readonly available: bigint
  /** Reserve of open buys of options under `cross_sm`, a part of `initial`; 0 of the other models (R56). */
  readonly additionalReserve: bigint
  readonly spotReserve: bigint
  /** Totals in 1e-9 USD of an account whose currencies share their margin, else null. */
  readonly usd: CrossTotals | null
}

/** A margin pool, liquidated together: a currency of an account, or all of it (`currency` null). */
export interface MarginPool {
  readonly account: AccountId
  readonly currency: Currency | null
}

/** Margins of a pool: nano of its currency, or 1e-9 USD where it has none. */
export interface PoolMargins {
  readonly equity: bigint
  readonly marginBalance: bigint
  readonly initial: bigint
  readonly maintenance: bigint
}

/** The margins of an account in a currency. */
export function marginsOf(exchange: Exchange, account: AccountId, currency: Currency): AccountMargins {
  const owner = accountRow(exchange, account)
  const model = modelOf(owner)
  const state = walletState(exchange, owner, currencyIdOf(currency))
  const { balance, equity, optionsValue, premium, spotReserve } = state
  const usd = model.shared === null ? null : model.shared.totals(exchange, owner)
  const own = usd === null ? model.margins(exchange, owner, state) : inCurrency(usd, usdIndex9(exchange, currency))
  const reserve = usd === null ? spotReserve : ofUsd(usd.spotReserve, usdIndex9(exchange, currency))
  // Written out, because a check of every order of some accounts asks for it.
  return {
    currency,
    balance,
    equity,
    optionsValue,
    marginBalance: own.marginBalance,
    initial: own.initial,
    maintenance: own.maintenance,
    available: own.marginBalance - own.initial - reserve,
    additionalReserve: usd === null || model.netsPositions ? 0n : premium,
    spotReserve,
    usd,
  }
}

/** The totals of an account in USD as told of one of its currencies. */
function inCurrency(usd: CrossTotals, index9: number): OwnMargins {
  return {
    marginBalance: ofUsd(usd.marginBalance, index9),
    initial: ofUsd(usd.initial, index9),
    maintenance: ofUsd(usd.maintenance, index9),
  }
}

/** The margins of a pool. */
export function marginsOfPool(exchange: Exchange, pool: MarginPool): PoolMargins {
  const owner = accountRow(exchange, pool.account)
  const model = modelOf(owner)
  if (pool.currency === null) return sharedOf(owner).totals(exchange, owner)
  const state = walletState(exchange, owner, currencyIdOf(pool.currency))
  const { marginBalance, initial, maintenance } = model.margins(exchange, owner, state)
  return { equity: state.equity, marginBalance, initial, maintenance }
}

/** The margin that all currencies of an account share. */
function sharedOf(owner: AccountRow): SharedMargin {
  const { shared } = modelOf(owner)
  assert(shared !== null, 'only cross-margin accounts have a margin for all currencies')
  return shared
}

/** The pools of an account that have anything to lose: a maintenance margin, or less than nothing. */
export function marginPools(exchange: Exchange, account: AccountId): readonly MarginPool[] {
  const owner = accountRow(exchange, account)
  if (owner.account.house) return []
  if (modelOf(owner).shared !== null) return [{ account, currency: null }]
  return currencies
    .filter((currency) => {
      const { maintenance, marginBalance } = marginsOfPool(exchange, { account, currency })
      return maintenance !== 0n || marginBalance < 0n
    })
    .map((currency) => ({ account, currency }))
}

/** The pools of an account whose maintenance margin is above their margin balance (market.md 6). */
export function underMargined(exchange: Exchange, account: AccountId): readonly MarginPool[] {
  return marginPools(exchange, account).filter((pool) => {
    const { maintenance, marginBalance } = marginsOfPool(exchange, pool)
    return maintenance > marginBalance
  })
}

/**
 * Amount of a currency that an account may give for a spot order, in nano; below nothing where its margins are not
 * met. Never more than its cash and its futures' profit of the trading day, nor than its margins leave: what its options
 * are worth is no money yet.
 */
export function spendableOf(exchange: Exchange, account: AccountId, currency: Currency): bigint {
  const { available, equity, optionsValue, spotReserve } = marginsOf(exchange, account, currency)
  const held = equity - optionsValue - spotReserve
  if (available < held) return available
  return held
}

/**
 * Amount that an account may take out of a currency: min(balance, margin balance) less initial margin and what spot
 * orders reserve, 0 at least (market.md 5.3). Profit of the trading day is no cash yet. Of cross margin, the margins of
 * all its currencies bind each of them.
 */
export function withdrawableOf(exchange: Exchange, account: AccountId, currency: Currency): Amount {
  const margins = marginsOf(exchange, account, currency)
  const { balance, marginBalance, initial, spotReserve, available } = margins
  const held = least(balance, marginBalance) - initial - spotReserve
  const free = least(held, available)
  return amount(free < 0n ? 0n : free)
}

function least(left: bigint, right: bigint): bigint {
  if (left < right) return left
  return right
}
