/**
 * Adds plain data to a state hash. Snapshots and the hash use the same data, so neither can omit a field.
 *
 * The hash includes the counts of lists and records before their content, and keys with their values, so that the
 * sequence of words determines the structure. Doubles that are not safe integers are added as their bits.
 */
import type { Plain } from './codec.ts'
import { hashBig, hashBoolean, hashInt, hashText, type StateHash } from './hash.ts'

const bits = new DataView(new ArrayBuffer(8))

/** Adds a value of plain data. */
export function hashPlain(hash: StateHash, value: Plain): void {
  if (value === null) hashText(hash, 'null')
  else if (typeof value === 'boolean') hashBoolean(hash, value)
  else if (typeof value === 'number') hashNumber(hash, value)
  else if (typeof value === 'bigint') hashBig(hash, value)
  else if (typeof value === 'string') hashString(hash, value)
  else if (isNumbers(value)) {
    hashText(hash, 'numbers')
    hashInt(hash, value.length)
    for (const item of value) hashNumber(hash, item)
  } else if (isList(value)) {
    hashText(hash, 'list')
    hashInt(hash, value.length)
    for (const item of value) hashPlain(hash, item)
  } else hashRecord(hash, value)
}

function hashRecord(hash: StateHash, record: { readonly [key: string]: Plain }): void {
  const keys = Object.keys(record)
  hashText(hash, 'record')
  hashInt(hash, keys.length)
  for (const key of keys) {
    hashText(hash, key)
    hashPlain(hash, record[key] as Plain)
  }
}

/** A text has a marker, because the type names of this file are texts too. */
function hashString(hash: StateHash, value: string): void {
  hashText(hash, 'text')
  hashText(hash, value)
}

function hashNumber(hash: StateHash, value: number): void {
  if (Number.isSafeInteger(value)) {
    hashInt(hash, value)
    return
  }
  bits.setFloat64(0, value)
  hashText(hash, 'double')
  hashInt(hash, bits.getInt32(0))
  hashInt(hash, bits.getInt32(4))
}

function isNumbers(value: Plain & object): value is Uint8Array | Int32Array | Float64Array {
  return ArrayBuffer.isView(value)
}

/** `Array.isArray` does not narrow to a readonly array. */
function isList(value: Plain & object): value is readonly Plain[] {
  return Array.isArray(value)
}
