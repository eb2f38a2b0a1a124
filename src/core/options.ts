/**
 * Arguments and options that a program passes to a function. A program without types may pass anything, so public
 * functions check the kind of each before they use it. Names and kinds of options follow from their type: the compiler
 * requires each.
 */
import { coded, nearest } from './input-error.ts'

/** The kind of a value, in the word of `typeof`, except for null and lists. */
type KindOf<Value> = unknown extends Value
  ? 'any'
  : Value extends string
    ? 'string'
    : Value extends number
      ? 'number'
      : Value extends boolean
        ? 'boolean'
        : Value extends bigint
          ? 'bigint'
          : Value extends null
            ? 'null'
            : Value extends (...args: never) => unknown
              ? 'function'
              : Value extends readonly unknown[]
                ? ListOf<Value[number]>
                : 'object'

type ListOf<Item> = [Item] extends [string] ? 'texts' : 'list'

/** All words of a union in any order, such as `string | object`. */
type Joined<Word extends string, Each extends string = Word> = [Word] extends [never]
  ? never
  : Each extends Word
    ? [Exclude<Word, Each>] extends [never]
      ? Each
      : `${Each} | ${Joined<Exclude<Word, Each>>}`
    : never

/** The kinds that an argument may have. */
export type ArgumentKind<Value> = Joined<KindOf<Value>>

/** The kinds of an option that may be missing end in a question mark. */
type OptionKind<T, Name extends keyof T> =
  object extends Pick<T, Name> ? `${ArgumentKind<Exclude<T[Name], undefined>>}?` : ArgumentKind<T[Name]>

/** All names of a type of options, with the kinds of their values. */
export type OptionKinds<T> = { readonly [Name in keyof T]-?: OptionKind<T, Name> }

/** The word of a kind in a message. */
function phraseOf(kind: string): string {
  if (kind === 'texts') return 'a list of strings'
  if (kind === 'undefined') return 'nothing'
  if (kind === 'null') return kind
  return `${kind === 'object' ? 'an' : 'a'} ${kind}`
}

/** Largest number of characters of a string that a message quotes. */
const QUOTED_LENGTH_MAX = 60

/**
 * Refuses an argument of another kind than the function takes; `what` names the function and the argument.
 *
 * @throws RangeError with the code `OPTION` if it has another kind.
 */
export function checkArgument<Value>(what: string, value: Value, kinds: ArgumentKind<Value>): void {
  checkKind(what, value, kinds)
}

/**
 * Refuses options that are not an object, names that the function does not have, and values of another kind.
 *
 * @throws RangeError with the code `OPTION` if an option does not exist or has another kind.
 */
export function checkOptions<T extends object>(what: string, options: T, kinds: OptionKinds<T>): void {
  checkNames(what, options, Object.keys(kinds))
  for (const [name, kind] of Object.entries<string>(kinds)) {
    const value = (options as Readonly<Record<string, unknown>>)[name]
    const [required = ''] = kind.split('?')
    if (value !== undefined || required === kind) checkKind(`${what}: ${name}`, value, required)
  }
}

/**
 * Refuses options that are not an object, and names that the function does not have.
 *
 * @throws RangeError with the code `OPTION` if an option does not exist.
 */
export function checkNames(what: string, options: object, known: readonly string[]): void {
  if (kindOf(options) !== 'object') refuse(what, 'an object of options', foundValue(options))
  const found = Object.keys(options).find((name) => !known.includes(name))
  if (found !== undefined) refuse(what, `one of ${known.join(', ')}`, foundWord(found, known))
}

function checkKind(what: string, value: unknown, kinds: string): void {
  const kind = kindOf(value)
  // No word contains another one.
  if (kinds === 'any' || kinds.includes(kind)) return
  if (Array.isArray(value) && kinds.includes('texts')) {
    const odd = value.findIndex((item) => typeof item !== 'string')
    if (odd === -1) return
    refuse(`${what}.${odd}`, 'a string', foundValue(value[odd]))
  }
  refuse(what, kinds.split(' | ').map(phraseOf).join(' or '), foundValue(value))
}

function kindOf(value: unknown): string {
  if (typeof value !== 'object') return typeof value
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : 'object'
}

function refuse(what: string, expected: string, found: string): never {
  throw coded(new RangeError(`${what}: expected ${expected}, ${found}`), 'OPTION')
}

/** A value of the wrong kind: short ones as they are. */
function foundValue(value: unknown): string {
  if (typeof value === 'string') return `found ${JSON.stringify(value.slice(0, QUOTED_LENGTH_MAX))}`
  const isShort = /^(number|boolean|bigint)$/.test(typeof value)
  return `found ${isShort ? String(value) : phraseOf(kindOf(value))}`
}

/**
 * Refuses a number that is not whole, or outside of a range; a missing number passes.
 *
 * @throws RangeError with the code `OPTION` for such a number.
 */
export function checkWhole(what: string, value: number | null | undefined, least: number, most: number): void {
  if (value === undefined || value === null) return
  if (Number.isSafeInteger(value) && value >= least && value <= most) return
  refuse(what, `a whole number from ${least} to ${most}`, foundValue(value))
}

/**
 * Refuses a number that is not above a bound, or not finite; a missing number passes.
 *
 * @throws RangeError with the code `OPTION` for such a number.
 */
export function checkAbove(what: string, value: number | null | undefined, bound: number): void {
  if (value === undefined || value === null || (Number.isFinite(value) && value > bound)) return
  refuse(what, `a number above ${bound}`, foundValue(value))
}

/**
 * Refuses a word that is not among the known ones; a missing word passes.
 *
 * @throws RangeError with the code `OPTION` for such a word.
 */
export function checkWord(what: string, value: string | null | undefined, known: readonly string[]): void {
  if (value === undefined || value === null || known.includes(value)) return
  refuse(what, `one of ${known.join(', ')}`, foundWord(value, known))
}

/** An unknown word with the nearest known one as a suggestion. */
export function foundWord(found: string, known: readonly string[]): string {
  const meant = nearest(found, known)
  return `found ${found}${meant === undefined ? '' : ` (did you mean ${meant}?)`}`
}
