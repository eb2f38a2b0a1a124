/**
 * Arguments of direct access messages about orders and amends, and lookups by the client's order id.
 *
 * Source: sessions document 8.5; coverage R60; S324, S325.
 */
import { type DecimalInput, type Lots, lots, type OrderId, z } from '../core/index.ts'
import { orderOfClient, pairOfNumber, viewSession } from '../engine/index.ts'
import {
  type Fault,
  type Instrument,
  type PlacementExtras,
  type PostOnly,
  schemaSince,
  type TimeInForce,
} from '../model/index.ts'
import { argumentFault, asker, earlier, lastingExtras, type ReadContext, readDisplay } from '../rpc/index.ts'
import { wideNumber } from './fields.ts'
import { versionOf } from './posting.ts'

/** The client's id of an order: a whole number of 64 bits. */
export const clientOrderId = wideNumber.describe("the client's id of the order: a whole number")

/** Flags of a new order, in the order of their bits. */
export const orderFlags = [
  'cancel_on_disconnect',
  'post_only',
  'post_only_reject',
  'market_limit',
  'mmp',
  'reset_mmp',
] as const
type OrderFlag = (typeof orderFlags)[number]

/** A currency pair by its price index or by its number. */
export const currencyPair = z
  .union([z.string(), z.int()])
  .describe("a price index such as eth_usd, or the number of its pair in the gateway's list")

/** The price index of a currency pair; empty for an unknown number. */
export function pairNamed(context: ReadContext, pair: string | number): string {
  return typeof pair === 'string' ? pair : (pairOfNumber(context.exchange, pair) ?? '')
}

/** The number of a group of quotes. */
export const groupNumber = z.int().describe('number of a group, from private/get_mmp_config')

/** Flags of an amend, and of one side of a quote. */
export const replaceFlags = ['post_only', 'post_only_reject'] as const

/** Time in force: a word, or a number of settlements. */
export const directTimeInForce = z.union([z.enum(['GTC', 'IOC', 'FOK']), z.int().min(1).max(127)])

/** The flags that exist in the version of a session; newer ones count as unset (R60). */
export function knownFlags(context: ReadContext, flags: readonly OrderFlag[]): readonly OrderFlag[] {
  return mayReset(context) ? flags : flags.filter((flag) => flag !== 'reset_mmp')
}

/** True if the flag that ends a freeze exists in the version of a session. */
export function mayReset(context: ReadContext): boolean {
  return versionOf(context.history, context.session) >= schemaSince.resetMmp
}

/** Reads the post-only flags; a request can set only one of the two. */
export function readPostOnly(flags: readonly string[]): {
  readonly postOnly: PostOnly
  readonly fault: Fault | null
} {
  const slides = flags.includes('post_only')
  const rejects = flags.includes('post_only_reject')
  const fault = slides && rejects ? argumentFault('unsupported_arg_combination') : null
  return { postOnly: rejects ? 'reject' : slides ? 'slide' : 'off', fault }
}

/** The time in force of an order, and the number of settlements that it survives. */
export function readTimeInForce(asked: z.output<typeof directTimeInForce>): {
  readonly timeInForce: TimeInForce
  readonly settlements: number
} {
  switch (asked) {
    case 'GTC':
      return { timeInForce: 'good_til_cancelled', settlements: 0 }
    case 'IOC':
      return { timeInForce: 'immediate_or_cancel', settlements: 0 }
    case 'FOK':
      return { timeInForce: 'fill_or_kill', settlements: 0 }
    default:
      return { timeInForce: 'good_til_day', settlements: asked - 1 }
  }
}

/** Extras of a new order in addition to its terms. */
export function directPlacementExtras(
  context: ReadContext,
  clientOrderId: string | null,
  correlationId: string | null,
  flags: readonly OrderFlag[],
  settlements: number,
): PlacementExtras {
  const isFloor = viewSession(context.exchange, context.session)?.cancelOnDisconnect === true
  return {
    mmp: flags.includes('mmp'),
    resetMmp: flags.includes('reset_mmp'),
    direct: {
      clientOrderId,
      cancelOnDisconnect: isFloor || flags.includes('cancel_on_disconnect'),
      ...(correlationId === null ? {} : { correlationId }),
      ...(settlements === 0 ? {} : { settlements }),
    },
    lasting: lastingExtras(context),
  }
}

/** Reads the visible size of an order; 0 shows the whole order. */
export function readShown(
  instrument: Instrument,
  shown: DecimalInput | undefined,
): { readonly display: Lots; readonly fault: Fault | null } {
  if (shown === undefined) return { display: lots(0), fault: null }
  const read = readDisplay(instrument, shown)
  return read.ok
    ? { display: read.value, fault: null }
    : { display: lots(0), fault: argumentFault('invalid_max_show_amount') }
}

/**
 * The live order of the requesting portfolio with this client's order id, and its instrument; null without such an
 * order.
 */
export function namedByClient(
  context: ReadContext,
  id: string,
): { readonly order: OrderId; readonly instrument: Instrument } | null {
  if (context.account === -1) return null
  return orderOfClient(context.exchange, asker(context), id) ?? null
}

/** The fault of the earliest step. */
export function firstOf(faults: readonly (Fault | null)[]): Fault | null {
  return faults.reduce<Fault | null>((first, fault) => earlier(first, fault), null)
}
