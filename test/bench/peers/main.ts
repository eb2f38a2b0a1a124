/**
 * `npm run bench:peers` compares Pitclock with other simulators, each in new processes that take turns.
 *
 * Backtesters (hftbacktest, NautilusTrader) run the maker of `maker.ts` on one generated feed, from its CSV files and
 * from a file in the tool's prepared format. Matching engines (exchange-core) apply one growing stream. A ratio is printed
 * only where number and volume of fills are those of Pitclock. test/README.md lists the options.
 *
 * Seconds of loading and running are CPU time of all threads, because clocks on the wall measure little on a shared
 * machine. Pitclock reads its files while it runs, so its loading is part of its run.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { convertFeed, runDocument } from '../../../src/host/index.ts'
import { openCounted } from '../engine.ts'
import { feedFiles, writeFeed } from '../generated-feed.ts'
import { makerDocument, makers } from '../maker.ts'
import { applyStream } from '../market.ts'
import { median } from '../measure.ts'
import { makeStream } from '../stream.ts'

/** Work of one process: `write` makes the inputs of all tools, `prepare` converts the feed to a tool's own format. */
type Job = 'write' | 'prepare' | 'csv' | 'prepared' | 'stream'

/** Report of one process: CPU seconds of all threads, MB, fills and their volume. */
interface Report {
  readonly load: number
  readonly run: number
  readonly peak: number
  readonly fills: number
  readonly volume: number
}

type Measured = Report & { readonly wall: number }

/** The command line of a job. */
type CommandOf = (job: Job, folder: string) => readonly string[]

interface Peer {
  readonly name: string
  readonly version: string
  readonly jobs: readonly Job[]
  /** Known differences from Pitclock, printed with its figures. */
  readonly differs: string
  /** Installs a version into a folder; throws an error with the reason if it cannot. */
  install(folder: string, version: string): CommandOf
}

const sources = resolve('test/bench/peers')
const pythons = ['python3', 'python3.13', 'python3.12', 'python3.11']

const peers: readonly Peer[] = [
  {
    name: 'hftbacktest',
    version: '2.4.4',
    jobs: ['csv', 'prepared'],
    differs: 'risk-averse queue, no partial fills, 5 ms each way, and no latency of the feed (Pitclock: 2 ms)',
    install: (folder, version) => installPython(folder, `hftbacktest==${version}`, 'hftbacktest_maker.py'),
  },
  {
    name: 'NautilusTrader',
    version: '1.221.0',
    jobs: ['csv', 'prepared'],
    differs: 'no queue, 5 ms to the exchange, and no latency of the feed or of replies (Pitclock: 2 and 5 ms)',
    install: (folder, version) => installPython(folder, `nautilus_trader==${version}`, 'nautilus_maker.py'),
  },
  {
    name: 'exchange-core',
    version: '0.5.3',
    jobs: ['stream'],
    differs: 'its order book alone, against an engine with accounts, margin, event log and digest',
    install: installExchangeCore,
  },
]

const own = { name: 'Pitclock', jobs: ['csv', 'prepared', 'stream'] } as const
const ownCommand: CommandOf = (job, folder) => {
  return [process.execPath, fileURLToPath(import.meta.url), '--job', job, '--folder', folder]
}

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '300000' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
    job: { type: 'string' },
    folder: { type: 'string', default: '' },
  },
})
const rows = countOf('rows', values.rows)
const rounds = countOf('rounds', values.rounds)

if (values.job !== undefined) await doJob(values.job as Job, values.folder)
else compare()

function countOf(option: string, text: string): number {
  const count = Number(text)
  if (Number.isSafeInteger(count) && count > 0) return count
  console.error(`error: expected a number above 0 for --${option}, found ${text}`)
  process.exit(2)
}

