/**
 * How long the command line takes to say what it can do. Needs `npm run build` before.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { median, secondsOf } from './measure.ts'
import type { BenchRow } from './row.ts'

const rounds = 9
const program = fileURLToPath(new URL('../../../dist/cli/pitclock.js', import.meta.url))

/** Wall time of `pitclock --help`, and of Node doing nothing. */
export function benchStartUp(): BenchRow[] {
  if (!existsSync(program)) return []
  const time = (...args: string[]): number =>
    secondsOf(() => execFileSync(process.execPath, args, { stdio: 'ignore' })) * 1000
  const pairs = Array.from({ length: rounds }, () => [time('-e', '0'), time(program, '--help')])
  return [
    {
      name: 'pitclock --help',
      value: median(pairs.map(([, help = 0]) => help)),
      unit: 'ms',
      target: '<= 150',
    },
    { name: 'node -e 0', value: median(pairs.map(([node = 0]) => node)), unit: 'ms' },
  ]
}
