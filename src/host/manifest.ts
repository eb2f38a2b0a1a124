/**
 * `manifest.json` of a run folder: the receipt of a run, and the check of a folder against it.
 *
 * It names the inputs (scenario, seed, recorded files, strategies with their parameters and all that they import, each
 * with its SHA-256), the program (`made_by`), and the results: the digest of the event log (format 3; earlier formats
 * had a digest of all tables), the hash of each table, and the size and SHA-256 of every file in the folder. Its last
 * field is the SHA-256 of the rest, so that damage to the manifest is detected too. Only `made_by` depends on the
 * machine; the digest of the run and the hashes of its tables do not cover it. Times are ISO 8601 in UTC, hashes
 * hexadecimal.
 */
import { createHash } from 'node:crypto'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { err, type InputError, ok, type Result, z } from '../core/index.ts'
import { tableFormats } from '../results/index.ts'
import { writeJsonFile } from './output-place.ts'
import { savedName } from './saved-folder.ts'
import { sha256Hex } from './sha256.ts'
import { isSystemError, systemWords } from './system-words.ts'

const count = z.int().min(0)
const hash = z.string().regex(/^[0-9a-f]{64}$/)
const fileName = z.string().refine(isFileName, 'the name of a file')

/** Longest part of an invalid value that a message shows, in characters. */
const SHOWN_MAX = 100

const manifestSchema = z.object({
  format: z.literal(3),
  status: z.enum(['complete', 'interrupted']),
  engine: z.object({ name: z.string(), version: z.string() }),
  made_by: z.object({
    node: z.string(),
    command: z.array(z.string()).nullable(),
    file: z.string(),
    sha256: hash,
  }),
  seed: z.string(),
  scenario: z.object({
    title: z.string(),
    sha256: z.string(),
    /** Values that were set from outside; absent without such values. */
    set: z.array(z.string()).optional(),
  }),
  feeds: z.array(
    z.object({
      path: z.string(),
      format: z.string(),
      instrument: z.string(),
      sha256: hash,
    }),
  ),
  strategies: z.array(
    z.object({
      account: z.string(),
      module: z.string(),
      params: z.unknown(),
      sources: z.array(z.object({ file: z.string(), sha256: hash })),
    }),
  ),
  from: z.string(),
  to: z.string(),
  requests: count,
  events: count,
  exact: z.boolean(),
  /** Versions that only supported Arrow did not write this field. */
  table_format: z.enum(tableFormats).default('arrow'),
  metrics: z
    .object({
      every: z.string(),
      periods_per_year: z.number(),
      risk_free: z.number(),
      benchmark: z.string().nullable(),
    })
    .optional(),
  digest: hash,
  tables: z.array(
    z.object({
      name: z.string(),
      file: fileName,
      rows: count,
      schema_version: count,
      digest: hash,
    }),
  ),
  files: z.array(z.object({ name: fileName, bytes: count, sha256: hash })),
  sha256: hash,
})

/**
 * Contents of `manifest.json`. The hash of a table covers its rows and does not depend on the file format; `files`
 * has the hashes of the files.
 */
export type Manifest = z.infer<typeof manifestSchema>

/** How the metrics of a run were computed; absent in runs of versions without metrics. */
export type ManifestMetrics = NonNullable<Manifest['metrics']>

/** The part of a manifest that names the inputs and the program. */
export type RunReceipt = Pick<Manifest, 'made_by' | 'feeds' | 'strategies'>

export const manifestName = 'manifest.json'
export const journalName = 'journal.jsonl'
/** A page that is generated from the folder and can be generated again, so the manifest does not list it. */
export const reportName = 'report.html'

const EXPECTED = 'the manifest of a run, format 3'
const CHUNK_BYTES = 1 << 20

/** Writes the manifest of a folder, with the SHA-256 of the rest as its last field. */
export function writeManifest(folder: string, content: Omit<Manifest, 'sha256'>): Manifest {
  const manifest = { ...content, sha256: hashOf(content) }
  writeJsonFile(join(folder, manifestName), manifest)
  return manifest
}

