/**
 * Rows of `blocks`: one for each leg of a change of a block trade.
 */
import { instrumentId } from '../../core/index.ts'
import type { EventOf } from '../../model/index.ts'
import { accountOrNull, type Cells, headOf, instrumentSize, orNone } from './cells.ts'
import { type AmountSteps, wireIdOf } from './trading-rows.ts'

/** The legs of a block trade that changed. */
export function blockCells(source: EventOf<'block_trade'>, steps: AmountSteps): readonly Cells<'blocks'>[] {
  const { combo } = source
  return source.legs.map((leg, at) => ({
    ...headOf(source),
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
    combo_id: combo === -1 ? null : wireIdOf(instrumentId(combo)),
  }))
}
