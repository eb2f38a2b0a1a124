/**
 * Reads a run folder that may be incomplete: its receipt, its faults, its tables.
 *
 * `compare` and `export` refuse a folder that does not match its manifest. A report is useful for such a folder too if
 * it names the faults. So this file reports damage and interruptions, and refuses folders of another version.
 */
import { createReadStream } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { err, type InputError, ok, type Result } from '../../core/index.ts'
import { folderFaults, journalName, type Manifest, readManifest } from '../manifest.ts'
import { formatFault, versionFault } from '../run-folder.ts'
import { openTableColumns, type TableColumns } from '../table-cells.ts'

/** A request in the journal of a run. */
export interface JournalRequest {
  /** Its number in the run, from 1. */
  readonly sequence: number
  /** Null for the controls of the simulator. */
  readonly account: string | null
  readonly method: string
  /** Its parameters as JSON. */
  readonly params: string
}

/** A run folder. */
export interface ReadableRun {
  /** The last part of its path. */
  readonly name: string
  readonly manifest: Manifest
  /** Files that differ from the manifest. */
  readonly faults: readonly InputError[]
  /** Opens a table. Null if the run lacks a table with that name. The error describes a mistake in its file. */
  openTable(name: string): Promise<Result<TableColumns | null, InputError>>
  /** The requests with these sequences; null if the run has no journal. */
  requests(sequences: ReadonlySet<number>): Promise<ReadonlyMap<number, JournalRequest> | null>
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
    requests: async (sequences) => {
      if (!manifest.files.some(({ name }) => name === journalName)) return null
      return await requestsIn(join(folder, journalName), sequences)
    },
  })
}

/** Reads the journal up to the last of the sequences, which rise from line to line. */
async function requestsIn(file: string, sequences: ReadonlySet<number>): Promise<ReadonlyMap<number, JournalRequest>> {
  const found = new Map<number, JournalRequest>()
  const last = Math.max(0, ...sequences)
  const stream = createReadStream(file)
  for await (const line of createInterface({ input: stream })) {
    const sequence = Number(/^\{"time":-?\d+,"sequence":(\d+)/.exec(line)?.[1] ?? 0)
    // The head of the journal has no sequence.
    if (sequence === 0) continue
    if (sequence > last) break
    if (sequences.has(sequence)) found.set(sequence, requestIn(line))
  }
  stream.destroy()
  return found
}

function requestIn(line: string): JournalRequest {
  // The journal matches its manifest, so its lines are those that a run wrote.
  const { params = {}, ...request } = JSON.parse(line) as Omit<JournalRequest, 'params'> & { readonly params?: object }
  return {
    sequence: request.sequence,
    account: request.account,
    method: request.method,
    params: JSON.stringify(params),
  }
}

function hintOf(folder: string): string {
  return `a killed run has no manifest; to run its journal again: pitclock run ${join(folder, 'journal.jsonl')} --out DIR`
}
