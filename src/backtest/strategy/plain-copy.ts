/**
 * Deep copies of plain data that comes from strategies or goes to them, so that later changes on one side do not affect
 * the other. The copy has the form that snapshots carry: absent values are omitted and -0 becomes 0. A value that is
 * not plain (NaN, a function, an object with a class, more than `DEPTH_MAX` levels) throws a `TypeError` that names its
 * place. Callers run where exceptions are mistakes of the strategy.
 *
 * Parameters of requests are JSON, which has no bigints and no typed arrays.
 */
import { coded, type Plain } from '../../core/index.ts'

const DEPTH_MAX = 32
const INDEX_KEY = /^(?:0|[1-9][0-9]*)$/
const UNDERSCORE = 95
const DIGIT_0 = 48
const DIGIT_9 = 57

/** Copies a value; `place` is its name in messages. With `isJson` the copy has only values that JSON can express. */
export function plainCopy(value: unknown, place: string, isJson = false, depth = 0): Plain {
  switch (typeof value) {
    case 'number':
      if (Number.isNaN(value)) throw coded(new TypeError(`${place} is NaN`), 'PLAIN_DATA')
      return value === 0 ? 0 : value
    case 'string':
    case 'boolean':
      return value
    case 'bigint':
      if (isJson) throw coded(new TypeError(`${place} is a bigint; expected a number`), 'PLAIN_DATA')
      return value
    case 'object':
      return copyObject(value, place, isJson, depth)
    default:
      throw coded(new TypeError(`${place} is ${typeof value}, not plain data`), 'PLAIN_DATA')
  }
}

function copyObject(value: object | null, place: string, isJson: boolean, depth: number): Plain {
  if (value === null) return null
  if (depth >= DEPTH_MAX) throw coded(new TypeError(`${place} is nested more than ${DEPTH_MAX} deep`), 'PLAIN_DATA')
  if (!isJson && ArrayBuffer.isView(value)) {
    const copy = copyView(value)
    if (copy !== null) return copy
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => plainCopy(item, `${place}.${index}`, isJson, depth + 1))
  }
  if (!isPlainObject(value)) {
    throw coded(new TypeError(`${place} is an object with a class, not plain data`), 'PLAIN_DATA')
  }
  const copy: { [key: string]: Plain } = {}
  // Reading the own keys is safe for any object.
  const values = value as { readonly [key: string]: unknown }
  for (const key of Object.keys(values)) {
    const item = values[key]
    if (item === undefined) continue
    if (!isRecordKey(key)) {
      throw coded(new TypeError(`${place} has the numeric key ${key}; use a list to keep an order`), 'PLAIN_DATA')
    }
    // Most values are text, and naming the place of each would cost more than copying it.
    copy[key] = typeof item === 'string' ? item : plainCopy(item, `${place}.${key}`, isJson, depth + 1)
  }
  return copy
}

/** A copy of an array of numbers that snapshots can carry, from any realm; null for other arrays. */
function copyView(value: ArrayBufferView): Uint8Array | Int32Array | Float64Array | null {
  // The tag of a view is the name of its class, in every realm.
  switch (Reflect.get(value, Symbol.toStringTag)) {
    case 'Uint8Array':
      return Uint8Array.from(value as Uint8Array)
    case 'Int32Array':
      return Int32Array.from(value as Int32Array)
    case 'Float64Array':
      return Float64Array.from(value as Float64Array)
    default:
      return null
  }
}

/** True for an object without a class: its prototype is null or the base prototype of some realm. */
function isPlainObject(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null
  if (prototype === Object.prototype || prototype === null) return true
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf')
}

/** True if an object stores the key in insertion order and as data. */
function isRecordKey(key: string): boolean {
  const first = key.charCodeAt(0)
  if (first === UNDERSCORE) return key !== '__proto__'
  return first < DIGIT_0 || first > DIGIT_9 || !INDEX_KEY.test(key)
}
