/** Runs a scenario file or a journal from disk, or a document from a program. Source: DESIGN 7 and 8. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Result } from '../../core/index.ts'
import { parseScenario } from '../../scenario/index.ts'
import { moduleSources } from '../module-sources.ts'
import { sha256Hex } from '../sha256.ts'
import { faultOfFeeds, loadRun, type RunSources } from './load-run.ts'
import type { RunFault } from './run-fault.ts'
import { feedPathOf } from './run-feeds.ts'
import { runJob } from './run-job.ts'
import type { RunJob } from './run-outputs.ts'
import type { RunDocumentOptions, RunFileOptions, RunReport } from './run-report.ts'
import { type RunText, readRunText } from './run-text.ts'

/** Options of a check of a file. */
export interface CheckOptions extends Partial<RunFileOptions> {
  /** False to skip strategy modules, because loading a module runs its code. */
  readonly modules?: boolean
}

/**
 * Reads and checks a file without running it, including the beginning of its recorded files and its strategies. Loading
 * a strategy module runs its code; `modules: false` skips these. A fault without lines means that there are no
 * mistakes.
 */
export async function checkFile(
  file: string,
  { feeds = null, modules = true, set = [], ...reading }: CheckOptions = {},
): Promise<RunFault> {
  const source = await readRunText(file, set)
  if (!source.ok) return source.error
  const sources = { feeds: foldersOf({ feeds }), strategies: {}, modules, reading }
  const loaded = await loadRun(source.value, sources)
  if (!loaded.ok) return loaded.error
  const { feeds: recorded } = loaded.value
  const faults = await recorded.probe()
  await recorded.close()
  const fault = faultOfFeeds(faults)
  if (fault.lines.length > 0 || !loaded.value.isWithoutModules) return fault
  const hint = 'strategy modules were not loaded because they run code; --allow-modules checks them too'
  return { ...fault, hint }
}

/**
 * Lists the files that a run of a scenario reads: the scenario, its recorded files, and its strategy modules with the
 * files of the project that they import. Other files, and scenarios with mistakes, list only themselves.
 */
export async function inputFiles(
  file: string,
  { feeds = null, set = [] }: Pick<CheckOptions, 'feeds' | 'set'> = {},
): Promise<readonly string[]> {
  const source = await readRunText(file, set)
  if (!source.ok || source.value.isJournal) return [file]
  const { text, folder } = source.value
  const parsed = parseScenario(text, file, set)
  if (!parsed.ok) return [file]
  const recorded = parsed.value.feeds.flatMap(({ paths }) => {
    return paths.map((path) => feedPathOf(path, [...foldersOf({ feeds }), folder]))
  })
  const modules = parsed.value.strategies.flatMap(({ module }) => {
    const path = resolve(folder, module)
    if (!existsSync(path)) return [path]
    const sources = moduleSources(module, folder).map((found) => resolve(folder, found.file))
    // A package is listed by its name, which is no path.
    return sources.filter((each) => existsSync(each))
  })
  return [...new Set([file, ...recorded, ...modules])]
}

/** Runs a scenario (`.yaml`, `.yml`, `.json`) or a journal (`.jsonl`). */
export async function runFile(
  file: string,
  options: Partial<RunFileOptions> = {},
): Promise<Result<RunReport, RunFault>> {
  const complete = { ...silent, ...options }
  const source = await readRunText(file, complete.set)
  if (!source.ok) return source
  const sources = { feeds: foldersOf(complete), strategies: {}, reading: complete }
  return await runText(source.value, sources, { options: complete, path: source.value.file })
}

/**
 * Runs a scenario from a program: an object with the same sections as a file. Strategies may be passed as objects;
 * `module` then gives their names.
 */
export async function runDocument(
  document: object,
  options: RunDocumentOptions = {},
): Promise<Result<RunReport, RunFault>> {
  const { strategies = {}, folder = '.' } = options
  const complete = { ...silent, ...options }
  const text = JSON.stringify(document)
  const source = { text, file: 'the document', folder, isJournal: false, set: complete.set }
  const sources = { feeds: foldersOf(complete), strategies, reading: complete }
  return await runText(source, sources, { options: complete, path: null })
}

/** Options of a run without output or requests for extra data. */
export const silent: RunFileOptions = {
  set: [],
  out: null,
  force: false,
  format: null,
  exact: false,
  journal: true,
  audit: false,
  feeds: null,
  tables: false,
  replies: null,
  events: null,
  log: null,
  saveEvery: null,
  metrics: {},
  command: null,
  interrupted: () => false,
  onProgress: () => undefined,
}

function foldersOf({ feeds }: Pick<RunFileOptions, 'feeds'>): readonly string[] {
  return feeds === null ? [] : [feeds]
}

async function runText(
  source: RunText,
  sources: RunSources,
  { options, path }: Pick<RunJob, 'options' | 'path'>,
): Promise<Result<RunReport, RunFault>> {
  const loaded = await loadRun(source, { ...sources, live: options.live?.source })
  if (!loaded.ok) return loaded
  const { receipt } = loaded.value
  const sha256 = sha256Hex(Buffer.from(source.text))
  const { node } = process.versions
  const command = options.command === null ? null : [...options.command]
  return await runJob({
    file: source.file,
    path,
    loaded: loaded.value,
    options,
    receipt: { ...receipt, made_by: { node, command, file: source.file, sha256 } },
    from: null,
  })
}
