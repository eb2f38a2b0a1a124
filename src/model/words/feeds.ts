/**
 * Words of recorded feeds. The position of a word in a list is its code in result tables: words are only ever added
 * at the end. Source: DESIGN 5.
 */

/** Kinds of feed rows, in the order in which feeds apply at the same time (DESIGN 5). */
export const marketKinds = ['trades', 'book', 'index'] as const

/** A kind of row that a feed has. */
export type MarketKind = (typeof marketKinds)[number]

/** All queue models. */
export const queueModels = ['risk_averse'] as const

/** The model of the place of an order in a recorded queue. */
export type QueueModel = (typeof queueModels)[number]

/** Counts of each file of a feed. */
export const feedChecks = [
  'rows',
  'messages',
  'snapshots',
  'other_symbol',
  'outside_window',
  'before_snapshot',
  'backward',
  'duplicate',
  'gap',
  'crossed',
  'off_grid',
  'unknown_side',
  'unknown_removal',
  'disorder',
  'empty',
  'off_book',
  'out_of_life',
  'left_out',
  'cut',
] as const

/** A count of a file of a feed. */
export type FeedCheck = (typeof feedChecks)[number]

/** Treatment of invalid rows of a feed: refuse the feed, leave the rows out, or use them. */
export const feedPolicies = ['fail', 'skip', 'keep'] as const

/** A treatment of invalid rows of a feed. */
export type FeedPolicy = (typeof feedPolicies)[number]
