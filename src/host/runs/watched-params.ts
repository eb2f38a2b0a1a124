/**
 * Finds parameters that a strategy never reads. They are probably misspelt and have no effect.
 *
 * The strategy gets a plain object whose getters record each read: by name, by destructuring, spreading, copying,
 * printing or `JSON.stringify`. Only the outermost fields are recorded. Parameters that are not an object are passed
 * unchanged.
 */

/** Parameters that a strategy never read. */
export interface UnreadParams {
  /** Its module as named in the file. */
  readonly strategy: string
  readonly account: string
  /** Their keys, in the order of the file. */
  readonly params: readonly string[]
}

/** Parameters for a strategy, and the keys that it has not read so far. */
export interface WatchedParams {
  readonly params: unknown
  /** Keys whose values have not been read, in their order. */
  readonly unread: () => readonly string[]
}

/** Node prints the result of this method instead of the object, whose fields would otherwise appear as getters. */
const inspection = Symbol.for('nodejs.util.inspect.custom')

/** Wraps parameters so that reads of their fields are recorded. */
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
