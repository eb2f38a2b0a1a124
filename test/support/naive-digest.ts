/** Hashes of tables the slow, obvious way: a second implementation of the byte layout in `data/README.md`. */
import { createHash } from 'node:crypto'
import { type TableName, tableSchemas } from '../../src/results/index.ts'
import type { Cell, NaiveRow } from './naive-columns.ts'

/** The hash of one table. */
export function naiveTableHash(name: TableName, rows: readonly NaiveRow[]): string {
  let hash = Buffer.alloc(32)
  for (let from = 0; from < rows.length; from += 4096) {
    const block = rows.slice(from, from + 4096)
    const parts: Buffer[] = [hash]
    for (const column of tableSchemas[name].columns) {
      if (column.derivedFrom !== null) continue
      const cells = block.map((row) => row[column.name] ?? null)
      if (column.nullable && cells.every((cell) => cell === null)) continue
      parts.push(Buffer.from(`${column.name}\0`, 'utf8'))
      if (column.nullable) parts.push(bitmapOf(cells))
      if (column.type === 'utf8') {
        const texts = cells.map((cell) => Buffer.from(String(cell ?? ''), 'utf8'))
        for (const text of texts) {
          const length = Buffer.alloc(4)
          length.writeUInt32LE(text.length)
          parts.push(length)
        }
        parts.push(...texts)
      } else if (column.type === 'float64') {
        for (const cell of cells) {
          const bytes = Buffer.alloc(8)
          bytes.writeDoubleLE(Number(cell ?? 0))
          parts.push(bytes)
        }
      } else {
        for (const cell of cells) parts.push(integerBytes(integerOf(cell, column.words), column.type))
      }
    }
    hash = sha256(Buffer.concat(parts))
  }
  return hash.toString('hex')
}

/** An integer at the width of its type. */
function integerBytes(value: bigint, type: string): Buffer {
  const bytes = Buffer.alloc(type === 'int32' ? 4 : type === 'int64' || type === 'time' ? 8 : 1)
  if (bytes.length === 8) bytes.writeBigInt64LE(value)
  else bytes.writeIntLE(Number(value), 0, bytes.length)
  return bytes
}

function integerOf(cell: Cell, words: readonly string[]): bigint {
  if (cell === null) return 0n
  if (typeof cell === 'string') return BigInt(words.indexOf(cell))
  return BigInt(cell)
}

function bitmapOf(cells: readonly Cell[]): Buffer {
  const bits = Buffer.alloc(Math.ceil(cells.length / 8))
  for (const [row, cell] of cells.entries()) {
    const at = Math.floor(row / 8)
    if (cell !== null) bits[at] = (bits[at] ?? 0) + 2 ** (row % 8)
  }
  return bits
}

function sha256(bytes: Buffer): Buffer<ArrayBuffer> {
  return Buffer.from(createHash('sha256').update(bytes).digest())
}
