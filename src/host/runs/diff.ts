/**
 * Compares two runs and finds the first event where they differ.
 *
 * The comparison first checks both folders against their manifests and trusts the hashes only then. The hashes of
 * tables show which tables differ. It reads each of these row by row on both sides up to the first difference. Rows
 * carry the number of their event, so the lowest of these numbers over all tables is the first event that differs.
 */
import { err, formatIsoTime, type InputError, micros, ok, type Result } from '../../core/index.ts'
import type { ArrowFile, FileRow } from '../arrow-file.ts'
import { folderFaults, type Manifest, readManifest } from '../manifest.ts'
import { readTable } from '../run-folder.ts'
import { type RunFault, runFault } from './run-fault.ts'

/** The first difference of two runs. */
export interface RunDifference {
  readonly table: string
  /** Number of the event, or null in a table without event numbers. */
  readonly event: number | null
  readonly summary: string
  /** The columns that differ, one line each; or a line that says which run ends first. */
  readonly lines: readonly string[]
}

/** Findings of a comparison. */
export interface RunComparison {
  readonly digests: readonly [string, string]
  /** The folders of interrupted runs. Equal digests say nothing about the rest of their scenario. */
  readonly interrupted: readonly string[]
  readonly difference: RunDifference | null
}

/** Compares the folders of two runs. The fault has the mistakes in the folders. */
export async function diffRuns(left: string, right: string): Promise<Result<RunComparison, RunFault>> {
  const manifests: Manifest[] = []
  const faults: InputError[] = []
  for (const folder of [left, right]) {
    const manifest = readManifest(folder)
    if (manifest.ok) {
      manifests.push(manifest.value)
      faults.push(...folderFaults(folder, manifest.value))
    } else {
      faults.push(manifest.error)
    }
  }
  if (faults.length > 0) return err(runFault('input', ...faults))
  const [first, second] = manifests as [Manifest, Manifest]
  const digests = [first.digest, second.digest] as const
  const interrupted = [left, right].filter((_, at) => manifests[at]?.status === 'interrupted')
  let earliest: RunDifference | null = null
  for (const table of tablesThatDiffer(first, second)) {
    const found = await diffTable(table, left, right)
    if (!found.ok) return err(runFault('input', found.error))
    if (found.value !== null && isEarlier(found.value, earliest)) earliest = found.value
  }
  const isEqual = first.digest === second.digest
  const difference = earliest ?? (isEqual ? null : unequalLogs(first, second))
  return ok({ digests, interrupted, difference })
}

function isEarlier(one: RunDifference, other: RunDifference | null): boolean {
  const after = Number.POSITIVE_INFINITY
  return other === null || (one.event ?? after) < (other.event ?? after)
}

/** Tables that both runs wrote, with different hashes. */
function tablesThatDiffer(first: Manifest, second: Manifest): readonly string[] {
  return first.tables
    .filter(({ name, digest }) => {
      const other = second.tables.find((table) => table.name === name)
      return other !== undefined && other.digest !== digest
    })
    .map(({ name }) => name)
}

/**
 * The difference of two runs with unequal digests whose common tables are equal: the differing events are in no common
 * table.
 */
function unequalLogs(first: Manifest, second: Manifest): RunDifference {
  const names = (manifest: Manifest): string =>
    manifest.tables
      .filter(({ rows }) => rows > 0)
      .map(({ name }) => name)
      .join(', ')
  return {
    table: '',
    event: null,
    summary: 'the event logs differ, but the tables that both runs wrote are equal',
    lines: [`- ${names(first)}`, `+ ${names(second)}`],
  }
}

async function diffTable(
  table: string,
  left: string,
  right: string,
): Promise<Result<RunDifference | null, InputError>> {
  const first = await readTable(left, table)
  if (!first.ok) return first
  const second = await readTable(right, table)
  if (!second.ok) {
    await first.value.close()
    return second
  }
  try {
    const one = rowsOf(first.value)
    const other = rowsOf(second.value)
    for (;;) {
      const [a, b] = [await one.next(), await other.next()]
      if (a.done === true && b.done === true) return ok(null)
      const difference = diffRows(table, a.value, b.value)
      if (difference !== null) return ok(difference)
    }
  } finally {
    await first.value.close()
    await second.value.close()
  }
}

async function* rowsOf(file: ArrowFile): AsyncGenerator<FileRow, undefined> {
  for await (const batch of file.batches()) yield* batch
  return undefined
}

function diffRows(table: string, one: FileRow | undefined, other: FileRow | undefined): RunDifference | null {
  const present = one ?? other
  if (present === undefined) return null
  const lines: string[] = []
  if (one === undefined || other === undefined) {
    lines.push(`${one === undefined ? '+' : '-'} only this run has the row: ${rowText(present)}`)
  } else {
    for (const [column, value] of Object.entries(one)) {
      const counterpart = other[column] ?? null
      if (value === counterpart) continue
      lines.push(`${column}: - ${String(value)}  + ${String(counterpart)}`)
    }
    if (lines.length === 0) return null
  }
  const [event, time] = [numberOf(present, 'event'), numberOf(present, 'time')]
  const when = time === null ? '' : ` at ${formatIsoTime(micros(time))}`
  return { table, event, summary: `event ${event ?? '?'}${when}, table ${table}`, lines }
}

function rowText(row: FileRow): string {
  return Object.entries(row)
    .map(([column, value]) => `${column}=${String(value)}`)
    .join(' ')
}

function numberOf(row: FileRow, column: string): number | null {
  const value = row[column]
  return value === undefined || value === null ? null : Number(value)
}
