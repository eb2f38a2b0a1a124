/** Types of objects that are still being filled. */

/** An object with writable fields: a new one while it is built, or one that is refilled for each use. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] }
