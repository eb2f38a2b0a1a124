/**
 * `pitclock resume`: going on with a run that was saved.
 */
import type { Command } from 'commander'
import { watchInterrupt } from './interrupt.ts'
import { printJson } from './output.ts'
import { progressLine } from './progress.ts'
import { reportOfRun } from './report.ts'
import { tellOf } from './told.ts'

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
    .description('Go on with a run that was saved (run --save-every) and then cut off.')
    .argument('<dir>', 'the folder that the run was to have')
    .option('--file <file>', 'the scenario or journal, where it is elsewhere now')
    .option('--feeds <dir>', 'folder in which to look for recorded files first')
    .option('--report', 'write report.html into the folder too, as run --report does')
    .option('--json', 'print one JSON object with the summary and digest')
    .option('-q, --quiet', 'print failures only')
    .addHelpText(
      'after',
      `
Examples:
  pitclock run maker.yaml --out runs/maker --save-every 1h
  pitclock resume runs/maker

The run ends as if it had never been cut: same tables, same digest. A changed scenario, recorded file, strategy or
program is refused by name (exit 3). What was done since the last save is done again.`,
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
  const report = tellOf(result, { begun, interrupt, many: false, isSilent, stream })
  if (flags.report === true && report !== undefined && report.out !== null) {
    await reportOfRun(report.out, isSilent)
  }
  if (flags.json === true && report !== undefined) {
    printJson('resume', { version: 1, runs: [report] })
  }
}
