/**
 * Law: the histories of a router follow from its log and its notes. At random cuts of random runs, histories that are
 * made of both have the rows of the router, even if the limits drop most rows and most ended orders.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { micros } from '../../src/core/index.ts'
import { apply } from '../../src/engine/index.ts'
import { venueMethods } from '../../src/gateways/index.ts'
import type { HistoryLimits } from '../../src/model/index.ts'
import { historyUnit } from '../../src/rpc/history/index.ts'
import { createDesk, type Desk, restoreDesk, snapshotDesk, submit } from '../../src/rpc/index.ts'
import { CommandStream, configOf, intentArbitrary, worldArbitrary } from '../support/command-stream.ts'
import { keptHistories, resumedDesk } from '../support/kept-histories.ts'
import { askedRuns, askedSeed } from '../support/property-runs.ts'
import { intentArbitrary as protectionIntents } from '../support/protection-intents.ts'
import { runProtections } from '../support/protection-run.ts'
import { headScenario } from '../support/protection-world.ts'

/** Limits that drop rows in short runs. */
const few: HistoryLimits = {
  ...{ trades: 2, endedOrders: 2, settlements: 1, accountSettlements: 1 },
  ...{ prices: 3, candles: 1, transactions: 2, messages: 2 },
}

const limits = fc.constantFrom<Partial<HistoryLimits>>({}, few)
const controls = true
const methods = venueMethods

function rowsOfHistories({ history }: Desk): unknown {
  return historyUnit.save(history)
}

describe('histories from the log and the notes', () => {
  test('are those of the router at any cut of any run of commands', () => {
    const steps = fc.array(intentArbitrary, { minLength: 20, maxLength: 90, size: 'max' })
    const law = fc.property(
      worldArbitrary,
      steps,
      limits,
      fc.integer({ min: 20, max: 60 }),
      (world, all, history, cut) => {
        const stream = new CommandStream(world)
        const kept = keptHistories()
        const watch = { emit: stream.observe.bind(stream) }
        const options = { config: configOf(world), controls, methods, history, histories: kept.file, watch }
        const desk = createDesk(options, kept.results)
        for (const command of stream.opening()) apply(desk.exchange, command, desk.sink)
        for (const [at, intent] of all.entries()) {
          if (at % cut === 0) expect(rowsOfHistories(resumedDesk(desk, kept).desk)).toEqual(rowsOfHistories(desk))
          apply(desk.exchange, stream.next(intent), desk.sink)
        }
        expect(rowsOfHistories(resumedDesk(desk, kept).desk)).toEqual(rowsOfHistories(desk))
      },
    )
    fc.assert(law, { ...askedSeed(7), numRuns: askedRuns(200, 1, 5), endOnFailure: true })
  })

  test('are those of an uncut router after any resumptions, also if ended orders are forgotten', () => {
    let forgotten = 0
    const intents = fc.array(protectionIntents, { minLength: 60, maxLength: 90 })
    const law = fc.property(intents, fc.integer({ min: 20, max: 60 }), (all, cut) => {
      const { sent } = runProtections(all)
      const { config, setup, start } = headScenario()
      let kept = keptHistories()
      let desk = createDesk({ config, controls, methods, history: few, histories: kept.file }, kept.results)
      const uncut = createDesk({ config, controls, methods, history: few }, { emit: () => undefined })
      const requests = [...setup.map((each) => ({ ...each, session: 0, at: 0 })), ...sent]
      for (const [count, { at, method, account, session, params }] of requests.entries()) {
        const request = { time: micros(start + at), method, params, account, session }
        submit(uncut, request, null)
        submit(desk, request, null)
        if (count % cut > 0) continue
        ;({ desk, kept } = resumedDesk(desk, kept))
        expect(rowsOfHistories(desk)).toEqual(rowsOfHistories(uncut))
      }
      expect(rowsOfHistories(desk)).toEqual(rowsOfHistories(uncut))
      if (desk.history.isEndedCut) forgotten += 1
    })
    fc.assert(law, { ...askedSeed(8), numRuns: askedRuns(100, 1, 2), endOnFailure: true })
    expect(forgotten).toBeGreaterThan(0)
  })
})

describe('a snapshot of a router that keeps its log', () => {
  const { config, setup, start } = headScenario()

  function opened(): { readonly desk: Desk; readonly kept: ReturnType<typeof keptHistories> } {
    const kept = keptHistories()
    const desk = createDesk({ config, controls, methods, histories: kept.file }, kept.results)
    for (const { method, account, params } of setup) {
      submit(desk, { time: start, method, params, account, session: 0 }, null)
    }
    return { desk, kept }
  }

  test('is refused without the log', () => {
    const copy = restoreDesk(snapshotDesk(opened().desk), { emit: () => undefined }, { methods })
    expect(copy).toMatchObject({ ok: false, error: { expected: 'a section history', found: 'none' } })
  })

  test('contains all rows after sim/restore, because the log has rows of both branches', () => {
    const { desk, kept } = opened()
    const ask = (method: string): void => {
      submit(desk, { time: start, method, params: { name: 'a' }, account: null, session: 0 }, null)
    }
    ask('sim/snapshot')
    expect(rowsOfHistories(resumedDesk(desk, kept).desk)).toEqual(rowsOfHistories(desk))
    ask('sim/restore')
    const again = resumedDesk(desk, kept)
    expect(rowsOfHistories(again.desk)).toEqual(rowsOfHistories(desk))
    expect(rowsOfHistories(resumedDesk(again.desk, again.kept).desk)).toEqual(rowsOfHistories(desk))
    expect(restoreDesk(snapshotDesk(desk), { emit: () => undefined }, { methods }).ok).toBe(true)
  })
})
