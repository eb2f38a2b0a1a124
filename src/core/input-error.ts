/**
 * A mistake in something that a person wrote, and how it is printed.
 *
 * One shape for scenario files, journals, feeds and parameters: the place as far as it is known,
 * what was found, what was expected. Lines and columns count from 1. `nearest` finds the word that
 * was probably meant; it ignores case, and its cost is bounded by `WORD_LENGTH_MAX` squared per
 * candidate.
 */
import type { ErrorCode } from './coded-error.ts'

/** The part of a text with a mistake, and the expected form. */
export interface TextFault {
  readonly found: string
  readonly expected: string
}

/** A mistake in an input file, with its place if it is known. */
export interface InputError extends TextFault {
  /** Its sort, for programs: the sentences may change, the code does not. */
  readonly code: ErrorCode
  /** Name of the file as the person gave it. */
  readonly file?: string
  /** Line in the file, from 1. */
  readonly line?: number
  /** Column in the line, from 1; printed only after a line. */
  readonly column?: number
  /** Path inside the document, such as `steps.3.params.price`. */
  readonly path?: string
  /** A way out, such as `did you mean "buy"?`. */
  readonly hint?: string
  /** Stack of the user's program, the innermost call first, one line for each call. */
  readonly trace?: readonly string[]
}

/** Longer words get no suggestion: nobody mistypes them, and the cost grows with their square. */
const WORD_LENGTH_MAX = 100
const DISTANCE_MAX = 2

/** A text of somebody's file is quoted up to so many characters. */
const QUOTED_LENGTH_MAX = 1_000
const hidden = /\p{Cc}|\p{Bidi_Control}/gu

/**
 * `file:line:column: path: expected …, found … (hint)`, without unknown parts. Control characters in the input appear
 * as codes, so that they cannot control the terminal.
 *
 * @example
 * const fault = { file: 'a.yaml', line: 3, expected: 'a number', found: 'ten' }
 * console.log(formatInputError(fault)) // a.yaml:3: expected a number, found ten
 */
export function formatInputError(error: Omit<InputError, 'code'> & { readonly code?: ErrorCode }): string {
  const place = [error.file, error.line, error.line === undefined ? undefined : error.column]
    .filter((part) => part !== undefined)
    .join(':')
  const head = [place, error.path ?? ''].filter((part) => part !== '')
  const hint = error.hint === undefined ? '' : ` (${error.hint})`
  const trace = (error.trace ?? []).map((frame) => `\n    ${frame}`).join('')
  const fault = `expected ${quoted(error.expected)}, found ${quoted(error.found)}`
  return `${[...head.map(quoted), fault].join(': ')}${visible(hint)}${trace}`
}

function quoted(text: string): string {
  // Spelt out, a character takes up to six; what is behind the cut is not looked at.
  const shown = visible(text.slice(0, QUOTED_LENGTH_MAX)).slice(0, QUOTED_LENGTH_MAX)
  if (text.length <= QUOTED_LENGTH_MAX && shown.length < QUOTED_LENGTH_MAX) return shown
  return `${shown}… (${text.length} characters)`
}

/** A text whose control characters are spelt out, line ends and tabs aside. */
function visible(text: string): string {
  return text.replace(hidden, (letter) => {
    if (letter === '\n' || letter === '\t') return letter
    return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/**
 * The candidate nearest to `word`, the first of equals, or undefined when none is near: at most two
 * letters inserted, dropped, replaced or swapped with a neighbour, and no more than half the word.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > WORD_LENGTH_MAX) return undefined
  const wanted = word.toLowerCase()
  let best: string | undefined
  let bestDistance = Math.min(DISTANCE_MAX, wanted.length >> 1) + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) >= bestDistance) continue
    const distance = editDistance(wanted, candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/**
 * Damerau-Levenshtein distance in its restricted form (optimal string alignment: no letter is
 * edited twice). Time |left| x |right|, memory three rows.
 */
function editDistance(left: string, right: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1]
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      let distance = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
      )
      if (row > 1 && column > 1 && isSwapped) {
        distance = Math.min(distance, (beforePrevious[column - 2] ?? 0) + 1)
      }
      current.push(distance)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[right.length] ?? 0
}
