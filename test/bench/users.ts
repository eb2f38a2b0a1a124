/**
 * Workloads of users: a journal of the growing stream, the same stream through `openVenue`, a maker's backtest, and a
 * backtest without a strategy. They go through the public entry points; runs write a folder, like `pitclock run --out`.
 *
 * Each figure is the median of processes that do nothing else, so speed, memory and allocation include compilation in
 * the first seconds, as in a user's process. One more process counts the commands on the fast path.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Micros, micros } from '../../src/core/index.ts'
import { venueMethods } from '../../src/gateways/index.ts'
import { convertFeed, nodeSha256, runDocument, runFile } from '../../src/host/index.ts'
import { loadRun } from '../../src/host/runs/load-run.ts'
import { silent } from '../../src/host/runs/run-file.ts'
import { driveRun } from '../../src/host/runs/run-job.ts'
import { openRun, openTakers, type RunJob } from '../../src/host/runs/run-outputs.ts'
import { type RunText, readRunText } from '../../src/host/runs/run-text.ts'
import { fanOut } from '../../src/model/index.ts'
import { openVenue, type Venue } from '../../src/program/index.ts'
import { createMetrics, createResultsSink } from '../../src/results/index.ts'
import { createDesk } from '../../src/rpc/index.ts'
import { openCounted } from './engine.ts'
import { countFastPath, type FastPathCount } from './fast-path.ts'
import { feedFiles, writeFeed } from './generated-feed.ts'
import { makerDocument, makers } from './maker.ts'
import { applyStream, fillMarket, type Market, marketConfig } from './market.ts'
import { type Contender, median, rotate, type Spent, spentOn } from './measure.ts'
import { inFolder } from './replay.ts'
import type { BenchRow } from './row.ts'
import { COMMAND_WORDS, makeStream, type OrderStream, type Outcome, streamCommand } from './stream.ts'

// The checks run a tenth of each once, to check that the benchmarks still run.
const isBrief = process.env['PITCLOCK_BENCH_BRIEF'] !== undefined
const streamLength = isBrief ? 10_000 : 100_000
const feedRows = isBrief ? 30_000 : 300_000
const rounds = isBrief ? 1 : 3
const instrument = 'BTC-PERPETUAL'
const start = '2026-01-05T07:00:00Z'
const startMicros = 1_767_596_400_000_000

// The market of `market.ts` in the words of the venue.
const accounts = Array.from({ length: 64 }, (_, each) => `account-${each}`)
const mark = 32_768
const deposit = 1_000_000
const grid = { tick_size: 1, min_trade_amount: 1, contract_size: 1 } as const
const fees = { taker_commission: 0.0005, maker_commission: 0 } as const
const { priceBands, selfMatch, openOrderLimits } = marketConfig
const marketDocument = {
  version: 1,
  title: 'the growing stream',
  start,
  venue: { price_bands: priceBands, self_match: selfMatch, open_order_limits: openOrderLimits },
  instruments: [{ name: instrument, ...grid, ...fees }],
  index: { btc_usd: mark },
  accounts: Object.fromEntries(accounts.map((name) => [name, { deposit: { BTC: deposit } }])),
}

/** A workload of users. */
interface Use {
  readonly name: string
  readonly unit: 'commands' | 'rows'
  /** Writes its input files to a folder. */
  prepare(folder: string): Promise<void>
  /** Runs it; returns the number of its commands or rows. */
  run(folder: string): Promise<number>
  count(folder: string): Promise<FastPathCount>
}

