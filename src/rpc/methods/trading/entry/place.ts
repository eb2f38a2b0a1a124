/**
 * private/buy and private/sell. Source: trading.md 4.1 (C09), 5; coverage R46, R47, R48.
 */
import { type Lots, lots, type Ticks, ticks, z } from '../../../../core/index.ts'
import { findInstrument } from '../../../../engine/index.ts'
import {
  advancedTypes,
  type Fault,
  type Instrument,
  type LinkedTerms,
  type PlacementExtras,
  type PlainReason,
  type Side,
  usualTerms,
} from '../../../../model/index.ts'
import {
  type BodyOf,
  type CommandBody,
  defineMethod,
  lastingExtras,
  type ReadContext,
  type ReadRequest,
  unreadable,
} from '../../method.ts'
import {
  argumentFault,
  decimal,
  earlier,
  instrumentName,
  paramFault,
  type Read,
  readSize,
  readTime,
  timestamp,
  unknownInstrument,
} from '../../params.ts'
import { type OrderResult, orderResult } from '../order-reports.ts'
import { advancedReason, combinationReason, displayReason, misuseFault, mmpReason } from './arguments.ts'
import { linkedMisuse, linkedParams, linkedReason, readLinked } from './linked-orders.ts'
import {
  displayParam,
  postOnlyOf,
  readAdvanced,
  readDisplay,
  readLimitPrice,
  readTrigger,
  termParams,
} from './order-terms.ts'

const placeParams = z.object({
  instrument_name: instrumentName,
  amount: decimal.optional().describe('size in the unit of the instrument; contracts can replace it'),
  contracts: decimal.optional(),
  ...termParams,
  valid_until: timestamp.optional(),
  display_amount: decimal.optional().describe('visible size of an iceberg'),
  max_show: decimal.optional().describe('an older name of display_amount'),
  advanced: z.enum(advancedTypes).optional().describe('for options: price in USD or as implied volatility'),
  mmp: z.boolean().default(false).describe('true if market-maker protection counts the fills of the order'),
  ...linkedParams,
})

type PlaceParams = z.output<typeof placeParams>

/** A placement of an instrument with default terms. */
export const plainPlacement: Omit<CommandBody & { readonly kind: 'place_order' }, 'instrument'> = {
  ...usualTerms,
  kind: 'place_order',
  display: lots(0),
  linked: null,
  validUntil: null,
  extras: null,
}

/** Places a buy order. */
const buy = defineMethod({
  scope: 'trade:read_write',
  sessions: 'json_rpc',
  command: 'place_order',
  charge: 'trading',
  queue: 'order',
  params: placeParams,
  read: (context, params) => readPlace(context, params, 'buy'),
  reply: (context): OrderResult => orderResult(context),
})

/** Places a sell order. */
const sell = defineMethod({
  scope: 'trade:read_write',
  sessions: 'json_rpc',
  command: 'place_order',
  charge: 'trading',
  queue: 'order',
  params: placeParams,
  read: (context, params) => readPlace(context, params, 'sell'),
  reply: (context): OrderResult => orderResult(context),
})

function readPlace(context: ReadContext, params: PlaceParams, side: Side): ReadRequest {
  const instrument = findInstrument(context.exchange, params.instrument_name)
  const validUntil = params.valid_until === undefined ? null : readTime(params.valid_until)
  const misused = misuseOf(params)
  if (instrument === undefined) {
    return {
      body: unreadable('place_order', { validUntil }),
      fault: earlier(misused, unknownInstrument),
    }
  }
  const size = readSize(instrument, params)
  const advanced = readAdvanced(params)
  const price = advanced === null ? readLimitPrice(instrument, params) : null
  const trigger = readTrigger(instrument, params)
  const extras = readExtras(instrument, params, size)
  const reason = reasonOf(instrument, params)
  let fault = reason === undefined ? misused : earlier(misused, argumentFault(reason))
  if (!size.ok) fault = earlier(fault, size.fault)
  if (price !== null && !price.ok) fault = earlier(fault, price.fault)
  if (advanced !== null && !advanced.ok) fault = earlier(fault, advanced.fault)
  fault = earlier(fault, trigger.fault)
  fault = earlier(fault, extras.fault)
  const body: BodyOf<'place_order'> = {
    kind: 'place_order',
    instrument: instrument.id,
    side,
    type: params.type,
    timeInForce: params.time_in_force,
    price: price === null ? null : placeholder(price),
    amount: size.ok ? size.value : lots(0),
    label: params.label,
    postOnly: postOnlyOf(params),
    reduceOnly: params.reduce_only,
    trigger: trigger.terms,
    advanced: advanced?.ok === true ? advanced.value : null,
    display: extras.display,
    linked: extras.linked,
    validUntil,
    extras: placementExtras(context, params.mmp),
  }
  return { body, fault }
}

/** Extras of an order in addition to its terms; null without extras, as for most orders. */
export function placementExtras(context: ReadContext, mmp: boolean): PlacementExtras | null {
  const lasting = lastingExtras(context)
  return mmp || lasting !== null ? { mmp, resetMmp: false, direct: null, lasting } : null
}

/** The price, or zero for a price whose fault refuses the request. */
function placeholder(price: Read<Ticks>): Ticks {
  return price.ok ? price.value : ticks(0)
}

/** Extras that few orders have: the visible size of an iceberg, and linked orders. */
interface Extras {
  readonly display: Lots
  readonly linked: LinkedTerms | null
  readonly fault: Fault | null
}

const noExtras: Extras = { display: lots(0), linked: null, fault: null }

function readExtras(instrument: Instrument, params: PlaceParams, own: Read<Lots>): Extras {
  const shown = displayParam(params)
  const type = params.linked_order_type
  if (shown === undefined && type === undefined) return noExtras
  const display = shown === undefined ? undefined : readDisplay(instrument, shown)
  const linked = type === undefined ? undefined : readLinked(instrument, type, { params, own })
  const displayFault = display === undefined || display.ok ? null : display.fault
  return {
    display: display?.ok === true ? display.value : lots(0),
    linked: linked?.linked ?? null,
    fault: earlier(displayFault, linked?.fault),
  }
}

/** Parameters that are wrong for every instrument, listed or not: step 5 (C09, R47). */
function misuseOf(params: PlaceParams): Fault | null {
  if (params.amount === undefined && params.contracts === undefined) {
    return paramFault('amount', 'required')
  }
  return misuseFault(params, '') ?? linkedMisuse(params)
}

/** The reason why arguments do not fit each other, or are not served yet: step 10. */
function reasonOf(instrument: Instrument, params: PlaceParams): PlainReason | undefined {
  const { type, advanced } = params
  const linked = params.linked_order_type !== undefined
  const reason = combinationReason(instrument, params)
  if (reason !== undefined) return reason
  if (advanced !== undefined) {
    const wrong = advancedReason(instrument, { type, advanced, post_only: params.post_only })
    if (wrong !== undefined) return wrong
  }
  if (linked) {
    const wrong = linkedReason(instrument, params)
    if (wrong !== undefined) return wrong
  }
  if (displayParam(params) !== undefined) {
    const wrong = displayReason(instrument)
    if (wrong !== undefined) return wrong
  }
  return params.mmp ? mmpReason({ type, linked }) : undefined
}

/** Methods by their names; a part of the table. */
export const placeMethods = {
  'private/buy': buy,
  'private/sell': sell,
} as const
