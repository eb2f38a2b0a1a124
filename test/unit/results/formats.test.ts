/** Parquet, CSV and JSONL read back by readers that are not ours, value by value, and compared with naive tables. */
import { parse } from 'csv-parse/sync'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { describe, expect, test } from 'vitest'
import { accountId, amount, micros } from '../../../src/core/index.ts'
import { nodeSha256 } from '../../../src/host/index.ts'
import {
  type ColumnSchema,
  createResultsSink,
  loadTableEncoder,
  type TableFormat,
  type TableName,
  type TableWriter,
  tableNames,
  tableSchemas,
} from '../../../src/results/index.ts'
import { createNaiveTables, type NaiveRow, type NaiveTables } from '../../support/naive-columns.ts'
import { type RandomRun, randomEvents } from '../../support/random-events.ts'

type Cell = NaiveRow[string]

interface WrittenRun {
  readonly files: ReadonlyMap<TableName, Uint8Array>
  /** The number of pieces that each file was written in. */
  readonly pieces: ReadonlyMap<TableName, number>
  readonly naive: NaiveTables
}

async function writeRun(format: TableFormat, run: RandomRun & { readonly exact: boolean }): Promise<WrittenRun> {
  const { createTableWriter } = await loadTableEncoder(format)
  const metadata = new Map([['pitclock.seed', '7']])
  const pieces = new Map<TableName, Uint8Array[]>()
  const writers = new Map<string, TableWriter>()
  for (const name of tableNames) {
    const list: Uint8Array[] = []
    pieces.set(name, list)
    const options = { exact: run.exact, metadata }
    const put = (bytes: Uint8Array): void => {
      list.push(bytes.slice())
    }
    writers.set(name, createTableWriter(tableSchemas[name], options, put))
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
  const counts = [...pieces].map(([name, list]) => [name, list.length] as const)
  return { files: new Map(files), pieces: new Map(counts), naive }
}

function isDecimal({ type, scale }: ColumnSchema): boolean {
  return type === 'int64' && scale > 0
}

/** A count of 1e-9 in decimal notation, digit by digit. */
function decimalText(count: bigint): string {
  const digits = String(count < 0n ? -count : count).padStart(10, '0')
  const fraction = digits.slice(-9).replace(/0+$/, '')
  const text = fraction === '' ? digits.slice(0, -9) : `${digits.slice(0, -9)}.${fraction}`
  return count < 0n ? `-${text}` : text
}

/** Each row in the form that a reader of the format must find. */
function shown(
  naive: NaiveTables,
  name: TableName,
  show: (cell: Exclude<Cell, null>, column: ColumnSchema) => unknown,
): object[] {
  return (naive.rows.get(name) ?? []).map((row) =>
    Object.fromEntries(
      tableSchemas[name].columns.map((column) => {
        const cell = row[column.name] ?? null
        return [column.name, cell === null ? null : show(cell, column)]
      }),
    ),
  )
}

/** The time in the platform's notation, plus the microseconds that the platform lacks. */
function isoText(cell: Exclude<Cell, null>): string {
  const micros = BigInt(cell)
  const millis = new Date(Number(micros / 1000n)).toISOString().slice(0, -1)
  return `${millis}${String(micros % 1000n).padStart(3, '0')}Z`
}

function textOf(cell: Exclude<Cell, null>, column: ColumnSchema): string {
  if (column.type === 'time') return isoText(cell)
  return isDecimal(column) ? decimalText(BigInt(cell)) : String(cell)
}

const buffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer

describe.each([false, true])('exact: %s', (exact) => {
  const run = { seed: 21, length: 1500, exact }

  test('hyparquet finds the rows of naive tables', async () => {
    const { files, naive } = await writeRun('parquet', run)
    for (const [name, bytes] of files) {
      const rows = await parquetReadObjects({
        file: buffer(bytes),
        // The reader's dates have no microseconds.
        parsers: { timestampFromMicroseconds: (micros: bigint) => micros },
      })
      const expected = shown(naive, name, (cell, column) => {
        if (!isDecimal(column)) return cell
        // The reader multiplies the integer of a DECIMAL by a double.
        return exact ? Number(cell) * 10 ** -9 : Number(decimalText(BigInt(cell)))
      })
      expect(rows).toEqual(expected)
    }
  })

  test('csv-parse finds the rows of naive tables', async () => {
    const { files, naive } = await writeRun('csv', run)
    for (const [name, bytes] of files) {
      const columns = tableSchemas[name].columns.map((column) => column.name)
      const lines = parse(Buffer.from(bytes), { record_delimiter: '\r\n' })
      expect(lines[0]).toEqual(columns)
      const rows = lines.slice(1).map((line) => columns.map((_, at) => line[at]))
      const expected = shown(naive, name, (cell, column) => textOf(cell, column))
      expect(rows).toEqual(expected.map((row) => Object.values(row).map((cell) => cell ?? '')))
    }
  })

  test('JSON finds the rows of naive tables, numbers in all their digits', async () => {
    const { files, naive } = await writeRun('jsonl', run)
    for (const [name, bytes] of files) {
      const lines = Buffer.from(bytes).toString('utf8').split('\n')
      expect(lines.pop()).toBe('')
      const rows = lines.map((line) => {
        expect(() => JSON.parse(line)).not.toThrow()
        // Numbers become texts, so that no digit is lost.
        return JSON.parse(line.replace(/:(-?[0-9][0-9.e+-]*)(?=[,}])/g, ':"$1"')) as object
      })
      const expected = shown(naive, name, (cell, column) => (typeof cell === 'boolean' ? cell : textOf(cell, column)))
      expect(rows).toEqual(expected)
    }
  })
})

