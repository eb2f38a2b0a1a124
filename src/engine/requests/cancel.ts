/**
 * Cancels: one order by id, or all of an account's orders that match a filter, in the order of their
 * creation. Source: trading.md 4.4, 4.5, C12, C28; coverage R43, R69.
 */

import { assert, type InstrumentId, micros } from '../../core/index.ts'
import {
  type CancelOrder,
  type CancelOrders,
  type CommandHeader,
  type Currency,
  type InstrumentState,
  isTriggerType,
  type OrderFilter,
  originOf,
  validationStep,
} from '../../model/index.ts'
import {
  findOwnOrder,
  holdReply,
  isImmediate,
  isStill,
  lockRefusal,
  pullOrder,
  routingRefusal,
  waitingAt,
} from '../market/index.ts'
import {
  accountRow,
  type CheckResult,
  type Exchange,
  emitStanding,
  type InstrumentRow,
  idAt,
  instrumentOf,
  isDirect,
  type LiveOrder,
  orderAt,
  pass,
  refuse,
  rowOfInstrument,
  setTimer,
  stateOf,
  type Turn,
  visitAccountOrders,
} from '../state/index.ts'
import { type Handlers, seal } from './handler.ts'

/** The currencies of a bulk cancel: named directly, or by an instrument or a price index. */
interface FreezeScope {
  readonly currencies: readonly Currency[] | null
  readonly instrument: InstrumentId | null
  readonly pair: string | null
}

/** Length of a freeze: one second. */
const FREEZE = 1_000_000

/** Checks a cancel; only reads. A cancel is refused if the state of the book does not allow it. */
// Source: C22.
function checkCancel(exchange: Exchange, command: CancelOrder): CheckResult<number> {
  const found = findOwnOrder(exchange, command, 'not_open_order')
  if (!found.ok) return found
  const row = instrumentOf(exchange, found.plan)
  const refusal = isDirect(exchange, command.session) ? routingRefusal(exchange, command.session, row) : null
  if (refusal !== null) return refuse(validationStep.instrument, refusal)
  if (!allowsCancels(row.state)) {
    const reason = row.state === 'settlement' ? 'settlement_in_progress' : 'book_closed'
    return refuse(validationStep.bookState, { reason })
  }
  if (waitingAt(exchange, found.plan) !== undefined && isImmediate(exchange, found.plan)) {
    const reason = isDirect(exchange, command.session) ? 'time_in_force' : 'not_open_order'
    return refuse(validationStep.instrument, { reason })
  }
  const locked = lockRefusal(exchange, command.account)
  return locked === null ? found : refuse(validationStep.accountLocks, locked)
}

/**
 * Cancels the order in a slot. An order behind the speed bump becomes immediate-or-cancel, and the reply to a JSON-RPC
 * request waits for its release (R10).
 */
function commitCancel(turn: Turn, command: CancelOrder, slot: number): number {
  const id = idAt(turn.exchange.orders, slot)
  assert(isStill(turn.exchange, slot, id), 'an order is live before it is cancelled')
  const waiting = waitingAt(turn.exchange, slot)
  // The reply contains the order in its state after the release.
  if (waiting !== undefined && !isDirect(turn.exchange, command.session)) {
    holdReply(turn.exchange, waiting, turn.cause)
  }
  const isGone = pullOrder(turn, slot, 'user_request') === 'cancelled'
  assert(isGone !== isStill(turn.exchange, slot, id), 'a cancelled order is no longer live')
  return isGone ? 1 : 0
}

/** A bulk cancel that selects no order is not an error. */
// Source: R69.
function checkCancelAll(exchange: Exchange, command: CancelOrders): CheckResult<OrderFilter> {
  const locked = lockRefusal(exchange, command.account)
  return locked === null ? pass(command.filter) : refuse(validationStep.accountLocks, locked)
}

/**
 * Rule: order.bulk-cancel. Cancels all matching orders and quotes in the order of creation; the count includes the
 * orders that end with one of them (C12). If the request freezes quotes, the account can place no new quotes for one
 * second.
 */
function commitCancelAll(turn: Turn, command: CancelOrders, filter: OrderFilter): number {
  const { exchange } = turn
  const before = liveOrders(exchange)
  const matching: { readonly slot: number; readonly id: number }[] = []
  visitAccountOrders(exchange, command.account, (slot) => {
    const order = orderAt(exchange, slot)
    if (!allowsCancels(instrumentOf(exchange, slot).state)) return
    if (matches(exchange, order, filter)) matching.push({ slot, id: order.id })
  })
  for (const { slot, id } of matching) {
    if (!isStill(exchange, slot, id)) continue
    const isGone = pullOrder(turn, slot, 'user_request') === 'cancelled'
    assert(isGone !== isStill(exchange, slot, id), 'each order that a bulk cancel ends is gone')
  }
  const cancelled = before - liveOrders(exchange)
  if (command.freezesQuotes) freezeQuotes(turn, command, filter, cancelled)
  return cancelled
}

