/** `pitclock export`: writes the tables of a run folder in another format, or its journal as a scenario. */
import type { Command } from 'commander'
import type { ExportFormat, RunExport } from '../src/node.ts'
import { formatOption } from './format-option.ts'
import { misuse, printJson, refuseFault, refuseInput } from './output.ts'
import { print } from './print.ts'
import { withSeparators } from './progress.ts'

interface ExportFlags {
  readonly format: ExportFormat | 'scenario'
  readonly title?: string
  readonly expect?: string
  readonly out?: string
  readonly force?: true
  readonly json?: true
}

/** Adds the command. */
export function addExportCommand(program: Command): void {
  program
    .command('export')
    .description('Write the tables of a run folder as Parquet, CSV or JSONL, or its requests as a scenario.')
    .argument('<run>', 'a run folder with Arrow tables; for a scenario also a journal')
    .addOption(formatOption('the format to write', 'arrow', ['scenario']).default('parquet'))
    .option('-o, --out <dir>', 'the new folder (default: the run folder with -FORMAT after its name)')
    .option('--force', 'replace the folder if it exists')
    .option('--title <text>', 'with --format scenario: the title')
    .option('--expect <yaml>', 'with --format scenario: what should have held at the end, in one line')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'before',
      `Examples:
  pitclock export runs/demo
  pitclock export runs/demo --format csv --out tables
  pitclock export runs/live --format scenario --expect '{ laws: hold }' > failure.yaml
`,
    )
    .action(exportCommand)
}

async function exportCommand(folder: string, flags: ExportFlags): Promise<void> {
  const { format, out, force = false } = flags
  if (format === 'scenario') {
    await printScenario(folder, flags)
    return
  }
  const unused = (['title', 'expect'] as const).find((name) => flags[name] !== undefined)
  if (unused !== undefined) {
    misuse({ path: `--${unused}`, expected: '--format scenario', found: `--format ${format}` })
    return
  }
  const { exportRun } = await import('../src/node.ts')
  const exported = await exportRun(folder, { format, force, ...(out === undefined ? {} : { out }) })
  if (!exported.ok) {
    await refuseFault(exported.error.kind, exported.error.error, true)
    return
  }
  if (flags.json === true) printJson('export', { version: 1, ...exported.value })
  else print(`${lineOf(exported.value)}\n`)
}

/** Prints the scenario of a journal, for a file of the user. */
async function printScenario(folder: string, { title, expect, out, json }: ExportFlags): Promise<void> {
  const unfit = out !== undefined ? '--out' : json === true ? '--json' : undefined
  if (unfit !== undefined) {
    misuse({ path: unfit, expected: 'a table format, because a scenario goes to stdout', found: '--format scenario' })
    return
  }
  const { journalScenario } = await import('../src/node.ts')
  const options = { ...(title === undefined ? {} : { title }), ...(expect === undefined ? {} : { expect }) }
  const written = await journalScenario(folder, options)
  if (written.ok) process.stdout.write(written.value)
  else refuseInput(written.error)
}

function lineOf({ out, format, tables }: RunExport): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0)
  const what = `${tables.length} tables, ${withSeparators(rows)} rows, ${withSeparators(bytes)} bytes of ${format}`
  return `${what} written to ${out}`
}
