/** `pitclock report`: writes the report of run folders as one HTML file. */
import { join } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import type { ReportFile, ReportOptions } from '../src/node.ts'
import { printJson, refuseFault } from './output.ts'
import { paint, print } from './print.ts'
import { withSeparators } from './progress.ts'

interface ReportFlags {
  readonly out?: string
  readonly title?: string
  readonly points?: number
  readonly force?: true
  readonly json?: true
}

/** The name of the report in a run folder. */
const REPORT = 'report.html'

/** Adds the command. */
export function addReportCommand(program: Command): void {
  program
    .command('report')
    .description('Write an HTML report of a run folder, or one that compares several.')
    .argument('<run...>', 'run folders with Arrow tables')
    .option('-o, --out <file>', `the file (default: ${REPORT} in the run folder, or here for several runs)`)
    .option('--title <text>', 'the title (default: the title of the scenario)')
    .option('--points <n>', 'maximum number of points in a line (default: 20000)', pointsOf)
    .option('--force', 'replace the file if it exists')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  pitclock report runs/maker
  pitclock report runs/narrow runs/wide --out compare.html --title "Two spreads"

The file needs no network. If a folder is damaged or its run was interrupted, the report says so at the top.`,
    )
    .action(reportCommand)
}

function pointsOf(text: string): number {
  const points = Number(text)
  if (/^\d+$/.test(text) && points >= 100 && points <= 1_000_000) return points
  throw new InvalidArgumentError('expected a number from 100 to 1000000.')
}

async function reportCommand(folders: readonly string[], flags: ReportFlags): Promise<void> {
  const { title, points, force = false } = flags
  const out = flags.out ?? (folders.length === 1 ? join(folders[0] ?? '.', REPORT) : REPORT)
  const options: ReportOptions = {
    force,
    ...(title === undefined ? {} : { title }),
    ...(points === undefined ? {} : { points }),
  }
  const file = await writeOrComplain(folders, out, options)
  if (file === null) return
  if (flags.json === true) printJson('report', { version: 1, ...file })
  else print(`${linesOf(file)}\n`)
}

/** Writes the report of a new run into its folder; returns false if that failed. */
export async function reportOfRun(folder: string, isQuiet: boolean): Promise<boolean> {
  const file = await writeOrComplain([folder], join(folder, REPORT), { force: true })
  if (file === null) return false
  if (!isQuiet) print(`report written to ${file.out}\n`, process.stderr)
  return true
}

async function writeOrComplain(
  folders: readonly string[],
  out: string,
  options: ReportOptions,
): Promise<ReportFile | null> {
  const { writeReport } = await import('../src/node.ts')
  const written = await writeReport(folders, out, options)
  if (written.ok) return written.value
  await refuseFault(written.error.kind, written.error.error, true)
  return null
}

function linesOf({ out, bytes, warnings, notes }: ReportFile): string {
  return [
    ...warnings.map((text) => paint('yellow', text)),
    ...notes,
    `${withSeparators(bytes)} bytes of HTML written to ${out}`,
  ].join('\n')
}
