/**
 * The trades that a query selects: inclusive bounds of time, sequence and id, which must all hold, with sorting and
 * count. Ids are compared within the counter of their settlement currency (R08): a bound of another counter excludes
 * all trades.
 *
 * Records are in the order of their events, and the ids of each counter rise in that order. `asc` takes the first
 * trades in range and lists them in rising order, `desc` the last ones in falling order. `default` is storage order:
 * rising from the start if a start is given, otherwise the newest trades, newest first. Source: coverage R35, R38;
 * trading.md C15.
 */
import { millisOf, type TradeId } from '../../core/index.ts'
import { currencyOfId, type Fault, type TapeTrade } from '../../model/index.ts'
import { type Truncation, truncation, whole } from '../history/index.ts'
import { tradeIdIn } from '../wire/index.ts'
import { paramFault } from './params.ts'

/** The bounds of a query as its parameters state them. */
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

/** The fault of a start after its end, or of an invalid id. */
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

/**
 * The records in range, sorted and limited to the count; `hasMore` is true if more records match. The scan stops after
 * finding this out.
 */
export function selectTrades<T>(
  records: readonly T[],
  tradeOf: (record: T) => TapeTrade,
  range: TradeRange,
): { readonly selected: readonly T[]; readonly hasMore: boolean } {
  const bounds = boundsOf(range)
  const started = (range.start_timestamp ?? range.start_seq ?? range.start_id) !== undefined
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
 * The note of a page whose list has lost its oldest trades. For a range by sequence in a list of one instrument, it has
 * the first stored sequence; otherwise the time.
 */
export function tradesTruncation(
  first: TapeTrade | undefined,
  range: Omit<TradeRange, 'count' | 'sorting'>,
): Truncation {
  if (first === undefined) return whole
  if (range.start_seq !== undefined && range.start_seq >= first.tradeSeq) return whole
  const timed = truncation(first, range.start_timestamp)
  if (timed === whole || (range.start_seq ?? range.end_seq) === undefined) return timed
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

/** True if the end comes before the start. Ids of two counters have no order, so they are no mistake. */
function isReversed({ from, to }: IdBound): boolean {
  return from !== undefined && to !== undefined && from !== to && isAtMost(to, from)
}

/** True if two trade ids belong to one counter and the first is not after the second. */
function isAtMost(first: TradeId, second: TradeId): boolean {
  return currencyOfId(first) === currencyOfId(second) && first <= second
}

function isWithin(value: number, { from, to }: Bound): boolean {
  return value >= from && value <= to
}
