/**
 * Random runs over all methods: markets, the requests that are sent to them, and a run that checks every law.
 *
 * Half of the requests come from `traffic`, so that orders trade and accounts hold positions. The others are requests of
 * any method, whose parameters are drawn when they are sent, and malformed ones.
 */
import fc from 'fast-check'
import { checkArgument, checkOptions, coded, foundWord, micros, type OptionKinds } from '../core/index.ts'
import { findMethod, type MethodName, methodNames } from '../gateways/index.ts'
import {
  defaultConfig,
  type EventKind,
  type EventSink,
  type FillRule,
  fanOut,
  type OrderReason,
  type RejectReason,
} from '../model/index.ts'
import { RunError, type VenueOptions } from '../program/index.ts'
import { EventLaws } from '../rpc/index.ts'
import {
  type GeneratedScenario,
  malformedRequest,
  type TrafficFamily,
  traffic,
  trafficFamilies,
} from './arbitraries.ts'
import type { SpecialKind } from './order-requests.ts'
import { type AnyRequest, recordVenue } from './recorded-venue.ts'

/** Constraints of `fuzzScenario`. */
export interface FuzzSpace {
  /**
   * True to draw for each scenario a subset of instruments, accounts, families, kinds of orders and methods. A subset
   * repeats its requests more often, so that it reaches states that a mix of all requests rarely reaches. Default: false.
   */
  readonly swarm?: boolean
  /** Largest number of sequences of requests. Default: 50. */
  readonly sequencesMax?: number
}

const fuzzKinds: OptionKinds<FuzzSpace> = { swarm: 'boolean?', sequencesMax: 'number?' }

/**
 * Methods that are not sent: they move the clock back or far ahead, copy the venue for other clients, or close it for
 * the rest of the run.
 */
const unsent: ReadonlySet<string> = new Set(['sim/restore', 'sim/fork', 'sim/advance', 'sim/set_maintenance'])

const sentMethods = methodNames.filter((name) => !unsent.has(name)) as readonly MethodName[]

/** Instruments with the middle of their prices. One expires five minutes after the start. */
const prices = {
  'BTC-PERPETUAL': 50_000,
  'ETH-PERPETUAL': 3000,
  'BTC_USDC-PERPETUAL': 50_000,
  'BTC-5JAN26': 50_000,
  'BTC-27MAR26': 50_000,
  'BTC-27MAR26-50000-C': 0.1,
} as const

const indices = { btc_usd: 50_000, eth_usd: 3000, btc_usdc: 50_000 }
const names = ['ann', 'bob', 'eve', 'joe'] as const
const orderKinds: readonly SpecialKind[] = ['trigger', 'reduce_only', 'iceberg', 'oco']

/** Numbers of connections in requests; 0 means none. */
const sessions = [0, 0, 1, 10, 100]

/**
 * Generates requests of any method of the venue and of the simulator. `RecordedVenue.send` draws their parameters.
 * Shrinks toward the first method and account.
 *
 * @throws RangeError with the code `PARAMETER` if no method has such a name, `OPTION` if an argument has another kind.
 *
 * @example
 * const [request] = fc.sample(methodRequest(['ann'], ['public/get_time']), { numRuns: 1, seed: 1 })
 * console.log(request?.method) // public/get_time
 */
export function methodRequest(
  accounts: readonly string[],
  methods: readonly MethodName[] = sentMethods,
): fc.Arbitrary<AnyRequest> {
  checkArgument('methodRequest: accounts', accounts, 'texts')
  checkArgument('methodRequest: methods', methods, 'texts')
  const odd = methods.find((name) => findMethod(name) === undefined)
  if (odd !== undefined) {
    throw coded(new RangeError(`methodRequest: expected methods, ${foundWord(odd, methodNames)}`), 'PARAMETER')
  }
  return fc
    .record({
      account: fc.constantFrom(...accounts),
      method: fc.constantFrom(...methods),
      session: fc.constantFrom(...sessions),
      draw: fc.nat(),
    })
    .map(({ account, method, session, draw }) => {
      const isOfAccount = /^(?:private|sim\/direct)\//.test(method)
      return { account: isOfAccount ? account : null, method, params: {}, session: isOfAccount ? session : 0, draw }
    })
}

/** The terms of a generated scenario. */
interface FuzzTerms {
  readonly accounts: readonly string[]
  readonly instruments: readonly (keyof typeof prices)[]
  readonly families: readonly TrafficFamily[]
  readonly kinds: readonly SpecialKind[]
  readonly methods: readonly MethodName[]
  readonly isRich: boolean
}

/**
 * Generates a market and requests of all methods. Shrinks toward fewer sequences.
 *
 * @throws RangeError with the code `OPTION` for an unknown constraint; `INSTRUMENT` or `PARAMETER` if the kit itself names
 * an unknown instrument or method.
 *
 * @example
 * const [drawn] = fc.sample(fuzzScenario({ swarm: true }), { numRuns: 1, seed: 1 })
 * console.log(drawn?.market.start) // 2026-01-05T07:55:00Z
 */
