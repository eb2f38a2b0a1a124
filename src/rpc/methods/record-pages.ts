/**
 * Pages of records, newest first, and the token that continues a list.
 *
 * A token is opaque to clients: the time and number of the last record of a page in base58, or `none` at the end of the
 * list. Source: market.md 3.6; coverage R39.
 */
import { divFloorBig } from '../../core/index.ts'
import type { Fault } from '../../model/index.ts'
import { paramFault } from './params.ts'

/** The position of a record: its time, and its number within the run. */
interface Dated {
  readonly time: number
  readonly number: number
}

const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const BASE = BigInt(DIGITS.length)
/** Range of the number, which is encoded below the time; both are safe integers. */
const NUMBERS = 1n << 53n
/** Largest number of digits of two safe integers. Every token has this length, so no word is a token. */
const LENGTH = 19

/** The fault of a text that is not a token. */
export function tokenFault(token: string | undefined): Fault | null {
  if (token === undefined || placeIn(token) !== undefined) return null
  return paramFault('continuation', 'invalid')
}

/**
 * A page of a list of records that begins with the oldest. The page has the newest records first, and begins after the
 * place of the token.
 */
export function newestPage<T extends Dated>(
  records: readonly T[],
  count: number,
  continuation?: string,
): { readonly records: readonly T[]; readonly continuation: string } {
  const place = continuation === undefined ? undefined : placeIn(continuation)
  const open = place === undefined ? records : records.filter((record) => isBefore(record, place))
  const page = open.slice(-count).reverse()
  const last = page.at(-1)
  const done = last === undefined || page.length === open.length
  return { records: page, continuation: done ? 'none' : tokenOf(last) }
}

function isBefore(record: Dated, place: Dated): boolean {
  if (record.time !== place.time) return record.time < place.time
  return record.number < place.number
}

function tokenOf(record: Dated): string {
  let rest = BigInt(record.time) * NUMBERS + BigInt(record.number)
  let text = ''
  while (rest > 0n) {
    text = `${DIGITS[Number(rest % BASE)]}${text}`
    rest = divFloorBig(rest, BASE)
  }
  return text.padStart(LENGTH, '1')
}

function placeIn(token: string): Dated | undefined {
  if (token.length !== LENGTH) return undefined
  let value = 0n
  for (const digit of token) {
    const at = DIGITS.indexOf(digit)
    if (at < 0) return undefined
    value = value * BASE + BigInt(at)
  }
  const time = divFloorBig(value, NUMBERS)
  if (time > BigInt(Number.MAX_SAFE_INTEGER)) return undefined
  return { time: Number(time), number: Number(value % NUMBERS) }
}
