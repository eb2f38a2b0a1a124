/**
 * private/buy and private/sell. Source: trading.md 4.1 (C09), 5; coverage R46, R47, R48.
 */

import { type DecimalInput, type Lots, lots, type Ticks, ticks, z } from '../../../../core/index.ts'
import { findInstrument } from '../../../../engine/index.ts'
import {
  advancedTypes,
  type Fault,
  type FillCondition,
  fillConditions,
  type Instrument,
  type LinkedOrderType,
  type LinkedTerms,
  linkedOrderTypes,
  type OrderTerms,
  type PlacementExtras,
  type PlainReason,
  type Side,
  sides,
  sizeReason,
  type TriggerTerms,
  usualTerms,
  validationStep,
} from '../../../../model/index.ts'
import {
  type BodyOf,
  type CommandBody,
  defineMethod,
  lastingExtras,
  type Method,
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
import {
  displayParam,
  postOnlyOf,
  readAdvanced,
  readDisplay,
  readLimitPrice,
  readTrigger,
  termParams,
} from './order-terms.ts'

type EntryParams = z.output<typeof entryParams>

/** Parameters of linked orders. */
interface LinkedParams {
  readonly linked_order_type?: LinkedOrderType | undefined
  readonly trigger_fill_condition?: FillCondition | undefined
  readonly otoco_config?: readonly EntryParams[] | undefined
}

const entryParams = z.object({
  amount: decimal,
  direction: z.enum(sides),
  ...termParams,
})

/** Parameters of linked orders. */
const linkedParams = {
  linked_order_type: z.enum(linkedOrderTypes).optional().describe('relation to the orders of otoco_config'),
  trigger_fill_condition: z
    .enum(fillConditions)
    .optional()
    .describe('fills of the order that trigger or cancel the linked orders'),
  otoco_config: z.array(entryParams).optional().describe('linked orders on the same instrument'),
}

/** The number of entries that each type requires (C32). */
const entryCounts: {
  readonly [T in LinkedOrderType]: { readonly min: number; readonly max: number }
} = {
  one_triggers_other: { min: 1, max: 10 },
  one_cancels_other: { min: 1, max: 1 },
  one_triggers_one_cancels_other: { min: 2, max: 2 },
}

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

function placing(side: Side): Method<typeof placeParams, OrderResult> {
  return defineMethod({
    scope: 'trade:read_write',
    sessions: 'json_rpc',
    command: 'place_order',
    charge: 'trading',
    queue: 'order',
    params: placeParams,
    read: (context, params) => readPlace(context, params, side),
    reply: (context) => orderResult(context),
  })
}

/** Places a buy order. */
const buy = placing('buy')

/** Places a sell order. */
const sell = placing('sell')

function readPlace(context: ReadContext, params: PlaceParams, side: Side): ReadRequest {
  const instrument = findInstrument(context.exchange, params.instrument_name)
  const validUntil = params.valid_until === undefined ? null : readTime(params.valid_until)
  const misused = misuseOf(params)
  if (instrument === undefined) {
    return {
      body: unreadable('place_order', undefined, validUntil),
      fault: earlier(misused, unknownInstrument),
    }
  }
  const size = readSize(instrument, params)
  const advanced = readAdvanced(params.advanced, params.price)
  const price = advanced === null ? readLimitPrice(instrument, params.type, params.price) : null
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
    postOnly: postOnlyOf(params.post_only, params.reject_post_only),
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
  const shown = displayParam(params.display_amount, params.max_show)
  const type = params.linked_order_type
  if (shown === undefined && type === undefined) return noExtras
  const display = shown === undefined ? undefined : readDisplay(instrument, shown)
  const linked = type === undefined ? undefined : readLinked(instrument, type, params, own)
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
  const linked = params.linked_order_type !== undefined
  const reason = combinationReason(instrument, params)
  if (reason !== undefined) return reason
  if (params.advanced !== undefined) {
    const wrong = advancedReason(instrument, params.type, params.advanced, params.post_only)
    if (wrong !== undefined) return wrong
  }
  if (linked) {
    const wrong = linkedReason(instrument, params)
    if (wrong !== undefined) return wrong
  }
  if (displayParam(params.display_amount, params.max_show) !== undefined) {
    const wrong = displayReason(instrument)
    if (wrong !== undefined) return wrong
  }
  return params.mmp ? mmpReason(params.type, linked) : undefined
}

/** Methods by their names; a part of the table. */
export const placeMethods = {
  'private/buy': buy,
  'private/sell': sell,
} as const

/**
 * Linked orders that a request places together with its own order: `linked_order_type`, `trigger_fill_condition` and
 * the entries of `otoco_config`.
 *
 * Each entry follows the rules of an order, at the same steps. Within one step the request's own order is checked
 * first, then the entries in their order. Where the engine detects an error itself, the reader passes a stand-in value
 * instead of a fault, so that the engine can keep to this order: a price of zero is off the grid, and null is a missing
 * price.
 * Source: trading.md 4.1, 6.14 (C08, C09, C32); coverage R71.
 */

/** Parameters of linked orders that are wrong for every instrument: step 5. */
function linkedMisuse(params: LinkedParams): Fault | null {
  const { linked_order_type: type, otoco_config: entries } = params
  if (type === undefined) {
    const problem = 'only_with_linked_order_type'
    if (params.trigger_fill_condition !== undefined) {
      return paramFault('trigger_fill_condition', problem)
    }
    return entries === undefined ? null : paramFault('otoco_config', problem)
  }
  if (entries === undefined) return paramFault('otoco_config', 'required')
  const { min, max } = entryCounts[type]
  if (entries.length < min || entries.length > max) return paramFault('otoco_config', 'wrong_length')
  for (const [at, entry] of entries.entries()) {
    const fault = misuseFault(entry, `otoco_config.${at}.`)
    if (fault !== null) return fault
  }
  return null
}

/** The reason why linked orders do not fit the instrument, or the arguments of one do not fit each other: step 10. */
function linkedReason(instrument: Instrument, { otoco_config: entries = [] }: LinkedParams): PlainReason | undefined {
  if (instrument.routeDelay !== null) return 'invalid_args_for_instrument'
  for (const entry of entries) {
    const reason = combinationReason(instrument, entry)
    if (reason !== undefined) return reason
  }
  return undefined
}

/** The linked orders of a request, and the fault of their sizes. `own` is the size of the request's own order. */
function readLinked(
  instrument: Instrument,
  type: LinkedOrderType,
  params: LinkedParams,
  own: Read<Lots>,
): { readonly linked: LinkedTerms; readonly fault: Fault | null } {
  const { otoco_config: entries = [], trigger_fill_condition: condition } = params
  const sizes = entries.map((entry) => readSize(instrument, entry))
  let fault: Fault | null = null
  if (sizes.some((size) => !size.ok)) {
    for (const size of [own, ...sizes]) fault = earlier(fault, sizeFault(instrument, size))
  }
  const secondaries = entries.map((entry, at): OrderTerms => {
    const trigger = readTrigger(instrument, entry)
    if (trigger.fault?.refusal.reason === 'invalid_trigger_price') {
      fault = earlier(fault, trigger.fault)
    }
    const size = sizes[at]
    return secondaryOf(instrument, entry, size?.ok === true ? size.value : lots(0), trigger.terms)
  })
  return { linked: { type, condition: condition ?? 'first_hit', secondaries }, fault }
}

function secondaryOf(
  instrument: Instrument,
  entry: EntryParams,
  amount: Lots,
  trigger: TriggerTerms | null,
): OrderTerms {
  return {
    ...usualTerms,
    side: entry.direction,
    type: entry.type,
    timeInForce: entry.time_in_force,
    price: placeholderPrice(instrument, entry.type, entry.price),
    amount,
    label: entry.label,
    postOnly: postOnlyOf(entry.post_only, entry.reject_post_only),
    reduceOnly: entry.reduce_only,
    trigger,
  }
}

/** The limit price, or a stand-in that the engine refuses for the same reason. */
function placeholderPrice(
  instrument: Instrument,
  type: EntryParams['type'],
  entryPrice?: DecimalInput | undefined,
): Ticks | null {
  const price = readLimitPrice(instrument, type, entryPrice)
  if (price === null || price.ok) return price?.value ?? null
  return price.fault.refusal.reason === 'invalid_price' ? null : ticks(0)
}

/** The fault of an impossible size. The engine would refuse it too, but here the fault keeps its order among others. */
function sizeFault(instrument: Instrument, size: Read<Lots>): Fault | null {
  if (!size.ok) return size.fault
  const reason = sizeReason(instrument, size.value)
  return reason === null ? null : { step: validationStep.amount, refusal: { reason } }
}
