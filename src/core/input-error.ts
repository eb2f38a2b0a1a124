/**
 * Errors of input, which are mistakes in texts that a user wrote, their printed form, and the codes of all errors.
 *
 * Scenario files, journals, feeds and parameters share one shape: the known parts of the place, the text found, the
 * form expected. Lines and columns count from 1. `nearest` finds the word that the user probably meant; it ignores
 * case, and its cost is bounded by `WORD_LENGTH_MAX` squared per candidate.
 *
 * Codes belong to exceptions, which the library throws for wrong arguments, and to `InputError` values, which describe
 * mistakes in files and folders. Refusals of the venue are replies with the venue's own codes. A code never changes
 * between versions; the sentence of an error may change.
 */

/** The part of a text with a mistake, and the expected form. */
export interface TextFault {
  readonly found: string
  readonly expected: string
}

/** A mistake in an input file, with its place if it is known. */
export interface InputError extends TextFault {
  /** Its code, for programs: the sentences may change, the code does not. */
  readonly code: ErrorCode
  /** Name of the file as the user gave it. */
  readonly file?: string
  /** Line in the file, from 1. */
  readonly line?: number
  /** Column in the line, from 1; printed only after a line. */
  readonly column?: number
  /** Path inside the document, such as `steps.3.params.price`. */
  readonly path?: string
  /** A suggestion, such as `did you mean "buy"?`. */
  readonly hint?: string
  /** Stack of the user's program, the innermost call first, one line for each call. */
  readonly trace?: readonly string[]
}

/** A code of an error. */
export type ErrorCode = keyof typeof errorCodes

/** Longer words get no suggestion: they are rarely mistyped, and the cost grows with the square of their length. */
const WORD_LENGTH_MAX = 100

const DISTANCE_MAX = 2

/** Largest number of characters of a quoted input text. */
const QUOTED_LENGTH_MAX = 1_000

const hidden = /\p{Cc}|\p{Bidi_Control}/gu

/**
 * `file:line:column: path: expected …, found … (hint)`, without unknown parts. Control characters in the input appear
 * as codes, so that they cannot control the terminal.
 *
 * @throws RangeError with the code `OPTION` if an argument has another kind.
 *
 * @example
 * const fault = { file: 'a.yaml', line: 3, expected: 'a number', found: 'ten' }
 * console.log(formatInputError(fault)) // a.yaml:3: expected a number, found ten
 */
export function formatInputError(error: Omit<InputError, 'code'> & { readonly code?: ErrorCode }): string {
  // A program without types may pass anything; `options.ts` imports this file.
  if (typeof error !== 'object' || error === null) {
    throw coded(new RangeError(`formatInputError: error: expected an object, found ${typeof error}`), 'OPTION')
  }
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
  // A spelt-out character takes up to six. The text after the cut is not processed.
  const shown = visible(text.slice(0, QUOTED_LENGTH_MAX)).slice(0, QUOTED_LENGTH_MAX)
  if (text.length <= QUOTED_LENGTH_MAX && shown.length < QUOTED_LENGTH_MAX) return shown
  return `${shown}… (${text.length} characters)`
}

/** A text with its control characters spelt out, except line ends and tabs. */
function visible(text: string): string {
  return text.replace(hidden, (letter) => {
    if (letter === '\n' || letter === '\t') return letter
    return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/**
 * The candidate nearest to `word`, the first of equally near ones, or undefined if none is near: at most two letters
 * inserted, dropped, replaced or swapped with a neighbour, and no more than half of the word. Without one, it is the
 * only candidate that begins with the word and an underscore: `instrument` means `instrument_name`.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > WORD_LENGTH_MAX) return undefined
  const wanted = word.toLowerCase()
  let best: string | undefined
  let bestDistance = Math.min(DISTANCE_MAX, wanted.length >> 1) + 1
  const longer: string[] = []
  for (const candidate of candidates) {
    if (candidate.toLowerCase().startsWith(`${wanted}_`)) longer.push(candidate)
    if (Math.abs(candidate.length - wanted.length) >= bestDistance) continue
    const distance = editDistance(wanted, candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best ?? (longer.length === 1 ? longer[0] : undefined)
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

/** The codes of errors, each with its meaning. */
export const errorCodes = {
  OPTION: 'an option, argument or setting is unknown or missing, or its value is not allowed',
  PARAMETER: 'a method has no parameter of this name',
  METHOD: 'this account or session may not use the method',
  TIME: 'a time or duration cannot be read, or is before the current time',
  START: 'the venue cannot start with these instruments, prices, accounts or permissions',
  SCENARIO: 'a scenario cannot be served',
  FORK: 'a fork of a market cannot be opened',
  PARTS: 'the parts of a run (market, strategies) differ from those that its scenario requires',
  INSTRUMENT: 'no instrument of this name is listed',
  CURRENCY: 'there is no such currency',
  NUMBER: 'a price or an amount is not a valid number',
  LIMIT: 'a strategy has too many pending timers or requests',
  PLAIN_DATA: 'a strategy saves a value that is not plain data',
  LAW: 'a law of the exchange does not hold: money, positions or totals disagree',
  SYNTAX: 'the text of a file does not follow its format: YAML, JSON, CSV, Arrow',
  SHAPE: 'a key or a column is unknown or missing, or its value has the wrong type',
  VALUE: 'a value is not allowed in its place, or contradicts other values',
  ROW: 'a row of a recorded file cannot be read',
  ORDER: 'rows of a recorded file do not continue the rows before them, and the policy is `fail`',
  STRATEGY: 'a strategy cannot be loaded, or one of its callbacks failed',
  FILE: 'a file or a folder cannot be read or written, or is not the expected one',
  RUN_FOLDER: 'a run folder is incomplete, damaged or from another version',
  EXPECTATION: 'an expectation does not hold',
  DIGEST: 'a digest differs from the expected one',
  DEFECT: 'an invariant of Pitclock does not hold: please report this defect',
} as const

/** True for an error of this realm or another. Strategy modules run in a separate realm. */
export function isError(value: unknown): value is Error {
  return Object.prototype.toString.call(value) === '[object Error]' || value instanceof Error
}

/**
 * Gives an error its code.
 *
 * @example
 * const error = coded(new RangeError('config.speed: expected a number'), 'OPTION')
 * error.code // 'OPTION'
 */
export function coded<E extends Error>(error: E, code: ErrorCode): E & { readonly code: ErrorCode } {
  return Object.assign(error, { code })
}
