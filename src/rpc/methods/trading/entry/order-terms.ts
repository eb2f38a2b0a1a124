/**
 * The written terms of an order, in a request or in an entry of its `otoco_config`.
 *
 * Prices are ticks of the base book grid, and sizes are lots. A price or size that does not fit them is a fault of the
 * step at which the venue would check it.
 * Source: trading.md 4.1 (C09), 6.7 (C25), 6.13 (C31); coverage R46, R47, R48.
 */
import { type DecimalInput, type Lots, lots, parseDecimalInput, type Ticks, ticks, z } from '../../../../core/index.ts'
import {
  type AdvancedTerms,
  entryTypeOf,
  type Fault,
  type Instrument,
  isTrailing,
  isTriggerType,
  lotsOfAmount9,
  type OrderType,
  orderTypes,
  type PostOnly,
  type TimeInForce,
  type TriggerSource,
  type TriggerTerms,
  triggerSources,
  validationStep,
} from '../../../../model/index.ts'
import { decimal, label, type Read, readPrice, readTriggerPrice } from '../../params.ts'

const SCALE = 9

/** Times in force in the order of the documents, which error messages repeat. The model orders them by code. */
const onWire: { readonly [Word in TimeInForce]: true } = {
  good_til_cancelled: true,
  good_til_day: true,
  fill_or_kill: true,
  immediate_or_cancel: true,
}
const timesInForceOfWire = /* @__PURE__ */ Object.keys(onWire) as readonly TimeInForce[]

/** Parameters that a request and the entries of its `otoco_config` share. */
export const termParams = {
  type: z.enum(orderTypes).default('limit').describe('order type'),
  label: label.default(''),
  price: decimal.optional(),
  time_in_force: z.enum(timesInForceOfWire).default('good_til_cancelled').describe('how long the order stays open'),
  post_only: z.boolean().default(false).describe('post-only: if the price would trade, it is moved away from the book'),
  reject_post_only: z
    .boolean()
    .default(false)
    .describe('with post_only: an order that would trade is rejected instead of moved'),
  reduce_only: z.boolean().default(false).describe('the order can only reduce the position'),
  trigger_price: decimal.optional().describe('required for stop and take orders'),
  trigger_offset: decimal.optional().describe('required for trailing stops'),
  trigger: z.enum(triggerSources).optional().describe('required for all trigger orders'),
}

/** Parameters of a trigger. */
export interface TriggerParams {
  readonly type: OrderType
  readonly trigger?: TriggerSource | undefined
  readonly trigger_price?: DecimalInput | undefined
  readonly trigger_offset?: DecimalInput | undefined
}

/** Trigger terms with their fault; null terms for orders without a trigger. */
interface ReadTrigger {
  readonly terms: TriggerTerms | null
  readonly fault: Fault | null
}

/** The combined meaning of `post_only` and `reject_post_only`. */
export function postOnlyOf(post_only: boolean, reject_post_only: boolean): PostOnly {
  if (!post_only) return 'off'
  return reject_post_only ? 'reject' : 'slide'
}

/**
 * The limit price of an order whose type needs one; null if it is missing, which the engine refuses. Other types ignore
 * a price (R47).
 */
export function readLimitPrice(
  instrument: Instrument,
  type: OrderType,
  price?: DecimalInput | undefined,
): Read<Ticks> | null {
  if (price === undefined || entryTypeOf(type) !== 'limit') return null
  return readPrice(instrument, price)
}

/**
 * The terms of an advanced order. Its price is a value in USD, or a volatility in percent, and must be above zero. Null
 * for other orders.
 */
export function readAdvanced(
  type?: AdvancedTerms['type'] | undefined,
  price?: DecimalInput | undefined,
): Read<AdvancedTerms> | null {
  if (type === undefined) return null
  const scaled = parseDecimalInput(price ?? 0, type === 'usd' ? SCALE : PERCENT_SCALE)
  const isKnown = scaled.ok && scaled.value > 0n && scaled.value <= MAX_VALUE
  if (isKnown) return { ok: true, value: { type, value9: Number(scaled.value) } }
  return {
    ok: false,
    fault: { step: validationStep.price, refusal: { reason: 'invalid_price' } },
  }
}

/** A percentage with 7 more decimals is in 1e-9 of the whole. */
const PERCENT_SCALE = 7
const MAX_VALUE = BigInt(Number.MAX_SAFE_INTEGER)

/**
 * Reads the trigger of an order. A trailing stop ignores `trigger_price` and does not need it, which is the only
 * deviation from "required for trigger orders" (R48). Stops and takes likewise ignore `trigger_offset`.
 */
export function readTrigger(instrument: Instrument, params: TriggerParams): ReadTrigger {
  if (!isTriggerType(params.type)) return noTrigger
  if (isTrailing(params.type)) {
    const offset = readTriggerPrice(instrument, params.trigger_offset ?? 0)
    return { terms: termsOf(params, null, placeholder(offset)), fault: faultOf(offset) }
  }
  const price = readTriggerPrice(instrument, params.trigger_price ?? 0)
  return { terms: termsOf(params, placeholder(price), null), fault: faultOf(price) }
}

/** The visible size of an iceberg; `max_show` is the older name of the parameter (trading.md 11). */
export function displayParam(
  display_amount?: DecimalInput | undefined,
  max_show?: DecimalInput | undefined,
): DecimalInput | undefined {
  return display_amount ?? max_show
}

/**
 * Reads the visible size of an iceberg; 0 shows the whole order. Negative sizes and sizes off the step break a size
 * rule (10036). A size above the limit of orders shows the whole order.
 */
export function readDisplay(instrument: Instrument, input: DecimalInput): Read<Lots> {
  const scaled = parseDecimalInput(input, SCALE)
  const found = scaled.ok ? lotsOfAmount9(instrument, scaled.value) : undefined
  if (found?.ok === true && found.value >= 0) return { ok: true, value: found.value }
  const beyond = scaled.ok && scaled.value > 0n && found?.ok === false && found.error === 'too_large'
  if (beyond) return { ok: true, value: lots(0) }
  const step = validationStep.amount
  return { ok: false, fault: { step, refusal: { reason: 'invalid_max_show_amount' } } }
}

const noTrigger: ReadTrigger = { terms: null, fault: null }

/** A missing source is a fault of the parameters, so its default here is never used. */
function termsOf({ trigger }: TriggerParams, price: Ticks | null, offset: Ticks | null): TriggerTerms {
  return { source: trigger ?? 'last_price', price, offset }
}

/** Zero replaces a price that could not be read; the engine refuses zero as off the grid. */
function placeholder(found: Read<Ticks>): Ticks {
  return found.ok ? found.value : ticks(0)
}

function faultOf(found: Read<Ticks>): Fault | null {
  return found.ok ? null : found.fault
}
