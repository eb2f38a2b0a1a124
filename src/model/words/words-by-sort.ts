/**
 * Vocabularies with words of several sorts: a table gives the sort or sorts of each word. The position of a word in the
 * table is its code, so the words of one sort need not be adjacent.
 */

/** A table of words. No word is a number, so that keys keep their order. */
interface WordTable {
  readonly [word: string]: string | readonly string[]
}

type SortsIn<Value> = Value extends readonly (infer Sort)[] ? Sort : Value

/** The words of a sort. */
export type WordOfSort<Table extends WordTable, Sort extends string> = {
  [Word in keyof Table]: Sort extends SortsIn<Table[Word]> ? Word : never
}[keyof Table]

/**
 * The words of a table in the order of their codes. A constant table has only the keys of its type. Calls are marked as
 * pure, so that bundles without result tables omit their words.
 */
export function wordsOf<Table extends WordTable>(table: Table): readonly (keyof Table & string)[] {
  return Object.keys(table)
}
