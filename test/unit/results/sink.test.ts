/**
 * The tables of a sink compared with plain objects, and the digest compared with a second implementation of its
 * description.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { accountId, amount, instrumentId, lots, micros, price9 } from '../../../src/core/index.ts'
import { nodeSha256 } from '../../../src/host/index.ts'
import type { Event } from '../../../src/model/index.ts'
import { type ColumnSchema, int32, nullable } from '../../../src/results/column-schema.ts'
import { createBlock, setValue } from '../../../src/results/columns.ts'
import {
  type Block,
  createResultsSink,
  type EquityRecord,
  exactAt,
  isValidAt,
  type PositionRecord,
  pureSha256,
  type ResultsSink,
  restoreResultsSink,
  tableNames,
} from '../../../src/results/index.ts'
import { hexOf } from '../../../src/results/sha256.ts'
import { createBlockHasher, firstHash } from '../../../src/results/table-hash.ts'
import { vocabulary } from '../../../src/results/vocabulary/vocabulary.ts'
import { createRowCollector } from '../../support/block-rows.ts'
import { createNaiveTables, type NaiveTables } from '../../support/naive-columns.ts'
import { naiveTableHash } from '../../support/naive-digest.ts'
import { naiveLog, naiveLogDigest } from '../../support/naive-log.ts'
import { askedRuns } from '../../support/property-runs.ts'
import { randomEvents } from '../../support/random-events.ts'

const position: PositionRecord = {
  ...{ time: micros(1_767_600_000_000_000), number: 9, account: accountId(3) },
  ...{ instrument: instrumentId(1), currency: 'ETH', size: lots(-90_000_000) },
  ...{ averagePrice: price9(3_000_000_000_001), markPrice: price9(3_000_000_000_000) },
  ...{ floatingProfit: amount(-1n), realizedProfit: amount(2n ** 62n) },
  ...{ initialMargin: amount(0n), maintenanceMargin: amount(1n) },
}
const equity: EquityRecord = {
  ...{ time: micros(1_767_600_000_000_000), number: 9, account: accountId(3), currency: 'ETH' },
  ...{ balance: amount(-(2n ** 53n)), equity: amount(2n ** 53n - 1n) },
  ...{ floatingProfit: amount(0n), realizedProfit: amount(-5n), optionsValue: amount(-7n) },
  ...{ initialMargin: amount(3n), maintenanceMargin: amount(2n) },
}

function feed(target: ResultsSink | NaiveTables, events: readonly Event[]): void {
  for (const event of events) target.emit(event)
}

function recordEnd(target: ResultsSink | NaiveTables): void {
  target.recordPosition(position)
  target.recordEquity(equity)
}

/** The hash of a table of 32-bit integers. */
function hashOf(columns: readonly ColumnSchema[], rows: readonly (readonly (number | null)[])[]): string {
  const block = createBlock({ name: 'states', version: 1, columns })
  for (const [at, column] of block.columns.entries()) {
    if (column.kind !== 'int32') throw new TypeError('expected 32-bit integers')
    for (const [row, values] of rows.entries()) {
      const value = values[at] ?? null
      if (value === null) continue
      if (column.valid === null) column.values[row] = value
      else setValue(column, row, value)
    }
  }
  block.rows = rows.length
  return hexOf(createBlockHasher(nodeSha256)(firstHash(), block))
}

const runs = fc.record({ seed: fc.nat(), length: fc.nat({ max: 300 }) })
const long = { seed: 11, length: 34_000 }
/** A sink whose tables are discarded. */
const tabled = { sha256: nodeSha256, onBlock: (): void => undefined }

