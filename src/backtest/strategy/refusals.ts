/** Counts refused requests of strategies by the venue's reason, with one example and a hint. */
import { formatIsoTime, type Micros } from '../../core/index.ts'
import type { Refusal } from '../../model/index.ts'
import { type Desk, hintFor, type RequestParams } from '../../rpc/index.ts'

/** Refused requests of one strategy with one reason. */
export interface RefusalCount {
  /** The venue's word for the reason. */
  readonly reason: string
  readonly count: number
  /** The first refused request. */
  readonly example: {
    /** Its time of arrival at the exchange, as an ISO time. */
    readonly at: string
    readonly method: string
    readonly params: string
  }
  /** A suggestion for avoiding the refusal; null if there is no known one. */
  readonly hint: string | null
}

/** Counts by reason, in the order of their first occurrence. The number of reasons bounds their number. */
export type Refusals = Map<string, RefusalCount>

const EXAMPLE_LENGTH_MAX = 300

/** A refused request of a strategy and its time. */
interface RefusedCall {
  readonly refusal: Refusal
  readonly time: Micros
  readonly method: string
  readonly params: RequestParams
}

/** Counts a refusal. */
export function countRefusal(refusals: Refusals, desk: Desk, of: RefusedCall): void {
  const { reason } = of.refusal
  const known = refusals.get(reason)
  if (known !== undefined) {
    refusals.set(reason, { reason, count: known.count + 1, example: known.example, hint: known.hint })
    return
  }
  const params = JSON.stringify(of.params)
  const example = {
    at: formatIsoTime(of.time),
    method: of.method,
    params: params.length <= EXAMPLE_LENGTH_MAX ? params : `${params.slice(0, EXAMPLE_LENGTH_MAX)}…`,
  }
  refusals.set(reason, { reason, count: 1, example, hint: hintOf(desk, of) })
}

/** The hint for a strategy: the general hint for the refusal, and a function of the venue that helps. */
function hintOf(desk: Desk, of: Parameters<typeof countRefusal>[2]): string | null {
  const hint = hintFor(desk, of)
  const own = ownHints.find(([reasons]) => reasons.includes(of.refusal.reason))?.[1]
  const isUnpriced = hint?.startsWith('price: ') === true
  return own === undefined || isUnpriced ? hint : [hint, own].filter((part) => part !== null).join('; ')
}

const ownHints: readonly (readonly [readonly string[], string])[] = [
  [['price_wrong_tick', 'trigger_price_wrong_tick', 'invalid_price'], 'use venue.price for prices on the grid'],
  [['invalid_amount', 'qty_too_low', 'non_integer_contract_amount'], 'use venue.amount for whole steps'],
  [['not_enough_funds'], 'venue.funds returns the available funds'],
]
