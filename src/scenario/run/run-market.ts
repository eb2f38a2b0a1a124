/**
 * The recorded market of a run: a cursor for each feed, merged into one documented order.
 *
 * Files are numbered across all feeds in their order. Fills and the table `feed_quality` contain that number.
 */
import type { MarketSource } from '../../backtest/index.ts'
import { checkArgument, ok } from '../../core/index.ts'
import { createFeedCursor, createMarketMerge, type FeedCursor, type NotedCounts } from '../../feeds/index.ts'
import type { FeedSpec } from '../scenario.ts'

/** The recorded feeds of a run, and their messages in the order in which the run processes them. */
export interface RunMarket {
  /** One cursor for each feed, in their order. The caller reads the files and adds batches to the cursors. */
  readonly cursors: readonly FeedCursor[]
  readonly source: MarketSource
}

/**
 * Moves a new market to the position of another one over the same feeds: it skips the first messages and takes over
 * their findings.
 */
export function skipMessages(
  market: RunMarket,
  messages: number,
  positionNoted: readonly (readonly NotedCounts[])[],
): RunMarket {
  for (const [index, noted] of positionNoted.entries()) {
    market.cursors[index]?.skipTo({ messages: 0, noted })
  }
  let left = messages
  const starved = (): boolean => {
    while (left > 0 && !market.source.starved()) {
      market.source.next()
      left -= 1
    }
    return market.source.starved()
  }
  return { cursors: market.cursors, source: { ...market.source, starved } }
}

/**
 * Opens the market of feeds, before their first row; null without feeds. `names` are the names of each feed's files
 * in messages; by default their paths.
 *
 * @throws RangeError with the code `OPTION` if an argument has another kind.
 *
 * @example
 * const text = 'version: 1\ntitle: Nothing\nstart: 2026-01-05T09:00:00Z\ninstruments: [BTC-PERPETUAL]\nindex: { btc_usd: 50000 }\nsteps: []\n'
 * const scenario = parseScenario(text, 'nothing.yaml')
 * // A file without feeds needs no market.
 * if (scenario.ok) console.log(openMarket(scenario.value.feeds)) // null
 */
export function openMarket(feeds: readonly FeedSpec[], names?: readonly (readonly string[])[]): RunMarket | null {
  checkArgument('openMarket: feeds', feeds, 'list')
  if (feeds.length === 0) return null
  let files = 0
  const cursors = feeds.map((feed, index) => {
    const named = feed.paths.map((path, at) => ({
      feed: files + at,
      name: names?.[index]?.[at] ?? path,
    }))
    files += feed.paths.length
    return createFeedCursor({
      kind: feed.kind,
      files: named,
      instrument: feed.units,
      clock: feed.clock,
      policies: feed.policies,
      from: feed.from,
      to: feed.to,
      ...(feed.mark === null ? {} : { mark: feed.mark }),
      ...(feed.begin === null ? {} : { begin: feed.begin }),
    })
  })
  const merge = createMarketMerge(cursors)
  const source: MarketSource = {
    peekTime: () => merge.peekTime(),
    starved: () => merge.isStarved,
    next: () => merge.next(),
    note: (message, { crossed, unknownRemovals, leftOut }) => {
      const cursor = merge.source
      if (unknownRemovals > 0) cursor.note(message, 'unknown_removal', unknownRemovals)
      if (leftOut !== undefined) return cursor.note(message, leftOut.check, leftOut.rows)
      return crossed ? cursor.note(message, 'crossed', 1) : ok(undefined)
    },
  }
  return { cursors, source }
}
