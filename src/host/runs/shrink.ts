/**
 * Finds a smallest scenario that fails in the same way as a given one.
 *
 * The same way means: the first failure is the same one, and no failure is new. Two failed expectations are the same if
 * they come from the same place of the original file and both found something, or both nothing (0, an empty list, no
 * value); a refused step also needs the same error code, and `laws: hold` the same law. Faults of strategies and recorded
 * files are the same if their code and path are equal, internal errors if their messages are equal except for numbers.
 */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { err, type InputError, isError, ok, type Result } from '../../core/index.ts'
import { type SmallerScenario, smallerScenarios } from '../../scenario/index.ts'
import { ioFault } from '../feeds/feed-fault.ts'
import { openFilePlace } from '../output-place.ts'
import { sha256Hex } from '../sha256.ts'
import { writeTextFile } from '../text-file.ts'
import { loadRun } from './load-run.ts'
import { type RunFault, runFault } from './run-fault.ts'
import { silent } from './run-file.ts'
import { runJob } from './run-job.ts'
import { type RunText, readRunText } from './run-text.ts'

/** Options of `shrinkFile`. */
export interface ShrinkOptions {
  /** The file for the smallest scenario. Default: the scenario is only returned. */
  readonly out?: string
  /** True to replace that file. */
  readonly force?: boolean
  /** A folder to search first for recorded files. */
  readonly feeds?: string
  /** Called between runs; a result of true ends the search, and the smallest scenario so far is the result. */
  readonly isOver?: () => boolean
  /** Called between runs; a result of true ends the search without output. */
  readonly interrupted?: () => boolean
}

/** A scenario that was made smaller. */
export interface ShrunkScenario {
  readonly file: string
  /** The first failure of the file; null for a file that passes, which is not changed. */
  readonly failure: InputError | null
  readonly status: 'complete' | 'interrupted'
  /** False if the time ended before the search. */
  readonly smallest: boolean
  /** Number of runs. */
  readonly runs: number
  readonly lines_before: number
  readonly lines_after: number
  /** The smallest scenario that fails in the same way. */
  readonly text: string
  /** The written file, or null. */
  readonly out: string | null
}

/** A way in which a run failed. */
interface Problem {
  /** Equal keys mean the same failure. */
  readonly key: string
  readonly error: InputError
}

/** Finds a smallest scenario that fails in the same way as a file. The fault says why the file cannot be run. */
export async function shrinkFile(file: string, options: ShrinkOptions = {}): Promise<Result<ShrunkScenario, RunFault>> {
  const { out, force = false, feeds } = options
  const read = await readRunText(file)
  if (!read.ok) return read
  if (read.value.isJournal) {
    return err(runFault('input', { code: 'VALUE', file, expected: 'a scenario', found: 'a journal' }))
  }
  const fault = out === undefined ? null : pathFault(out, force)
  if (fault !== null) return err(fault)
  const folders = feeds === undefined ? [] : [feeds]
  const shrunk = await shrinkText(read.value, folders, options)
  if (!shrunk.ok || out === undefined || shrunk.value.failure === null || shrunk.value.status === 'interrupted') {
    return shrunk
  }
  const written = await writeTextFile(out, shrunk.value.text, { force, content: 'a scenario' })
  return written.ok ? ok({ ...shrunk.value, out }) : err(runFault(written.error.kind, written.error.error))
}

/** The reason why a file cannot be written, before the search begins; null if it can. */
function pathFault(out: string, force: boolean): RunFault | null {
  try {
    mkdirSync(dirname(out), { recursive: true })
    const place = openFilePlace(out, force, 'a scenario')
    if (!place.ok) return runFault('io', place.error)
    place.value.discard()
    return null
  } catch (error) {
    const fault = ioFault(out, error, 'a writable path')
    return fault.ok ? null : runFault('io', fault.error.error)
  }
}

/** Finds a smallest text that fails in the same way. */
export async function shrinkText(
  source: RunText,
  feeds: readonly string[],
  { isOver = () => false, interrupted = () => false }: Pick<ShrinkOptions, 'isOver' | 'interrupted'>,
): Promise<Result<ShrunkScenario, RunFault>> {
  const { text, file } = source
  const first = await problemsOf({ text, originOf: (offset) => offset }, source, feeds)
  if (!first.ok) return first
  const known = new Set(first.value.map(({ key }) => key))
  const [target] = first.value
  const search = smallerScenarios(text)
  let smallest = text
  let runs = 1
  let step = target === undefined ? null : search.next()
  while (step !== null && step.done !== true && !isOver() && !interrupted()) {
    const found = await problemsOf(step.value, source, feeds)
    runs += 1
    const isSame = found.ok && found.value[0]?.key === target?.key && found.value.every(({ key }) => known.has(key))
    if (isSame) smallest = step.value.text
    step = search.next(isSame)
    // Lets signals through.
    await setImmediate()
  }
  return ok({
    file,
    failure: target?.error ?? null,
    status: interrupted() ? 'interrupted' : 'complete',
    smallest: step === null || step.done === true,
    runs,
    lines_before: linesIn(text),
    lines_after: linesIn(smallest),
    text: smallest,
    out: null,
  })
}

function linesIn(text: string): number {
  return text.trimEnd().split('\n').length
}

/** The failures of a run in their order; the fault says why it could not begin. */
async function problemsOf(
  scenario: SmallerScenario,
  source: RunText,
  feeds: readonly string[],
): Promise<Result<readonly Problem[], RunFault>> {
  const { text } = scenario
  const reading = { ...silent }
  const loaded = await loadRun({ ...source, text }, { feeds: [...feeds], strategies: {}, reading })
  if (!loaded.ok) return loaded
  const { receipt } = loaded.value
  const made_by = {
    node: process.versions.node,
    command: null,
    file: source.file,
    sha256: sha256Hex(Buffer.from(text)),
  }
  try {
    const job = { file: source.file, path: null, loaded: loaded.value, options: silent, from: null }
    const run = await runJob({ ...job, receipt: { ...receipt, made_by } })
    if (run.ok) return ok(run.value.unmet.map((error) => ({ key: keyOfUnmet(error, scenario), error })))
    if (run.error.kind === 'io') return run
    return ok(run.error.errors.map((error) => ({ key: `${error.code} ${pathWithoutNumbers(error)}`, error })))
  } catch (error) {
    if (!isError(error)) throw error
    const found = error.message
    const defect = { code: 'DEFECT' as const, file: source.file, expected: 'no internal error', found }
    return ok([{ key: `DEFECT ${found.replaceAll(/-?\d+(?:\.\d+)?/g, '#')}`, error: defect }])
  }
}

function keyOfUnmet(error: InputError, { text, originOf }: SmallerScenario): string {
  const { line = 1, column = 1, found, path } = error
  const before = text.split('\n').slice(0, line - 1)
  const offset = before.reduce((sum, { length }) => sum + length + 1, column - 1)
  const detail = path === 'expect.laws' ? found.split(':')[0] : /^error -?\d+/.exec(found)?.[0]
  const isNothing = /^(?:0|nothing|none|null|""|an empty list|a list of 0)$/.test(found)
  return `${originOf(offset)} ${pathWithoutNumbers(error)} ${detail ?? ''} ${isNothing}`
}

function pathWithoutNumbers({ path = '' }: InputError): string {
  return path.replaceAll(/\.\d+(?=\.|$)/g, '')
}
