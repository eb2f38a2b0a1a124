/**
 * Names of channels, and the channels that they open. A name opens no channel if its parts cannot be read, or if it
 * names an unknown instrument, index or currency.
 *
 * Source: sessions document 3.1, 3.4.
 */

import { type AccountId, nearest, price9 } from '../../core/index.ts'
import { findInstrument } from '../../engine/index.ts'
import { type AccessScope, currencies, isCurrency } from '../../model/index.ts'
import { bookChannel, groupedBookChannel, type WireBookMessage, type WireGroupedBook } from './book-channels.ts'
import { type Channel, type ChannelWorld, channelKinds, type Interval, intervals } from './channel.ts'
import { announcementChannel, platformStateChannel, publicMethodsChannel } from './platform-channel.ts'
import {
  estimatedPriceChannel,
  incrementalTickerChannel,
  indexChannel,
  optionMarksChannel,
  perpetualChannel,
  priceRankingChannel,
  priceStatisticsChannel,
  quoteChannel,
  tickerChannel,
  volatilityChannel,
} from './price-channels.ts'
import {
  confirmationsChannel,
  makerRfqChannel,
  rfqQuotesChannel,
  rfqTradesChannel,
  takerRfqChannel,
} from './rfq-channels.ts'
import {
  accessChannel,
  isolatedLiquidationChannel,
  liquidationChannel,
  lockChannel,
  lspChannel,
} from './risk-channels.ts'
import {
  candleChannel,
  instrumentCreationChannel,
  instrumentStateChannel,
  tradesChannel,
  type Wanted,
} from './trade-channels.ts'
import {
  changesChannel,
  comboTradesChannel,
  mmpTriggerChannel,
  ordersChannel,
  portfolioChannel,
  type UserWanted,
  userTradesChannel,
} from './user-channels.ts'

/** A kind of channel. Channels of an account have a scope, and only they receive the account. */
type ChannelKind = ChannelForms & (PublicKind | PrivateKind)

/** A kind of channel that every client may read. */
interface PublicKind {
  readonly scope: null
  readonly open: OpenPublic
}

/** A kind of channel whose messages depend on the account. */
interface PrivateKind {
  /** The scope that a token needs. */
  readonly scope: AccessScope
  readonly open: OpenPrivate
}

/** The names of a kind of channel, and its contents. */
interface ChannelForms {
  /** The forms of its names, with the variable parts in braces. */
  readonly forms: readonly string[]
  /** The contents of a notification, in a sentence. */
  readonly content: string
  /** The first message of a new subscriber, in words; null for a channel without one. */
  readonly first: string | null
  /** The events and methods that feed it, in words. */
  readonly fedBy: string
}

/** Opens a public channel from the parts of a name that follow its kind; undefined if the parts name no channel. */
type OpenPublic<Message = unknown> = (world: ChannelWorld, parts: readonly string[]) => Channel<Message> | undefined

/** Opens a channel of an account from the parts of a name that follow its kind; undefined if they name no channel. */
type OpenPrivate<Message = unknown> = (
  world: ChannelWorld,
  parts: readonly string[],
  account: AccountId,
) => Channel<Message> | undefined

/**
 * The parts of channel names: reading them, and opening channels that several names share.
 *
 * Source: sessions document 3.1, 3.4.
 */

/** Opens channels of an account about Block RFQs. */
function ofRfqs<Message>(
  open: (world: ChannelWorld, account: AccountId, currency: string) => Channel<Message>,
): OpenPrivate<Message> {
  return (world, [currency = '', ...rest], account) => {
    const isNamed = rest.length === 0 && isChannelCurrency(currency)
    return isNamed ? open(world, account, currency) : undefined
  }
}

/** Opens channels of an account whose names have no further parts. */
function ofAccount<Message>(open: (world: ChannelWorld, account: AccountId) => Channel<Message>): OpenPrivate<Message> {
  return (world, parts, account) => (parts.length > 0 ? undefined : open(world, account))
}

/** Opens channels about orders and trades of an account. */
function ofUser<Message>(open: (world: ChannelWorld, of: UserWanted) => Channel<Message>): OpenPrivate<Message> {
  return (world, parts, account) => {
    const read = wantedOf(world, parts)
    return read && open(world, { account, ...read })
  }
}