/** True if a live order matches a filter. */
export function matches(exchange: Exchange, order: LiveOrder, filter: OrderFilter): boolean {
  const row = rowOfInstrument(exchange, order.instrument)
  if (filter.label !== null && order.label !== filter.label) return false
  if (filter.instrument !== null && !isOfInstrument(exchange, row, filter)) return false
  if (filter.kinds !== null && !filter.kinds.includes(row.instrument.kind)) return false
  if (filter.pair !== null && row.instrument.priceIndex !== filter.pair) return false
  if (filter.types !== null && !isOfTypes(order, filter.types)) return false
  if (filter.origin !== null && originOf(order) !== filter.origin) return false
  if (filter.side !== null && order.side !== filter.side) return false
  return isOfCurrencies(row, filter.currencies)
}

/** The filter for orders in a book includes orders on their way to it. */
function isOfTypes(order: LiveOrder, types: NonNullable<OrderFilter['types']>): boolean {
  if (types === 'in_book') return stateOf(order) === 'open'
  return isTriggerType(order.type) && types.includes(order.type)
}

function isOfInstrument(exchange: Exchange, row: InstrumentRow, filter: OrderFilter): boolean {
  if (row.instrument.id === filter.instrument) return true
  const { detail } = row.instrument
  if (!filter.includeCombos || detail.type !== 'combo') return false
  return detail.legs.some(({ instrumentName }) => exchange.instrumentIds.get(instrumentName) === filter.instrument)
}

/** A spot order belongs to its base currency and to its quote currency. */
// Source: R43.
function isOfCurrencies({ instrument, base }: InstrumentRow, currencies: OrderFilter['currencies']): boolean {
  if (currencies === null) return true
  return currencies.some(
    (currency) => instrument.settlementCurrency === currency || (base >= 0 && instrument.baseCurrency === currency),
  )
}

/** True if orders can be cancelled in this state of the book. */
// Source: C22.
export function allowsCancels(state: InstrumentState): boolean {
  return state === 'open' || state === 'locked'
}

function liveOrders(exchange: Exchange): number {
  return exchange.slots.used
}

export const cancelHandlers: Handlers<'cancel_order' | 'cancel_orders'> = {
  cancel_order: seal({ check: checkCancel, commit: commitCancel }),
  cancel_orders: seal({ check: checkCancelAll, commit: commitCancelAll }),
}

/**
 * The freeze of quotes after a bulk cancel.
 *
 * Rule: quotes.freeze. For one second after the cancel, its end excluded, the account can place no new quotes in the
 * currencies of the cancel. Source: trading.md 4.5 (C12), 6.16; sessions-blocks-gateways.md 2.6, 8.2.
 */

/** Refuses new quotes for one second. Events: `standing`. */
export function freezeQuotes(
  turn: Turn,
  command: Pick<CommandHeader, 'account' | 'session'>,
  scope: FreezeScope,
  cancelled: number,
): void {
  const { account, session } = command
  const { quoteFreezes } = accountRow(turn.exchange, account).standing
  const until = micros(turn.exchange.now + FREEZE)
  const currencies = frozenCurrencies(turn.exchange, scope)
  for (const currency of currencies ?? [null]) quoteFreezes.set(currency, until)
  setTimer(turn.exchange.timers, until, { kind: 'quotes_thaw', account })
  emitStanding(turn, {
    protection: 'quote_freeze',
    change: 'on',
    account,
    session,
    until,
    group: currencies === null ? null : currencies.join(','),
    cancelled,
  })
}

/** Ends the freezes whose time has passed. Events: `standing`. */
export function thawQuotes(turn: Turn, account: number): void {
  const owner = accountRow(turn.exchange, account)
  const { quoteFreezes } = owner.standing
  // A later cancel may have extended the freeze of some currencies.
  const over = [...quoteFreezes].filter(([, until]) => until <= turn.exchange.now)
  if (over.length === 0) return
  for (const [currency] of over) quoteFreezes.delete(currency)
  const currencies = over.flatMap(([currency]) => (currency === null ? [] : [currency]))
  emitStanding(turn, {
    protection: 'quote_freeze',
    change: 'off',
    account: owner.account.id,
    group: currencies.length === 0 ? null : currencies.join(','),
  })
}

/** The currencies of a scope; null for all. */
function frozenCurrencies(exchange: Exchange, scope: FreezeScope): readonly Currency[] | null {
  if (scope.currencies !== null) return scope.currencies
  if (scope.instrument === null && scope.pair === null) return null
  const found = new Set<Currency>()
  for (const { instrument } of exchange.instruments) {
    const isNamed = instrument.id === scope.instrument || instrument.priceIndex === scope.pair
    if (isNamed) found.add(instrument.settlementCurrency)
  }
  return [...found]
}
