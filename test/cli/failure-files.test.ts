/**
 * Failures become scenarios that fail the same way when `pitclock run` runs them: of a law, of an expectation, of a
 * client that a model tests, and of a session of a server.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { amount } from '../../src/core/index.ts'
import { scenarioReporter } from '../../src/host/index.ts'
import { advanceRun, createRun, finishRun, formatInputError, parseScenario, type Venue } from '../../src/index.ts'
import type { RequestParams } from '../../src/rpc/index.ts'
import {
  createModel,
  fc,
  type ModelClient,
  modelCommands,
  modelMarket,
  recordVenue,
  venueClient,
} from '../../src/testing/index.ts'
import { pitclock, scratch } from '../support/built-program.ts'
import { serve } from '../support/served-program.ts'

const instrument_name = 'BTC-PERPETUAL'
const market = {
  start: '2026-01-05T09:00:00Z',
  instruments: [instrument_name],
  index: { btc_usd: 50_000 },
  accounts: { ann: { BTC: 1 }, bob: { BTC: 1 } },
}
const order = { instrument_name, amount: 10, price: 50_000 }
let home = ''
beforeAll(() => {
  home = scratch()
})
afterAll(() => rmSync(home, { recursive: true }))

/** The message and the file of the scenario that a failing property wrote. */
async function failureOf(property: fc.IAsyncProperty<unknown>): Promise<{ message: string; file: string }> {
  const reporter = scenarioReporter({ dir: home })
  const error: unknown = await Promise.resolve(fc.assert(property, { seed: 47, reporter })).catch((thrown) => thrown)
  const { message } = error as Error
  return { message, file: /npx pitclock run (\S+)$/.exec(message)?.[1] ?? '' }
}

/** Runs a scenario like a user, and returns its unmet expectations. */
function unmetOf(file: string): readonly string[] {
  const { code, err } = pitclock(['run', '--quiet', file])
  expect(code).toBe(1)
  return err.trim().split('\n')
}

test('a law: the scenario with the same defect breaks the same law', async () => {
  // The deposits are counted wrong after a trade.
  const plant = ({ desk }: Pick<Venue, 'desk'>): void => void desk.history.deposited.set('BTC', amount(1n))
  const property = fc.asyncProperty(fc.constant(0), async () => {
    const recorded = recordVenue(market)
    recorded.send({ account: 'ann', method: 'private/buy', params: order })
    recorded.send({ account: 'bob', method: 'private/sell', params: order })
    plant(recorded.venue)
    recorded.checkLaws()
  })
  const { message, file } = await failureOf(property)
  const scenario = parseScenario(readFileSync(file, 'utf8'), file)
  if (!scenario.ok) throw new Error(scenario.error.map(formatInputError).join('\n'))
  const run = createRun(scenario.value, {})
  advanceRun(run, 1000)
  plant(run)
  const { failures } = finishRun(run)
  expect(failures.map(({ path }) => path)).toEqual(['expect.laws'])
  expect(message).toContain(failures[0]?.found)
})

test('an expectation', async () => {
  const property = fc.asyncProperty(fc.integer({ min: 1, max: 5 }), async (lots) => {
    const recorded = recordVenue(market)
    recorded.send({ account: 'ann', method: 'private/buy', params: { ...order, amount: 10 * lots } })
    recorded.send({ account: 'bob', method: 'private/sell', params: { ...order, amount: 20 } })
    const { reply } = recorded.venue.as('ann').request('private/get_position', { instrument_name })
    const size = 10 * lots
    if (reply.ok && reply.result.size === size) return
    recorded.fail('Wrong size', { accounts: { ann: { positions: { [instrument_name]: { size } } } } })
  })
  const { file } = await failureOf(property)
  expect(unmetOf(file)).toEqual([
    `error: ${file}:13:66: expect.accounts.ann.positions.BTC-PERPETUAL.size: expected 30, found 20`,
  ])
})

