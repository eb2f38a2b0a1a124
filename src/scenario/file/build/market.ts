/**
 * Builds the feeds, strategies and faults of a valid file. Faults are rules for messages, and control requests for
 * faults of the market itself.
 */
import { assert, defined, divCeil, instrumentId, type Micros, micros, parseDuration } from '../../../core/index.ts'
import { type FaultRule, ruleOf } from '../../../faults/index.ts'
import { defaultPolicies } from '../../../feeds/index.ts'
import { hasNegativePrices } from '../../../model/index.ts'
import type { RequestParams } from '../../../rpc/index.ts'
import type { FaultRequest, FeedSpec, StrategySpec } from '../../scenario.ts'
import { kindOfFeed, plainParams } from '../checks/market-checks.ts'
import { scheduledNames } from '../checks/venue-checks.ts'
import { nodeAt } from '../located.ts'
import { type FaultShape, isMarketFault } from '../sections/faults.ts'
import type { Sound } from './setup.ts'

/** The feeds in the order of the file. */
export function feedsOf({ root, shape, schedule, specs }: Sound): readonly FeedSpec[] {
  // Instruments that the schedule lists at the start have the first ids.
  const scheduled = scheduledNames(root, { ...schedule, until: schedule.start }).size
  return (shape.feeds ?? []).map((feed, index) => {
    const { from, to } = schedule.windows[index] ?? { from: null, to: null }
    const kind = kindOfFeed(feed.format, feed.columns)
    const at = specs.findIndex(({ name }) => name === feed.instrument)
    const spec = defined(specs[at], 'a feed has an instrument of the file')
    const sign = hasNegativePrices(spec) ? { mayBeNegative: true } : {}
    return {
      format: feed.format,
      kind: defined(kind, 'a format has a known kind of rows'),
      mark: kind === 'index' ? (feed.mark ?? 'recorded') : null,
      begin: kind === 'book' ? (feed.begin ?? 'snapshot') : null,
      units: {
        id: instrumentId(scheduled + at),
        tick9: spec.tick9,
        amountStep9: spec.amountStep9,
        tickSteps: spec.tickSteps,
        ...sign,
      },
      paths: listOf(feed.path),
      pinned: feed.sha256 === undefined ? null : listOf(feed.sha256),
      instrument: feed.instrument,
      symbol: feed.symbol ?? null,
      checksSymbol: true,
      columns: feed.columns ?? null,
      clock: feed.clock ?? 'exchange',
      policies: { ...defaultPolicies, ...withoutUndefined(feed.policy ?? {}) },
      from: from ?? schedule.start,
      // Rows after the end of the run do not count as part of it.
      to: to ?? schedule.until,
    }
  })
}

/** The strategies in the order of the file. */
export function strategiesOf({ root, shape }: Sound): readonly StrategySpec[] {
  return (shape.strategies ?? []).map(({ account, module, latency = {}, strict = true }, index) => ({
    account,
    module,
    params: plainParams(nodeAt(root, ['strategies', index, 'params'])?.value),
    latency: {
      feed: delayOf(latency.feed),
      entry: delayOf(latency.entry),
      response: delayOf(latency.response),
    },
    strict,
    path: `strategies.${index}`,
    place: (nodeAt(root, ['strategies', index]) ?? root).place,
  }))
}

function listOf<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? value : [value as T]
}

function withoutUndefined<T extends object>(value: T): { [K in keyof T]: NonNullable<T[K]> } {
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  // Exactly the undefined entries are omitted.
  return Object.fromEntries(entries) as { [K in keyof T]: NonNullable<T[K]> }
}

/** The microseconds of a duration that the checks have accepted. */
function delayOf(text: string | undefined): number {
  const parsed = parseDuration(text ?? '0ms')
  assert(parsed.ok, 'an invalid latency has been reported')
  return parsed.value
}

const MICROS_PER_MILLI = 1000

/** The rules in the order of the file. A rule without a beginning applies from the start. */
export function faultsOf(sound: Sound): readonly FaultRule[] {
  return windowsOf(sound).flatMap(({ said, from, until }) => {
    return isMarketFault(said.kind) ? [] : [ruleOf({ ...said, kind: said.kind }, from, until)]
  })
}

/** The requests that begin and end the faults of the market, in time order. */
export function faultRequestsOf(sound: Sound): readonly FaultRequest[] {
  return windowsOf(sound)
    .flatMap(({ said, from, until }) => {
      const begun = requestOf(said, from, true)
      const ended = until === null ? null : requestOf(said, until, false)
      return [begun, ended].filter((each) => each !== null)
    })
    .toSorted((left, right) => left.time - right.time)
}

function windowsOf({ shape, schedule }: Sound): readonly {
  readonly said: FaultShape
  readonly from: Micros
  readonly until: Micros | null
}[] {
  return (shape.faults ?? []).map((said, index) => {
    const { from, to } = schedule.faults[index] ?? { from: null, to: null }
    return { said, from: from ?? schedule.start, until: to }
  })
}

/** The request that begins or ends a fault of the market; null for a fault of messages. */
function requestOf({ kind, index, gateway, by }: FaultShape, time: Micros, active: boolean): FaultRequest | null {
  const asked = (method: string, params: RequestParams): FaultRequest => ({ time, method, params })
  switch (kind) {
    case 'maintenance':
      return asked('sim/set_maintenance', { active })
    case 'index_outage':
      return asked('sim/set_index_outage', { index_name: index, active })
    case 'gateway_outage':
      return asked('sim/set_gateway_active', { gateway, active: !active })
    case 'clock_jump': {
      const to = micros(time + (durationOf(by) ?? 0))
      return asked('sim/advance', { to: divCeil(to, MICROS_PER_MILLI) })
    }
    default:
      return null
  }
}

/** Converts values of a valid file. */

/** A duration in microseconds; undefined for an absent one. */
function durationOf(text: string | undefined): Micros | undefined {
  if (text === undefined) return undefined
  const parsed = parseDuration(text)
  assert(parsed.ok, 'an invalid duration has been reported')
  return micros(parsed.value)
}
