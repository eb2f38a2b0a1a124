/**
 * public/get_tradingview_chart_data: bars of trades, aligned to the epoch. A bar without trades repeats the previous
 * close; the chart has no bars before the first trade. Source: market.md 8 (T105).
 */
import { micros, modFloor, type Price9, z } from '../../../../core/index.ts'
import { findInstrument, timeOf } from '../../../../engine/index.ts'
import type { Instrument } from '../../../../model/index.ts'
import { type Candle, rowsOf } from '../../../history/index.ts'
import { priceOut, timeOut } from '../../../wire/index.ts'
import { defineMethod, queryOf, type ReplyContext } from '../../method.ts'
import { earlier, instrumentName, readTime, spanFault, timeSpan, unknownInstrument } from '../../params.ts'
import { volumesOf } from '../statistics.ts'
import { marketOf } from '../ticker.ts'

const MICROS_PER_MINUTE = 60_000_000
const DAY_MINUTES = 1440
/** Largest number of bars in a reply, which then has the newest bars. */
const BARS_MAX = 5000

const resolutions = ['1', '3', '5', '10', '15', '30', '60', '120', '180', '360', '720', '1D'] as const

/** Bars as lists of equal length. */
export interface WireChart {
  readonly status: 'ok' | 'no_data'
  /** The first millisecond of each bar. */
  readonly ticks: number[]
  readonly open: number[]
  readonly high: number[]
  readonly low: number[]
  readonly close: number[]
  /** Volume in base coin. */
  readonly volume: number[]
  /** Volume in quote units; in USD for inverse contracts. */
  readonly cost: number[]
}

/** Bars that begin or are open between two times. */
const getTradingviewChartData = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    instrument_name: instrumentName,
    ...timeSpan,
    resolution: z.enum(resolutions).describe('minutes of a candle, or 1D'),
  }),
  read: (context, params) => {
    const listed = findInstrument(context.exchange, params.instrument_name) !== undefined
    return queryOf(earlier(spanFault(params.start_timestamp, params.end_timestamp), listed ? null : unknownInstrument))
  },
  reply: (context, params): WireChart => {
    const { instrument } = marketOf(context, params.instrument_name)
    const minutes = params.resolution === '1D' ? DAY_MINUTES : Number(params.resolution)
    const width = minutes * MICROS_PER_MINUTE
    const end = Math.min(readTime(params.end_timestamp), timeOf(context.exchange))
    const last = end - modFloor(end, width)
    const start = readTime(params.start_timestamp)
    const first = Math.max(start - modFloor(start, width), last - (BARS_MAX - 1) * width)
    const candles = rowsOf(context.history.candles, instrument.id)
    return chartOf(instrument, candles, first, last, width)
  },
})

/** One bar in a notification. */
export interface WireBar {
  /** The first millisecond of the bar. */
  readonly tick: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  /** Volume in base coin. */
  readonly volume: number
  /** Volume in quote units; in USD for inverse contracts. */
  readonly cost: number
}

/**
 * The width of the bars of a resolution in microseconds, or undefined for an unknown resolution. Channels have two more
 * names of resolutions.
 */
export function chartWidth(resolution: string): number | undefined {
  if (resolution === '1D' || resolution === 'D') return DAY_MINUTES * MICROS_PER_MINUTE
  const isKnown = resolution === '240' || resolutions.some((each) => each === resolution)
  return isKnown ? Number(resolution) * MICROS_PER_MINUTE : undefined
}

/** The current bar of an instrument at a time; undefined before the first trade. */
export function barNow(
  context: ReplyContext,
  instrument: Instrument,
  { at, width }: { readonly at: number; readonly width: number },
): WireBar | undefined {
  const start = at - modFloor(at, width)
  const candles = rowsOf(context.history.candles, instrument.id)
  const chart = chartOf(instrument, candles, start, start, width)
  const [tick] = chart.ticks
  if (tick === undefined) return undefined
  const [open = 0] = chart.open
  const [high = 0] = chart.high
  const [low = 0] = chart.low
  const [close = 0] = chart.close
  const [volume = 0] = chart.volume
  const [cost = 0] = chart.cost
  return { tick, open, high, low, close, volume, cost }
}

interface Bar {
  open: Price9
  high: Price9
  low: Price9
  close: Price9
  lots: number
  basis: bigint
}

function chartOf(
  instrument: Instrument,
  candles: readonly Candle[],
  first: number,
  last: number,
  width: number,
): WireChart {
  const chart: WireChart = {
    status: 'no_data',
    ticks: [],
    open: [],
    high: [],
    low: [],
    close: [],
    volume: [],
    cost: [],
  }
  let next = candles.findIndex(({ start }) => start >= first)
  if (next < 0) next = candles.length
  let close = candles[next - 1]?.close
  for (let start = first; start <= last; start += width) {
    let bar: Bar | undefined
    for (let candle = candles[next]; candle !== undefined; candle = candles[next]) {
      if (candle.start >= start + width) break
      bar = joined(bar, candle)
      next += 1
    }
    close = bar?.close ?? close
    if (close === undefined) continue
    const flat = { open: close, high: close, low: close, close, lots: 0, basis: 0n }
    addBar(chart, instrument, start, bar ?? flat)
  }
  return chart.ticks.length === 0 ? chart : { ...chart, status: 'ok' }
}

function joined(bar: Bar | undefined, candle: Candle): Bar {
  if (bar === undefined) {
    return {
      open: candle.open,
      high: candle.high,
      low: candle.low,
      close: candle.close,
      lots: candle.lots,
      basis: candle.basis,
    }
  }
  if (candle.high > bar.high) bar.high = candle.high
  if (candle.low < bar.low) bar.low = candle.low
  bar.close = candle.close
  bar.lots += candle.lots
  bar.basis += candle.basis
  return bar
}

function addBar(chart: WireChart, instrument: Instrument, start: number, bar: Bar): void {
  const volumes = volumesOf(instrument, bar)
  chart.ticks.push(timeOut(micros(start)))
  chart.open.push(priceOut(bar.open))
  chart.high.push(priceOut(bar.high))
  chart.low.push(priceOut(bar.low))
  chart.close.push(priceOut(bar.close))
  chart.volume.push(volumes.coin)
  chart.cost.push(volumes.quote)
}

/** Methods by their names; a part of the table. */
export const chartMethods = {
  'public/get_tradingview_chart_data': getTradingviewChartData,
} as const
