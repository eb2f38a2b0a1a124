/**
 * private/edit and private/edit_by_label. Omitted parameters stay unchanged. Waiting orders can be edited too,
 * including their trigger.
 *
 * Source: trading.md 4.2 (C10), 4.3 (C11), 6.10 (C28), 6.13; S231-S236.
 */
import { type Lots, lots, type Ticks, ticks, z } from '../../../../core/index.ts'
import { findInstrument, type OrderView, seenOrders } from '../../../../engine/index.ts'
import {
  type AdvancedTerms,
  advancedTypes,
  anyOrder,
  type EditOrder,
  entryTypeOf,
  type Fault,
  isTrailing,
  NO_ORDER,
  type PlainReason,
  type PostOnly,
  validationStep,
} from '../../../../model/index.ts'
import { asker, type CommandBody, defineMethod, type ReadContext, type ReadRequest } from '../../method.ts'
import {
  argumentFault,
  decimal,
  earlier,
  instrumentName,
  label,
  orderIdIn,
  paramFault,
  type Read,
  readPrice,
  readSize,
  readTime,
  readTriggerPrice,
  timestamp,
  unknownInstrument,
} from '../../params.ts'
import { unknownOrder, viewNamed } from '../named-order.ts'
import { type OrderResult, orderResult } from '../order-reports.ts'
import { displayReason, mmpReason, reduceOnlyReason } from './arguments.ts'
import { displayParam, readAdvanced, readDisplay } from './order-terms.ts'

/** Parameters of both methods. */
const changeParams = {
  amount: decimal.optional(),
  contracts: decimal.optional(),
  price: decimal.optional(),
  post_only: z.boolean().optional().describe('post-only: if the price would trade, it is moved away from the book'),
  reject_post_only: z
    .boolean()
    .optional()
    .describe('with post_only: an order that would trade is rejected instead of moved'),
  reduce_only: z.boolean().optional().describe('the order can only reduce the position'),
  mmp: z.boolean().optional().describe('true if market-maker protection counts the fills of the order'),
  advanced: z.enum(advancedTypes).optional().describe('for options: price in USD or as implied volatility'),
  trigger_price: decimal.optional(),
  valid_until: timestamp.optional(),
}

const editParams = z.object({
  order_id: orderIdIn,
  ...changeParams,
  trigger_offset: decimal.optional(),
  display_amount: decimal.optional().describe('visible size of an iceberg'),
  max_show: decimal.optional().describe('an older name of display_amount'),
})

type ChangeParams = Omit<z.output<typeof editParams>, 'order_id'>

/** An edit that changes nothing. */
export const unchanged: Omit<CommandBody & { readonly kind: 'edit_order' }, 'order'> = {
  kind: 'edit_order',
  amount: null,
  price: null,
  advanced: null,
  postOnly: null,
  reduceOnly: null,
  display: null,
  triggerPrice: null,
  triggerOffset: null,
  mmp: null,
  validUntil: null,
}

/** Changes an open or untriggered order. */
const edit = defineMethod({
  scope: 'trade:read_write',
  sessions: 'json_rpc',
  command: 'edit_order',
  charge: 'trading',
  queue: 'edit',
  params: editParams,
  read: (context, params) => readEdit(context, params, viewNamed(context, params.order_id)),
  reply: (context): OrderResult => orderResult(context),
})

// Source: C11.
/**
 * Changes the only order of an instrument with a label, open or untriggered. The error is 13032 if several orders match,
 * and 10004 if no order does.
 */
const editByLabel = defineMethod({
  scope: 'trade:read_write',
  sessions: 'json_rpc',
  command: 'edit_order',
  charge: 'trading',
  queue: 'edit',
  params: z.object({ label: label.min(1), instrument_name: instrumentName, ...changeParams }),
  read: (context, params) => readEdit(context, params, labelledOrder(context, params)),
  reply: (context): OrderResult => orderResult(context),
})

/** The order to edit, and the fault if it cannot be found. */
type Meant = ReturnType<typeof viewNamed>

