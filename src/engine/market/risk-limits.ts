/**
 * Limits that a portfolio's owner and the venue set for the alternative engine: the size of one order, and the position
 * including all open orders on its side.
 *
 * Rule: risk.enforcement. Assumed: the position counts all instruments of an index and kind (futures with perpetuals,
 * or options), long and short separately, in the unit of the amount; combos are not counted.
 * Source: sessions-blocks-gateways.md 8.7 (27, 28), 8.15; coverage R58; S249, S250.
 */
import { remainingOf } from '../../book/index.ts'
import { divNearest } from '../../core/index.ts'
import { sizeOf } from '../../ledger/index.ts'
import type { Refusal, RiskLimits, Side } from '../../model/index.ts'
import {
  accountRow,
  type Exchange,
  type InstrumentRow,
  instrumentOf,
  orderAt,
  stateOf,
  visitAccountOrders,
} from '../state/index.ts'

/** An order that is about to be admitted or resized. */
interface LimitedOrder {
  readonly row: InstrumentRow
  readonly account: number
  readonly side: Side
  /** Size that it would leave open. */
  readonly lots: number
  /** The slot of the order that it changes; otherwise -1. */
  readonly from: number
}

/** The limits of a portfolio on an index: its own if they are set, otherwise those of the pair (R58). */
export function riskLimitsOf(exchange: Exchange, account: number, index: string): RiskLimits {
  const own = accountRow(exchange, account).standing.riskLimits.get(index)
  const pair = exchange.venue.riskLimits.get(index)
  return {
    futurePosition9: own?.futurePosition9 ?? pair?.futurePosition9 ?? null,
    optionPosition9: own?.optionPosition9 ?? pair?.optionPosition9 ?? null,
    futureOrder9: own?.futureOrder9 ?? pair?.futureOrder9 ?? null,
    optionOrder9: own?.optionOrder9 ?? pair?.optionOrder9 ?? null,
  }
}

/** The reason why an order, or the position that it leads to, is larger than its portfolio may have, or null. */
export function riskRefusal(exchange: Exchange, order: LimitedOrder): Refusal | null {
  const { engine, kind, priceIndex, amountStep9 } = order.row.instrument
  if (engine !== 'alt' || (kind !== 'future' && kind !== 'option')) return null
  const { riskLimits } = accountRow(exchange, order.account).standing
  if (!exchange.venue.riskLimits.has(priceIndex) && !riskLimits.has(priceIndex)) return null
  const limits = riskLimitsOf(exchange, order.account, priceIndex)
  const isFuture = kind === 'future'
  const size9 = isFuture ? limits.futureOrder9 : limits.optionOrder9
  if (isLimit(size9) && order.lots * amountStep9 > size9) {
    const reason = isFuture ? 'pme_max_future_open_orders_size' : 'pme_max_option_open_orders_size'
    return { reason, limit: wholeOf(size9) }
  }
  const position9 = isFuture ? limits.futurePosition9 : limits.optionPosition9
  if (!isLimit(position9) || reachOf(exchange, order) <= position9) return null
  const reason = isFuture ? 'non_pme_max_future_position_size' : 'non_pme_total_short_options_positions_size'
  return { reason, limit: wholeOf(position9) }
}

function isLimit(limit9: number | null): limit9 is number {
  return limit9 !== null && limit9 >= 0
}

/**
 * The net position on the order's side if all open orders on that side were filled, in 1e-9 of the amount unit. An
 * order that is changed counts only with its new size.
 */
function reachOf(exchange: Exchange, { row, account, side, lots, from }: LimitedOrder): number {
  const { kind, priceIndex } = row.instrument
  const isMeant = ({ instrument }: InstrumentRow): boolean =>
    instrument.kind === kind && instrument.priceIndex === priceIndex
  let reach9 = lots * row.instrument.amountStep9
  for (const holding of exchange.holdings) {
    if (holding.account !== account || !isMeant(holding.row)) continue
    const size9 = sizeOf(exchange.ledger, holding.holding) * holding.row.instrument.amountStep9
    reach9 += side === 'buy' ? size9 : -size9
  }
  visitAccountOrders(exchange, account, (slot) => {
    const order = orderAt(exchange, slot)
    if (slot === from || order.side !== side || stateOf(order) !== 'open') return
    const of = instrumentOf(exchange, slot)
    if (isMeant(of)) reach9 += remainingOf(exchange.slots, slot) * of.instrument.amountStep9
  })
  return reach9
}

/** A limit in whole units, as refusals show it. */
function wholeOf(limit9: number): number {
  return divNearest(limit9, 1_000_000_000)
}
