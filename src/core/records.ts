/**
 * Records of one length in one buffer. The values that a step of the engine reads of a record are adjacent, in one or
 * two cache lines, and a garbage collector has no object to trace.
 *
 * A record is a number of doubles; the last ones hold words of four bytes instead, two in place of one double. The
 * owner of a table of records declares its layout and provides accessors.
 *
 * Source: DESIGN 2 ("fixed records in flat memory"); `npm run bench` measures the cost of an order.
 */

/** Names of the values of a record, each with its index among the values of its width. */
type Places<N extends string> = { readonly [Name in N]: number }

/** The places of the values of a record. */
export interface RecordLayout<D extends string = string, W extends string = string> {
  readonly doubles: Places<D>
  readonly words: Places<W>
  /** Number of doubles and of words of a record, which share the same memory. */
  readonly lengths: { readonly doubles: number; readonly words: number }
}

/** A table of records: the same memory as doubles and as words. */
export interface Records {
  readonly layout: RecordLayout
  doubles: Float64Array
  words: Int32Array
}

/** The layout of records with these doubles, followed by these words. */
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

/** Records filled with zeros. */
export function createRecords(layout: RecordLayout, count: number): Records {
  const doubles = new Float64Array(count * layout.lengths.doubles)
  return { layout, doubles, words: new Int32Array(doubles.buffer) }
}

function placesOf<N extends string>(names: readonly N[], first: number): Places<N> {
  return Object.fromEntries(names.map((name, at) => [name, first + at])) as Places<N>
}
