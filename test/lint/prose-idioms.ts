/**
 * Idioms that make technical English hard to read (STYLE 11), each with a replacement, a sentence that contains it and
 * a similar sentence without it. An idiom marks a sentence to rewrite; another word in its place rarely helps.
 */

/** An idiom. */
export interface Idiom {
  /** A global pattern without regard to case. It matches paragraphs, so `^` is the start of one. */
  readonly pattern: RegExp
  /** Advice for the writer. */
  readonly instead: string
  /** A sentence with exactly one match. */
  readonly caught: string
  /** A similar sentence without a match. */
  readonly spared: string
}

/** All idioms. */
export const idioms: readonly Idiom[] = [
  {
    pattern:
      /(?:^|[.;:(]\s+)who(?:ever)?\s+(?:has|have|had|is|are|can|does|asks|comes|pays|reads|knows|wants|holds|closes|opens|joins|sees|takes|gets|owns)\b(?![^.]*\?)/gi,
    instead: 'begin with a noun: "An account that …", "Callers that …"',
    caught: 'Who holds a position pays funding.',
    spared: 'Who holds the key? A holder pays funding.',
  },
  {
    pattern:
      /\b(?:to|of|by|for|from|with)\s+(?:who|whoever|what)\s+(?:is|has|was|are|asks|holds|reads|pays|comes|gets)\b/gi,
    instead: 'use a noun: "to the account that …", "of the orders that …"',
    caught: 'The reply goes to who asks for it.',
    spared: 'The reply goes to the client that asks for it.',
  },
  {
    pattern: /\b(?:nobody|somebody|whoever|none other)\b/gi,
    instead: 'use a noun: "no caller", "a client", "any account"',
    caught: 'An exception that nobody catches ends the run.',
    spared: 'An uncaught exception ends the run.',
  },
  {
    pattern: /\b(?:is|are) none\b/gi,
    instead: 'say what is missing: "is not a number", "does not exist"',
    caught: 'A price that is none is refused.',
    spared: 'Of these rules, none is new.',
  },
  {
    pattern: /(?:^|[.;]\s+)the same (?:of|for|by|with|in|as|where|over)\b/gi,
    instead: 'name the thing that is the same',
    caught: 'The mean of all r. The same of months.',
    spared: 'It rounds the same in both directions.',
  },
  {
    pattern: /(?:^|[.;]\s+)(?:what|whether|of|those (?:that|of|who|which))\s+(?!course\b)[a-z]+(?![^.;]*\?)/gi,
    instead: 'begin with the subject: "The size that …", "Orders that …"',
    caught: 'What rests keeps its place.',
    spared: 'What happens to a resting order? It keeps its place.',
  },
  {
    pattern: /\bof (?:its|their) own\b/gi,
    instead: '"its own X", "a separate X"',
    caught: 'Each run has a folder of its own.',
    spared: 'Each run has its own folder.',
  },
  {
    pattern: /\b(?:tell|tells|told|telling)\b/gi,
    instead: '"reports", "shows", "says", "returns"',
    caught: 'The manifest tells the version.',
    spared: 'The manifest records the version.',
  },
  {
    pattern: /\bstand(?:s|ing)?\s+(?:in|at|behind|before|there|first|where|on|above|beside|ahead|alone)\b|\bstood\b/gi,
    instead: '"is in", "comes first", "represents"',
    caught: 'The reason stands in the last column.',
    spared: 'The last column has the reason.',
  },
  {
    pattern: /\bbeside\b/gi,
    instead: '"next to", "besides", "in addition to"',
    caught: 'The report is beside the folder.',
    spared: 'Besides the report, the folder has tables.',
  },
  {
    pattern: /\b(?:whence|hence|thereof|wherein|therein)\b/gi,
    instead: 'a plain word: "so", "from it", "in which"',
    caught: 'The order is gone, hence it fills nothing.',
    spared: 'The order is gone, so it fills nothing.',
  },
  {
    pattern: /\b(?:no|any) more(?=[.,;:)]|$)/gi,
    instead: '"no longer"',
    caught: 'The order rests no more.',
    spared: 'The queue takes no more than ten orders.',
  },
  {
    pattern:
      /(?<!(?:nothing|anything|everything|something|somewhere|everyone|anyone) )\belse\b(?!\s*(?:if|where))(?=[.,;)]|\s+so\b)/gi,
    instead: '"otherwise"',
    caught: 'It waits for a feed, or else, for an order.',
    spared: 'It changes nothing else.',
  },
  {
    pattern: /\bbut for\b/gi,
    instead: '"except"',
    caught: 'All orders end but for those on the other side.',
    spared: 'All orders end, but not at once.',
  },
  {
    pattern: /\b(?:comes? to|go(?:es)? on to|gets? to) (?:be|have|hold)\b/gi,
    instead: 'the verb itself',
    caught: 'An account that comes to hold a position pays.',
    spared: 'The order comes to the book.',
  },
  {
    pattern: /\bis (?:good|meant|left|taken|had) (?:for|to|as|by)\b/gi,
    instead: 'an active verb',
    caught: 'The rest is left to the caller.',
    spared: 'The caller handles the rest, which is left over.',
  },
  {
    pattern: /\bas (?:far as )?it (?:can|goes|is)\b/gi,
    instead: 'state the condition',
    caught: 'The order fills as far as it can.',
    spared: 'The order fills until the limit price.',
  },
  {
    pattern: /\bhas (?:it|them|none)\b|\bhas (?:one|two)(?=[.,;:)]|$)/gi,
    instead: 'say what the subject has',
    caught: 'The price of a trade: the record has it.',
    spared: 'The record has one price.',
  },
  {
    pattern: /\b(?:brought|brings?) (?:it|them|up|to)\b/gi,
    instead: '"updates", "installs", "computes"',
    caught: 'A reader brings it to the present.',
    spared: 'A fill brings a fee.',
  },
  {
    pattern: /\bmeets? (?:it|one|its)\b/gi,
    instead: '"matches", "encounters", "satisfies"',
    caught: 'The order meets one on the other side.',
    spared: 'The order meets all conditions.',
  },
  {
    pattern: /(?<![.;]\s)(?<!^)\bwhat (?:it|they|the|an?) (?=[a-z])/gi,
    instead: 'name the thing: "the value that it …", "the fields of …"',
    caught: 'The row holds what the order paid.',
    spared: 'The row holds the fee of the order.',
  },
  {
    pattern: /\bwhere (?:it|there) (?:is|are|was) (?:one|none|no|any)\b|\bwhere it has (?:one|none|it)\b/gi,
    instead: '"if there is a …", "without a …"',
    caught: 'The middle of the book, where there is one.',
    spared: 'The book where it rests.',
  },
  {
    pattern:
      /\b(?:once more|anew)\b|\bis (?:that|those) of\b|\b(?:one|he|those|no one|someone) who\b|\b(?:lies?|sits?) (?:in|at|behind|on|before)\b/gi,
    instead: '"again", "an account that …", "is in …"',
    caught: 'A restore computes the totals anew.',
    spared: 'A restore computes the totals again.',
  },
]
