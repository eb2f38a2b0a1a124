/**
 * The margins of accounts and of their pools: one interface for the four margin models of the venue.
 *
 * Under segregated models each currency has its own margins. Under cross models all currencies share theirs, and the
 * margins of a currency are the totals in USD divided by the currency's index (market.md 6.4). Funding is included up
 * to the current time.
 *
 * Margin balance is equity; under standard margin it excludes the value of options (5.3).
 *
 * A pool is what one liquidation closes: the positions that share one margin, either those of one currency or, if the
 * currencies share their margin, those of the whole account.
 */
import { type AccountId, type Amount, amount, assert, currencyId, divHalfAwayBig } from '../../core/index.ts'
import { readHolding, sizeOf } from '../../ledger/index.ts'
import { type CrossTotals, clearMargin, ofUsd, readExposure, readPremium } from '../../margin/index.ts'
import {
  CURRENCY_SLOTS,
  type Currency,
  currencies,
  currencyIdOf,
  currencyOf,
  type LiquidationCurrency,
  type MarginModel,
  type MarginState,
} from '../../model/index.ts'
import { optionGreeks9 } from '../../pricing/index.ts'
import {
  type AccountRow,
  ALL_CURRENCIES,
  accountRow,
  type Exchange,
  findHolding,
  followModel,
  type HoldingRow,
  type InstrumentRow,
  isCoinSettled,
  type Liquidation,
  setMarginModel,
  walletRowOf,
} from '../state/index.ts'
import { exactMargin } from './exact-margin.ts'
import type { OwnMargins, SharedMargin } from './models/margin-model.ts'
import { modelOf } from './models/margin-models.ts'
import { optionMarketOf } from './option-prices.ts'
import { rebuildMargin, recomputeMargin } from './refresh.ts'
import { resumeAccount, updateSkippedHolding } from './skipped-revaluations.ts'
import { usdIndex9 } from './usd-index.ts'
import { walletState } from './wallet-state.ts'

/** Margins of an account in a currency, in nano of the currency. */
export interface AccountMargins {
  readonly currency: Currency
  readonly balance: bigint
  readonly equity: bigint
  readonly optionsValue: bigint
  readonly marginBalance: bigint
  readonly initial: bigint
  readonly maintenance: bigint
  /** Margin balance less initial margin and the reserve of spot orders. */
  readonly available: bigint
  /** Reserve for open buys of options under `cross_sm`, a part of `initial`; 0 under the other models (R56). */
  readonly additionalReserve: bigint
  readonly spotReserve: bigint
  /** Totals in 1e-9 USD of an account whose currencies share their margin, otherwise null. */
  readonly usd: CrossTotals | null
}

/** A margin pool, which is liquidated together: a currency of an account, or the whole account (`currency` null). */
interface MarginPool {
  readonly account: AccountId
  readonly currency: Currency | null
}

/** Margins of a pool: in nano of its currency, or in 1e-9 USD without a currency. */
interface PoolMargins {
  readonly equity: bigint
  readonly marginBalance: bigint
  readonly initial: bigint
  readonly maintenance: bigint
}

/**
 * Changes the margin model of accounts and recomputes everything that depends on it.
 *
 * A holding without a position and open orders has no margin under any model, and its rows stay unchanged. So an
 * account that changes its model and changes it back has its original state.
 * Source: market.md 6.
 */

/** Changes an account to a margin model. The caller has checked that its margin suffices. */
export function putUnderModel(exchange: Exchange, owner: AccountRow, marginModel: MarginModel): void {
  const { id, marginModel: before } = owner.account
  if (before === marginModel) return
  resumeAccount(exchange, id)
  const own = exchange.holdings.filter(({ account }) => account === id)
  for (const holding of own) {
    if (!isIdle(exchange, holding)) clearMargin(exchange.margin, holding)
  }
  setMarginModel(exchange, owner, marginModel)
  for (const holding of own) followModel(exchange, holding)
  for (const holding of own) {
    if (isIdle(exchange, holding)) rebuildMargin(exchange, holding)
    else recomputeMargin(exchange, holding)
  }
}

/** The margins of all currencies of an account under another model. */
export function marginsUnder(
  exchange: Exchange,
  owner: AccountRow,
  marginModel: MarginModel,
): readonly AccountMargins[] {
  const { id, marginModel: before } = owner.account
  putUnderModel(exchange, owner, marginModel)
  const margins = currencies.map((currency) => marginsOf(exchange, id, currency))
  putUnderModel(exchange, owner, before)
  return margins
}

function isIdle({ ledger, margin }: Exchange, { holding }: HoldingRow): boolean {
  const { buys, sells } = readExposure(margin, holding)
  const { lots, cost } = readPremium(margin, holding)
  return sizeOf(ledger, holding) === 0 && buys === 0 && sells === 0 && lots === 0 && cost === 0n
}

/** The margins of an account in a currency. */
export function marginsOf(exchange: Exchange, account: AccountId, currency: Currency): AccountMargins {
  const owner = accountRow(exchange, account)
  const model = modelOf(owner)
  const state = walletState(exchange, owner, currencyIdOf(currency))
  const usd = model.shared === null ? null : model.shared.totals(exchange, owner)
  const own = usd === null ? model.margins(exchange, owner, state) : inCurrency(usd, usdIndex9(exchange, currency))
  const reserve = usd === null ? state.spotReserve : ofUsd(usd.spotReserve, usdIndex9(exchange, currency))
  // All fields are listed, because a check of every order of some accounts calls this.
  return {
    currency,
    balance: state.balance,
    equity: state.equity,
    optionsValue: state.optionsValue,
    marginBalance: own.marginBalance,
    initial: own.initial,
    maintenance: own.maintenance,
    available: own.marginBalance - own.initial - reserve,
    additionalReserve: usd === null || model.netsPositions ? 0n : state.premium,
    spotReserve: state.spotReserve,
    usd,
  }
}

/** Converts the totals of an account in USD to one of its currencies. */
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

/** The pools of an account at risk: those with a maintenance margin or a negative margin balance. */
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
 * Amount of a currency that an account may spend on a spot order, in nano; negative if its margins are not met. It is
 * limited by cash and the day's futures profit less the spot reserve, and by the available margin. The value of options
 * cannot be spent.
 */
export function spendableOf(exchange: Exchange, account: AccountId, currency: Currency): bigint {
  const { available, equity, optionsValue, spotReserve } = marginsOf(exchange, account, currency)
  const held = equity - optionsValue - spotReserve
  if (available < held) return available
  return held
}

/**
 * Amount that an account may withdraw from a currency: min(balance, margin balance) less initial margin and the reserve
 * of spot orders, at least 0 (market.md 5.3). Profit of the trading day is not cash yet. Under cross margin the margins
 * of all currencies also limit each single currency.
 */
export function withdrawableOf(exchange: Exchange, account: AccountId, currency: Currency): Amount {
  const margins = marginsOf(exchange, account, currency)
  const held = least(margins.balance, margins.marginBalance) - margins.initial - margins.spotReserve
  const free = least(held, margins.available)
  return amount(free < 0n ? 0n : free)
}

function least(left: bigint, right: bigint): bigint {
  if (left < right) return left
  return right
}

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
