/**
 * Arbitraries of markets, traffic, malformed requests, price paths, faults and feeds. Each one takes constraints and
 * shrinks toward fewer items, then the first account, smaller sizes, prices at the middle and no waiting time.
 *
 * Traffic consists of short sequences, because a block trade or an RFQ needs several requests. `recorded-venue.ts`
 * explains `@` in their parameters.
 */
import fc from 'fast-check'
import { checkOptions, coded, foundWord, type OptionKinds } from '../core/index.ts'
import type { faultKinds } from '../faults/index.ts'
import { findMethod, type MethodName, methodNames } from '../gateways/index.ts'
import { sides } from '../model/index.ts'
import type { VenueOptions } from '../program/index.ts'
import type { ParamValue, RequestParams } from '../rpc/index.ts'
import {
  type Draws,
  drawsOf,
  orderRequest,
  priceInQuote,
  type RequestSpace,
  type SpecialKind,
  spaceKinds,
  tickFromMiddle,
} from './order-requests.ts'
import type { AnyRequest } from './recorded-venue.ts'

/** Families of requests in traffic. */
export const trafficFamilies = [
  ...(['order', 'edit', 'cancel', 'quote', 'mmp', 'block', 'rfq', 'wallet'] as const),
  ...(['session', 'time', 'index', 'mark', 'fault', 'query'] as const),
] as const

/** A family of requests in traffic. */
export type TrafficFamily = (typeof trafficFamilies)[number]

/** Constraints of traffic. */
export interface TrafficSpace extends RequestSpace {
  /** Families of requests. Default: all. */
  readonly families?: readonly TrafficFamily[]
  /** Largest number of sequences of requests. Default: 50. */
  readonly sequencesMax?: number
}

const trafficKinds: OptionKinds<TrafficSpace> = { ...spaceKinds, families: 'texts?', sequencesMax: 'number?' }

type Requests = readonly AnyRequest[]

/** The name of the market-maker protection group of all generated quotes. */
const groupName = 'kit'

/** Sizes of block trades and RFQs above the minimum of the venue: USD for inverse contracts, otherwise coins. */
const blockSizes = { inverse: 200_000, linear: 20, option: 100 } as const

/**
 * A market for traffic: the instrument with its index, and accounts with the deposits and roles that every family needs.
 *
 * @throws RangeError with the code `INSTRUMENT` if the catalogue has no such instrument, `OPTION` for an unknown
 * constraint.
 *
 * @example
 * const space = { instrument: 'BTC-PERPETUAL', accounts: ['ann', 'bob'], price: 50_000, spread: 20, lotsMax: 100 }
 * console.log(trafficMarket(space).index) // { btc_usd: 50000 }
 */
export function trafficMarket(space: TrafficSpace): VenueOptions {
  checkOptions('trafficMarket', space, trafficKinds)
  const { instrument } = drawsOf('trafficMarket', space).space
  const deposit = { BTC: 1000, ETH: 10_000, USDC: 50_000_000, USDT: 50_000_000 }
  const terms = { member: true, mass_quotes: true }
  return {
    start: '2026-01-05T09:00:00Z',
    instruments: [instrument.name],
    index: { [instrument.priceIndex]: space.price },
    accounts: Object.fromEntries(space.accounts.map((name) => [name, deposit])),
    permissions: Object.fromEntries(space.accounts.map((name) => [name, terms])),
  }
}

/**
 * Generates requests of all families on one instrument, to be sent one after the other by `RecordedVenue.send`. At
 * least 85 % of them are accepted in the market of `trafficMarket`. Shrinks toward fewer sequences of earlier families.
 *
 * @throws RangeError with the code `INSTRUMENT` if the catalogue has no such instrument, `OPTION` for an unknown
 * constraint or family.
 *
 * @example
 * const space = { instrument: 'BTC-PERPETUAL', accounts: ['ann', 'bob'], price: 50_000, spread: 20, lotsMax: 100 }
 * fc.assert(
 *   fc.property(traffic(space), (requests) => {
 *     const recorded = recordVenue(trafficMarket(space))
 *     for (const request of requests) recorded.send(request)
 *     recorded.checkLaws()
 *   }),
 *   { numRuns: 5 },
 * )
 */
