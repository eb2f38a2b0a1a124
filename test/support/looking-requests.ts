/**
 * Random requests for the law that reading changes nothing: orders around the marks of a few instruments, controls that
 * change the inputs of derived values, and sometimes any other method of the table.
 */
import { micros, type RandomStream } from '../../src/core/index.ts'
import { findMethod, methodNames } from '../../src/gateways/index.ts'
import { defaultConfig, instrumentStates } from '../../src/model/index.ts'
import type { VenueOptions } from '../../src/program/index.ts'
import { type Desk, orderIdOut, type RequestParams, type VenueRequest } from '../../src/rpc/index.ts'
import { methodParams } from '../../src/testing/index.ts'

/** The start is shortly before 08:00; instruments expire then and a day later. */
export const lookedVenue: Omit<VenueOptions, 'sink'> = {
  start: '2026-01-05T07:40:00Z',
  instruments: [
    ...['BTC-PERPETUAL', 'BTC-27MAR26', 'BTC-5JAN26', 'ETH-PERPETUAL', 'BTC_USDC-PERPETUAL'],
    ...['BTC-5JAN26-50000-C', 'BTC-27MAR26-55000-P', 'BTC-27MAR26-45000-P', 'BTC_USDC'],
    ...['BTC_USDC-5JAN26-50000-C', 'BTC_USDC-6JAN26-50000-P', 'SOL_USDC-PERPETUAL'],
  ],
  index: { btc_usd: 50_000, eth_usd: 3_000, btc_usdc: 50_000, sol_usdc: 200 },
  config: { liquidation: { ...defaultConfig(micros(0)).liquidation, enabled: true } },
}

/** Legs of combos. */
const combos = [
  ['BTC-27MAR26', 'BTC-PERPETUAL'],
  ['BTC-27MAR26', 'BTC-5JAN26'],
  ['BTC-27MAR26-55000-P', 'BTC-27MAR26-45000-P'],
] as const

/** Accounts of every margin model, one with little money and one with a subaccount. */
const setUp: readonly (readonly [method: string, params: RequestParams])[] = [
  ...(['segregated_sm', 'cross_sm', 'segregated_pm', 'cross_pm'] as const).map(
    (margin_model) => ['sim/create_account', { name: margin_model, margin_model }] as const,
  ),
  ['sim/create_account', { name: 'sub', main: 'segregated_sm' }],
  ['sim/create_account', { name: 'poor' }],
  ...(['segregated_sm', 'cross_sm', 'segregated_pm', 'cross_pm', 'sub'] as const).flatMap((account) =>
    (['BTC', 'ETH', 'USDC'] as const).map(
      (currency) => ['sim/deposit', { account, currency, amount: currency === 'USDC' ? 2e6 : 60 }] as const,
    ),
  ),
  ['sim/deposit', { account: 'poor', currency: 'BTC', amount: 0.05 }],
]

/** Methods that end a run, replace its state, or need a connection. */
const excluded = /^sim\/(snapshot|restore|fork|stop_feeds|advance|connect|log_access)$|subscribe/

const others = methodNames.filter((name) => !excluded.test(name) && findMethod(name)?.command !== 'query')

const ticks = [0.0001, 0.0005, 0.001, 0.01, 0.1, 0.5, 1, 2.5, 5, 10, 50, 100]
const steps = [0.0001, 0.1, 0.5, 1, 5, 10, 20, 100, 1000]
const second = 1_000_000
const waits = [0, 0, 0, 1, 1_000, second, 5 * second, 60 * second, 600 * second, 7_200 * second]

/** Generates requests for a desk, one after the other. */
export class LookingRequests {
  private readonly desk: Desk
  private readonly chance: RandomStream
  private count = 0

  constructor(desk: Desk, chance: RandomStream) {
    this.desk = desk
    this.chance = chance
  }