describe('tables', () => {
  test('A2 a sum above 64 bits keeps its double, and a value becomes the largest one', () => {
    const cells = new Map<string, unknown>()
    const onBlock = ({ schema, columns }: Block): void => {
      for (const each of columns) {
        cells.set(`${schema.name}.${each.schema.name}`, isValidAt(each, 0) ? exactAt(each, 0) : null)
      }
    }
    const results = createResultsSink({ sha256: nodeSha256, onBlock })
    const [most, beyond] = [2n ** 63n - 1n, 2n ** 63n]
    results.recordEquity({ ...equity, equity: amount(beyond), floatingProfit: amount(-beyond - 1n) })
    const { time, number, account } = equity
    const figure = { metric: 'turnover', label: null, unit: 'currency', figure: 2 ** 63, exact: beyond } as const
    results.recordMetric({ time, number, account, currency: 'USDC', instrument: null, ...figure })
    results.finish()
    expect([cells.get('equity.equity'), cells.get('equity.floating_profit')]).toEqual([most, -beyond])
    expect([cells.get('metrics.value'), cells.get('metrics.exact')]).toEqual([2 ** 63, null])
  })

  test('rows equal the rows of naive tables', () => {
    fc.assert(
      fc.property(runs, (run) => {
        const collector = createRowCollector()
        const sink = createResultsSink({ sha256: nodeSha256, onBlock: collector.onBlock })
        const naive = createNaiveTables()
        for (const target of [sink, naive]) {
          feed(target, randomEvents(run))
          recordEnd(target)
        }
        const { digest, tables } = sink.finish()
        for (const name of tableNames) {
          expect(collector.rows.get(name) ?? []).toEqual(naive.rows.get(name))
        }
        expect(tables.map(({ name, rows }) => [name, rows])).toEqual(
          [...naive.rows].map(([name, rows]) => [name, rows.length]),
        )
        expect(digest).toBe(naiveLogDigest(naiveLog(randomEvents(run))))
      }),
      { numRuns: askedRuns(400, 10, 30) },
    )
  })

  test('rows equal the rows of naive tables over several blocks', () => {
    const collector = createRowCollector()
    const sink = createResultsSink({ sha256: nodeSha256, onBlock: collector.onBlock })
    const naive = createNaiveTables()
    for (const target of [sink, naive]) feed(target, randomEvents(long))
    const { digest, tables } = sink.finish()
    expect(naive.rows.get('orders')?.length).toBeGreaterThan(2 * 4096)
    expect(collector.rows.get('orders')).toEqual(naive.rows.get('orders'))
    expect(collector.rows.get('fills')).toEqual(naive.rows.get('fills'))
    expect(digest).toBe(naiveLogDigest(naiveLog(randomEvents(long))))
    for (const { name, hash } of tables) {
      const table = tableNames.find((known) => known === name) ?? 'orders'
      expect(hash).toBe(naiveTableHash(table, naive.rows.get(table) ?? []))
    }
  })

  test('codes of every vocabulary fit a signed byte', () => {
    for (const words of Object.values(vocabulary)) expect(words.length).toBeLessThan(128)
  })

  test('a value beyond 64 bits is refused', () => {
    const sink = createResultsSink(tabled)
    feed(sink, randomEvents({ seed: 1, length: 0 }))
    const tooMuch = { ...equity, balance: amount(2n ** 63n) }
    expect(() => sink.recordEquity(tooMuch)).toThrow('64 bits')
    const tooLarge = { ...position, instrument: instrumentId(0), size: lots(1_000_000_000_000) }
    expect(() => sink.recordPosition(tooLarge)).toThrow('64 bits')
  })

  test('an event after the end is refused', () => {
    const sink = createResultsSink({ sha256: nodeSha256, onBlock: null })
    sink.finish()
    expect(() => feed(sink, randomEvents({ seed: 1, length: 0 }))).toThrow('no event follows')
  })
})

