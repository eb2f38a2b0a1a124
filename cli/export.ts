/** `pitclock export`: exports a run folder to another format. */
import type { Command } from 'commander'
import type { ExportFormat, RunExport } from '../src/node.ts'
import { formatOption } from './format-option.ts'
import { printJson, refuseFault } from './output.ts'
import { print } from './print.ts'
import { withSeparators } from './progress.ts'

interface ExportFlags {
  readonly format: ExportFormat
  readonly out?: string
  readonly force?: true
  readonly json?: true
}

/** Adds the command. */
export function addExportCommand(program: Command): void {
  program
    .command('export')
    .description('Write the tables of a run folder as Parquet, CSV or JSONL.')
    .argument('<run>', 'a run folder with Arrow tables')
    .addOption(formatOption('the format to write', 'arrow').default('parquet'))
    .option('-o, --out <dir>', 'the new folder (default: the run folder with -FORMAT after its name)')
    .option('--force', 'replace the folder if it exists')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'before',
      `Examples:
  pitclock export runs/demo
  pitclock export runs/demo --format csv --out tables
`,
    )
    .action(exportCommand)
}

async function exportCommand(folder: string, flags: ExportFlags): Promise<void> {
  const { exportRun } = await import('../src/node.ts')
  const { format, out, force = false } = flags
  const exported = await exportRun(folder, { format, force, ...(out === undefined ? {} : { out }) })
  if (!exported.ok) {
    await refuseFault(exported.error.kind, exported.error.error, true)
    return
  }
  if (flags.json === true) printJson('export', { version: 1, ...exported.value })
  else print(`${lineOf(exported.value)}\n`)
}

function lineOf({ out, format, tables }: RunExport): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0)
  const what = `${tables.length} tables, ${withSeparators(rows)} rows, ${withSeparators(bytes)} bytes of ${format}`
  return `${what} written to ${out}`
}