  next(): VenueRequest {
    const opening = setUp[this.count]
    this.count += 1
    if (opening !== undefined) return this.asked(null, opening[0], opening[1])
    const { chance } = this
    const name = this.instrument()
    switch (chance.int(0, 19)) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4:
      case 5:
      case 6:
        return this.order(name)
      case 7:
      case 8:
        return this.rescale(name)
      case 9:
      case 10: {
        const [index, price] = chance.pick([...this.desk.exchange.indices]) ?? []
        const moved = (price?.price ?? 1e9) * (1 + chance.int(-60, 60) / 1000)
        return this.asked(null, 'sim/set_index', {
          ...{ index_name: index ?? 'btc_usd', price: rounded(moved / 1e9, 1e-4) },
        })
      }
      case 11:
      case 12: {
        const price = chance.chance(1, 3) ? {} : { price: this.around(name, 40) }
        return this.asked(null, 'sim/set_mark', { instrument_name: name, ...price })
      }
      case 13: {
        const state = chance.chance(2, 3) ? 'open' : chance.pick(instrumentStates)
        return this.asked(null, 'sim/set_instrument_state', { instrument_name: name, state })
      }
      case 14: {
        const size = { amount: this.amountOf(name), price: this.around(name, 5) }
        return this.asked(null, 'sim/give_position', {
          ...{ account: this.account(), instrument_name: name },
          ...{ ...size, amount: chance.chance(1, 2) ? size.amount : -size.amount },
        })
      }
      case 15:
        return this.asked(null, 'sim/set_index_outage', {
          ...{ index_name: chance.pick([...this.desk.exchange.indices.keys()]) },
          active: chance.chance(1, 4),
        })
      case 16:
        return this.asked(this.account(), 'private/create_combo', {
          trades: chance.pick(combos).map((instrument_name, at) => ({
            ...{ instrument_name, amount: 10, direction: at === 0 ? 'buy' : 'sell' },
          })),
        })
      case 17:
        return this.edit()
      default:
        return this.other()
    }
  }

  private asked(account: string | null, method: string, params: RequestParams): VenueRequest {
    const isOpening = this.count <= setUp.length
    const wait = isOpening ? 0 : this.chance.pick(waits)
    // Times of the exchange are valid times of requests.
    return { time: (this.desk.exchange.now + wait) as never, method, params, account, session: 0 }
  }

  private order(name: string): VenueRequest {
    const { chance } = this
    const type = chance.pick(['limit', 'limit', 'limit', 'market', 'stop_limit', 'stop_market'])
    const isOption = /-[CP]$/.test(name)
    const advanced = isOption && chance.chance(1, 5) ? chance.pick(['usd', 'implv']) : null
    const stop = type.startsWith('stop')
    return this.asked(this.account(), chance.pick(['private/buy', 'private/sell']), {
      ...{ instrument_name: name, amount: this.amountOf(name), type },
      ...(type.endsWith('limit') ? { price: this.around(name, 15) } : {}),
      ...(stop ? { trigger: 'mark_price', trigger_price: this.around(name, 4) } : {}),
      ...(advanced === null || stop ? {} : { advanced, price: chance.int(20, 900) }),
      ...(chance.chance(1, 6) ? { reduce_only: true } : {}),
    })
  }

  private edit(): VenueRequest {
    const orders = [...this.desk.history.orders.values()].slice(-12)
    const order = orders.length === 0 ? undefined : this.chance.pick(orders)
    const row = order === undefined ? undefined : this.desk.exchange.instruments[order.instrument]
    if (order === undefined || row === undefined) return this.other()
    const { name } = row.instrument
    const owner = this.desk.exchange.accounts[order.account]?.account.name ?? null
    return this.asked(owner, this.chance.pick(['private/edit', 'private/edit', 'private/cancel']), {
      order_id: orderIdOut(row.instrument, order.order),
      ...{ amount: this.amountOf(name), price: this.around(name, 15) },
    })
  }

  private rescale(name: string): VenueRequest {
    const { chance } = this
    const tick = chance.chance(3, 4) ? { tick_size: chance.pick(ticks) } : {}
    const step = chance.chance(1, 4) ? { amount_step: chance.pick(steps) } : {}
    return this.asked(null, 'sim/rescale', { instrument_name: name, ...tick, ...step })
  }

  private other(): VenueRequest {
    const name = this.chance.pick(others)
    const params = methodParams(name, this.desk, (count) => this.chance.int(0, count - 1))
    const who = name.startsWith('private/') ? this.account() : null
    return this.asked(who, name, { ...params, ...this.accountsOf(params) })
  }

  /** Fills in names of accounts for a control. */
  private accountsOf(params: RequestParams): RequestParams {
    return 'account' in params ? { account: this.account() } : {}
  }

  private account(): string {
    const users = this.desk.exchange.accounts.filter(({ account }) => !account.house)
    return this.chance.pick(users).account.name
  }

  private instrument(): string {
    const { instruments } = this.desk.exchange
    const live = instruments.filter(({ deliveredAt }) => deliveredAt === null)
    return this.chance.pick(this.chance.chance(1, 12) ? instruments : live).instrument.name
  }

  private amountOf(name: string): number {
    const row = this.desk.exchange.instruments.find(({ instrument }) => instrument.name === name)
    const step = (row?.instrument.amountStep9 ?? 1e9) / 1e9
    const least = (row?.instrument.minTradeLots ?? 1) * step
    return rounded(least * this.chance.int(1, 30), step)
  }

  /** A price on the listed grid, at most `most` thousandths away from the mark. */
  private around(name: string, most: number): number {
    const row = this.desk.exchange.instruments.find(({ instrument }) => instrument.name === name)
    const tick = (row?.instrument.tick9 ?? 1e9) / 1e9
    const mark = (row?.mark ?? 1e9) / 1e9
    const far = this.chance.int(-most, most) / 1000
    return Math.max(tick, rounded(mark * (1 + far), tick))
  }
}

/** The nearest multiple of a decimal step, as the double that its decimal text gives. */
function rounded(value: number, step: number): number {
  return Number((Math.round(value / step) * step).toFixed(9))
}
