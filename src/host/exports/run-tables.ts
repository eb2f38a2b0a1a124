/**
 * A run folder in another format: its tables as Parquet, CSV or JSONL, its journal as it is, and its manifest with the
 * new files. The folder is the one that the run itself would have written in that format.
 *
 * Everything is written to a partial folder of its own, which takes its name when it is complete; what cannot be
 * completed is removed. Memory: one batch of a table, of Parquet one row group. Errors of the operating system are
 * returned as such.
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
  /** Where the new folder goes; else the name of the folder with the format behind it: `runs/demo-parquet`. */
  readonly out?: string
  /** True if a run folder there is replaced. */
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

/** A file of a manifest. */
type FileEntry = Manifest['files'][number]

/**
 * Writes the tables of a complete run folder in another format, with its journal and a manifest of the new files. The
 * folder is held against its manifest first; refused are a folder that is damaged, of another version, not complete
 * or not of Arrow tables, and a place that is taken.
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

/** The name of the folder with the format behind it; where the folder is named by dots, the whole path. */
function placeBeside(folder: string, format: ExportFormat): string {
  const named = /^\.*$/.test(basename(folder)) ? resolve(folder) : folder
  return join(dirname(named), `${basename(named)}-${format}`)
}

/** The manifest of a complete folder whose tables are those of this version, or what is wrong with it. */
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

/** Input and place of an export. */
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
    // The names were found among those of this version.
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
  const { exact } = manifest
  const opened = await openTableCells(join(folder, fileOf(table, 'arrow')), schema, exact)
  if (!opened.ok) return opened
  const source = opened.value
  const name = fileOf(table, format)
  const file = createAppendFile(join(partialPath, name))
  try {
    const metadata = new Map([...source.metadata].filter(([key]) => !ownKeys.has(key)))
    const writer = encoder.createCellWriter(schema, { exact, metadata }, file.write)
    for await (const columns of source.batches()) writer.write(columns)
    writer.close()
    return ok(closed(name, file))
  } finally {
    file.abandon()
    await source.close()
  }
}

/** Metadata that the writer of a table adds by itself. */
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

function tablesOut({ tables }: Manifest, files: readonly FileEntry[]): RunExport['tables'] {
  return tables.map(({ name, rows }, at) => ({ name, rows, bytes: files[at]?.bytes ?? 0 }))
}
