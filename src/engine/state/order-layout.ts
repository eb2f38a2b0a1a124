/**
 * The layout of the records of live orders. A record has the fields that every order has; fields with few possible
 * values are bits of one word. Labels and sessions are in columns, indexed by slot. Terms that few orders have are in a
 * separate object, created when the first of them is set; these objects are a column too. A column is only as long as
 * its last slot with an unusual value: if no order has a label, the label column is empty.
 *
 * Only this folder knows the layout.
 */
import { assert, createRecords, type RareOf, type Records, recordLayout, usualOf } from '../../core/index.ts'
import { termsWord } from '../../model/index.ts'
import type { HoldingRow } from './holding-row.ts'
import { type LiveOrder, liveOrderFields } from './live-order.ts'

/** The holding in the record of an order that has ended. */
export const NO_HOLDING = -1

/** Terms that few orders have. */
export type RareTerms = { -readonly [N in keyof RareOf<typeof liveOrderFields>]: LiveOrder[N] }

/** The usual values of these terms. All orders without rare terms share this object. */
export const usualTerms: RareTerms = Object.freeze(usualOf(liveOrderFields))

/**
 * A record: id, size, times and fills of an order, its holding, its bits, and its neighbours in the account's list.
 * `paid` is the price of its fills while they have one price; afterwards `paid` and `paidLow` are their basis as a wide
 * integer.
 */
export const orderLayout = recordLayout(
  ['id', 'amount', 'created', 'createdAt', 'updatedAt', 'paid', 'paidLow'],
  ['holding', 'bits', 'next', 'previous'],
)

/** Live orders, indexed by the slots of the book. */
export interface LiveOrders extends Records {
  /** Labels by slot, '' for none. */
  readonly labels: string[]
  /** Sessions by slot, or `NO_SESSION`. */
  readonly sessions: number[]
  /** Terms that few orders have, by slot; null for orders without such terms. */
  readonly rare: (RareTerms | null)[]
  /** If true, every order is treated as if it may have such terms. Results are the same; a test compares both ways. */
  forcesRare: boolean
  /** All holdings of the exchange. They refer to the instruments of orders. */
  readonly holdings: readonly HoldingRow[]
}

/**
 * Fields of `bits`: flags, and words as indices into their lists, by the position of the first of four bits. The bits
 * of terms have the same positions as in records of the log, which copy them.
 */
export const orderFlags = {
  sells: termsWord.sells,
  reduces: termsWord.reduces,
  stood: 4,
  rare: 8,
  replaced: termsWord.replaced,
} as const
export const orderWordsAt = {
  type: termsWord.type,
  timeInForce: termsWord.timeInForce,
  postOnly: termsWord.postOnly,
  stage: 16,
  paid: 20,
} as const
export const WORD_BITS = 15

/** Knowledge about fills: no fill yet, one price, or their basis. */
export const paidStates = { none: 0, once: 1, often: 2 } as const

/** The index of a word in its list. The lists are short, and their words are interned. */
export function placeIn<T extends string>(words: readonly T[], word: T): number {
  for (let at = 0; at < words.length; at += 1) if (words[at] === word) return at
  assert(false, `a word belongs to its list, found ${word}`)
  return 0
}

/** Sets the value of a slot in a column. Slots beyond the end of the column have the value `usual`. */
export function setInColumn<T>(column: T[], slot: number, value: T, usual: T): void {
  if (slot >= column.length && value === usual) return
  while (column.length < slot) column.push(usual)
  column[slot] = value
}

/** A store without live orders. */
export function createOrderStore(holdings: readonly HoldingRow[]): LiveOrders {
  return {
    ...createRecords(orderLayout, 0),
    labels: [],
    sessions: [],
    rare: [],
    forcesRare: false,
    holdings,
  }
}
