/**
 * All protections together: market makers with groups of orders and quotes, direct access over two gateways, the speed
 * bump, sessions that end, locks, resets and new limits, in random runs that act at instants with due timers. The laws
 * of `laws.ts` and those of an independent model of protections are checked around every request. Each run is repeated
 * from snapshots and must reach the same state.
 *
 * PITCLOCK_RUNS sets the number of runs; PITCLOCK_SEED replays a failure, whose smallest failing run is written as a
 * scenario file. Rows: S048, S276, S277, S290, S297, S302, S317, S318; R09-R13, R61, R68.
 */
import { readFileSync, rmSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatInputError } from '../../src/core/index.ts'
import type { Event } from '../../src/model/index.ts'
import { parseScenario, runScenario } from '../../src/scenario/index.ts'
import { askedRuns, askedSeed, isWhole, sampleOf } from '../support/property-runs.ts'
import { runCut } from '../support/protection-cuts.ts'
import { type Intent, intentArbitrary } from '../support/protection-intents.ts'
import { BrokenLaw, type Lie, type ProtectionRun, runProtections } from '../support/protection-run.ts'
import { scenarioOfRun, writeBroken } from '../support/protection-scenario.ts'

/** An eighth of PITCLOCK_RUNS, because a run checks every law around each of its requests. */
const defaultRuns = 2000
const runs = askedRuns(defaultRuns, 8, 64)
/** This seed reaches the rare situations; the laws hold with every seed. */
const usualSeed = 4
const { seed = Math.trunc(Math.random() * 1_000_000_000) } = askedSeed(usualSeed)

const intentsArbitrary = runsOf(90)

/** Runs of at most so many steps. */
function runsOf(maxLength: number): fc.Arbitrary<Intent[]> {
  return fc.noBias(fc.array(intentArbitrary, { maxLength, size: 'max' }))
}

/** Situations that some hundred runs must reach. */
const reached = [
  ...['tripped by quantity', 'tripped by delta', 'tripped by vega', 'tripped with several orders'],
  ...['limit reached exactly', 'window ended', 'filled while frozen', 'unfrozen'],
  ...['reset in the first second', 'reset later', 'reset by direct access'],
  ...['the first second was over after a reset', 'accepted over JSON-RPC after a reset'],
  ...['curtailed', 'removed with orders', 'configured while frozen', 'quote filled'],
  ...['refused, mmp_trigger of private/buy', 'refused, mmp_trigger of private/mass_quote'],
  ...['new_order', 'mass_quote'].map((method) => `refused, mmp_min_freeze_time_not_elapsed of sim/direct/${method}`),
  ...['refused, other_reject max_quote_quantity', 'refused, other_reject mmp_not_configured'],
  ...['quote refused, other_reject max_quote_quantity', 'quote refused, quote_crossed'],
  ...['refused, quotes_frozen', 'refused, cod_not_enabled', 'refused, order_overlap'],
  ...['queued', 'queued by an amend', 'restarted', 'withdrawn', 'released'],
  ...['released as immediate', 'reply held', 'held reply answered', 'reply of a cancel held'],
  ...['user_request', 'mmp_trigger', 'mmp_config_curtailment', 'cancel_on_disconnect'].map(
    (reason) => `converted by ${reason}`,
  ),
  ...['portfolio_lock on', 'portfolio_lock off', 'locked with orders', 'refused, portfolio_locked'],
  ...['refused, time_in_force', 'refused, must_be_websocket_request', 'fired'],
  ...['socket disconnect', 'socket heartbeat_failure', 'socket inactivity'].map((how) => `${how} ended orders`),
  ...['direct disconnect', 'direct logout', 'direct heartbeat_failure', 'direct displaced'].map(
    (how) => `${how} ended orders`,
  ),
  ...['socket logout left orders', 'socket disconnect left orders', 'direct disconnect left orders'],
  ...['floor of a session ended orders', 'direct access was not listed'],
  ...['curtailed the newest of several', 'reset at the end of the first second'],
  ...['trade at the end of a window', 'flag of an order ended it'],
  ...['what waits was not listed', 'what waits was listed as it was'],
]

/** The smallest run that still breaks a law, as its requests; null if no run does. */
function smallestBroken(
  of: { readonly runs: number; readonly seed: number; readonly steps: fc.Arbitrary<Intent[]> },
  run: (intents: readonly Intent[]) => void,
): BrokenLaw | null {
  const { runs: numRuns, seed: from, steps } = of
  const outcome = fc.check(fc.property(steps, run), { numRuns, seed: from })
  if (!outcome.failed) return null
  const found = outcome.errorInstance
  if (found instanceof BrokenLaw) return found
  throw found
}

