/**
 * The book compared with a naive one: best prices, depth, match order and sizes agree after every step, and the book's
 * own audit passes.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  auditBook,
  type Book,
  bestPrice,
  createBook,
  createOrderSlots,
  cutOrder,
  firstInBook,
  hiddenOf,
  hideOrder,
  levelSize,
  NO_SLOT,
  nextInBook,
  ordersInBook,
  placeOf,
  priceOf,
  reduceOrder,
  releaseSlot,
  remainingOf,
  removeOrder,
  restOrder,
  setHidden,
  setSlot,
  takeSlot,
  visitLevels,
  visitOffers,
  visitOrders,
  wouldTake,
} from '../../../src/book/index.ts'
import { AssertionFailure } from '../../../src/core/assert.ts'
import { NaiveBook } from '../../support/naive-book.ts'
import { askedRuns, isWhole } from '../../support/property-runs.ts'

const sides = ['buy', 'sell'] as const
type Side = (typeof sides)[number]

/** A book and a naive book under the same steps; keys name orders in both. */
class Twins {
  readonly book: Book
  readonly twin = new NaiveBook()
  private readonly slots = new Map<number, number>()
  private nextKey = 0

  constructor(book: Book = createBook(createOrderSlots())) {
    this.book = book
  }

  rest(side: Side, price: number, remaining: number, hidden = 0): void {
    const met = this.twin.best(side === 'buy' ? 'sell' : 'buy')
    // The engine never rests an order that would take.
    if (met !== undefined && (side === 'buy' ? price >= met : price <= met)) return
    const key = this.nextKey
    this.nextKey += 1
    const slot = takeSlot(this.book.slots, 1, price, remaining)
    this.slots.set(key, slot)
    setHidden(this.book.slots, slot, hidden)
    restOrder(this.book, side, slot)
    this.twin.rest({ key, side, price, remaining, hidden })
  }

  remove(at: number): void {
    const order = this.pick(at)
    if (order === undefined) return
    const slot = this.slots.get(order.key) ?? NO_SLOT
    removeOrder(this.book, order.side, slot)
    releaseSlot(this.book.slots, slot)
    this.slots.delete(order.key)
    this.twin.remove(order.key)
  }

  reduce(at: number, size: number): void {
    const order = this.pick(at)
    if (order === undefined || order.remaining - order.hidden <= size) return
    reduceOrder(this.book, order.side, this.slots.get(order.key) ?? NO_SLOT, size)
    this.twin.reduce(order.key, size)
  }

  /** Reduces the hidden part first. */
  cut(at: number, size: number): void {
    const order = this.pick(at)
    if (order === undefined || order.remaining <= size) return
    const slot = this.slots.get(order.key) ?? NO_SLOT
    cutOrder(this.book, order.side, slot, size)
    this.twin.cut(order.key, size)
  }

  hide(at: number, size: number): void {
    const order = this.pick(at)
    if (order === undefined || order.remaining - order.hidden <= size) return
    const slot = this.slots.get(order.key) ?? NO_SLOT
    hideOrder(this.book, order.side, slot, size)
    this.twin.hide(order.key, size)
  }

  /** Removes and rests again, like an edit that loses its place. */
  move(at: number, price: number): void {
    const order = this.pick(at)
    if (order === undefined) return
    this.remove(at)
    this.rest(order.side, price, order.remaining, order.hidden)
  }

  agree(): void {
    auditBook(this.book)
    const keys = new Map([...this.slots].map(([key, slot]) => [slot, key]))
    for (const side of sides) {
      const queue = this.twin.queue(side)
      expect(bestPrice(this.book, side)).toBe(this.twin.best(side))
      const walked: (number | undefined)[] = []
      visitOrders(this.book, side, (slot) => walked.push(keys.get(slot)))
      expect(walked).toEqual(queue.map((order) => order.key))
      const levels: [number, number][] = []
      visitLevels(this.book, side, 1000, (price, size) => levels.push([price, size]) > 0)
      expect(levels).toEqual(this.twin.levels(side))
      for (const [price, size] of levels) expect(levelSize(this.book, side, price)).toBe(size)
      expect(keys.get(firstInBook(this.book, side))).toBe(queue[0]?.key)
      const offers: object[] = []
      visitOffers(this.book, side, ({ slot, price, lots }) => {
        offers.push({ key: keys.get(slot), price, lots })
        return true
      })
      expect(offers).toEqual(this.twin.offers(side))
    }
    for (const { key, remaining, hidden } of this.twin.all()) {
      const slot = this.slots.get(key) ?? NO_SLOT
      const { slots } = this.book
      expect([remainingOf(slots, slot), hiddenOf(slots, slot)]).toEqual([remaining, hidden])
    }
    expect(ordersInBook(this.book)).toBe(this.twin.all().length)
    expect(this.book.slots.used).toBe(this.slots.size)
  }