export function traffic(space: TrafficSpace): fc.Arbitrary<readonly AnyRequest[]> {
  checkOptions('traffic', space, trafficKinds)
  const { families = trafficFamilies, sequencesMax = 50, ...orders } = space
  const odd = families.find((name) => !trafficFamilies.includes(name))
  if (odd !== undefined) {
    const expected = `traffic: families: expected one of ${trafficFamilies.join(', ')}`
    throw coded(new RangeError(`${expected}, ${foundWord(odd, trafficFamilies)}`), 'OPTION')
  }
  const draws = drawsOf('traffic', orders)
  const all = { ...orderFamilies(draws, orders), ...blockFamilies(draws), ...controlFamilies(draws) }
  const sequence = fc.oneof(...families.map((name) => ({ arbitrary: all[name], weight: name === 'order' ? 12 : 1 })))
  const waits = fc.constantFrom('0ms', '1ms', '5ms', '100ms', '1s')
  const timed = fc.tuple(waits, sequence).map(([after, [first, ...rest]]) => {
    return first === undefined ? [] : [{ after, ...first }, ...rest]
  })
  return fc.array(timed, { maxLength: sequencesMax, size: 'max' }).map((sequences) => sequences.flat())
}

type Families<F extends TrafficFamily> = { readonly [Family in F]: fc.Arbitrary<Requests> }

function orderFamilies(draws: Draws, orders: RequestSpace): Families<'order' | 'edit' | 'cancel' | 'quote' | 'mmp'> {
  const { space, account, amount } = draws
  const { name: instrument_name, priceIndex: index_name } = space.instrument
  const order_id = fc.nat(20).map((number) => `@order:${number}`)
  const group = { index_name, mmp_group: groupName }
  const protect = (owner: string, quantity = 1_000_000): AnyRequest => {
    const limits = { interval: 10, frozen_time: 1, max_quote_quantity: quantity }
    return ask(owner, 'private/set_mmp_config', { ...group, ...limits })
  }
  const side = (ticks: number, size: number): RequestParams => {
    return { price: priceInQuote(space.instrument, tickFromMiddle(space, ticks)), amount: size }
  }
  return {
    order: orderRequest(orders).map((request) => [request]),
    edit: one(account, 'private/edit', { order_id, amount }),
    cancel: fc.oneof(
      one(account, 'private/cancel', { order_id }),
      one(account, 'private/cancel_all_by_instrument', { instrument_name: fc.constant(instrument_name) }),
      one(account, 'private/cancel_by_label', { label: fc.constant('kit') }),
    ),
    quote: fc.tuple(account, amount, fc.nat(space.spread)).map(([owner, size, away]) => {
      const set = { instrument_name, quote_set_id: '1', bid: side(-1 - away, size), ask: side(1 + away, size) }
      return [
        protect(owner),
        ask(owner, 'private/enable_cancel_on_disconnect', { scope: 'account' }),
        ask(owner, 'private/mass_quote', { quote_id: '1', mmp_group: groupName, quotes: listOf(set) }),
      ]
    }),
    mmp: fc
      .tuple(account, fc.integer({ min: 1, max: 100 }))
      .map(([owner, quantity]) => [
        protect(owner, quantity),
        ask(owner, 'private/get_mmp_config', group),
        ask(owner, 'private/reset_mmp', group),
      ]),
  }
}

function blockFamilies({ space }: Draws): Families<'block' | 'rfq'> {
  const { instrument, accounts } = space
  const price = priceInQuote(instrument, tickFromMiddle(space, 0))
  const amount =
    blockSizes[instrument.kind === 'option' ? 'option' : instrument.payoff === 'linear' ? 'linear' : 'inverse']
  const count = accounts.length
  const drawn = fc
    .record({
      first: fc.nat(count - 1),
      further: fc.integer({ min: 1, max: Math.max(1, count - 1) }),
      direction: fc.constantFrom(...sides),
      nonce: fc.nat(1e9),
    })
    .map(({ first, further, ...draw }) => ({
      ...draw,
      one: accounts[first] ?? '',
      other: accounts[(first + further) % count] ?? '',
    }))
  return {
    block: drawn.map(({ one: maker, other: taker, direction, nonce }) => {
      const trades = listOf({ instrument_name: instrument.name, price, amount, direction })
      const terms = { timestamp: '@now', nonce: `n${nonce}`, trades }
      return [
        ask(maker, 'private/verify_block_trade', { ...terms, role: 'maker' }),
        ask(taker, 'private/execute_block_trade', { ...terms, role: 'taker', counterparty_signature: '@signature' }),
      ]
    }),
    rfq: drawn.map(({ one: taker, other: maker, direction }) => {
      const leg = { instrument_name: instrument.name, direction: 'buy' }
      const terms = { block_rfq_id: '@rfq', amount }
      const quote = { direction: direction === 'buy' ? 'sell' : 'buy', legs: listOf({ ...leg, ratio: 1, price }) }
      const take = { direction, price, time_in_force: 'fill_or_kill', legs: listOf({ ...leg, ratio: 1 }) }
      return [
        ask(null, 'sim/set_block_rfq_role', { account: maker, maker: true, maker_alias: maker.toUpperCase() }),
        ask(null, 'sim/set_block_rfq_role', { account: taker, taker_alias: `T${taker}` }),
        ask(taker, 'private/create_block_rfq', { legs: listOf({ ...leg, amount }) }),
        ask(maker, 'private/add_block_rfq_quote', { ...terms, ...quote }),
        { after: '5s', ...ask(taker, 'private/accept_block_rfq', { ...terms, ...take }) },
      ]
    }),
  }
}

