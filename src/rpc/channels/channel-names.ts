/**
 * Names of channels, and the channels that they open. A name whose parts cannot be read, or that names an instrument,
 * index or currency that is not there, opens none.
 *
 * Source: sessions document 3.1, 3.4.
 */
import { type AccountId, price9 } from '../../core/index.ts'
import { findInstrument } from '../../engine/index.ts'
import { isCurrency } from '../../model/index.ts'
import { accessChannel } from './access-channel.ts'
import { announcementChannel } from './announcement-channel.ts'
import { confirmationsChannel } from './block-channels.ts'
import { bookChannel, groupedBookChannel } from './book-channels.ts'
import {
  type Channel,
  type ChannelWorld,
  channelKinds,
  type Interval,
  intervals,
} from './channel.ts'
import { platformStateChannel } from './platform-channel.ts'
import {
  estimatedPriceChannel,
  incrementalTickerChannel,
  indexChannel,
  optionMarksChannel,
  perpetualChannel,
  quoteChannel,
  tickerChannel,
  volatilityChannel,
} from './price-channels.ts'
import {
  makerRfqChannel,
  rfqChannelCurrencies,
  rfqQuotesChannel,
  rfqTradesChannel,
  takerRfqChannel,
} from './rfq-channels.ts'
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

/** A kind of channel: its names, what it tells, and what opens one. */
interface ChannelKind {
  /** Its names, with what stands in them in braces. */
  readonly forms: readonly string[]
  /** The contents of a notification, in a sentence. */
  readonly tells: string
  /** The first message of a new subscriber, in words; null where there is none. */
  readonly first: string | null
  /** The events and methods that feed it, in words. */
  readonly fedBy: string
  open(world: ChannelWorld, parts: readonly string[], account: AccountId | -1): Channel | undefined
}

