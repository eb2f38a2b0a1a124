/**
 * Cancelling quotes: the quotes of an account that match a filter, in the order of their creation.
 *
 * Rule: quotes.cancel. JSON-RPC and direct access each cancel only quotes that were placed over them. A range of delta
 * selects only options and their combos whose present model delta has a size within the range, ends included (C35).
 * Source: trading.md 6.16 (C35), C12; sessions-blocks-gateways.md 8.11.
 */
import { assert } from '../../core/index.ts'
import { type CancelQuotes, type QuoteFilter, validationStep } from '../../model/index.ts'
import { disconnectRefusal, isStill, lockRefusal, pullOrder } from '../market/index.ts'
import {
  type CheckResult,
  type Exchange,
  type InstrumentRow,
  instrumentOf,
  isDirect,
  isOpenQuote,
  type LiveOrder,
  orderAt,
  pass,
  refuse,
  type Turn,
  visitAccountOrders,
} from '../state/index.ts'
import { deltaOf9 } from '../value/index.ts'
import { allowsCancels, freezeQuotes } from './cancel.ts'
import { type Handlers, seal } from './handler.ts'

/** A cancel that selects no quote is not an error. It needs the same kind of session as quoting. */
function checkCancelQuotes(exchange: Exchange, command: CancelQuotes): CheckResult<null> {
  const barred = lockRefusal(exchange, command.account) ?? disconnectRefusal(exchange, command.session)
  return barred === null ? pass(null) : refuse(validationStep.accountLocks, barred)
}

/** Cancels the selected quotes; returns their number. */
function commitCancelQuotes(turn: Turn, command: CancelQuotes): number {
  const { exchange } = turn
  const before = exchange.slots.used
  const isDirectly = isDirect(exchange, command.session)
  const meant: { readonly slot: number; readonly id: number }[] = []
  visitAccountOrders(exchange, command.account, (slot) => {
    const order = orderAt(exchange, slot)
    if (!isOpenQuote(exchange, order)) return
    if ((order.extras?.direct != null) !== isDirectly) return
    const row = instrumentOf(exchange, slot)
    if (allowsCancels(row.state) && isMeant(exchange, row, order, command.filter)) {
      meant.push({ slot, id: order.id })
    }
  })
  for (const { slot, id } of meant) {
    if (!isStill(exchange, slot, id)) continue
    const isGone = pullOrder(turn, slot, 'user_request') === 'cancelled'
    assert(isGone !== isStill(exchange, slot, id), 'each cancelled quote is gone')
  }
  const cancelled = before - exchange.slots.used
  if (command.freeze) freezeQuotes(turn, command, command.filter, cancelled)
  return cancelled
}

function isMeant(exchange: Exchange, row: InstrumentRow, order: LiveOrder, filter: QuoteFilter): boolean {
  if (filter.group !== null && order.extras?.mmp?.group !== filter.group) return false
  if (filter.side !== null && order.side !== filter.side) return false
  if (filter.quoteSetId !== null && order.extras?.quote?.quoteSetId !== filter.quoteSetId) return false
  if (filter.instrument !== null && row.instrument.id !== filter.instrument) return false
  if (filter.kinds !== null && !filter.kinds.includes(row.instrument.kind)) return false
  if (filter.currencies !== null && !filter.currencies.includes(row.instrument.settlementCurrency)) return false
  if (filter.pair !== null && row.instrument.priceIndex !== filter.pair) return false
  return filter.delta === null || isWithin(deltaOf9(exchange, row), filter.delta.min9, filter.delta.max9)
}

function isWithin(delta9: number | null, min9: number, max9: number): boolean {
  if (delta9 === null) return false
  const size = Math.abs(delta9)
  return size >= min9 && size <= max9
}

export const cancelQuotesHandlers: Handlers<'cancel_quotes'> = {
  cancel_quotes: seal({ check: checkCancelQuotes, commit: commitCancelQuotes }),
}
