/**
 * Parameters of a strategy that say which of them were never read: most likely misspelt, and without effect.
 *
 * They are given as a plain object whose fields tell when their values are read: by name, by destructuring, spreading,
 * copying, printing or `JSON.stringify`. The outermost fields alone are watched. What is no object is given as it is.
 */

/** Parameters that a strategy never read. */
export interface UnreadParams {
  /** Its module as the file names it. */
  readonly strategy: string
  readonly account: string
  /** Their keys, in the order of the file. */
  readonly params: readonly string[]
}

/** Parameters for a strategy, and which of them were not read so far. */
export interface WatchedParams {
  readonly params: unknown
  /** Keys whose values nobody has read, in their order. */
  readonly unread: () => readonly string[]
}

/** Node prints the value of such a method in place of the object, whose fields would show as getters. */
const inspection = Symbol.for('nodejs.util.inspect.custom')

/** Gives parameters in a form that tells which of them were read. */
export function watchParams(params: unknown): WatchedParams {
  if (typeof params !== 'object' || params === null || Array.isArray(params)) {
    return { params, unread: () => [] }
  }
  const unread = new Set(Object.keys(params))
  const watched = {}
  for (const [key, given] of Object.entries(params)) {
    let value: unknown = given
    Object.defineProperty(watched, key, {
      enumerable: true,
      configurable: true,
      get: () => {
        unread.delete(key)
        return value
      },
      // A strategy may set defaults in place.
      set: (other: unknown) => {
        value = other
      },
    })
  }
  Object.defineProperty(watched, inspection, { value: () => ({ ...watched }) })
  return { params: watched, unread: () => [...unread] }
}