/** Groups of prices (in units of price) and depths that a grouped book can have. */
const groups: ReadonlySet<string> = new Set(['none', '1', '2', '5', '10', '25', '100', '250'])

const depths: ReadonlySet<string> = new Set(['1', '10', '20'])

const NANO = 1_000_000_000

/** Opens a book, or a view of some of its levels. */
function openBook(
  world: ChannelWorld,
  parts: readonly string[],
): Channel<WireBookMessage | WireGroupedBook> | undefined {
  const [name, group = '', depth = '', interval] = parts
  const instrument = channelInstrument(world, name)
  if (instrument === undefined) return undefined
  const every = intervalOf(parts.length === 2 ? group : interval)
  if (every === undefined) return undefined
  if (parts.length === 2) return bookChannel(world, instrument, every)
  if (!(groups.has(group) && depths.has(depth)) || parts.length !== 4) return undefined
  return groupedBookChannel(
    world,
    instrument,
    group === 'none' ? null : price9(Number(group) * NANO),
    Number(depth),
    every,
  )
}

/** Reads the parts `{instrument}.{interval}` or `{kind}.{currency}.{interval}`. */
function wantedOf(
  world: ChannelWorld,
  parts: readonly string[],
): { readonly wanted: Wanted; readonly interval: Interval } | undefined {
  const interval = intervalOf(parts.at(-1))
  if (interval === undefined) return undefined
  if (parts.length === 2) {
    const instrument = channelInstrument(world, parts[0])
    return instrument && { wanted: { instrument }, interval }
  }
  const [kind = '', currency = ''] = parts
  if (parts.length !== 3 || !channelKinds.has(kind) || !isChannelCurrency(currency)) return undefined
  return { wanted: { kind, currency }, interval }
}

/** True for a currency or the word `any`. */
function isChannelCurrency(text: string): boolean {
  return text === 'any' || isCurrency(text)
}

/** The interval of a name, or undefined. */
function intervalOf(text: string | undefined): Interval | undefined {
  return intervals.find((each) => each === text)
}

/** The instrument of a name, or undefined. */
function channelInstrument(world: ChannelWorld, name = ''): ReturnType<typeof findInstrument> {
  return findInstrument(world.exchange, name)
}

