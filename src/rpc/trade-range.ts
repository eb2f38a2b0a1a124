/**
 * Which trades a query takes: bounds of time and sequence (inclusive, all must hold), sorting, count.
 *
 * `asc` takes the lowest trade numbers in range and lists them rising, `desc` the highest and lists
 * them falling. `default` is storage order: rising from the start when a start is given, otherwise
 * the newest, newest first. Source: coverage R35, R38; trading.md C15.
 */
import { millisOf } from '../core/index.ts'
import type { Fault, Trade } from '../model/index.ts'
import { paramFault } from './params.ts'

/** The bounds of a query as its parameters give them. */
export interface TradeRange {
  readonly start_seq?: number | undefined
  readonly end_seq?: number | undefined
  readonly start_timestamp?: number | undefined
  readonly end_timestamp?: number | undefined
  readonly count: number
  readonly sorting: 'asc' | 'desc' | 'default'
}

/** A start after its end is a mistake. */
export function tradeRangeFault(range: Omit<TradeRange, 'count' | 'sorting'>): Fault | null {
  const { start_seq, end_seq, start_timestamp, end_timestamp } = range
  if (start_seq !== undefined && end_seq !== undefined && start_seq > end_seq) {
    return paramFault('start_seq', 'start_after_end')
  }
  if (
    start_timestamp !== undefined &&
    end_timestamp !== undefined &&
    start_timestamp > end_timestamp
  ) {
    return paramFault('start_timestamp', 'start_after_end')
  }
  return null
}

/** The records in range, sorted and counted; `hasMore` says that more match. */
export function selectTrades<T>(
  records: readonly T[],
  tradeOf: (record: T) => Trade,
  range: TradeRange,
): { readonly selected: readonly T[]; readonly hasMore: boolean } {
  const matching = records.filter((record) => isInRange(tradeOf(record), range))
  const started = range.start_timestamp !== undefined || range.start_seq !== undefined
  const rising = range.sorting === 'asc' || (range.sorting === 'default' && started)
  const ordered = rising ? matching : matching.toReversed()
  return { selected: ordered.slice(0, range.count), hasMore: matching.length > range.count }
}

function isInRange(trade: Trade, range: TradeRange): boolean {
  const millis = millisOf(trade.time)
  return (
    trade.tradeSeq >= (range.start_seq ?? 0) &&
    trade.tradeSeq <= (range.end_seq ?? Number.POSITIVE_INFINITY) &&
    millis >= (range.start_timestamp ?? 0) &&
    millis <= (range.end_timestamp ?? Number.POSITIVE_INFINITY)
  )
}
