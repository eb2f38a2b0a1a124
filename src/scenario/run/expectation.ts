/**
 * Expectations against what was found. A mapping matches when each of its keys does (a subset), a
 * list when it is as long and each item matches, numbers as exact decimals, `null` a field that is null
 * or left out, texts and everything else exactly. Every difference is a failure of its own, with its place in the file.
 */
import { type DecimalInput, decimalTextOf, nearest } from '../../core/index.ts'
import type { ParamValue } from '../../rpc/index.ts'
import { describe, type Located, meant, type Place } from '../file/located.ts'
import { insertSaved, type SavedValues } from './saved-values.ts'

/** Something that was expected of a run and did not come. */
export interface Failure {
  readonly file: string
  readonly line: number
  readonly column: number
  /** The part of the file that says so, such as `steps.2.expect.error.code`. */
  readonly path: string
  readonly expected: string
  readonly found: string
  /** The key that was probably meant, where what was found has none of the name. */
  readonly hint?: string
}

/** The two sides of a comparison. */
export interface Comparison {
  readonly file: string
  readonly expected: Located
  readonly found: unknown
  readonly path: string
  readonly saved: SavedValues
  /** The body around the place, where that has no such key. */
  readonly around?: { readonly key: string; readonly body: object }
}

/** Adds a failure for every difference; none when the expectation holds. */
export function compare(comparison: Comparison, failures: Failure[]): void {
  const { expected, found, path } = comparison
  if (expected.kind === 'mapping') {
    if (typeof found !== 'object' || found === null || Array.isArray(found)) {
      failures.push(failureOf(comparison, 'a mapping'))
      return
    }
    for (const [key, { node }] of expected.entries) {
      // Only own keys count: nobody expects `toString`.
      const isThere = Object.hasOwn(found, key)
      const part = isThere ? (found as Record<string, unknown>)[key] : undefined
      const at = { file: comparison.file, saved: comparison.saved, path: `${path}.${key}` }
      const around = isThere ? {} : { around: { key, body: found } }
      compare({ ...at, expected: node, found: part, ...around }, failures)
    }
  } else if (expected.kind === 'list') {
    const { items } = expected
    if (!Array.isArray(found) || found.length !== items.length) {
      const length = items.length === 1 ? '1 item' : `${items.length} items`
      failures.push(failureOf(comparison, `a list of ${length}`))
      return
    }
    items.forEach((item, index) => {
      const part: unknown = found[index]
      const { file, saved } = comparison
      compare({ file, saved, expected: item, found: part, path: `${path}.${index}` }, failures)
    })
  } else {
    compareScalar(comparison, failures)
  }
}

/** A failure at a place of the file. */
export function failureAt(
  at: { readonly file: string; readonly place: Place; readonly path: string },
  words: Pick<Failure, 'expected' | 'found' | 'hint'>,
): Failure {
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
 * Replies leave out what does not apply, so that `null` also expects a field that is not there. A name close to
 * one that is there is a slip of the pen.
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

/** The key of a reply that was probably meant by one that it does not have. */
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

/** The decimal without trailing zeros, so that 0.10 and 0.1 are one number. */
function textOf(value: DecimalInput): string {
  const text = typeof value === 'number' ? decimalTextOf(value) : value.decimal
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}
