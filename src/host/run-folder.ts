/**
 * The folder of a run: one Arrow file for each table, `journal.jsonl`, and `manifest.json`.
 *
 * Everything is written to `DIR.partial`. At the end the manifest is written, synced and renamed,
 * and then the folder takes its name; a folder of that name is therefore always complete. A run that
 * was interrupted closes its files, so that they can be read, and stays in `DIR.partial`.
 *
 * A folder is only ever replaced when `force` asks for it and it holds nothing but files of a run.
 * Nothing in it depends on the machine or the wall clock. Errors of the operating system are thrown.
 */
import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { err, formatIsoTime, type InputError, type Micros, ok, type Result } from '../core/index.ts'
import {
  type ArrowTableWriter,
  type BlockConsumer,
  loadArrowEncoder,
  type RunDigest,
  type TableName,
  tableNames,
  tableSchemas,
} from '../results/index.ts'
import { type AppendFile, createAppendFile } from './append-file.ts'
import { type ArrowFile, openArrowFile } from './arrow-file.ts'
import { placeFault, writeJsonFile } from './output-place.ts'

/** What a run folder says about its run from the start. */
export interface RunFolderOptions {
  /** Replaces a run folder of that name, complete or partial. */
  readonly force: boolean
  /** Int64 with a scale instead of Float64. */
  readonly exact: boolean
  readonly journal: boolean
  /** Whether the table `book` is written. */
  readonly book: boolean
  readonly engine: { readonly name: string; readonly version: string }
  readonly seed: string
  readonly scenario: { readonly title: string; readonly sha256: string }
}

/** What is known at the end of a run. */
export interface RunEnd {
  readonly status: 'complete' | 'interrupted'
  readonly digest: RunDigest
  readonly from: Micros
  readonly to: Micros
  readonly requests: number
  readonly events: number
}

/** A journal that is being written. */
export interface JournalFile {
  readonly size: number
  /** Appends an object as one line of JSON. */
  write(value: object): void
  close(): void
}

/** A run folder that is being written. */
export interface RunFolder {
  /** Where the results sink hands its blocks. */
  readonly onBlock: BlockConsumer
  /** Takes the lines of the run's journal; null where none was asked for. */
  readonly journal: JournalFile | null
  /** Where the files are until the run is complete. */
  readonly partialPath: string
  /** Closes all files and writes the manifest; a complete folder takes its name. */
  close(end: RunEnd): Manifest
  /** Closes all files of a run that failed and removes them: nothing looks whole. */
  discard(): void
}

const count = z.number().int().nonnegative()
const hash = z.string().regex(/^[0-9a-f]{64}$/)

const manifestSchema = z.object({
  format: z.literal(1),
  status: z.enum(['complete', 'interrupted']),
  engine: z.object({ name: z.string(), version: z.string() }),
  seed: z.string(),
  scenario: z.object({ title: z.string(), sha256: z.string() }),
  from: z.string(),
  to: z.string(),
  requests: count,
  events: count,
  exact: z.boolean(),
  digest: hash,
  tables: z.array(
    z.object({
      name: z.string(),
      file: z.string(),
      rows: count,
      schema_version: count,
      digest: hash,
    }),
  ),
  files: z.array(z.object({ name: z.string(), bytes: count })),
})

/** What `manifest.json` holds. Times are ISO 8601 in UTC, hashes hexadecimal SHA-256. */
export type Manifest = z.infer<typeof manifestSchema>

const manifestName = 'manifest.json'
const journalName = 'journal.jsonl'

