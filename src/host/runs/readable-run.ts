/**
 * A run folder that is read although parts of it may be missing: its receipt, what is wrong with it, its tables.
 *
 * `compare` and `export` refuse a folder that is not as its manifest says. A report is of use for such a folder too, as
 * long as it says so: damage and an interruption are told here, and what is of another version is refused.
 */
import { basename, join, resolve } from 'node:path'
import { err, type InputError, ok, type Result } from '../../core/index.ts'
import { folderFaults, type Manifest, readManifest } from '../manifest.ts'
import { formatFault, versionFault } from '../run-folder.ts'
import { openTableColumns, type TableColumns } from '../table-columns.ts'

/** A run folder. */
export interface ReadableRun {
  /** The last name of its path. */
  readonly name: string
  readonly manifest: Manifest
  /** Files that are not as the run wrote them. */
  readonly faults: readonly InputError[]
  /** Opens a table, null where the run has none of that name, or says what is wrong with its file. */
  openTable(name: string): Promise<Result<TableColumns | null, InputError>>
}

/** Opens a run folder; refused are a folder without a manifest, of another version and of other formats than Arrow. */
export function openReadableRun(folder: string): Result<ReadableRun, InputError> {
  const read = readManifest(folder)
  if (!read.ok) return err({ ...read.error, hint: hintOf(folder) })
  const manifest = read.value
  const fault = formatFault(folder, manifest) ?? versionFault(folder, manifest)
  if (fault !== null) return err(fault)
  return ok({
    name: basename(resolve(folder)),
    manifest,
    faults: folderFaults(folder, manifest),
    openTable: async (name) => {
      const entry = manifest.tables.find((table) => table.name === name)
      return entry === undefined ? ok(null) : await openTableColumns(join(folder, entry.file))
    },
  })
}

function hintOf(folder: string): string {
  return `a killed run has no manifest; to run its journal again: pitclock run ${join(folder, 'journal.jsonl')} --out DIR`
}
