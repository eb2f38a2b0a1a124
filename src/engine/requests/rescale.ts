/**
 * Changes the steps of prices and sizes of an instrument that trades. Orders that no longer fit are cancelled.
 *
 * The engine checks orders in the book, behind the speed bump, on their way, and those that wait for a price or a fill:
 * their price, the price of their trigger, their size, their remaining size, and the visible size of an iceberg. Prices
 * that the engine computes, for advanced orders and trailing stops, are on the new grid when the engine next computes
 * them.
 *
 * Assumed: a position whose size is between two steps stays, and can be closed as far as the steps allow. A recorded
 * book keeps the prices and sizes of its feed, so a partial fill may leave an order off the step.
 *
 * Events: those of the orders, then `standing` with the new terms of the instrument. The table of instruments contains
 * the steps at listing.
 *
 * Rule: order.rescale. Source: sessions-blocks-gateways.md 8.7 (cancel reason 17 of the gateway).
 */
import { priceOf, remainingOf } from '../../book/index.ts'
import { price9, ticks } from '../../core/index.ts'
import {
  entryTypeOf,
  type InstrumentSpec,
  isOnGrid,
  isOnStep,
  type RescaleInstrument,
  rescaled,
  sizeReason,
  ticksOfPrice9,
  validationStep,
} from '../../model/index.ts'
import { endOrdersThat } from '../day/index.ts'
import {
  type CheckResult,
  type Exchange,
  emitStanding,
  type InstrumentRow,
  type LiveOrder,
  pass,
  refuse,
  rowOfInstrument,
  setSteps,
  type Turn,
} from '../state/index.ts'
import { badParam, type Handlers, seal } from './handler.ts'

/** The instrument must be listed and not delivered, and the steps must be valid for it. */
function checkRescale(exchange: Exchange, command: RescaleInstrument): CheckResult<InstrumentSpec> {
  const row = exchange.instruments[command.instrument]
  if (row === undefined) return refuse(validationStep.instrument, { reason: 'not_found' })
  if (row.deliveredAt !== null) {
    return badParam('instrument_name', 'the instrument is delivered')
  }
  const changed = rescaled(row.instrument, command)
  if (changed.ok) return pass(changed.value)
  const { field, expected } = changed.error
  return badParam(field, `expected ${expected}`)
}

/** Applies the steps and cancels orders that do not fit. */
function commitRescale(turn: Turn, command: RescaleInstrument, changed: InstrumentSpec): number {
  const row = rowOfInstrument(turn.exchange, command.instrument)
  setSteps(row, changed)
  const cancelled = endOrdersThat(turn, row, (order, slot) => !fits(turn.exchange, row, order, slot), 'rescale')
  const group = changed.name
  const acted = { protection: 'rescale', change: 'acted', account: -1 } as const
  emitStanding(turn, { ...acted, group, cancelled, instrument: row.instrument })
  return cancelled
}

/** True if an order fits the present steps of the instrument. */
function fits(exchange: Exchange, { instrument }: InstrumentRow, order: LiveOrder, slot: number): boolean {
  const sizes = [order.amount, remainingOf(exchange.slots, slot), order.display]
  if (sizeReason(instrument, order.amount) !== null) return false
  if (sizes.some((size) => !isOnStep(instrument, size))) return false
  if (order.trigger !== null && order.trigger.waiting.offset === 0) {
    const firesAt = ticksOfPrice9(instrument, price9(order.trigger.waiting.price))
    if (firesAt === undefined || !isOnGrid(instrument, firesAt)) return false
  }
  if (!hasPrice(order) || order.advanced !== null) return true
  return isOnGrid(instrument, ticks(priceOf(exchange.slots, slot)))
}

/** True if an order has a limit price, by its type or because it is in its book. */
function hasPrice({ type, stage }: LiveOrder): boolean {
  return entryTypeOf(type) === 'limit' || stage === 'resting' || stage === 'emptied'
}

export const rescaleHandlers: Handlers<'rescale_instrument'> = {
  rescale_instrument: seal({ check: checkRescale, commit: commitRescale }),
}