test('a client that a model tests', async () => {
  const doubled = (client: ModelClient): ModelClient => {
    return async (request) => {
      if (request.method === 'private/buy') await client(request)
      return client(request)
    }
  }
  const property = fc.asyncProperty(modelCommands(), async (commands) => {
    const recorded = recordVenue(modelMarket())
    const client = doubled(venueClient(recorded))
    await fc.asyncModelRun(() => ({ model: createModel(), real: { client, recorded } }), commands)
  })
  const { message, file } = await failureOf(property)
  const [first = '', ...others] = unmetOf(file)
  expect(message).toContain('open orders of ann: expected')
  expect(first).toContain('expect.accounts.ann.open_orders')
  expect(others).toEqual([])
})

test('a session of a server: its journal becomes a scenario without what a restore took back', async () => {
  const served = join(home, 'market.json')
  const accounts = { ann: { deposit: { BTC: 1 } }, bob: { deposit: { BTC: 1 } } }
  writeFileSync(served, JSON.stringify({ version: 1, title: 'Served', ...market, accounts }))
  const out = join(home, 'live')
  const server = await serve([served, '--clock', 'stepped', '--out', out])
  const ask = async (account: string, method: string, params: RequestParams): Promise<{ order_id?: string }> => {
    const reply = await fetch(server.ready.url, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`${account}:${account}-secret`)}` },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result } = (await reply.json()) as { readonly result?: { readonly order?: { order_id?: string } } }
    return result?.order ?? {}
  }
  await ask('sim', 'sim/snapshot', { name: 'start' })
  await ask('sim', 'sim/advance', { by: '5s' })
  await ask('bob', 'private/buy', { ...order, label: 'taken back' })
  await ask('sim', 'sim/restore', { name: 'start' })
  const { order_id = '' } = await ask('ann', 'private/buy', order)
  await ask('sim', 'sim/advance', { by: '1s' })
  await ask('bob', 'private/sell', { ...order, price: 50_010 })
  await ask('bob', 'private/sell', { ...order, amount: 5 })
  await ask('ann', 'private/cancel', { order_id })
  server.child.kill('SIGINT')
  expect((await server.ended).code).toBe(0)

  const believed = '{ accounts: { ann: { open_orders: [{ amount: 10 }] } } }'
  const exported = pitclock(['export', out, '--format', 'scenario', '--title', 'Lost cancel', '--expect', believed])
  expect(exported).toMatchObject({ code: 0, err: '' })
  expect(exported.out).toContain('title: "Lost cancel"')
  expect(exported.out).not.toContain('taken back')
  expect(exported.out).toContain('save: { order_1: result.order.order_id }')
  expect(exported.out).toMatch(/at: 1000000us, as: bob, .*amount: 5, .*expect: \{ error: \{ code: \d+ \} \}/)
  const file = join(home, 'lost-cancel.yaml')
  writeFileSync(file, exported.out)
  const line = exported.out.split('\n').length - 1
  expect(unmetOf(file)).toEqual([
    `error: ${file}:${line}:43: expect.accounts.ann.open_orders: expected a list of 1 item, found a list of 0`,
  ])
  // Its own requests repeat.
  const same = pitclock(['export', join(out, 'journal.jsonl'), '--format', 'scenario', '--expect', '{ laws: hold }'])
  writeFileSync(file, same.out)
  expect(pitclock(['run', '--quiet', file])).toMatchObject({ code: 0, err: '' })
})

test.each<readonly [string, readonly string[], number, string]>([
  ['an unknown account', ['--format', 'scenario', '--expect', '{ accounts: { eve: {} } }'], 3, 'expect.accounts.eve'],
  ['--expect without a scenario', ['--expect', '{}'], 2, 'expected --format scenario, found --format parquet'],
  ['--out with a scenario', ['--format', 'scenario', '--out', 'x'], 2, 'a scenario goes to stdout'],
])('export refuses %s', (_, args, code, words) => {
  const out = join(home, 'plain')
  pitclock(['run', 'scenarios/orders/post-only-slides.yaml', '--out', out, '--force'])
  const refused = pitclock(['export', out, ...args])
  expect(refused.code).toBe(code)
  expect(refused.err).toContain(words)
})

test('export refuses the journal of a run with recorded files', () => {
  const out = join(home, 'fed')
  pitclock(['run', 'scenarios/backtest/off-book-prints.yaml', '--out', out, '--force'])
  const refused = pitclock(['export', out, '--format', 'scenario'])
  expect(refused.code).toBe(3)
  expect(refused.err).toContain('expected a run without recorded files')
})