/** The uses by the names of their sections. */
export const uses = {
  run: {
    name: 'growing stream, run of a journal',
    unit: 'commands',
    prepare: writeJournal,
    run: async (folder) => {
      const report = await runFile(journalIn(folder), { out: join(folder, 'run'), force: true })
      if (!report.ok) throw new Error(report.error.lines.join('\n'))
      const { trades } = outcomeIn(folder)
      if (report.value.trades !== trades) throw new RangeError(`expected ${trades} trades`)
      return streamLength
    },
    count: async (folder) => {
      const source = await readRunText(journalIn(folder))
      if (!source.ok) throw new Error(source.error.lines.join('\n'))
      return await countRun(source.value)
    },
  },
  venue: {
    name: 'growing stream, openVenue',
    unit: 'commands',
    prepare: async (folder) => {
      writeStream(folder)
    },
    run: async (folder) => {
      askStream(openBenchVenue(), folder)
      return streamLength
    },
    count: async (folder) => {
      const venue = openBenchVenue()
      const counted = countFastPath(venue.desk, null)
      askStream(venue, folder)
      return counted()
    },
  },
  maker: backtest('maker that requotes each second', true),
  'no-strategy': backtest('backtest without a strategy', false),
} as const satisfies Readonly<Record<string, Use>>

/** A section for a workload of users. */
export type UseName = keyof typeof uses

/** Runs a use in this process and returns its cost and its number of commands or rows. */
export async function spentOnUse(use: UseName, folder: string): Promise<Spent & { count: number }> {
  let count = 0
  const spent = await spentOn(async () => {
    count = await uses[use].run(folder)
  })
  return { ...spent, count }
}

/** Measures a use; `inProcess` starts a new process with an option and a folder and returns its output. */
export async function benchUse(
  use: UseName,
  inProcess: (option: '--use' | '--use-count', folder: string) => string,
): Promise<BenchRow[]> {
  return await inFolder(async (folder) => {
    await uses[use].prepare(folder)
    const spent = Array.from(
      { length: rounds },
      () => JSON.parse(inProcess('--use', folder)) as Spent & { count: number },
    )
    const counts = JSON.parse(inProcess('--use-count', folder)) as FastPathCount
    const { name, unit } = uses[use]
    const one = unit === 'rows' ? 'row' : 'command'
    const row = (what: string, unitOf: string, value: number): BenchRow => {
      return { name: `${name}${what}`, unit: unitOf, value }
    }
    return [
      row('', `M ${unit}/s`, median(spent.map(({ count, seconds }) => count / seconds / 1e6))),
      row(': peak memory', 'MB', median(spent.map(({ peak }) => peak))),
      row(': allocation', `B/${one}`, median(spent.map((each) => each.allocated / each.count))),
      ...(['requests', 'messages'] as const).flatMap((kind) => {
        const { all, fast } = counts[kind]
        if (all === 0) return []
        return [row(`: ${kind} on the fast path`, `% of ${all}`, (100 * fast) / all)]
      }),
    ]
  })
}

/**
 * The ratio of the engine's time with all readers of a run (histories and replies, tables, performance, metrics) to its
 * time with only its log and digest. Both apply the commands of the growing stream, without requests or files.
 */
export function benchReaders(): BenchRow[] {
  const stream = makeStream('growing', streamLength)
  const contender = (name: string, prepare: () => Market): Contender<Market> => ({
    name,
    prepare,
    run: (market) => applyStream(market, stream.words),
    check: ({ exchange }) => {
      if (exchange.slots.used === stream.outcome.resting) return
      throw new RangeError(`${name}: expected ${stream.outcome.resting} orders in the book`)
    },
  })
  const bare = contender('bare engine', () => openCounted({ tables: false }).market)
  const read = contender('engine with readers', openRead)
  const [alone = [], withReaders = []] = rotate([bare, read] as Contender<unknown>[], rounds)
  const ratios = alone.map((seconds, round) => (withReaders[round] ?? Number.NaN) / seconds)
  const name = 'time of the engine with all readers of a run, against bare'
  return [{ name, unit: 'x', target: '<= 2', value: median(ratios) }]
}

