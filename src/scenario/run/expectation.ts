/**
 * Compares expectations with results. A mapping matches if each of its keys matches (a subset). A list matches if it
 * has the same length and each item matches. Numbers match as exact decimals, `null` matches a field that is null or
 * absent, texts and all other values must be equal. Every difference is a separate failure with its place in the file.
 */
import { type DecimalInput, decimalTextOf, nearest } from '../../core/index.ts'
import type { ParamValue } from '../../rpc/index.ts'
import { describe, type Located, meant, type Place } from '../file/located.ts'
import { insertSaved, type SavedValues } from './saved-values.ts'

/** An expectation that a run did not meet. */
export interface Failure {
  readonly file: string
  readonly line: number
  readonly column: number
  /** The part of the file with the expectation, such as `steps.2.expect.error.code`. */
  readonly path: string
  readonly expected: string
  readonly found: string
  /** The key that was probably meant, if the result lacks the expected one. */
  readonly hint?: string
}

/** The two sides of a comparison. */
interface Comparison {
  readonly file: string
  readonly expected: Located
  readonly found: unknown
  readonly path: string
  readonly saved: SavedValues
  /** The body around the place and the missing key, if the body lacks that key. */
  readonly around?: { readonly key: string; readonly body: object }
}

/** Adds a failure for every difference; no failure if the expectation is met. */
export function compare(comparison: Comparison, failures: Failure[]): void {
  const { expected, found, path } = comparison
  if (expected.kind === 'mapping') {
    if (typeof found !== 'object' || found === null || Array.isArray(found)) {
      failures.push(failureOf(comparison, 'a mapping'))
      return
    }
    for (const [key, { node }] of expected.entries) {
      // Only own keys count, because a file never expects inherited ones such as `toString`.
      const isThere = Object.hasOwn(found, key)
      const part = isThere ? (found as Record<string, unknown>)[key] : undefined
      const at = { file: comparison.file, saved: comparison.saved, path: `${path}.${key}` }
      const around = isThere ? {} : { around: { key, body: found } }
      compare({ ...at, expected: node, found: part, ...around }, failures)
    }
  } else if (expected.kind === 'list') {
    if (!Array.isArray(found) || found.length !== expected.items.length) {
      const length = expected.items.length === 1 ? '1 item' : `${expected.items.length} items`
      failures.push(failureOf(comparison, `a list of ${length}`))
      return
    }
    expected.items.forEach((item, index) => {
      const part: unknown = found[index]
      compare(
        { file: comparison.file, saved: comparison.saved, expected: item, found: part, path: `${path}.${index}` },
        failures,
      )
    })
  } else {
    compareScalar(comparison, failures)
  }
}

/** The file, the line and the path of an expectation. */
interface FailurePlace {
  readonly file: string
  readonly place: Place
  readonly path: string
}

/** A failure at a place of the file. */
export function failureAt(at: FailurePlace, words: Pick<Failure, 'expected' | 'found' | 'hint'>): Failure {
  return { file: at.file, ...at.place, path: at.path, ...words }
}

function compareScalar(comparison: Comparison, failures: Failure[]): void {
  const wanted = insertSaved(comparison.expected.value, comparison.saved)
  if (!wanted.ok) {
    failures.push(failureOf(comparison, `the value saved as ${wanted.error}, which does not exist`))
  } else if (wanted.value === null && isLeftOut(comparison)) {
    return
  } else if (!isSame(wanted.value, comparison.found)) {
    failures.push(failureOf(comparison, describe(wanted.value)))
  }
}

/**
 * True if a missing field matches `null`. Replies omit fields that do not apply, so `null` also expects an absent
 * field. A name similar to an existing one is a misspelling.
 */
function isLeftOut({ found, around }: Comparison): boolean {
  if (found !== undefined || around === undefined) return false
  return hintOf(around.key, around.body).hint === undefined
}

function failureOf({ file, expected, path, found, around }: Comparison, words: string): Failure {
  const text = Array.isArray(found) ? `a list of ${found.length}` : describe(found)
  const hint = around === undefined ? {} : hintOf(around.key, around.body)
  return failureAt({ file, place: expected.place, path }, { expected: words, found: text, ...hint })
}

/** A hint with the key of a reply that was probably meant by a missing one. */
export function hintOf(key: string, body: object): { readonly hint?: string } {
  return meant(Array.isArray(body) ? undefined : nearest(key, Object.keys(body)))
}

function isSame(wanted: ParamValue, found: unknown): boolean {
  if (isDecimal(wanted) && isDecimal(found)) return textOf(wanted) === textOf(found)
  if (typeof wanted !== 'object' || wanted === null) return wanted === found
  // A saved mapping or list is compared as a whole.
  return JSON.stringify(wanted) === JSON.stringify(found)
}

function isDecimal(value: unknown): value is DecimalInput {
  if (typeof value === 'number') return true
  return typeof value === 'object' && value !== null && 'decimal' in value
}

/** The decimal without trailing zeros, so that 0.10 and 0.1 are equal. */
function textOf(value: DecimalInput): string {
  const text = typeof value === 'number' ? decimalTextOf(value) : value.decimal
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}
