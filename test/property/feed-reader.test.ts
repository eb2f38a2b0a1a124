/**
 * The readers of lines and of records compared with csv-parse and their plain version: the same rows, or an error at
 * the same line, wherever the chunks are cut.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FeedText } from '../../src/feeds/format.ts'
import { createFeedReader, type FeedBatch, headerOf } from '../../src/feeds/index.ts'
import { parseCsvRecord } from '../../src/host/feeds/record-parser.ts'
import { type PlainResult, plainRows, readSlowly } from '../support/naive-feed.ts'
import { askedRuns, askedSeed, isWhole } from '../support/property-runs.ts'

interface Sample {
  readonly feed: FeedText
  readonly header: readonly string[]
  /** Generators for the cells of each column. */
  readonly cells: Readonly<Record<string, fc.Arbitrary<string>>>
}

const digits = fc.stringMatching(/^[0-9]{1,7}$/)
const plainDecimal = fc.oneof(
  digits,
  fc.tuple(digits, fc.stringMatching(/^[0-9]{1,5}$/)).map(([whole, rest]) => `${whole}.${rest}`),
  fc.constantFrom('61804.7', '61804.70', '0', '0.0', '100'),
)
const oddDecimal = fc.constantFrom(
  ...['1e-05', '1E-7', '2.5e3', '5.', '.5', '+1', ' 7 ', '-0.5', '0.000000001', '0.0000000010'],
  ...['123456789012345', '9007199254740991', '0001', '1.10000000000000', '12.3456789000'],
)
const wrongDecimal = fc.constantFrom(
  ...['', '--1', 'abc', '1,5', '1e', '--', '0.0000000001', '9007199254740993', '1 2', 'NaN', '1_0'],
)
const time = fc.integer({ min: 0, max: 40 }).map((step) => String(1_723_161_257_823_000 + step))
const oddTime = fc.constantFrom('0', '17', '1723161257823000.5', ' 1723161257823001', '1.7e15')
const wrongTime = fc.constantFrom('', '-5', '99999999999999999', '2024-08-08T00:00:00Z')
const text = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('binance', 'é', '', 'x y') },
  { weight: 1, arbitrary: fc.constantFrom('a,b', 'a"b', 'a\nb', '"', 'a;b', 'a\rb') },
)

/** Mostly plain cells, some unusual ones, rarely a wrong one. */
function mostly(
  plain: fc.Arbitrary<string>,
  odd: fc.Arbitrary<string>,
  wrong: fc.Arbitrary<string>,
): fc.Arbitrary<string> {
  return fc.oneof({ weight: 190, arbitrary: plain }, { weight: 9, arbitrary: odd }, { weight: 1, arbitrary: wrong })
}

const decimal = mostly(plainDecimal, oddDecimal, wrongDecimal)
const stamp = mostly(time, oddTime, wrongTime)
const id = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 12 }).map(String) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', 'abc', 'abd', '9007199254740993', '12345678901234567'),
  },
)
const word = (...words: readonly string[]): fc.Arbitrary<string> =>
  mostly(fc.constantFrom(...words), fc.constantFrom(...words), fc.constantFrom('', 'up', 'True'))

const shared = {
  ...{ exchange: text, timestamp: stamp, local_timestamp: stamp, price: decimal, amount: decimal },
}

const samples: readonly Sample[] = [
  {
    feed: { format: 'tardis.trades', columns: null },
    header: headerOf('tardis.trades'),
    cells: { ...shared, id, side: word('buy', 'sell', 'unknown') },
  },
  {
    feed: { format: 'tardis.incremental_book_L2', columns: null },
    header: headerOf('tardis.incremental_book_L2'),
    cells: { ...shared, is_snapshot: word('true', 'false'), side: word('bid', 'ask') },
  },
  {
    feed: { format: 'tardis.derivative_ticker', columns: null },
    header: headerOf('tardis.derivative_ticker'),
    cells: {
      ...shared,
      index_price: fc.oneof(decimal, fc.constant('')),
      mark_price: fc.oneof(decimal, fc.constant('')),
    },
  },
  {
    feed: {
      format: 'csv',
      columns: {
        ...{ kind: 'book', delimiter: ';', price: 'price', amount: 'amount' },
        timestamp: { column: 'ms', unit: 'ms' },
        local_timestamp: { column: 'ns', unit: 'ns' },
        symbol: 'symbol',
        side: { column: 'side', buy: 'B', sell: 'SELL' },
        is_snapshot: { column: 'type', word: 'snapshot' },
        ...{ sequence: 'change', previous_sequence: 'before' },
      },
    },
    header: ['before', 'price', 'type', 'ns', 'ms', 'note', 'symbol', 'change', 'side', 'amount'],
    cells: {
      ...{
        price: decimal,
        amount: decimal,
        note: text,
        type: fc.constantFrom('snapshot', 'change'),
      },
      ns: fc.constantFrom('1723161257823000999', '1723161257823001000', '5', '1723161257823.5e6'),
      ms: fc.constantFrom('1723161257823', '1723161257824', '1723161257823.4567'),
      ...{ side: word('B', 'SELL'), change: fc.constantFrom('1', '2', '3', '') },
      before: fc.constantFrom('1', '2', ''),
    },
  },
  {
    feed: {
      format: 'csv',
      columns: { kind: 'trades', timestamp: { column: 't', unit: 's' }, price: 'p', amount: 'a' },
    },
    header: ['t', 'p', 'a'],
    cells: { t: fc.constantFrom('1723161257', '1723161257.25', '7'), p: decimal, a: decimal },
  },
]

