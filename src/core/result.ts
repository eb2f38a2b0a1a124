/**
 * Outcomes that are not our bugs: a value, or the reason for its absence.
 *
 * Bad input and anything else that a caller must handle is a `Result`; exceptions are for our own defects (STYLE 7).
 */

/** A value, or an error. */
export type Result<T, E> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E }

/** The successful result with `value`. */
export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value }
}

/** The failed result with `error`. */
export function err<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error }
}