/** The manifest of a run folder, or the mistake in it. */
export function readManifest(path: string): Result<Manifest, InputError> {
  const file = join(path, manifestName)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (!isSystemError(error)) throw error
    if (error.code === 'ENOTDIR') {
      return err({ code: 'RUN_FOLDER', file: path, found: 'a file', expected: 'a run folder' })
    }
    return err({
      code: 'RUN_FOLDER',
      file,
      found: systemWords(error),
      expected: 'the manifest of a run',
    })
  }
  const json = jsonOf(text)
  if (json === null) return err({ code: 'RUN_FOLDER', file, found: 'a damaged file', expected: EXPECTED })
  const parsed = manifestSchema.safeParse(json)
  if (!parsed.success) {
    const path = parsed.error.issues[0]?.path ?? []
    return err({
      code: 'RUN_FOLDER',
      file,
      path: path.join('.'),
      found: shownAt(json, path),
      expected: EXPECTED,
    })
  }
  // The hash also covers fields that the schema does not name.
  const { sha256, ...content } = json as Manifest
  if (hashOf(content) === sha256) return ok(parsed.data)
  return err({
    code: 'RUN_FOLDER',
    file,
    expected: 'the original manifest',
    found: 'a changed manifest',
  })
}

function isFileName(name: string): boolean {
  return basename(name) === name && !/^\.*$/.test(name)
}

/** The value at a path of a document, as shown in a message. */
function shownAt(document: object, path: readonly PropertyKey[]): string {
  let value: unknown = document
  for (const step of path) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined
  }
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, SHOWN_MAX)
}

/** Mistakes in the files of a run folder: missing, changed or additional files. */
export function folderFaults(path: string, { files, status }: Manifest): readonly InputError[] {
  const known = new Set([manifestName, reportName, ...files.map(({ name }) => name)])
  // An interrupted run may be resumed.
  if (status === 'interrupted') known.add(savedName)
  const foreign = readdirSync(path).filter((name) => !known.has(name))
  return [
    ...files.flatMap((entry) => fileFault(path, entry) ?? []),
    ...foreign.toSorted().map((name) => ({
      code: 'RUN_FOLDER' as const,
      file: join(path, name),
      expected: 'only files of the run',
      found: 'a file that is not in the manifest',
    })),
  ]
}

/**
 * The mistake in a journal, compared with the hash in the manifest of its run folder. Null if there is no mistake, or
 * if the journal is not in a run folder.
 */
export function journalFault(path: string): InputError | null {
  const folder = dirname(path)
  if (basename(path) !== journalName || !existsSync(join(folder, manifestName))) return null
  const manifest = readManifest(folder)
  if (!manifest.ok) return { ...manifest.error, hint: 'to use the journal alone, copy it to another folder' }
  const entry = manifest.value.files.find(({ name }) => name === journalName)
  return entry === undefined ? null : fileFault(folder, entry)
}

function fileFault(folder: string, { name, bytes, sha256 }: Manifest['files'][number]): InputError | null {
  const file = join(folder, name)
  const expected = `the file as the run wrote it, ${bytes} bytes`
  let found: { readonly bytes: number; readonly sha256: string }
  try {
    found = measure(file)
  } catch (error) {
    if (!isSystemError(error)) throw error
    return { code: 'RUN_FOLDER', file, expected, found: systemWords(error) }
  }
  if (found.bytes !== bytes) return { code: 'RUN_FOLDER', file, expected, found: `${found.bytes} bytes` }
  if (found.sha256 !== sha256) return { code: 'RUN_FOLDER', file, expected, found: 'other bytes' }
  return null
}

function measure(path: string): { readonly bytes: number; readonly sha256: string } {
  const digest = createHash('sha256')
  const buffer = new Uint8Array(CHUNK_BYTES)
  const descriptor = openSync(path, 'r')
  let bytes = 0
  try {
    for (;;) {
      const length = readSync(descriptor, buffer)
      if (length === 0) return { bytes, sha256: digest.digest('hex') }
      digest.update(buffer.subarray(0, length))
      bytes += length
    }
  } finally {
    closeSync(descriptor)
  }
}

function hashOf(content: object): string {
  return sha256Hex(Buffer.from(JSON.stringify(content)))
}

/** The object of a JSON text, or null. */
function jsonOf(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}