function controlFamilies(draws: Draws): Families<'wallet' | 'session' | 'time' | 'index' | 'mark' | 'fault' | 'query'> {
  const { name: instrument_name, priceIndex: index_name } = draws.space.instrument
  const near = fc
    .integer({ min: -5, max: 5 })
    .map((thousandths) => Number(((draws.space.price * (1000 + thousandths)) / 1000).toFixed(2)))
  const currency = fc.constantFrom('BTC', 'USDC')
  return {
    wallet: fc
      .record({ account: draws.account, currency, amount: fc.integer({ min: 1, max: 100 }) })
      .map((params) => [ask(null, 'sim/deposit', params)]),
    session: fc
      .integer({ min: 100, max: 103 })
      .map((session) => [ask(null, 'sim/connect', { session }), ask(null, 'sim/disconnect', { session })]),
    time: fc.constantFrom('1s', '1m', '10m', '1h').map((after) => [{ after, ...ask(null, 'public/get_time', {}) }]),
    index: near.map((price) => [ask(null, 'sim/set_index', { index_name, price })]),
    // A mark away from the index gives funding.
    mark: near.map((price) => [
      ask(null, 'sim/set_mark', { instrument_name, price }),
      { after: '1m', ...ask(null, 'sim/set_mark', { instrument_name, price: null }) },
    ]),
    fault: faultRule().map((rule) => [
      ask(null, 'sim/set_faults', { faults: listOf(rule) }),
      ask(null, 'sim/set_faults', { faults: [] }),
    ]),
    query: fc
      .tuple(draws.account, fc.constantFrom(...queries(draws)))
      .map(([owner, { name, params }]) => [ask(name.startsWith('public/') ? null : owner, name, params)]),
  }
}

/** A list of one object as a parameter: nested parameters have no type of their own. */
function listOf(item: object): ParamValue {
  return [item] as unknown as ParamValue
}

function ask(account: string | null, method: MethodName, params: RequestParams): AnyRequest {
  return { account, method, params }
}

function one(
  account: fc.Arbitrary<string>,
  method: MethodName,
  params: Readonly<Record<string, fc.Arbitrary<ParamValue>>>,
): fc.Arbitrary<Requests> {
  return fc
    .record({ account, params: fc.record(params) })
    .map(({ account: owner, params: given }) => [ask(owner, method, given)])
}

/** A query with the parameters that its schema requires. */
interface Query {
  readonly name: MethodName
  readonly params: RequestParams
}

/** The queries that any account may send, with the names of their required parameters. */
const questions = methodNames.flatMap((name) => {
  const method = findMethod(name)
  if (method?.command !== 'query' || !/^(?:public|private)\/get_/.test(name) || method.afterwards !== undefined)
    return []
  if (method.served === true) return []
  const required = Object.entries(method.params.shape).filter(([, schema]) => !schema.safeParse(undefined).success)
  return [{ name: name as MethodName, required: required.map(([key]) => key) }]
})

/** The queries whose required parameters follow from the market. */
function queries({ space }: Draws): readonly Query[] {
  const { name: instrument_name, priceIndex, settlementCurrency } = space.instrument
  const known: Readonly<Record<string, ParamValue>> = {
    instrument_name,
    index_name: priceIndex,
    currency: settlementCurrency,
    order_id: '@order:0',
    start_timestamp: 0,
    end_timestamp: '@now',
    label: 'kit',
  }
  return questions.flatMap(({ name, required }) => {
    const params = Object.fromEntries(required.map((key) => [key, known[key]]))
    return Object.values(params).includes(undefined) ? [] : [{ name, params: params as RequestParams }]
  })
}

