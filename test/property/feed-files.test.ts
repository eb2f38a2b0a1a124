/**
 * Law: a feed is one stream, however many files contain it. A feed that is cut into files at random rows, with some
 * rows in two files, gives the messages of the whole file; and missing rows between two files are the same gap as
 * inside one.
 */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { instrumentId } from '../../src/core/index.ts'
import {
  createFeedCursor,
  defaultPolicies,
  type FeedColumns,
  type FeedCursor,
  type FeedPolicies,
  type TextFormat,
} from '../../src/feeds/index.ts'
import { type MarketKind, sourceOf } from '../../src/model/index.ts'
import { batchesOf, countsOf, fill } from '../support/feed-text.ts'
import { askedRuns, askedSeed } from '../support/property-runs.ts'

const runs = askedRuns(60, 1, 5)

/** Lines of a feed and their format. */
interface Lines {
  readonly kind: MarketKind
  readonly header: string
  readonly rows: readonly string[]
  readonly read: { readonly format: TextFormat; readonly columns: FeedColumns | null }
}

function recorded(name: string, kind: MarketKind): Lines {
  const format = `tardis.${name}` as TextFormat
  const text = gunzipSync(readFileSync(`data/recorded-market/${name}.csv.gz`)).toString()
  const [header = '', ...rows] = text.split('\n').slice(0, 1_500)
  return { kind, header, rows, read: { format, columns: null } }
}

const numbered: FeedColumns = {
  ...{ kind: 'book', timestamp: 't', side: 's', price: 'p', amount: 'a' },
  is_snapshot: { column: 'w', word: 'snap' },
  ...{ sequence: 'n', previous_sequence: 'b' },
}

/** A book with sequence numbers, a jittering clock, and messages of several rows. */
const generated: Lines = {
  kind: 'book',
  header: 't,s,p,a,w,n,b',
  rows: Array.from({ length: 400 }, (_, at) => {
    const message = Math.floor(at / 3)
    const time = 1_767_603_600_000_000 + message * 10 - (message % 7 === 3 ? 25 : 0)
    const word = message % 20 === 0 ? 'snap' : 'change'
    const side = at % 2 === 0 ? 'bid' : 'ask'
    const price = at % 2 === 0 ? 100 - (at % 5) : 101 + (at % 5)
    return `${time},${side},${price},${(at % 9) * 10},${word},${message + 1},${message}`
  }),
  read: { format: 'csv', columns: numbered },
}

const feeds = {
  book: recorded('incremental_book_L2', 'book'),
  trades: recorded('trades', 'trades'),
  index: recorded('derivative_ticker', 'index'),
  numbered: generated,
} as const

function cursorOf({ kind }: Lines, files: number, policies: Partial<FeedPolicies>): FeedCursor {
  return createFeedCursor({
    kind,
    files: Array.from({ length: files }, (_, feed) => ({ feed, name: `${feed}.csv` })),
    instrument: { id: instrumentId(0), tick9: 500_000_000, amountStep9: 10_000_000_000 },
    ...{ clock: 'exchange', from: null, to: null },
    policies: { ...defaultPolicies, ...policies },
  })
}

/** Messages of files, each with a range of rows; the position in the feed identifies a row. */
function messagesOf(
  lines: Lines,
  files: readonly (readonly [from: number, to: number])[],
  policies: Partial<FeedPolicies> = {},
): { readonly fault: string | null; readonly messages: readonly string[]; counts: string[] } {
  const cursor = cursorOf(lines, files.length, policies)
  let fault: string | null = null
  for (const [file, [from, to]] of files.entries()) {
    const text = [lines.header, ...lines.rows.slice(from, to), ''].join('\n')
    fault ??= fill(cursor, batchesOf(text, lines.read), file)
  }
  cursor.end()
  const places = new Map<number, number>()
  for (const [feed, [from, to]] of files.entries()) {
    for (let at = from; at < to; at += 1) places.set(sourceOf(feed, at - from + 1), at)
  }
  const messages: string[] = []
  for (let next = cursor.next(); next !== undefined; next = cursor.next()) {
    const { rows, from, to, time, snapshot, feed } = next
    const shown = Array.from({ length: to - from }, (_, index) => {
      const at = from + index
      const place = places.get(sourceOf(feed, rows.row[at] ?? 0))
      return `${rows.side[at]} ${rows.price[at]} ${rows.amount[at]} ${place}`
    })
    messages.push(`${time} ${snapshot} ${shown.join('; ')}`)
  }
  return { fault, messages, counts: countsOf(cursor) }
}

