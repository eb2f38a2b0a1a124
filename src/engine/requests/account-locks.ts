/**
 * Controls by which staff lock accounts and trim their orders.
 *
 * | Control | Cancelled orders | While it is on |
 * |---|---|---|
 * | lock of positions | all, `position_locked` | only reduce-only orders are accepted, none of spot |
 * | lock of portfolio margin | all, `pme_account_locked` | no order is accepted or edited; cancels are |
 * | trim | some, `pme_risk_reduction` | it has no duration |
 *
 * A trim checks each margin pool whose initial margin is above its margin balance. It repeatedly cancels the newest
 * order that raises that margin, until the margin fits or no order raises it. Assumed: no source says which orders are
 * cancelled. An order behind the speed bump continues to wait and is not selected again. No step of validation applies
 * to a trim: it admits nothing, and refuses nothing.
 *
 * Rule: account.lock, account.trim. Source: coverage R52; trading.md 4.1, 5.1; S088, S089.
 */

import { priceOf, remainingOf } from '../../book/index.ts'
import { assert, ticks } from '../../core/index.ts'
import {
  type AccountLock,
  type CancelReason,
  type ConversionReason,
  type LockAccount,
  type LockPortfolio,
  type Permissions,
  type SetPermissions,
  type StandingKind,
  type TrimOrders,
  validationStep,
} from '../../model/index.ts'
import { marginReliefOf, newEntry, pullOrder, pullWhere } from '../market/index.ts'
import {
  type AccountRow,
  ALL_CURRENCIES,
  accountRow,
  type CheckResult,
  type Exchange,
  emitStanding,
  holdingOfOrder,
  type LiveOrder,
  noteRestrictions,
  orderAt,
  pass,
  refuse,
  type Turn,
  visitAccountOrders,
} from '../state/index.ts'
import { modelOf, type Pool, poolsOf, stateOfPool } from '../value/index.ts'
import { badParam, type Handlers, seal } from './handler.ts'

const locks: {
  readonly [L in AccountLock]: {
    readonly protection: StandingKind
    readonly reason: CancelReason & ConversionReason
  }
} = {
  positions: { protection: 'position_lock', reason: 'position_locked' },
  portfolio_margin: { protection: 'portfolio_margin_lock', reason: 'pme_account_locked' },
}

/** The account must belong to a trader; the lock of portfolio margin requires portfolio margin. */
function checkLockAccount(exchange: Exchange, command: LockAccount): CheckResult<AccountRow> {
  return checkTarget(exchange, command.target, command.lock === 'portfolio_margin')
}

/** Locks or unlocks the account; a repetition changes nothing. Returns the number of cancelled orders. */
function commitLockAccount(turn: Turn, command: LockAccount, owner: AccountRow): number {
  const { lock, locked } = command
  const { account, standing } = owner
  assert(!account.house, 'only accounts of traders can be locked')
  if (standing.locks.has(lock) === locked) return 0
  if (locked) standing.locks.add(lock)
  else standing.locks.delete(lock)
  noteRestrictions(owner)
  const { protection, reason } = locks[lock]
  const cancelled = locked ? pullWhere(turn, account.id, reason, () => true) : 0
  assert(standing.locks.has(lock) === locked, 'an account has the locks that the venue set')
  emitStanding(turn, {
    protection,
    change: locked ? 'on' : 'off',
    account: account.id,
    cancelled,
  })
  return cancelled
}

/** The account must have portfolio margin. */
function checkTrimOrders(exchange: Exchange, { target }: TrimOrders): CheckResult<AccountRow> {
  return checkTarget(exchange, target, true)
}

/** Trims the margin pools of the account one after another. Returns the number of cancelled orders. */
function commitTrimOrders(turn: Turn, _command: TrimOrders, owner: AccountRow): number {
  assert(modelOf(owner).netsPositions, 'only accounts with portfolio margin can be trimmed')
  const before = turn.exchange.slots.used
  const asked = new Set<number>()
  for (const pool of poolsOf(turn.exchange, owner)) {
    while (isShort(turn.exchange, pool)) {
      const slot = newestRaising(turn.exchange, pool, asked)
      if (slot === undefined) break
      asked.add(orderAt(turn.exchange, slot).id)
      pullOrder(turn, slot, 'pme_risk_reduction')
    }
  }
  const cancelled = before - turn.exchange.slots.used
  if (cancelled > 0) assert(asked.size > 0, 'orders are cancelled only if requested')
  if (asked.size > 0) {
    const account = owner.account.id
    emitStanding(turn, { protection: 'order_trim', change: 'acted', account, cancelled })
  }
  return cancelled
}

function checkTarget(exchange: Exchange, target: number, ofPortfolioMargin: boolean): CheckResult<AccountRow> {
  const owner = exchange.accounts[target]
  const isTrader = owner !== undefined && !owner.account.house
  if (isTrader && (modelOf(owner).netsPositions || !ofPortfolioMargin)) return pass(owner)
  return refuse(validationStep.parameters, {
    reason: 'invalid_params',
    param: 'account',
    problem: isTrader ? 'not_portfolio_margin' : 'unknown_account',
  })
}

function isShort(exchange: Exchange, pool: Pool): boolean {
  const { initial, marginBalance } = stateOfPool(exchange, pool)
  return initial > marginBalance
}

