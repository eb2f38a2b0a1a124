/**
 * The market of the benchmarks: inverse perpetuals with a tick and a lot of 1, 64 accounts, taker fee 0.05 %, margin
 * on, price bands and self-match prevention off; and functions that apply a stream to it.
 */
import {
  accountId,
  amount,
  type InstrumentId,
  instrumentId,
  lots,
  type Micros,
  micros,
  price9,
  sequence,
  ticks,
} from '../../src/core/index.ts'
import { apply, createExchange, type Exchange } from '../../src/engine/index.ts'
import {
  type Command,
  type CommandHeader,
  createLogReader,
  currencyIdOf,
  defaultConfig,
  type EventSink,
  type ExchangeConfig,
  type InstrumentSpec,
  logBufferOf,
  makeOrderId,
  NO_ACCOUNT,
  overrideSpec,
  readRecords,
  sinkOf,
  specFromName,
  type Trade,
} from '../../src/model/index.ts'
import type { ResultsSink } from '../../src/results/index.ts'
import { COMMAND_WORDS, hashTrade, type Outcome, streamCommand } from './stream.ts'

const start: Micros = micros(1_767_596_400_000_000)
const accounts = 64
const mark = price9(32_768_000_000_000)
const deposit = amount(1_000_000_000_000_000n)
const many = 1_000_000_000
const btc = currencyIdOf('BTC')

/** An exchange with its accounts and books, and the sequence of the last command. */
export interface Market {
  readonly exchange: Exchange
  readonly sink: EventSink
  readonly firstAccount: number
  sequence: number
}

/** The venue of the benchmarks. */
export const marketConfig: ExchangeConfig = {
  ...defaultConfig(start),
  priceBands: false,
  selfMatch: 'off',
  openOrderLimits: {
    total: many,
    future: many,
    option: many,
    spot: many,
    triggers: many,
    secondaries: many,
  },
}

/** Opens a market of `books` instruments; all events go to `sink`. */
export function openMarket(sink: EventSink, books = 1): Market {
  return fillMarket(createExchange(marketConfig, sink), sink, books)
}

/** Lists the books of a new exchange and opens its accounts. */
export function fillMarket(exchange: Exchange, sink: EventSink, books = 1): Market {
  const firstAccount = exchange.accounts.length
  const market: Market = { exchange, sink, firstAccount, sequence: 0 }
  for (let each = 0; each < accounts; each += 1) {
    const named = {
      name: `account-${each}`,
      marginModel: 'segregated_sm',
      main: null,
      feePpm: 1_000_000,
    } as const
    send(market, { kind: 'open_account', ...header(market), ...named })
  }
  for (let book = 0; book < books; book += 1) {
    send(market, { kind: 'list_instrument', ...header(market), spec: specOf(book), queue: null })
  }
  send(market, { kind: 'set_index', ...header(market), index: 'btc_usd', price: mark })
  for (let each = 0; each < accounts; each += 1) {
    const target = accountId(firstAccount + each)
    const money = { currency: 'BTC', amount: deposit } as const
    send(market, { kind: 'deposit', ...header(market), target, ...money })
  }
  return market
}

/**
 * The command at a position of a stream, for one of the market's books. Written out field by field, because a spread
 * would cost more than half of the engine's work.
 */
export function commandAt(
  market: Market,
  words: Int32Array,
  place: { readonly at: number; readonly id: number; readonly book: InstrumentId },
): Command {
  const { at, id, book } = place
  const first = words[at] as number
  const kind = first & 255
  const account = accountId(market.firstAccount + ((words[at + 1] as number) & (accounts - 1)))
  market.sequence += 1
  if (kind === streamCommand.cancel) {
    return {
      kind: 'cancel_order',
      time: start,
      sequence: sequence(market.sequence),
      account,
      session: 0,
      fault: null,
      order: makeOrderId(btc, id, 'ordinary'),
    }
  }
  const limit = kind === streamCommand.limit
  return {
    kind: 'place_order',
    time: start,
    sequence: sequence(market.sequence),
    account,
    session: 0,
    fault: null,
    instrument: book,
    side: first >> 8 === 0 ? 'buy' : 'sell',
    type: limit ? 'limit' : 'market',
    timeInForce: limit ? 'good_til_cancelled' : 'immediate_or_cancel',
    price: limit ? ticks(words[at + 2] as number) : null,
    amount: lots(words[at + 3] as number),
    label: '',
    postOnly: 'off',
    reduceOnly: false,
    trigger: null,
    advanced: null,
    display: lots(0),
    linked: null,
    validUntil: null,
    extras: null,
  }
}