describe('digest', () => {
  test('plain JavaScript and Node give the same digest', () => {
    const digests = [pureSha256, nodeSha256].map((sha256) => {
      const sink = createResultsSink({ ...tabled, sha256 })
      feed(sink, randomEvents({ seed: 3, length: 9000 }))
      return sink.finish()
    })
    expect(digests[0]).toEqual(digests[1])
  })

  test('a run without events has the digest of the name of the layout', () => {
    const { digest } = createResultsSink({ sha256: nodeSha256, onBlock: null }).finish()
    expect(digest).toBe(naiveLogDigest(new Uint8Array(0)))
  })

  test('asking for tables changes no digest', () => {
    const digests = [tabled, { sha256: nodeSha256, onBlock: null }].map((options) => {
      const sink = createResultsSink(options)
      feed(sink, randomEvents({ seed: 4, length: 9000 }))
      recordEnd(sink)
      return sink.finish().digest
    })
    expect(digests[0]).toBe(digests[1])
  })

  test('equals the digest of the log that the sink hands out', () => {
    const pieces: Uint8Array[] = []
    const onLog = (records: Uint8Array): void => void pieces.push(records.slice())
    const sink = createResultsSink({ sha256: nodeSha256, onBlock: null, onLog })
    const events = randomEvents({ seed: 8, length: 9000 })
    feed(sink, events)
    const { digest, tables } = sink.finish()
    expect([digest, tables]).toEqual([naiveLogDigest(Buffer.concat(pieces)), []])
    expect(Buffer.concat(pieces).equals(naiveLog(events))).toBe(true)
  })

  test('asking for the book changes no digest', () => {
    const events = randomEvents({ seed: 5, length: 500 })
    const digests = [events, events.filter(({ kind }) => kind !== 'level')].map((run) => {
      const sink = createResultsSink({ sha256: nodeSha256, onBlock: null })
      feed(sink, run)
      return sink.finish().digest
    })
    expect(digests[0]).toBe(digests[1])
  })

  test('one changed value changes the digest', () => {
    const events = randomEvents({ seed: 6, length: 500 })
    const place = events.findIndex(({ kind }, at) => at >= 250 && kind === 'order')
    const changed = events.map((event, at) => (at === place ? { ...event, time: micros(event.time + 1) } : event))
    const [before, after] = [events, changed].map((run) => {
      const sink = createResultsSink({ sha256: nodeSha256, onBlock: null })
      feed(sink, run)
      return sink.finish().digest
    })
    expect(place).toBeGreaterThanOrEqual(250)
    expect(before).not.toBe(after)
  })

  test('a new nullable column changes no hash of rows without its value, and a value changes it', () => {
    const plain = [int32('first', 'a sample'), int32('second', 'a sample')]
    const extra = nullable(int32('extra', 'a sample'))
    const before = hashOf(plain, [[1, 2]])
    expect(hashOf([...plain, extra], [[1, 2, null]])).toBe(before)
    expect(hashOf([extra, ...plain], [[null, 1, 2]])).toBe(before)
    expect(hashOf([...plain, extra], [[1, 2, 0]])).not.toBe(before)
    expect(hashOf([extra, ...plain], [[0, 1, 2]])).not.toBe(before)
  })

  test('tables differ that differ only in the column or in the row of a value', () => {
    const columns = ['first', 'second', 'third'].map((name) => nullable(int32(name, 'a sample')))
    const places = [0, 1, 2].flatMap((column) => [0, 1].map((row) => [column, row] as const))
    const hashes = places.map(([column, row]) => {
      // A null has the bytes of a zero, so only names and validity tell these tables apart.
      const rows = [0, 1].map((at) => columns.map((_, each) => (each === column && at === row ? 0 : null)))
      return hashOf(columns, rows)
    })
    expect(new Set([...hashes, hashOf(columns, [[null, null, null]])]).size).toBe(places.length + 1)
  })

  test('a snapshot at any row continues to the same digest', () => {
    const whole = createResultsSink(tabled)
    const events = randomEvents({ seed: 7, length: 12_000 })
    feed(whole, events)
    recordEnd(whole)
    const expected = whole.finish()
    const cut = (at: number): void => {
      const first = createResultsSink(tabled)
      feed(first, events.slice(0, at))
      const restored = restoreResultsSink(first.snapshot(), tabled)
      if (!restored.ok) throw new Error(restored.error.found)
      // Compared as buffers, because an element-wise comparison takes seconds.
      expect(Buffer.compare(restored.value.snapshot(), first.snapshot())).toBe(0)
      feed(restored.value, events.slice(at))
      recordEnd(restored.value)
      expect(restored.value.finish()).toEqual(expected)
    }
    fc.assert(fc.property(fc.nat({ max: events.length }), cut), {
      numRuns: askedRuns(600, 100, 100),
    })
    for (const at of [0, 1, events.length]) cut(at)
  })

  test('a snapshot that is not one is refused', () => {
    const options = { sha256: nodeSha256, onBlock: null }
    const bytes = createResultsSink(options).snapshot()
    for (const bad of [new Uint8Array(0), bytes.slice(0, -1), Uint8Array.of(0)]) {
      expect(restoreResultsSink(bad, options).ok).toBe(false)
    }
  })
})