/** Opens the folder of a new run, or says why it cannot stand there. */
export async function openRunFolder(
  path: string,
  options: RunFolderOptions,
): Promise<Result<RunFolder, InputError>> {
  const partialPath = `${path}.partial`
  const { force } = options
  for (const taken of [path, partialPath]) {
    const fault = placeFault(taken, { force, content: 'a run', isOwn: isFileOfRun })
    if (fault !== null) return err(fault)
  }
  const encoder = await loadArrowEncoder()
  rmSync(partialPath, { recursive: true, force: true })
  mkdirSync(partialPath, { recursive: true })

  const files = new Map<string, AppendFile>()
  const writers = new Map<string, ArrowTableWriter>()
  const metadata = metadataOf(options)
  const writerOf = (name: TableName): ArrowTableWriter => {
    const known = writers.get(name)
    if (known !== undefined) return known
    const file = createAppendFile(join(partialPath, fileOf(name)))
    const arrowOptions = { exact: options.exact, metadata }
    const writer = encoder.createTableWriter(tableSchemas[name], arrowOptions, file.write)
    files.set(fileOf(name), file)
    writers.set(name, writer)
    return writer
  }
  const journal = options.journal ? createJournal(join(partialPath, journalName)) : null
  const written = tableNames.filter((name) => name !== 'book' || options.book)

  return ok({
    partialPath,
    journal,
    onBlock: (block, names) => {
      const name = written.find((known) => known === block.schema.name)
      if (name !== undefined) writerOf(name).add(block, names)
    },
    close: (end) => {
      for (const name of written) writerOf(name).close()
      for (const file of files.values()) file.close()
      journal?.close()
      const sizes = written.map(
        (name) => [fileOf(name), files.get(fileOf(name))?.size ?? 0] as const,
      )
      const journalSize = journal === null ? [] : [[journalName, journal.size] as const]
      const manifest = manifestOf(options, end, { written, sizes: [...sizes, ...journalSize] })
      writeJsonFile(join(partialPath, manifestName), manifest)
      if (end.status === 'complete') {
        rmSync(path, { recursive: true, force: true })
        renameSync(partialPath, path)
      }
      return manifest
    },
    discard: () => {
      for (const file of files.values()) file.close()
      journal?.close()
      rmSync(partialPath, { recursive: true, force: true })
    },
  })
}

function createJournal(path: string): JournalFile {
  const file = createAppendFile(path)
  return {
    get size(): number {
      return file.size
    },
    write: (value) => file.write(Buffer.from(`${JSON.stringify(value)}\n`)),
    close: () => file.close(),
  }
}

/** The manifest of a run folder, or what is wrong with it. */
export function readManifest(path: string): Result<Manifest, InputError> {
  const file = join(path, manifestName)
  let json: unknown
  try {
    json = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error)
    return err({ file, found, expected: 'the manifest of a run' })
  }
  const parsed = manifestSchema.safeParse(json)
  if (parsed.success) return ok(parsed.data)
  const issue = parsed.error.issues[0]
  return err({
    file,
    path: (issue?.path ?? []).join('.'),
    found: issue?.message ?? 'other data',
    expected: 'the manifest of a run, format 1',
  })
}

/** Opens a table of a run folder for reading. */
export async function readTable(
  path: string,
  table: string,
): Promise<Result<ArrowFile, InputError>> {
  const manifest = readManifest(path)
  if (!manifest.ok) return manifest
  const entry = manifest.value.tables.find(({ name }) => name === table)
  if (entry === undefined || basename(entry.file) !== entry.file) {
    const expected = `one of ${manifest.value.tables.map(({ name }) => name).join(', ')}`
    return err({ file: join(path, manifestName), path: 'tables', found: table, expected })
  }
  return openArrowFile(join(path, entry.file))
}

function isFileOfRun(name: string): boolean {
  if (name === manifestName || name === `${manifestName}.tmp` || name === journalName) return true
  return tableNames.some((table) => fileOf(table) === name)
}

function fileOf(table: TableName): string {
  return `${table}.arrow`
}

function metadataOf(options: RunFolderOptions): ReadonlyMap<string, string> {
  return new Map([
    ['pitclock.engine', options.engine.name],
    ['pitclock.engine_version', options.engine.version],
    ['pitclock.seed', options.seed],
    ['pitclock.scenario_sha256', options.scenario.sha256],
  ])
}

/** Builds the manifest; the order of the keys is part of its form. */
function manifestOf(
  options: RunFolderOptions,
  end: RunEnd,
  content: {
    readonly written: readonly TableName[]
    readonly sizes: readonly (readonly [name: string, bytes: number])[]
  },
): Manifest {
  const { engine, scenario } = options
  const tables = end.digest.tables.filter(({ name }) =>
    content.written.some((known) => known === name),
  )
  return {
    format: 1,
    status: end.status,
    engine: { name: engine.name, version: engine.version },
    seed: options.seed,
    scenario: { title: scenario.title, sha256: scenario.sha256 },
    from: formatIsoTime(end.from),
    to: formatIsoTime(end.to),
    requests: end.requests,
    events: end.events,
    exact: options.exact,
    digest: end.digest.digest,
    tables: tables.map(({ name, version, rows, hash: digest }) => ({
      name,
      file: `${name}.arrow`,
      rows,
      schema_version: version,
      digest,
    })),
    files: content.sizes.map(([name, bytes]) => ({ name, bytes })),
  }
}