describe.each(Object.entries(feeds))('d01 a feed of several files (%s)', (_, lines) => {
  const length = lines.rows.length - 1
  const cut = fc.record({
    at: fc.nat({ max: length }),
    // Some cuts are inside messages, some files overlap the previous one.
    overlap: fc.oneof(fc.constant(0), fc.nat({ max: 4 }), fc.nat({ max: 200 })),
  })

  test('gives the messages of the whole file, and counts rows that are in two of them', () => {
    const whole = messagesOf(lines, [[0, length]])
    expect(whole.messages.length).toBeGreaterThan(100)
    fc.assert(
      fc.property(fc.array(cut, { maxLength: 4 }), (cuts) => {
        const sorted = [...cuts].sort((left, right) => left.at - right.at)
        const ends = [...sorted.map(({ at }) => at), length]
        const files = ends.map((end, file) => {
          const before = sorted[file - 1]
          const earliest = file < 2 ? 0 : (ends[file - 2] ?? 0)
          const from = before === undefined ? 0 : Math.max(earliest, before.at - before.overlap)
          return [from, end] as const
        })
        const found = messagesOf(lines, files)
        expect(found.fault).toBe(null)
        expect(found.messages).toEqual(whole.messages)
        const twice = files.reduce((sum, [from, to]) => sum + to - from, -length)
        const repeated = found.counts
          .filter((text) => text.startsWith('duplicate '))
          .map((text) => Number(text.split(' ')[1]))
        const own = whole.counts.find((text) => text.startsWith('duplicate '))?.split(' ')[1] ?? '0'
        expect(repeated.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(twice)
        if (twice === 0) expect(repeated).toEqual(own === '0' ? [] : [Number(own)])
      }),
      { numRuns: runs, ...askedSeed(11) },
    )
  })

  test('the same file twice is one file', () => {
    const whole = messagesOf(lines, [[0, length]])
    const twice = messagesOf(lines, [
      [0, length],
      [0, length],
    ])
    expect([twice.fault, twice.messages]).toEqual([null, whole.messages])
  })

  test('d13 files in the wrong order are refused, unless a policy accepts or skips them', () => {
    const half = length >> 1
    const files = [
      [half, length],
      [0, half],
    ] as const
    expect(messagesOf(lines, files).fault ?? '').toContain('rows in order of time')
    const left = messagesOf(lines, files, { disorder: 'skip' })
    expect(left.fault).toBe(null)
    expect(left.counts.join()).toMatch(/disorder [1-9]/)
    expect(messagesOf(lines, files, { disorder: 'keep' }).fault).toBe(null)
  })
})

test('d01 rows that are missing between two files are a gap, in a book and in trades', () => {
  for (const lines of [feeds.numbered, feeds.trades]) {
    const files = [
      [0, 90],
      [126, 300],
    ] as const
    expect(messagesOf(lines, files, { gap: 'fail' }).fault ?? '').toMatch(
      /expected (?:the number \d+ after \d+|a message whose previous number is \d+), found/,
    )
    expect(messagesOf(lines, files).counts).toContain('gap 1 1')
    expect(
      messagesOf(lines, [
        [0, 90],
        [90, 300],
      ] as const).counts.join(),
    ).not.toContain('gap')
  }
})
