/**
 * fast-check commands that send the same requests to the reference model and to a client, and compare what the client
 * reports: replies to orders, open orders, positions and balances.
 */
import fc from 'fast-check'
import { assert, checkArgument, checkOptions, coded, micros, type OptionKinds } from '../../core/index.ts'
import { type InstrumentSpec, specFromName } from '../../model/index.ts'
import type { ScenarioExpectation, VenueOptions } from '../../program/index.ts'
import type { RequestParams } from '../../rpc/index.ts'
import { amountOf, priceInQuote } from '../order-requests.ts'
import type { RecordedVenue } from '../recorded-venue.ts'
import { type ModelContract, type ModelOrder, ReferenceModel } from './reference-model.ts'

/** A request to a client. */
export interface ClientRequest {
  readonly account: string
  readonly method:
    | 'private/buy'
    | 'private/sell'
    | 'private/cancel'
    | 'private/edit'
    | 'private/get_open_orders'
    | 'private/get_position'
    | 'private/get_account_summary'
  readonly params: RequestParams
}

/** The reply of a client: a result in the words of the venue, or an error. */
export interface ClientReply {
  readonly ok: boolean
  readonly result?: unknown
}

/** A client under test. */
export type ModelClient = (request: ClientRequest) => ClientReply | Promise<ClientReply>

/** Both sides of a run: the client, and what the commands remember about it. */
export interface ModelRun {
  readonly client: ModelClient
  /** The venue behind the client. With it, a failure becomes a scenario. */
  readonly recorded?: RecordedVenue
}

/** Constraints of the commands of a model. */
export interface ModelSpace {
  /** Names of accounts. Default: `ann` and `bob`. */
  readonly accounts?: readonly string[]
  /** The middle price in USD. Default: 50,000. */
  readonly price?: number
  /** Largest distance of prices from the middle, in ticks. Default: 5. */
  readonly spread?: number
  /** Largest number of commands. Default: 30. */
  readonly commandsMax?: number
}

const modelKinds: OptionKinds<ModelSpace> = {
  accounts: 'texts?',
  price: 'number?',
  spread: 'number?',
  commandsMax: 'number?',
}

const contractNames = ['BTC-PERPETUAL', 'BTC_USDC-PERPETUAL'] as const

/** Deposits of each account. The model knows no margin, so they are large. */
const deposits: Readonly<Record<string, number>> = { BTC: 1000, USDC: 50_000_000 }

/** Largest difference of a shown balance for each fill, because the venue rounds each fee. */
const balanceErrors: Readonly<Record<string, number>> = { BTC: 1e-8, USDC: 1e-6 }

/**
 * The market that the reference model describes: one inverse and one linear perpetual.
 *
 * @throws RangeError with the code `OPTION` for an unknown constraint.
 *
 * @example
 * console.log(modelMarket().instruments) // [ 'BTC-PERPETUAL', 'BTC_USDC-PERPETUAL' ]
 */
export function modelMarket(space: ModelSpace = {}): VenueOptions {
  checkOptions('modelMarket', space, modelKinds)
  const { accounts = ['ann', 'bob'], price = 50_000 } = space
  return {
    start: '2026-01-05T09:00:00Z',
    instruments: contractNames,
    index: { btc_usd: price, btc_usdc: price },
    accounts: Object.fromEntries(accounts.map((name) => [name, deposits])),
  }
}

/**
 * A client that sends its requests to a recorded venue without a change. Put your own client in front of it.
 *
 * @throws RangeError with the code `OPTION` if an argument has another kind.
 *
 * @example
 * const recorded = recordVenue(modelMarket())
 * const params = { instrument_name: 'BTC-PERPETUAL' }
 * const reply = await venueClient(recorded)({ account: 'ann', method: 'private/get_position', params })
 * console.log(reply.ok) // true
 */
export function venueClient(recorded: RecordedVenue): ModelClient {
  checkArgument('venueClient: recorded', recorded, 'object')
  return (request) => recorded.send(request)?.reply ?? { ok: false }
}

