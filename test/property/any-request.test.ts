/**
 * Law: no request causes an internal error. Every method is called with parameters that fit it, in markets that lack
 * something: no index, mark, book or last price; instruments that are closed, halted, delivered or never traded;
 * accounts that are locked or empty.
 *
 * The gate runs a seeded sample; PITCLOCK_WHOLE or PITCLOCK_RUNS run more, PITCLOCK_SEED another.
 */
import { expect, test } from 'vitest'
import { micros, type RandomStream, randomStream } from '../../src/core/index.ts'
import { audit } from '../../src/engine/index.ts'
import { methodNames, venueMethods } from '../../src/gateways/index.ts'
import { defaultConfig, sinkOf } from '../../src/model/index.ts'
import { createDesk, type Desk, type RequestParams, submit } from '../../src/rpc/index.ts'
import { methodParams } from '../../src/testing/index.ts'
import { askedRuns, askedSeed, isWhole } from '../support/property-runs.ts'

/** Instruments of each kind and payoff. Those of 5 January expire half an hour after the start. */
const families = {
  inverse: ['BTC-PERPETUAL', 'BTC-27MAR26', 'ETH-PERPETUAL', 'BTC-5JAN26'],
  linear: ['BTC_USDC-PERPETUAL', 'ETH_USDC-PERPETUAL', 'SOL_USDC-PERPETUAL', 'BTC_USDT-PERPETUAL'],
  spot: ['BTC_USDC', 'ETH_BTC', 'BTC_USDT', 'ETH_USDC'],
  options: ['BTC-27MAR26-60000-C', 'BTC-27MAR26-60000-P', 'BTC-5JAN26-60000-C'],
  linear_options: ['BTC_USDC-27MAR26-60000-C', 'BTC_USDC-27MAR26-60000-P'],
  combos: ['BTC-FS-27MAR26_PERP', 'BTC-STRD-27MAR26-60000', 'BTC_USDC-STRD-27MAR26-60000'],
} as const
const indices = ['btc_usd', 'eth_usd', 'btc_usdc', 'eth_usdc', 'sol_usdc', 'btc_usdt', 'eth_btc']
const margins = ['segregated_sm', 'segregated_pm', 'cross_sm', 'cross_pm']
const accounts = ['ann', 'bob', 'eve', 'kid']
const start = Date.UTC(2026, 0, 5, 7, 30) * 1000

/** They move the clock, replace the state or close the whole venue. */
const excluded = new Set(['sim/restore', 'sim/fork', 'sim/advance', 'sim/set_maintenance'])
const methods = methodNames.filter((name) => !excluded.has(name))
/** Called more often, because other methods need the orders, positions and prices that these create. */
const busy = [
  ...['private/buy', 'private/sell', 'private/edit', 'private/mass_quote', 'private/create_combo'],
  ...['private/create_block_rfq', 'private/add_block_rfq_quote', 'private/accept_block_rfq'],
  ...['private/verify_block_trade', 'private/execute_block_trade', 'private/move_positions'],
  ...['sim/give_position', 'sim/set_mark', 'sim/set_index', 'private/close_position'],
]

class Walk {
  readonly desk: Desk
  readonly answered = new Set<string>()
  private readonly random: RandomStream
  private time = start

  constructor(random: RandomStream) {
    this.random = random
    const config = { ...defaultConfig(micros(start)), priceBands: random.chance(1, 2) }
    this.desk = createDesk({ config, controls: true, methods: venueMethods }, sinkOf({}))
    for (const name of indices) {
      if (random.chance(1, 2)) continue
      const price = name === 'eth_btc' ? 0.05 : name.startsWith('btc') ? 50_000 : 3000
      this.ask(null, 'sim/set_index', { index_name: name, price })
    }
    for (const names of Object.values(families)) {
      for (const instrument_name of names) {
        if (random.chance(1, 3)) continue
        const queue = random.chance(1, 5) ? { queue: 'risk_averse' } : {}
        this.ask(null, 'sim/list_instrument', { instrument_name, ...queue })
      }
    }
    for (const name of accounts) {
      const main = name === 'kid' ? { main: 'ann' } : {}
      this.ask(null, 'sim/create_account', { name, margin_model: random.pick(margins), ...main })
      for (const currency of ['BTC', 'ETH', 'USDC', 'USDT']) {
        const amount = random.pick([0, 1, 1_000_000, 1_000_000])
        this.ask(null, 'sim/deposit', { account: name, currency, amount })
      }
      const role = { maker: true, maker_alias: name.toUpperCase(), taker_alias: `T${name}` }
      this.ask(null, 'sim/set_block_rfq_role', { account: name, ...role })
      this.ask(null, 'sim/set_permissions', { account: name, member: true, mass_quotes: true })
    }
  }

