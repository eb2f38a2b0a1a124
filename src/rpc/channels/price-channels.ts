/**
 * Tickers, best prices, indices and marks as channels.
 *
 * Source: sessions document 3.4, 3.6.
 */

import { divFloor, modFloor, price9 } from '../../core/index.ts'
import {
  allIndices,
  allInstruments,
  changeIdOf,
  findInstrument,
  isIndexOut,
  timeOf,
  viewIndex,
  viewMarket,
  viewOptionMark,
} from '../../engine/index.ts'
import type { Instrument } from '../../model/index.ts'
import { volatilityNow } from '../history/index.ts'
import { interestValue, percentChange, tickerOut, volatilityOut } from '../methods/index.ts'
import { amountOut, percentOut, priceOut, timeOut, type WireTicker } from '../wire/index.ts'
import { type Channel, type ChannelWorld, type Interval, type ViewSource, viewChannel } from './channel.ts'

/** A message of `quote.{instrument}`; prices and amounts are 0 for an empty side. */
export interface WireQuote {
  readonly instrument_name: string
  readonly timestamp: number
  readonly best_bid_price: number
  readonly best_bid_amount: number
  readonly best_ask_price: number
  readonly best_ask_amount: number
}

/** A message of `deribit_price_index.{index}`. */
export interface WireIndex {
  readonly index_name: string
  readonly price: number
  readonly timestamp: number
}

/** A message of `perpetual.{instrument}.{interval}`. */
export interface WirePerpetual {
  readonly interest: number
  readonly index_price: number
  readonly timestamp: number
}

/** A message of `estimated_expiration_price.{index}`. */
export interface WireEstimatedPrice {
  /** Seconds to the next 08:00 UTC. */
  readonly seconds: number
  readonly price: number
  /** True if it is an average so far, as in the half hour before a delivery. */
  readonly is_estimated: boolean
}

/** A message of `deribit_volatility_index.{index}`. */
export interface WireVolatility {
  readonly index_name: string
  readonly timestamp: number
  /** Percent a year. */
  readonly volatility: number
}

/** An entry of `markprice.options.{index}`. */
export interface WireOptionMark {
  readonly instrument_name: string
  readonly mark_price: number
  /** Percent. */
  readonly iv: number
  readonly timestamp: number
}

/** A whole ticker of `incremental_ticker.{instrument}`. */
export interface WireTickerSnapshot extends WireTicker {
  readonly type: 'snapshot'
}

/**
 * A message of `incremental_ticker.{instrument}`: the whole ticker as the first message and after the ticker lost a
 * field, otherwise the fields that changed.
 */
type WireTickerChange = WireTickerSnapshot | (Partial<WireTicker> & { readonly type: 'change' })

/** The ticker of an instrument, whole at each change. */
export function tickerChannel(world: ChannelWorld, instrument: Instrument, interval: Interval): Channel<WireTicker> {
  return viewChannel({
    ...aboutMarket(world, instrument, interval),
    look: () => tickerNow(world, instrument),
  })
}

/**
 * The ticker of an instrument; after the first message only the fields that changed. Assumed: a message of changes
 * cannot remove a field, so a ticker that loses one, such as `implied_bid`, is sent whole again.
 */
export function incrementalTickerChannel(world: ChannelWorld, instrument: Instrument): Channel<WireTickerChange> {
  return viewChannel({
    ...aboutMarket(world, instrument, 'raw'),
    look: (): WireTickerSnapshot => ({ type: 'snapshot', ...tickerNow(world, instrument) }),
    change: (before, now): WireTickerChange => {
      if (Object.keys(before).some((name) => !(name in now))) return now
      return {
        type: 'change',
        instrument_name: now.instrument_name,
        timestamp: now.timestamp,
        ...fieldsThatDiffer(before, now),
      }
    },
  })
}

/** The best prices of an instrument. */
export function quoteChannel(world: ChannelWorld, instrument: Instrument): Channel<WireQuote> {
  const { exchange } = world
  return viewChannel({
    interval: 'raw',
    subject: { instruments: [instrument.id] },
    inputs: () => [changeIdOf(exchange, instrument.id)],
    look: (): WireQuote => {
      const { bestBid, bestAsk } = viewMarket(exchange, instrument.id)
      return {
        instrument_name: instrument.name,
        timestamp: timeOut(timeOf(exchange)),
        best_bid_price: bestBid === null ? 0 : priceOut(bestBid.price),
        best_bid_amount: bestBid === null ? 0 : amountOut(instrument, bestBid.amount),
        best_ask_price: bestAsk === null ? 0 : priceOut(bestAsk.price),
        best_ask_amount: bestAsk === null ? 0 : amountOut(instrument, bestAsk.amount),
      }
    },
  })
}

