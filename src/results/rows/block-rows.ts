/**
 * Rows of `blocks`: one for each leg of a change of a block trade.
 */

import { instrumentId } from '../../core/index.ts'
import type { EventOf } from '../../model/index.ts'
import { accountOrNull, type Cells, headOf, instrumentSize, orNone } from './cells.ts'
import { type AmountSteps, wireIdOf } from './trading-rows.ts'

/** The legs of a block trade that changed. */
export function blockCells(source: EventOf<'block_trade'>, steps: AmountSteps): readonly Cells<'blocks'>[] {
  return source.legs.map((leg, at) => ({
    change: source.change,
    reason: source.reason,
    account_id: source.account,
    role: source.role,
    counter_account_id: accountOrNull(source.counterparty),
    timestamp: source.timestamp,
    nonce: source.nonce,
    block: orNone(source.block),
    leg: at + 1,
    instrument_id: wireIdOf(leg.instrument),
    direction: leg.side,
    amount: instrumentSize(steps, leg.instrument, leg.amount),
    price: leg.price,
    combo_id: source.combo === -1 ? null : wireIdOf(instrumentId(source.combo)),
    ...headOf(source),
  }))
}

/** Rows of `rfqs` and `rfq_quotes`: one row for each leg at the start, and one row for each later change. */

/** A Block RFQ that changed. */
export function rfqCells(source: EventOf<'block_rfq'>): readonly Cells<'rfqs'>[] {
  const row: Cells<'rfqs'> = {
    change: source.change,
    reason: source.reason,
    block_rfq_id: source.rfq,
    account_id: source.account,
    state: source.state,
    amount: source.amount9,
    expiration: source.expiresAt,
    bid: source.bid9,
    ask: source.ask9,
    direction: source.side,
    price: source.price9,
    makers: orNone(source.makers),
    ...headOf(source),
  }
  if (source.change !== 'created') return [row]
  return source.legs.map((leg, at) => ({ ...row, ...legCells(leg, at) }))
}

/** A quote that changed. */
export function rfqQuoteCells(source: EventOf<'block_rfq_quote'>): readonly Cells<'rfq_quotes'>[] {
  const row: Cells<'rfq_quotes'> = {
    change: source.change,
    reason: source.reason,
    block_rfq_quote_id: source.quote,
    block_rfq_id: source.rfq,
    account_id: source.account,
    direction: source.side,
    execution_instruction: source.allOrNone ? 'all_or_none' : 'any_part_of',
    amount: source.amount9,
    filled_amount: source.filled9,
    price: source.price9,
    expiration: source.expiresAt,
    label: source.label,
    block: orNone(source.block),
    ...headOf(source),
  }
  if (source.change !== 'added' && source.change !== 'replaced') return [row]
  return source.legs.map((leg, at) => ({ leg_price: leg.price, ...row, ...legCells(leg, at) }))
}

function legCells(
  { instrument, side, ratio }: EventOf<'block_rfq'>['legs'][number],
  at: number,
): Pick<Cells<'rfqs'>, 'leg' | 'instrument_id' | 'leg_direction' | 'ratio'> {
  return { leg: at + 1, instrument_id: wireIdOf(instrument), leg_direction: side, ratio }
}
