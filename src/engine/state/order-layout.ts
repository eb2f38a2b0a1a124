/**
 * The layout of the records of live orders. A record holds what every order has; fields with few values are bits of
 * one word. Labels and sessions stand in columns by slot. Terms that few orders have stand in an object of the order's
 * own, which is made when the first of them is set; these objects are a column too. A column ends with the last slot
 * that had something else than most: where nobody has labels there is none.
 *
 * Only this folder knows the layout.
 */
import { assert, createRecords, type RareOf, type Records, recordLayout, usualOf } from '../../core/index.ts'
import { termsWord } from '../../model/index.ts'
import type { HoldingRow } from './holding-row.ts'
import { type LiveOrder, liveOrderFields } from './live-order.ts'

/** The holding of an order that is no more. */
export const NO_HOLDING = -1

/** Terms that few orders have. */
export type RareTerms = { -readonly [N in keyof RareOf<typeof liveOrderFields>]: LiveOrder[N] }

/** The values of these terms for all other orders: one object for all of them. */
export const usualTerms: RareTerms = Object.freeze(usualOf(liveOrderFields))

/**
 * A record: id, size, times and fills of an order, its holding, its bits and its neighbours in the account's list.
 * `paid` is the price of its fills while they have one, then with `paidLow` their basis as a wide integer.
 */
export const orderLayout = recordLayout(
  ['id', 'amount', 'created', 'createdAt', 'updatedAt', 'paid', 'paidLow'],
  ['holding', 'bits', 'next', 'previous'],
)

/** Live orders under the slots of the book. */
export interface LiveOrders extends Records {
  /** Labels by slot, '' for none. */
  readonly labels: string[]
  /** Sessions by slot, or `NO_SESSION`. */
  readonly sessions: number[]
  /** Terms that few orders have, by slot; null for orders without such terms. */
  readonly rare: (RareTerms | null)[]
  /** Every order is taken for one that may have such terms, which changes no result: a test compares both ways. */
  forcesRare: boolean
  /** All holdings of the exchange, which know the instruments of orders. */
  readonly holdings: readonly HoldingRow[]
}

/**
 * Fields of `bits`: flags, and words of a list by the place of their first bit, each with four bits. Those of terms are
 * as in records of the log, which take them as they are.
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

/** How much is known of fills: none yet, one price, or their basis. */
export const paidStates = { none: 0, once: 1, often: 2 } as const

/** The place of a word in its list: these are short, and their words interned. */
export function placeIn<T extends string>(words: readonly T[], word: T): number {
  for (let at = 0; at < words.length; at += 1) if (words[at] === word) return at
  assert(false, `a word belongs to its list, found ${word}`)
  return 0
}

/** Sets what a slot has in a column that has so far had nothing but `usual` from its end on. */
export function setInColumn<T>(
  column: T[],
  slot: number,
  { value, usual }: { readonly value: T; readonly usual: T },
): void {
  if (slot >= column.length && value === usual) return
  while (column.length < slot) column.push(usual)
  column[slot] = value
}

/** No live orders. */
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