export function fuzzScenario(asked: FuzzSpace = {}): fc.Arbitrary<GeneratedScenario> {
  checkOptions('fuzzScenario', asked, fuzzKinds)
  const { swarm = false, sequencesMax = 50 } = asked
  const some = <T>(all: readonly T[]): fc.Arbitrary<readonly T[]> =>
    swarm ? fc.subarray([...all], { minLength: 1 }) : fc.constant(all)
  const instruments = Object.keys(prices) as (keyof typeof prices)[]
  const terms: fc.Arbitrary<FuzzTerms> = fc.record({
    accounts: fc.integer({ min: 2, max: names.length }).map((count) => names.slice(0, count)),
    instruments: some(instruments),
    families: some(trafficFamilies),
    kinds: swarm ? fc.subarray([...orderKinds]) : fc.constant(orderKinds),
    methods: some(sentMethods),
    isRich: fc.boolean(),
  })
  return terms.chain((drawn) =>
    requestsOf(drawn, sequencesMax).map((requests) => ({ market: marketOf(drawn), requests })),
  )
}

function requestsOf(drawn: FuzzTerms, sequencesMax: number): fc.Arbitrary<readonly AnyRequest[]> {
  const { accounts, instruments, families, kinds, methods } = drawn
  const spaces = instruments.map((instrument) => {
    const isOption = /-[CP]$/.test(instrument)
    const price = prices[instrument]
    const orders = isOption ? kinds.filter((kind) => kind === 'reduce_only' || kind === 'oco') : kinds
    return { instrument, accounts, price, spread: 20, lotsMax: 100, kinds: orders }
  })
  const sequences = spaces.map((space) => traffic({ ...space, families, sequencesMax: 1 }))
  const malformed = spaces.map((space) =>
    // A scenario has methods of the venue only.
    malformedRequest({ ...space, kinds: [] }).filter(({ method }) => findMethod(method) !== undefined),
  )
  const item = fc.oneof(
    { arbitrary: fc.oneof(...sequences), weight: 10 },
    { arbitrary: methodRequest(accounts, methods).map((request) => [request]), weight: 10 },
    { arbitrary: fc.oneof(...malformed).map((request) => [request]), weight: 1 },
  )
  return fc.array(item, { maxLength: sequencesMax, size: 'max' }).map((items) => items.flat())
}

/** Liquidations happen only among accounts with little money. */
function marketOf({ accounts, instruments, isRich }: FuzzTerms): VenueOptions {
  const scale = isRich ? 1000 : 0.01
  const deposit = { BTC: scale, ETH: 10 * scale, USDC: 50_000 * scale, USDT: 50_000 * scale }
  const { liquidation } = defaultConfig(micros(0))
  return {
    start: '2026-01-05T07:55:00Z',
    instruments,
    index: indices,
    accounts: Object.fromEntries(accounts.map((name) => [name, deposit])),
    permissions: Object.fromEntries(accounts.map((name) => [name, { member: true, mass_quotes: true }])),
    config: { liquidation: { ...liquidation, enabled: true } },
  }
}

/** Counts of events, refusals, reasons, fills and accepted requests that runs reached, by their words. */
export interface FuzzReached {
  requests: number
  readonly events: Map<EventKind, number>
  readonly refusals: Map<RejectReason, number>
  /** Reasons for which orders ended or were resized. */
  readonly reasons: Map<OrderReason, number>
  readonly fills: Map<FillRule, number>
  /** Accepted requests by method. */
  readonly methods: Map<MethodName, number>
}

/**
 * Returns counts of zero, to which runs add.
 *
 * @example
 * console.log(nothingReached().requests) // 0
 */
export function nothingReached(): FuzzReached {
  const [events, refusals, reasons, fills, methods] = [new Map(), new Map(), new Map(), new Map(), new Map()]
  return { requests: 0, events, refusals, reasons, fills, methods }
}

/**
 * Sends the requests of a scenario to a new venue. It checks the laws of events at each event, and those of the state,
 * with the whole audit of the engine, after every `lawsEvery` requests and at the end. Adds to `reached`. Returns the
 * error of a broken law or of an internal fault, or null.
 *
 * @throws RangeError with the code `OPTION`, `TIME` or `START` for invalid options of the market, `PARAMETER` for an
 * unknown parameter of a request. Errors with the codes `LAW` and `DEFECT` are its result; it sends no `EXPECTATION`.
 *
 * @example
 * const [drawn] = fc.sample(fuzzScenario(), { numRuns: 1, seed: 1 })
 * if (drawn !== undefined) console.log(runChecked(drawn, 10)) // null
 */
export function runChecked(
  scenario: GeneratedScenario,
  lawsEvery: number,
  reached: FuzzReached = nothingReached(),
): RunError | null {
  checkArgument('runChecked: scenario', scenario, 'object')
  checkArgument('runChecked: lawsEvery', lawsEvery, 'number')
  const recorded = recordVenue({ ...scenario.market, sink: fanOut([new EventLaws(), counting(reached)]) })
  try {
    for (const [at, request] of scenario.requests.entries()) {
      const answer = recorded.send(request)
      if (answer === null) continue
      reached.requests += 1
      if (answer.ok) count(reached.methods, request.method)
      if ((at + 1) % lawsEvery === 0) recorded.checkLaws()
    }
    recorded.checkLaws()
    return null
  } catch (error) {
    if (error instanceof RunError) return error
    throw error
  }
}

function counting({ events, refusals, reasons, fills }: FuzzReached): EventSink {
  return {
    emit: (event) => {
      count(events, event.kind)
      if (event.kind === 'refusal') count(refusals, event.refusal.reason)
      else if (event.kind === 'order' && event.reason !== null) count(reasons, event.reason)
      else if (event.kind === 'trade') {
        count(fills, event.maker.rule)
        count(fills, event.taker.rule)
      }
    },
  }
}

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