/**
 * Generates requests that the venue must refuse without a change of its state: unknown methods and instruments, missing
 * parameters, wrong types, and numbers off the grid or out of range. Shrinks toward unknown methods.
 *
 * @throws RangeError with the code `INSTRUMENT` if the catalogue has no such instrument, `OPTION` for an unknown
 * constraint.
 *
 * @example
 * const space = { instrument: 'BTC-PERPETUAL', accounts: ['ann'], price: 50_000, spread: 20, lotsMax: 100 }
 * const [request] = fc.sample(malformedRequest(space), { numRuns: 1, seed: 1 })
 * console.log(request?.account) // ann
 */
export function malformedRequest(space: RequestSpace): fc.Arbitrary<AnyRequest> {
  checkOptions('malformedRequest', space, spaceKinds)
  const { account, space: known } = drawsOf('malformedRequest', space)
  const order = { instrument_name: known.instrument.name, amount: 10, price: space.price }
  const junk = fc.constantFrom<ParamValue>('', 'x', -1, 1e300, 0.123456789, true, null, [], {})
  const wrong = fc.oneof(
    fc.constantFrom<RequestParams>(...Object.keys(order).map((key) => without(order, key))),
    fc.tuple(fc.constantFrom('instrument_name', 'amount', 'type', 'time_in_force'), junk).map(([key, value]) => {
      return { ...order, [key]: value === null ? 'x' : value }
    }),
  )
  return fc.oneof(
    // The methods do not exist, which a typed program cannot say.
    fc.record({
      account,
      method: fc.constantFrom('private/bye' as MethodName, '' as MethodName),
      params: fc.constant({}),
    }),
    fc.record({ account, method: fc.constantFrom('private/buy' as const, 'private/sell' as const), params: wrong }),
    fc.record({ account, method: fc.constant('private/cancel' as const), params: fc.record({ order_id: junk }) }),
  )
}

function without(params: RequestParams, key: string): RequestParams {
  return Object.fromEntries(
    Object.entries(params).filter(([name]) => name !== key && (key === 'price' || name !== 'price')),
  )
}

/** Constraints of a path of prices. */
export interface PathSpace {
  readonly price: number
  /** Number of prices. Default: 100. */
  readonly length?: number
  /** Largest change from one price to the next, in thousandths. Default: 5. */
  readonly moveMax?: number
}

const pathKinds: OptionKinds<PathSpace> = { price: 'number', length: 'number?', moveMax: 'number?' }

/**
 * Generates a random walk of prices for `sim/set_index`. Shrinks toward a flat and short path.
 *
 * @throws RangeError with the code `OPTION` for an unknown constraint.
 *
 * @example
 * console.log(fc.sample(pricePath({ price: 100, length: 3 }), { numRuns: 1, seed: 1 })[0]?.length) // 3
 */
export function pricePath(asked: PathSpace): fc.Arbitrary<readonly number[]> {
  checkOptions('pricePath', asked, pathKinds)
  const { price, length = 100, moveMax = 5 } = asked
  const move = fc.integer({ min: -moveMax, max: moveMax })
  return fc.array(move, { minLength: length, maxLength: length, size: 'max' }).map((moves) => {
    let at = price
    return moves.map((thousandths) => {
      at = Number(((at * (1000 + thousandths)) / 1000).toPrecision(8))
      return at
    })
  })
}

/** A fault of messages, in the words of `sim/set_faults` and of scenarios. */
export interface GeneratedFault {
  readonly kind: (typeof faultKinds)[number]
  readonly of?: 'replies' | 'notifications'
  readonly by?: string
  readonly reason?: string
  readonly probability: number
}

/**
 * Generates a fault of messages between the exchange and its clients. Shrinks toward rare lost replies.
 *
 * @example
 * console.log(fc.sample(faultRule(), { numRuns: 1, seed: 1 }).length) // 1
 */
export function faultRule(): fc.Arbitrary<GeneratedFault> {
  const chance = { probability: fc.constantFrom(0.01, 0.1, 0.5, 1) }
  const of = fc.constantFrom('replies' as const, 'notifications' as const)
  const by = fc.constantFrom('1ms', '20ms', '1s')
  return fc.oneof(
    fc.record({ kind: fc.constantFrom('drop' as const, 'double' as const), of, ...chance }),
    fc.record({ kind: fc.constantFrom('delay' as const, 'reorder' as const), of, by, ...chance }),
  )
}

/** Constraints of a recorded feed of trades. */
export interface FeedSpace {
  readonly symbol: string
  readonly price: number
  /** Time of the first row, in microseconds. */
  readonly start: number
  /** Largest number of rows. Default: 50. */
  readonly rowsMax?: number
  /** Faults of rows. Default: all. */
  readonly faults?: readonly FeedFaultKind[]
}

