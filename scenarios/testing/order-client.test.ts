/**
 * Compares an order manager with the exchange after random orders, edits and cancels. Each planted bug is found, shrunk
 * and written as a scenario that fails the same way.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatInputError, parseScenario, runScenario } from 'pitclock'
import { scenarioReporter } from 'pitclock/node'
import { fc, orderRequest, type RecordedVenue, recordVenue } from 'pitclock/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { type Changes, type Gateway, OrderClient, type PlacedReply } from './order-client.ts'
import { plantedBugs } from './planted-bugs.ts'

const guide = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8')
const instrument_name = 'BTC-PERPETUAL'
const market = {
  start: '2026-01-05T09:00:00Z',
  instruments: [instrument_name],
  index: { btc_usd: 50_000 },
  accounts: { client: { BTC: 10 }, other: { BTC: 10 } },
}

/** The result of an order or an edit. */
type Placed = Omit<PlacedReply, 'ok'>

/** Connects the client to the venue. If yours uses a socket, its connection is here. */
function gatewayOf(recorded: RecordedVenue): Gateway {
  const ask = (method: 'private/buy' | 'private/sell' | 'private/edit_by_label', params: object): PlacedReply => {
    const answer = recorded.send({ account: 'client', method, params: { instrument_name, ...params } })
    return answer?.ok ? { ok: true, ...(answer.result as Placed) } : { ok: false, trades: [] }
  }
  return {
    place: (label, { side, price, amount, reduceOnly, postOnly }) =>
      ask(`private/${side}`, {
        ...{ label, price, amount, reduce_only: reduceOnly },
        ...(postOnly ? { post_only: true, reject_post_only: true } : {}),
      }),
    edit: (label, amount, price) => ask('private/edit_by_label', { label, amount, price }),
    cancel: (label) => void recorded.send({ account: 'client', method: 'private/cancel_by_label', params: { label } }),
  }
}

const side = fc.constantFrom('buy' as const, 'sell' as const)
const price = fc.integer({ min: -4, max: 4 }).map((ticks) => 50_000 + ticks / 2)
const amount = fc.integer({ min: 1, max: 5 }).map((lots) => lots * 10)
/** The number of an open order, counted around. */
const target = fc.nat(3)

/** Orders, edits and cancels of the client, and orders of the rest of the market. They shrink toward few small orders. */
const actions = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('place' as const),
      order: fc.record({ side, price, amount, reduceOnly: fc.boolean(), postOnly: fc.boolean() }),
    }),
    fc.record({ kind: fc.constant('edit' as const), target, amount, price }),
    fc.record({ kind: fc.constant('cancel' as const), target }),
    fc.record({
      kind: fc.constant('other' as const),
      request: orderRequest({ instrument: instrument_name, accounts: ['other'], price: 50_000, spread: 4, lotsMax: 5 }),
    }),
  ),
  { maxLength: 20, size: 'max' },
)

/** The property: after each action, the client has the open orders and the position of the exchange. */
function agreesWithExchange(Client: typeof OrderClient): fc.IProperty<unknown> {
  return fc.property(actions, (list) => {
    const recorded = recordVenue(market)
    const account = recorded.venue.as('client')
    const client = new Client(gatewayOf(recorded))
    account.subscribe('user.changes.any.any.raw', ({ data }) => client.onChanges(data as Changes))
    for (const action of list) {
      const labels = [...client.open.keys()]
      const label = 'target' in action ? labels[action.target % labels.length] : undefined
      if (action.kind === 'place') client.place(action.order)
      else if (action.kind === 'other') recorded.send(action.request)
      else if (label === undefined) continue
      else if (action.kind === 'edit') client.edit(label, action.amount, action.price)
      else client.cancel(label)
      compare(client, recorded)
    }
  })
}

/** Fails with what the client believes. */
function compare({ open, position: size }: OrderClient, recorded: RecordedVenue): void {
  const account = recorded.venue.as('client')
  const listed = account.request('private/get_open_orders', {}).reply
  const believed = [...open].map(([label, { price: limit, amount: total, filled, averagePrice }]) => {
    return { label, price: limit, amount: total, filled_amount: filled, average_price: averagePrice }
  })
  const found = (listed.ok ? listed.result : []).map((order) => {
    const { label, price: limit, amount: total, filled_amount, average_price } = order
    return { label, price: limit, amount: total, filled_amount, average_price }
  })
  if (JSON.stringify(believed) !== JSON.stringify(found)) {
    recorded.fail('Wrong open orders', { accounts: { client: { open_orders: believed } } })
  }
  const held = account.request('private/get_position', { instrument_name }).reply
  if (!held.ok || held.result.size !== size) {
    recorded.fail('Wrong position', { accounts: { client: { positions: { [instrument_name]: { size } } } } })
  }
}

test('the client agrees with the exchange', () => {
  fc.assert(agreesWithExchange(OrderClient), { numRuns: 100, seed: 47 })
})

/** What the exchange has instead of the belief of each client. */
const differences: Readonly<Record<keyof typeof plantedBugs, string>> = {
  'counts fills of edits twice': 'positions.BTC-PERPETUAL.size: 20, not 10',
  'forgets reduce-only cancels': 'open_orders: a list of 2 items, not a list of 1',
  'keeps rejected orders': 'open_orders: a list of 1 item, not a list of 0',
  'loses fills of cancelled orders': 'positions.BTC-PERPETUAL.size: 0, not 10',
  'rounds average prices': 'open_orders.0.average_price: 50001, not 50000.5',
}

const home = mkdtempSync(join(tmpdir(), 'pitclock-failures-'))
afterAll(() => rmSync(home, { recursive: true }))

/** Finds a bug and returns the text of the scenario, the only file of a new folder. */
function scenarioOf(name: string, Client: typeof OrderClient): string {
  const dir = join(home, name)
  expect(() => {
    fc.assert(agreesWithExchange(Client), { numRuns: 1000, seed: 47, reporter: scenarioReporter({ dir }) })
  }).toThrow('The same run as a scenario: npx pitclock run')
  const [file = '', ...others] = readdirSync(dir)
  expect(others).toEqual([])
  return readFileSync(join(dir, file), 'utf8')
}

describe('a scenario shows the bug of a client that', () => {
  test.each(Object.entries(plantedBugs))('%s', (name, Client) => {
    const text = scenarioOf(name, Client)
    const scenario = parseScenario(text, name)
    if (!scenario.ok) throw new Error(scenario.error.map(formatInputError).join('\n'))
    expect(scenario.value.steps.length).toBeLessThanOrEqual(4)
    const { failures } = runScenario(scenario.value, {})
    const unmet = failures.map(({ path, expected, found }) => `${path}: ${expected}, not ${found}`)
    expect(unmet).toEqual([`expect.accounts.client.${differences[name]}`])
    // The guide of this folder shows one of the files.
    if (name === 'counts fills of edits twice') expect(`\n${guide}`).toContain(`\n${text}`)
  })
})