/** Every kind of channel; those with a scope are private. The guide in `scenarios/server` prints them. */
export const channelList = [
  {
    forms: ['book.{instrument_name}.{interval}', 'book.{instrument_name}.{group}.{depth}.{interval}'],
    content: 'changed levels of a book; grouped books are sent whole',
    first: 'the whole book',
    fedBy: 'orders, recorded levels',
    scope: null,
    open: openBook,
  },
  {
    forms: ['ticker.{instrument_name}.{interval}'],
    content: 'the whole ticker, at each change',
    first: 'the ticker',
    fedBy: 'best prices, trades, marks, indices, funding; for a combo also those of its legs',
    scope: null,
    open: (world, [name, interval]) => {
      const instrument = channelInstrument(world, name)
      const every = intervalOf(interval)
      return instrument && every && tickerChannel(world, instrument, every)
    },
  },
  {
    forms: ['incremental_ticker.{instrument_name}'],
    content: 'the ticker fields that changed',
    first: 'the ticker, as a snapshot',
    fedBy: 'the same inputs as `ticker`',
    scope: null,
    open: (world, [name]) => {
      const instrument = channelInstrument(world, name)
      return instrument && incrementalTickerChannel(world, instrument)
    },
  },
  {
    forms: ['quote.{instrument_name}'],
    content: 'best bid and ask prices with their amounts',
    first: 'best prices',
    fedBy: 'orders, recorded levels',
    scope: null,
    open: (world, [name]) => {
      const instrument = channelInstrument(world, name)
      return instrument && quoteChannel(world, instrument)
    },
  },
  {
    forms: ['trades.{instrument_name}.{interval}', 'trades.{kind}.{currency}.{interval}'],
    content: 'lists of trades',
    first: null,
    fedBy: 'matches, recorded trades',
    scope: null,
    open: (world, parts) => {
      const read = wantedOf(world, parts)
      return read && tradesChannel(world, read.wanted, read.interval)
    },
  },
  {
    forms: ['perpetual.{instrument_name}.{interval}'],
    content: 'accumulated interest of a perpetual, and its index price',
    first: 'the current values',
    fedBy: 'funding rates, marks, indices',
    scope: null,
    open: (world, [name, interval]) => {
      const instrument = channelInstrument(world, name)
      const every = intervalOf(interval)
      return instrument?.detail.type === 'perpetual' && every !== undefined
        ? perpetualChannel(world, instrument, every)
        : undefined
    },
  },
  {
    forms: ['chart.trades.{instrument_name}.{resolution}'],
    content: 'the open candle, and each candle again when it closes',
    first: null,
    fedBy: 'trades',
    scope: null,
    open: (world, [name, resolution = '']) => {
      const instrument = channelInstrument(world, name)
      return instrument && candleChannel(world, instrument, resolution)
    },
  },
  {
    forms: ['deribit_price_index.{index_name}'],
    content: 'the price of an index',
    first: 'the price',
    fedBy: '`index`, `population` and feeds of the scenario, `sim/set_index`',
    scope: null,
    open: (world, [name = '']) => indexChannel(world, name),
  },
  {
    forms: ['deribit_price_ranking.{index_name}'],
    content: 'the price sources of an index; the simulator is the only one',
    first: 'the current values',
    fedBy: 'the inputs of the index, `sim/set_index_outage`',
    scope: null,
    open: (world, [name = '']) => priceRankingChannel(world, name),
  },
  {
    forms: ['deribit_price_statistics.{index_name}'],
    content: 'the 24-hour high and low of an index, at most once a second',
    first: 'the current values',
    fedBy: 'the inputs of the index',
    scope: null,
    open: (world, [name = '']) => priceStatisticsChannel(world, name),
  },
  {
    forms: ['estimated_expiration_price.{index_name}'],
    content: 'the estimated delivery price, and the seconds until delivery',
    first: 'the current values',
    fedBy: 'the index',
    scope: null,
    open: (world, [name = '']) => estimatedPriceChannel(world, name),
  },
  {
    forms: ['markprice.options.{index_name}'],
    content: 'mark prices and volatilities of all options on an index',
    first: 'the current values',
    fedBy: 'option mark prices',
    scope: null,
    open: (world, [name = '']) => optionMarksChannel(world, name),
  },
  {
    forms: ['deribit_volatility_index.{index_name}'],
    content: 'the 30-day volatility index, at most once a second',
    first: 'the volatility',
    fedBy: 'option mark prices',
    scope: null,
    open: (world, [name = '']) => volatilityChannel(world, name),
  },
  {
    forms: ['announcements'],
    content: 'new and deleted announcements',
    first: null,
    fedBy: '`sim/announce`, `sim/delete_announcement`',
    scope: null,
    open: (world, parts) => (parts.length === 0 ? announcementChannel(world) : undefined),
  },
  {
    forms: ['platform_state'],
    content: 'maintenance, and indices whose trading is locked',
    first: null,
    fedBy: '`sim/set_maintenance`, `sim/set_index_outage`',
    scope: null,
    open: (world, parts) => (parts.length === 0 ? platformStateChannel(world) : undefined),
  },
  {
    forms: ['platform_state.public_methods_state'],
    content: 'access to public methods without a token: open or closed',
    first: null,
    fedBy: '`sim/set_public_methods`',
    scope: null,
    open: (_world, parts) => (parts.length === 0 ? publicMethodsChannel() : undefined),
  },
  {
    forms: ['instrument.state.{kind}.{currency}'],
    content: 'instruments that are created, started, settled, closed or terminated',
    first: null,
    fedBy: 'the schedule, settlement and delivery, `sim/list_instrument`, `sim/set_instrument_state`',
    scope: null,
    open: (world, [kind = '', currency = '']) =>
      channelKinds.has(kind) && isChannelCurrency(currency)
        ? instrumentStateChannel(world, { kind, currency })
        : undefined,
  },
  {
    forms: ['instrument.creation.{kind}.{currency}'],
    content: 'newly listed instruments, with all the fields that queries return',
    first: null,
    fedBy: 'the schedule, `private/create_combo`, `sim/list_instrument`',
    scope: null,
    open: (world, [kind = '', currency = '']) =>
      channelKinds.has(kind) && isChannelCurrency(currency)
        ? instrumentCreationChannel(world, { kind, currency })
        : undefined,
  },
  {
    forms: ['user.orders.{instrument_name}.{interval}', 'user.orders.{kind}.{currency}.{interval}'],
    content: 'own orders: one per message with `raw`, otherwise lists with the latest state of each order',
    first: null,
    fedBy: 'own orders, except those of direct access',
    scope: 'trade:read',
    open: ofUser(ordersChannel),
  },
  {
    forms: ['user.trades.{instrument_name}.{interval}', 'user.trades.{kind}.{currency}.{interval}'],
    content: 'lists of own trades',
    first: null,
    fedBy: 'matches, trades of Block RFQs',
    scope: 'trade:read',
    open: ofUser(userTradesChannel),
  },
  {
    forms: ['user.combo_trades.{instrument_name}.{interval}', 'user.combo_trades.{kind}.{currency}.{interval}'],
    content: 'lists of own combo trades, with their legs',
    first: null,
    fedBy: 'matches in combo books',
    scope: 'trade:read',
    open: ofUser(comboTradesChannel),
  },
  {
    forms: ['user.changes.{instrument_name}.{interval}', 'user.changes.{kind}.{currency}.{interval}'],
    content: 'own orders, trades and positions that changed together, by instrument',
    first: null,
    fedBy: 'own orders and matches',
    scope: 'trade:read',
    open: ofUser(changesChannel),
  },
  {
    forms: ['user.portfolio.{currency}'],
    content: 'the account summary in one currency or in all of them, at most once a second',
    first: 'the current summary',
    fedBy: 'all events that change cash, positions or mark prices',
    scope: 'account:read',
    open: (world, [currency = ''], account) => {
      const named = currencies.filter((each) => [each, 'ANY'].includes(currency.toUpperCase()))
      return named.length === 0 ? undefined : portfolioChannel(world, account, named)
    },
  },
  {
    forms: ['user.mmp_trigger.{index_name}'],
    content: 'market-maker protection groups that were triggered',
    first: null,
    fedBy: 'own trades with `mmp`',
    scope: 'trade:read',
    open: (_world, [index = ''], account) => (index === '' ? undefined : mmpTriggerChannel(account, index)),
  },
  {
    forms: ['user.lock'],
    content: 'locks and unlocks of the account',
    first: null,
    fedBy: 'liquidations, `sim/lock_positions`, `sim/lock_portfolio_margin`',
    scope: 'account:read',
    open: ofAccount(lockChannel),
  },
  {
    forms: ['user.liquidation'],
    content: 'liquidations of the account from start to end, and positions that they transferred',
    first: null,
    fedBy: "liquidations, including other accounts' liquidations that close a position of this account",
    scope: 'account:read',
    open: ofAccount(liquidationChannel),
  },
  {
    forms: ['user.isolated.liquidation'],
    content: 'liquidations of the subaccounts of a main account, and positions that they transferred',
    first: null,
    fedBy: 'liquidations of its subaccounts',
    scope: 'account:read',
    open: ofAccount(isolatedLiquidationChannel),
  },
  {
    forms: ['user.lsp'],
    content: 'positions that the account took over in the liquidity support programme, and its settings there',
    first: null,
    fedBy: 'liquidations, `sim/set_lsp_participant`',
    scope: 'account:read',
    open: ofAccount(lspChannel),
  },
  {
    forms: ['user.access_log'],
    content: 'entries of the access log of the account',
    first: null,
    fedBy: '`public/auth` with a valid or wrong key, `sim/create_key`, `sim/log_access`',
    scope: 'account:read',
    open: ofAccount(accessChannel),
  },
  {
    forms: ['block_trade_confirmations', 'block_trade_confirmations.{currency}'],
    content: 'own block trades that need approval, at each change of state',
    first: null,
    fedBy: 'block trades by keys that need approval, the decisions on them, their timeout',
    scope: 'block_trade:read',
    open: (world, [currency, ...rest], account) => {
      const isNamed = currency === undefined || isChannelCurrency(currency)
      if (!isNamed || rest.length > 0) return undefined
      return confirmationsChannel(world, account, currency === 'any' ? null : (currency ?? null))
    },
  },
  {
    forms: ['block_rfq.taker.{currency}'],
    content: 'own Block RFQs, as the taker sees them, at each change',
    first: null,
    fedBy: 'Block RFQs, quotes on them, their timers',
    scope: 'block_rfq:read',
    open: ofRfqs(takerRfqChannel),
  },
  {
    forms: ['block_rfq.maker.{currency}'],
    content: 'Block RFQs that the account may quote: new ones, and each change of state',
    first: null,
    fedBy: 'Block RFQs and their timers',
    scope: 'block_rfq:read',
    open: ofRfqs(makerRfqChannel),
  },
  {
    forms: ['block_rfq.maker.quotes.{currency}'],
    content: 'lists of own quotes on Block RFQs that changed',
    first: null,
    fedBy: 'own quotes, fills, the end of an RFQ, market-maker protection',
    scope: 'block_rfq:read',
    open: ofRfqs(rfqQuotesChannel),
  },
  {
    forms: ['block_rfq.trades.{currency}'],
    content: 'filled Block RFQs, without the names of the parties',
    first: null,
    fedBy: '`private/accept_block_rfq` and triggers',
    scope: null,
    open: (world, [currency = '', ...rest]) =>
      rest.length === 0 && isChannelCurrency(currency) ? rfqTradesChannel(world, currency) : undefined,
  },
] as const satisfies readonly ChannelKind[]

