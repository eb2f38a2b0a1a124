/**
 * The reference model of the property kit and the naive exchange of the tests agree. Neither knows the other or the
 * engine: a venue only translates the requests into commands for the naive exchange.
 */
import { describe, expect, test } from 'vitest'
import { defined, micros, parseIsoTime, sequence } from '../../src/core/index.ts'
import { defaultConfig, type Event, type InstrumentSpec, type OrderChanged } from '../../src/model/index.ts'
import { openVenue } from '../../src/program/index.ts'
import { commandOf, readRequest } from '../../src/rpc/desk/reading.ts'
import { orderIdOut, type RequestParams, submit } from '../../src/rpc/index.ts'
import {
  type ClientReply,
  type ClientRequest,
  createModel,
  fc,
  type ModelClient,
  modelCommands,
  modelMarket,
  type ReferenceModel,
} from '../../src/testing/index.ts'
import { amountOf } from '../../src/testing/order-requests.ts'
import { NaiveExchange } from '../support/naive-exchange.ts'
import { askedRuns, askedSeed } from '../support/property-runs.ts'

/** An order in the words of a reply. */
interface NaiveReply {
  readonly order_id: string
  readonly order_state: string
  readonly amount: number
  readonly filled_amount: number
  readonly price: number
}

/** The naive exchange as a client under test. */
class NaiveClient {
  readonly #venue = openVenue({ start: defined(modelMarket().start, 'the market has a start') })
  readonly #naive: NaiveExchange
  readonly #accounts: readonly string[]
  #requests = 0

  constructor() {
    const { start, instruments = [], index = {}, accounts = {} } = modelMarket()
    const parsed = parseIsoTime(start)
    this.#naive = new NaiveExchange(defaultConfig(parsed.ok ? parsed.value : micros(0)))
    this.#accounts = Object.keys(accounts)
    for (const instrument_name of instruments) this.#apply(null, 'sim/list_instrument', { instrument_name })
    for (const [index_name, price] of Object.entries(index)) this.#apply(null, 'sim/set_index', { index_name, price })
    for (const [account, deposits] of Object.entries(accounts)) {
      this.#apply(null, 'sim/create_account', { name: account })
      for (const [currency, amount] of Object.entries(deposits)) {
        this.#apply(null, 'sim/deposit', { account, currency, amount })
      }
    }
  }

  readonly ask: ModelClient = ({ account, method, params }: ClientRequest): ClientReply => {
    switch (method) {
      case 'private/get_open_orders':
        return { ok: true, result: this.#openOrders(account) }
      case 'private/get_position':
        return { ok: true, result: this.#position(account, String(nameOf(params))) }
      case 'private/get_account_summary': {
        const { currency } = params as { readonly currency: string }
        return { ok: true, result: { balance: Number(this.#naive.state.balance(this.#id(account), currency)) / 1e9 } }
      }
      default: {
        const events = this.#apply(account, method, params)
        if (events.some(({ kind }) => kind === 'refusal')) return { ok: false }
        const own = events.filter((event): event is OrderChanged => event.kind === 'order')
        const asked = own.filter(({ account: id }) => id === this.#id(account)).at(-1)
        const order = asked === undefined ? undefined : this.#shown(asked)
        return { ok: true, result: method === 'private/cancel' ? order : { order } }
      }
    }
  }

  /** The commands of a request go to the naive exchange. The venue takes the request too, so that it knows all ids. */
  #apply(account: string | null, method: string, params: RequestParams): readonly Event[] {
    const { desk, now: time } = this.#venue
    const request = { time, method, params, account, session: 0 }
    const read = readRequest(desk, request, undefined, null)
    this.#requests += 1
    const header = { time, sequence: sequence(this.#requests), account: read.account, session: 0, fault: read.fault }
    const events = [...this.#naive.apply(commandOf(read.body, header))]
    submit(desk, request, () => undefined)
    return events
  }

  #id(account: string): number {
    return this.#naive.state.accounts.findIndex(({ name }) => name === account)
  }

  #spec(instrument: number): InstrumentSpec {
    return defined(this.#naive.state.markets[instrument], 'the order has an instrument').spec
  }

  #shown(order: Pick<OrderChanged, 'order' | 'instrument' | 'state' | 'amount' | 'filled' | 'price'>): NaiveReply {
    const spec = this.#spec(order.instrument)
    const instrument = defined(this.#venue.exchange.instruments[order.instrument], 'both list it').instrument
    return {
      order_id: orderIdOut(instrument, order.order),
      order_state: order.state,
      amount: amountOf(spec, order.amount),
      filled_amount: amountOf(spec, order.filled),
      price: order.price / 1e9,
    }
  }

  #openOrders(account: string): readonly NaiveReply[] {
    return this.#naive.viewOrders(this.#id(account)).map((view) => {
      const { id, ...order } = view as unknown as OrderChanged & { readonly id: OrderChanged['order'] }
      return this.#shown({ ...order, order: id })
    })
  }

  #position(account: string, name: string): { readonly size: number; readonly size_currency: number } {
    const market = defined(
      this.#naive.state.markets.find(({ spec }) => spec.name === name),
      'the market is listed',
    )
    const size = amountOf(market.spec, 1) * Number(this.#naive.state.position(market, this.#id(account)).size)
    const shown = Number(size.toPrecision(12))
    return { size: shown, size_currency: shown }
  }
}

function nameOf(params: RequestParams): unknown {
  return params['instrument_name']
}

/** Runs the commands of the model against the naive exchange, and returns the number of fills. */
async function compareRuns(numRuns: number, change: (model: ReferenceModel) => void): Promise<number> {
  let fills = 0
  await fc.assert(
    fc.asyncProperty(modelCommands(), async (commands) => {
      const client = new NaiveClient().ask
      const state = createModel()
      change(state.model)
      await fc.asyncModelRun(() => ({ model: state, real: { client } }), commands)
      fills += state.model.fills
    }),
    { numRuns, ...askedSeed(47) },
  )
  return fills
}

const runs = askedRuns(1000, 1, 100)

test('the model and the naive exchange agree', async () => {
  expect(await compareRuns(runs, () => undefined)).toBeGreaterThan(runs / 4)
})

describe('the naive exchange refutes a model that', () => {
  const mistakes: Readonly<Record<string, (model: ReferenceModel) => void>> = {
    'ignores reduce-only': (model) => {
      const place = model.place.bind(model)
      model.place = (placement) => place({ ...placement, reduceOnly: false })
    },
    'gives a new price at the old one': (model) => {
      const edit = model.edit.bind(model)
      model.edit = (account, id, amount) => edit(account, id, amount, model.orders[id]?.price ?? 0)
    },
    'does not count fees': (model) => {
      model.feesPaid = () => 0
    },
  }

  test.each(Object.entries(mistakes))('%s', async (_, mistake) => {
    await expect(compareRuns(runs, mistake)).rejects.toThrow('Property failed')
  })
})