/**
 * Generates commands for `fc.asyncModelRun`. Shrinks toward fewer commands of the first account, smaller orders and the
 * middle price. A command that finds a difference throws a `RangeError` with the code `EXPECTATION`.
 *
 * @throws RangeError with the code `OPTION` for an unknown constraint.
 *
 * @example
 * await fc.assert(
 *   fc.asyncProperty(modelCommands(), async (commands) => {
 *     const recorded = recordVenue(modelMarket())
 *     const client = venueClient(recorded)
 *     await fc.asyncModelRun(() => ({ model: createModel(), real: { client, recorded } }), commands)
 *   }),
 *   { numRuns: 5 },
 * )
 */
export function modelCommands(space: ModelSpace = {}): fc.Arbitrary<Iterable<ModelCommand>> {
  checkOptions('modelCommands', space, modelKinds)
  const { accounts = ['ann', 'bob'], price = 50_000, spread = 5, commandsMax = 30 } = space
  const account = fc.constantFrom(...accounts)
  const instruments = contractNames.map(specOf)
  const place = fc
    .record({
      account,
      instrument: fc.constantFrom(...instruments),
      side: fc.constantFrom('buy' as const, 'sell' as const),
      sizes: fc.integer({ min: 1, max: 5 }),
      ticks: fc.integer({ min: -spread, max: spread }),
      kind: fc.constantFrom('limit', 'limit', 'limit', 'market', 'post_only', 'reduce_only'),
    })
    .map((drawn) => new PlaceCommand(drawn, price))
  const target = fc.nat(20)
  const cancel = fc.record({ account, target }).map((drawn) => new CancelCommand(drawn))
  const ticks = fc.integer({ min: -spread, max: spread })
  const edit = fc
    .record({ account, target, sizes: fc.integer({ min: 1, max: 5 }), ticks })
    .map((drawn) => new EditCommand(drawn, price))
  const check = account.map((name) => new CheckCommand(name))
  return fc.commands([place, place, cancel, edit, check], { maxCommands: commandsMax, size: 'max' })
}

/** The state of a model and the ids that the client gave to its orders. */
export interface ModelState {
  readonly model: ReferenceModel
  readonly ids: Map<number, string>
}

/**
 * Creates a reference model without orders.
 *
 * @example
 * console.log(createModel().model.position('ann', 'BTC-PERPETUAL')) // 0
 */
export function createModel(): ModelState {
  const contracts = contractNames.map((name): ModelContract => {
    const { settlementCurrency: currency, makerFee9, takerFee9, payoff } = specOf(name)
    return {
      name,
      payoff: payoff === 'inverse' ? 'inverse' : 'linear',
      currency,
      makerFee: makerFee9 / 1e9,
      takerFee: takerFee9 / 1e9,
    }
  })
  return { model: new ReferenceModel(contracts), ids: new Map() }
}

/** A command of the model. */
export type ModelCommand = fc.AsyncCommand<ModelState, ModelRun, boolean>

interface PlaceDraw {
  readonly account: string
  readonly instrument: InstrumentSpec
  readonly side: 'buy' | 'sell'
  readonly sizes: number
  readonly ticks: number
  readonly kind: string
}

class PlaceCommand implements ModelCommand {
  readonly #draw: PlaceDraw
  readonly #price: number

  constructor(draw: PlaceDraw, middle: number) {
    this.#draw = draw
    this.#price = priceAt(draw.instrument, middle, draw.ticks)
  }

  check(): boolean {
    return true
  }

  async run(state: ModelState, real: ModelRun): Promise<void> {
    const { account, instrument, side, sizes, kind } = this.#draw
    const amount = amountOf(instrument, sizes * instrument.minTradeLots)
    const isMarket = kind === 'market' || kind === 'reduce_only'
    const price = isMarket ? null : this.#price
    const postOnly = kind === 'post_only'
    const reduceOnly = kind === 'reduce_only'
    const expected = state.model.place({
      account,
      instrument: instrument.name,
      side,
      amount,
      price,
      postOnly,
      reduceOnly,
    })
    const params = {
      instrument_name: instrument.name,
      amount,
      ...(price === null ? { type: 'market', time_in_force: 'immediate_or_cancel' } : { price }),
      ...(postOnly ? { post_only: true, reject_post_only: true } : {}),
      ...(reduceOnly ? { reduce_only: true } : {}),
    }
    const reply = await real.client({ account, method: `private/${side}`, params })
    const id = orderOf(reply)?.order_id
    if (expected !== null && id !== undefined) state.ids.set(expected.id, id)
    await compareOrder(state, real, { account, reply, expected, what: this.toString() })
  }

