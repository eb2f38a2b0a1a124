/**
 * The margins of accounts: one face for the four models of the venue.
 *
 * Of segregated models each currency has its own; of cross models all currencies share theirs, and what is
 * told of a currency is the total in USD over its index (market.md 6.4). Funding counts to the present.
 *
 * Margin balance is equity, of standard margin without the value of options (5.3).
 */
import {
  type AccountId,
  type Amount,
  amount,
  currencyId,
  divFloor,
  modFloor,
  setWideBigint,
  subtractWide,
} from '../../core/index.ts'
import { cashOf, optionsValueOf, profitOf, setMarginBalance } from '../../ledger/index.ts'
import {
  type CrossPart,
  type CrossTotals,
  crossTotals,
  ofUsd,
  readTotals,
  subtractCommitted,
} from '../../margin/index.ts'
import {
  CURRENCY_SLOTS,
  type Currency,
  currencies,
  currencyIdOf,
  currencyOf,
} from '../../model/index.ts'
import { type AccountRow, accountRow, type Exchange, walletOf } from '../state/index.ts'
import { crossPairs } from './cross-pairs.ts'
import { noExactMargin } from './exact-margin.ts'
import { addPending, pendingOfWallet } from './funding.ts'
import { heldForGroups, heldForGroupsUsd } from './mmp-margin.ts'
import { pairMargin, pairRisks } from './pairs.ts'
import { usdIndex9 } from './usd-index.ts'

/** Scratch register of this file. */
const HELD = 8

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
  /** What open buys of options reserve under `cross_sm`, a part of `initial`; 0 of the other models (R56). */
  readonly additionalReserve: bigint
  readonly spotReserve: bigint
  /** Totals in 1e-9 USD of an account whose currencies share their margin, else null. */
  readonly usd: CrossTotals | null
}

/** What is liquidated together: a currency of an account, or all of it (`currency` null). */
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
export function marginsOf(
  exchange: Exchange,
  account: AccountId,
  currency: Currency,
): AccountMargins {
  const owner = accountRow(exchange, account)
  const state = walletState(exchange, owner, currencyIdOf(currency))
  const usd = owner.risk.isCross ? crossMargins(exchange, owner) : null
  const own =
    usd === null
      ? segregatedMargins(exchange, owner, state)
      : inCurrency(usd, usdIndex9(exchange, currency))
  // Written out, because a check of every order of some accounts asks for it.
  return {
    currency,
    balance: state.balance,
    equity: state.equity,
    optionsValue: state.optionsValue,
    marginBalance: own.marginBalance,
    initial: own.initial,
    maintenance: own.maintenance,
    available: own.marginBalance - own.initial - (own.reserve ?? state.spotReserve),
    additionalReserve: isAdditional(owner) ? state.premium : 0n,
    spotReserve: state.spotReserve,
    usd,
  }
}

function isAdditional({ risk }: AccountRow): boolean {
  return risk.isCross && !risk.isPortfolio
}

/** Margins of a currency beside what it holds; `reserve` where that of all currencies counts. */
interface OwnMargins {
  readonly marginBalance: bigint
  readonly initial: bigint
  readonly maintenance: bigint
  readonly reserve: bigint | null
}

/** The totals of an account in USD as told of one of its currencies. */
function inCurrency(usd: CrossTotals, index9: number): OwnMargins {
  return {
    marginBalance: ofUsd(usd.marginBalance, index9),
    initial: ofUsd(usd.initial, index9),
    maintenance: ofUsd(usd.maintenance, index9),
    reserve: ofUsd(usd.spotReserve, index9),
  }
}

/**
 * Sets a scratch register to what a wallet of segregated standard margin has free (balance and session profit
 * less initial margin and spot reserve, in nano), funding to the present included.
 */
export function setFree(exchange: Exchange, at: number, wallet: number): void {
  const { scratch, ledger, margin } = exchange
  setMarginBalance(scratch, at, { ledger, wallet })
  subtractCommitted(scratch, at, { margin, wallet })
  const account = accountRow(exchange, divFloor(wallet, CURRENCY_SLOTS))
  if (account.mmpGroups.length > 0) {
    setWideBigint(scratch, HELD, heldIn(exchange, account, wallet))
    subtractWide(scratch, at, scratch, HELD)
  }
  addPending(scratch, at, { exchange, account, wallet })
}

/** The margins of a pool. */
export function marginsOfPool(exchange: Exchange, pool: MarginPool): PoolMargins {
  const owner = accountRow(exchange, pool.account)
  if (pool.currency === null) return crossMargins(exchange, owner)
  const state = walletState(exchange, owner, currencyIdOf(pool.currency))
  const { marginBalance, initial, maintenance } = segregatedMargins(exchange, owner, state)
  return { equity: state.equity, marginBalance, initial, maintenance }
}

