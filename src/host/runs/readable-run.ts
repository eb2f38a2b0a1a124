/**
 * Reads a run folder that may be incomplete: its receipt, its faults, its tables.
 *
 * `compare` and `export` refuse a folder that does not match its manifest. A report is useful for such a folder too if
 * it names the faults. So this file reports damage and interruptions, and refuses folders of another version.
 */
import { basename, join, resolve } from 'node:path'
import { err, type InputError, ok, type Result } from '../../core/index.ts'
import { folderFaults, type Manifest, readManifest } from '../manifest.ts'
import { formatFault, versionFault } from '../run-folder.ts'
import { openTableColumns, type TableColumns } from '../table-cells.ts'

/** A run folder. */
export interface ReadableRun {
  /** The last part of its path. */
  readonly name: string
  readonly manifest: Manifest
  /** Files that differ from the manifest. */
  readonly faults: readonly InputError[]
  /** Opens a table. Null if the run lacks a table with that name. The error describes a mistake in its file. */
  openTable(name: string): Promise<Result<TableColumns | null, InputError>>
}

/**
 * Opens a run folder. Refuses a folder without a manifest, of another version or with tables in other formats than
 * Arrow.
 */
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
