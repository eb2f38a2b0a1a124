/** Arrow files read back by two independent readers, value by value. */
import { type Column, tableFromIPC as flechetteTable } from '@uwdata/flechette'
import { RecordBatchReader, tableFromIPC } from 'apache-arrow'
import { describe, expect, test } from 'vitest'
import { nodeSha256 } from '../../../src/host/index.ts'
import {
  createResultsSink,
  loadArrowEncoder,
  type TableName,
  type TableWriter,
  tableNames,
  tableSchemas,
} from '../../../src/results/index.ts'
import { createNaiveTables, type NaiveRow, type NaiveTables } from '../../support/naive-columns.ts'
import { sampleOf } from '../../support/property-runs.ts'
import { type RandomRun, randomEvents } from '../../support/random-events.ts'

interface WrittenRun {
  readonly files: ReadonlyMap<TableName, Uint8Array>
  readonly naive: NaiveTables
}

async function writeRun(run: RandomRun & { readonly exact: boolean }): Promise<WrittenRun> {
  const { createTableWriter } = await loadArrowEncoder()
  const metadata = new Map([['pitclock.seed', '7']])
  const pieces = new Map<TableName, Uint8Array[]>()
  const writers = new Map<string, TableWriter>()
  for (const name of tableNames) {
    const list: Uint8Array[] = []
    pieces.set(name, list)
    const options = { exact: run.exact, metadata }
    writers.set(
      name,
      createTableWriter(tableSchemas[name], options, (bytes) => list.push(bytes.slice())),
    )
  }
  const naive = createNaiveTables()
  const sink = createResultsSink({
    sha256: nodeSha256,
    onBlock: (block, names) => writers.get(block.schema.name)?.add(block, names),
  })
  for (const event of randomEvents(run)) {
    naive.emit(event)
    sink.emit(event)
  }
  sink.finish()
  for (const writer of writers.values()) writer.close()
  const files = [...pieces].map(([name, list]) => [name, new Uint8Array(Buffer.concat(list))] as const)
  return { files: new Map(files), naive }
}

/** A row of a file for an exact row. */
function shown(name: TableName, row: NaiveRow, exact: boolean): NaiveRow {
  const entries = tableSchemas[name].columns.map((column) => {
    const cell = row[column.name] ?? null
    const isDecimal = column.type === 'int64' && column.scale > 0 && !exact
    return [column.name, isDecimal && typeof cell === 'bigint' ? decimal(cell) : cell] as const
  })
  return Object.fromEntries(entries)
}

/** The double nearest to a count of 1e-9, read from its decimal text. */
function decimal(count: bigint): number {
  const digits = String(count < 0n ? -count : count).padStart(10, '0')
  const text = `${digits.slice(0, -9)}.${digits.slice(-9)}`
  return count < 0n ? -Number(text) : Number(text)
}

function flechetteRows(bytes: Uint8Array): NaiveRow[] {
  const table = flechetteTable(bytes, { useBigInt: true, useDate: false })
  const columns = table.names.map((name, at) => [name, table.getChildAt(at)] as const)
  return Array.from({ length: table.numRows }, (_, row) =>
    Object.fromEntries(columns.map(([name, column]) => [name, flechetteCell(column, row)])),
  )
}

/** Flechette shows times in milliseconds as doubles, which microseconds of our days survive. */
function flechetteCell(column: Column<unknown>, row: number): NaiveRow[string] {
  const cell = column.at(row) as NaiveRow[string]
  if (cell === null || column.type.typeId !== 10) return cell
  return BigInt(Math.round(Number(cell) * 1000))
}

function arrowRows(bytes: Uint8Array): NaiveRow[] {
  const table = tableFromIPC(bytes)
  const rows: NaiveRow[] = []
  for (const batch of table.batches) {
    for (let row = 0; row < batch.numRows; row += 1) {
      const cells = batch.schema.fields.map(({ name, type }, at) => {
        const vector = batch.getChildAt(at)
        const isTime = String(type).startsWith('Timestamp') && vector?.isValid(row)
        return [name, isTime ? vector?.data[0]?.values[row] : vector?.get(row)] as const
      })
      rows.push(Object.fromEntries(cells))
    }
  }
  return rows
}

describe.each(sampleOf([false, true], 1))('files, exact: %s', (exact) => {
  const run = { seed: 21, length: 3000, exact }

  test('two readers find the rows of a naive version', async () => {
    const { files, naive } = await writeRun(run)
    for (const [name, bytes] of files) {
      const expected = (naive.rows.get(name) ?? []).map((row) => shown(name, row, exact))
      expect(flechetteRows(bytes)).toEqual(expected)
      expect(arrowRows(bytes)).toEqual(expected)
    }
  })

  test('a file of several batches holds every row in order', async () => {
    const { files, naive } = await writeRun({ ...run, length: 20_000, tradingOnly: true })
    const orders = files.get('orders') ?? new Uint8Array(0)
    const expected = naive.rows.get('orders') ?? []
    expect(tableFromIPC(orders).batches.length).toBeGreaterThan(1)
    expect(expected.length).toBeGreaterThan(16_384)
    expect(arrowRows(orders)).toEqual(expected.map((row) => shown('orders', row, exact)))
  })

  test('equal rows give equal bytes', async () => {
    const [first, second] = [await writeRun(run), await writeRun(run)]
    for (const [name, bytes] of first.files) {
      expect(Buffer.from(bytes).equals(second.files.get(name) ?? new Uint8Array(0))).toBe(true)
    }
  })

  test('fields say their unit, and their scale where values are integers', async () => {
    const { files } = await writeRun({ ...run, length: 10 })
    const { schema } = tableFromIPC(files.get('fills') ?? new Uint8Array(0))
    const field = (name: string): ReadonlyMap<string, string> | undefined =>
      schema.fields.find((candidate) => candidate.name === name)?.metadata
    expect(field('price')?.get('unit')).toBe('quote')
    expect(field('price')?.get('scale')).toBe(exact ? '9' : undefined)
    expect(field('order_id')?.get('scale')).toBeUndefined()
    expect(field('account')?.get('derived_from')).toBe('account_id')
    expect(Object.fromEntries(schema.metadata)).toEqual({
      ...{ 'pitclock.seed': '7', 'pitclock.table': 'fills', 'pitclock.schema_version': '4' },
      'pitclock.exact': String(exact),
    })
  })
})

test('a file without its magic is a stream', async () => {
  const { files } = await writeRun({ seed: 4, length: 300, exact: false })
  const bytes = files.get('orders') ?? new Uint8Array(0)
  const rows = [...RecordBatchReader.from(bytes.subarray(8))].map((batch) => batch.numRows)
  expect(rows.reduce((sum, count) => sum + count, 0)).toBe(tableFromIPC(bytes).numRows)
})

test('a table without rows is a file with its columns', async () => {
  const { files } = await writeRun({ seed: 4, length: 0, exact: false })
  const bytes = files.get('trades') ?? new Uint8Array(0)
  const names = tableSchemas.trades.columns.map(({ name }) => name)
  expect(flechetteTable(bytes).names).toEqual(names)
  expect(flechetteTable(bytes).numRows).toBe(0)
  expect(tableFromIPC(bytes).numRows).toBe(0)
})