/** A day with 136,000 requests of makers and takers. */
const dayDocument = {
  ...{ version: 1, title: 'a day of makers and takers', seed: 'day', start },
  until: isBrief ? '2026-01-05T08:30:00Z' : '2026-01-06T07:00:00Z',
  instruments: [instrument],
  index: { btc_usd: 60_000 },
  population: {
    ...{ instrument, duration: '24h', amount: 10 },
    index: { name: 'btc_usd', price: 60_000, tick: 0.5, every: '4s', step: 12 },
    makers: { count: 12, deposit: { BTC: 20 }, every: '12s', orders: 12, offset: [4, 60], size: [10, 400] },
    takers: { count: 40, deposit: { BTC: 5 }, every: '2m', size: [5, 300], limit_percent: 25 },
  },
}

/** The ratio of the time of a run that is saved each hour of virtual time to its time without saves. */
export async function benchSaves(): Promise<BenchRow[]> {
  return await inFolder(async (folder) => {
    const secondsOfRun = async (saveEvery: Micros | null): Promise<number> => {
      const { seconds } = await spentOn(async () => {
        const report = await runDocument(dayDocument, { saveEvery, out: join(folder, 'day'), force: true })
        if (!report.ok) throw new Error(report.error.lines.join('\n'))
      })
      return seconds
    }
    const ratios: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const alone = await secondsOfRun(null)
      ratios.push((await secondsOfRun(micros(3_600_000_000))) / alone)
    }
    const name = 'time of a day with 136,000 requests, saved each hour, against without saves'
    return [{ name, unit: 'x', target: '<= 1.3', value: median(ratios) }]
  })
}

/** A market with all readers of a run. */
function openRead(): Market {
  const results = createResultsSink({ sha256: nodeSha256, onBlock: () => undefined })
  const readers = fanOut([results, createMetrics()])
  const options = { config: marketConfig, controls: true, methods: venueMethods }
  const { exchange, sink } = createDesk(options, readers)
  return fillMarket(exchange, sink)
}

/** A backtest on tapes of the generated feed. */
function backtest(name: string, isMaking: boolean): Use {
  const documentOf = (folder: string): object => makerDocument(tapesIn(folder), isMaking)
  return {
    name,
    unit: 'rows',
    prepare: async (folder) => {
      writeFeed(folder, feedRows)
      const [files, tapes] = [feedFiles(folder), tapesIn(folder)]
      for (const kind of ['book', 'trades'] as const) {
        const made = await convertFeed(files[kind], tapes[kind], anyFile)
        if (!made.ok) throw new Error(JSON.stringify(made.error))
      }
    },
    run: async (folder) => {
      const options = { strategies: makers, out: join(folder, 'run'), force: true }
      const report = await runDocument(documentOf(folder), options)
      if (!report.ok) throw new Error(report.error.lines.join('\n'))
      const { feeds, trades, refused } = report.value
      const rows = feeds.reduce((sum, feed) => sum + feed.rows, 0)
      if (refused > 0 || isMaking !== trades > 0) throw new Error(`${trades} trades, ${refused} refused`)
      return rows
    },
    count: async (folder) => {
      const text = JSON.stringify(documentOf(folder))
      return await countRun({ text, file: 'the backtest', folder, isJournal: false, set: [] })
    },
  }
}

const anyFile = { format: null, symbol: null, columns: null, sha256: null, force: true }

function tapesIn(folder: string): { readonly book: string; readonly trades: string } {
  return { book: join(folder, 'book.arrow'), trades: join(folder, 'trades.arrow') }
}

/** Runs a text with all takers of `runFile` and counts. */
async function countRun(source: RunText): Promise<FastPathCount> {
  const loaded = await loadRun(source, { feeds: [], strategies: makers })
  if (!loaded.ok) throw new Error(loaded.error.lines.join('\n'))
  const made_by = { node: '', command: null, file: source.file, sha256: '' }
  const receipt = { ...loaded.value.receipt, made_by }
  const options = { ...silent, tables: true }
  const job: RunJob = {
    file: source.file,
    path: null,
    loaded: loaded.value,
    options,
    receipt,
    from: null,
  }
  const takers = openTakers(job, null, null)
  if (!takers.ok) throw new Error(takers.error.lines.join('\n'))
  const run = openRun(job, {
    folder: null,
    replies: null,
    events: null,
    log: null,
    ...takers.value,
  })
  if (!run.ok) throw new Error(run.error.lines.join('\n'))
  const { desk, market } = run.value
  const counted = countFastPath(desk, market?.source ?? null)
  const driven = await driveRun(run.value, loaded.value, { ...options, saver: null })
  if (!driven.ok) throw new Error(driven.error.lines.join('\n'))
  await loaded.value.feeds.close()
  return counted()
}

