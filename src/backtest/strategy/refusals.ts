/**
 * Refused requests of strategies, by the venue's words: how often, one example, and a hint of ours.
 */
import { formatIsoTime, formatScaledNumber, type Micros, nearest } from '../../core/index.ts'
import { allInstruments, type Exchange, findInstrument } from '../../engine/index.ts'
import { amountStepOf, type Instrument, type Refusal, tickOf } from '../../model/index.ts'
import { methodNames, priceOut, type RequestParams } from '../../rpc/index.ts'

/** Refused requests of one strategy with one reason. */
export interface RefusalCount {
  /** The venue's word. */
  readonly reason: string
  readonly count: number
  /** The first of them. */
  readonly example: {
    /** When it reached the exchange, as an ISO time. */
    readonly at: string
    readonly method: string
    readonly params: string
  }
  /** A way out, where we know one. */
  readonly hint: string | null
}

/** Counts by reason, in the order of their first; at most as many as there are reasons. */
export type Refusals = Map<string, RefusalCount>

const EXAMPLE_LENGTH_MAX = 300

/** Counts a refusal. */
export function countRefusal(
  refusals: Refusals,
  exchange: Exchange,
  of: {
    readonly refusal: Refusal
    readonly time: Micros
    readonly method: string
    readonly params: RequestParams
  },
): void {
  const { reason } = of.refusal
  const known = refusals.get(reason)
  if (known !== undefined) {
    const { count, example, hint } = known
    refusals.set(reason, { reason, count: count + 1, example, hint })
    return
  }
  const params = JSON.stringify(of.params)
  const example = {
    at: formatIsoTime(of.time),
    method: of.method,
    params:
      params.length <= EXAMPLE_LENGTH_MAX ? params : `${params.slice(0, EXAMPLE_LENGTH_MAX)}…`,
  }
  refusals.set(reason, { reason, count: 1, example, hint: hintOf(exchange, of) })
}

/** A hint that may help; the venue's own words stay as they are. */
function hintOf(
  exchange: Exchange,
  { refusal, method, params }: Parameters<typeof countRefusal>[2],
): string | null {
  const name = String(params['instrument_name'] ?? '')
  const instrument = findInstrument(exchange, name)
  switch (refusal.reason) {
    case 'method_not_found':
      return meant(nearest(method, methodNames))
    case 'not_found':
    case 'invalid_or_unsupported_instrument':
      return instrument === undefined && name !== '' ? meantInstrument(exchange, name) : null
    case 'invalid_params':
      if (instrument === undefined && name !== '') return meantInstrument(exchange, name)
      return `${refusal.param}: ${refusal.problem}`
    case 'price_wrong_tick':
    case 'trigger_price_wrong_tick':
    case 'invalid_price':
      if (isUnpriced(method, params)) return 'price: expected a number, found nothing'
      if (instrument === undefined) return 'venue.price gives prices on the grid'
      return `tick ${tickWords(instrument)}; venue.price gives prices on the grid`
    case 'invalid_amount':
    case 'qty_too_low':
    case 'non_integer_contract_amount': {
      if (instrument === undefined) return 'venue.amount gives whole steps'
      const least = decimal(instrument.minTradeLots * instrument.amountStep9)
      return `step ${decimal(amountStepOf(instrument))}, at least ${least}; venue.amount gives whole steps`
    }
    case 'price_too_high':
    case 'price_too_low':
      return `the band ends at ${priceOut(refusal.limit)}`
    case 'not_enough_funds':
      return 'venue.funds tells what is available'
    case 'matching_engine_queue_full':
      return 'eight requests of a currency wait at most; replies tell when there is room'
    case 'lock_time_exceeded':
      return 'the entry latency is above 5 s, the longest wait'
    default:
      return null
  }
}

/** True of an order without a price; a field that a view does not have gives none. */
function isUnpriced(method: string, params: RequestParams): boolean {
  const isOrder = method === 'private/buy' || method === 'private/sell'
  return isOrder && params['price'] === undefined && params['trigger_price'] === undefined
}

function meantInstrument(exchange: Exchange, name: string): string | null {
  const names = allInstruments(exchange).map((each) => each.name)
  return meant(nearest(name, names)) ?? `listed: ${names.slice(0, 5).join(', ')}`
}

function meant(word: string | undefined): string | null {
  return word === undefined ? null : `did you mean ${word}?`
}

/** The tick of an instrument in words, with its steps. */
function tickWords(instrument: Instrument): string {
  const steps = instrument.tickSteps.filter(({ above }) => above > 0)
  const more = steps.map(({ above, tick9 }) => `${decimal(tick9)} from ${decimal(above)} on`)
  return [decimal(tickOf(instrument)), ...more].join(', ')
}

function decimal(nano: number): string {
  return formatScaledNumber(nano, 9)
}