/** The funding of a perpetual. */
export function perpetualChannel(
  world: ChannelWorld,
  instrument: Instrument,
  interval: Interval,
): Channel<WirePerpetual> {
  return viewChannel({
    interval,
    subject: { instruments: [instrument.id], index: instrument.priceIndex },
    touchedBy: { funding_rate: always, mark: always, index: always },
    look: (): WirePerpetual | undefined => {
      const { funding, index } = viewMarket(world.exchange, instrument.id)
      if (funding === null) return undefined
      return {
        interest: interestValue(funding.accumulated),
        index_price: priceOut(index),
        timestamp: timeOut(timeOf(world.exchange)),
      }
    },
  })
}

/** A price index. */
export function indexChannel({ exchange }: ChannelWorld, name: string): Channel<WireIndex> | undefined {
  if (!allIndices(exchange).includes(name)) return undefined
  return viewChannel({
    interval: 'raw',
    subject: { index: name },
    look: (): WireIndex | undefined => {
      const view = viewIndex(exchange, name)
      if (view === undefined || view.price === 0) return undefined
      return { index_name: name, price: priceOut(view.price), timestamp: timeOut(timeOf(exchange)) }
    },
  })
}

const MICROS_PER_SECOND = 1_000_000
const MICROS_PER_DAY = 86_400_000_000
const EIGHT_HOURS = 28_800_000_000
const HALF_HOUR_SECONDS = 1800

/** The channel of the price that the next delivery of an index would have. */
export function estimatedPriceChannel(
  { exchange }: ChannelWorld,
  name: string,
): Channel<WireEstimatedPrice> | undefined {
  if (!allIndices(exchange).includes(name)) return undefined
  return viewChannel({
    interval: 'raw',
    subject: { index: name },
    look: (): WireEstimatedPrice | undefined => {
      const view = viewIndex(exchange, name)
      if (view === undefined || view.price === 0) return undefined
      const left = MICROS_PER_DAY - modFloor(timeOf(exchange) - EIGHT_HOURS, MICROS_PER_DAY)
      const seconds = divFloor(left, MICROS_PER_SECOND)
      return {
        seconds,
        price: priceOut(view.estimatedDelivery),
        is_estimated: seconds <= HALF_HOUR_SECONDS,
      }
    },
  })
}

/** The marks of all options of an index. A volatility can change while the mark stays the same, so `iv` counts too. */
export function optionMarksChannel(
  { exchange }: ChannelWorld,
  name: string,
): Channel<readonly WireOptionMark[]> | undefined {
  if (!allIndices(exchange).includes(name)) return undefined
  return viewChannel({
    interval: 'raw',
    subject: {},
    touchedBy: { mark: always, index: always, instrument: always, state: always },
    // Volatilities follow the books at whole seconds.
    inputs: () => [divFloor(timeOf(exchange), MICROS_PER_SECOND)],
    look: (): readonly WireOptionMark[] =>
      allInstruments(exchange)
        .filter(({ kind, priceIndex }) => kind === 'option' && priceIndex === name)
        .map(({ id, name: instrument_name }) => ({
          instrument_name,
          mark_price: priceOut(viewMarket(exchange, id).mark),
          iv: percentOut(viewOptionMark(exchange, id)?.mark9 ?? 0),
          timestamp: timeOut(timeOf(exchange)),
        })),
    content: (marks) => marks.map((mark) => ({ ...mark, timestamp: 0 })),
  })
}

/** The value of the volatility index of a price index. */
export function volatilityChannel(
  { exchange, history }: ChannelWorld,
  name: string,
): Channel<WireVolatility> | undefined {
  if (!allIndices(exchange).includes(name)) return undefined
  return viewChannel({
    interval: '1s',
    subject: {},
    touchedBy: { mark: ({ option }) => option !== null },
    look: (): WireVolatility | undefined => {
      const found = history.volatilities.get(name)
      const value = found === undefined ? undefined : volatilityNow(found)
      if (value === undefined) return undefined
      return {
        index_name: name,
        timestamp: timeOut(timeOf(exchange)),
        volatility: volatilityOut(value),
      }
    },
  })
}