  step(): void {
    const { random, desk } = this
    const method = random.chance(1, 2) ? random.pick(busy) : random.pick(methods)
    this.time += random.pick([0, 0, 1, 1000, 1000, 1000, 100_000, 1_000_000, this.skip()])
    const account = /^(public|sim)\//.test(method) ? null : random.pick(accounts)
    const params = methodParams(method, desk, (count) => random.int(0, count - 1), random.pick([3, 8, 30, 30]))
    const sessions = [0, 0, ...desk.exchange.sessions.keys()]
    this.ask(account, method, params, method.startsWith('sim/direct/') ? random.pick(sessions) : 0)
  }

  /** Sometimes an hour, which passes an expiry but costs as much as hundreds of requests. */
  private skip(): number {
    return this.random.chance(1, 10) ? 3_600_000_000 : 1000
  }

  ask(account: string | null, method: string, params: RequestParams, session = 0): void {
    const { desk, answered } = this
    const request = { time: micros(this.time), method, params, account, session }
    try {
      submit(desk, request, ({ ok }) => {
        if (ok) answered.add(method)
      })
    } catch (error) {
      throw new Error(`${account} ${method} ${JSON.stringify(params)}`, { cause: error })
    }
  }
}

test('A2 legs of any two instruments in any ratio cause no internal error', () => {
  const walk = new Walk(randomStream(1, 'legs'))
  const names = Object.values(families).flat()
  for (const instrument_name of names) {
    walk.ask(null, 'sim/set_mark', { instrument_name, price: 1000 })
  }
  walk.answered.clear()
  const taker = 'ann'
  const amounts = [
    [100, 100],
    [100, 300],
    [200, 300],
  ] as const
  for (const one of names) {
    for (const two of names) {
      for (const [first, second] of amounts) {
        for (const direction of ['buy', 'sell']) {
          const legs = [
            { instrument_name: one, amount: first, direction: 'buy' },
            { instrument_name: two, amount: second, direction },
          ]
          for (const price of [-1000, 0, 1000]) {
            walk.ask(taker, 'private/get_leg_prices', { legs, price })
          }
          walk.ask(taker, 'private/create_combo', { trades: legs })
          const rfq = legs.map(({ amount, ...leg }) => ({ ...leg, ratio: amount / 100 }))
          walk.ask(taker, 'private/create_block_rfq', { legs: rfq, amount: 200_000 })
        }
      }
    }
  }
  expect([...walk.answered]).toEqual(expect.arrayContaining(['private/get_leg_prices', 'private/create_combo']))
})

test('A2 no request causes an internal error in a market without an index, a mark or a book', () => {
  const { seed = Date.now() } = askedSeed(1)
  const answered = new Set<string>()
  for (let run = 1; run <= askedRuns(2000, 1, 30); run += 1) {
    const walk = new Walk(randomStream(seed, `walk ${run}`))
    try {
      for (let step = 0; step < 80; step += 1) walk.step()
      audit(walk.desk.exchange)
    } catch (error) {
      throw new Error(`run ${run} of seed ${seed}`, { cause: error })
    }
    for (const name of walk.answered) answered.add(name)
  }
  if (!isWhole) return
  expect(answered.size).toBeGreaterThan(50)
  const reached = ['private/buy', 'private/create_block_rfq', 'private/verify_block_trade']
  expect([...answered]).toEqual(expect.arrayContaining([...reached, 'sim/give_position']))
})