/** The label of an order and its instrument. */
interface LabelParams {
  readonly label: string
  readonly instrument_name: string
}

function labelledOrder(context: ReadContext, params: LabelParams): Meant {
  const instrument = findInstrument(context.exchange, params.instrument_name)
  if (instrument === undefined) {
    return { order: NO_ORDER, view: undefined, fault: unknownInstrument }
  }
  const filter = { ...anyOrder, label: params.label, instrument: instrument.id }
  const [view, another] = seenOrders(context.exchange, asker(context), filter)
  if (view === undefined) return { order: NO_ORDER, view, fault: unknownOrder }
  if (another !== undefined) return { order: NO_ORDER, view: undefined, fault: notUnique }
  return { order: view.order.id, view, fault: null }
}

const notUnique: Fault = {
  step: validationStep.instrument,
  refusal: { reason: 'non_unique_order_label' },
}

function readEdit(context: ReadContext, params: ChangeParams, meant: Meant): ReadRequest {
  const { order, view } = meant
  const validUntil = params.valid_until === undefined ? null : readTime(params.valid_until)
  const sizeless = params.amount === undefined && params.contracts === undefined
  const lacking = sizeless ? paramFault('amount', 'required') : null
  // For an order of another account, only the engine decides the refusal.
  if (view === undefined || view.account !== context.account) {
    return { body: { ...unchanged, order, validUntil }, fault: earlier(lacking, meant.fault) }
  }
  const size = sizeless ? null : readSize(view.instrument, params)
  const advanced = advancedAfter(view, params)
  const price =
    hasLimit(view) && view.order.advanced === null
      ? readWith(params.price, (input) => readPrice(view.instrument, input))
      : null
  const triggerOf = (input: ChangeParams['price']): Read<Ticks> | null =>
    readWith(input, (given) => readTriggerPrice(view.instrument, given))
  const triggerPrice = hasTriggerPrice(view) ? triggerOf(params.trigger_price) : null
  const triggerOffset = trails(view) ? triggerOf(params.trigger_offset) : null
  const display = readWith(displayParam(params.display_amount, params.max_show), (input) =>
    readDisplay(view.instrument, input),
  )
  const body: Omit<EditOrder, 'time' | 'sequence' | 'account' | 'session' | 'fault'> = {
    kind: 'edit_order',
    order,
    amount: size === null ? null : size.ok ? size.value : lots(0),
    price: ticksOf(price),
    advanced: advanced?.ok === true ? advanced.value : null,
    postOnly: postOnlyAfter(view, params),
    reduceOnly: params.reduce_only ?? null,
    display: display?.ok === true ? display.value : null,
    triggerPrice: ticksOf(triggerPrice),
    triggerOffset: ticksOf(triggerOffset),
    mmp: params.mmp ?? null,
    validUntil,
  }
  let fault = earlier(lacking, combinationFault(view, params))
  fault = earlier(fault, sizeFault(view, size))
  for (const read of [advanced, display, price, triggerPrice, triggerOffset]) {
    if (read !== null && !read.ok) fault = earlier(fault, read.fault)
  }
  return { body, fault }
}

/** True if an order waits for a given trigger price, not for a distance. */
function hasTriggerPrice(view: OrderView): boolean {
  return view.trigger !== null && !isTrailing(view.order.type)
}

/** True if an order follows the price at a distance. */
function trails(view: OrderView): boolean {
  return view.trigger !== null && isTrailing(view.order.type)
}

/**
 * True if the order has the trigger price, distance, limit or display size that an edit wants to change.
 *
 * Assumed: when an order is placed, the venue ignores a price that its type does not use (R47). An edit with such a
 * price asks for an impossible change, and is refused like a trigger of an order without one.
 */
function fitsOrder(view: OrderView, params: ChangeParams): boolean {
  if (params.trigger_price !== undefined && !hasTriggerPrice(view)) return false
  if (params.trigger_offset !== undefined && !trails(view)) return false
  return hasLimit(view) || (params.price ?? displayParam(params.display_amount, params.max_show)) === undefined
}

