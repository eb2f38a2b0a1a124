/**
 * Exports of `report`: one HTML file about one or more runs, which opens from disk without a network, and chains of causes
 * in a run (`explain`).
 *
 * A report depends only on run folders, so the same folders give the same bytes. This folder does not access files:
 * `host` reads the folders and writes the page. `page` is the program inside it, which the build bundles into one
 * script.
 */

import { checkArgument, checkOptions, err, type InputError, ok, type Result } from '../core/index.ts'
import {
  compareRuns,
  type FeedFault,
  gzipped,
  openReadableRun,
  type ReadableRun,
  readPackageFile,
  writeTextFile,
} from '../host/index.ts'
import { pageText } from './html.ts'
import { packed } from './packing.ts'
import type { Deflated, Report } from './payload.ts'
import { readRun } from './run-model.ts'

export type { UnrecordedFact } from './explain/chain.ts'
export * from './explain/explain.ts'
export { reasonRules, ruleOfFill, ruleOfRefusal } from './explain/rules.ts'

/** Options of a report. */
export interface ReportOptions {
  /** Title of the page. Default: the title of the run's scenario. */
  readonly title?: string
  /** True to replace an existing file. */
  readonly force?: boolean
  /**
   * Maximum number of points in a line, from 100 to 1,000,000. Default: 20,000. Longer lines are thinned out, and the
   * page says so.
   */
  readonly points?: number
}

/** A written report. */
export interface ReportFile {
  readonly out: string
  readonly bytes: number
  readonly runs: number
  /** Warnings at the top of the page: damage, interruptions, tables that could not be read. */
  readonly warnings: readonly string[]
  /** Notes about thinned-out lines and shortened lists. */
  readonly notes: readonly string[]
}

const POINTS = 20_000

const POINTS_MIN = 100

const POINTS_MAX = 1_000_000

const RUNS_MAX = 12

const script = 'dist/page/report.js'

const style = 'dist/page/report.css'

/**
 * Writes the report of one run folder, or of several side by side. The report of a damaged folder or an interrupted run
 * has a warning at the top. The function refuses a folder without a manifest, of another version or with tables in
 * other formats than Arrow, and an output path that exists or cannot be written.
 *
 * @throws RangeError with the code `OPTION` if an option does not exist.
 *
 * @example
 * const report = await writeReport(['runs/maker'], 'runs/maker/report.html')
 * if (report.ok) console.log(report.value.out)
 */
export async function writeReport(
  folders: readonly string[],
  out: string,
  options: ReportOptions = {},
): Promise<Result<ReportFile, FeedFault>> {
  checkArgument('writeReport: folders', folders, 'texts')
  checkArgument('writeReport: out', out, 'string')
  checkOptions('writeReport', options, { title: 'string?', force: 'boolean?', points: 'number?' })
  const { force = false, points = POINTS } = options
  const fault = optionFault(folders, points)
  if (fault !== null) return err({ kind: 'input', error: fault })
  const parts = [await readPackageFile(style), await readPackageFile(script)]
  const [styles, program] = parts
  if (styles?.ok !== true || program?.ok !== true) {
    const missing = parts.find((part) => !part.ok)
    return err({ kind: 'io', error: missing?.ok === false ? missing.error : noFile })
  }
  const runs: ReadableRun[] = []
  for (const folder of folders) {
    const opened = await openReadableRun(folder)
    if (!opened.ok) return err({ kind: 'input', error: opened.error })
    runs.push(opened.value)
  }
  const report = await reportOf(runs, folders, points, options.title ?? null)
  const text = pageText({
    title: report.title,
    style: styles.value,
    script: program.value,
    data: await gzipped(packed(report)),
  })
  const written = await writeTextFile(out, text, { force, content: 'a report' })
  if (!written.ok) return written
  return ok({
    out,
    bytes: new TextEncoder().encode(text).length,
    runs: runs.length,
    warnings: [...new Set(report.runs.flatMap(({ warnings }) => warnings))],
    notes: [...new Set(report.runs.flatMap(({ notes }) => notes))],
  })
}

const noFile: InputError = { code: 'FILE', expected: 'the page for reports', found: 'none' }

function optionFault(folders: readonly string[], points: number): InputError | null {
  if (folders.length === 0 || folders.length > RUNS_MAX) {
    const found = String(folders.length)
    return { code: 'VALUE', path: 'folders', expected: `1 to ${RUNS_MAX} run folders`, found }
  }
  const isCount = Number.isSafeInteger(points) && points >= POINTS_MIN && points <= POINTS_MAX
  if (isCount) return null
  return {
    code: 'VALUE',
    path: 'points',
    expected: `${POINTS_MIN} to ${POINTS_MAX}`,
    found: String(points),
  }
}

async function reportOf(
  runs: readonly ReadableRun[],
  folders: readonly string[],
  points: number,
  title: string | null,
): Promise<Report> {
  const models = []
  for (const run of runs) models.push(await readRun(run, { points, runs: runs.length }))
  const compared = runs.length > 1 ? await compareRuns(folders) : null
  const names = namesOf(models)
  const named = models.map((model, at) => ({ ...model, name: names[at] ?? model.name }))
  return {
    version: 1,
    title: title ?? titleOf(named),
    runs: named,
    leading: compared?.ok === true ? compared.value.leading : [],
    alike: compared?.ok !== true || compared.value.is_alike,
    deflated: compared?.ok === true ? deflatedOf(compared.value.deflated, folders, names) : [],
  }
}

/** A run with its name. */
interface NamedRun {
  readonly name: string
}

/** Names that distinguish the runs for readers. */
function namesOf(runs: readonly NamedRun[]): readonly string[] {
  const isUnique = new Set(runs.map(({ name }) => name)).size === runs.length
  return runs.map(({ name }, at) => (isUnique ? name : `${at + 1} ${name}`))
}

function titleOf(runs: Report['runs']): string {
  const [first] = runs
  if (first === undefined || runs.length === 1) return first?.title ?? ''
  return `${runs.length} runs: ${runs.map(({ name }) => name).join(', ')}`
}

function deflatedOf(
  found: readonly Deflated[],
  folders: readonly string[],
  names: readonly string[],
): readonly Deflated[] {
  return found.map((one) => ({ ...one, best: names[folders.indexOf(one.best)] ?? one.best }))
}
