/** The memory of resting orders and books, and the effect of many books on speed. */
import { instrumentId } from '../../src/core/index.ts'
import { apply, audit } from '../../src/engine/index.ts'
import {
  applyStream,
  commandAt,
  countTrades,
  expectOutcome,
  type Market,
  openMarket,
  type TradeCounter,
} from './market.ts'
import { bytesInUse, type Contender, median, rotate } from './measure.ts'
import type { BenchRow } from './row.ts'
import { COMMAND_WORDS, type OrderStream } from './stream.ts'

const books = 1000
const rounds = 3

/** Bytes of heap and array buffers for each order that rests at the end of the deep stream. */
export function benchRestingOrders(stream: OrderStream): BenchRow[] {
  const before = bytesInUse()
  const trades = countTrades()
  const market = openMarket(trades)
  applyStream(market, stream.words)
  const bytes = bytesInUse() - before
  expectOutcome(trades.outcome(market), stream.outcome)
  audit(market.exchange)
  return [
    {
      name: 'memory of a resting order, deep stream',
      unit: 'B',
      target: '<= 250',
      value: Math.round(bytes / stream.outcome.resting),
    },
  ]
}

interface Run {
  readonly market: Market
  readonly trades: TradeCounter
}

/** A thousand books that take turns, compared with one book. */
export function benchBooks(stream: OrderStream): BenchRow[] {
  const before = bytesInUse()
  const idle = openMarket(countTrades())
  const empty = bytesInUse()
  const full = openMarket(countTrades(), books)
  applyToBooks(full, stream.words)
  const bytes = bytesInUse() - empty - (empty - before)
  audit(idle.exchange)
  audit(full.exchange)
  const [one = [], many = []] = rotate([oneBook(stream), manyBooks(stream)], rounds)
  return [
    {
      name: '1,000 books in turn against one',
      unit: 'x',
      target: '>= 0.3',
      value: median(one.map((seconds, round) => seconds / (many[round] ?? Number.NaN))),
    },
    {
      name: 'memory of a book, with its orders and holdings',
      unit: 'KB',
      target: '<= 300',
      value: Math.round(bytes / books / 1024),
    },
  ]
}

/**
 * Each command of the stream's start goes to every book in turn, as many commands as the stream has. Orders are
 * numbered across books: the nth orders of all books form one run of `books` numbers.
 */
function applyToBooks(market: Market, words: Int32Array): void {
  const { exchange, sink } = market
  const end = (words.length / COMMAND_WORDS / books) * COMMAND_WORDS
  for (let at = 0; at < end; at += COMMAND_WORDS) {
    const first = ((words[at + 1] as number) - 1) * books + 1
    for (let book = 0; book < books; book += 1) {
      const place = { at, id: first + book, book: instrumentId(book) }
      apply(exchange, commandAt(market, words, place), sink)
    }
  }
}

function oneBook(stream: OrderStream): Contender<unknown> {
  const contender: Contender<Run> = {
    name: 'one book',
    prepare: () => open(1),
    run: ({ market }) => applyStream(market, stream.words),
    check: ({ market, trades }) => expectOutcome(trades.outcome(market), stream.outcome),
  }
  return contender as Contender<unknown>
}

function manyBooks(stream: OrderStream): Contender<unknown> {
  const contender: Contender<Run> = {
    name: 'many books',
    prepare: () => open(books),
    run: ({ market }) => applyToBooks(market, stream.words),
    check: ({ market }) => audit(market.exchange),
  }
  return contender as Contender<unknown>
}

function open(count: number): Run {
  const trades = countTrades()
  return { market: openMarket(trades, count), trades }
}
