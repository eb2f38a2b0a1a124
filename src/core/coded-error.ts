/**
 * Codes of errors: of exceptions, which the library throws for wrong arguments, and of `InputError` values, which
 * describe mistakes in files and folders. Refusals of the venue are replies with the venue's own codes.
 *
 * A code never changes between versions; the sentence of an error may change.
 */

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

/** A code of an error. */
export type ErrorCode = keyof typeof errorCodes

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
