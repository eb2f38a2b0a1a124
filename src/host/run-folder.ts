/**
 * The folder of a run: one file for each table in one format (default: Arrow), `journal.jsonl`, and `manifest.json`.
 *
 * A run writes everything to a private folder, `DIR.partial`. At the end it writes, syncs and renames the manifest and
 * then renames the folder, so a folder with the final name always contains one complete run. An interrupted run closes
 * its files, so that they can be read, and keeps the partial folder.
 *
 * Only `made_by` in the manifest depends on the machine or the wall clock. The functions throw errors of the operating
 * system.
 */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { defined, err, formatIsoTime, type InputError, type Micros, ok, type Result } from '../core/index.ts'
import {
  type BlockConsumer,
  conventionsOf,
  loadTableEncoder,
  type MetricsTerms,
  type RunDigest,
  type TableFormat,
  type TableName,
  type TableWriter,
  tableFormats,
  tableNames,
  tableSchemas,
} from '../results/index.ts'
import { type AppendFile, continueAppendFile, createAppendFile, type FileMark } from './append-file.ts'
import { type ArrowFile, openArrowFile } from './arrow-file.ts'
import {
  journalName,
  type Manifest,
  type ManifestMetrics,
  manifestName,
  type RunReceipt,
  readManifest,
  reportName,
  writeManifest,
} from './manifest.ts'
import { openPlace, reopenPlace } from './output-place.ts'
import { openSavedFolder, type SavedFolder, type SavedMarks, savedName } from './saved-folder.ts'

/** Tables that a folder has only on request. */
const askedTables = ['book', 'quotes', 'book_snapshots', 'bars'] as const

/** Name of a table that a folder has only on request. */
export type AskedTable = (typeof askedTables)[number]

/** Facts about a run that its folder holds from the start. */
export interface RunFolderOptions {
  /** True to replace a run folder with that name. */
  readonly force: boolean
  /** Format of the tables. */
  readonly format: TableFormat
  /** True for scaled integers instead of doubles or decimals. */
  readonly exact: boolean
  readonly journal: boolean
  /** True if the run can be resumed; the data for that is kept until the run ends. */
  readonly saving: boolean
  /** Additional tables that the run requests. */
  readonly asked: readonly AskedTable[]
  /** How metrics are computed; stored with their table. */
  readonly metrics: MetricsTerms
  readonly engine: { readonly name: string; readonly version: string }
  readonly seed: string
  readonly scenario: {
    readonly title: string
    readonly sha256: string
    /** Values that were set from outside. */
    readonly set: readonly string[]
  }
  /** The run's inputs. */
  readonly receipt: RunReceipt
}

/** Facts about a run that are known at its end. */
interface RunEnd {
  readonly status: 'complete' | 'interrupted'
  readonly digest: RunDigest
  readonly from: Micros
  readonly to: Micros
  readonly requests: number
  readonly events: number
  /** How metrics were computed. */
  readonly metrics: ManifestMetrics
}

/** A journal that is being written. */
export interface JournalFile {
  readonly size: number
  /** Appends an object as one line of JSON. */
  write(value: object): void
  /** Hands all written lines to the operating system. */
  flush(): void
}

/** Positions in the files of a run folder when its run was saved. */
export interface FolderMark {
  /** Null if no journal was requested. */
  readonly journal: FileMark | null
  readonly saved: SavedMarks
}

/** A partial folder whose run is resumed. */
interface FolderToResume {
  readonly partialPath: string
  readonly mark: FolderMark
}

/** A run folder that is being written. */
export interface RunFolder {
  /** Receives the blocks of the results sink. */
  readonly onBlock: BlockConsumer
  /** Receives the lines of the run's journal; null if no journal was requested. */
  readonly journal: JournalFile | null
  /** Path of the files until the run is complete. */
  readonly partialPath: string
  /** The saved state and rows for resuming the run; null if the run cannot be resumed. */
  readonly saved: SavedFolder | null
  /** Syncs everything so far to the disk and returns the position; only for a folder that can be resumed. */
  mark(): FolderMark
  /**
   * Closes all files and writes the manifest. A complete folder then gets its final path, unless another run has taken
   * it meanwhile.
   */
  close(end: RunEnd): Result<Manifest, InputError>
  /** Closes and removes all files of a failed run; a folder with a manifest stays. */
  discard(): void
  /** Closes all files of a failed run and keeps them; the journal contains the lines that could be written. */
  leave(): void
}

