/**
 * Law: a recorded file, or its tape, that is written as Tardis CSV reads back to the same rows: times, messages,
 * snapshots, sides, exact values and the order that trade numbers imply. Rows that the format cannot express are
 * counted.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { formatInputError } from '../../src/core/index.ts'
import {
  createNumbering,
  decimalText,
  type FeedColumns,
  headerOf,
  markNumbers,
  type PublishedFormat,
  rowFlags,
} from '../../src/feeds/index.ts'
import { convertFeed, convertFeedToTardis, openFeedFile, type TardisFeedReport } from '../../src/host/index.ts'
import { tardisText } from '../support/feed-text.ts'
import { askedRuns, askedSeed, unreached } from '../support/property-runs.ts'

const home = mkdtempSync(join(tmpdir(), 'pitclock-tardis-feed-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const plain = { format: null, symbol: null, columns: null, sha256: null } as const

/** Rows of a file as texts, one each; values without trailing zeros. */
async function rowsOf(path: string, options: object = {}): Promise<readonly string[]> {
  const opened = await openFeedFile(path, { ...plain, ...options })
  if (!opened.ok) throw new Error(formatInputError(opened.error.error))
  const rows: string[] = []
  const numbering = createNumbering()
  for (;;) {
    const batch = await opened.value.next()
    if (!batch.ok) throw new Error(formatInputError(batch.error.error))
    if (batch.value === null) break
    const { value } = batch
    const flags = value.flags.slice(0, value.rows)
    if (value.ids !== null) markNumbers(numbering, { ...value, ids: value.ids }, flags)
    for (let at = 0; at < value.rows; at += 1) {
      const price = decimalText(value.price[at] as number, value.priceDecimals)
      const amount = decimalText(value.amount[at] as number, value.amountDecimals)
      const cells = [value.row[at], value.time[at], value.localTime[at], flags[at]]
      rows.push([...cells, Number(price), Number(amount)].join(' '))
    }
  }
  await opened.value.close()
  return rows
}

async function tardisOf(input: string, output: string, options: object = {}): Promise<TardisFeedReport> {
  const written = await convertFeedToTardis(input, output, {
    ...plain,
    force: true,
    exchange: 'deribit',
    ...options,
  })
  if (!written.ok) throw new Error(formatInputError(written.error.error))
  return written.value
}

const step = fc.record({
  later: fc.constantFrom(0, 0, 1, 7, 1000),
  isSnapshot: fc.boolean(),
  side: fc.constantFrom('bid', 'ask'),
  taker: fc.constantFrom('buy', 'sell', 'unknown'),
  price: fc.integer({ min: 1, max: 900_000 }),
  decimals: fc.integer({ min: 0, max: 4 }),
  amount: fc.integer({ min: 0, max: 500_000 }),
  skip: fc.constantFrom(0, 1, 1, 1, 1, 2, 5),
})

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

function linesOf(format: PublishedFormat, steps: readonly Step[]): readonly string[] {
  let [time, id] = [1_767_603_600_000_000, 10]
  return steps.map(({ later, isSnapshot, side, taker, price, decimals, amount, skip }) => {
    time += later
    id += skip
    const [cost, size] = [(price / 10 ** decimals).toFixed(decimals), (amount / 100).toFixed(2)]
    const clocks = `${time - 5},${time}`
    if (format === 'tardis.trades') return `${clocks},${id},${taker},${cost},${size}`
    if (format === 'tardis.derivative_ticker') return `${clocks},,,,,,${cost},${amount === 0 ? '' : size}`
    return `${clocks},${isSnapshot},${side},${cost},${size}`
  })
}

/** Its ids count the trades of an instrument, so jumps are gaps. */
const exchange = 'binance'

const seen = { duplicates: 0, gaps: 0, snapshots: 0 }

test.each(['tardis.incremental_book_L2', 'tardis.trades', 'tardis.derivative_ticker'] as const)(
  'a file of %s and its tape are written with the same rows',
  async (format) => {
    const [source, tape] = [join(home, `${format}.csv`), join(home, `${format}.arrow`)]
    const law = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 60 }), async (steps) => {
      const text = tardisText(format, linesOf(format, steps)).replaceAll('deribit', exchange)
      writeFileSync(source, text)
      const rows = await rowsOf(source)
      for (const row of rows) {
        const flags = Number(row.split(' ')[3])
        seen.duplicates += flags & rowFlags.duplicate
        seen.gaps += flags & rowFlags.gap
        seen.snapshots += flags & rowFlags.snapshot
      }
      const fromText = join(home, `${format}.again.csv`)
      const report = await tardisOf(source, fromText, { exchange })
      expect(report).toMatchObject({ rows: rows.length, joined_messages: 0, untold_gaps: 0 })
      expect(await rowsOf(fromText)).toEqual(rows)
      const converted = await convertFeed(source, tape, { ...plain, force: true })
      if (!converted.ok) throw new Error(formatInputError(converted.error.error))
      const fromTape = join(home, `${format}.again.csv.gz`)
      expect((await tardisOf(tape, fromTape, { exchange })).text_sha256).toBe(report.text_sha256)
      const again = gunzipSync(readFileSync(fromTape)).toString()
      expect(again).toBe(readFileSync(fromText, 'utf8'))
      expect(again.split('\n')[0]).toBe(headerOf(format).join(','))
      // Written a second time it gives the same text, because the trade numbers already have the format.
      const third = join(home, `${format}.third.csv`)
      expect((await tardisOf(fromText, third, { exchange })).text_sha256).toBe(report.text_sha256)
    })
    await fc.assert(law, { numRuns: askedRuns(1_000, 1, 4), ...askedSeed(31), endOnFailure: true })
  },
)

test('the files had repeated trades, gaps and snapshots', () => {
  const reached = new Map(Object.entries(seen))
  expect(unreached([...reached.keys()], reached)).toEqual([])
})

test('messages at one time that only numbers distinguish become one, and gaps are counted', async () => {
  const source = join(home, 'numbered.csv')
  const rows = ['5,1,,snapshot,B,10.5,1', '6,2,1,change,B,10,2', '6,3,2,change,S,11,3', '9,7,6,change,B,10,0']
  writeFileSync(source, `t,n,p,type,side,price,size\n${rows.join('\n')}\n`)
  const columns: FeedColumns = {
    ...{ kind: 'book', timestamp: { column: 't', unit: 'ms' }, price: 'price', amount: 'size' },
    side: { column: 'side', buy: 'B', sell: 'S' },
    is_snapshot: { column: 'type', word: 'snapshot' },
    ...{ sequence: 'n', previous_sequence: 'p' },
  }
  const out = join(home, 'numbered.tardis.csv')
  const options = { format: 'csv', columns, symbol: 'BTC-PERPETUAL' }
  expect(await tardisOf(source, out, options)).toMatchObject({
    ...{ rows: 4, joined_messages: 1, untold_gaps: 1, symbol: 'BTC-PERPETUAL' },
  })
  expect(readFileSync(out, 'utf8').split('\n')).toEqual([
    'exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount',
    'deribit,BTC-PERPETUAL,5000,5000,true,bid,10.5,1',
    'deribit,BTC-PERPETUAL,6000,6000,false,bid,10,2',
    'deribit,BTC-PERPETUAL,6000,6000,false,ask,11,3',
    'deribit,BTC-PERPETUAL,9000,9000,false,bid,10,0',
    '',
  ])
})
