/** `pitclock convert`: converts recorded files to tapes or Tardis CSV, and finished runs to recorded files. */
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Command, Option } from 'commander'
import type { ConvertReport, TardisFeedReport } from '../../src/node.ts'
import { namedFiles, recorded, recordedOrTapes } from '../files.ts'
import { keepErrors } from '../json-errors.ts'
import { type Complaint, complain, exitCode, misuse, printJson, refuseFault } from '../output.ts'
import { print } from '../print.ts'
import { withSeparators } from '../progress.ts'
import { convertAtOnce } from './convert-jobs.ts'
import { addFeedFlags, type FeedFlags, readFeedFlags } from './feed-flags.ts'

interface ConvertFlags extends FeedFlags {
  readonly out: string
  readonly force?: true
  readonly to?: string
  readonly exchange?: string
  readonly json?: true
  readonly jobs: string
}

/** Adds the command. */
export function addConvertCommand(program: Command): void {
  const command = program
    .command('convert')
    .description('Convert recorded CSV files into tapes: Arrow files that replay several times faster.')
    .argument(
      '<file...>',
      'CSV files (plain, gzip or zstd), folders of them, or - for stdin; with --to tardis also tapes or one run folder',
    )
    .requiredOption(
      '-o, --out <path>',
      'the tape to write, or a folder for several files; CSV is compressed if the name ends with .gz',
    )
    .addOption(
      new Option(
        '--to <form>',
        'what to write; tardis is CSV with the rows of a file or tape, or with the book and trades of a finished run whose scenario sets record: { book: true }',
      )
        .choices(['tape', 'tardis'])
        .default('tape'),
    )
    .option('--exchange <name>', 'with --to tardis: the name of the exchange in the rows (default: pitclock)')
  addFeedFlags(command)
    .option('--force', 'replace existing files')
    .option('--jobs <n>', 'number of files to convert at the same time', '1')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'before',
      `Examples:
  pitclock convert incremental_book_L2.csv.gz --out book.arrow
  pitclock convert 2026-01-0*.csv.gz --out tapes --jobs 2
  pitclock convert recorded --out tapes
  pitclock convert runs/market --to tardis --out recorded-market
  pitclock convert book.arrow --to tardis --exchange deribit --out incremental_book_L2.csv.gz
  pitclock convert prices.csv --out index.arrow \\
    --columns '{"kind":"index","timestamp":{"column":"time","unit":"ms"},"price":"index"}'
`,
    )
    .action(convertCommand)
}

async function convertCommand(names: readonly string[], flags: ConvertFlags): Promise<void> {
  const isTardis = flags.to === 'tardis'
  if (isTardis && names.some(isRunFolder)) {
    await exportRun(names, flags)
    return
  }
  if (flags.exchange !== undefined && !isTardis) {
    const found = `--to ${flags.to ?? 'tape'}`
    const sentence = '--exchange requires --to tardis'
    misuse({ path: '--exchange', expected: '--to tardis', found, sentence })
    return
  }
  const named = namedFiles(names, isTardis ? recordedOrTapes : recorded)
  if (!named.ok) {
    complain(named)
    process.exitCode = exitCode.inputOutput
    return
  }
  if (!/^[1-9][0-9]?$/.test(flags.jobs)) {
    misuse({ path: '--jobs', expected: 'a whole number from 1 to 99', found: flags.jobs })
    return
  }
  const options = await readFeedFlags(flags)
  if (options === null) return
  const outputs = await outputsOf(named.files, flags.out, isTardis ? '.csv.gz' : '.arrow')
  if (!outputs.ok) {
    complain(outputs.fault)
    process.exitCode = outputs.code
    return
  }
  const tasks = named.files.map((file, at) => ({ file, output: outputs.paths[at] ?? flags.out }))
  const reports: Written[] = []
  const done = (report: Written): void => {
    reports.push(report)
    if (flags.json !== true) print(`${lineOf(report)}\n`)
  }
  const jobs = Math.min(Number(flags.jobs), tasks.length)
  const force = flags.force === true
  if (jobs === 1) {
    // Files are converted one after the other until one fails.
    const { convertFeed, convertFeedToTardis } = await import('../../src/node.ts')
    const tardis = { ...options, force, ...(flags.exchange === undefined ? {} : { exchange: flags.exchange }) }
    for (const { file, output } of tasks) {
      const result = isTardis
        ? await convertFeedToTardis(file, output, tardis)
        : await convertFeed(file, output, { ...options, force })
      if (!result.ok) {
        await refuseFault(result.error.kind, result.error.error)
        break
      }
      done(result.value)
    }
  } else {
    await convertAtOnce(tasks, jobs, ownFlags(flags), (converted) => {
      if (converted.ok) {
        done(converted.report)
        return
      }
      print(converted.text, process.stderr)
      keepErrors(converted.errors)
      process.exitCode ??= converted.code
    })
  }
  if (flags.json !== true) return
  const texts = reports.filter((report) => 'text_sha256' in report)
  const tapes = reports.filter((report) => !('text_sha256' in report))
  printJson('convert', isTardis ? { version: 1, texts } : { version: 1, tapes })
}

