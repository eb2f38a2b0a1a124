/**
 * A run as Tardis CSV files: the rows of a small market word by word, both forms of the tables, and refusals, which
 * leave nothing behind.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { formatInputError } from '../../../../src/core/index.ts'
import { createTextFacts, decimalOf, tradesText } from '../../../../src/host/exports/tardis-text.ts'
import {
  type ArrowFile,
  convertRunToTardis,
  type FileRow,
  readTable,
  runFile,
  type TardisManifest,
} from '../../../../src/host/index.ts'

let home = ''
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'pitclock-tardis-'))
})
afterEach(async () => {
  await rm(home, { recursive: true, force: true })
})

const begin = 1_767_603_600_000_000

/** Two instruments; at 3ms an order takes a whole level and rests; at 4ms a level comes and goes. */
const scenario = `version: 1
title: A small market
start: 2026-01-05T09:00:00Z
instruments: [BTC-PERPETUAL, SOL_USDC-PERPETUAL]
index: { btc_usd: 60000, sol_usdc: 200 }
record: { book: true }
accounts:
  ann: { deposit: { BTC: 10, USDC: 100000 } }
  bob: { deposit: { BTC: 10, USDC: 100000 } }
steps:
  - { at: 1ms, as: ann, call: private/sell, params: { instrument_name: BTC-PERPETUAL, amount: 100, price: 60010.5 } }
  - { at: 1ms, as: ann, call: private/sell, params: { instrument_name: BTC-PERPETUAL, amount: 50, price: 60010.5 } }
  - { at: 1ms, as: ann, call: private/buy, params: { instrument_name: BTC-PERPETUAL, amount: 70, price: 59990 } }
  - { at: 2ms, as: bob, call: private/buy, params: { instrument_name: SOL_USDC-PERPETUAL, amount: 1.5, price: 199.9 } }
  - { at: 3ms, as: bob, call: private/buy, params: { instrument_name: BTC-PERPETUAL, amount: 200, price: 60020 } }
  - { at: 3ms, as: ann, call: private/sell, params: { instrument_name: SOL_USDC-PERPETUAL, amount: 0.5, price: 199.9 } }
  - { at: 3ms, as: ann, call: private/sell, params: { instrument_name: BTC-PERPETUAL, amount: 10, price: 60020 } }
  - { at: 4ms, as: ann, call: private/sell, params: { instrument_name: BTC-PERPETUAL, amount: 10, price: 60100 }, save: { order: result.order.order_id } }
  - { at: 4ms, as: ann, call: private/cancel, params: { order_id: $order } }
`

async function makeRun(
  change: { readonly text?: string; readonly exact?: boolean; readonly stop?: boolean } = {},
): Promise<string> {
  const file = join(home, 'scenario.yaml')
  await writeFile(file, change.text ?? scenario)
  const out = join(home, change.exact === true ? 'exact' : 'run')
  const run = await runFile(file, {
    ...{ out, force: true, exact: change.exact === true, journal: false },
    interrupted: () => change.stop === true,
  })
  if (!run.ok) throw new Error(run.error.lines.join('\n'))
  expect(run.value.failures).toEqual([])
  return out
}

async function convert(run: string, to = 'export', force = false): Promise<TardisManifest> {
  const exported = await convertRunToTardis(run, join(home, to), { force })
  if (!exported.ok) throw new Error(formatInputError(exported.error))
  return exported.value
}

async function linesOf(name: string, folder = 'export'): Promise<string[]> {
  const text = gunzipSync(await readFile(join(home, folder, name))).toString('utf8')
  expect(text.endsWith('\n')).toBe(true)
  return text.trimEnd().split('\n')
}

