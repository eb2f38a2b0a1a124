/**
 * Outcomes that are not our bugs: a value, or the reason why there is none.
 *
 * Bad input and anything else that a caller must handle travels as a `Result`; exceptions are for
 * our own defects (STYLE 7).
 */

/** A value, or an error. */
export type Result<T, E> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E }

/** The result that carries `value`. */
export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value }
}

/** The result that carries `error`. */
export function err<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error }
}