/** True if an order has a limit price that an edit can change: all except waiting orders that become market orders. */
function hasLimit(view: OrderView): boolean {
  return view.state === 'open' || entryTypeOf(view.order.type) === 'limit'
}

function readWith<Input, T>(input: Input | undefined, read: (input: Input) => Read<T>): Read<T> | null {
  return input === undefined ? null : read(input)
}

/**
 * A price in ticks, or null to leave it unchanged. Ticks of 0 replace a price that could not be read; its fault refuses
 * the request.
 */
function ticksOf(read: Read<Ticks> | null): Ticks | null {
  if (read === null) return null
  return read.ok ? read.value : ticks(0)
}

/**
 * The engine refuses an amount that is not above the filled size with 10021 (C28); for an unfilled order the amount is
 * too low.
 */
function sizeFault(view: OrderView, size: Read<Lots> | null): Fault | null {
  if (size === null) return null
  if (!size.ok) return size.fault
  if (size.value > 0 || view.filled > 0) return null
  return { step: validationStep.amount, refusal: { reason: 'qty_too_low' } }
}

/** The terms of an advanced order after an edit, which must repeat `advanced` (C28g); null for other orders. */
function advancedAfter({ order: { advanced } }: OrderView, params: ChangeParams): Read<AdvancedTerms> | null {
  if (advanced === null) return null
  if (params.advanced === undefined) return { ok: false, fault: paramFault('advanced', 'required') }
  if (params.price === undefined && params.advanced === advanced.type) return { ok: true, value: advanced }
  return readAdvanced(params.advanced, params.price)
}

/** Post-only after an edit. Each omitted flag stays unchanged (C10). */
function postOnlyAfter({ order }: OrderView, params: ChangeParams): PostOnly | null {
  if (params.post_only === undefined && params.reject_post_only === undefined) return null
  if (!(params.post_only ?? order.postOnly !== 'off')) return 'off'
  return (params.reject_post_only ?? order.postOnly === 'reject') ? 'reject' : 'slide'
}

function combinationFault(view: OrderView, params: ChangeParams): Fault | null {
  const wanted = postOnlyAfter(view, params) ?? view.order.postOnly
  if (params.reject_post_only === true && wanted === 'off') {
    return paramFault('reject_post_only', 'only_with_post_only')
  }
  const reason = changeReason(view, params, wanted)
  return reason === undefined ? null : argumentFault(reason)
}

/** The reason why arguments do not fit each other or the order, or are not served yet: step 10. */
function changeReason(view: OrderView, params: ChangeParams, wanted: PostOnly): PlainReason | undefined {
  if (params.advanced !== undefined && view.order.advanced === null) return 'not_adv_order'
  if (view.order.advanced !== null && wanted !== 'off') return 'no_adv_postonly'
  if (wanted !== 'off') {
    if (!hasLimit(view)) return 'post_only_not_allowed'
    if (view.order.timeInForce !== 'good_til_cancelled') return 'unsupported_arg_combination'
    if (view.instrument.routeDelay !== null && wanted === 'slide') return 'post_only_not_allowed'
  }
  if (!fitsOrder(view, params)) return 'unsupported_arg_combination'
  if (params.reduce_only === true) {
    const reason = reduceOnlyReason(view.instrument)
    if (reason !== undefined) return reason
  }
  if (displayParam(params.display_amount, params.max_show) !== undefined) {
    const reason = displayReason(view.instrument)
    if (reason !== undefined) return reason
  }
  if (params.mmp !== true) return undefined
  const { pair, primary, secondaries } = view.links
  const linked = pair !== NO_ORDER || primary !== NO_ORDER || secondaries.length > 0
  return mmpReason(view.order.type, linked)
}

/** Methods by their names; a part of the table. */
export const editMethods = {
  'private/edit': edit,
  'private/edit_by_label': editByLabel,
} as const