/** Faults of the rows of a feed: missing time, a row that comes twice, and a step back in time. */
export type FeedFaultKind = 'gap' | 'duplicate' | 'backward'

const feedKinds: OptionKinds<FeedSpace> = {
  symbol: 'string',
  price: 'number',
  start: 'number',
  rowsMax: 'number?',
  faults: 'texts?',
}

/**
 * Generates the text of a file of `tardis.trades` with gaps and other faults. Shrinks toward fewer rows without faults.
 *
 * @throws RangeError with the code `OPTION` for an unknown constraint.
 *
 * @example
 * const feed = tradeFeed({ symbol: 'BTC-PERPETUAL', price: 50_000, start: 1_767_603_601_000_000 })
 * console.log(fc.sample(feed, { numRuns: 1, seed: 1 })[0]?.startsWith('exchange,symbol')) // true
 */
export function tradeFeed(asked: FeedSpace): fc.Arbitrary<string> {
  checkOptions('tradeFeed', asked, feedKinds)
  const { symbol, price, start, rowsMax = 50, faults = ['gap', 'duplicate', 'backward'] } = asked
  const row = fc.record({
    fault: fc.oneof(
      { weight: 6, arbitrary: fc.constant(null) },
      fc.constantFrom<FeedFaultKind | null>(null, ...faults),
    ),
    side: fc.constantFrom(...sides),
    ticks: fc.integer({ min: -20, max: 20 }),
    lots: fc.integer({ min: 1, max: 100 }),
  })
  return fc.array(row, { maxLength: rowsMax }).map((rows) => {
    let time = start
    const lines = ['exchange,symbol,timestamp,local_timestamp,id,side,price,amount']
    for (const [at, { fault, side, ticks, lots }] of rows.entries()) {
      time += fault === 'gap' ? 600_000_000 : fault === 'backward' ? -1_000_000 : 100_000
      const line = [symbol, time, time + 500, at + 1, side, (price + ticks / 2).toFixed(1), lots * 10].join(',')
      lines.push(`example,${line}`)
      if (fault === 'duplicate') lines.push(`example,${line}`)
    }
    return `${lines.join('\n')}\n`
  })
}

/** A market and the requests that are sent to it. */
export interface GeneratedScenario {
  readonly market: VenueOptions
  readonly requests: readonly AnyRequest[]
}

/**
 * Generates a market with two to four accounts and traffic on one of its instruments. Shrinks toward a perpetual, two
 * accounts and fewer requests.
 *
 * @throws RangeError with the code `INSTRUMENT` if the catalogue has no such instrument, `OPTION` for an unknown
 * constraint.
 *
 * @example
 * const [drawn] = fc.sample(marketScenario({ instruments: { 'BTC-PERPETUAL': 50_000 } }), { numRuns: 1, seed: 1 })
 * console.log(drawn?.market.instruments) // [ 'BTC-PERPETUAL' ]
 */
export function marketScenario(asked: ScenarioSpace = {}): fc.Arbitrary<GeneratedScenario> {
  checkOptions('marketScenario', asked, scenarioKinds)
  const { instruments = commonInstruments, ...rest } = asked
  const spaces = Object.entries(instruments).flatMap(([instrument, price]) =>
    [2, 3, 4].map((count) => {
      const accounts = ['ann', 'bob', 'eve', 'joe'].slice(0, count)
      return { instrument, price, accounts, spread: 20, lotsMax: 100, ...rest }
    }),
  )
  return fc.oneof(
    ...spaces.map((space) => traffic(space).map((requests) => ({ market: trafficMarket(space), requests }))),
  )
}

/** Constraints of whole scenarios. */
export interface ScenarioSpace {
  /** Instruments to choose from, with the middle price of each. Default: perpetuals, a future and an option. */
  readonly instruments?: { readonly [name: string]: number }
  readonly families?: readonly TrafficFamily[]
  readonly kinds?: readonly SpecialKind[]
  readonly sequencesMax?: number
}

const scenarioKinds: OptionKinds<ScenarioSpace> = {
  instruments: 'object?',
  families: 'texts?',
  kinds: 'texts?',
  sequencesMax: 'number?',
}

const commonInstruments = {
  'BTC-PERPETUAL': 50_000,
  'ETH-PERPETUAL': 3000,
  'BTC_USDC-PERPETUAL': 50_000,
  'BTC-27MAR26': 50_000,
}
