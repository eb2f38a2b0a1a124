/**
 * A venue that records its requests, so that a failure of a property can be written as a scenario file.
 *
 * Generated parameters may refer to things that exist only during the run: `@order:N` is the N-th live order of the
 * account (after the last order, the count begins again), `@signature` the last signature of a block trade, `@rfq` the
 * last Block RFQ, and `@now` the time in milliseconds. A request that refers to something missing is not sent.
 */
import { checkArgument, coded } from '../core/index.ts'
import { findAccount, openOrders } from '../engine/index.ts'
import type { MethodName } from '../gateways/index.ts'
import { anyOrder } from '../model/index.ts'
import {
  type Answered,
  type FailedRun,
  openVenue,
  type RecordedRequest,
  RunError,
  type ScenarioExpectation,
  type Venue,
  type VenueOptions,
} from '../program/index.ts'
import { EventLaws, orderIdOut, type ParamValue, type RequestParams } from '../rpc/index.ts'
import { assertLaws } from './laws.ts'
import { drawParams } from './method-params.ts'

/** A request of any method. */
export interface AnyRequest {
  /** Virtual time that passes before the request, such as `5ms`; default: none. */
  readonly after?: string
  /** Null for `public/` and `sim/` methods. */
  readonly account: string | null
  readonly method: MethodName
  readonly params: RequestParams
  /** Number of a connection. Default: none. */
  readonly session?: number
  /**
   * Draws the other parameters from the schema of the method and the state of the venue at the time of the request: the
   * same number and state give the same parameters. Default: no other parameters.
   */
  readonly draw?: number
}

/** A venue that records its requests. */
export interface RecordedVenue {
  readonly venue: Venue
  readonly requests: readonly RecordedRequest[]
  /** Sends a request and moves the clock to its reply; null if the request refers to something that is missing. */
  send(request: AnyRequest): Answered<MethodName> | null
  /** Moves the clock by a duration such as `5ms`. */
  wait(duration: string): void
  /**
   * Throws a `RunError` with the code `LAW` unless all laws of the state hold. Laws of events throw at their event. Here
   * and there an internal error of Pitclock becomes a `RunError` with the code `DEFECT`.
   */
  checkLaws(): void
  /**
   * Throws a `RunError` with the code `EXPECTATION`. Call it when a client disagrees with the venue: `expect` is what
   * the client says, and the scenario of the failure fails because the venue says otherwise.
   */
  fail(title: string, expect: ScenarioExpectation): never
}

/**
 * Opens a venue that records its requests.
 *
 * @throws RangeError with the code `OPTION`, `TIME` or `START` for invalid options; by its methods a `RunError` with the
 * code `LAW`, `DEFECT` or `EXPECTATION`, and by `send` a RangeError with the code `PARAMETER` for an unknown parameter.
 *
 * @example
 * const recorded = recordVenue({
 *   start: '2026-01-05T09:00:00Z',
 *   instruments: ['BTC-PERPETUAL'],
 *   index: { btc_usd: 50_000 },
 *   accounts: { ann: { BTC: 1 } },
 * })
 * const order = { instrument_name: 'BTC-PERPETUAL', amount: 10, price: 49_000 }
 * console.log(recorded.send({ account: 'ann', method: 'private/buy', params: order })?.ok) // true
 * recorded.checkLaws()
 */
export function recordVenue(market: VenueOptions): RecordedVenue {
  checkArgument('recordVenue: market', market, 'object')
  const venue = openVenue({ sink: new EventLaws(), ...market })
  const requests: RecordedRequest[] = []
  const seen: Seen = { signature: undefined, rfq: undefined }
  const runOf = (title: string, expect: ScenarioExpectation): FailedRun => {
    return { title, market, requests, end: venue.now, expect }
  }
  const lawful = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof Error)) throw error
      const code = 'code' in error ? error.code : 'DEFECT'
      const options = { cause: error }
      if (code === 'LAW') throw coded(new RunError(runOf(error.message, { laws: 'hold' }), options), 'LAW')
      if (code !== 'DEFECT') throw error
      throw coded(new RunError(runOf(`internal error: ${error.message}`, { laws: 'hold' }), options), 'DEFECT')
    }
  }
  return {
    venue,
    requests,
    send({ after, account, method, params: given, session = 0, draw }): Answered<MethodName> | null {
      if (after !== undefined) this.wait(after)
      // Parameters are a mapping of values, and stay one.
      const known = resolved(given as ParamValue, { venue, account, seen }) as RequestParams | undefined
      if (known === undefined) return null
      const params = draw === undefined ? known : { ...drawParams(method, venue.desk, draw), ...known }
      const sent = { time: venue.now, account, method, params, session, orderId: null, refused: null }
      const place = requests.push(sent) - 1
      const asker = account === null ? venue : venue.as(account, session)
      // Generated parameters fit their method, and malformed ones are meant to be refused.
      const answer = lawful(() => asker.request(method, params as never, { advance: true }))
      const orderId = note(answer.reply.ok ? answer.reply.result : null, seen)
      requests[place] = { ...sent, orderId, refused: answer.reply.ok ? null : answer.reply.error.code }
      return answer
    },
    wait(duration): void {
      lawful(() => venue.wait(duration))
    },
    checkLaws(): void {
      lawful(() => assertLaws(venue.desk))
    },
    fail(title, expect): never {
      throw coded(new RunError(runOf(title, expect)), 'EXPECTATION')
    },
  }
}

/** Things in replies that later requests refer to. */
interface Seen {
  signature: string | undefined
  rfq: number | undefined
}

interface Results {
  readonly order?: { readonly order_id?: string }
  readonly signature?: string
  readonly block_rfq_id?: number
}

/** Notes what a result names, and returns the id of its order. */
function note(result: unknown, seen: Seen): string | null {
  if (typeof result !== 'object' || result === null) return null
  const { order, signature, block_rfq_id: rfq } = result as Results
  if (signature !== undefined) seen.signature = signature
  if (rfq !== undefined) seen.rfq = rfq
  return order?.order_id ?? null
}

interface Surroundings {
  readonly venue: Venue
  readonly account: string | null
  readonly seen: Seen
}

/** A value with its references replaced; undefined if one refers to something missing. */
function resolved(value: ParamValue, around: Surroundings): ParamValue | undefined {
  if (typeof value === 'string') return value.startsWith('@') ? referred(value, around) : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => resolved(item, around))
    return items.includes(undefined) ? undefined : (items as ParamValue)
  }
  const entries = Object.entries(value).map(([key, part]) => [key, resolved(part as ParamValue, around)] as const)
  return entries.some(([, part]) => part === undefined) ? undefined : (Object.fromEntries(entries) as ParamValue)
}

function referred(word: string, { venue, account, seen }: Surroundings): ParamValue | undefined {
  const [name, number = '0'] = word.split(':')
  switch (name) {
    case '@now':
      return Math.floor(venue.now / 1000)
    case '@signature':
      return seen.signature
    case '@rfq':
      return seen.rfq
    case '@order': {
      const owner = account === null ? undefined : findAccount(venue.exchange, account)
      const orders = owner === undefined ? [] : openOrders(venue.exchange, owner.id, anyOrder)
      const view = orders[Number(number) % orders.length]
      return view === undefined ? undefined : orderIdOut(view.instrument, view.order.id)
    }
    default:
      return word
  }
}