/** The newest order of a pool that was not selected yet and whose cancel would lower the pool's initial margin. */
function newestRaising(
  exchange: Exchange,
  { account, currency }: Pool,
  asked: ReadonlySet<number>,
): number | undefined {
  const open: number[] = []
  visitAccountOrders(exchange, account.account.id, (slot) => {
    const { id, stage } = orderAt(exchange, slot)
    const { settlement } = holdingOfOrder(exchange, slot).row
    const isOfPool = currency === ALL_CURRENCIES || currency === settlement
    if (isOfPool && !asked.has(id) && (stage === 'resting' || stage === 'bumped')) open.push(slot)
  })
  return open.reverse().find((slot) => raisesMargin(exchange, account, slot))
}

function raisesMargin(exchange: Exchange, { account }: AccountRow, slot: number): boolean {
  const { side, reduceOnly, extras } = orderAt(exchange, slot)
  const { row } = holdingOfOrder(exchange, slot)
  // Reduce-only orders, spot orders and quotes are not open orders of this margin.
  if (reduceOnly || row.base >= 0 || (extras !== null && extras.quote !== null)) return false
  const counted = { lots: remainingOf(exchange.slots, slot), price: priceOf(exchange.slots, slot) }
  const price = ticks(counted.price)
  return (
    marginReliefOf(
      exchange,
      accountRow(exchange, account.id),
      newEntry({ row, account: account.id, side, price, lots: 0, replaces: counted, from: slot }),
    ) > 0n
  )
}

export const accountLocksHandlers: Handlers<'lock_account' | 'trim_orders'> = {
  lock_account: seal({ check: checkLockAccount, commit: commitLockAccount }),
  trim_orders: seal({ check: checkTrimOrders, commit: commitTrimOrders }),
}

/**
 * Locks or unlocks a portfolio for direct access, on every gateway and for all sessions.
 *
 * Rule: portfolio.lock. Source: sessions-blocks-gateways.md 8.11; coverage R61; S172-S174, S248, S298.
 */

/** Locking a locked portfolio is allowed and changes nothing. The plan is the account of the portfolio. */
function checkLockPortfolio(exchange: Exchange, command: LockPortfolio): CheckResult<number> {
  const target = command.target ?? command.account
  if (exchange.accounts[target] !== undefined) return pass(target)
  return refuse(validationStep.authentication, { reason: 'unauthorized' })
}

/** Cancels the orders and quotes of direct access in the order of their creation; others remain (S174). */
function commitLockPortfolio(turn: Turn, { locked }: LockPortfolio, target: number): number {
  const owner = accountRow(turn.exchange, target)
  const { standing, account } = owner
  if (standing.isPortfolioLocked === locked) return 0
  standing.isPortfolioLocked = locked
  const isMeant = (order: LiveOrder): boolean => order.extras?.direct != null
  const cancelled = locked ? pullWhere(turn, target, 'portfolio_locked', isMeant) : 0
  const change = locked ? 'on' : 'off'
  emitStanding(turn, { protection: 'portfolio_lock', change, account: account.id, cancelled })
  return cancelled
}

export const portfolioLockHandlers: Handlers<'lock_portfolio'> = {
  lock_portfolio: seal({ check: checkLockPortfolio, commit: commitLockPortfolio }),
}

/**
 * Staff set the permissions of an account: direct access as a Member, market-maker protection, mass quotes.
 *
 * Only main accounts can be Members; their subaccounts are portfolios of the same Member. Open orders of an account
 * remain when it loses the permission to place more.
 *
 * Rule: protection.permissions. Source: sessions-blocks-gateways.md 8.2; trading.md 6.16, C43.
 */

const words = {
  member: 'member',
  mmp: 'mmp_permission',
  massQuotes: 'mass_quote_permission',
} as const

/** The account must belong to a trader; `member` can be set only for main accounts. */
function checkSetPermissions(exchange: Exchange, command: SetPermissions): CheckResult<AccountRow> {
  const row = exchange.accounts[command.target]
  if (row === undefined || row.account.house) {
    return badParam('account', 'expected the account of a trader')
  }
  if (command.member !== null && row.account.main !== row.account.id) {
    return badParam('member', 'a subaccount has the membership of its main account')
  }
  return pass(row)
}

/** Events: `standing` of each permission that changed. */
function commitSetPermissions(turn: Turn, command: SetPermissions, row: AccountRow): number {
  const before = row.standing.permissions
  assert(!row.account.house, 'permissions belong to a trader')
  row.standing.permissions = {
    member: command.member ?? before.member,
    mmp: command.mmp ?? before.mmp,
    massQuotes: command.massQuotes ?? before.massQuotes,
  }
  for (const name of ['member', 'mmp', 'massQuotes'] satisfies (keyof Permissions)[]) {
    const may = row.standing.permissions[name]
    if (may === before[name]) continue
    emitStanding(turn, {
      protection: words[name],
      change: may ? 'on' : 'off',
      account: command.target,
      session: command.session,
    })
  }
  return 1
}

export const permissionsHandlers: Handlers<'set_permissions'> = {
  set_permissions: seal({ check: checkSetPermissions, commit: commitSetPermissions }),
}