/** Every kind of channel. The guide in `scenarios/server` prints them. */
export const channelList: readonly ChannelKind[] = [
  {
    forms: [
      'book.{instrument_name}.{interval}',
      'book.{instrument_name}.{group}.{depth}.{interval}',
    ],
    tells: 'levels of a book that changed; grouped books are told whole',
    first: 'the whole book',
    fedBy: 'orders, recorded levels',
    open: openBook,
  },
  {
    forms: ['ticker.{instrument_name}.{interval}'],
    tells: 'the ticker, whole at each change',
    first: 'the ticker',
    fedBy: 'best prices, trades, marks, indices, funding',
    open: (world, [name, interval]) => {
      const instrument = instrumentOf(world, name)
      const every = intervalOf(interval)
      return instrument && every && tickerChannel(world, instrument, every)
    },
  },
  {
    forms: ['incremental_ticker.{instrument_name}'],
    tells: 'the fields of the ticker that changed',
    first: 'the ticker, as a snapshot',
    fedBy: 'as the ticker',
    open: (world, [name]) => {
      const instrument = instrumentOf(world, name)
      return instrument && incrementalTickerChannel(world, instrument)
    },
  },
  {
    forms: ['quote.{instrument_name}'],
    tells: 'best prices with their amounts',
    first: 'best prices',
    fedBy: 'orders, recorded levels',
    open: (world, [name]) => {
      const instrument = instrumentOf(world, name)
      return instrument && quoteChannel(world, instrument)
    },
  },
  {
    forms: ['trades.{instrument_name}.{interval}', 'trades.{kind}.{currency}.{interval}'],
    tells: 'trades in lists',
    first: null,
    fedBy: 'matches, recorded trades',
    open: (world, parts) => {
      const read = wantedOf(world, parts)
      return read && tradesChannel(world, read.wanted, read.interval)
    },
  },
  {
    forms: ['perpetual.{instrument_name}.{interval}'],
    tells: 'accumulated interest of a perpetual, and its index',
    first: 'the same',
    fedBy: 'funding rates, marks, indices',
    open: (world, [name, interval]) => {
      const instrument = instrumentOf(world, name)
      const every = intervalOf(interval)
      const isPerpetual = instrument?.expiration === null && instrument.kind === 'future'
      return isPerpetual && every !== undefined
        ? perpetualChannel(world, instrument, every)
        : undefined
    },
  },
  {
    forms: ['chart.trades.{instrument_name}.{resolution}'],
    tells: 'the candle that is open, and once more when its time is over',
    first: null,
    fedBy: 'trades',
    open: (world, [name, resolution = '']) => {
      const instrument = instrumentOf(world, name)
      return instrument && candleChannel(world, instrument, resolution)
    },
  },
  {
    forms: ['deribit_price_index.{index_name}'],
    tells: 'the price of an index',
    first: 'the price',
    fedBy: '`index`, `population` and feeds of the scenario, `sim/set_index`',
    open: (world, [name = '']) => indexChannel(world, name),
  },
  {
    forms: ['estimated_expiration_price.{index_name}'],
    tells: 'what the next delivery would be at, and seconds to it',
    first: 'the same',
    fedBy: 'the index',
    open: (world, [name = '']) => estimatedPriceChannel(world, name),
  },
  {
    forms: ['markprice.options.{index_name}'],
    tells: 'marks and volatilities of all options of an index',
    first: 'the same',
    fedBy: 'marks of options',
    open: (world, [name = '']) => optionMarksChannel(world, name),
  },
  {
    forms: ['deribit_volatility_index.{index_name}'],
    tells: 'the volatility of the next 30 days, at most once a second',
    first: 'the volatility',
    fedBy: 'marks of options',
    open: (world, [name = '']) => volatilityChannel(world, name),
  },
  {
    forms: ['announcements'],
    tells: 'what is announced, and what is deleted',
    first: null,
    fedBy: '`sim/announce`, `sim/delete_announcement`',
    open: (world, parts) => (parts.length === 0 ? announcementChannel(world) : undefined),
  },
  {
    forms: ['platform_state'],
    tells: 'maintenance, and indices on which trading is locked',
    first: null,
    fedBy: '`sim/set_maintenance`, `sim/set_index_outage`',
    open: (world, parts) => (parts.length === 0 ? platformStateChannel(world) : undefined),
  },
  {
    forms: ['instrument.state.{kind}.{currency}'],
    tells: 'instruments that are created, started, settled, closed, terminated',
    first: null,
    fedBy:
      'the schedule, settlement and delivery, `sim/list_instrument`, `sim/set_instrument_state`',
    open: (world, [kind = '', currency = '']) =>
      channelKinds.has(kind) && isChannelCurrency(currency)
        ? instrumentStateChannel(world, { kind, currency })
        : undefined,
  },
  {
    forms: ['user.orders.{instrument_name}.{interval}', 'user.orders.{kind}.{currency}.{interval}'],
    tells: 'own orders, each by itself in `raw`, else lists with the last state of each',
    first: null,
    fedBy: 'own orders, those of direct access apart',
    open: ofUser(ordersChannel),
  },
  {
    forms: ['user.trades.{instrument_name}.{interval}', 'user.trades.{kind}.{currency}.{interval}'],
    tells: 'own trades in lists',
    first: null,
    fedBy: 'matches, parts of Block RFQs',
    open: ofUser(userTradesChannel),
  },
  {
    forms: [
      'user.changes.{instrument_name}.{interval}',
      'user.changes.{kind}.{currency}.{interval}',
    ],
    tells: 'own orders, trades and positions that changed together, by instrument',
    first: null,
    fedBy: 'own orders and matches',
    open: ofUser(changesChannel),
  },
  {
    forms: ['user.portfolio.{currency}'],
    tells: 'the figures of the account in a currency, at most once a second',
    first: 'the figures',
    fedBy: 'whatever moves money, positions or marks',
    open: (world, [currency = ''], account) => {
      const named = currency.toUpperCase()
      return account !== -1 && isCurrency(named)
        ? portfolioChannel(world, account, named)
        : undefined
    },
  },
  {
    forms: ['user.mmp_trigger.{index_name}'],
    tells: 'groups of market-maker protection that are triggered',
    first: null,
    fedBy: 'own trades with `mmp`',
    open: (_world, [index = ''], account) =>
      account === -1 || index === '' ? undefined : mmpTriggerChannel(account, index),
  },
  {
    forms: ['user.access_log'],
    tells: 'entries of the access log of the account',
    first: null,
    fedBy: '`public/auth` with a key, right or wrong, `sim/create_key`, `sim/log_access`',
    open: (world, parts, account) =>
      account === -1 || parts.length > 0 ? undefined : accessChannel(world, account),
  },
  {
    forms: ['block_trade_confirmations', 'block_trade_confirmations.{currency}'],
    tells: 'own block trades that wait, or waited, for approval, at each change of their state',
    first: null,
    fedBy: 'block trades by keys that need approval, answers, their timer',
    open: (world, [currency, ...rest], account) => {
      const isNamed = currency === undefined || isCurrency(currency)
      return account === -1 || !isNamed || rest.length > 0
        ? undefined
        : confirmationsChannel(world, account, currency ?? null)
    },
  },
  {
    forms: ['block_rfq.taker.{currency}'],
    tells: 'own Block RFQs as their taker, at each change of what he sees',
    first: null,
    fedBy: 'Block RFQs, quotes on them, their timers',
    open: ofRfqs(takerRfqChannel),
  },
  {
    forms: ['block_rfq.maker.{currency}'],
    tells: 'Block RFQs that the account may quote, when they come and at each change of state',
    first: null,
    fedBy: 'Block RFQs and their timers',
    open: ofRfqs(makerRfqChannel),
  },
  {
    forms: ['block_rfq.maker.quotes.{currency}'],
    tells: 'own quotes on Block RFQs that changed, in lists',
    first: null,
    fedBy: 'own quotes, fills, the end of an RFQ, protection',
    open: ofRfqs(rfqQuotesChannel),
  },
  {
    forms: ['block_rfq.trades.{currency}'],
    tells: 'Block RFQs that were filled, without names',
    first: null,
    fedBy: '`private/accept_block_rfq` and triggers',
    open: (world, [currency = '', ...rest]) =>
      rest.length === 0 && rfqChannelCurrencies.has(currency)
        ? rfqTradesChannel(world, currency)
        : undefined,
  },
]

