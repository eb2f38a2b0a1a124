/**
 * Resumes a saved run (`saveEvery`) that was interrupted, killed, or stopped by a full disk. The resumed run has the
 * same folder and digest as a run without a break.
 *
 * Everything that influences results must be unchanged: the program, the scenario, recorded files, strategies.
 * Otherwise the fault names the differences, and the folder stays unchanged.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { err, formatInputError, type InputError, ok, type Result } from '../../core/index.ts'
import type { RunReceipt } from '../manifest.ts'
import { checkpointPath } from '../saved-folder.ts'
import { sha256Hex } from '../sha256.ts'
import { type Checkpoint, decodeCheckpoint } from './checkpoint.ts'
import { loadRun } from './load-run.ts'
import type { RunFault } from './run-fault.ts'
import { silent } from './run-file.ts'
import { runJob } from './run-job.ts'
import type { ResumeOptions, RunFileOptions, RunReport } from './run-report.ts'
import { type RunText, readRunText } from './run-text.ts'
import { engineVersion } from './version.ts'

/**
 * Resumes the run in a folder and continues to its end or to the next interruption. `out` is the final folder of the
 * run or its partial one.
 */
export async function resumeRun(out: string, options: ResumeOptions = {}): Promise<Result<RunReport, RunFault>> {
  const found = partialOf(out)
  if (!found.ok) return refused([found.error])
  const partialPath = found.value
  const path = checkpointPath(partialPath)
  const read = decodeCheckpoint(readFileSync(path), path)
  if (!read.ok) return refused([read.error])
  const { head } = read.value
  const version = engineVersion()
  if (head.engine !== version) {
    return refused([differs(partialPath, `pitclock ${head.engine}`, `pitclock ${version}`)])
  }
  const source = await textOf(head, partialPath, options)
  if (!source.ok) return source
  const { file, text } = source.value
  if (sha256Hex(Buffer.from(text)) !== head.receipt.made_by.sha256) {
    return refused([differs(file, 'the file as it was when the run began', 'different text')])
  }
  const { feeds: savedFeeds } = head.options
  const saved = savedFeeds === null ? [] : [join(partialPath, savedFeeds)]
  const feeds = options.feeds === undefined ? saved : [options.feeds]
  const { strategies = {} } = options
  const reading = {
    allowSpecial: head.options.allowSpecial,
    interrupted: options.interrupted ?? silent.interrupted,
  }
  const loaded = await loadRun(source.value, { feeds, strategies, reading })
  if (!loaded.ok) return loaded
  const others = differences(head.receipt, loaded.value.receipt)
  if (others.length > 0) {
    await loaded.value.feeds.close()
    return refused(others)
  }
  return await runJob({
    file: head.receipt.made_by.file,
    path: head.file === null ? null : source.value.file,
    loaded: loaded.value,
    options: optionsOf(head, partialPath, options, feeds[0] ?? null),
    receipt: head.receipt,
    from: { ...read.value, partialPath },
  })
}

/** The saved options of a run, combined with the options of its resumption. */
function optionsOf(
  { options: saved, place }: Checkpoint['head'],
  partialPath: string,
  options: ResumeOptions,
  feeds: string | null,
): RunFileOptions {
  const { interrupted = silent.interrupted, onProgress = silent.onProgress } = options
  return {
    ...silent,
    ...saved,
    saveEvery: saved.saveEvery as NonNullable<RunFileOptions['saveEvery']>,
    out: join(dirname(partialPath), place),
    feeds,
    interrupted,
    onProgress,
  }
}

/** The partial folder of a run that can be resumed. */
function partialOf(out: string): Result<string, InputError> {
  const expected = 'the folder of a saved run (run --save-every)'
  if (canGoOn(out)) return ok(out)
  const parent = dirname(out)
  const names = existsSync(parent) ? readdirSync(parent) : []
  const base = basename(out)
  const candidates = names
    .filter((name) => name.startsWith(`${base}.`) && /^\.(\d+\.)?partial$/.test(name.slice(base.length)))
    .map((name) => join(parent, name))
    .filter(canGoOn)
  const [only, ...others] = candidates
  if (only === undefined) {
    const isThere = existsSync(out)
    return err({
      code: 'RUN_FOLDER',
      file: out,
      expected,
      found: isThere ? 'a folder without a saved state' : 'none',
    })
  }
  if (others.length === 0) return ok(only)
  const hint = 'name the partial folder to resume'
  return err({
    code: 'RUN_FOLDER',
    file: out,
    expected: 'one partial folder',
    found: candidates.join(', '),
    hint,
  })
}

/** True if a folder has a saved state. */
function canGoOn(folder: string): boolean {
  return existsSync(checkpointPath(folder))
}

/** Reads the scenario or journal of the run. */
async function textOf(
  head: Checkpoint['head'],
  partialPath: string,
  options: ResumeOptions,
): Promise<Result<RunText, RunFault>> {
  const { set } = head.options
  if (head.file !== null) return await readRunText(options.file ?? join(partialPath, head.file), set)
  const { document, folder = '.' } = options
  if (document === undefined) {
    const expected = 'the scenario document from the program that ran it (resumeRun)'
    return refused([{ code: 'RUN_FOLDER', file: partialPath, expected, found: 'none' }])
  }
  const text = JSON.stringify(document)
  return ok({ text, file: 'the document', folder, isJournal: false, set })
}

/** The inputs that have changed, by name. */
function differences(saved: RunReceipt, found: Pick<RunReceipt, 'feeds' | 'strategies'>): InputError[] {
  const feeds = saved.feeds.flatMap(({ path, sha256 }, at) =>
    found.feeds[at]?.sha256 === sha256
      ? []
      : [differs(path, 'the recorded file as it was when the run began', 'different bytes')],
  )
  const strategies = saved.strategies.flatMap(({ sources }, at) => {
    const now = new Map(found.strategies[at]?.sources.map(({ file, sha256 }) => [file, sha256]))
    return sources.flatMap(({ file, sha256 }) =>
      now.get(file) === sha256 ? [] : [differs(file, 'the strategy as it was when the run began', 'different text')],
    )
  })
  return [...feeds, ...strategies]
}

function differs(file: string, expected: string, found: string): InputError {
  return { code: 'RUN_FOLDER', file, expected, found }
}

function refused(errors: readonly InputError[]): Result<never, RunFault> {
  const hint = errors.find((error) => error.hint !== undefined)?.hint
  const lines = errors.map(({ hint: _, ...error }) => formatInputError(error))
  return err({ kind: 'input', lines, errors, hint: hint ?? 'nothing was changed' })
}
