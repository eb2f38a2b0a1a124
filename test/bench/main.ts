/**
 * `npm run bench`: every performance figure that Pitclock promises, measured here and now, next to its target.
 * `--against REF`: those figures next to the figures of a commit. test/README.md lists the options.
 *
 * Compare figures only with figures of the same machine; ratios hold on any machine. Each section runs in a separate
 * process, so that no section pays for memory or compiled code of another one: `--section NAME` is how this program
 * starts itself.
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ComparisonError, compareRows, measureAgainst } from './against.ts'
import { benchArrow } from './arrow.ts'
import { benchEngine, firstPass } from './engine.ts'
import { benchFeeds } from './feeds.ts'
import { benchHolders } from './holders.ts'
import { benchLatency } from './latency.ts'
import { benchMargin } from './margin.ts'
import { benchBooks, benchRestingOrders } from './memory.ts'
import { readBenchOptions } from './options.ts'
import { benchProtections } from './protections.ts'
import { benchReduceOnly } from './reduce-only.ts'
import { benchReplay, inFolder, replayMemory, writeTapes } from './replay.ts'
import { comparisonOf, jsonOf, tableOf } from './report.ts'
import type { BenchRow } from './row.ts'
import { benchRequests } from './rpc.ts'
import { benchServer, type ServedSort, serveBench } from './server.ts'
import { benchStartUp } from './start-up.ts'
import { loadStream, streamSource } from './streams.ts'
import { benchReaders, benchSaves, benchUse, spentOnUse, type UseName, uses } from './users.ts'
import { benchYear } from './year.ts'

const sections: Readonly<Record<string, () => readonly BenchRow[] | Promise<readonly BenchRow[]>>> = {
  engine: () => benchEngine(loadStream('growing'), () => Number(output('--first-pass'))),
  latency: () => benchLatency(loadStream('growing')),
  orders: () => benchRestingOrders(loadStream('deep')),
  books: () => benchBooks(loadStream('growing')),
  margin: benchMargin,
  holders: benchHolders,
  protections: benchProtections,
  'reduce-only': benchReduceOnly,
  year: benchYear,
  run: async () => [...(await benchOneUse('run')), ...benchReaders(), ...(await benchSaves())],
  venue: () => benchOneUse('venue'),
  maker: () => benchOneUse('maker'),
  'no-strategy': () => benchOneUse('no-strategy'),
  requests: benchRequests,
  server: benchServer,
  replay: benchReplay,
  'replay-memory': benchReplayMemory,
  results: benchArrow,
  feeds: benchFeeds,
  start: benchStartUp,
}

const [option, name, more] = process.argv.slice(2)
if (option === '--first-pass') console.log(firstPass(loadStream('growing')))
else if (option === '--replay-tapes') await writeTapes(name ?? '', Number(more))
else if (option === '--replay-memory') console.log(await replayMemory(name ?? ''))
else if (option === '--use') console.log(JSON.stringify(await spentOnUse(name as UseName, more ?? '')))
else if (option === '--use-count') console.log(JSON.stringify(await uses[name as UseName].count(more ?? '')))
else if (option === '--serve') await serveBench(name as ServedSort)
else if (option === '--section') console.log(JSON.stringify(await sections[name ?? '']?.()))
else await answer()

/** Runs the requested measurements. Prints a mistake in the options and exits 2. */
async function answer(): Promise<void> {
  const asked = readBenchOptions(process.argv.slice(2), Object.keys(sections))
  if (!asked.ok) {
    refuse(asked.error)
    return
  }
  const { against, json, ...work } = asked.value
  if (against === null) {
    report(work.sections, json)
    return
  }
  try {
    const rows = compareRows(await measureAgainst({ ref: against, ...work }))
    console.log(json ? JSON.stringify({ against, ...work, figures: rows }) : comparisonOf(rows))
  } catch (error) {
    if (!(error instanceof ComparisonError)) throw error
    refuse(error.message)
  }
}

function refuse(text: string): void {
  console.error(`error: ${text}`)
  process.exitCode = 2
}

/** A longer feed may need no more memory than a shorter one; each is measured in separate processes. */
async function benchReplayMemory(): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = []
  for (const millions of [20, 40]) {
    const value = await inFolder(async (folder) => {
      output('--replay-tapes', folder, String(millions))
      return Number(output('--replay-memory', folder))
    })
    const name = `peak memory of a backtest of ${millions} M rows with tables`
    rows.push({ name, value, unit: 'MB', target: '<= 300' })
  }
  return rows
}

async function benchOneUse(use: UseName): Promise<readonly BenchRow[]> {
  return await benchUse(use, (asked, folder) => output(asked, use, folder))
}

function report(names: readonly string[], json: boolean): void {
  const rows: BenchRow[] = []
  for (const section of names) {
    rows.push(...(JSON.parse(output('--section', section)) as readonly BenchRow[]))
  }
  const source = streamSource()
  if (json) console.log(JSON.stringify(jsonOf(rows, source)))
  else console.log(`${tableOf(rows)}\n\nstreams: ${source}`)
}

function output(...args: string[]): string {
  const main = fileURLToPath(import.meta.url)
  const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit']
  return execFileSync(process.execPath, ['--expose-gc', main, ...args], { stdio }).toString()
}