/** Mark and index of the first perpetual after each time at which one of them moved. */
async function lastMarks(run: string): Promise<readonly string[]> {
  const table = await readTable(run, 'marks')
  if (!table.ok) throw new Error(formatInputError(table.error))
  const found = new Map<number, string>()
  let [mark, index] = ['', '']
  for await (const batch of table.value.batches()) {
    for (const row of batch) {
      const isIndex = row['kind'] === 'index' && row['index_name'] === 'btc_usd'
      const isMark = row['kind'] === 'mark' && row['instrument'] === 'BTC-PERPETUAL'
      if (isIndex) index = String(row['price'])
      if (isMark) [mark, index] = [String(row['price']), String(row['index_price'])]
      if (isIndex || isMark) found.set(Number(row['time']), `${mark} ${index}`)
    }
  }
  await table.value.close()
  return [...found].map(([time, prices]) => `${time} ${prices}`)
}

describe('an export', () => {
  test('has each message as one block of rows, the first of an instrument as its snapshot', async () => {
    await convert(await makeRun())
    const row = (symbol: string, milli: number, rest: string): string => {
      const time = begin + milli * 1000
      return `pitclock,${symbol},${time},${time},${rest}`
    }
    const [btc, sol] = ['BTC-PERPETUAL', 'SOL_USDC-PERPETUAL']
    expect(await linesOf('incremental_book_L2.csv.gz')).toEqual([
      'exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount',
      row(btc, 1, 'true,ask,60010.5,150'),
      row(btc, 1, 'true,bid,59990,70'),
      row(sol, 2, 'true,bid,199.9,1.5'),
      row(btc, 3, 'false,ask,60010.5,0'),
      row(btc, 3, 'false,bid,60020,40'),
      row(sol, 3, 'false,bid,199.9,1'),
      row(btc, 4, 'false,ask,60100,0'),
    ])
    expect(await linesOf('trades.csv.gz')).toEqual([
      'exchange,symbol,timestamp,local_timestamp,id,side,price,amount',
      row(btc, 3, '1,buy,60010.5,100'),
      row(btc, 3, '2,buy,60010.5,50'),
      row(sol, 3, '1,sell,199.9,0.5'),
      row(btc, 3, '3,sell,60020,10'),
    ])
    expect(await linesOf('derivative_ticker.csv.gz')).toEqual([
      'exchange,symbol,timestamp,local_timestamp,funding_timestamp,funding_rate,predicted_funding_rate,open_interest,last_price,index_price,mark_price',
      row(btc, 0, ',,,,,60000,60000'),
      row(sol, 0, ',,,,,200,200'),
    ])
  })

  test('has a manifest of its run, its instruments and its texts', async () => {
    const run = await makeRun()
    const manifest = await convert(run)
    const path = join(home, 'export')
    expect((await readdir(path)).toSorted()).toEqual([
      ...['derivative_ticker.csv.gz', 'incremental_book_L2.csv.gz', 'manifest.json'],
      'trades.csv.gz',
    ])
    expect(JSON.parse(await readFile(join(path, 'manifest.json'), 'utf8'))).toEqual(manifest)
    const ran = JSON.parse(await readFile(join(run, 'manifest.json'), 'utf8'))
    expect(manifest.run.digest).toBe(ran.digest)
    expect(manifest.symbols).toMatchObject([
      { symbol: 'BTC-PERPETUAL', tick_size: '0.5', amount_step: '10', book_rows: 5, trades: 3 },
      { symbol: 'SOL_USDC-PERPETUAL', book_rows: 2, trades: 1 },
    ])
    const [first, last] = ['2026-01-05T09:00:00.001Z', '2026-01-05T09:00:00.004Z']
    expect(manifest.files).toMatchObject([
      { data_type: 'incremental_book_L2', rows: 7, messages: 5, first, last },
      { data_type: 'trades', rows: 4, messages: 4 },
      { data_type: 'derivative_ticker', rows: 2, messages: 2 },
    ])
  })

  test('is the same from doubles and from exact integers, and byte for byte a second time', async () => {
    const run = await makeRun()
    const first = await convert(run)
    const exact = await convert(await makeRun({ exact: true }), 'from-exact')
    expect(exact).toEqual(first)
    await convert(run, 'again')
    for (const name of await readdir(join(home, 'export'))) {
      const once = await readFile(join(home, 'export', name))
      expect(once.equals(await readFile(join(home, 'again', name))), name).toBe(true)
    }
  })

  test('has only headers for a run without trades', async () => {
    const text = scenario.slice(0, scenario.indexOf('  - { at: 2ms'))
    const manifest = await convert(await makeRun({ text }))
    expect(manifest.files[1]).toMatchObject({ rows: 0, messages: 0, first: null, last: null })
    expect(await linesOf('trades.csv.gz')).toHaveLength(1)
  })

  test('with moving prices gives them back as a feed', async () => {
    const moves = `${scenario}  - { at: 5ms, call: sim/set_index, params: { index_name: btc_usd, price: 60100.25 } }
  - { at: 5ms, call: sim/set_index, params: { index_name: btc_usd, price: 60200 } }
  - { at: 6ms, call: sim/set_mark, params: { instrument_name: BTC-PERPETUAL, price: 60300.5 } }
  - { at: 7ms, call: sim/set_index, params: { index_name: btc_usd, price: 60150 } }
  - { at: 3s, call: sim/set_mark, params: { instrument_name: BTC-PERPETUAL } }
  - { at: 9s, call: sim/set_index, params: { index_name: btc_usd, price: 59000 } }
`
    const run = await makeRun({ text: moves })
    const { symbols } = await convert(run)
    const marks = await lastMarks(run)
    expect(symbols[0]?.tickers).toBe(marks.length)
    const replayed = await makeRun({
      text: `version: 1
title: The prices of another run
start: 2026-01-05T09:00:00Z
instruments: [BTC-PERPETUAL]
feeds:
  - { format: tardis.derivative_ticker, path: export/derivative_ticker.csv.gz, instrument: BTC-PERPETUAL, symbol: BTC-PERPETUAL }
`,
    })
    expect(await lastMarks(replayed)).toEqual(marks)
    expect(marks.length).toBeGreaterThan(5)
    expect(marks).toContain(`${begin + 7000} 60300.5 60150`)
  })

  test('replaces an earlier export when forced, and never anything else', async () => {
    const run = await makeRun()
    await convert(run)
    const target = join(home, 'export')
    expect(await convertRunToTardis(run, target, { force: false })).toMatchObject({
      error: { file: target, found: 'the folder of another export', hint: '--force replaces it' },
    })
    await convert(run, 'export', true)
    await writeFile(join(target, 'thesis.txt'), 'years of work')
    expect(await convertRunToTardis(run, target, { force: true })).toMatchObject({
      error: { found: 'something other than the folder of an export' },
    })
    // The folder of a run is no export either.
    expect((await convertRunToTardis(run, run, { force: true })).ok).toBe(false)
    expect(await readdir(run)).toContain('book.arrow')
  })

  test('P19 two exports to one place have separate partial folders, and the first to end takes the place', async () => {
    const run = await makeRun()
    const target = join(home, 'export')
    // A partial folder of another process, from long ago.
    await mkdir(`${target}.partial`)
    const ends = await Promise.all([1, 2].map(() => convertRunToTardis(run, target, { force: false })))
    expect(ends.map(({ ok }) => ok).toSorted()).toEqual([false, true])
    const [lost] = ends.filter(({ ok }) => !ok)
    expect(lost).toMatchObject({
      error: { file: target, hint: expect.stringContaining('complete output is in') },
    })
    const files = ['derivative_ticker.csv.gz', 'incremental_book_L2.csv.gz', 'manifest.json']
    expect(await readdir(target)).toEqual([...files, 'trades.csv.gz'])
    expect(await readdir(`${target}.partial`)).toEqual([])
    const kept = (await readdir(home)).filter((name) => /^export\.[23]\.partial$/.test(name))
    expect(kept).toHaveLength(1)
    expect(await readdir(join(home, kept.join('')))).toHaveLength(4)
  })
})

