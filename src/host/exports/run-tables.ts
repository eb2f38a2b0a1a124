/**
 * Exports a run folder to another format: the tables as Parquet, CSV or JSONL, an unchanged copy of the journal, and a
 * manifest of the new files. The result equals the folder that the run itself would have written in that format.
 *
 * The export writes to a private partial folder and renames it when it is complete; a failed export removes it. Memory:
 * one batch of a table; for Parquet one row group. Errors of the operating system are returned as faults.
 */
import { createReadStream } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { err, type InputError, ok, type Result } from '../../core/index.ts'
import {
  type CellEncoder,
  loadCellEncoder,
  type TableFormat,
  type TableName,
  tableSchemas,
} from '../../results/index.ts'
import { type AppendFile, createAppendFile } from '../append-file.ts'
import { badInput, type FeedFault, ioFault } from '../feeds/feed-fault.ts'
import { folderFaults, journalName, type Manifest, manifestName, readManifest, writeManifest } from '../manifest.ts'
import { openPlace, untilExit } from '../output-place.ts'
import { fileOf, formatFault, isFileOfRun, versionFault } from '../run-folder.ts'
import { openTableCells } from '../table-cells.ts'

/** A format that a folder of Arrow tables is exported to. */
export type ExportFormat = Exclude<TableFormat, 'arrow'>

/** Options of an export. By default it writes Parquet next to the folder and replaces no file. */
export interface RunExportOptions {
  readonly format?: ExportFormat
  /**
   * Path of the new folder. Default: the name of the run folder followed by the format, such as `runs/demo-parquet`.
   */
  readonly out?: string
  /** True to replace a run folder at that path. */
  readonly force?: boolean
}

/** Report of an export. */
export interface RunExport {
  readonly out: string
  readonly format: ExportFormat
  readonly tables: readonly {
    readonly name: string
    readonly rows: number
    readonly bytes: number
  }[]
}

type FileEntry = Manifest['files'][number]

/**
 * Writes the tables of a complete run folder in another format, with its journal and a manifest of the new files. The
 * function first checks the folder against its manifest. It refuses a folder that is damaged, incomplete, of another
 * version or without Arrow tables, and an output path that exists.
 *
 * @example
 * const exported = await exportRun('runs/demo', { format: 'parquet' })
 * if (exported.ok) console.log(exported.value.out) // runs/demo-parquet
 */
export async function exportRun(folder: string, options: RunExportOptions = {}): Promise<Result<RunExport, FeedFault>> {
  const { format = 'parquet', force = false } = options
  const out = options.out ?? placeBeside(folder, format)
  try {
    const read = readTables(folder)
    if (!read.ok) return badInput(read.error)
    const manifest = read.value
    const other = formatFault(folder, manifest)
    if (other !== null) return badInput(other)
    const encoder = await loadCellEncoder(format)
    const place = openPlace(out, { force, content: 'a run', isOwn: isFileOfRun })
    if (!place.ok) return err({ kind: 'io', error: place.error })
    const { partialPath, take, discard } = untilExit(place.value)
    let isWhole = false
    try {
      const files = await writeFiles({ folder, manifest, format, encoder, partialPath })
      if (!files.ok) return badInput(files.error)
      writeManifest(partialPath, exportedManifest(manifest, format, files.value))
      isWhole = true
      const fault = take()
      if (fault !== null) return err({ kind: 'io', error: fault })
      return ok({ out, format, tables: tablesOut(manifest, files.value) })
    } finally {
      if (!isWhole) discard()
    }
  } catch (error) {
    const path = (error as NodeJS.ErrnoException).path ?? out
    return ioFault(path, error, 'a writable path')
  }
}

/**
 * The name of the folder followed by the format. If the name consists of dots, the name of the resolved path is used.
 */
function placeBeside(folder: string, format: ExportFormat): string {
  const named = /^\.*$/.test(basename(folder)) ? resolve(folder) : folder
  return join(dirname(named), `${basename(named)}-${format}`)
}

/** The manifest of a complete folder whose tables have this version, or the mistake in it. */
export function readTables(folder: string): Result<Manifest, InputError> {
  const read = readManifest(folder)
  if (!read.ok) return read
  const manifest = read.value
  const file = join(folder, manifestName)
  const [fault] = folderFaults(folder, manifest)
  if (fault !== undefined) return err(fault)
  if (manifest.status !== 'complete') {
    const expected = 'a complete run'
    const hint = 'run it again to the end'
    return err({ code: 'RUN_FOLDER', file, path: 'status', found: manifest.status, expected, hint })
  }
  const other = versionFault(folder, manifest)
  return other === null ? ok(manifest) : err(other)
}

interface ExportJob {
  readonly folder: string
  readonly manifest: Manifest
  readonly format: ExportFormat
  readonly encoder: CellEncoder
  readonly partialPath: string
}

async function writeFiles(job: ExportJob): Promise<Result<readonly FileEntry[], InputError>> {
  const entries: FileEntry[] = []
  for (const { name } of job.manifest.tables) {
    // `TableName` holds: the names were found among the tables of this version.
    const written = await writeTable(job, name as TableName)
    if (!written.ok) return written
    entries.push(written.value)
  }
  if (job.manifest.files.some(({ name }) => name === journalName)) {
    entries.push(await copyJournal(job))
  }
  return ok(entries)
}

/** Writes one table of a run folder in another format. */
export async function writeTable(
  { folder, manifest, format, encoder, partialPath }: ExportJob,
  table: TableName,
): Promise<Result<FileEntry, InputError>> {
  const schema = tableSchemas[table]
  const opened = await openTableCells(join(folder, fileOf(table, 'arrow')), schema, manifest.exact)
  if (!opened.ok) return opened
  const source = opened.value
  const name = fileOf(table, format)
  const file = createAppendFile(join(partialPath, name))
  try {
    const metadata = new Map([...source.metadata].filter(([key]) => !ownKeys.has(key)))
    const writer = encoder.createCellWriter(schema, { exact: manifest.exact, metadata }, file.write)
    for await (const columns of source.batches()) writer.write(columns)
    writer.close()
    return ok(closed(name, file))
  } finally {
    file.abandon()
    await source.close()
  }
}

/** Metadata that the table writer adds itself. */
const ownKeys: ReadonlySet<string> = new Set(['pitclock.table', 'pitclock.schema_version', 'pitclock.exact'])

async function copyJournal({ folder, partialPath }: ExportJob): Promise<FileEntry> {
  const file = createAppendFile(join(partialPath, journalName))
  try {
    for await (const bytes of createReadStream(join(folder, journalName))) file.write(bytes)
    return closed(journalName, file)
  } finally {
    file.abandon()
  }
}

function closed(name: string, file: AppendFile): FileEntry {
  const sha256 = file.close()
  return { name, bytes: file.size, sha256 }
}

function exportedManifest(
  { sha256: _, ...manifest }: Manifest,
  format: ExportFormat,
  files: readonly FileEntry[],
): Omit<Manifest, 'sha256'> {
  const tables = manifest.tables.map((table) => ({ ...table, file: fileOf(table.name, format) }))
  return { ...manifest, table_format: format, tables, files: [...files] }
}

function tablesOut(manifest: Manifest, files: readonly FileEntry[]): RunExport['tables'] {
  return manifest.tables.map(({ name, rows }, at) => ({ name, rows, bytes: files[at]?.bytes ?? 0 }))
}