/** A file as text: cells quoted or not, lines ended either way. */
function fileOf(sample: Sample): fc.Arbitrary<string> {
  const symbol = fc.oneof(
    { weight: 40, arbitrary: fc.constant('A') },
    { weight: 1, arbitrary: fc.constantFrom('AB', 'B', '') },
  )
  const delimiter = sample.feed.columns?.delimiter ?? ','
  const cell = (name: string): fc.Arbitrary<string> => {
    const value = name === 'symbol' ? symbol : (sample.cells[name] ?? fc.constant(''))
    return fc
      .tuple(value, fc.integer({ min: 0, max: 30 }))
      .map(([shown, dice]) => (dice === 0 || /[",;\n\r]/.test(shown) ? quoted(shown) : shown))
  }
  const line = fc.tuple(fc.tuple(...sample.header.map(cell)), fc.integer({ min: 0, max: 400 })).map(([cells, dice]) => {
    if (dice === 0) return ''
    if (dice === 1) return [...cells, 'more'].join(delimiter)
    if (dice === 2) return `${cells.join(delimiter)}"`
    return cells.join(delimiter)
  })
  const lines = fc.array(fc.tuple(line, fc.constantFrom('\n', '\n', '\n', '\r\n')), {
    maxLength: 40,
  })
  return fc.tuple(lines, fc.boolean(), fc.boolean()).map(([body, hasMark, isOpen]) => {
    const whole = [[sample.header.join(delimiter), '\n'], ...body].flat().join('')
    const shown = isOpen ? whole.replace(/\r?\n$/, '') : whole
    return hasMark ? `\uFEFF${shown}` : shown
  })
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`
}

function readFast(
  bytes: Uint8Array,
  feed: FeedText,
  how: { readonly symbol: string | null; readonly cuts: readonly number[] },
): PlainResult {
  const reader = createFeedReader({
    cut: 'keep',
    ...{ ...feed, file: 'file', symbol: how.symbol, parseRecord: parseCsvRecord },
  })
  const batches: FeedBatch[] = []
  let from = 0
  for (const length of [...how.cuts, bytes.length]) {
    const pushed = reader.push(bytes.slice(from, from + length))
    if (!pushed.ok) return { line: pushed.error.line ?? null }
    batches.push(...pushed.value)
    from = Math.min(bytes.length, from + length)
  }
  const ended = reader.end()
  if (!ended.ok) return { line: ended.error.line ?? null }
  return { rows: plainRows([...batches, ...ended.value]), others: reader.totals.otherSymbols }
}

describe('the fast reader', () => {
  test.each(samples)('reads $feed.format like csv-parse and the naive reader', (sample) => {
    const how = fc.record({
      symbol: fc.constantFrom(null, sample.header.includes('symbol') ? 'A' : null),
      cuts: fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 12 }),
    })
    let whole = 0
    fc.assert(
      fc.property(fileOf(sample), how, (content, { symbol, cuts }) => {
        const bytes = new TextEncoder().encode(content)
        const slow = readSlowly(content, sample.feed, symbol)
        const fast = readFast(bytes, sample.feed, { symbol, cuts })
        if ('rows' in slow) whole += 1
        if ('rows' in slow || slow.line !== null) expect(fast).toEqual(slow)
        else expect(fast).not.toHaveProperty('rows')
      }),
      { ...askedSeed(20_240_808), numRuns: askedRuns(250, 1, 30) },
    )
    // The samples are useful only if many of them are readable.
    expect(whole).toBeGreaterThan(isWhole ? 50 : 5)
  })
})
