/**
 * Objects that are still filled.
 */

/** An object of which every field may be written: of one's own while it is built, or filled anew for each use. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] }
