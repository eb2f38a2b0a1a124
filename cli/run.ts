/** `pitclock run`: runs scenarios and journals. */
import { basename, dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
import type { RunFileOptions, RunReport, TableFormat } from '../src/node.ts'
import { namedFiles, runnable } from './files.ts'
import { collected, settingsOf } from './flags.ts'
import { formatOption } from './format-option.ts'
import { type Interrupt, watchInterrupt } from './interrupt.ts'
import type { FileCheck } from './json-outputs.ts'
import { type MetricsFlags, readMetricsFlags } from './metrics-flags.ts'
import { complain, exitCode, type Misuse, misuse, printJson, refuseFault, refuseInput } from './output.ts'
import { print } from './print.ts'
import { progressLine } from './progress.ts'
import { reportOfRun } from './report.ts'
import { printOutcome } from './run-outcome.ts'
import { compareAgain } from './twice.ts'
import { watchRuns } from './watch.ts'

interface RunFlags {
  readonly set?: readonly string[]
  readonly seed?: string
  readonly out?: string
  readonly force?: true
  readonly report?: true
  readonly format?: TableFormat
  readonly replies?: string
  readonly events?: string
  readonly exact?: true
  readonly journal: boolean
  readonly saveEvery?: string
  readonly audit?: true
  readonly feeds?: string
  readonly dryRun?: true
  readonly allowModules?: true
  readonly twice?: true
  readonly watch?: true
  readonly tables?: true
  readonly log?: string
  readonly period?: string
  readonly periodsPerYear?: string
  readonly riskFree?: string
  readonly benchmark?: string
  readonly json?: true
  readonly quiet?: true
  readonly allowSpecial?: true
  readonly checkDigests?: string
  readonly writeDigests?: string
}

/** Adds the command. */
export function addRunCommand(program: Command): void {
  program
    .command('run')
    .description('Run scenarios, backtests and journals, and check their expectations.')
    .argument('<file...>', 'scenarios (.yaml, .yml, .json), journals of runs (.jsonl), folders of them, or - for stdin')
    .option('--set <key=value>', 'set a value of the scenario (can be repeated)', collected)
    .option('--seed <seed>', 'the same as --set seed=SEED')
    .option(
      '-o, --out <dir>',
      'write the tables, journal and manifest to a folder; for several files, to one subfolder each',
    )
    .option('--force', 'replace the folder if it exists')
    .option('--report', 'also write report.html to the folder, a page with charts and figures')
    .addOption(formatOption('format of the tables in the folder (default: the format in the file, or arrow)'))
    .option('--dry-run', 'check the files, but run nothing, not even strategy modules')
    .option('--allow-modules', 'with --dry-run: also load strategy modules, which runs their code')
    .option('--twice', 'run each file again in a fresh process and compare the digests')
    .option('--watch', 'run the files, and run each one again when it, its recorded files or its strategies change')
    .option('--json', 'print one JSON object with the summaries and digests')
    .option('-q, --quiet', 'print failures only')
    .option('--replies <file>', 'write each JSON-RPC reply as a line (- for stdout)')
    .option('--events <file>', 'write each event as a line (- for stdout)')
    .option('--log <file>', 'write the event log, from which the digest is computed')
    .option('--tables', 'build the tables without --out; --json shows their rows and hashes')
    .option(
      '--period <duration>',
      'the period of returns in metrics, such as 1h (default: the period in the file, or the longest of 1d, 4h, 1h, 15m, 5m, 1m, 10s and 1s that fits into the run 30 times)',
    )
    .option('--periods-per-year <n>', 'periods per year for annualized ratios, such as 252')
    .option('--risk-free <rate>', 'annual risk-free rate in metrics, such as 0.02')
    .option('--benchmark <index>', 'the index to compare returns with, such as btc_usd')
    .option('--exact', 'write exact figures: scaled integers in Arrow, DECIMAL in Parquet')
    .option('--save-every <duration>', 'save the run at this interval, such as 1h, so that resume can continue it')
    .option('--no-journal', 'do not write journal.jsonl')
    .option('--feeds <dir>', 'folder to search first for recorded files')
    .option('--allow-special', 'also accept pipes and devices, and read them to their end before the run begins')
    .option('--audit', 'recompute the whole state before every request and recorded message (slow)')
    .option('--check-digests <file>', 'compare the digests with those of a file')
    .option('--write-digests <file>', 'write the digests to a file')
    .addHelpText(
      'before',
      `Examples:
  pitclock run scenarios/orders/post-only-slides.yaml
  pitclock run scenarios/backtest/market-maker.yaml --out runs/maker
  pitclock run scenarios/*/*.yaml --quiet
  pitclock run scenarios/orders
  pitclock run demo.yaml --out runs/demo --events -
  pitclock run runs/demo/journal.jsonl --json
  pitclock run maker.yaml --set strategies.0.params.half_spread=3 --seed 7
  pitclock run scenarios/orders --watch --quiet
`,
    )
    .action(runCommand)
}

async function runCommand(names: readonly string[], flags: RunFlags, command: Command): Promise<void> {
  const named = namedFiles(names, runnable)
  if (!named.ok) {
    complain(named)
    process.exitCode = exitCode.inputOutput
    return
  }
  const { files } = named
  if (files.length > 1 && (flags.replies ?? flags.events ?? flags.log) !== undefined) {
    misuse({
      expected: 'one file with --replies, --events or --log',
      found: `${files.length} files`,
      hint: 'run the files one by one',
      sentence: '--replies, --events and --log take one file at a time',
    })
    return
  }
  const outs = files.map((file) => outOf(file, flags.out, files.length > 1))
  const twin = outs.findIndex((out, at) => out !== null && outs.indexOf(out) < at)
  if (twin >= 0) {
    misuse({
      path: '--out',
      expected: 'files with different names',
      found: `${files[outs.indexOf(outs[twin] ?? null)]} and ${files[twin]}`,
      hint: 'run the files one by one',
    })
    return
  }
  const fault = reportFault(flags)
  if (fault !== null) {
    misuse(fault)
    return
  }
  if (flags.log === '-') {
    misuse({ path: '--log', expected: 'a file', found: '- (the log is binary)' })
    return
  }
  if (flags.twice === true && files.includes('-')) {
    misuse({ path: '--twice', expected: 'a file that can be read again', found: 'stdin' })
    return
  }
  const unwatched = flags.watch === true ? watchFault(files, flags) : null
  if (unwatched !== null) {
    misuse(unwatched)
    return
  }
  const metrics = await readMetricsFlags(flags)
  if (metrics === null) return
  const saveEvery = await readInterval(flags)
  if (saveEvery === undefined) return
  if (flags.watch === true) {
    await watchRuns(command, files, { feeds: flags.feeds, set: settingsOf(flags.set, flags.seed) })
    return
  }
  const node = await import('../src/node.ts')
  if (flags.dryRun === true) {
    await dryRun(files, flags, node)
    return
  }
  const interrupt = watchInterrupt()
  const reports: RunReport[] = []
  for (const [at, file] of files.entries()) {
    const report = await runOne(file, {
      flags,
      out: outs[at] ?? null,
      metrics,
      saveEvery,
      interrupt,
      many: files.length > 1,
    })
    if (report === undefined) continue
    reports.push(report)
    if (report.status === 'interrupted') break
    if (flags.twice === true) compareAgain(report, { feeds: flags.feeds, set: settingsOf(flags.set, flags.seed) })
  }
  interrupt.forget()
  // An interrupted run has the digest of only a part.
  const whole = reports.filter(({ status }) => status === 'complete')
  await keepDigests(whole, flags)
  if (flags.json === true) printJson('run', { version: 1, runs: reports })
}

/** True if digests are compared or written, including digests of tables. */
function keepsDigests(flags: RunFlags): boolean {
  return flags.checkDigests !== undefined || flags.writeDigests !== undefined
}

/** Compares digests with a file of them or writes such a file, as the flags request. */
async function keepDigests(reports: readonly RunReport[], flags: RunFlags): Promise<void> {
  const node = await import('../src/node.ts')
  const digests = new Map(reports.map((report) => [report.file, node.digestsOfRun(report)]))
  if (flags.checkDigests !== undefined) {
    const { wrong, errors, notRun } = node.checkDigests(flags.checkDigests, digests)
    if (wrong.length > 0) {
      const hint = 'after an intended change of results, write the file again with --write-digests'
      complain({ lines: wrong, errors, hint })
      process.exitCode ??= exitCode.failed
    } else if (notRun.length > 0 && flags.quiet !== true) {
      const others = `${notRun.length} others in ${flags.checkDigests} were not checked`
      print(`${digests.size} digests match; ${others}\n`, process.stderr)
    }
  }
  if (flags.writeDigests !== undefined) {
    const fault = node.writeDigests(flags.writeDigests, digests)
    if (fault !== null) await refuseFault('io', fault)
  }
}

/** The folder of a run: the folder of `--out`; for several files a folder inside it with the name of the file. */
function outOf(file: string, out: string | undefined, isOneOfMany: boolean): string | null {
  if (out === undefined || !isOneOfMany) return out ?? null
  if (file === '-') return join(out, 'stdin')
  const isJournal = basename(file) === 'journal.jsonl'
  const named = isJournal ? basename(dirname(resolve(file))) : basename(file)
  return join(out, named.replace(/\.(?:ya?ml|jsonl?)$/, ''))
}

/** Runs one file and prints its result; undefined if it could not be run. */
async function runOne(
  file: string,
  context: {
    readonly flags: RunFlags
    readonly out: string | null
    readonly metrics: MetricsFlags
    readonly saveEvery: RunFileOptions['saveEvery']
    readonly interrupt: Interrupt
    readonly many: boolean
  },
): Promise<RunReport | undefined> {
  const { flags, out, metrics, saveEvery, interrupt, many } = context
  const { runFile } = await import('../src/node.ts')
  const line = progressLine(file, isSilent(flags))
  const begun = performance.now()
  const options: RunFileOptions = {
    set: settingsOf(flags.set, flags.seed),
    out,
    force: flags.force === true,
    format: flags.format ?? null,
    exact: flags.exact === true,
    journal: flags.journal,
    audit: flags.audit === true,
    feeds: flags.feeds ?? null,
    allowSpecial: flags.allowSpecial === true,
    replies: flags.replies ?? null,
    events: flags.events ?? null,
    log: flags.log ?? null,
    tables: flags.tables === true || flags.twice === true || keepsDigests(flags),
    saveEvery,
    metrics,
    command: process.argv.slice(2),
    interrupted: () => interrupt.code() !== null,
    onProgress: (progress) => line.show(progress),
  }
  const result = await runFile(file, options)
  line.clear()
  const stream = flags.events === '-' || flags.replies === '-' ? process.stderr : process.stdout
  const report = printOutcome(result, { begun, interrupt, many, isSilent: isSilent(flags), stream })
  if (saveEvery !== null && report?.status === 'interrupted') {
    print(`to continue: pitclock resume ${out}\n`, process.stderr)
  }
  if (flags.report === true && report !== undefined && report.out !== null) {
    await reportOfRun(report.out, isSilent(flags))
  }
  return report
}

/** The interval of `--save-every`; null without the flag; undefined if it is wrong, after printing the mistake. */
async function readInterval({ saveEvery, out }: RunFlags): Promise<RunFileOptions['saveEvery'] | undefined> {
  if (saveEvery === undefined) return null
  const { parseDuration, micros } = await import('../src/engine.ts')
  const parsed = parseDuration(saveEvery)
  if (!parsed.ok || parsed.value <= 0) {
    misuse({ path: '--save-every', expected: 'a duration such as 1h', found: saveEvery })
  } else if (out === undefined) {
    const expected = '--out with a folder for the saved run'
    misuse({ path: '--save-every', expected, found: 'none' })
  } else {
    return micros(parsed.value)
  }
  return undefined
}

function isSilent(flags: RunFlags): boolean {
  return flags.json === true || flags.quiet === true
}

/** The mistake if no report can be made of the output, or null. */
function reportFault({ report, out, format = 'arrow' }: RunFlags): Misuse | null {
  if (report !== true) return null
  if (out === undefined) {
    return { path: '--report', expected: '--out DIR', found: 'none' }
  }
  if (format === 'arrow') return null
  return { path: '--report', expected: 'tables in Arrow format', found: `--format ${format}` }
}

/** The mistake if the options do not fit runs that repeat, or null. */
function watchFault(files: readonly string[], { out, force, json, writeDigests }: RunFlags): Misuse | null {
  const path = '--watch'
  if (files.includes('-')) return { path, expected: 'a file that can be read again', found: 'stdin' }
  if (json === true) return { path, expected: 'no --json, which prints one object', found: '--json' }
  if (writeDigests !== undefined) return { path, expected: 'no --write-digests', found: '--write-digests' }
  if (out === undefined || force === true) return null
  return { path, expected: '--force with --out, because each run replaces the folder', found: '--out alone' }
}

async function dryRun(files: readonly string[], flags: RunFlags, node: typeof import('../src/node.ts')): Promise<void> {
  const checks: FileCheck[] = []
  for (const file of files) {
    const checked = await node.checkFile(file, {
      set: settingsOf(flags.set, flags.seed),
      feeds: flags.feeds ?? null,
      modules: flags.allowModules === true,
      allowSpecial: flags.allowSpecial === true,
    })
    checks.push({ file, errors: checked.lines, mistakes: checked.errors })
    if (checked.lines.length === 0) {
      if (flags.json !== true && flags.quiet !== true) {
        const hint = checked.hint === undefined ? '' : `  (${checked.hint})`
        print(`ok  ${file}${hint}\n`)
      }
      continue
    }
    refuseInput(checked)
  }
  if (flags.json === true) printJson('run', { version: 1, checks })
}