describe('a run that cannot be exported is refused and leaves no folder', () => {
  async function refusalOf(run: string): Promise<string> {
    const refused = await convertRunToTardis(run, join(home, 'export'), { force: false })
    expect((await readdir(home)).filter((name) => name.startsWith('export'))).toEqual([])
    return refused.ok ? 'none' : formatInputError(refused.error)
  }

  test('without its book', async () => {
    const run = await makeRun({ text: scenario.replace('record: { book: true }\n', '') })
    expect(await refusalOf(run)).toBe(
      `${join(run, 'manifest.json')}: tables: expected a run that recorded its book, found no table book (set record: { book: true } in the scenario)`,
    )
  })

  test('that was interrupted', async () => {
    const many = Array.from({ length: 2100 }, () => '  - { at: 5ms, call: public/get_time }\n')
    const run = await makeRun({ text: scenario + many.join(''), stop: true })
    expect(await refusalOf(`${run}.partial`)).toContain('expected a complete run, found interrupted')
  })

  test('that does not exist, or lacks a table', async () => {
    expect(await refusalOf(join(home, 'nowhere'))).toContain('expected the manifest of a run')
    const run = await makeRun()
    await rm(join(run, 'trades.arrow'))
    expect(await refusalOf(run)).toContain('trades.arrow: expected a complete Arrow file')
  })
})

