/** `pitclock resume`: continues a saved run. */
import type { Command } from 'commander'
import { watchInterrupt } from './interrupt.ts'
import { printJson } from './output.ts'
import { progressLine } from './progress.ts'
import { reportOfRun } from './report.ts'
import { printOutcome } from './run-outcome.ts'

interface ResumeFlags {
  readonly file?: string
  readonly feeds?: string
  readonly report?: true
  readonly json?: true
  readonly quiet?: true
}

/** Adds the command. */
export function addResumeCommand(program: Command): void {
  program
    .command('resume')
    .description('Continue an interrupted run that was saved with run --save-every.')
    .argument('<dir>', 'the output folder of the run (its --out)')
    .option('--file <file>', 'the scenario or journal, if it was moved')
    .option('--feeds <dir>', 'folder to search first for recorded files')
    .option('--report', 'also write report.html to the folder, as run --report does')
    .option('--json', 'print one JSON object with the summary and digest')
    .option('-q, --quiet', 'print failures only')
    .addHelpText(
      'after',
      `
Examples:
  pitclock run maker.yaml --out runs/maker --save-every 1h
  pitclock resume runs/maker

The run ends as if it had never been interrupted, with the same tables and digest. It repeats the work after the
last save. If the scenario, a recorded file, a strategy or the program has changed, the error names it (exit 3).`,
    )
    .action(resumeCommand)
}

async function resumeCommand(dir: string, flags: ResumeFlags): Promise<void> {
  const { resumeRun } = await import('../src/node.ts')
  const isSilent = flags.json === true || flags.quiet === true
  const line = progressLine(dir, isSilent)
  const interrupt = watchInterrupt()
  const begun = performance.now()
  const result = await resumeRun(dir, {
    ...(flags.file === undefined ? {} : { file: flags.file }),
    ...(flags.feeds === undefined ? {} : { feeds: flags.feeds }),
    interrupted: () => interrupt.code() !== null,
    onProgress: (progress) => line.show(progress),
  })
  line.clear()
  interrupt.forget()
  const stream = process.stdout
  const report = printOutcome(result, { begun, interrupt, many: false, isSilent, stream })
  if (flags.report === true && report !== undefined && report.out !== null) {
    await reportOfRun(report.out, isSilent)
  }
  if (flags.json === true && report !== undefined) {
    printJson('resume', { version: 1, runs: [report] })
  }
}
