/**
 * A file of digests: for each scenario, the digests that its run must have on every machine.
 *
 * The JSON object maps the file's path, as given to the command, to an object of hexadecimal digests (`events` and
 * `tables`) and, if known, the reason of their last change (`because`). Earlier files have a text instead of that
 * object: the digest of the events.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import type { InputError, Result } from '../../core/index.ts'
import type { RunDigest } from '../../results/index.ts'
import { nodeSha256 } from '../sha256.ts'
import { isSystemError, refuseKind, systemWords } from '../system-words.ts'

/** The digests of one run. */
export interface ScenarioDigests {
  /** Digest of the event log, as a run prints it. */
  readonly events: string
  /**
   * Digest of the tables that events fill (`digestOfTables`); null if the run made no tables or the file has no such
   * digest.
   */
  readonly tables: string | null
  /** Reason of their last change; absent if unknown. */
  readonly because?: string
}

/** Findings of a check of digests. */
export interface DigestCheck {
  /** Differences between the runs and the file, one line each; empty without a difference. */
  readonly wrong: readonly string[]
  /** These differences with their codes, in the same order. */
  readonly errors: readonly InputError[]
  /** Files that have a digest there but were not run. */
  readonly notRun: readonly string[]
}

/** Tables that a run fills from its figures and hooks instead of events; other programs may not request them. */
const tablesOfHooks: readonly string[] = ['book', 'metrics', 'quotes', 'book_snapshots', 'bars']

/**
 * SHA-256 over a line for each table with rows that events fill: its name, number of rows and hash. The version of the
 * table is not included, so that a new column without values changes no digest.
 */
function digestOfTables(tables: RunDigest['tables']): string {
  const lines = tables
    .filter(({ name, rows }) => !tablesOfHooks.includes(name) && rows > 0)
    .map(({ name, rows, hash }) => `${name} ${rows} ${hash}\n`)
  const hash = nodeSha256()
  hash.update(new TextEncoder().encode(lines.sort().join('')))
  return Buffer.from(hash.digest()).toString('hex')
}

/**
 * Returns the digests of a run for a file of digests.
 *
 * @throws RangeError with the code `OPTION` if an argument has another kind.
 *
 * @example
 * console.log(digestsOfRun({ digest: '0'.repeat(64), tables: [] }).tables) // null
 */
export function digestsOfRun(run: RunDigest): ScenarioDigests {
  refuseKind('digestsOfRun: run', run, 'object')
  const { digest, tables } = run
  refuseKind('digestsOfRun: digest', digest, 'string')
  refuseKind('digestsOfRun: tables', tables, 'list')
  return { events: digest, tables: tables.length === 0 ? null : digestOfTables(tables) }
}

/**
 * Compares the digests of runs with a file of digests, which may contain more runs.
 *
 * @throws RangeError with the code `OPTION` if an argument has another kind.
 *
 * @example
 * const digests = { events: '0'.repeat(64), tables: null }
 * writeDigests('kept.json', new Map([['a/one.yaml', digests], ['a/two.yaml', digests]]))
 * const { wrong, notRun } = checkDigests('kept.json', new Map([['a/one.yaml', digests]]))
 * console.log(wrong, notRun) // [] [ 'a/two.yaml' ]
 */
export function checkDigests(path: string, runs: ReadonlyMap<string, ScenarioDigests>): DigestCheck {
  refuseKind('checkDigests: path', path, 'string')
  refuseKind('checkDigests: runs', runs, 'object')
  const published = readDigests(path)
  if (!published.ok) {
    const { expected, found } = published.error
    return {
      wrong: [`${path}: expected ${expected}, found ${found}`],
      errors: [published.error],
      notRun: [],
    }
  }
  const wrong: string[] = []
  const errors: InputError[] = []
  for (const [file, found] of runs) {
    const known = published.value.get(named(file))
    for (const [what, digest, expected] of comparisons(found, known)) {
      if (digest === expected) continue
      const words = expected === undefined ? `a ${what} in ${path}` : `${what} ${expected}`
      wrong.push(`${file}: expected ${words}, found ${digest}`)
      errors.push({ code: 'DIGEST', file, expected: words, found: digest })
    }
  }
  const run = new Set([...runs.keys()].map(named))
  return { wrong, errors, notRun: [...published.value.keys()].filter((file) => !run.has(file)) }
}

/** The digests to compare: the name of each, its value in the run, and the published one. */
function comparisons(
  { events, tables }: ScenarioDigests,
  known: ScenarioDigests | undefined,
): readonly (readonly [what: string, digest: string, expected: string | undefined])[] {
  const ofEvents = ['digest', events, known?.events] as const
  if (tables === null || known === undefined || known.tables === null) return [ofEvents]
  return [ofEvents, ['digest of tables', tables, known.tables]]
}

/**
 * Writes digests sorted by file. Returns the error of the operating system, or null.
 *
 * @throws RangeError with the code `OPTION` if an argument has another kind.
 *
 * @example
 * const digests = { events: '0'.repeat(64), tables: null }
 * console.log(writeDigests('digests.json', new Map([['a.yaml', digests]]))) // null
 */
export function writeDigests(path: string, runs: ReadonlyMap<string, ScenarioDigests>): InputError | null {
  refuseKind('writeDigests: path', path, 'string')
  refuseKind('writeDigests: runs', runs, 'object')
  const sorted = [...runs].map(([file, digests]) => [named(file), digests] as const)
  sorted.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  try {
    writeFileSync(path, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
    return null
  } catch (error) {
    if (!isSystemError(error)) throw error
    const expected = 'a writable path'
    return { code: 'FILE', file: path, expected, found: systemWords(error) }
  }
}

/**
 * Returns the digests of a file by scenario, or the mistakes in the file.
 *
 * @throws RangeError with the code `OPTION` if an argument has another kind.
 *
 * @example
 * const read = readDigests('no-such.json')
 * console.log(read.ok ? read.value.size : read.error.expected) // an object with the digests of each file
 */
export function readDigests(path: string): Result<ReadonlyMap<string, ScenarioDigests>, InputError> {
  refuseKind('readDigests: path', path, 'string')
  try {
    return { ok: true, value: publishedDigests(readFileSync(path, 'utf8')) }
  } catch (error) {
    const code = isSystemError(error) ? 'FILE' : 'SYNTAX'
    const found = isSystemError(error) ? systemWords(error) : 'other data'
    return {
      ok: false,
      error: { code, file: path, expected: 'an object with the digests of each file', found },
    }
  }
}

/** The digests of a text by file; throws for a text of another form. */
function publishedDigests(text: string): ReadonlyMap<string, ScenarioDigests> {
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError()
  return new Map(
    Object.entries(value).map(([file, entry]: [string, unknown]) => {
      if (isDigest(entry)) return [file, { events: entry, tables: null }]
      if (typeof entry !== 'object' || entry === null) throw new TypeError()
      const { events, tables = null, because } = entry as Partial<ScenarioDigests>
      if (!isDigest(events) || (tables !== null && !isDigest(tables))) throw new TypeError()
      return [file, { events, tables, ...(because === undefined ? {} : { because }) }]
    }),
  )
}

function isDigest(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
}

/** The same spelling of a path on every system. */
function named(file: string): string {
  return file.replaceAll('\\', '/').replace(/^\.\//, '')
}
