/**
 * Names of channels, and the channels that they open. A name whose parts cannot be read, or that names an instrument,
 * index or currency that is not there, opens none.
 *
 * Source: sessions document 3.1, 3.4.
 */
import { type AccountId, nearest } from '../../core/index.ts'
import { currencies } from '../../model/index.ts'
import { accessChannel } from './access-channel.ts'
import { announcementChannel } from './announcement-channel.ts'
import { confirmationsChannel } from './block-channels.ts'
import { type Channel, type ChannelWorld, channelKinds } from './channel.ts'
import {
  instrumentOf,
  intervalOf,
  isChannelCurrency,
  type OpenChannel,
  ofAccount,
  ofRfqs,
  ofUser,
  openBook,
  wantedOf,
} from './channel-parts.ts'
import { platformStateChannel, publicMethodsChannel } from './platform-channel.ts'
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
  makerRfqChannel,
  rfqQuotesChannel,
  rfqTradesChannel,
  takerRfqChannel,
} from './rfq-channels.ts'
import {
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
} from './trade-channels.ts'
import {
  changesChannel,
  comboTradesChannel,
  mmpTriggerChannel,
  ordersChannel,
  portfolioChannel,
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
  readonly open: OpenChannel
}

/** Every kind of channel. The guide in `scenarios/server` prints them. */
export const channelList = [
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
      return instrument?.detail.type === 'perpetual' && every !== undefined
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
    forms: ['deribit_price_ranking.{index_name}'],
    tells: 'the sources of an index: the simulator alone',
    first: 'the same',
    fedBy: 'as the index, `sim/set_index_outage`',
    open: (world, [name = '']) => priceRankingChannel(world, name),
  },
  {
    forms: ['deribit_price_statistics.{index_name}'],
    tells: 'the highest and the lowest price of an index in 24 hours, at most once a second',
    first: 'the same',
    fedBy: 'as the index',
    open: (world, [name = '']) => priceStatisticsChannel(world, name),
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
    forms: ['platform_state.public_methods_state'],
    tells: 'whether public methods are open to who shows no token',
    first: null,
    fedBy: '`sim/set_public_methods`',
    open: (_world, parts) => (parts.length === 0 ? publicMethodsChannel() : undefined),
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
    forms: ['instrument.creation.{kind}.{currency}'],
    tells: 'instruments that are listed, whole as queries tell them',
    first: null,
    fedBy: 'the schedule, `private/create_combo`, `sim/list_instrument`',
    open: (world, [kind = '', currency = '']) =>
      channelKinds.has(kind) && isChannelCurrency(currency)
        ? instrumentCreationChannel(world, { kind, currency })
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
      'user.combo_trades.{instrument_name}.{interval}',
      'user.combo_trades.{kind}.{currency}.{interval}',
    ],
    tells: 'own trades in combos, with their legs, in lists',
    first: null,
    fedBy: 'matches in books of combos',
    open: ofUser(comboTradesChannel),
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
    tells: 'the figures of the account in a currency, or in each, at most once a second',
    first: 'the figures',
    fedBy: 'whatever moves money, positions or marks',
    open: (world, [currency = ''], account) => {
      const named = currencies.filter((each) => [each, 'ANY'].includes(currency.toUpperCase()))
      return account === -1 || named.length === 0
        ? undefined
        : portfolioChannel(world, account, named)
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
    forms: ['user.lock'],
    tells: 'that the account is locked, or is so no more',
    first: null,
    fedBy: 'liquidations, `sim/lock_positions`, `sim/lock_portfolio_margin`',
    open: ofAccount(lockChannel),
  },
  {
    forms: ['user.liquidation'],
    tells: 'liquidations of the account from beginning to end, positions that they moved',
    first: null,
    fedBy: 'liquidations, those of others that close a position of the account',
    open: ofAccount(liquidationChannel),
  },
  {
    forms: ['user.isolated.liquidation'],
    tells: 'the same of the subaccounts of a main account',
    first: null,
    fedBy: 'liquidations of its subaccounts',
    open: ofAccount(isolatedLiquidationChannel),
  },
  {
    forms: ['user.lsp'],
    tells:
      'positions that the account took over in the liquidity support programme, its configuration there',
    first: null,
    fedBy: 'liquidations, `sim/set_lsp_participant`',
    open: ofAccount(lspChannel),
  },
  {
    forms: ['user.access_log'],
    tells: 'entries of the access log of the account',
    first: null,
    fedBy: '`public/auth` with a key, right or wrong, `sim/create_key`, `sim/log_access`',
    open: ofAccount(accessChannel),
  },
  {
    forms: ['block_trade_confirmations', 'block_trade_confirmations.{currency}'],
    tells: 'own block trades that wait, or waited, for approval, at each change of their state',
    first: null,
    fedBy: 'block trades by keys that need approval, answers, their timer',
    open: (world, [currency, ...rest], account) => {
      const isNamed = currency === undefined || isChannelCurrency(currency)
      return account === -1 || !isNamed || rest.length > 0
        ? undefined
        : confirmationsChannel(world, account, currency === 'any' ? null : (currency ?? null))
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
      rest.length === 0 && isChannelCurrency(currency)
        ? rfqTradesChannel(world, currency)
        : undefined,
  },
] as const satisfies readonly ChannelKind[]

/** Kinds by the words that their names begin with. */
const kindsByWords = new Map(channelList.map((kind: ChannelKind) => [wordsOf(kind), kind]))

function wordsOf({ forms: [form = ''] }: ChannelKind): string {
  return form.replace(/\.?\{.*$/, '')
}

/** The kind that the name of a channel belongs to; undefined if there is none. */
export function channelKind(name: string): ChannelKind | undefined {
  const parts = name.split('.')
  const words = [3, 2, 1].map((count) => parts.slice(0, count).join('.'))
  return kindsByWords.get(words.find((each) => kindsByWords.has(each)) ?? '')
}

/** Opens the channel of a name for an account, -1 for a connection without one; undefined if there is no such channel. */
export function openChannel(
  world: ChannelWorld,
  name: string,
  account: AccountId | -1,
): Channel | undefined {
  const kind = channelKind(name)
  return kind?.open(world, name.split('.').slice(wordsOf(kind).split('.').length), account)
}

/** The accepted forms of a name that opens no channel: those with the same first word, or with the most similar one. */
export function channelHint(name: string): string {
  const forms = channelList.flatMap((kind) => kind.forms)
  const words = [...new Set(forms.map(firstWord))]
  const word = firstWord(name)
  const meant = words.includes(word) ? word : nearest(word, words)
  if (meant === undefined) return `channel names begin with one of ${words.join(', ')}`
  const accepted = forms.filter((form) => firstWord(form) === meant).join(', ')
  return isUserChannel(name) ? `${accepted}; needs a token that may read it` : accepted
}

function firstWord(name: string): string {
  return name.split('.', 1)[0] ?? ''
}

/** True if a name is that of a channel of an account, which others cannot hear. */
export function isUserChannel(name: string): boolean {
  return /^(user\.|block_trade_confirmations|block_rfq\.(taker|maker)\.)/.test(name)
}

/** True if a name asks for each change by itself. */
export function isRaw(name: string): boolean {
  return name.endsWith('.raw')
}
