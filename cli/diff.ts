/**
 * `pitclock diff`: the first event at which two runs differ.
 */
import type { Command } from 'commander'
import { exitCode, printJson, refuseInput } from './output.ts'
import { paint, print } from './print.ts'

/** Adds the command. */
export function addDiffCommand(program: Command): void {
  program
    .command('diff')
    .description('Compare two run folders and show the first event where they differ.')
    .argument('<run>', 'a run folder')
    .argument('<other>', 'another run folder')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  pitclock diff runs/a runs/b
  pitclock diff runs/a runs/b --json

Exits with 0 if the runs are equal, 1 if they differ, 3 if a folder has changed since its run.`,
    )
    .action(async (run: string, other: string, options: { json?: true }) => {
      const { diffRuns } = await import('../src/node.ts')
      const result = await diffRuns(run, other)
      if (!result.ok) {
        const hint = 'both folders must be the output of `pitclock run --out`'
        refuseInput({ hint, ...result.error })
        return
      }
      const { difference, interrupted } = result.value
      for (const folder of interrupted) {
        const part = 'the part before the interruption is compared'
        print(`${folder}: the run was interrupted; ${part}\n`, process.stderr)
      }
      if (options.json === true) {
        printJson('diff', result.value)
      } else if (difference === null) {
        print(`${paint('green', 'equal')}  digest ${result.value.digests[0]}\n`)
      } else {
        print(`${paint('red', 'different')}  ${difference.summary}\n`)
        for (const line of difference.lines) print(`  ${line}\n`)
      }
      if (difference !== null) process.exitCode = exitCode.failed
    })
}