function journalIn(folder: string): string {
  return join(folder, 'growing.jsonl')
}

/** Writes the stream's commands and its outcome, so that the measured process does not generate it. */
function writeStream(folder: string): OrderStream {
  const stream = makeStream('growing', streamLength)
  writeFileSync(join(folder, 'growing.bin'), stream.words)
  writeFileSync(join(folder, 'growing.json'), JSON.stringify(stream.outcome))
  return stream
}

/**
 * Writes the journal of the stream: the journal of a run that only opens the market, then a request for each command.
 */
async function writeJournal(folder: string): Promise<void> {
  const { words } = writeStream(folder)
  const out = join(folder, 'market')
  const opened = await runDocument(marketDocument, { out })
  if (!opened.ok) throw new Error(opened.error.lines.join('\n'))
  const head = readFileSync(join(out, 'journal.jsonl'), 'utf8')
  const setup = head.trimEnd().split('\n').length - 1
  const lines: string[] = []
  forEachRequest(words, (account, method, params) => {
    const sequence = setup + 1 + lines.length
    const request = { time: startMicros, sequence, account, session: 0, method, params }
    lines.push(`${JSON.stringify(request)}\n`)
  })
  writeFileSync(journalIn(folder), head + lines.join(''))
}

function openBenchVenue(): Venue {
  const venue = openVenue({ start, config: { priceBands, selfMatch, openOrderLimits } })
  venue.request('sim/list_instrument', { instrument_name: instrument, ...grid, ...fees })
  venue.request('sim/set_index', { index_name: 'btc_usd', price: mark })
  for (const name of accounts) {
    venue.request('sim/create_account', { name })
    venue.request('sim/deposit', { account: name, currency: 'BTC', amount: deposit })
  }
  return venue
}

/** Asks a venue for every command of the stream. */
function askStream(venue: Venue, folder: string): void {
  const askers = new Map(accounts.map((name) => [name, venue.as(name)]))
  forEachRequest(wordsIn(folder), (account, method, params) => {
    // The parameters have the types of the method.
    const asked = askers.get(account)?.request(method, params as never)
    if (asked?.ok !== true) throw new RangeError(`expected ${method} to be done`)
  })
  if (venue.exchange.slots.used !== outcomeIn(folder).resting) throw new RangeError('wrong book')
}

type StreamMethod = 'private/buy' | 'private/sell' | 'private/cancel'

/** Calls `ask` with each command of a stream in the words of the venue. */
function forEachRequest(words: Int32Array, ask: (account: string, method: StreamMethod, params: object) => void): void {
  for (let at = 0; at < words.length; at += COMMAND_WORDS) {
    const [first = 0, id = 0, price = 0, amount = 0] = words.subarray(at, at + COMMAND_WORDS)
    const account = accounts[id & (accounts.length - 1)] ?? ''
    const kind = first & 255
    if (kind === streamCommand.cancel) ask(account, 'private/cancel', { order_id: `${id}` })
    else {
      const method = first >> 8 === 0 ? 'private/buy' : 'private/sell'
      const type = kind === streamCommand.limit ? { price } : { type: 'market' }
      ask(account, method, { instrument_name: instrument, amount, ...type })
    }
  }
}

function wordsIn(folder: string): Int32Array {
  return new Int32Array(Uint8Array.from(readFileSync(join(folder, 'growing.bin'))).buffer)
}

function outcomeIn(folder: string): Outcome {
  return JSON.parse(readFileSync(join(folder, 'growing.json'), 'utf8')) as Outcome
}
