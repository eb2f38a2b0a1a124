/**
 * A run that is saved while a reply is pending behind the speed bump: after the restore, the step or the saved value
 * gets the reply once and at its time.
 */
import { describe, expect, test } from 'vitest'
import { nodeSha256 } from '../../../src/host/index.ts'
import { createResultsSink, restoreResultsSink } from '../../../src/results/index.ts'
import {
  advanceRun,
  closeRun,
  createRun,
  finishRun,
  type RunHooks,
  restoreRun,
  snapshotRun,
} from '../../../src/scenario/index.ts'
import { sound } from './documents.ts'

const digesting = { sha256: nodeSha256, onBlock: null }
const order = 'instrument_name: ETH-27MAR26, amount: 100'
const text = (price: number): string => `version: 1
title: A taker waits, and a later step names its order
start: 2026-01-05T09:00:00Z
instruments: [ETH-27MAR26]
index: { eth_usd: 4000 }
accounts: { maker: { deposit: { ETH: 100 } }, taker: { deposit: { ETH: 100 } } }
steps:
  - { at: 0ms, as: maker, call: private/buy, params: { ${order}, price: 3990 } }
  - at: 1ms
    as: taker
    call: private/sell
    params: { ${order}, price: 3990 }
    save: { order: result.order.order_id, at: result.order.last_update_timestamp }
    expect: { result: { order: { filled_amount: 100, average_price: ${price} } } }
  - { at: 2ms, as: maker, call: private/get_open_orders, expect: { result: [{ filled_amount: 0 }] } }
  - { at: 5ms, call: public/get_time }
  - { at: 15ms, call: public/get_time }
  - { at: 20ms, as: taker, call: private/get_order_state, params: { order_id: $order }, expect: { result: { order_state: filled, last_update_timestamp: $at } } }
`

interface Outcome {
  readonly digest: string
  readonly failures: readonly string[]
  /** Replies by sequence with the microsecond of their coming. */
  readonly replies: readonly string[]
  /** How often the run was cut while a reply was pending. */
  readonly waited: number
}

function outcomeOf(source: string, isCut: boolean): Outcome {
  const scenario = sound(source)
  const replies: string[] = []
  let results = createResultsSink(digesting)
  const hooks = (): RunHooks => ({
    sink: results,
    onReply: (request, { sequence, usOut }) =>
      void replies.push(`${sequence} ${request.method} ${usOut - scenario.start}`),
  })
  let run = createRun(scenario, hooks())
  let waited = 0
  while (advanceRun(run, 1) === 'more') {
    if (!isCut) continue
    waited += run.desk.pending.size
    const bytes = snapshotRun(run)
    const rows = restoreResultsSink(results.snapshot(), digesting)
    if (!bytes.ok || !rows.ok) throw new Error('a run between two things has a snapshot')
    results = rows.value
    const parts = { market: null, seats: null }
    const restored = restoreRun(bytes.value, scenario, { hooks: hooks(), parts })
    if (!restored.ok) throw new Error(restored.error)
    run = restored.value
  }
  const { failures } = finishRun(run)
  const { digest } = closeRun(run, results)
  return { digest, failures: failures.map(({ found }) => found ?? ''), replies, waited }
}

describe('R64 a run that is cut while a reply is pending behind the speed bump', () => {
  test('R64 delivers it to its step, which saves and expects, at its time and once', () => {
    const whole = outcomeOf(text(3990), false)
    const cut = outcomeOf(text(3990), true)
    expect(whole.failures).toEqual([])
    expect(whole.replies.filter((reply) => reply.includes('private/sell'))).toEqual([
      expect.stringMatching(/ private\/sell 11000$/),
    ])
    expect(cut.waited).toBeGreaterThanOrEqual(2)
    expect(cut).toEqual({ ...whole, waited: cut.waited })
  })

  test('R64 still finds that it is not as expected', () => {
    const cut = outcomeOf(text(3991), true)
    expect(cut.failures).toEqual(['3990'])
    expect(cut).toEqual({ ...outcomeOf(text(3991), false), waited: cut.waited })
  })
})
