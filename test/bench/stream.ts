/**
 * Command streams for the order benchmarks, with the outcome that every engine must reach.
 *
 * In `growing`, 55 % of the commands are limit orders of 1 to 100 lots, 1 to 50 ticks from a random-walk middle, 35 %
 * cancel a random live order, and 10 % are market orders; up to 10,000 orders are live. `deep` mixes 85, 10 and 5 %
 * over 2,000 ticks around a fixed middle, for a book of 700,000 orders. While fewer than 50 orders are live, all
 * commands are limit orders.
 *
 * The generator runs a naive book, so that each cancel names a live order, and to compute the outcome. Ids count limit
 * and market orders from 1, like those of the engine.
 */

/** The kinds of streams. */
export type StreamMode = 'growing' | 'deep'

/** The outcome that an engine must reach at the end of a stream. */
export interface Outcome {
  readonly trades: number
  readonly volume: number
  /** Sum of ticks times lots. */
  readonly notional: number
  /** A hash of the pair of ids and the size of each trade, in order. */
  readonly hash: number
  readonly resting: number
}

/** Commands in 32-bit words, four each: kind and side, id, price in ticks, lots. */
export interface OrderStream {
  readonly words: Int32Array
  readonly outcome: Outcome
}

/** Kinds of commands, the low byte of the first word; the next byte is 0 for a buy, 1 for a sell. */
export const streamCommand = { limit: 0, cancel: 1, market: 2 } as const

/** Words of a command. */
export const COMMAND_WORDS = 4

/** The hash of trades including one more. */
export function hashTrade(
  hash: number,
  trade: { readonly maker: number; readonly taker: number; readonly lots: number },
): number {
  return (Math.imul(hash, 31) + (trade.maker ^ trade.taker) + trade.lots) | 0
}

interface NaiveOrder {
  readonly id: number
  readonly sells: boolean
  readonly price: number
  lots: number
  /** Position in the list of live orders. */
  at: number
}

/** The naive book: a queue for each price; it finds the best price by checking all of them. */
interface NaiveBook {
  readonly bids: Map<number, NaiveOrder[]>
  readonly asks: Map<number, NaiveOrder[]>
  readonly live: NaiveOrder[]
  trades: number
  volume: number
  notional: number
  hash: number
}

const middleAtStart = 40_000
const liveMin = 50

/** Makes a stream of `length` commands. */
export function makeStream(mode: StreamMode, length: number): OrderStream {
  const draw = drawsFrom(20_260_105)
  const deep = mode === 'deep'
  const [limits, cancels] = deep ? [0.85, 0.95] : [0.55, 0.9]
  const words = new Int32Array(length * COMMAND_WORDS)
  const book = emptyBook()
  let middle = middleAtStart
  let orders = 0
  for (let at = 0; at < words.length; at += COMMAND_WORDS) {
    const step = draw(20)
    if (!deep && step === 0) middle -= 1
    if (!deep && step === 19) middle += 1
    const share = draw(1_000_000) / 1_000_000
    const sells = draw(2) === 1
    const size = 1 + draw(100)
    const away = 1 + draw(deep ? 2000 : 50)
    if (share < limits || book.live.length < liveMin) {
      orders += 1
      const price = sells ? middle + away : middle - away
      const order = { id: orders, sells, price, lots: size, at: -1 }
      place(book, order)
      words.set([streamCommand.limit | (sells ? 256 : 0), orders, price, size], at)
    } else if (share < cancels) {
      const order = book.live[draw(book.live.length)]
      if (order === undefined) throw new RangeError('a live order has a place in the list')
      remove(book, order)
      words.set([streamCommand.cancel, order.id, 0, 0], at)
    } else {
      orders += 1
      const price = sells ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
      match(book, { id: orders, sells, price, lots: size, at: -1 })
      words.set([streamCommand.market | (sells ? 256 : 0), orders, 0, size], at)
    }
  }
  const { trades, volume, notional, hash, live } = book
  const outcome = { trades, volume, notional, hash, resting: live.length }
  return { words, outcome }
}

function emptyBook(): NaiveBook {
  const counts = { trades: 0, volume: 0, notional: 0, hash: 0 }
  return { bids: new Map(), asks: new Map(), live: [], ...counts }
}

function place(book: NaiveBook, order: NaiveOrder): void {
  match(book, order)
  if (order.lots === 0) return
  const side = order.sells ? book.asks : book.bids
  const queue = side.get(order.price)
  if (queue === undefined) side.set(order.price, [order])
  else queue.push(order)
  order.at = book.live.length
  book.live.push(order)
}

function match(book: NaiveBook, taker: NaiveOrder): void {
  const makers = taker.sells ? book.bids : book.asks
  while (taker.lots > 0 && makers.size > 0) {
    const prices = [...makers.keys()]
    const best = taker.sells ? Math.max(...prices) : Math.min(...prices)
    if (taker.sells ? best < taker.price : best > taker.price) return
    const maker = makers.get(best)?.[0]
    if (maker === undefined) throw new RangeError('a price in the book has orders')
    const lots = Math.min(taker.lots, maker.lots)
    taker.lots -= lots
    maker.lots -= lots
    book.trades += 1
    book.volume += lots
    book.notional += lots * best
    book.hash = hashTrade(book.hash, { maker: maker.id, taker: taker.id, lots })
    if (maker.lots === 0) remove(book, maker)
  }
}

function remove(book: NaiveBook, order: NaiveOrder): void {
  const side = order.sells ? book.asks : book.bids
  const queue = side.get(order.price)
  if (queue === undefined) throw new RangeError('a live order stands at its price')
  queue.splice(queue.indexOf(order), 1)
  if (queue.length === 0) side.delete(order.price)
  const last = book.live.pop()
  if (last === undefined || last === order) return
  last.at = order.at
  book.live[order.at] = last
}

/** A 32-bit linear congruence with its upper bits mixed: small, seeded and good enough for a mix. */
export function drawsFrom(seed: number): (below: number) => number {
  let state = seed | 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    let mixed = state ^ (state >>> 16)
    mixed = Math.imul(mixed, 0x45d9f3b)
    mixed ^= mixed >>> 15
    return Math.floor(((mixed >>> 0) / 4_294_967_296) * below)
  }
}