/** Kinds of channels by the words that their names begin with. */
const kindsByWords = new Map(channelList.map((kind: ChannelKind) => [wordsOf(kind), kind]))

function wordsOf({ forms: [form = ''] }: ChannelKind): string {
  return form.replace(/\.?\{.*$/, '')
}

/** The kind of channel that a name belongs to, or undefined. */
export function channelKind(name: string): ChannelKind | undefined {
  const parts = name.split('.')
  const words = [3, 2, 1].map((count) => parts.slice(0, count).join('.'))
  return kindsByWords.get(words.find((each) => kindsByWords.has(each)) ?? '')
}

/** The scope that a token needs for a channel; null if every client may read it, or if there is no such channel. */
export function channelScope(name: string): AccessScope | null {
  return channelKind(name)?.scope ?? null
}

/**
 * Opens the channel of a name for an account (-1 for a connection without one); undefined if there is no such channel.
 */
export function openChannel(world: ChannelWorld, name: string, account: AccountId | -1): Channel | undefined {
  const kind = channelKind(name)
  if (kind === undefined) return undefined
  const parts = name.split('.').slice(wordsOf(kind).split('.').length)
  if (kind.scope === null) return kind.open(world, parts)
  return account === -1 ? undefined : kind.open(world, parts, account)
}

/** The accepted forms of a name that opens no channel: those with the same first word, or with the most similar one. */
export function channelHint(name: string): string {
  const forms = channelList.flatMap((kind) => kind.forms)
  const words = [...new Set(forms.map(firstWord))]
  const word = firstWord(name)
  const meant = words.includes(word) ? word : nearest(word, words)
  if (meant === undefined) return `channel names begin with one of ${words.join(', ')}`
  const accepted = forms.filter((form) => firstWord(form) === meant).join(', ')
  const kind = channelKind(name)
  const kinds = kind === undefined ? channelList.filter(({ forms: [form] }) => firstWord(form) === word) : [kind]
  const isPrivate = kinds.length > 0 && kinds.every(({ scope }) => scope !== null)
  return isPrivate ? `${accepted}; needs a token that may read it` : accepted
}

function firstWord(name: string): string {
  return name.split('.', 1)[0] ?? ''
}

/** True if the channel sends its changes after each input, instead of collecting them over an interval. */
export function isRaw(name: string): boolean {
  return name.endsWith('.raw')
}
