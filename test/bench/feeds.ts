/**
 * The cost of recorded feeds: text to tape, plain and gzip, compared with csv-parse; tape to messages.
 *
 * The text is the real book next to the repository, repeated with shifted times that rise, up to 200 MB; without that
 * file, generated rows of the same form. It is in a temporary folder. csv-parse reads the first tenth of it, in turn
 * with the reader, in this process.
 */
import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip, gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse'
import { instrumentId } from '../../src/core/index.ts'
import { createFeedCursor, createMarketMerge, defaultPolicies } from '../../src/feeds/index.ts'
import { convertFeed, type FeedFileOptions, openFeedFile } from '../../src/host/index.ts'
import { median } from './measure.ts'
import type { BenchRow } from './row.ts'

const textBytes = 200_000_000
const rounds = 3
const anyFile: FeedFileOptions = { format: null, symbol: null, columns: null, sha256: null }
// The benchmarks run from their built form, which lies one folder deeper.
const recorded = 'shared/data/binance-coinm/btcusd-perp-2024-08-08/incremental_book_L2.csv.gz'

/** Measures readers, tapes and cursors. */
export async function benchFeeds(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pitclock-bench-'))
  try {
    const plain = join(folder, 'book.csv')
    const { tenth, gzip } = await writeTexts(folder, plain)
    const megabytes = statSync(plain).size / 1e6
    const seconds: Record<'plain' | 'gzip' | 'parse' | 'replay', number[]> = {
      plain: [],
      gzip: [],
      parse: [],
      replay: [],
    }
    const tape = join(folder, 'book.arrow')
    let rows = 0
    for (let round = 0; round <= rounds; round += 1) {
      const taken = {
        plain: await secondsOf(() => convert(plain, tape)),
        gzip: await secondsOf(() => convert(gzip, tape)),
        parse: await secondsOf(() => parseAll(tenth)),
        replay: await secondsOf(async () => {
          rows = await replay(tape)
        }),
      }
      if (round === 0) continue
      for (const name of ['plain', 'gzip', 'parse', 'replay'] as const) seconds[name].push(taken[name])
    }
    const rate = (name: 'plain' | 'gzip'): number => megabytes / median(seconds[name])
    const parsed = statSync(tenth).size / 1e6 / median(seconds.parse)
    return [
      row('CSV to tape, plain', rate('plain'), { unit: 'MB/s', target: '250' }),
      row('CSV to tape, gzip', rate('gzip'), { unit: 'MB/s', target: '200' }),
      row('csv-parse', parsed, { unit: 'MB/s' }),
      row('CSV to tape, plain, times csv-parse', rate('plain') / parsed, {
        unit: 'x',
        target: '8',
      }),
      row('CSV to tape, gzip, times csv-parse', rate('gzip') / parsed, { unit: 'x', target: '8' }),
      row('tape to messages', rows / median(seconds.replay), { unit: 'rows/s' }),
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function row(name: string, value: number, more: { readonly unit: string; readonly target?: string }): BenchRow {
  return { name, value: more.unit === 'rows/s' ? Math.round(value) : value, ...more }
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const from = performance.now()
  await work()
  return (performance.now() - from) / 1000
}

async function convert(input: string, output: string): Promise<void> {
  const done = await convertFeed(input, output, { ...anyFile, force: true })
  if (!done.ok) throw new Error(JSON.stringify(done.error))
}

async function parseAll(path: string): Promise<void> {
  let rows = 0
  for await (const cells of createReadStream(path).pipe(parse())) rows += cells.length > 0 ? 1 : 0
  if (rows === 0) throw new Error('csv-parse found no row')
}

/** Reads a tape through a cursor and the merge; returns its rows. */
async function replay(path: string): Promise<number> {
  const opened = await openFeedFile(path, anyFile)
  if (!opened.ok) throw new Error(JSON.stringify(opened.error))
  const cursor = createFeedCursor({
    kind: 'book',
    files: [{ feed: 0, name: path }],
    clock: 'exchange',
    from: null,
    to: null,
    instrument: { id: instrumentId(0), tick9: 100_000_000, amountStep9: 100_000_000_000 },
    policies: defaultPolicies,
  })
  const merge = createMarketMerge([cursor])
  let rows = 0
  for (;;) {
    const next = await opened.value.next()
    if (!next.ok) throw new Error(JSON.stringify(next.error))
    if (next.value === null) break
    const added = cursor.addBatch(next.value, 0)
    if (!added.ok) throw new Error(JSON.stringify(added.error))
    for (let message = merge.next(); message !== undefined; message = merge.next()) {
      rows += message.to - message.from
    }
  }
  await opened.value.close()
  return rows
}

/** Writes the text plain, its first tenth, and all of it as gzip. */
async function writeTexts(folder: string, plain: string): Promise<{ readonly tenth: string; readonly gzip: string }> {
  const tenth = join(folder, 'tenth.csv')
  const gzip = join(folder, 'book.csv.gz')
  const source = sourceText()
  const headEnd = source.indexOf(10) + 1
  const file = openSync(plain, 'w')
  const start = openSync(tenth, 'w')
  let written = writeSync(file, source, 0, headEnd)
  writeSync(start, source, 0, headEnd)
  const lines = source.toString('latin1', headEnd).split('\n')
  lines.pop()
  for (let copy = 0; written < textBytes; copy += 1) {
    const bytes = Buffer.from(`${lines.map((line) => shifted(line, copy)).join('\n')}\n`, 'latin1')
    written += writeSync(file, bytes)
    if (copy === 0) writeSync(start, bytes)
  }
  closeSync(file)
  closeSync(start)
  await pipeline(createReadStream(plain), createGzip({ level: 6 }), createWriteStream(gzip))
  return { tenth, gzip }
}

/** A line of the book, some minutes later. */
function shifted(line: string, copies: number): string {
  const cells = line.split(',')
  const later = (text: string | undefined): string => String(Number(text) + copies * 400_000_000)
  cells[2] = later(cells[2])
  cells[3] = later(cells[3])
  return cells.join(',')
}

function sourceText(): Buffer {
  const places = ['..', '../..', '../../..', '../../../..', '../../../../..']
  const found = places.map((up) => join(import.meta.dirname, up, recorded)).find((path) => existsSync(path))
  return found === undefined ? generatedText() : gunzipSync(readFileSync(found))
}

function generatedText(): Buffer {
  const lines = Array.from({ length: 300_000 }, (_, index) => {
    const time = 1_723_161_257_823_000 + Math.floor(index / 11) * 1_000
    const side = index % 2 === 0 ? 'bid' : 'ask'
    const price = (617_000 + ((index * 7_919) % 4_000)) / 10
    const amount = ((index * 31) % 90) * 100
    return `generated,BTCUSD,${time},${time + 250},${index < 22},${side},${price.toFixed(1)},${amount}`
  })
  const header = 'exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount'
  return Buffer.from([header, ...lines, ''].join('\n'))
}
