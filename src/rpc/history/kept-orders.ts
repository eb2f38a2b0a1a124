/**
 * The last event of each order, as its record in pages: an object for each order of a long run would cost the garbage
 * collector more than the matching of the order.
 *
 * A place has a multiple of 8 words. It is free when its order is deleted or needs a place of another size; the next
 * record that needs its size takes it. Plain orders need 16 words (128 bytes), or 24 with a label. Memory
 * is the sum, over the sizes, of the largest number of places that were in use at one time.
 */
import type { AccountId, Micros, OrderId, Sequence, Unit } from '../../core/index.ts'
import {
  blankOrder,
  createLogBuffer,
  type LogBuffer,
  lengthAt,
  type OrderChanged,
  orderRecords,
} from '../../model/index.ts'

const PAGE_BITS = 13
const PAGE_WORDS = 1 << PAGE_BITS
/**
 * A page with fewer free words takes no more records. This is room for one with a label of 64 characters; a longer
 * record makes its page grow.
 */
const SPARE_WORDS = 48
/** Words before a record: number, time and cause of its event. */
const HEAD_WORDS = 3
/** Sizes of places are multiples of it, so that a record of a slightly different length can take a free place. */
const PLACE_WORDS = 8

/** The last events of orders by id, in the order in which the orders came. This map keeps no objects. */
export class KeptOrders {
  /** A place is the number of a page times the words per page, plus the word within the page. */
  readonly #places = new Map<OrderId, number>()
  readonly #pages: LogBuffer[] = []
  /** Free places by their size in words. */
  readonly #free: number[][] = []
  readonly #lent = blankOrder()
  readonly #fill = orderRecords.orderFiller()

  /** Keeps an event and replaces the previous event of its order. */
  set(event: OrderChanged): void {
    const page = this.#openPage()
    const from = page.at
    page.doubles[from] = event.number
    page.doubles[from + 1] = event.time
    page.doubles[from + 2] = event.cause
    page.at += HEAD_WORDS
    orderRecords.appendOrder(page, event, event, event)
    const size = sizeFor(page.at - from)
    const known = this.#places.get(event.order)
    if (known !== undefined && this.#sizeAt(known) === size) this.#move(page, from, known)
    else {
      if (known !== undefined) this.#release(known)
      const free = this.#free[size]?.pop()
      if (free === undefined) page.at = from + size
      else this.#move(page, from, free)
      this.#places.set(event.order, free ?? (this.#pages.length - 1) * PAGE_WORDS + from)
    }
  }

  /** The last event of an order. */
  get(id: OrderId): OrderChanged | undefined {
    const lent = this.look(id)
    return lent === undefined ? undefined : { ...lent }
  }

  /** The last event of an order in a shared object; the next `get` or `look` overwrites it. */
  look(id: OrderId): OrderChanged | undefined {
    const place = this.#places.get(id)
    if (place === undefined) return undefined
    const [page, at, lent] = [this.#pageOf(place), wordOf(place), this.#lent]
    lent.number = page.doubles[at] as number
    lent.time = page.doubles[at + 1] as Micros
    lent.cause = page.doubles[at + 2] as Sequence
    this.#fill(lent, page, at + HEAD_WORDS)
    return lent
  }

  has(id: OrderId): boolean {
    return this.#places.has(id)
  }

  /** The account of an order, without reading the rest of its record. */
  accountOf(id: OrderId): AccountId | undefined {
    const place = this.#places.get(id)
    if (place === undefined) return undefined
    return orderRecords.recordedAccountAt(this.#pageOf(place), wordOf(place) + HEAD_WORDS)
  }

  delete(id: OrderId): void {
    const place = this.#places.get(id)
    if (place !== undefined) this.#release(place)
    this.#places.delete(id)
  }

  values(): readonly OrderChanged[] {
    return [...this.#places.keys()].flatMap((id) => this.get(id) ?? [])
  }

  /** The page that the next record is written to. */
  #openPage(): LogBuffer {
    const last = this.#pages.at(-1)
    if (last !== undefined && last.at + SPARE_WORDS <= PAGE_WORDS) return last
    const page = createLogBuffer(PAGE_WORDS)
    this.#pages.push(page)
    return page
  }

  /** Moves the last words of a page to a place. */
  #move(page: LogBuffer, from: number, place: number): void {
    const { ints } = this.#pageOf(place)
    const shift = 2 * (wordOf(place) - from)
    // The copy uses integers, because copying text as doubles could change it.
    for (let int = 2 * from; int < 2 * page.at; int += 1) ints[int + shift] = page.ints[int] as number
    page.at = from
  }

  #release(place: number): void {
    const size = this.#sizeAt(place)
    this.#free[size] ??= []
    this.#free[size].push(place)
  }

  #sizeAt(place: number): number {
    return sizeFor(HEAD_WORDS + lengthAt(this.#pageOf(place), wordOf(place) + HEAD_WORDS))
  }

  #pageOf(place: number): LogBuffer {
    // The page of a place exists.
    return this.#pages[place >>> PAGE_BITS] as LogBuffer
  }
}

/** Words of the place for a record. */
function sizeFor(words: number): number {
  return (words + PLACE_WORDS - 1) & -PLACE_WORDS
}

function wordOf(place: number): number {
  return place & (PAGE_WORDS - 1)
}

/** Kept orders in snapshots: the events by their ids. */
export function keptOrdersUnit(events: Unit<Map<OrderId, OrderChanged>>): Unit<KeptOrders> {
  return {
    name: events.name,
    save: (orders) => events.save(new Map(orders.values().map((event) => [event.order, event]))),
    load: (plain) => {
      const orders = new KeptOrders()
      for (const event of events.load(plain).values()) orders.set(event)
      return orders
    },
  }
}