const otherJournal = {
  code: 'RUN_FOLDER',
  expected: 'the saved journal',
  found: 'other bytes',
} as const

/**
 * Opens the folder of a new run, or the partial folder of a resumed run. Returns the reason if the path must not be
 * written.
 */
export async function openRunFolder(
  path: string,
  options: RunFolderOptions,
  from: FolderToResume | null = null,
): Promise<Result<RunFolder, InputError>> {
  const { force, format } = options
  const encoder = await loadTableEncoder(format)
  const replacement = { force, content: 'a run', isOwn: isFileOfRun }
  const place = from === null ? openPlace(path, replacement) : reopenPlace(path, from.partialPath, replacement)
  if (!place.ok) return place
  const { partialPath } = place.value
  const opened = openSaved(partialPath, options.saving, from)
  if (!opened.ok) return opened
  const saved = opened.value
  if (from !== null) removeClosed(partialPath)
  const journal = options.journal ? openJournal(partialPath, from) : null
  if (options.journal && journal === null) {
    saved?.leave()
    return err({ ...otherJournal, file: join(partialPath, journalName) })
  }

  const files = new Map<string, AppendFile>()
  const writers = new Map<string, TableWriter>()
  const writerOf = (name: TableName): TableWriter => {
    const known = writers.get(name)
    if (known !== undefined) return known
    const file = createAppendFile(join(partialPath, fileOf(name, format)))
    files.set(fileOf(name, format), file)
    const tableOptions = { exact: options.exact, metadata: metadataOf(options, name) }
    const writer = encoder.createTableWriter(tableSchemas[name], tableOptions, file.write)
    writers.set(name, writer)
    return writer
  }
  const left = new Set<TableName>(askedTables.filter((name) => !options.asked.includes(name)))
  const written = tableNames.filter((name) => !left.has(name))
  if (journal !== null) files.set(journalName, journal)
  let isWhole = false
  const writeBlock: BlockConsumer = (block, names) => {
    const name = written.find((known) => known === block.schema.name)
    if (name !== undefined) writerOf(name).add(block, names)
  }

  return ok({
    partialPath,
    saved,
    journal: journal === null ? null : journalOf(journal),
    onBlock: saved?.onBlock ?? writeBlock,
    mark: () => ({
      journal: journal === null ? null : journal.mark(),
      saved: defined(saved ?? undefined, 'a run that is saved has a folder for it').marks(),
    }),
    close: (end) => {
      saved?.each(writeBlock)
      for (const name of written) writerOf(name).close()
      const tableFiles = written.map((name) => fileOf(name, format))
      const names = [...tableFiles, ...(journal === null ? [] : [journalName])]
      const closed = names.map((name) => {
        const file = defined(files.get(name), 'every table that is written has a file')
        const sha256 = file.close()
        return { name, bytes: file.size, sha256 }
      })
      const manifest = writeManifest(partialPath, manifestOf(options, end, closed, written))
      isWhole = true
      if (end.status === 'complete') saved?.remove()
      else saved?.leave()
      const fault = end.status === 'complete' ? place.value.take() : null
      return fault === null ? ok(manifest) : err(fault)
    },
    discard: () => {
      for (const file of files.values()) file.abandon()
      if (isWhole) return
      saved?.remove()
      place.value.discard()
    },
    leave: () => {
      if (isWhole) return
      if (saved === null) journal?.flush()
      saved?.leave()
      for (const file of files.values()) file.abandon()
    },
  })
}

/** Opens the folder of saved states; null if the run is not saved. */
function openSaved(
  partialPath: string,
  isAsked: boolean,
  from: FolderToResume | null,
): Result<SavedFolder | null, InputError> {
  if (!isAsked) return ok(null)
  return openSavedFolder(partialPath, from === null ? null : from.mark.saved)
}

/** The journal of a new run, or the journal to continue; null if its bytes have changed. */
function openJournal(partialPath: string, from: FolderToResume | null): AppendFile | null {
  const path = join(partialPath, journalName)
  if (from === null) return createAppendFile(path)
  return from.mark.journal === null ? null : continueAppendFile(path, from.mark.journal)
}

/** Removes the files that an interrupted run closed; the resumed run writes them again. */
function removeClosed(partialPath: string): void {
  const kept = new Set([journalName, savedName])
  for (const name of readdirSync(partialPath)) {
    if (!kept.has(name)) rmSync(join(partialPath, name))
  }
}

