/** Trigger books compared with a naive list: which of the waiting orders fire on a move, and in which order. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addTrigger,
  auditTriggers,
  createTriggerBook,
  firesAt,
  fixedTrigger,
  removeTrigger,
  setTriggerOffset,
  setTriggerPrice,
  takeFired,
  trailingTrigger,
  type WaitingTrigger,
} from '../../../src/book/index.ts'
import { AssertionFailure } from '../../../src/core/assert.ts'

/** A waiting order of the list; `offset` is 0 for a fixed price. */
interface Naive {
  readonly order: number
  readonly rises: boolean
  price: number
  offset: number
  extreme: number
}

/** Both under the same steps. The watched price starts at 1000. */
class Twins {
  readonly book = createTriggerBook()
  private readonly triggers = new Map<number, WaitingTrigger>()
  private naive: Naive[] = []
  private value = 1000
  private orders = 0

  fixed(rises: boolean, distance: number): void {
    this.orders += 1
    const order = this.orders
    const price = this.value + (rises ? distance : -distance)
    this.add(fixedTrigger({ order, rises, price }))
    this.naive.push({ order, rises, price, offset: 0, extreme: 0 })
  }

  trailing(rises: boolean, offset: number): void {
    this.orders += 1
    const order = this.orders
    const extreme = this.value
    this.add(trailingTrigger({ order, rises, offset, extreme }))
    this.naive.push({ order, rises, offset, extreme, price: priceOf({ rises, offset, extreme }) })
  }

  remove(at: number): void {
    const found = this.pick(at)
    if (found === undefined) return
    const { twin, trigger } = found
    removeTrigger(this.book, trigger)
    this.forget(twin)
  }

  /** Sets another price of a fixed order or another distance of a trailing one, unless it would fire. */
  change(at: number, distance: number): void {
    const found = this.pick(at)
    if (found === undefined) return
    const { twin, trigger } = found
    const changed =
      twin.offset === 0
        ? { ...twin, price: this.value + (twin.rises ? distance : -distance) }
        : { ...twin, offset: distance, price: priceOf({ ...twin, offset: distance }) }
    if (firesAt(changed, this.value)) return
    removeTrigger(this.book, trigger)
    if (twin.offset === 0) setTriggerPrice(trigger, changed.price)
    else setTriggerOffset(trigger, distance)
    addTrigger(this.book, trigger)
    Object.assign(twin, changed)
  }

  /** Moves the price; the fired orders must equal those of the list, in the same order. */
  move(by: number): void {
    this.value = Math.max(1, this.value + by)
    for (const twin of this.naive) {
      if (twin.offset === 0) continue
      const { rises, extreme } = twin
      twin.extreme = rises ? Math.min(extreme, this.value) : Math.max(extreme, this.value)
      twin.price = priceOf(twin)
    }
    const fired = this.naive.filter((twin) => firesAt(twin, this.value))
    const up = fired.filter(({ rises }) => rises).sort((a, b) => a.price - b.price || a.order - b.order)
    const down = fired.filter(({ rises }) => !rises).sort((a, b) => b.price - a.price || a.order - b.order)
    const taken = takeFired(this.book, this.value).map(({ order }) => order)
    expect(taken).toEqual([...up, ...down].map(({ order }) => order))
    for (const twin of fired) this.forget(twin)
  }

  agree(): void {
    auditTriggers(this.book, this.value)
    const { rising, falling, trailing } = this.book
    const waiting = [...rising, ...falling, ...trailing]
    const byOrder = (a: { order: number }, b: { order: number }): number => a.order - b.order
    expect(waiting.toSorted(byOrder)).toEqual(this.naive.toSorted(byOrder))
  }

  private add(trigger: WaitingTrigger): void {
    this.triggers.set(trigger.order, trigger)
    addTrigger(this.book, trigger)
  }

  private forget(twin: Naive): void {
    this.naive = this.naive.filter((other) => other !== twin)
    this.triggers.delete(twin.order)
  }

  private pick(at: number): { readonly twin: Naive; readonly trigger: WaitingTrigger } | undefined {
    const twin = this.naive[at % Math.max(1, this.naive.length)]
    const trigger = twin === undefined ? undefined : this.triggers.get(twin.order)
    return twin === undefined || trigger === undefined ? undefined : { twin, trigger }
  }
}

function priceOf({ rises, offset, extreme }: Pick<Naive, 'rises' | 'offset' | 'extreme'>): number {
  return rises ? extreme + offset : extreme - offset
}

const distance = fc.integer({ min: 1, max: 12 })
const step = fc.oneof(
  fc.tuple(fc.boolean(), distance).map(
    ([rises, far]) =>
      (twins: Twins) =>
        twins.fixed(rises, far),
  ),
  fc.tuple(fc.boolean(), distance).map(
    ([rises, far]) =>
      (twins: Twins) =>
        twins.trailing(rises, far),
  ),
  fc.integer({ min: -8, max: 8 }).map((by) => (twins: Twins) => twins.move(by)),
  fc.nat(50).map((at) => (twins: Twins) => twins.remove(at)),
  fc.tuple(fc.nat(50), distance).map(
    ([at, far]) =>
      (twins: Twins) =>
        twins.change(at, far),
  ),
)