/** Installs, measures and prints. Exits 1 unless a peer ran. */
function compare(): void {
  const names = peers.map(({ name }) => name)
  const wanted = peers.filter(({ name }) => values.only === undefined || name === values.only)
  if (wanted.length === 0) {
    console.error(`error: expected --only ${names.join(', ')}, found ${values.only}`)
    process.exit(2)
  }
  const tools = new Map<string, CommandOf>([[own.name, ownCommand]])
  for (const peer of wanted) {
    attempt(`${peer.name} ${peer.version} is missing`, () => {
      const folder = join(homedir(), '.cache', 'pitclock-peers', `${peer.name}-${peer.version}`)
      mkdirSync(folder, { recursive: true })
      tools.set(peer.name, peer.install(folder, peer.version))
    })
  }
  if (tools.size === 1) {
    console.error('error: no peer could be installed, for the reasons above')
    process.exitCode = 1
    return
  }
  const folder = mkdtempSync(join(tmpdir(), 'pitclock-peers-'))
  try {
    measure(wanted, tools, folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function measure(wanted: readonly Peer[], tools: Map<string, CommandOf>, folder: string): void {
  run([...ownCommand('write', folder), '--rows', `${rows}`])
  const installed = [own, ...wanted].filter(({ name }) => tools.has(name))
  const jobs = new Set(installed.slice(1).flatMap((tool) => tool.jobs))
  const contenders = installed.flatMap(({ name, jobs: all }) => {
    return all.filter((job) => jobs.has(job)).map((job) => ({ name, job }))
  })
  for (const { name, job } of contenders) {
    if (job !== 'prepared') continue
    attempt(`${name} could not prepare its files`, () => {
      const from = performance.now()
      run(tools.get(name)?.('prepare', folder) ?? [])
      console.log(`${name} prepared its files in ${secondsSince(from).toFixed(1)} s`)
    })
  }
  const found = new Map<string, Measured[]>()
  const failed = new Set<string>()
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < contenders.length; turn += 1) {
      const { name, job } = contenders[(round + turn) % contenders.length] ?? {
        name: '',
        job: 'csv',
      }
      const key = `${name}, ${job}`
      if (failed.has(key)) continue
      const done = attempt(`${key} failed`, () => {
        const from = performance.now()
        const report = JSON.parse(run(tools.get(name)?.(job, folder) ?? [])) as Report
        found.set(key, [...(found.get(key) ?? []), { ...report, wall: secondsSince(from) }])
      })
      if (!done) failed.add(key)
    }
  }
  for (const key of failed) found.delete(key)
  console.log(`\n${rows} rows or commands; medians of ${rounds} processes`)
  console.log(line(['', 'wall s', 'load s', 'run s', 'peak MB', 'fills', 'volume']))
  for (const [key, all] of [...found].sort()) {
    const middle = (name: keyof Measured): number => median(all.map((each) => each[name]))
    const seconds = (['wall', 'load', 'run'] as const).map((name) => middle(name).toFixed(3))
    const others = (['peak', 'fills', 'volume'] as const).map((name) => middle(name).toFixed(0))
    console.log(line([key, ...seconds, ...others]))
  }
  console.log('')
  for (const peer of wanted) for (const job of peer.jobs) reportRatio(peer, job, found)
  if (wanted.some(({ name, jobs: all }) => all.some((job) => found.has(`${name}, ${job}`)))) return
  console.error('error: no peer ran, for the reasons above')
  process.exitCode = 1
}

/** Prints how a peer's job compares with that of Pitclock: its fills, and the ratio of CPU time if they agree. */
function reportRatio(peer: Peer, job: Job, found: ReadonlyMap<string, readonly Measured[]>): void {
  const mine = found.get(`${own.name}, ${job}`)
  const theirs = found.get(`${peer.name}, ${job}`)
  const [first, other] = [mine?.[0], theirs?.[0]]
  if (mine === undefined || theirs === undefined || first === undefined || other === undefined) return
  const agree = [...mine, ...theirs].every(({ fills, volume }) => {
    return fills === first.fills && volume === first.volume
  })
  const title = `${peer.name} ${peer.version}, ${job}`
  if (!agree) {
    const counts = `${other.fills} fills of ${other.volume} against ${first.fills} of ${first.volume}`
    console.log(`${title}: not comparable: ${counts} (${peer.differs})`)
    return
  }
  const ratio = (secondsOf: (report: Report) => number): string => {
    const all = mine.map((each, at) => secondsOf(each) / secondsOf(theirs[at] ?? first))
    return `${median(all).toFixed(1)} x`
  }
  const whole = ratio(({ load, run }) => load + run)
  const alone = ratio((each) => each.run)
  const counts = `fills agree (${first.fills} of ${first.volume})`
  console.log(`${title}: ${counts}; Pitclock takes ${whole} its time`)
  if (job !== 'stream') {
    console.log(`  ${alone} of its run alone, but that of Pitclock includes reading and compilation`)
  }
  console.log(`  ${peer.differs}`)
}

function line(cells: readonly string[]): string {
  return cells.map((cell, at) => (at === 0 ? cell.padEnd(26) : cell.padStart(10))).join('')
}

function secondsSince(from: number): number {
  return (performance.now() - from) / 1000
}

/** Does something that may fail; prints why it did. */
function attempt(what: string, work: () => void): boolean {
  try {
    work()
    return true
  } catch (error) {
    console.log(`${what}: ${error instanceof Error ? error.message : error}`)
    return false
  }
}

/** Runs a program to its end and returns its output; throws an error with the last line that it complained with. */
function run(command: readonly string[]): string {
  const [program = '', ...args] = command
  const { error, status, signal, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (error !== undefined) throw new Error(`${program} cannot be started (${error.message})`)
  if (status === 0) return stdout
  const complaint = (stderr.trim() || stdout.trim()).split('\n').at(-1)
  throw new Error(`${program} ended with ${signal ?? status}: ${complaint}`)
}

/** Installs a package into a virtual environment, once; returns how its script is run. */
function installPython(folder: string, requirement: string, script: string): CommandOf {
  const [done, python] = [join(folder, 'installed'), join(folder, 'bin', 'python')]
  if (!existsSync(done)) {
    run([findPython(), '-m', 'venv', '--clear', folder])
    run([python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', requirement])
    writeFileSync(done, requirement)
  }
  return (job, data) => [python, join(sources, script), job, data]
}

function findPython(): string {
  const check = 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))'
  const found = pythons.find((name) => spawnSync(name, ['-c', check]).status === 0)
  if (found === undefined) throw new Error(`expected Python 3.11 to 3.13 as ${pythons.join(', ')}`)
  return found
}

/** Fetches the jars with Maven, once, and compiles the program against them. */
function installExchangeCore(folder: string, version: string): CommandOf {
  const [done, jars] = [join(folder, 'installed'), join(folder, 'jars')]
  if (!existsSync(done)) {
    const terms = (group: string, artifact: string, of: string): string => {
      return `<groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${of}</version>`
    }
    const model = '<modelVersion>4.0.0</modelVersion>'
    const needs = `<dependencies><dependency>${terms('exchange.core2', 'exchange-core', version)}</dependency></dependencies>`
    const pom = join(folder, 'pom.xml')
    writeFileSync(pom, `<project>${model}${terms('pitclock', 'peers', '1')}${needs}</project>`)
    run(['mvn', '-q', '-B', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${jars}`])
    writeFileSync(done, version)
  }
  const classes = join(folder, 'classes')
  run(['javac', '-cp', join(jars, '*'), '-d', classes, join(sources, 'ExchangeCore.java')])
  const path = `${join(jars, '*')}:${classes}`
  return (_, data) => ['java', '-cp', path, 'ExchangeCore', join(data, 'growing.bin')]
}

/** Does a job of Pitclock in this process. */
async function doJob(job: Job, folder: string): Promise<void> {
  const [files, stream] = [feedFiles(folder), join(folder, 'growing.bin')]
  const tapes = { book: join(folder, 'book.arrow'), trades: join(folder, 'trades.arrow') }
  if (job === 'write') {
    writeFeed(folder, rows)
    writeFileSync(stream, makeStream('growing', rows).words)
  } else if (job === 'prepare') {
    const any = { format: null, symbol: null, columns: null, sha256: null, force: true }
    for (const kind of ['book', 'trades'] as const) {
      const made = await convertFeed(files[kind], tapes[kind], any)
      if (!made.ok) throw new Error(JSON.stringify(made.error))
    }
  } else if (job === 'stream') {
    const began = cpuSeconds()
    const words = new Int32Array(Uint8Array.from(readFileSync(stream)).buffer)
    const { market, trades } = openCounted({ tables: false })
    const loaded = cpuSeconds()
    applyStream(market, words)
    const { trades: fills, volume } = trades.outcome(market)
    tell({ load: loaded - began, run: cpuSeconds() - loaded, fills, volume })
  } else {
    const began = cpuSeconds()
    const document = makerDocument(job === 'csv' ? files : tapes, true)
    const report = await runDocument(document, { strategies: makers })
    if (!report.ok) throw new Error(report.error.lines.join('\n'))
    const { trades: fills, performance } = report.value
    const volume = performance
      .flatMap(({ instruments }) => instruments)
      .reduce((sum, { bought, sold }) => sum + bought + sold, 0)
    tell({ load: 0, run: cpuSeconds() - began, fills, volume })
  }
}

function tell(report: Omit<Report, 'peak'>): void {
  console.log(JSON.stringify({ ...report, peak: process.resourceUsage().maxRSS / 1024 }))
}

/** CPU time of all threads of this process. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
