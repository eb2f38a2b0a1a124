/** Rows of `rejects`: refused requests, with the limit or the parameter that caused the refusal. */
import type { EventOf, Refusal } from '../../model/index.ts'
import { accountOrNull, type Cells, headOf } from './cells.ts'
import { wireIdOf } from './trading-rows.ts'

/** A refused request. */
export function rejectCells(source: EventOf<'refusal'>): Cells<'rejects'> {
  const { refusal, instrument } = source
  const limit = 'limit' in refusal ? refusal.limit : null
  const isBand = refusal.reason === 'price_too_high' || refusal.reason === 'price_too_low'
  return {
    ...headOf(source),
    command: source.command,
    account_id: accountOrNull(source.account),
    instrument_id: instrument === -1 ? null : wireIdOf(instrument),
    reason: refusal.reason,
    limit_price: isBand ? limit : null,
    limit_count: isBand ? null : limit,
    param: 'param' in refusal ? refusal.param : null,
    detail: detailOf(refusal),
  }
}

function detailOf(refusal: Refusal): string | null {
  if ('problem' in refusal) return refusal.problem
  return 'currency' in refusal ? refusal.currency : null
}
