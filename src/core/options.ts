/**
 * Options that a program passes to a function. A name that does not exist is refused with a suggestion. The names
 * follow from the type of the options, so that the compiler requires each.
 */
import { coded, nearest } from './input-error.ts'

/** All names of a type of options. */
export type OptionNames<T> = { readonly [Name in keyof T]-?: unknown }

/**
 * Refuses options that are not an object, and names that the function does not have.
 *
 * @throws RangeError with the code `OPTION` if an option does not exist.
 */
export function checkOptions<T extends object>(what: string, options: T, names: OptionNames<T>): void {
  const known = Object.keys(names)
  // A program without types may pass anything.
  const given: unknown = options
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    const kind = given === null ? 'null' : Array.isArray(given) ? 'a list' : typeof given
    throw coded(new RangeError(`${what}: expected an object of options, found ${kind}`), 'OPTION')
  }
  const found = Object.keys(options).find((name) => !known.includes(name))
  if (found === undefined) return
  const expected = `${what}: expected one of ${known.join(', ')}`
  throw coded(new RangeError(`${expected}, ${foundWord(found, known)}`), 'OPTION')
}

/** An unknown word with the nearest known one as a suggestion. */
export function foundWord(found: string, known: readonly string[]): string {
  const meant = nearest(found, known)
  return `found ${found}${meant === undefined ? '' : ` (did you mean ${meant}?)`}`
}
