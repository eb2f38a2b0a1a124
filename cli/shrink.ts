/** `pitclock shrink`: finds the smallest scenario that fails in the same way. */
import type { Command } from 'commander'
import type { ShrunkScenario } from '../src/node.ts'
import { timeLimit } from './flags.ts'
import { watchInterrupt } from './interrupt.ts'
import { misuse, printJson, refuseInput } from './output.ts'
import { print } from './print.ts'

interface ShrinkFlags {
  readonly out?: string
  readonly force?: true
  readonly time: string
  readonly feeds?: string
  readonly json?: true
}

/** Adds the command. */
export function addShrinkCommand(program: Command): void {
  program
    .command('shrink')
    .description('Find the smallest scenario that fails in the same way.')
    .argument('<file>', 'a scenario (.yaml, .yml, .json) that fails, or - for stdin')
    .option('-o, --out <file>', 'write the scenario to a file (default: print it)')
    .option('--force', 'replace the file if it exists')
    .option('--time <duration>', 'end the search after this time, such as 10m', '1m')
    .option('--feeds <dir>', 'folder to search first for recorded files')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  pitclock shrink failing.yaml
  pitclock shrink failing.yaml --out small.yaml --time 10m

It removes steps, accounts, instruments and other entries, and rounds values. Feeds and strategies stay as they are.
A scenario that passes ends with exit code 2.`,
    )
    .action(shrinkCommand)
}

async function shrinkCommand(file: string, flags: ShrinkFlags): Promise<void> {
  const isOver = await timeLimit(flags.time)
  if (isOver === null) return
  const { shrink } = await import('../src/node.ts')
  const interrupt = watchInterrupt()
  const { out, feeds, force = false } = flags
  const shrunk = await shrink(file, {
    force,
    isOver,
    interrupted: () => interrupt.code() !== null,
    ...(out === undefined ? {} : { out }),
    ...(feeds === undefined ? {} : { feeds }),
  })
  interrupt.forget()
  if (!shrunk.ok) {
    refuseInput(shrunk.error)
    return
  }
  const { failure, status, text } = shrunk.value
  if (failure === null) {
    misuse({ path: file, expected: 'a scenario that fails', found: 'a scenario that passes' })
    return
  }
  if (status === 'interrupted') process.exitCode = interrupt.code() ?? undefined
  if (flags.json === true) {
    printJson('shrink', { version: 1, ...shrunk.value })
    return
  }
  if (status === 'interrupted') return
  if (out === undefined) print(text)
  print(`${await summaryOf(shrunk.value, failure)}\n`, process.stderr)
}

async function summaryOf(shrunk: ShrunkScenario, failure: NonNullable<ShrunkScenario['failure']>): Promise<string> {
  const { formatInputError } = await import('../src/index.ts')
  const { lines_before: before, lines_after: after, runs, smallest, out } = shrunk
  const end = smallest ? '' : '; the time ended before the search, --time allows more'
  return [
    `${before} lines became ${after} in ${runs} runs${end}${out === null ? '' : `, written to ${out}`}`,
    `the failure: ${formatInputError(failure)}`,
  ].join('\n')
}
