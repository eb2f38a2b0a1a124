/**
 * The cost of a start: the CPU time of a process that prints help, runs one scenario or imports the library. Needs
 * `npm run build` before.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { median } from './measure.ts'
import type { BenchRow } from './row.ts'

const rounds = 9
// The benchmarks run from their built form, which lies one folder deeper.
const repository = fileURLToPath(new URL('../../..', import.meta.url))
const program = 'dist/cli/pitclock.js'
const scenario = 'scenarios/orders/market-sell-fills-resting-bid.yaml'
/** The name of each start, the arguments of Node, and the target in milliseconds. */
const starts: readonly (readonly [name: string, args: readonly string[], target: number | null])[] = [
  ['node -e 0', ['-e', '0'], null],
  ['pitclock --help', [program, '--help'], 150],
  ['pitclock run of a first scenario', [program, 'run', scenario], 300],
  ["import 'pitclock'", ['--input-type=module', '-e', "import 'pitclock'"], null],
  ["import 'pitclock/node'", ['--input-type=module', '-e', "import 'pitclock/node'"], 150],
]
/** Makes a process print at its end the CPU milliseconds of all its threads. */
const meter = `data:text/javascript,${encodeURIComponent(`
  process.on('exit', () => {
    const { user, system } = process.cpuUsage()
    process.stderr.write('\\n' + (user + system) / 1000)
  })
`)}`

/** CPU milliseconds of each start, in turn. */
export function benchStartUp(): BenchRow[] {
  if (!existsSync(`${repository}/${program}`)) return []
  const all = Array.from({ length: rounds }, () => starts.map(([, args]) => cpuMillis(args)))
  return starts.map(([name, , target], at) => ({
    ...{ name, unit: 'ms of CPU', value: median(all.map((round) => round[at] ?? Number.NaN)) },
    ...(target === null ? {} : { target: `<= ${target}` }),
  }))
}

function cpuMillis(args: readonly string[]): number {
  const { status, stderr } = spawnSync(process.execPath, ['--import', meter, ...args], {
    ...{ cwd: repository, encoding: 'utf8' },
  })
  if (status !== 0) throw new RangeError(`node ${args.join(' ')}: expected an end, found ${stderr}`)
  return Number(stderr.slice(stderr.lastIndexOf('\n')))
}