/** The same requests again, with a cut before every fifth one from a random start. */
function expectSameCut(run: ProtectionRun, pick: number): void {
  const cut = runCut(run.sent, (at) => at % 5 === pick % 5)
  if (cut.hash === run.hash && cut.events.length === run.events.length) return
  throw new BrokenLaw(new Error('a run that is cut goes on as it was'), run.sent)
}

/** Size, accounts, time and price of each trade. */
function tradesOf(events: readonly Event[]): readonly object[] {
  return events.flatMap((event) => {
    if (event.kind !== 'trade') return []
    const { trade, price, amount, maker, taker, time } = event
    return [{ trade, price, amount, time, maker: maker.order, taker: taker.order }]
  })
}

/** The events of a run's scenario file. */
function eventsOfFile(text: string): readonly Event[] {
  const scenario = parseScenario(text, 'protections.yaml')
  if (!scenario.ok) throw new Error(scenario.error.map(formatInputError).join('\n'))
  const events: Event[] = []
  const { failures } = runScenario(scenario.value, {
    sink: { emit: (event) => events.push(event) },
  })
  expect(failures.map(formatInputError)).toEqual([])
  return events
}

describe('all protections together', () => {
  test('R09 R10 R11 R12 R61 R68: no run breaks a law, and the runs reach every listed situation', {
    timeout: 600_000,
  }, () => {
    const seen = new Map<string, number>()
    let count = 0
    const broken = smallestBroken({ runs, seed, steps: intentsArbitrary }, (intents) => {
      const run = runProtections(intents)
      expectSameCut(run, count)
      count += 1
      for (const [what, times] of run.seen) seen.set(what, (seen.get(what) ?? 0) + times)
    })
    if (broken !== null) {
      const path = writeBroken(broken.sent, { seed, problem: broken.message })
      throw new Error(`seed ${seed}: ${broken.message}; see ${path}`, { cause: broken.cause })
    }
    expect(seen.get('released') ?? 0).toBeGreaterThan(isWhole ? runs : 0)
    const missing = reached.filter((what) => !seen.has(what))
    const isUsual = runs >= defaultRuns / 8 && seed === usualSeed
    expect(isUsual ? missing : [], `seed ${seed}`).toEqual([])
  })

  test('a run as a file repeats the run', () => {
    for (const intents of fc.sample(intentsArbitrary, { seed: 11, numRuns: 5 })) {
      const run = runProtections(intents)
      const events = eventsOfFile(scenarioOfRun(run.sent, { title: 'A run of protections' }))
      expect(tradesOf(events)).toEqual(tradesOf(run.events))
      expect(events.length).toBe(run.events.length)
    }
  })

  const lies: readonly (readonly [string, string, Lie])[] = [
    [
      'a release that is told a microsecond late',
      'it is released exactly 10 ms after its submission',
      (event) =>
        event.kind === 'bump' && event.change === 'queued'
          ? { ...event, releaseAt: (event.releaseAt + 1) as typeof event.releaseAt }
          : event,
    ],
    [
      'a trip that counts too much',
      'the quantity of a window is that of its trades',
      (event) =>
        event.kind === 'mmp' && event.change === 'triggered' ? { ...event, quantity9: event.quantity9 + 1 } : event,
    ],
    [
      'a session that takes nothing with it',
      'a session tells how many orders ended with it',
      (event) =>
        event.kind === 'session' && event.change === 'closed' && event.cancelled > 0
          ? { ...event, cancelled: event.cancelled - 1 }
          : event,
    ],
  ]

  test.each(sampleOf(lies, 1))('the smallest run of %s is a file that runs', (_what, _law, lie) => {
    const broken = smallestBroken({ runs: 50, seed: 5, steps: runsOf(20) }, (intents) => {
      runProtections(intents, lie)
    })
    if (broken === null) throw new Error('the runs do not reach what was planted')
    const path = writeBroken(broken.sent, { seed: 5, problem: broken.message })
    const text = readFileSync(path, 'utf8')
    rmSync(path)
    expect(text).toContain(`# ${broken.message}`)
    expect(broken.sent.length).toBeLessThan(25)
    expect(eventsOfFile(text).length).toBeGreaterThan(50)
  })
})