  private pick(at: number): ReturnType<NaiveBook['all']>[number] | undefined {
    const orders = this.twin.all()
    return orders[at % Math.max(1, orders.length)]
  }
}

const tight = fc.integer({ min: 95, max: 105 })
/** Around the edges of pages of 256 ticks, of either sign, and far away. */
const wide = fc.oneof(
  fc.tuple(fc.integer({ min: -6, max: 6 }), fc.integer({ min: -2, max: 2 })).map(([page, off]) => page * 256 + off),
  fc.integer({ min: -1_000_000, max: 1_000_000 }),
  fc.constantFrom(-(2 ** 40), 2 ** 40, 0, -1, 255, 256, -256, -257),
)

function steps(price: fc.Arbitrary<number>): fc.Arbitrary<readonly ((twins: Twins) => void)[]> {
  const at = fc.nat(200)
  const size = fc.integer({ min: 1, max: 50 })
  const step = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.tuple(fc.constantFrom(...sides), price, size).map(
        ([side, where, lots]) =>
          (twins: Twins) =>
            twins.rest(side, where, lots),
      ),
    },
    {
      weight: 3,
      arbitrary: fc.tuple(fc.constantFrom(...sides), price, size, size).map(
        ([side, where, seen, unseen]) =>
          (twins: Twins) =>
            twins.rest(side, where, seen + unseen, unseen),
      ),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(at, size, fc.boolean()).map(
        ([which, lots, cuts]) =>
          (twins: Twins) =>
            cuts ? twins.cut(which, lots) : twins.hide(which, lots),
      ),
    },
    { weight: 2, arbitrary: at.map((which) => (twins: Twins) => twins.remove(which)) },
    {
      weight: 2,
      arbitrary: fc.tuple(at, size).map(
        ([which, lots]) =>
          (twins: Twins) =>
            twins.reduce(which, lots),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(at, price).map(
        ([which, where]) =>
          (twins: Twins) =>
            twins.move(which, where),
      ),
    },
  )
  return fc.array(step, { maxLength: 80, size: 'max' })
}

describe('a book agrees with a naive book', () => {
  test.each([
    ['in a narrow range of prices', tight, 120],
    ['over pages, their edges and negative prices', wide, 80],
  ])('%s', (_where, price, numRuns) => {
    fc.assert(
      fc.property(steps(price), (sequence) => {
        const twins = new Twins()
        for (const step of sequence) {
          step(twins)
          twins.agree()
        }
      }),
      { numRuns: askedRuns(numRuns, 1, numRuns / 4) },
    )
  })

  test('every sequence of up to four commands over two prices and two sides', () => {
    const rests = sides.flatMap((side) => [255, 256].map((price) => (twins: Twins) => twins.rest(side, price, 2)))
    const touches = [0, 1].flatMap((at) => [
      (twins: Twins) => twins.remove(at),
      (twins: Twins) => twins.reduce(at, 1),
      (twins: Twins) => twins.move(at, 255),
      (twins: Twins) => twins.move(at, 256),
    ])
    const commands = [...rests, ...touches]
    // Each further command makes twelve times as many sequences.
    const longest = isWhole ? 4 : 3
    let count = 0
    const walk = (prefix: readonly ((twins: Twins) => void)[]): void => {
      const twins = new Twins()
      for (const step of prefix) step(twins)
      twins.agree()
      count += 1
      if (prefix.length < longest) for (const step of commands) walk([...prefix, step])
    }
    walk([])
    const lengths = Array.from({ length: longest + 1 }, (_, length) => 12 ** length)
    expect(count).toBe(lengths.reduce((sum, each) => sum + each, 0))
  })

  test('books that share slots are independent', () => {
    const slots = createOrderSlots()
    const [left, right] = [new Twins(createBook(slots)), new Twins(createBook(slots))]
    const leftOnly = takeSlot(slots, 3, 7, 1)
    restOrder(left.book, 'buy', leftOnly)
    expect(bestPrice(left.book, 'buy')).toBe(7)
    expect(bestPrice(right.book, 'buy')).toBeUndefined()
    auditBook(left.book)
    auditBook(right.book)
  })
})

