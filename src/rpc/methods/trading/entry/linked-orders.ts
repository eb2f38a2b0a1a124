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
import { type DecimalInput, type Lots, lots, type Ticks, ticks, z } from '../../../../core/index.ts'
import {
  type Fault,
  type FillCondition,
  fillConditions,
  type Instrument,
  type LinkedOrderType,
  type LinkedTerms,
  linkedOrderTypes,
  type OrderTerms,
  type PlainReason,
  sides,
  sizeReason,
  type TriggerTerms,
  usualTerms,
  validationStep,
} from '../../../../model/index.ts'
import { decimal, earlier, paramFault, type Read, readSize } from '../../params.ts'
import { combinationReason, misuseFault } from './arguments.ts'
import { postOnlyOf, readLimitPrice, readTrigger, termParams } from './order-terms.ts'

const entryParams = z.object({
  amount: decimal,
  direction: z.enum(sides),
  ...termParams,
})

type EntryParams = z.output<typeof entryParams>

/** Parameters of linked orders. */
export const linkedParams = {
  linked_order_type: z.enum(linkedOrderTypes).optional().describe('relation to the orders of otoco_config'),
  trigger_fill_condition: z
    .enum(fillConditions)
    .optional()
    .describe('fills of the order that trigger or cancel the linked orders'),
  otoco_config: z.array(entryParams).optional().describe('linked orders on the same instrument'),
}

/** Parameters of linked orders. */
export interface LinkedParams {
  readonly linked_order_type?: LinkedOrderType | undefined
  readonly trigger_fill_condition?: FillCondition | undefined
  readonly otoco_config?: readonly EntryParams[] | undefined
}

/** The number of entries that each type requires (C32). */
const entryCounts: {
  readonly [T in LinkedOrderType]: { readonly min: number; readonly max: number }
} = {
  one_triggers_other: { min: 1, max: 10 },
  one_cancels_other: { min: 1, max: 1 },
  one_triggers_one_cancels_other: { min: 2, max: 2 },
}

/** Parameters of linked orders that are wrong for every instrument: step 5. */
export function linkedMisuse(params: LinkedParams): Fault | null {
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
export function linkedReason(
  instrument: Instrument,
  { otoco_config: entries = [] }: LinkedParams,
): PlainReason | undefined {
  if (instrument.routeDelay !== null) return 'invalid_args_for_instrument'
  for (const entry of entries) {
    const reason = combinationReason(instrument, entry)
    if (reason !== undefined) return reason
  }
  return undefined
}

/** The linked orders of a request, and the fault of their sizes. `own` is the size of the request's own order. */
export function readLinked(
  instrument: Instrument,
  type: LinkedOrderType,
  of: { readonly params: LinkedParams; readonly own: Read<Lots> },
): { readonly linked: LinkedTerms; readonly fault: Fault | null } {
  const { otoco_config: entries = [], trigger_fill_condition: condition } = of.params
  const sizes = entries.map((entry) => readSize(instrument, entry))
  let fault: Fault | null = null
  if (sizes.some((size) => !size.ok)) {
    for (const size of [of.own, ...sizes]) fault = earlier(fault, sizeFault(instrument, size))
  }
  const secondaries = entries.map((entry, at): OrderTerms => {
    const trigger = readTrigger(instrument, entry)
    if (trigger.fault?.refusal.reason === 'invalid_trigger_price') {
      fault = earlier(fault, trigger.fault)
    }
    const size = sizes[at]
    return secondaryOf(instrument, entry, {
      amount: size?.ok === true ? size.value : lots(0),
      trigger: trigger.terms,
    })
  })
  return { linked: { type, condition: condition ?? 'first_hit', secondaries }, fault }
}

function secondaryOf(
  instrument: Instrument,
  entry: EntryParams,
  read: { readonly amount: Lots; readonly trigger: TriggerTerms | null },
): OrderTerms {
  return {
    ...usualTerms,
    side: entry.direction,
    type: entry.type,
    timeInForce: entry.time_in_force,
    price: standInPrice(instrument, entry),
    amount: read.amount,
    label: entry.label,
    postOnly: postOnlyOf(entry),
    reduceOnly: entry.reduce_only,
    trigger: read.trigger,
  }
}

/** The limit price, or a stand-in that the engine refuses for the same reason. */
function standInPrice(
  instrument: Instrument,
  entry: { readonly type: EntryParams['type']; readonly price?: DecimalInput | undefined },
): Ticks | null {
  const price = readLimitPrice(instrument, entry)
  if (price === null || price.ok) return price?.value ?? null
  return price.fault.refusal.reason === 'invalid_price' ? null : ticks(0)
}

/** The fault of an impossible size. The engine would refuse it too, but here the fault keeps its order among others. */
function sizeFault(instrument: Instrument, size: Read<Lots>): Fault | null {
  if (!size.ok) return size.fault
  const reason = sizeReason(instrument, size.value)
  return reason === null ? null : { step: validationStep.amount, refusal: { reason } }
}