describe('a trigger book agrees with a naive list', () => {
  test('after every step', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80, size: 'max' }), (steps) => {
        const twins = new Twins()
        for (const act of steps) {
          act(twins)
          twins.agree()
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('which orders fire', () => {
  test('at their price and beyond it, on their side of it', () => {
    const rises = { rises: true, price: 100 }
    const falls = { rises: false, price: 100 }
    expect([99, 100, 101].map((value) => firesAt(rises, value))).toEqual([false, true, true])
    expect([99, 100, 101].map((value) => firesAt(falls, value))).toEqual([true, true, false])
  })

  test('on a rise by rising price, on a fall by falling price, the older first at one price', () => {
    const book = createTriggerBook()
    for (const [order, price] of [
      [1, 120],
      [2, 110],
      [3, 110],
      [4, 131],
    ] as const) {
      addTrigger(book, fixedTrigger({ order, rises: true, price }))
    }
    for (const [order, price] of [
      [5, 80],
      [6, 90],
      [7, 90],
    ] as const) {
      addTrigger(book, fixedTrigger({ order, rises: false, price }))
    }
    const numbers = (value: number): number[] => takeFired(book, value).map(({ order }) => order)
    expect(numbers(109)).toEqual([])
    expect(numbers(130)).toEqual([2, 3, 1])
    expect(numbers(80)).toEqual([6, 7, 5])
    expect(numbers(80)).toEqual([])
    expect(book.rising.map(({ order }) => order)).toEqual([4])
  })

  test('a trailing order fires at its distance from the best price since', () => {
    const book = createTriggerBook()
    const sell = trailingTrigger({ order: 1, rises: false, offset: 10, extreme: 100 })
    addTrigger(book, sell)
    for (const [value, price] of [
      [95, 90],
      [105, 95],
      [104, 95],
    ] as const) {
      expect(takeFired(book, value)).toEqual([])
      expect(sell.price).toBe(price)
    }
    setTriggerOffsetIn(book, sell, 5)
    expect(sell).toMatchObject({ price: 100, extreme: 105 })
    expect(takeFired(book, 100)).toEqual([sell])
    expect(book.trailing).toEqual([])
  })

  test('fixed and trailing ones together, by where they fire', () => {
    const book = createTriggerBook()
    addTrigger(book, fixedTrigger({ order: 1, rises: true, price: 108 }))
    addTrigger(book, trailingTrigger({ order: 2, rises: true, offset: 5, extreme: 100 }))
    addTrigger(book, trailingTrigger({ order: 3, rises: true, offset: 8, extreme: 100 }))
    expect(takeFired(book, 108).map(({ order }) => order)).toEqual([2, 1, 3])
  })

  test('an edited trailing order keeps its place by id, so that a restored book equals the original', () => {
    const book = createTriggerBook()
    const first = trailingTrigger({ order: 1, rises: true, offset: 5, extreme: 100 })
    addTrigger(book, first)
    addTrigger(book, trailingTrigger({ order: 2, rises: true, offset: 8, extreme: 100 }))
    setTriggerOffsetIn(book, first, 6)
    expect(book.trailing.map(({ order }) => order)).toEqual([1, 2])
    book.trailing.reverse()
    expect(() => auditTriggers(book, 50)).toThrow('trailing triggers are in the order of their ids')
  })
})

function setTriggerOffsetIn(book: ReturnType<typeof createTriggerBook>, trigger: WaitingTrigger, offset: number): void {
  removeTrigger(book, trigger)
  setTriggerOffset(trigger, offset)
  addTrigger(book, trigger)
}

describe('mistakes', () => {
  test('an absent order cannot be removed', () => {
    const book = createTriggerBook()
    const fixed = fixedTrigger({ order: 1, rises: true, price: 10 })
    const trailing = trailingTrigger({ order: 2, rises: true, offset: 1, extreme: 10 })
    expect(() => removeTrigger(book, fixed)).toThrow(AssertionFailure)
    expect(() => removeTrigger(book, trailing)).toThrow(AssertionFailure)
    addTrigger(book, { ...fixed })
    expect(() => removeTrigger(book, fixed)).toThrow(AssertionFailure)
  })

  test('a price belongs to fixed orders, a distance to trailing ones', () => {
    const fixed = fixedTrigger({ order: 1, rises: true, price: 10 })
    const trailing = trailingTrigger({ order: 2, rises: true, offset: 1, extreme: 10 })
    expect(() => setTriggerOffset(fixed, 5)).toThrow(AssertionFailure)
    expect(() => setTriggerOffset(trailing, 0)).toThrow(AssertionFailure)
    expect(() => setTriggerPrice(trailing, 5)).toThrow(AssertionFailure)
  })

  test('the audit detects damage', () => {
    const fixed = (order: number, price: number) => fixedTrigger({ order, rises: true, price })
    const audited = (change: (book: ReturnType<typeof createTriggerBook>) => void) => () => {
      const book = createTriggerBook()
      for (const [order, price] of [
        [1, 20],
        [2, 30],
      ] as const) {
        addTrigger(book, fixed(order, price))
      }
      addTrigger(book, trailingTrigger({ order: 3, rises: false, offset: 5, extreme: 15 }))
      change(book)
      auditTriggers(book, 15)
    }
    expect(audited(() => {})).not.toThrow()
    expect(audited(({ rising }) => rising.reverse())).toThrow('the next trigger to fire is the last in the list')
    expect(audited(({ rising }) => rising.push(fixed(4, 15)))).toThrow('a waiting trigger has not fired')
    expect(audited(({ falling }) => falling.push(fixed(4, 50)))).toThrow(AssertionFailure)
    expect(
      audited(({ trailing }) => {
        const [first] = trailing
        if (first !== undefined) first.price += 1
      }),
    ).toThrow('a trailing trigger has its price')
  })
})
