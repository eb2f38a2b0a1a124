/**
 * public/get_mark_price_history. Source: market.md 8.
 */
import { micros, price9, z } from '../../../../core/index.ts'
import { findInstrument } from '../../../../engine/index.ts'
import { countUntil } from '../../../history/index.ts'
import { priceOut, timeOut } from '../../../wire/index.ts'
import { defineMethod, queryOf } from '../../method.ts'
import { earlier, instrumentName, readTime, spanFault, timeSpan, unknownInstrument } from '../../params.ts'
import { marketOf } from '../ticker.ts'

/** Changes of the mark price between two times, both inclusive: time and mark price, oldest first. */
const getMarkPriceHistory = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    instrument_name: instrumentName,
    ...timeSpan,
  }),
  read: (context, params) => {
    const listed = findInstrument(context.exchange, params.instrument_name) !== undefined
    return queryOf(earlier(spanFault(params), listed ? null : unknownInstrument))
  },
  reply: (context, params): readonly (readonly [number, number])[] => {
    const { instrument } = marketOf(context, params.instrument_name)
    const series = context.history.marks.get(instrument.id)
    if (series === undefined) return []
    const first = countUntil(series.times, readTime(params.start_timestamp) - 1)
    // The last microsecond of the end millisecond is included.
    const last = countUntil(series.times, readTime(params.end_timestamp) + 999)
    return series.times.slice(first, last).map((time, at) => {
      const mark = series.values[first + at] ?? 0
      return [timeOut(micros(time)), priceOut(price9(mark))] as const
    })
  },
})

/** Methods by their names; a part of the table. */
export const markHistoryMethods = {
  'public/get_mark_price_history': getMarkPriceHistory,
} as const
