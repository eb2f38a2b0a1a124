/**
 * The scenario that agreement writes for a failure runs and repeats the commands: the same trades and the same
 * refusals.
 */
import { readFileSync, rmSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatInputError } from '../../src/core/index.ts'
import type { Event } from '../../src/model/index.ts'
import { parseScenario, runScenario } from '../../src/scenario/index.ts'
import { configOf, everyKind, type Intent, intentArbitrary, type World } from '../support/command-stream.ts'
import { sampleOf } from '../support/property-runs.ts'
import { scenarioOf } from '../support/scenario-of-commands.ts'
import { listedAtFirst, reportedOf, shrunkSteps, writeShrunk } from '../support/shrunk-run.ts'

const world: World = {
  ...{ instruments: [0, 6, 8], accounts: 3, subaccounts: 1, rich: true, scale: 100 },
  ...{ spread: 3, unknownIndex: false },
  ...{ selfMatch: 'cancel_maker', priceBands: true, bookEvents: false },
  ...{ orderLimit: 1000, triggerLimit: 100, secondaryLimit: 100 },
  ...{ marks: 'venue', longestWait: 1, fund: '0.5', settlementTime: 0 },
  ...{
    liquidations: false,
    models: ['segregated_sm'],
    listedFutures: ['BTC_USDC'],
    feePpm: [1_000_000, 250_000],
  },
  kinds: everyKind,
  skipsAll: false,
}

/** A known stream: the first steps of a seed. */
function stepsOf(seed: number, count: number): readonly Intent[] {
  return fc.sample(intentArbitrary, { seed, numRuns: count })
}

/** Size, accounts and price of each trade. */
function tradesOf(events: readonly Event[]): readonly object[] {
  return events.flatMap((event) => {
    if (event.kind !== 'trade') return []
    const { trade, price, amount, maker, taker, time } = event
    return [{ trade, price, amount, time, maker: maker.order, taker: taker.order }]
  })
}

describe('commands as a scenario', () => {
  test.each(sampleOf([1, 4, 5, 7, 9], 1))('give the same trades, seed %i', (seed) => {
    const reported = reportedOf(world, stepsOf(seed, 300))
    const config = configOf(world)
    const listed = listedAtFirst(config)
    const text = scenarioOf({ title: `Seed ${seed}`, config, reported, listed })
    const scenario = parseScenario(text, 'stream.yaml')
    if (!scenario.ok) throw new Error(scenario.error.map(formatInputError).join('\n'))
    const events: Event[] = []
    const { failures } = runScenario(scenario.value, {
      sink: { emit: (event) => events.push(event) },
    })
    expect(failures.map(formatInputError)).toEqual([])
    const trades = tradesOf(reported.flatMap((each) => each.events))
    expect(trades.length).toBeGreaterThan(10)
    expect(tradesOf(events)).toEqual(trades)
  })

  test('are shrunk to the steps that matter, and written to a file', () => {
    const steps = stepsOf(1, 60)
    const needed = [steps[7], steps[31]]
    const fails = (some: readonly Intent[]): boolean =>
      needed.every((step) => step !== undefined && some.includes(step))
    const shrunk = shrunkSteps(steps, fails)
    expect(shrunk).toEqual(needed)
    const path = writeShrunk(world, shrunk, { seed: 7, problem: 'expected 1\nfound 2' })
    const text = readFileSync(path, 'utf8')
    rmSync(path)
    expect(path).toMatch(/pitclock-shrunk-7\.yaml$/)
    expect(text).toMatch(/# expected 1\n# found 2\n# the naive exchange: \{"kind":.*\n$/s)
    expect(parseScenario(text, path).ok).toBe(true)
  })
})
