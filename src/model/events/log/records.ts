/**
 * Converts events of any family to records and back, by the layout of the family. The frequent families have faster
 * writers and readers (`order-records.ts`), and this file is their oracle.
 */
import { assert, defined, type Plain } from '../../../core/index.ts'
import type { FamilyLayout, Leaf, Part } from './layout.ts'
import {
  appendNumber,
  appendText,
  appendWide,
  type Cursor,
  type LogBuffer,
  nextNumber,
  nextText,
  nextWide,
  reserve,
  setWideWord,
  WORD_BYTES,
} from './log-buffer.ts'

/** The columns of a row by their names. */
interface Row {
  readonly [name: string]: unknown
}

/** Code and length of a record in its head. */
const LENGTH_SHIFT = 8
const CODE_MASK = 255

/** The code of the record at a word. */
export function codeAt(buffer: LogBuffer, at: number): number {
  return (buffer.ints[2 * at] as number) & CODE_MASK
}

/** The words of the record at a word. */
export function lengthAt(buffer: LogBuffer, at: number): number {
  return (buffer.ints[2 * at] as number) >>> LENGTH_SHIFT
}

/** The bits of the record at a word. */
export function bitsAt(buffer: LogBuffer, at: number): number {
  return buffer.ints[2 * at + 1] as number
}

/** Writes the head of the record that begins at a word and ends at the end of the buffer. */
export function setHead({ ints, at: end }: LogBuffer, at: number, code: number, bits: number): void {
  ints[2 * at] = code | ((end - at) << LENGTH_SHIFT)
  ints[2 * at + 1] = bits
}

/** Appends a record of a row. */
export function appendRecord(buffer: LogBuffer, layout: FamilyLayout, row: object): void {
  const from = buffer.at
  reserve(buffer, layout.words)
  buffer.doubles.fill(0, from, from + layout.words)
  buffer.at = from + layout.words
  const bits = writeColumns({ buffer, layout, from }, layout.columns, row)
  setHead(buffer, from, layout.code, bits)
}

/** The record that columns are written to. */
export interface Target {
  readonly buffer: LogBuffer
  readonly layout: FamilyLayout
  /** The word at which the record begins. */
  readonly from: number
}

/** Writes the columns of a row; returns their bits. */
function writeColumns(target: Target, columns: readonly (Leaf | Part)[], row: object): number {
  let bits = 0
  for (const column of columns) {
    const value = (row as Row)[column.name]
    assert(value !== undefined, `an event has the columns of its family, found no ${column.name}`)
    if ('unit' in column) bits |= writeLeaf(target, column, value)
    else if (value !== null) {
      bits |= column.bit | writeColumns(target, column.columns, value as object)
    }
  }
  return bits
}

/** Writes a column to its place in the record, or appends it. Returns its bit, or 0 if the column is left out. */
export function writeLeaf(target: Target, leaf: Leaf, value: unknown): number {
  const { buffer, layout, from } = target
  const { form, place, bit, absent } = leaf
  if (typeof form !== 'string') {
    buffer.bytes[from * WORD_BYTES + layout.firstByte + place] = codeOfWord(form, value)
    return 0
  }
  if (form === 'flag') return value === true ? bit : 0
  if (value === absent || (form === 'plain' && isAbsent(leaf, value))) return 0
  if (place < 0) append(buffer, leaf, value)
  else if (form === 'int32') buffer.ints[2 * from + layout.firstInt + place] = value as number
  else if (form === 'int64') setWideWord(buffer, from + place, value as bigint)
  else buffer.doubles[from + place] = (value as number) + 0
  return bit
}

/** The code of a word in its list, from 1; 0 for null. */
export function codeOfWord(words: readonly unknown[], value: unknown): number {
  if (value === null) return 0
  // The lists are short and their words interned, so that a scan costs less than a hash lookup.
  for (let at = 0; at < words.length; at += 1) if (words[at] === value) return at + 1
  assert(false, `a word belongs to its list, found ${String(value)}`)
  return 0
}

function append(buffer: LogBuffer, { form, unit }: Leaf, value: unknown): void {
  switch (form) {
    case 'text':
      appendText(buffer, value as string)
      return
    case 'wide':
      appendText(buffer, (value as bigint).toString())
      return
    case 'plain':
      appendText(buffer, plainText(unit.save(value)))
      return
    case 'int64':
      appendWide(buffer, value as bigint)
      return
    default:
      appendNumber(buffer, value as number)
  }
}

/** Plain data may equal the absent value without being the same object. */
function isAbsent({ absent, unit }: Leaf, value: unknown): boolean {
  if (absent === undefined || absent === null || value === null) return false
  return plainText(unit.save(value)) === plainText(unit.save(absent))
}

/** The text of plain data: JSON whose keys are sorted. */
export function plainText(value: Plain): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((each: Plain) => plainText(each)).join(',')}]`
  const row = value as { readonly [key: string]: Plain | undefined }
  const keys = Object.keys(row).sort((a, b) => (a < b ? -1 : 1))
  let text = ''
  for (const key of keys) {
    const inner = row[key]
    // Leaves out undefined values, as JSON does.
    if (inner !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${plainText(inner)}`
  }
  return `{${text}}`
}

/** The columns of the record that begins at a word. */
export function rowAt(buffer: LogBuffer, layout: FamilyLayout, from: number): object {
  const source = { buffer, layout, from, at: from + layout.words }
  return readColumns(source, layout.columns)
}

/** The record that columns are read from. */
interface Source extends Target, Cursor {}

function readColumns(source: Source, columns: readonly (Leaf | Part)[]): object {
  const bits = bitsAt(source.buffer, source.from)
  const row: { [name: string]: unknown } = {}
  for (const column of columns) {
    if ('unit' in column) row[column.name] = readLeaf(source, column)
    else if (column.bit !== 0 && (bits & column.bit) === 0) row[column.name] = null
    else row[column.name] = readColumns(source, column.columns)
  }
  return row
}

/** Reads a column. The caller must read the columns after the fixed part in their order. */
export function readLeaf(source: Source, leaf: Leaf): unknown {
  const { buffer, layout, from } = source
  const { form, place, bit } = leaf
  const isSet = (bitsAt(buffer, from) & bit) !== 0
  if (typeof form !== 'string') {
    return wordOfCode(form, buffer.bytes[from * WORD_BYTES + layout.firstByte + place] as number)
  }
  if (form === 'flag') return isSet
  if (bit !== 0 && !isSet) return leaf.absent
  if (place < 0) return readBehind(source, leaf)
  if (form === 'int32') return buffer.ints[2 * from + layout.firstInt + place]
  if (form === 'int64') return buffer.wides[from + place]
  return buffer.doubles[from + place]
}

/** The word of a code; null for 0. */
function wordOfCode(words: readonly unknown[], code: number): unknown {
  return code === 0 ? null : defined(words[code - 1], 'a code is in its list')
}

function readBehind(source: Source, leaf: Leaf): unknown {
  switch (leaf.form) {
    case 'text':
      return nextText(source)
    case 'wide':
      return BigInt(nextText(source))
    case 'plain':
      return leaf.unit.load(JSON.parse(nextText(source)) as Plain)
    case 'int64':
      return nextWide(source)
    default:
      return nextNumber(source)
  }
}