/** A source of an index, of `deribit_price_ranking.{index}`. */
export interface WirePriceSource {
  readonly identifier: string
  /** False while the index publishes nothing. */
  readonly enabled: boolean
  readonly price: number
  readonly original_price: number
  readonly timestamp: number
  /** Percent of the index. */
  readonly weight: number
}

/** A message of `deribit_price_statistics.{index}`. */
export interface WirePriceStatistics {
  readonly index_name: string
  readonly low24h: number
  readonly high24h: number
  /** Percent since 24 hours ago, or since the index is known. */
  readonly change24h: number | null
  readonly high_volatility: boolean
}

const always = (): true => true

/** The sources of an index. Assumed: there is one, the simulator, which has all of its weight. */
export function priceRankingChannel(
  { exchange }: ChannelWorld,
  name: string,
): Channel<readonly WirePriceSource[]> | undefined {
  if (!allIndices(exchange).includes(name)) return undefined
  return viewChannel({
    interval: 'raw',
    // Events of an outage have no column `index`.
    subject: {},
    touchedBy: { index: ({ index }) => index === name, standing: always },
    look: (): readonly WirePriceSource[] | undefined => {
      const index = viewIndex(exchange, name)
      if (index === undefined || index.price === 0) return undefined
      const shown = priceOut(index.price)
      const source = {
        identifier: 'pitclock',
        enabled: !isIndexOut(exchange, name),
        price: shown,
        original_price: shown,
        timestamp: timeOut(timeOf(exchange)),
        weight: 100,
      }
      return [source]
    },
  })
}

/** Highest and lowest value of an index in 24 hours. Assumed: no time is one of high volatility. */
export function priceStatisticsChannel(
  { exchange, history }: ChannelWorld,
  name: string,
): Channel<WirePriceStatistics> | undefined {
  if (!allIndices(exchange).includes(name)) return undefined
  return viewChannel({
    interval: '1s',
    subject: { index: name },
    look: (): WirePriceStatistics | undefined => {
      const series = history.indices.get(name)
      const now = series?.values.at(-1)
      if (series === undefined || now === undefined) return undefined
      const since = timeOf(exchange) - MICROS_PER_DAY
      // The value of 24 hours ago is included.
      const later = series.times.findIndex((time) => time > since)
      const from = Math.max(0, later < 0 ? series.times.length - 1 : later - 1)
      const values = series.values.slice(from)
      const first = values[0] ?? now
      return {
        index_name: name,
        low24h: priceOut(price9(values.reduce((least, each) => Math.min(least, each), now))),
        high24h: priceOut(price9(values.reduce((most, each) => Math.max(most, each), now))),
        change24h: percentChange(price9(now), price9(first)),
        high_volatility: false,
      }
    },
  })
}

/**
 * The inputs of a ticker: the market and the index of the instrument, and for a combo also the markets of its legs.
 * `inputs` covers changes without an event: those of levels, and of an option's forward and volatility while its mark
 * stays the same.
 */
function aboutMarket(
  { exchange }: ChannelWorld,
  instrument: Instrument,
  interval: Interval,
): Pick<ViewSource<object>, 'interval' | 'subject'> & {
  readonly inputs: () => readonly (number | string)[]
} {
  const legs = instrument.detail.type === 'combo' ? instrument.detail.legs : []
  const found = legs.map(({ instrumentName }) => findInstrument(exchange, instrumentName)?.id)
  const instruments = [instrument.id, ...found.filter((id) => id !== undefined)]
  const inputs = (): readonly (number | string)[] =>
    instruments.flatMap((id) => {
      const mark = viewOptionMark(exchange, id)
      const change = changeIdOf(exchange, id)
      return mark === null ? [change] : [change, mark.forward, mark.underlying, mark.mark9]
    })
  return { interval, subject: { instruments, index: instrument.priceIndex }, inputs }
}

function tickerNow({ exchange, view }: ChannelWorld, { id }: Instrument): WireTicker {
  return tickerOut(view(), viewMarket(exchange, id))
}

function fieldsThatDiffer(before: WireTicker, now: WireTicker): Partial<WireTicker> {
  const entries = Object.entries(now).filter(([name, value]) => {
    const was: unknown = before[name as keyof WireTicker]
    return JSON.stringify(value) !== JSON.stringify(was)
  })
  return Object.fromEntries(entries)
}
