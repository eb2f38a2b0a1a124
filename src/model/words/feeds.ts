/**
 * Words of recorded feeds. The position of a word in a list is its code in result tables: words are only ever added
 * at the end. Source: DESIGN 5.
 */

/** Kinds of rows that feeds have; the order is that of feeds at one time (DESIGN 5). */
export const marketKinds = ['trades', 'book', 'index'] as const

/** A kind of row that a feed has. */
export type MarketKind = (typeof marketKinds)[number]

/** The queue models that there are. */
export const queueModels = ['risk_averse'] as const

/** How the place of an order in a recorded queue is modelled. */
export type QueueModel = (typeof queueModels)[number]

/** Counts that are kept of each file of a feed. */
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

/** A count that is kept of a feed. */
export type FeedCheck = (typeof feedChecks)[number]

/** A feed that is not as it should be is refused, or its rows are left out or taken. */
export const feedPolicies = ['fail', 'skip', 'keep'] as const

/** A way to treat a feed that is not as it should be. */
export type FeedPolicy = (typeof feedPolicies)[number]