describe('a decimal of a table', () => {
  test('is exact, without trailing zeros, in both forms', () => {
    const cases: [bigint, number, string][] = [
      [60_010_500_000_000n, 60010.5, '60010.5'],
      [0n, 0, '0'],
      [1n, 1e-9, '0.000000001'],
      [10_000_000_000_000_000_000_000n, 1e13, '10000000000000'],
      [123_456_789_012_345n, 123456.789012345, '123456.789012345'],
    ]
    for (const [integer, double, text] of cases) {
      expect([decimalOf(integer, 9), decimalOf(double, 0)]).toEqual([text, text])
    }
  })

  test('is not guessed if a double has lost digits, and nothing else is a decimal', () => {
    expect(decimalOf(1_234_567_123_456_789n, 9)).toBe('1234567.123456789')
    for (const cell of [1234567.123456789, Number.NaN, null, undefined, 'text']) {
      expect(decimalOf(cell, 0)).toBeNull()
    }
  })
})

describe('the text of trades', () => {
  /** A table of one batch that is in no file. */
  function tableOf(rows: readonly FileRow[]): ArrowFile {
    return {
      columns: Object.keys(rows[0] ?? {}).map((name) => ({
        name,
        type: 'Float64',
        unit: null,
        description: null,
        scale: 0,
      })),
      metadata: new Map(),
      async *batches() {
        yield rows
      },
      close: async () => undefined,
    }
  }
  const trade: FileRow = {
    ...{ time: 5n, trade_seq: 1n, instrument: 'BTC-PERPETUAL', side: 'buy' },
    ...{ price: 60000.5, amount: 10 },
  }

  async function textOf(rows: readonly FileRow[]): Promise<[string[], string]> {
    const facts = createTextFacts()
    let text = ''
    for await (const piece of tradesText({ file: 'trades.arrow', table: tableOf(rows) }, facts)) {
      text += piece
    }
    const fault = facts.fault === null ? 'none' : formatInputError(facts.fault)
    return [text.trimEnd().split('\n').slice(1), fault]
  }

  test('has no id for a trade of a recorded feed', async () => {
    const print = { ...trade, trade_seq: 0n, side: 'unknown' }
    expect(await textOf([trade, print])).toEqual([
      ['pitclock,BTC-PERPETUAL,5,5,1,buy,60000.5,10', 'pitclock,BTC-PERPETUAL,5,5,,unknown,60000.5,10'],
      'none',
    ])
  })

  test('ends with a fault if digits are lost or a column is missing', async () => {
    const [lines, lost] = await textOf([trade, { ...trade, price: 1234567.123456789 }])
    expect(lines).toEqual([])
    expect(lost).toBe(
      'trades.arrow: price: expected a number of at most 15 digits, found 1234567.123456789 (run with --exact to write exact decimals)',
    )
    const { price: _price, ...rest } = trade
    expect((await textOf([rest]))[1]).toContain('found no column price')
  })
})