/** Applies a whole stream to the market's only book. */
export function applyStream(market: Market, words: Int32Array): void {
  const { exchange, sink } = market
  const book = instrumentId(0)
  for (let at = 0; at < words.length; at += COMMAND_WORDS) {
    const id = words[at + 1] as number
    apply(exchange, commandAt(market, words, { at, id, book }), sink)
  }
}

/** A sink that adds up the trades. The outcome is read once, at the end. */
export interface TradeCounter extends EventSink {
  outcome(market: Market): Outcome
}

/** Counts the trades of a stream, and keeps no event. */
export function countTrades(): TradeCounter {
  const sum = noTrades()
  const sink = sinkOf({ trade: (trade) => addTrade(sum, trade) })
  return { ...sink, outcome: ({ exchange }) => ({ ...sum, resting: exchange.slots.used }) }
}

/** A sink of results whose log counts its trades, so that only the log takes events. */
export function countLogged(open: (onLog: (records: Uint8Array) => void) => ResultsSink): TradeCounter {
  const sum = noTrades()
  const takers = { trade: (trade: Trade) => addTrade(sum, trade) }
  const reader = createLogReader(takers, { isLent: () => true })
  const sink = open((records) => readRecords(reader, logBufferOf(records)))
  const outcome = ({ exchange }: Market): Outcome => {
    sink.finish()
    return { ...sum, resting: exchange.slots.used }
  }
  return { ...sink, outcome }
}

type TradeSum = { -readonly [N in keyof Omit<Outcome, 'resting'>]: number }

function noTrades(): TradeSum {
  return { trades: 0, volume: 0, notional: 0, hash: 0 }
}

function addTrade(sum: TradeSum, { maker, taker, amount, price }: Trade): void {
  sum.trades += 1
  sum.volume += amount
  sum.notional += amount * (price / 1e9)
  // The low seven bits of an id hold its form and its currency, and streams are short.
  const pair = { maker: maker.order >> 7, taker: taker.order >> 7, lots: amount }
  sum.hash = hashTrade(sum.hash, pair)
}

/** Throws unless an engine reached the outcome of the stream. */
export function expectOutcome(found: Outcome, expected: Outcome): void {
  for (const name of ['trades', 'volume', 'notional', 'hash', 'resting'] as const) {
    if (found[name] === expected[name]) continue
    throw new RangeError(`expected ${name} ${expected[name]}, found ${found[name]}`)
  }
}

function send(market: Market, command: Command): void {
  apply(market.exchange, command, market.sink)
}

function header(market: Market): CommandHeader {
  market.sequence += 1
  const by = { account: NO_ACCOUNT, session: 0, fault: null } as const
  return { time: start, sequence: sequence(market.sequence), ...by }
}

function specOf(book: number): InstrumentSpec {
  const named = specFromName('BTC-PERPETUAL', { creation: start })
  if (!named.ok) throw new RangeError('the catalogue knows BTC-PERPETUAL')
  const changed = overrideSpec(named.value, {
    tick_size: '1',
    min_trade_amount: '1',
    contract_size: '1',
    taker_commission: '0.0005',
    maker_commission: '0',
  })
  if (!changed.ok) throw new RangeError('the benchmark lists its instrument')
  return book === 0 ? changed.value : { ...changed.value, name: `BTC-PERPETUAL-${book}` }
}