/** The pools of an account that have anything to lose: a maintenance margin, or less than nothing. */
export function marginPools(exchange: Exchange, account: AccountId): readonly MarginPool[] {
  const owner = accountRow(exchange, account)
  if (owner.account.house) return []
  if (owner.risk.isCross) return [{ account, currency: null }]
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

/** What a wallet holds, in nano. */
interface WalletState {
  readonly wallet: number
  readonly balance: bigint
  readonly equity: bigint
  readonly optionsValue: bigint
  /** What open buys of options reserve. */
  readonly premium: bigint
  readonly spotReserve: bigint
}

function walletState(exchange: Exchange, owner: AccountRow, currency: number): WalletState {
  const { ledger, margin } = exchange
  const wallet = walletOf(owner.account.id, currency)
  const balance = cashOf(ledger, wallet)
  const optionsValue = optionsValueOf(ledger, wallet)
  const pending = pendingOfWallet(exchange, owner, wallet)
  const { premium, reserve } = readTotals(margin, wallet)
  return {
    wallet,
    balance,
    equity: balance + profitOf(ledger, wallet) + pending + optionsValue,
    optionsValue,
    premium,
    spotReserve: reserve,
  }
}

function segregatedMargins(
  exchange: Exchange,
  owner: AccountRow,
  { wallet, equity, optionsValue }: WalletState,
): OwnMargins {
  const held = heldIn(exchange, owner, wallet)
  if (!owner.risk.isPortfolio) {
    const { initial, maintenance } = readTotals(exchange.margin, wallet)
    const marginBalance = equity - optionsValue
    return { marginBalance, initial: initial + held, maintenance, reserve: null }
  }
  let initial = held
  let maintenance = 0n
  for (const pair of owner.risk.pairs) {
    if (pair.wallet !== wallet) continue
    const margin = pairMargin(pairRisks(exchange, pair, null))
    initial += margin.initial
    maintenance += margin.maintenance
  }
  return { marginBalance: equity, initial, maintenance, reserve: null }
}

/** What market-maker protection holds of a wallet. */
function heldIn(exchange: Exchange, owner: AccountRow, wallet: number): bigint {
  if (owner.mmpGroups.length === 0) return 0n
  return heldForGroups(exchange, owner, modFloor(wallet, CURRENCY_SLOTS))
}

/** The totals of an account whose currencies share their margin, in 1e-9 USD. */
export function crossMargins(exchange: Exchange, owner: AccountRow): CrossTotals {
  const parts = crossParts(exchange, owner)
  const totals = crossTotals(parts)
  const held = owner.mmpGroups.length === 0 ? 0n : heldForGroupsUsd(exchange, owner)
  if (!owner.risk.isPortfolio) {
    return held === 0n ? totals : { ...totals, initial: totals.initial + held }
  }
  let { initial, maintenance } = totals
  initial += held
  for (const risks of crossPairs(exchange, owner, { parts })) {
    const margin = pairMargin(risks)
    initial += margin.initial
    maintenance += margin.maintenance
  }
  return { ...totals, initial, maintenance }
}

/** What each currency of an account adds; those that it has nothing of are left out. */
export function crossParts(
  exchange: Exchange,
  owner: AccountRow,
): readonly (CrossPart & { readonly currency: Currency })[] {
  const parts: (CrossPart & { readonly currency: Currency })[] = []
  const { isPortfolio, exactTotals } = owner.risk
  for (let id = 0; id < Math.min(CURRENCY_SLOTS, currencies.length); id += 1) {
    const { equity, optionsValue, spotReserve } = walletState(exchange, owner, id)
    const exact = exactTotals.get(id) ?? noExactMargin
    const currency = currencyOf(currencyId(id))
    const isHeld = equity !== 0n || optionsValue !== 0n || spotReserve !== 0n
    if (!isHeld && exact.initial18 === 0n && exact.maintenance18 === 0n) continue
    parts.push({
      currency,
      equity,
      spotReserve,
      index9: usdIndex9(exchange, currency),
      haircutPpm: exchange.config.haircutsPpm[currency] ?? 0,
      excluded: isPortfolio ? 0n : optionsValue,
      initial18: exact.initial18,
      maintenance18: exact.maintenance18,
    })
  }
  return parts
}

/**
 * What an account may give of a currency for a spot order, in nano; below nothing where its margins are not met.
 * Never more than its cash and its futures' profit of the session, nor than its margins leave: what its options
 * are worth is no money yet.
 */
export function spendableOf(exchange: Exchange, account: AccountId, currency: Currency): bigint {
  const { available, equity, optionsValue, spotReserve } = marginsOf(exchange, account, currency)
  const held = equity - optionsValue - spotReserve
  if (available < held) return available
  return held
}

/**
 * What an account may take out of a currency: min(balance, margin balance) less initial margin and what spot
 * orders reserve, 0 at least (market.md 5.3). Profit of the session is no cash yet. Of cross margin, the margins
 * of all its currencies bind each of them.
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
