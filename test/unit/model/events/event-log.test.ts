/**
 * The event log: written events are read back, of every family; the writers of the frequent families write the same
 * bytes as the writer of all families; a log continues where another one stopped.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { UnitForm } from '../../../../src/core/index.ts'
import { type FamilyLayout, layoutOfFamily } from '../../../../src/model/events/log/layout.ts'
import { createLogBuffer } from '../../../../src/model/events/log/log-buffer.ts'
import { appendRecord, bitsAt, codeAt, lengthAt, rowAt } from '../../../../src/model/events/log/records.ts'
import {
  type Event,
  isLogged,
  logBufferOf,
  logHead,
  logStart,
  openEventLog,
  recordBytes,
} from '../../../../src/model/index.ts'
import { eventsOf, logOf } from '../../../support/log-bytes.ts'
import { layoutLines, wordLines } from '../../../support/log-layout.ts'
import { askedRuns } from '../../../support/property-runs.ts'
import { randomEvents } from '../../../support/random-events.ts'
import { repository } from '../../../support/repository.ts'

const runs = fc.record({ seed: fc.nat(), length: fc.nat({ max: 400 }) })

/** Events in the form of a log, which stores a lone surrogate as U+FFFD. */
const recorded = (events: readonly Event[]): Event[] =>
  events
    .filter(({ kind }) => isLogged(kind))
    .map((event) => (event.kind === 'order' ? { ...event, label: event.label.replace(/\ud800/g, '\ufffd') } : event))

/** Two values of a form; none for plain data, whose values are unknown. */
function valuesOf(form: UnitForm): readonly unknown[] {
  if (typeof form !== 'string') return [form.at(0), form.at(-1)]
  const values = {
    ...{ number: [1, 2], int32: [1, 2], int64: [1n, 2n], wide: [1n, 2n] },
    ...{ flag: [false, true], text: ['one', 'two'], plain: [] },
  }
  return values[form]
}

/** The same row with other values in each of its columns, one at a time. */
function variants(columns: FamilyLayout['columns'], row: object): object[] {
  return columns.flatMap((column): object[] => {
    const { name } = column
    if ('unit' in column) return valuesOf(column.form).map((value) => ({ ...row, [name]: value }))
    const inner = (row as { readonly [name: string]: object | null })[name]
    if (inner == null) return []
    return variants(column.columns, inner).map((varied) => ({ ...row, [name]: varied }))
  })
}

test('the guide has the place of each column and each list of words (npm run guides)', () => {
  const guide = readFileSync(join(repository, 'data', 'README.md'), 'utf8').split('\n')
  const lines = [...layoutLines(), ...wordLines()]
  expect(lines.length).toBeGreaterThan(50)
  expect(lines.filter((line) => !guide.includes(line))).toEqual([])
})

describe('a log of a file', () => {
  const events = recorded(randomEvents({ seed: 3, length: 900 }))
  const file = Buffer.concat([logHead(), logOf(events).bytes])

  test('gives its events by family', () => {
    const opened = openEventLog(file)
    if (!opened.ok) throw new Error(opened.error.found)
    const prices: number[] = []
    opened.value.each('trade', ({ price }) => void prices.push(price))
    const trades = events.filter((event) => event.kind === 'trade')
    expect(trades.length).toBeGreaterThan(20)
    expect(prices).toEqual(trades.map(({ price }) => price))
    const orders: Event[] = []
    opened.value.events({ order: (event) => void orders.push(event) })
    expect(orders).toEqual(events.filter(({ kind }) => kind === 'order'))
  })

  test('is refused if it has another form, or ends within a record', () => {
    const foundIn = (bytes: Uint8Array): string => {
      const opened = openEventLog(bytes)
      return opened.ok ? 'a log' : opened.error.found
    }
    const broken = Buffer.from(file)
    broken[logHead().length] = 200
    const empty = Buffer.from(file)
    empty.fill(0, logHead().length + 1, logHead().length + 4)
    expect([
      foundIn(new Uint8Array(0)),
      foundIn(file.subarray(1)),
      foundIn(file.subarray(0, -8)),
      foundIn(file.subarray(0, -3)),
      foundIn(broken),
      foundIn(empty),
      foundIn(logHead()),
    ]).toEqual([
      'other data',
      'other data',
      'a log that ends inside a record',
      'a log that ends inside a record',
      'code 200 at byte 21',
      'a record of 0 words at byte 21',
      'a log',
    ])
  })
})

describe('a log', () => {
  test('has the value of each column of each family', () => {
    const kinds = new Map(randomEvents({ seed: 3, length: 900 }).map((event) => [event.kind, event]))
    const varied = recorded([...kinds.values()]).flatMap((event) => {
      // The same family has the same columns.
      return variants(layoutOfFamily(event.kind).columns, event) as Event[]
    })
    expect(varied.length).toBeGreaterThan(400)
    for (const event of varied) {
      const { bytes } = logOf([event])
      expect(eventsOf(bytes)).toEqual([event])
      expect(eventsOf(bytes, logStart, true)).toEqual([event])
    }
  })

  test('keeps a byte order mark at the start of a label', () => {
    const orders = randomEvents({ seed: 5, length: 100 }).filter(({ kind }) => kind === 'order')
    const marked = orders.map((event) => ({ ...event, label: '\ufeffx' }) as Event)
    expect(marked.length).toBeGreaterThan(5)
    expect(eventsOf(logOf(marked).bytes)).toEqual(marked)
  })

  test('gives back the events that were written, kept or lent', () => {
    fc.assert(
      fc.property(runs, (run) => {
        const events = recorded([...randomEvents(run)])
        const { bytes } = logOf(events)
        expect(eventsOf(bytes)).toEqual(events)
        expect(eventsOf(bytes, logStart, true)).toEqual(events)
      }),
      { numRuns: askedRuns(400, 20, 80) },
    )
  })

  test('has the same bytes for the frequent families as from the writer of all families', () => {
    fc.assert(
      fc.property(runs, (run) => {
        for (const event of recorded([...randomEvents(run)])) {
          const plain = createLogBuffer(16)
          appendRecord(plain, layoutOfFamily(event.kind), event)
          const { bytes } = logOf([event], { ...event, number: event.number - 1 })
          expect(Buffer.from(bytes)).toEqual(Buffer.from(recordBytes(plain)))
          const { time, cause, number, kind, ...row } = event
          expect(rowAt(plain, layoutOfFamily(kind), 0)).toEqual(row)
          expect([codeAt(plain, 0), lengthAt(plain, 0)]).toEqual([layoutOfFamily(kind).code, plain.at])
          expect(bitsAt(plain, 0)).toBe(logBufferOf(bytes).ints[1])
        }
      }),
      { numRuns: askedRuns(200, 10) },
    )
  })

  test('continues where another one stopped', () => {
    fc.assert(
      fc.property(runs, fc.nat(), (run, cut) => {
        const events = recorded([...randomEvents(run)])
        const at = events.length === 0 ? 0 : cut % events.length
        const first = logOf(events.slice(0, at))
        const second = logOf(events.slice(at), first.end)
        const whole = logOf(events)
        expect(Buffer.concat([first.bytes, second.bytes])).toEqual(Buffer.from(whole.bytes))
        expect(second.end).toEqual(whole.end)
      }),
      { numRuns: askedRuns(100, 10) },
    )
  })
})
