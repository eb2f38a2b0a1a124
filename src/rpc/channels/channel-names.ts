/**
 * Names of channels, and the channels that they open. A name whose parts cannot be read, or that names an instrument,
 * index or currency that is not there, opens none.
 *
 * Source: sessions document 3.1, 3.4.
 */
import { type AccountId, price9 } from '../../core/index.ts'
import { findInstrument } from '../../engine/index.ts'
import { isCurrency } from '../../model/index.ts'
import { bookChannel, groupedBookChannel } from './book-channels.ts'
import {
  type Channel,
  type ChannelWorld,
  channelKinds,
  type Interval,
  intervals,
} from './channel.ts'
import {
  estimatedPriceChannel,
  incrementalTickerChannel,
  indexChannel,
  optionMarksChannel,
  perpetualChannel,
  quoteChannel,
  tickerChannel,
} from './price-channels.ts'
import {
  candleChannel,
  instrumentStateChannel,
  tradesChannel,
  type Wanted,
} from './trade-channels.ts'
import {
  changesChannel,
  mmpTriggerChannel,
  ordersChannel,
  portfolioChannel,
  type UserWanted,
  userTradesChannel,
} from './user-channels.ts'

/** Opens the channel of a name for an account, -1 for nobody; undefined where there is no such channel. */
export function openChannel(
  world: ChannelWorld,
  name: string,
  account: AccountId | -1,
): Channel | undefined {
  const parts = name.split('.')
  const [first = '', second = ''] = parts
  const opened = openers[first]?.(world, parts.slice(1))
  if (opened !== undefined) return opened
  const pair = openers[`${first}.${second}`]?.(world, parts.slice(2))
  if (pair !== undefined) return pair
  return account === -1
    ? undefined
    : userOpeners[`${first}.${second}`]?.(world, parts.slice(2), account)
}

/** Whether a name is that of a channel of an account, which others cannot hear. */
export function isUserChannel(name: string): boolean {
  return name.startsWith('user.')
}

/** Whether a name asks for each change by itself. */
export function isRaw(name: string): boolean {
  return name.endsWith('.raw')
}

type Opener = (world: ChannelWorld, parts: readonly string[]) => Channel | undefined
type UserOpener = (
  world: ChannelWorld,
  parts: readonly string[],
  account: AccountId,
) => Channel | undefined

const openers: { readonly [words: string]: Opener | undefined } = {
  book: openBook,
  ticker: (world, [name, interval]) => {
    const instrument = instrumentOf(world, name)
    const every = intervalOf(interval)
    return instrument && every && tickerChannel(world, instrument, every)
  },
  incremental_ticker: (world, [name]) => {
    const instrument = instrumentOf(world, name)
    return instrument && incrementalTickerChannel(world, instrument)
  },
  quote: (world, [name]) => {
    const instrument = instrumentOf(world, name)
    return instrument && quoteChannel(world, instrument)
  },
  perpetual: (world, [name, interval]) => {
    const instrument = instrumentOf(world, name)
    const every = intervalOf(interval)
    const isPerpetual = instrument?.expiration === null && instrument.kind === 'future'
    return isPerpetual && every !== undefined
      ? perpetualChannel(world, instrument, every)
      : undefined
  },
  trades: (world, parts) => {
    const read = wantedOf(world, parts)
    return read && tradesChannel(world, read.wanted, read.interval)
  },
  deribit_price_index: (world, [name = '']) => indexChannel(world, name),
  estimated_expiration_price: (world, [name = '']) => estimatedPriceChannel(world, name),
  'markprice.options': (world, [name = '']) => optionMarksChannel(world, name),
  'chart.trades': (world, [name, resolution = '']) => {
    const instrument = instrumentOf(world, name)
    return instrument && candleChannel(world, instrument, resolution)
  },
  'instrument.state': (world, [kind = '', currency = '']) =>
    channelKinds.has(kind) && isChannelCurrency(currency)
      ? instrumentStateChannel(world, { kind, currency })
      : undefined,
}

const userOpeners: { readonly [words: string]: UserOpener | undefined } = {
  'user.orders': (world, parts, account) => openOfUser(world, { parts, account }, ordersChannel),
  'user.trades': (world, parts, account) =>
    openOfUser(world, { parts, account }, userTradesChannel),
  'user.changes': (world, parts, account) => openOfUser(world, { parts, account }, changesChannel),
  'user.portfolio': (world, [currency = ''], account) => {
    const named = currency.toUpperCase()
    return isCurrency(named) ? portfolioChannel(world, account, named) : undefined
  },
  'user.mmp_trigger': (_world, [index = ''], account) =>
    index === '' ? undefined : mmpTriggerChannel(account, index),
}

function openOfUser(
  world: ChannelWorld,
  { parts, account }: { readonly parts: readonly string[]; readonly account: AccountId },
  open: (world: ChannelWorld, of: UserWanted) => Channel,
): Channel | undefined {
  const read = wantedOf(world, parts)
  return read && open(world, { account, ...read })
}

/** Groups of prices in units of price, and depths, that a view of a book can have. */
const groups: ReadonlySet<string> = new Set(['none', '1', '2', '5', '10', '25', '100', '250'])
const depths: ReadonlySet<string> = new Set(['1', '10', '20'])
const NANO = 1_000_000_000

function openBook(world: ChannelWorld, parts: readonly string[]): Channel | undefined {
  const [name, group = '', depth = '', interval] = parts
  const instrument = instrumentOf(world, name)
  if (instrument === undefined) return undefined
  const every = intervalOf(parts.length === 2 ? group : interval)
  if (every === undefined) return undefined
  if (parts.length === 2) return bookChannel(world, instrument, every)
  if (!(groups.has(group) && depths.has(depth)) || parts.length !== 4) return undefined
  return groupedBookChannel(world, instrument, {
    group: group === 'none' ? null : price9(Number(group) * NANO),
    depth: Number(depth),
    interval: every,
  })
}

/** `{instrument}.{interval}` or `{kind}.{currency}.{interval}`. */
function wantedOf(
  world: ChannelWorld,
  parts: readonly string[],
): { readonly wanted: Wanted; readonly interval: Interval } | undefined {
  const interval = intervalOf(parts.at(-1))
  if (interval === undefined) return undefined
  if (parts.length === 2) {
    const instrument = instrumentOf(world, parts[0])
    return instrument && { wanted: { instrument }, interval }
  }
  const [kind = '', currency = ''] = parts
  if (parts.length !== 3 || !channelKinds.has(kind) || !isChannelCurrency(currency))
    return undefined
  return { wanted: { kind, currency }, interval }
}

function isChannelCurrency(text: string): boolean {
  return text === 'any' || isCurrency(text)
}

function intervalOf(text: string | undefined): Interval | undefined {
  return intervals.find((each) => each === text)
}

function instrumentOf({ exchange }: ChannelWorld, name = ''): ReturnType<typeof findInstrument> {
  return findInstrument(exchange, name)
}
