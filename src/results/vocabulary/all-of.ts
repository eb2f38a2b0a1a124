/**
 * Closed lists of words that the compiler holds to a union of the model.
 */

/** The list of exactly the words of a union: one that is missing makes the arguments `never`. */
export function allOf<Word extends string>(): <const Words extends readonly Word[]>(
  ...words: Words & ([Word] extends [Words[number]] ? unknown : never)
) => Words {
  return (...words) => words
}