describe('queries of a book', () => {
  test('wouldTake: at or beyond the best price of the other side', () => {
    const { book } = twinsOf([
      ['sell', 10, 1],
      ['buy', 8, 1],
    ])
    expect([9, 10, 11].map((price) => wouldTake(book, 'buy', price))).toEqual([false, true, true])
    expect([9, 8, 7].map((price) => wouldTake(book, 'sell', price))).toEqual([false, true, true])
    const empty = createBook(createOrderSlots())
    expect(wouldTake(empty, 'buy', 1) || wouldTake(empty, 'sell', 1)).toBe(false)
    expect(firstInBook(empty, 'buy')).toBe(NO_SLOT)
    expect(levelSize(empty, 'buy', 5)).toBe(0)
  })

  test('a walk can stop at a depth, and continues over gaps of many pages', () => {
    const { book } = twinsOf([
      ['sell', 1, 1],
      ['sell', 1_000_000, 2],
      ['sell', -70_000, 3],
    ])
    const seen: number[] = []
    visitLevels(book, 'sell', 2, (price) => seen.push(price) > 0)
    expect(seen).toEqual([-70_000, 1])
    const last = nextInBook(book, 'sell', nextInBook(book, 'sell', firstInBook(book, 'sell')))
    expect(priceOf(book.slots, last)).toBe(1_000_000)
    expect(nextInBook(book, 'sell', last)).toBe(NO_SLOT)
  })

  test('a price that wanders leaves no more pages behind than it may', () => {
    const twins = new Twins()
    for (let price = 0; price < 200_000; price += 256) {
      twins.rest('buy', price, 1)
      if (price >= 1024) twins.remove(0)
    }
    twins.agree()
    expect(twins.book.bids.pages.size).toBeLessThanOrEqual(25)
  })

  test('the audit detects damage: a size that does not add up, a crossed book, a broken link', () => {
    const wrongSize = twinsOf([['buy', 8, 2]]).book
    setSlot(wrongSize.slots, firstInBook(wrongSize, 'buy'), 8, 1)
    expect(() => auditBook(wrongSize)).toThrow(AssertionFailure)

    const crossed = createBook(createOrderSlots())
    for (const [side, price] of [
      ['buy', 10],
      ['sell', 10],
    ] as const) {
      restOrder(crossed, side, takeSlot(crossed.slots, 1, price, 1))
    }
    expect(() => auditBook(crossed)).toThrow('a book at rest is not crossed')

    const broken = twinsOf([
      ['buy', 8, 1],
      ['buy', 8, 1],
    ]).book
    const { layout, words } = broken.slots
    const first = firstInBook(broken, 'buy') * layout.lengths.words
    words[first + (layout.words['next'] ?? 0)] = NO_SLOT
    expect(() => auditBook(broken)).toThrow(AssertionFailure)
  })

  test('the order of the queue at one price', () => {
    const { book } = twinsOf([
      ['buy', 8, 1],
      ['buy', 8, 1],
      ['buy', 8, 1],
    ])
    const first = firstInBook(book, 'buy')
    const second = nextInBook(book, 'buy', first)
    const third = nextInBook(book, 'buy', second)
    const places = [first, second, third].map((slot) => placeOf(book.slots, slot))
    expect(places).toEqual([...places].sort((left, right) => left - right))
    expect(new Set(places).size).toBe(3)
  })

  test('a walk over the offers to a taker may stop anywhere', () => {
    const twins = new Twins()
    twins.rest('sell', 10, 5, 3)
    twins.rest('sell', 10, 1)
    twins.rest('sell', 11, 1)
    const met = (stop: number): number[] => {
      const sizes: number[] = []
      visitOffers(twins.book, 'sell', ({ lots }) => {
        sizes.push(lots)
        return sizes.length < stop
      })
      return sizes
    }
    expect(met(9)).toEqual([2, 1, 3, 1])
    for (const stop of [1, 2, 3]) expect(met(stop)).toEqual([2, 1, 3, 1].slice(0, stop))
  })

  test('an order that shows nothing cannot rest', () => {
    const book = createBook(createOrderSlots())
    const slot = takeSlot(book.slots, 1, 5, 2)
    setHidden(book.slots, slot, 2)
    expect(() => restOrder(book, 'buy', slot)).toThrow(AssertionFailure)
  })

  test('the audit counts hidden size', () => {
    const twins = new Twins()
    twins.rest('sell', 10, 5, 3)
    setHidden(twins.book.slots, firstInBook(twins.book, 'sell'), 2)
    expect(() => auditBook(twins.book)).toThrow(AssertionFailure)
  })

  test('an order cannot be reduced to nothing', () => {
    const { book } = twinsOf([['buy', 8, 2]])
    const slot = firstInBook(book, 'buy')
    expect(() => reduceOrder(book, 'buy', slot, 2)).toThrow(AssertionFailure)
  })
})

function twinsOf(orders: readonly (readonly [Side, number, number])[]): Twins {
  const twins = new Twins()
  for (const [side, price, size] of orders) twins.rest(side, price, size)
  return twins
}
