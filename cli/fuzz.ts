/** `pitclock fuzz`: random runs of all methods, and a scenario for each failure. */
import { type Command, InvalidArgumentError } from 'commander'
import type { FuzzCoverage, FuzzReport } from '../src/node.ts'
import { timeLimit } from './flags.ts'
import { watchInterrupt } from './interrupt.ts'
import { complain, exitCode, printJson, refuseFault } from './output.ts'
import { paint, print } from './print.ts'
import { progressLine, withSeparators } from './progress.ts'

interface FuzzFlags {
  readonly runs?: number
  readonly seed: string
  readonly time?: string
  readonly laws: number
  readonly swarm?: true
  readonly out?: string
  readonly force?: true
  readonly json?: true
  readonly quiet?: true
}

const RUNS = 1000

/** Adds the command. */
export function addFuzzCommand(program: Command): void {
  program
    .command('fuzz')
    .description('Send random requests of all methods, check every law, and write a scenario for each failure.')
    .option('--runs <n>', `number of runs (default: ${RUNS}, or no limit with --time)`, countOf)
    .option('--seed <seed>', 'the seed; the same seed gives the same output', '0')
    .option('--time <duration>', 'end after this time, such as 10m')
    .option('--laws <n>', 'check the laws of the state and the audit after every n requests', countOf, 10)
    .option('--swarm', 'draw a subset of instruments, accounts, requests and methods for each run')
    .option('-o, --out <dir>', 'write the scenarios of the failures and fuzz.json to a folder')
    .option('--force', 'replace the folder if it exists')
    .option('--json', 'print one JSON object')
    .option('-q, --quiet', 'print failures only')
    .addHelpText(
      'after',
      `
Examples:
  pitclock fuzz --runs 20 --out failures
  pitclock fuzz --time 10m --seed nightly --swarm --out failures
  pitclock run failures

It tests Pitclock itself. To test your client or strategy, see the guide of pitclock/testing.
Exits with 1 if a law broke or an internal error happened.`,
    )
    .action(fuzzCommand)
}

function countOf(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('expected a number from 1.')
}

async function fuzzCommand(flags: FuzzFlags): Promise<void> {
  const isOver = flags.time === undefined ? undefined : await timeLimit(flags.time)
  if (isOver === null) return
  const { seed, laws, out, swarm = false, force = false } = flags
  const runs = flags.runs ?? (isOver === undefined ? RUNS : Number.MAX_SAFE_INTEGER)
  const { fuzz } = await import('../src/node.ts')
  const interrupt = watchInterrupt()
  const progress = progressLine('fuzz', flags.quiet === true || flags.json === true)
  const found = await fuzz({
    runs,
    seed,
    laws,
    swarm,
    force,
    ...(out === undefined ? {} : { out }),
    ...(isOver === undefined ? {} : { isOver }),
    interrupted: () => interrupt.code() !== null,
    onProgress: (done, requests) =>
      progress.show({ requests, rows: 0, clock: `${withSeparators(done)} runs`, fraction: done / runs }),
  })
  progress.clear()
  interrupt.forget()
  if (!found.ok) {
    await refuseFault(found.error.kind, found.error.error, true)
    return
  }
  const { failures, status } = found.value
  if (failures.length > 0) {
    const errors = failures.map(({ code, title }) => ({
      code,
      expected: 'all laws of the exchange hold',
      found: title,
    }))
    complain({ lines: failures.map((failure) => failureLine(failure, found.value)), errors })
    process.exitCode = exitCode.failed
  }
  if (status === 'interrupted') process.exitCode = interrupt.code() ?? undefined
  if (flags.json === true) printJson('fuzz', { version: 1, ...found.value })
  else if (flags.quiet !== true) print(`${summaryOf(found.value).join('\n')}\n`)
}

function failureLine({ title, run, count, file, reproduced }: FuzzReport['failures'][number], of: FuzzReport): string {
  const where = of.out === null || file === null ? '--out DIR writes its scenario' : `${of.out}/${file}`
  const again = reproduced ? '' : ', which does not fail again'
  return `${title} (run ${run} of seed ${of.seed}, ${count} in all; ${where}${again})`
}

/** The table of events, refusals and rules that the runs reached. */
function summaryOf({
  runs,
  requests,
  events,
  refusals,
  rules,
  methods,
  seed,
  failures,
}: FuzzReport): readonly string[] {
  const found = failures.length === 1 ? 'one failure' : `${failures.length} failures`
  return [
    `${withSeparators(runs)} runs of seed ${seed} with ${withSeparators(requests)} requests: ${found}`,
    ...coverageLines('event kinds', events),
    ...coverageLines('refusals', refusals),
    ...coverageLines('rules', rules),
    `${paint('bold', 'methods with an accepted request')}: ${Object.keys(methods).length}`,
  ]
}

function coverageLines(title: string, coverage: FuzzCoverage): readonly string[] {
  const entries = Object.entries(coverage)
  const reached = entries.filter(([, count]) => count > 0).toSorted(([, one], [, other]) => other - one)
  return [
    `${paint('bold', title)}: ${reached.length} of ${entries.length}`,
    ...reached.map(([word, count]) => `  ${withSeparators(count).padStart(11)}  ${word}`),
  ]
}
