/**
 * Records of one length in one buffer: what a step of the engine reads of a record stands together, in a line of
 * the cache or two, and nothing of it is an object that a garbage collection has to look at.
 *
 * A record is a number of doubles; its last ones hold words of four bytes instead, two in the place of one. Who owns
 * a table of records declares its layout and hands out accessors.
 *
 * Source: DESIGN 2 ("fixed records in flat memory"); `npm run bench` measures what an order costs.
 */

/** Names of the values of a record, each with its place among the values of its width. */
type Places<N extends string> = { readonly [Name in N]: number }

/** Where the values of a record stand. */
export interface RecordLayout<D extends string = string, W extends string = string> {
  readonly doubles: Places<D>
  readonly words: Places<W>
  /** Doubles and words of a record, which are the same memory. */
  readonly lengths: { readonly doubles: number; readonly words: number }
}

/** A table of records: the same memory as doubles and as words. */
export interface Records {
  readonly layout: RecordLayout
  doubles: Float64Array
  words: Int32Array
}

/** The layout of records with these doubles and, behind them, these words. */
export function recordLayout<const D extends string, const W extends string>(
  doubles: readonly D[],
  words: readonly W[],
): RecordLayout<D, W> {
  const length = doubles.length + ((words.length + 1) >> 1)
  return {
    doubles: placesOf(doubles, 0),
    words: placesOf(words, doubles.length * 2),
    lengths: { doubles: length, words: length * 2 },
  }
}

/** Records that hold zeros. */
export function createRecords(layout: RecordLayout, count: number): Records {
  const doubles = new Float64Array(count * layout.lengths.doubles)
  return { layout, doubles, words: new Int32Array(doubles.buffer) }
}

function placesOf<N extends string>(names: readonly N[], first: number): Places<N> {
  return Object.fromEntries(names.map((name, at) => [name, first + at])) as Places<N>
}