/** A written tape or text. */
type Written = ConvertReport | TardisFeedReport

/** True if a path is the folder of a run, complete or not. */
function isRunFolder(path: string): boolean {
  return existsSync(join(path, 'manifest.json')) || existsSync(join(path, 'journal.jsonl'))
}

/** The given flags for reading and writing a file. */
function ownFlags(flags: ConvertFlags): readonly string[] {
  const texts = (['format', 'symbol', 'columns', 'cut', 'to', 'exchange'] as const).flatMap((name) =>
    flags[name] === undefined ? [] : [`--${name}=${flags[name]}`],
  )
  const force = flags.force === true ? ['--force'] : []
  return [...texts, ...force, ...(flags.allowSpecial === true ? ['--allow-special'] : [])]
}

/** Writes a finished run as the files that a recorder of it would have written. */
async function exportRun(files: readonly string[], flags: ConvertFlags): Promise<void> {
  const [folder, ...more] = files
  const misplaced = flags.format ?? flags.symbol ?? flags.columns ?? flags.cut
  if (folder === undefined || more.length > 0 || misplaced !== undefined) {
    misuse({
      path: '--to tardis',
      expected: 'one run folder without --format, --symbol, --columns or --cut',
      found: misplaced ?? `${files.length} paths`,
      sentence: '--to tardis takes one run folder without --format, --symbol, --columns or --cut',
    })
    return
  }
  if (!existsSync(folder)) {
    const words = { expected: 'a run folder', found: 'no such folder' }
    await refuseFault('io', { code: 'RUN_FOLDER', file: folder, ...words })
    return
  }
  const { convertRunToTardis } = await import('../../src/node.ts')
  const named = flags.exchange === undefined ? {} : { exchange: flags.exchange }
  const options = { force: flags.force === true, ...named }
  const result = await convertRunToTardis(folder, flags.out, options)
  if (!result.ok) {
    await refuseFault(result.error.file === flags.out ? 'io' : 'input', result.error)
    return
  }
  if (flags.json === true) {
    printJson('convert', { version: 1, export: result.value })
    return
  }
  for (const { name, rows } of result.value.files) {
    print(`${join(flags.out, name)}  ${withSeparators(rows)} rows\n`)
  }
}

/** The output path of each file. */
async function outputsOf(
  files: readonly string[],
  out: string,
  ending: string,
): Promise<
  | { readonly ok: true; readonly paths: readonly string[] }
  | { readonly ok: false; readonly fault: Complaint; readonly code: number }
> {
  const exists = existsSync(out)
  const isFolder = exists && statSync(out).isDirectory()
  if (files.length === 1 && !isFolder) return { ok: true, paths: [out] }
  if (!exists && /\.(?:arrow|csv|gz|zst)$/.test(out)) {
    const expected = 'a folder for several files'
    const fault = { code: 'OPTION' as const, path: '--out', expected, found: out }
    const lines = [`--out: expected ${expected}, found ${out}`]
    return { ok: false, fault: { lines, errors: [fault] }, code: exitCode.usage }
  }
  const paths = files.map((file) => join(out, `${tapeName(file)}${ending}`))
  if (new Set(paths).size < paths.length) {
    const words = { expected: 'files with different names', found: 'two files with the same name' }
    const line = 'two files have the same name; convert them one by one'
    const fault = { lines: [line], errors: [{ code: 'OPTION' as const, ...words }] }
    return { ok: false, fault, code: exitCode.usage }
  }
  try {
    mkdirSync(out, { recursive: true })
  } catch (error) {
    const { isSystemError, systemWords } = await import('../../src/node.ts')
    if (!isSystemError(error)) throw error
    const found = error.code === 'EEXIST' ? 'a file' : systemWords(error)
    const expected = 'a folder for the tapes of several files'
    const refused = { code: 'FILE' as const, file: out, expected, found }
    const fault = { lines: [`${out}: expected ${expected}, found ${found}`], errors: [refused] }
    return { ok: false, fault, code: exitCode.inputOutput }
  }
  return { ok: true, paths }
}

/** The name of a file without the extension of its packing. */
function tapeName(file: string): string {
  if (file === '-') return 'stdin'
  return basename(file).replace(/(?:\.csv)?(?:\.(?:gz|zst|arrow))?$/, '')
}

function lineOf(report: Written): string {
  const others = report.other_symbol_rows
  const { joined_messages: joined, untold_gaps: gaps } =
    'joined_messages' in report ? report : { joined_messages: 0, untold_gaps: 0 }
  const parts = [
    report.output,
    `${withSeparators(report.rows)} rows`,
    `${report.kind}${report.symbol === null ? '' : ` of ${report.symbol}`}`,
    ...(others > 0 ? [`${withSeparators(others)} rows of other symbols left out`] : []),
    ...(joined > 0 ? [`${withSeparators(joined)} messages merged with others of the same time`] : []),
    ...(gaps > 0 ? [`${withSeparators(gaps)} gaps that the format cannot express`] : []),
    `source ${report.source_sha256}`,
  ]
  return parts.join('  ')
}
