/**
 * Which trades a query takes: bounds of time, sequence and id (inclusive, all must hold), sorting,
 * count. Ids are compared within the counter of their settlement currency (R08): beyond a bound of
 * another counter no trade is in range.
 *
 * Records are in the order of their events, with which the ids of each counter rise. `asc` takes the
 * first in range and lists them rising, `desc` the last and lists them falling. `default` is storage order: rising from the start when a start is given, otherwise
 * the newest, newest first. Source: coverage R35, R38; trading.md C15.
 */
import { millisOf, type TradeId } from '../../core/index.ts'
import { currencyOfId, type Fault, type TapeTrade } from '../../model/index.ts'
import { type Truncation, truncation, whole } from '../history/index.ts'
import { tradeIdIn } from '../wire/index.ts'
import { paramFault } from './params.ts'

/** The bounds of a query as its parameters give them. */
export interface TradeRange {
  readonly start_seq?: number | undefined
  readonly end_seq?: number | undefined
  readonly start_id?: string | undefined
  readonly end_id?: string | undefined
  readonly start_timestamp?: number | undefined
  readonly end_timestamp?: number | undefined
  readonly count: number
  readonly sorting: 'asc' | 'desc' | 'default'
}

/** A start after its end is a mistake, and so is an id that is none. */
export function tradeRangeFault(range: Omit<TradeRange, 'count' | 'sorting'>): Fault | null {
  for (const name of ['start_id', 'end_id'] as const) {
    const id = range[name]
    if (id !== undefined && tradeIdIn(id) === undefined) return paramFault(name, 'invalid')
  }
  const { seqs, ids, millis } = boundsOf(range)
  if (seqs.from > seqs.to) return paramFault('start_seq', 'start_after_end')
  if (isReversed(ids)) return paramFault('start_id', 'start_after_end')
  if (millis.from > millis.to) return paramFault('start_timestamp', 'start_after_end')
  return null
}

/** The records in range, sorted and counted; `hasMore` says that more match. Looks no further than that. */
export function selectTrades<T>(
  records: readonly T[],
  tradeOf: (record: T) => TapeTrade,
  range: TradeRange,
): { readonly selected: readonly T[]; readonly hasMore: boolean } {
  const bounds = boundsOf(range)
  const { start_timestamp, start_seq, start_id } = range
  const started = (start_timestamp ?? start_seq ?? start_id) !== undefined
  const rising = range.sorting === 'asc' || (range.sorting === 'default' && started)
  const selected: T[] = []
  for (let step = 0; step < records.length; step += 1) {
    const record = records[rising ? step : records.length - 1 - step] as T
    if (!isInRange(tradeOf(record), bounds)) continue
    if (selected.length === range.count) return { selected, hasMore: true }
    selected.push(record)
  }
  return { selected, hasMore: false }
}

/**
 * The note of a page whose list has lost its oldest trades. A range by sequence is told the first sequence that is
 * kept where the list has one instrument, any other the time.
 */
export function tradesTruncation(
  first: TapeTrade | undefined,
  range: Omit<TradeRange, 'count' | 'sorting'>,
): Truncation {
  const { start_seq, end_seq, start_timestamp } = range
  if (first === undefined) return whole
  if (start_seq !== undefined && start_seq >= first.tradeSeq) return whole
  const timed = truncation(first, start_timestamp)
  if (timed === whole || (start_seq ?? end_seq) === undefined) return timed
  return { truncated_before: first.tradeSeq }
}

interface Bounds {
  readonly seqs: Bound
  readonly ids: IdBound
  readonly millis: Bound
}

interface IdBound {
  readonly from: TradeId | undefined
  readonly to: TradeId | undefined
}

interface Bound {
  readonly from: number
  readonly to: number
}

function boundsOf(range: Omit<TradeRange, 'count' | 'sorting'>): Bounds {
  const tradeOf = (id: string | undefined): TradeId | undefined => (id === undefined ? undefined : tradeIdIn(id))
  const bound = (from: number | undefined, to: number | undefined): Bound => ({
    from: from ?? Number.NEGATIVE_INFINITY,
    to: to ?? Number.POSITIVE_INFINITY,
  })
  return {
    seqs: bound(range.start_seq, range.end_seq),
    ids: { from: tradeOf(range.start_id), to: tradeOf(range.end_id) },
    millis: bound(range.start_timestamp, range.end_timestamp),
  }
}

function isInRange(trade: TapeTrade, { seqs, ids, millis }: Bounds): boolean {
  return (
    isWithin(trade.tradeSeq, seqs) &&
    isWithin(millisOf(trade.time), millis) &&
    (ids.from === undefined || isAtMost(ids.from, trade.trade)) &&
    (ids.to === undefined || isAtMost(trade.trade, ids.to))
  )
}

/** Ids of two counters have no order, and are no mistake. */
function isReversed({ from, to }: IdBound): boolean {
  return from !== undefined && to !== undefined && from !== to && isAtMost(to, from)
}

/** True if two trades are of one counter, the first not after the second. */
function isAtMost(first: TradeId, second: TradeId): boolean {
  return currencyOfId(first) === currencyOfId(second) && first <= second
}

function isWithin(value: number, { from, to }: Bound): boolean {
  return value >= from && value <= to
}