describe('Parquet', () => {
  test('the file has types, units and descriptions', async () => {
    const { files } = await writeRun('parquet', { seed: 3, length: 50, exact: false })
    const file = parquetMetadata(buffer(files.get('fills') ?? new Uint8Array()))
    const about = new Map(file.key_value_metadata?.map(({ key, value }) => [key, value]))
    expect(about.get('pitclock.seed')).toBe('7')
    expect(about.get('pitclock.table')).toBe('fills')
    const columns = JSON.parse(about.get('pitclock.columns') ?? '') as Record<string, object>
    expect(Object.keys(columns)).toEqual(tableSchemas.fills.columns.map(({ name }) => name))
    expect(columns['price']).toEqual({ unit: 'quote', description: 'price' })
    expect(columns['account']).toMatchObject({ derived_from: 'account_id' })
    const element = (name: string): unknown => file.schema.find((column) => column.name === name)
    expect(element('time')).toMatchObject({
      ...{ type: 'INT64', repetition_type: 'REQUIRED' },
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
    })
    expect(element('trade_id')).toMatchObject({ type: 'INT64' })
    expect(element('feed_row')).toMatchObject({ type: 'INT64', repetition_type: 'OPTIONAL' })
  })

  test('d16 exact figures are DECIMAL, stored as the scaled integers', async () => {
    const { files, naive } = await writeRun('parquet', { seed: 3, length: 400, exact: true })
    const bytes = buffer(files.get('fills') ?? new Uint8Array())
    const { schema } = parquetMetadata(bytes)
    for (const column of tableSchemas.fills.columns.filter(isDecimal)) {
      expect(schema.find(({ name }) => name === column.name)).toMatchObject({
        ...{ type: 'INT64', converted_type: 'DECIMAL', precision: 18, scale: 9 },
        logical_type: { type: 'DECIMAL', precision: 18, scale: 9 },
      })
    }
    expect(naive.rows.get('fills')?.length).toBeGreaterThan(0)
  })

  test('equal rows give equal bytes; a table without rows is a file that can be read', async () => {
    const run = { seed: 5, length: 400, exact: true }
    const [one, other] = [await writeRun('parquet', run), await writeRun('parquet', run)]
    expect([...one.files]).toEqual([...other.files])
    const empty = await writeRun('parquet', { ...run, length: 0 })
    const metadata = buffer(empty.files.get('fills') ?? new Uint8Array())
    expect(parquetMetadata(metadata).num_rows).toBe(0n)
  })

  test('row groups are written as soon as they are full', async () => {
    const { createTableWriter } = await loadTableEncoder('parquet')
    const handed: number[] = []
    const options = { exact: false, metadata: new Map() }
    const writer = createTableWriter(tableSchemas.equity, options, (bytes) => {
      handed.push(bytes.length)
    })
    const sink = createResultsSink({
      sha256: nodeSha256,
      onBlock: (block, names) => {
        for (let copies = 0; copies < 40; copies += 1) writer.add(block, names)
      },
    })
    const none = amount(0n)
    for (let row = 0; row < 4096; row += 1) {
      sink.recordEquity({
        ...{ time: micros(1_767_600_000_000_000 + row), number: 1, account: accountId(0) },
        ...{ currency: 'BTC', balance: amount(BigInt(row)), equity: none, optionsValue: none },
        ...{ floatingProfit: none, realizedProfit: none, initialMargin: none },
        maintenanceMargin: none,
      })
    }
    sink.finish()
    expect(handed.length).toBe(2)
    writer.close()
    // The rest of the rows and the footer come at the end.
    expect(handed.length).toBe(4)
  })
})
