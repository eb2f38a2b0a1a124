/**
 * A file of digests: for each scenario the digest its run must have on every machine.
 *
 * JSON: an object from the file's path, as it was named to the command, to the hexadecimal digest.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import type { InputError } from '../../core/index.ts'
import { isSystemError, systemWords } from '../system-words.ts'

/** Findings of a check of digests. */
export interface DigestCheck {
  /** Differences between the runs and the file, a line each; empty when there is none. */
  readonly wrong: readonly string[]
  /** The same with their codes, in the same order. */
  readonly errors: readonly InputError[]
  /** Files that have a digest there and were not run. */
  readonly notRun: readonly string[]
}

/**
 * Compares the digests of runs with those of a file, which may have more.
 *
 * @example
 * const digest = '0'.repeat(64)
 * writeDigests('kept.json', new Map([['a/one.yaml', digest], ['a/two.yaml', digest]]))
 * const { wrong, notRun } = checkDigests('kept.json', new Map([['a/one.yaml', digest]]))
 * console.log(wrong, notRun) // [] [ 'a/two.yaml' ]
 */
export function checkDigests(path: string, digests: ReadonlyMap<string, string>): DigestCheck {
  let published: Readonly<Record<string, string>>
  try {
    published = publishedDigests(readFileSync(path, 'utf8'))
  } catch (error) {
    const code = isSystemError(error) ? 'FILE' : 'SYNTAX'
    const found = isSystemError(error) ? systemWords(error) : 'other data'
    const expected = 'an object of digests by file'
    const wrong = [`${path}: expected ${expected}, found ${found}`]
    return { wrong, errors: [{ code, file: path, expected, found }], notRun: [] }
  }
  const wrong: string[] = []
  const errors: InputError[] = []
  for (const [file, digest] of digests) {
    const known = published[named(file)]
    if (known === digest) continue
    const isNew = known === undefined
    wrong.push(
      isNew
        ? `${file}: no digest in ${path}, found ${digest}`
        : `${file}: expected digest ${known}, found ${digest}`,
    )
    const expected = isNew ? `a digest that ${path} has` : `digest ${known}`
    errors.push({ code: 'DIGEST', file, expected, found: digest })
  }
  const run = new Set([...digests.keys()].map(named))
  return { wrong, errors, notRun: Object.keys(published).filter((file) => !run.has(file)) }
}

/**
 * Writes the digests, sorted by file; gives what the system refuses, or null.
 *
 * @example
 * console.log(writeDigests('digests.json', new Map([['a.yaml', 'one']]))) // null
 */
export function writeDigests(
  path: string,
  digests: ReadonlyMap<string, string>,
): InputError | null {
  const sorted = [...digests].map(([file, digest]) => [named(file), digest] as const)
  sorted.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  try {
    writeFileSync(path, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
    return null
  } catch (error) {
    if (!isSystemError(error)) throw error
    const expected = 'a place that can be written'
    return { code: 'FILE', file: path, expected, found: systemWords(error) }
  }
}

/** The digests of a text by file; throws for any other text. */
function publishedDigests(text: string): Readonly<Record<string, string>> {
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError()
  const digests = Object.entries(value).map(([file, digest]): [string, string] => {
    if (typeof digest === 'string' && /^[0-9a-f]{64}$/.test(digest)) return [file, digest]
    throw new TypeError()
  })
  return Object.fromEntries(digests)
}

/** One spelling on every system. */
function named(file: string): string {
  return file.replaceAll('\\', '/').replace(/^\.\//, '')
}