/** Kinds by the words that their names begin with. */
const kindsByWords = new Map(
  channelList.map((kind) => [(kind.forms[0] ?? '').replace(/\.?\{.*$/, ''), kind]),
)

/** Opens the channel of a name for an account, -1 for nobody; undefined where there is no such channel. */
export function openChannel(
  world: ChannelWorld,
  name: string,
  account: AccountId | -1,
): Channel | undefined {
  const parts = name.split('.')
  for (const words of [3, 2, 1]) {
    const kind = kindsByWords.get(parts.slice(0, words).join('.'))
    if (kind !== undefined) return kind.open(world, parts.slice(words), account)
  }
  return undefined
}

/** True if a name is that of a channel of an account, which others cannot hear. */
export function isUserChannel(name: string): boolean {
  return /^(user\.|block_trade_confirmations|block_rfq\.(taker|maker)\.)/.test(name)
}

/** True if a name asks for each change by itself. */
export function isRaw(name: string): boolean {
  return name.endsWith('.raw')
}

/** Opens channels of an account about Block RFQs; there is none for nobody. */
function ofRfqs(
  open: (world: ChannelWorld, account: AccountId, currency: string) => Channel,
): ChannelKind['open'] {
  return (world, [currency = '', ...rest], account) => {
    const isNamed = rest.length === 0 && rfqChannelCurrencies.has(currency)
    return account === -1 || !isNamed ? undefined : open(world, account, currency)
  }
}

/** Opens channels about orders and trades of an account; there is none for nobody. */
function ofUser(open: (world: ChannelWorld, of: UserWanted) => Channel): ChannelKind['open'] {
  return (world, parts, account) => {
    const read = account === -1 ? undefined : wantedOf(world, parts)
    return read === undefined || account === -1 ? undefined : open(world, { account, ...read })
  }
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