function journalOf(file: AppendFile): JournalFile {
  return {
    get size(): number {
      return file.size
    },
    write: (value) => {
      // One write, so that a killed run does not leave a complete line without its newline.
      file.write(Buffer.from(`${JSON.stringify(value)}\n`))
    },
    flush: () => file.flush(),
  }
}

/** Opens a table of a run folder for reading. */
export async function readTable(path: string, table: string): Promise<Result<ArrowFile, InputError>> {
  const manifest = readManifest(path)
  if (!manifest.ok) return manifest
  const entry = manifest.value.tables.find(({ name }) => name === table)
  if (entry === undefined) {
    const expected = `one of ${manifest.value.tables.map(({ name }) => name).join(', ')}`
    return err({
      code: 'RUN_FOLDER',
      file: join(path, manifestName),
      path: 'tables',
      found: table,
      expected,
    })
  }
  const fault = formatFault(path, manifest.value)
  if (fault !== null) return err(fault)
  return openArrowFile(join(path, entry.file))
}

/**
 * Why the tables of a folder cannot be read here, or null. Only Arrow tables can be read; the other formats are for
 * other programs.
 */
export function formatFault(path: string, { table_format }: Manifest): InputError | null {
  if (table_format === 'arrow') return null
  return {
    code: 'RUN_FOLDER',
    file: join(path, manifestName),
    path: 'table_format',
    expected: 'arrow',
    found: table_format,
    hint: `to run it again: pitclock run ${join(path, journalName)} --format arrow --out DIR`,
  }
}

/** The fault for the first table of another version, or null. */
export function versionFault(path: string, { tables }: Manifest): InputError | null {
  for (const { name, schema_version: version } of tables) {
    const known = tableNames.find((table) => table === name)
    const own = known === undefined ? null : tableSchemas[known].version
    if (own === version) continue
    const expected = own === null ? 'a table of this version' : `version ${own} of ${name}`
    const found = own === null ? name : `version ${version}`
    const hint = 'run its journal again with this version'
    return {
      code: 'RUN_FOLDER',
      file: join(path, manifestName),
      path: 'tables',
      expected,
      found,
      hint,
    }
  }
  return null
}

/** True if a run folder of any format may contain a file with this name. */
export function isFileOfRun(name: string): boolean {
  if (name === manifestName || name === `${manifestName}.tmp` || name === journalName) return true
  if (name === reportName) return true
  return tableNames.some((table) => tableFormats.some((format) => fileOf(table, format) === name))
}

/** The file name of a table. */
export function fileOf(table: string, format: TableFormat): string {
  return `${table}.${format}`
}

function metadataOf(options: RunFolderOptions, table: TableName): ReadonlyMap<string, string> {
  const benchmark = options.metrics.benchmark ?? 'the index of the first instrument'
  const conventions = conventionsOf(options.metrics, benchmark).join('; ')
  return new Map([
    ['pitclock.engine', options.engine.name],
    ['pitclock.engine_version', options.engine.version],
    ['pitclock.seed', options.seed],
    ['pitclock.scenario_sha256', options.scenario.sha256],
    ...(table === 'metrics' ? [['pitclock.conventions', conventions] as const] : []),
  ])
}

/** Builds the manifest. The order of the keys is fixed. */
function manifestOf(
  options: RunFolderOptions,
  end: RunEnd,
  files: Manifest['files'],
  written: readonly TableName[],
): Omit<Manifest, 'sha256'> {
  const { engine, scenario, receipt } = options
  const tables = end.digest.tables.filter(({ name }) => written.some((known) => known === name))
  return {
    format: 3,
    status: end.status,
    engine: { name: engine.name, version: engine.version },
    made_by: receipt.made_by,
    seed: options.seed,
    scenario: {
      title: scenario.title,
      sha256: scenario.sha256,
      set: scenario.set.length === 0 ? undefined : [...scenario.set],
    },
    feeds: receipt.feeds,
    strategies: receipt.strategies,
    from: formatIsoTime(end.from),
    to: formatIsoTime(end.to),
    requests: end.requests,
    events: end.events,
    exact: options.exact,
    table_format: options.format,
    metrics: end.metrics,
    digest: end.digest.digest,
    tables: tables.map(({ name, version, rows, hash: digest }) => ({
      name,
      file: fileOf(name, options.format),
      rows,
      schema_version: version,
      digest,
    })),
    files,
  }
}
