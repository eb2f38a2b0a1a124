/**
 * The folder of a run: one file for each table in one format (Arrow unless another was asked for), `journal.jsonl`, and
 * `manifest.json`.
 *
 * Everything is written to a private folder, `DIR.partial`. At the end the manifest is written, synced and
 * renamed, and then the folder takes its name; a folder of that name is therefore always the whole of one
 * run. A run that was interrupted closes its files, so that they can be read, and stays where it is.
 *
 * Nothing in it but `made_by` of the manifest depends on the machine or the wall clock. Errors of the
 * operating system are thrown.
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
import { openSavedFolder, type SavedFolder, savedName } from './saved-folder.ts'

/** Tables that a folder has only where the run was asked for them. */
const askedTables = ['book', 'quotes', 'book_snapshots', 'bars'] as const

/** One of them. */
export type AskedTable = (typeof askedTables)[number]

/** Facts about a run that its folder holds from the start. */
export interface RunFolderOptions {
  /** Replaces a run folder of that name. */
  readonly force: boolean
  /** Format of the tables. */
  readonly format: TableFormat
  /** Scaled integers instead of doubles or decimals. */
  readonly exact: boolean
  readonly journal: boolean
  /** True if the run can be resumed: what that takes is kept until its end. */
  readonly saving: boolean
  /** Tables beside the usual ones that are written, because the run was asked for them. */
  readonly asked: readonly AskedTable[]
  /** How metrics are computed, which the file of their table says. */
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
export interface RunEnd {
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
  /** Hands what was written to the operating system. */
  flush(): void
}

/** How far the files of a run folder were written when its run was saved. */
export interface FolderMark {
  /** Null where no journal was asked for. */
  readonly journal: FileMark | null
  readonly blocks: FileMark
}

/** A partial folder in which a run goes on. */
export interface FolderToResume {
  readonly partialPath: string
  readonly mark: FolderMark
}

/** A run folder that is being written. */
export interface RunFolder {
  /** Where the results sink hands its blocks. */
  readonly onBlock: BlockConsumer
  /** Takes the lines of the run's journal; null where none was asked for. */
  readonly journal: JournalFile | null
  /** Where the files are until the run is complete. */
  readonly partialPath: string
  /** The state and rows that the run keeps to be resumed; null where it cannot be. */
  readonly saved: SavedFolder | null
  /** Brings what was written to the disk and says how far that is; of a folder that can be resumed. */
  mark(): FolderMark
  /**
   * Closes all files and writes the manifest; a complete folder takes its name, unless another run has taken
   * it meanwhile.
   */
  close(end: RunEnd): Result<Manifest, InputError>
  /** Closes and removes all files of a run that failed; what was closed as a whole stays. */
  discard(): void
  /** Closes all files of a run that failed and leaves them where they are, the journal as far as it could be written. */
  leave(): void
}

const otherJournal = {
  code: 'RUN_FOLDER',
  expected: 'the saved journal',
  found: 'other bytes',
} as const

/** Opens the folder of a new run, or of one that goes on in its partial folder; or says why it cannot stand there. */
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
  const opened = openSaved(partialPath, { isAsked: options.saving, from })
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
      blocks: defined(saved ?? undefined, 'a run that is saved has a folder for it').mark(),
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
      const manifest = writeManifest(partialPath, manifestOf(options, end, { written, files: closed }))
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

/** The folder of what is saved, null where nothing is. */
function openSaved(
  partialPath: string,
  { isAsked, from }: { readonly isAsked: boolean; readonly from: FolderToResume | null },
): Result<SavedFolder | null, InputError> {
  if (!isAsked) return ok(null)
  return openSavedFolder(partialPath, from === null ? null : from.mark.blocks)
}

/** The journal of a new run, or the one to go on with; null where that has other bytes. */
function openJournal(partialPath: string, from: FolderToResume | null): AppendFile | null {
  const path = join(partialPath, journalName)
  if (from === null) return createAppendFile(path)
  return from.mark.journal === null ? null : continueAppendFile(path, from.mark.journal)
}

/** Removes the files that a run closed when it was interrupted; it writes them again. */
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
      // One write, so that a killed run leaves no whole line without its end.
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

/** Why the tables of a folder cannot be read here, or null: other formats than Arrow are for other programs. */
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

/** The first table that is not of this version, or null. */
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

/** True if a file of that name belongs to the folder of a run, in whatever format. */
export function isFileOfRun(name: string): boolean {
  if (name === manifestName || name === `${manifestName}.tmp` || name === journalName) return true
  if (name === reportName) return true
  return tableNames.some((table) => tableFormats.some((format) => fileOf(table, format) === name))
}

/** The name of the file of a table. */
export function fileOf(table: string, format: TableFormat): string {
  return `${table}.${format}`
}

function metadataOf(options: RunFolderOptions, table: TableName): ReadonlyMap<string, string> {
  const { metrics } = options
  const benchmark = metrics.benchmark ?? 'the index of the first instrument'
  const conventions = conventionsOf(metrics, benchmark).join('; ')
  return new Map([
    ['pitclock.engine', options.engine.name],
    ['pitclock.engine_version', options.engine.version],
    ['pitclock.seed', options.seed],
    ['pitclock.scenario_sha256', options.scenario.sha256],
    ...(table === 'metrics' ? [['pitclock.conventions', conventions] as const] : []),
  ])
}

/** Builds the manifest; the order of the keys is part of its form. */
function manifestOf(
  options: RunFolderOptions,
  end: RunEnd,
  content: Pick<Manifest, 'files'> & { readonly written: readonly TableName[] },
): Omit<Manifest, 'sha256'> {
  const { engine, scenario, receipt } = options
  const tables = end.digest.tables.filter(({ name }) => content.written.some((known) => known === name))
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
    files: content.files,
  }
}
