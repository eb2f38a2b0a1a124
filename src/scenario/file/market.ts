/**
 * Feeds and strategies of a file in which nothing is wrong.
 */
import { assert, parseDuration } from '../../core/index.ts'
import { defaultPolicies } from '../../feeds/index.ts'
import type { FeedSpec, StrategySpec } from '../scenario.ts'
import { plainParams } from './checks/market-checks.ts'
import { nodeAt } from './located.ts'
import type { Sound } from './sound.ts'

/** The feeds in the order of the file. */
export function feedsOf({ root, shape, schedule }: Sound): readonly FeedSpec[] {
  return (shape.feeds ?? []).map((feed, index) => {
    const { from, to } = schedule.windows[index] ?? { from: null, to: null }
    return {
      format: feed.format,
      paths: listOf(feed.path),
      pinned: feed.sha256 === undefined ? null : listOf(feed.sha256),
      instrument: feed.instrument,
      symbol: feed.symbol ?? null,
      columns: feed.columns ?? null,
      clock: feed.clock ?? 'exchange',
      policies: { ...defaultPolicies, ...withoutUndefined(feed.policy ?? {}) },
      from: from ?? schedule.start,
      to,
      path: `feeds.${index}`,
      place: (nodeAt(root, ['feeds', index]) ?? root).place,
    }
  })
}

/** The strategies in the order of the file. */
export function strategiesOf({ root, shape }: Sound): readonly StrategySpec[] {
  return (shape.strategies ?? []).map(({ account, module, latency = {} }, index) => ({
    account,
    module,
    params: plainParams(nodeAt(root, ['strategies', index, 'params'])?.value),
    latency: {
      feed: delayOf(latency.feed),
      entry: delayOf(latency.entry),
      response: delayOf(latency.response),
    },
    path: `strategies.${index}`,
    place: (nodeAt(root, ['strategies', index]) ?? root).place,
  }))
}

function listOf<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? value : [value as T]
}

function withoutUndefined<T extends object>(value: T): { [K in keyof T]: NonNullable<T[K]> } {
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  // Exactly the entries that are undefined were left out.
  return Object.fromEntries(entries) as { [K in keyof T]: NonNullable<T[K]> }
}

/** A duration that the checks let pass. */
function delayOf(text: string | undefined): number {
  const parsed = parseDuration(text ?? '0ms')
  assert(parsed.ok, 'a latency that is no duration has been reported')
  return parsed.value
}
