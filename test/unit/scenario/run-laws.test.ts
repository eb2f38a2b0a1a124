/** `expect: { laws: hold }` checks the laws of each event of the run, also after the run is restored. */
import { afterEach, expect, test, vi } from 'vitest'
import { coded } from '../../../src/core/index.ts'
import {
  advanceRun,
  createRun,
  finishRun,
  parseScenario,
  restoreRun,
  type Scenario,
  snapshotRun,
} from '../../../src/index.ts'
import { createRunLaws, EventLaws, type RunError, recordVenue, scenarioText } from '../../../src/testing/index.ts'

const market = `version: 1
title: Orders
start: 2026-01-05T09:00:00Z
instruments: [BTC-PERPETUAL]
index: { btc_usd: 50000 }
accounts: { ann: { deposit: { BTC: 1 } } }
`
const order = 'as: ann, call: private/buy, params: { instrument_name: BTC-PERPETUAL, amount: 10, price: 49000 }'
const cancel = 'as: ann, call: private/cancel_all'
const hold = 'expect: { laws: hold }\n'

function scenarioOf(...steps: readonly string[]): Scenario {
  const text = `${market}steps:\n${steps.map((step, at) => `  - { at: ${at}ms, ${step} }\n`).join('')}${hold}`
  const parsed = parseScenario(text, 'laws.yaml')
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error))
  return parsed.value
}

function failuresOf(scenario: Scenario): readonly string[] {
  const run = createRun(scenario, { laws: createRunLaws })
  advanceRun(run, Number.POSITIVE_INFINITY)
  return finishRun(run).failures.map(({ path, found }) => `${path}: ${found}`)
}

/** Plants a violation: each cancelled order breaks a law. */
function plant(): void {
  const emit = EventLaws.prototype.emit
  vi.spyOn(EventLaws.prototype, 'emit').mockImplementation(function (this: EventLaws, event) {
    if (event.kind === 'order' && event.change === 'cancelled') throw coded(new RangeError('planted: a cancel'), 'LAW')
    emit.call(this, event)
  })
}

afterEach(() => {
  vi.restoreAllMocks()
})

test('a violation is one failure of the file, and a lawful run has none', () => {
  const scenario = scenarioOf(order, cancel, order, cancel)
  expect(failuresOf(scenario)).toEqual([])
  plant()
  expect(failuresOf(scenario)).toEqual(['expect.laws: planted: a cancel'])
  expect(failuresOf({ ...scenario, laws: null })).toEqual([])
})

test('the scenario of a recorded violation fails in the same way', () => {
  plant()
  const recorded = recordVenue({
    start: '2026-01-05T09:00:00Z',
    instruments: ['BTC-PERPETUAL'],
    index: { btc_usd: 50_000 },
    accounts: { ann: { BTC: 1 } },
  })
  const send = (method: 'private/buy' | 'private/cancel_all', params = {}): unknown =>
    recorded.send({ account: 'ann', method, params })
  send('private/buy', { instrument_name: 'BTC-PERPETUAL', amount: 10, price: 49_000 })
  let text = ''
  try {
    send('private/cancel_all')
  } catch (error) {
    text = scenarioText((error as RunError).run)
  }
  const parsed = parseScenario(text, 'recorded.yaml')
  expect(parsed.ok && failuresOf(parsed.value)).toEqual(['expect.laws: planted: a cancel'])
})

test('a restored run continues the checks and keeps an earlier violation', () => {
  const scenario = scenarioOf(order, cancel, order, cancel)
  const parts = { market: null, seats: null }
  const cut = (steps: number): readonly string[] => {
    const run = createRun(scenario, { laws: createRunLaws })
    advanceRun(run, steps)
    const saved = snapshotRun(run)
    if (!saved.ok) throw new Error(saved.error)
    const restored = restoreRun(saved.value, scenario, { hooks: { laws: createRunLaws }, parts })
    if (!restored.ok) throw new Error(restored.error)
    advanceRun(restored.value, Number.POSITIVE_INFINITY)
    return finishRun(restored.value).failures.map(({ found }) => found)
  }
  const setup = scenario.setup.length
  expect([1, 2, 3].map((steps) => cut(setup + steps))).toEqual([[], [], []])
  plant()
  expect(cut(setup + 1)).toEqual(['planted: a cancel'])
  expect(cut(setup + 3)).toContain('planted: a cancel')
})

test('the checks of events end at sim/restore', () => {
  const keep = (method: string): string => `call: sim/${method}, params: { name: here }`
  const scenario = scenarioOf(keep('snapshot'), order, keep('restore'), order, cancel)
  expect(failuresOf(scenario)).toEqual([])
})
