/** A shrunk failure becomes a scenario file that fails in the same way, and the message names the command. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { amount } from '../../../src/core/index.ts'
import { scenarioReporter } from '../../../src/host/index.ts'
import { formatInputError, parseScenario, runScenario } from '../../../src/index.ts'
import {
  type FailedRun,
  fc,
  type RunError,
  recordVenue,
  scenarioText,
  traffic,
  trafficMarket,
} from '../../../src/testing/index.ts'

const space = { instrument: 'BTC-PERPETUAL', accounts: ['ann', 'bob'], price: 50_000, spread: 20, lotsMax: 100 }
const dir = mkdtempSync(join(tmpdir(), 'pitclock-reporter-'))
afterAll(() => rmSync(dir, { recursive: true }))

/** The failures of a scenario, as `path: expected, found`. */
function failuresOf(text: string): readonly string[] {
  const scenario = parseScenario(text, 'failure.yaml')
  if (!scenario.ok) throw new Error(scenario.error.map(formatInputError).join('\n'))
  const { failures } = runScenario(scenario.value, {})
  return failures.map(({ path, expected, found }) => `${path}: ${expected}, ${found}`)
}

test('a client that believes in a wrong position gives a file that fails with both sizes', () => {
  const property = fc.property(traffic({ ...space, families: ['order'] }), (requests) => {
    const recorded = recordVenue(trafficMarket(space))
    let believed = 0
    for (const request of requests) {
      const answer = recorded.send(request)
      // The client counts its order as filled at once.
      if (request.account === 'ann' && request.method === 'private/buy' && answer?.ok) believed += 10
    }
    const { reply } = recorded.venue.as('ann').request('private/get_position', { instrument_name: space.instrument })
    if (reply.ok && reply.result.size === believed) return
    const positions = { [space.instrument]: { size: believed } }
    recorded.fail('The client has a wrong position', { accounts: { ann: { positions } } })
  })
  const found = ((): unknown => {
    try {
      fc.assert(property, { seed: 1, reporter: scenarioReporter({ dir: join(dir, 'new') }) })
    } catch (error) {
      return error
    }
    return undefined
  })()
  const file = join(dir, 'new', 'the-client-has-a-wrong-position.yaml')
  expect(readdirSync(join(dir, 'new')).map((name) => join(dir, 'new', name))).toEqual([file])
  expect(found).toMatchObject({ code: 'EXPECTATION', message: expect.stringContaining(`npx pitclock run ${file}`) })
  expect(failuresOf(readFileSync(file, 'utf8'))).toEqual(['expect.accounts.ann.positions.BTC-PERPETUAL.size: 10, 0'])
})

test('a property that holds writes nothing, and another error has no file', () => {
  const reporter = scenarioReporter({ dir: join(dir, 'none') })
  fc.assert(
    fc.property(fc.nat(), () => undefined),
    { reporter },
  )
  const failing = fc.property(fc.nat(), (number) => {
    if (number > 3) throw new Error('too large')
  })
  expect(() => fc.assert(failing, { seed: 1, reporter })).toThrow(/too large\n\{ seed: 1, path: ".*" \}$/)
  expect(readdirSync(dir)).not.toContain('none')
})

test('another failure with the same title gets a number, and the same failure keeps its file', () => {
  const reporter = scenarioReporter({ dir: join(dir, 'same') })
  const report = (balance: number): void => {
    const property = fc.property(fc.constant(balance), () => {
      const expectation = { accounts: { ann: { account_summary: { BTC: { balance } } } } }
      recordVenue(trafficMarket(space)).fail('Wrong balance', expectation)
    })
    fc.assert(property, { seed: 1, reporter })
  }
  const names = [1, 2, 1, 3, 2].map((balance) => {
    try {
      report(balance)
    } catch (error) {
      return /same\/(\S+)$/.exec((error as Error).message)?.[1]
    }
    return 'none'
  })
  const [first, second, third] = ['wrong-balance.yaml', 'wrong-balance-2.yaml', 'wrong-balance-3.yaml']
  expect(names).toEqual([first, second, first, third, second])
  expect(readdirSync(join(dir, 'same')).sort()).toEqual([second, third, first].sort())
  expect(readFileSync(join(dir, 'same/wrong-balance-2.yaml'), 'utf8')).toContain('balance: 2')
})

/** The run of a recorded venue that failed. */
function runOf(work: () => void): FailedRun {
  try {
    work()
  } catch (error) {
    return (error as RunError).run
  }
  throw new Error('the work fails')
}

test('a broken law states that the laws hold', () => {
  const recorded = recordVenue(trafficMarket(space))
  recorded.venue.desk.history.deposited.set('BTC', amount(1n))
  const run = runOf(() => recorded.checkLaws())
  expect(run.title).toContain('money is conserved: expected 0.000000001 BTC')
  expect(scenarioText(run)).toContain('expect: { laws: hold }')
  // The defect was in the memory of this process.
  expect(failuresOf(scenarioText(run))).toEqual([])
})

test('ids of orders become saved values, and every sequence of traffic can be written and runs the same way', () => {
  const recorded = recordVenue({ ...trafficMarket(space), config: { priceBands: false } })
  const order = { instrument_name: space.instrument, amount: 10, price: 49_000, label: '$1' }
  recorded.send({ account: 'ann', method: 'private/buy', params: order })
  // The label equals the id of an order.
  recorded.send({ account: 'ann', method: 'private/buy', params: { ...order, label: '1', price: 48_000 } })
  recorded.send({ account: 'ann', method: 'private/buy', params: { ...order, amount: 5 } })
  recorded.send({ after: '5ms', account: 'ann', method: 'private/cancel', params: { order_id: '@order:0' } })
  const text = scenarioText(runOf(() => recorded.fail('Cancelled', {})))
  expect(text).toContain('label: "$$1" }, save: { order_1: result.order.order_id } }')
  expect(text).toContain('call: private/cancel, params: { order_id: $order_1 } }')
  expect(text).toContain('label: "1" } }')
  expect(text).toContain('amount: 5, price: 49000, label: "$$1" }, expect: { error: { code: ')
  expect(text).toContain('price_bands')
  expect(failuresOf(text)).toEqual([])
  for (const requests of fc.sample(traffic({ ...space, sequencesMax: 30 }), { numRuns: 5, seed: 2 })) {
    const whole = recordVenue(trafficMarket(space))
    for (const request of requests) whole.send(request)
    const { reply } = whole.venue.as('ann').request('private/get_account_summary', { currency: 'BTC' })
    const balance = reply.ok ? reply.result.balance : -1
    const expectation = { accounts: { ann: { account_summary: { BTC: { balance } } } } }
    // Refused requests of the run are refused again.
    expect(failuresOf(scenarioText(runOf(() => whole.fail('Traffic', expectation))))).toEqual([])
  }
})
