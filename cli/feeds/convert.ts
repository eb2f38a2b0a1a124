/**
 * `pitclock convert`: recorded files as tapes.
 */
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Command } from 'commander'
import type { ConvertReport } from '../../src/node.ts'
import { complain, exitCode } from '../output.ts'
import { count } from '../progress.ts'
import { columnsOf } from './columns.ts'

interface ConvertFlags {
  readonly out: string
  readonly format?: string
  readonly symbol?: string
  readonly columns?: string
  readonly force?: true
  readonly json?: true
}

/** Adds the command. */
export function addConvertCommand(program: Command): void {
  program
    .command('convert')
    .description('Write recorded files as tapes, which replay several times as fast.')
    .argument('<file...>', 'recorded CSV files: plain, gzip or zstd')
    .requiredOption('-o, --out <path>', 'the tape; a folder where there are several files')
    .option('--format <name>', 'format of the files; else the header tells')
    .option('--symbol <name>', 'the symbol to read, where a file holds several')
    .option('--columns <json>', 'which column tells what, for --format csv; JSON or a file of it')
    .option('--force', 'replace tapes that exist')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'before',
      `Examples:
  pitclock convert incremental_book_L2.csv.gz --out book.arrow
  pitclock convert 2026-01-0*.csv.gz --out tapes
  pitclock convert prices.csv --out index.arrow \\
    --columns '{"kind":"index","timestamp":{"column":"time","unit":"ms"},"price":"index"}'
`,
    )
    .action(convertCommand)
}

async function convertCommand(files: readonly string[], flags: ConvertFlags): Promise<void> {
  const { convertFeed, formatOfFlags } = await import('../../src/node.ts')
  const { formatInputError } = await import('../../src/index.ts')
  const columns = await columnsOf(flags.columns)
  if (!columns.ok) {
    complain(columns.lines)
    process.exitCode = columns.isIo ? exitCode.inputOutput : exitCode.usage
    return
  }
  const format = formatOfFlags(flags.format, columns.columns)
  if (!format.ok) {
    complain([format.error])
    process.exitCode = exitCode.usage
    return
  }
  const outputs = outputsOf(files, flags.out)
  if (!outputs.ok) {
    complain([outputs.line])
    process.exitCode = outputs.code
    return
  }
  const reports: ConvertReport[] = []
  for (const [at, file] of files.entries()) {
    const result = await convertFeed(file, outputs.paths[at] ?? flags.out, {
      ...{ format: format.value, symbol: flags.symbol ?? null, columns: columns.columns },
      ...{ sha256: null, force: flags.force === true },
    })
    if (!result.ok) {
      complain([formatInputError(result.error.error)])
      process.exitCode = result.error.kind === 'io' ? exitCode.inputOutput : exitCode.badInput
      break
    }
    reports.push(result.value)
    if (flags.json !== true) process.stdout.write(`${lineOf(result.value)}\n`)
  }
  if (flags.json === true)
    process.stdout.write(`${JSON.stringify({ version: 1, tapes: reports })}\n`)
}

/** Where the tape of each file goes. */
function outputsOf(
  files: readonly string[],
  out: string,
):
  | { readonly ok: true; readonly paths: readonly string[] }
  | { readonly ok: false; readonly line: string; readonly code: number } {
  const isFolder = existsSync(out) && statSync(out).isDirectory()
  if (files.length === 1 && !isFolder) return { ok: true, paths: [out] }
  const paths = files.map((file) => join(out, `${tapeName(file)}.arrow`))
  if (new Set(paths).size < paths.length) {
    const line = 'two of the files have one name; convert them one by one'
    return { ok: false, line, code: exitCode.usage }
  }
  try {
    mkdirSync(out, { recursive: true })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { ok: false, line: error.message, code: exitCode.inputOutput }
  }
  return { ok: true, paths }
}

/** The name of a file without what says how it is packed. */
function tapeName(file: string): string {
  return basename(file).replace(/(?:\.csv)?(?:\.(?:gz|zst))?$/, '')
}

function lineOf(report: ConvertReport): string {
  const others = report.other_symbol_rows
  const parts = [
    report.output,
    `${count(report.rows)} rows`,
    `${report.kind}${report.symbol === null ? '' : ` of ${report.symbol}`}`,
    ...(others > 0 ? [`${count(others)} rows of other symbols left out`] : []),
    `source ${report.source_sha256}`,
  ]
  return parts.join('  ')
}