  toString(): string {
    const { account, instrument, side, sizes, kind } = this.#draw
    return `${account} ${side} ${amountOf(instrument, sizes * instrument.minTradeLots)} ${instrument.name} at ${this.#price} (${kind})`
  }
}

interface TargetDraw {
  readonly account: string
  readonly target: number
}

/** The order that a command is about: of the account, also ended ones. */
function targetOf({ model }: Readonly<ModelState>, { account, target }: TargetDraw): ModelOrder | undefined {
  const own = model.orders.filter((order) => order.account === account)
  return own[target % own.length]
}

class CancelCommand implements ModelCommand {
  readonly #draw: TargetDraw

  constructor(draw: TargetDraw) {
    this.#draw = draw
  }

  check(state: Readonly<ModelState>): boolean {
    return targetOf(state, this.#draw) !== undefined
  }

  async run(state: ModelState, real: ModelRun): Promise<void> {
    const order = targetOf(state, this.#draw)
    const { account } = this.#draw
    const id = order === undefined ? undefined : state.ids.get(order.id)
    if (order === undefined || id === undefined) return
    const expected = state.model.cancel(account, order.id)
    const reply = await real.client({ account, method: 'private/cancel', params: { order_id: id } })
    const shown = { ok: reply.ok, result: { order: reply.result } }
    await compareOrder(state, real, { account, reply: shown, expected, what: this.toString() })
  }

  toString(): string {
    return `${this.#draw.account} cancels order ${this.#draw.target}`
  }
}

interface EditDraw extends TargetDraw {
  readonly sizes: number
  readonly ticks: number
}

class EditCommand implements ModelCommand {
  readonly #draw: EditDraw
  readonly #middle: number

  constructor(draw: EditDraw, middle: number) {
    this.#draw = draw
    this.#middle = middle
  }

  check(state: Readonly<ModelState>): boolean {
    const order = targetOf(state, this.#draw)
    return order?.state === 'open' && !order.postOnly
  }

  async run(state: ModelState, real: ModelRun): Promise<void> {
    const order = targetOf(state, this.#draw)
    const { account, sizes, ticks } = this.#draw
    const id = order === undefined ? undefined : state.ids.get(order.id)
    if (order === undefined || id === undefined) return
    const instrument = specOf(order.instrument)
    const amount = Number((order.filled + amountOf(instrument, sizes * instrument.minTradeLots)).toPrecision(12))
    const price = priceAt(instrument, this.#middle, ticks)
    const expected = state.model.edit(account, order.id, amount, price)
    const params = { order_id: id, amount, price }
    const reply = await real.client({ account, method: 'private/edit', params })
    await compareOrder(state, real, { account, reply, expected, what: this.toString() })
  }

  toString(): string {
    const { account, target, sizes, ticks } = this.#draw
    return `${account} edits order ${target} (${sizes} sizes, ${ticks} ticks)`
  }
}

class CheckCommand implements ModelCommand {
  readonly #account: string

  constructor(account: string) {
    this.#account = account
  }

  check(): boolean {
    return true
  }

  async run(state: ModelState, real: ModelRun): Promise<void> {
    await compareState(state, real, this.#account)
  }

  toString(): string {
    return `check ${this.#account}`
  }
}

/** An order in a reply. */
interface ClientOrder {
  readonly order_id: string
  readonly order_state: string
  readonly amount: number
  readonly filled_amount: number
  readonly price: number | string
}

function orderOf({ result }: ClientReply): ClientOrder | undefined {
  // The client may return anything; a missing order is a difference.
  return (result as { readonly order?: ClientOrder } | undefined)?.order
}

interface OrderComparison {
  readonly account: string
  readonly reply: ClientReply
  readonly expected: ModelOrder | null
  readonly what: string
}

async function compareOrder(state: ModelState, real: ModelRun, compared: OrderComparison): Promise<void> {
  const { account, reply, expected, what } = compared
  const order = orderOf(reply)
  const found =
    !reply.ok || order === undefined ? 'refused' : wordsOf(order.order_state, order.amount, order.filled_amount)
  const wanted = expected === null ? 'refused' : wordsOf(expected.state, expected.amount, expected.filled)
  if (found === wanted) return
  // The state of the account shows the difference, or the reply alone is wrong.
  await compareState(state, real, account)
  throw difference(`${what}: expected ${wanted}, found ${found}`)
}

function wordsOf(state: string, amount: number, filled: number): string {
  return `${state} with ${filled} of ${amount} filled`
}

/** Compares open orders, positions and balances of an account. */
async function compareState(state: ModelState, real: ModelRun, account: string): Promise<void> {
  const { model, ids } = state
  const open = model
    .openOrders(account)
    .map(({ id, price, amount, filled }) => ({ id: ids.get(id), price, amount, filled }))
  await compareAnswer(real, {
    request: { account, method: 'private/get_open_orders', params: {} },
    wanted: shownOrders(open),
    read: (result) => shownOrders((result as readonly ClientOrder[]).map(openOf)),
    expect: (orders) => ({ accounts: { [account]: { open_orders: orders } } }),
    what: `open orders of ${account}`,
  })
  for (const instrument_name of contractNames) {
    // The size of a linear position is in the quote currency, and only `size_currency` is in coin.
    const key = specOf(instrument_name).payoff === 'inverse' ? 'size' : 'size_currency'
    await compareAnswer(real, {
      request: { account, method: 'private/get_position', params: { instrument_name } },
      wanted: model.position(account, instrument_name),
      read: (result) => (result as { readonly [key: string]: number })[key] ?? 0,
      expect: (size) => ({ accounts: { [account]: { positions: { [instrument_name]: { [key]: size } } } } }),
      what: `position of ${account} in ${instrument_name}`,
    })
  }
  for (const [currency, deposit] of Object.entries(deposits)) {
    const wanted = deposit - model.feesPaid(account, currency)
    const error = (balanceErrors[currency] ?? 0) * (model.fills + 1)
    await compareAnswer(real, {
      request: { account, method: 'private/get_account_summary', params: { currency } },
      wanted,
      read: (result) => {
        const { balance } = result as { readonly balance: number }
        return Math.abs(balance - wanted) <= error ? wanted : balance
      },
      expect: (balance) => ({ accounts: { [account]: { account_summary: { [currency]: { balance } } } } }),
      what: `balance of ${account} in ${currency}`,
    })
  }
}

/** A question to the client, and the answer of the model. */
interface Comparison<T> {
  readonly request: ClientRequest
  readonly wanted: T
  readonly read: (result: unknown) => T
  readonly expect: (value: T) => ScenarioExpectation
  readonly what: string
}

/**
 * Throws if the client answers otherwise than the model. In the scenario, the side that the venue contradicts says what
 * it expects: the model if the client sent wrong requests, the client if it reports a wrong state.
 */
async function compareAnswer<T>(real: ModelRun, { request, wanted, read, expect, what }: Comparison<T>): Promise<void> {
  const reply = await real.client(request)
  const found = reply.ok ? read(reply.result) : undefined
  const text = JSON.stringify(wanted)
  if (JSON.stringify(found) === text) return
  const title = `${what}: expected ${text}, found ${JSON.stringify(found)}`
  if (real.recorded === undefined || found === undefined) throw difference(title)
  const truth = real.recorded.send({ ...request })?.reply
  const isTrue = truth?.ok === true && JSON.stringify(read(truth.result)) === text
  real.recorded.fail(title, expect(isTrue ? found : wanted))
}

function difference(title: string): RangeError {
  return coded(new RangeError(title), 'EXPECTATION')
}

interface OpenOrder {
  readonly id: string | undefined
  readonly price: number
  readonly amount: number
  readonly filled: number
}

function openOf({ order_id: id, price, amount, filled_amount: filled }: ClientOrder): OpenOrder {
  return { id, price: Number(price), amount, filled }
}

/** Open orders by their ids, without the ids, which differ between clients. */
function shownOrders(orders: readonly OpenOrder[]): readonly unknown[] {
  const sorted = [...orders].sort((a, b) => ((a.id ?? '') < (b.id ?? '') ? -1 : 1))
  return sorted.map(({ price, amount, filled }) => ({ price, amount, filled_amount: filled }))
}

function specOf(name: string): InstrumentSpec {
  const spec = specFromName(name, { creation: micros(0) })
  assert(spec.ok, 'the catalogue has the contracts of the model')
  return spec.value
}

function priceAt(instrument: InstrumentSpec, middle: number, ticks: number): number {
  return priceInQuote(instrument, Math.round((middle * 1e9) / instrument.tick9) + ticks)
}
