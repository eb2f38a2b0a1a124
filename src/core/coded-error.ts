/**
 * Codes of errors: of those that are thrown at the door of programs, where what was asked cannot be, and of those that
 * are values, where a file or a folder is wrong (`InputError`). Refusals of the venue are replies, which have codes of their own.
 *
 * A code stays as it is from version to version; the sentence of an error may change.
 */

/** The codes of errors, each with what it means. */
export const errorCodes = {
  OPTION: 'an option, argument or setting is unknown, missing, or has a value that cannot be',
  PARAMETER: 'a method has no parameter of this name',
  METHOD: 'the method is not served to who asks it',
  TIME: 'a time or duration cannot be read, or lies before the clock',
  START: 'the venue cannot start with these instruments, prices, accounts or permissions',
  SCENARIO: 'a scenario cannot be served',
  FORK: 'a fork of a market cannot be opened',
  PARTS: 'a run lacks a part that its scenario asks for, or has one too many',
  INSTRUMENT: 'no instrument of this name is listed',
  CURRENCY: 'there is no such currency',
  NUMBER: 'a price or an amount is none',
  LIMIT: 'more timers or requests would wait than a strategy may have',
  PLAIN_DATA: 'what a strategy saves is not plain data',
  LAW: 'a law of the exchange does not hold: money, positions or totals disagree',
  SYNTAX: 'a file is not written in its format: YAML, JSON, CSV, Arrow',
  SHAPE: 'a key or a column is unknown or missing, or its value is of another sort',
  VALUE: 'a value cannot stand where it stands, or does not go with others',
  ROW: 'a row of a recorded file cannot be read',
  ORDER: 'rows of a recorded file do not go with those before them, where the policy is `fail`',
  STRATEGY: 'a strategy cannot be loaded, or one of its callbacks failed',
  FILE: 'a file or a folder cannot be read or written, or is not the one that was meant',
  RUN_FOLDER: 'a run folder is incomplete, damaged or of another version',
  EXPECTATION: 'an expectation does not hold',
  DIGEST: 'a digest is not as expected',
  DEFECT: 'an invariant of our own does not hold: a defect of Pitclock',
} as const

/** A code of an error. */
export type ErrorCode = keyof typeof errorCodes

/** True for an error, of this realm or of another: strategy modules have a realm of their own. */
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
export function coded<E extends Error>(
  error: E,
  code: ErrorCode,
): E & { readonly code: ErrorCode } {
  return Object.assign(error, { code })
}
