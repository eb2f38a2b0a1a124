/**
 * Vocabularies whose words are of several sorts: a table that says of each word which sort it is, or which sorts. The
 * position of a word in the table is its code, so that the words of one sort need not stand together.
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
 * The words of a table in the order of their codes. A constant table has no keys but those that its type tells. Calls
 * are marked as pure, so that bundles without result tables leave the words of those out.
 */
export function wordsOf<Table extends WordTable>(table: Table): readonly (keyof Table & string)[] {
  return Object.keys(table)
}
