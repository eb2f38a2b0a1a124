/**
 * Building blocks of parameter schemas, and the conversion of written sizes and prices into lots and ticks.
 *
 * Source: trading.md 4.1 and C09 (codes); coverage R38, R43, R46, R47.
 */

import {
  type AccountId,
  type Amount,
  amount,
  type DecimalInput,
  type Lots,
  lots,
  type Micros,
  microsOfMillis,
  type Price9,
  parseDecimalInput,
  price9,
  safeNumber,
  type Ticks,
  ticks,
  z,
} from '../../core/index.ts'
import { type Exchange, findAccount } from '../../engine/index.ts'
import {
  amount9OfLots,
  contracts9OfLots,
  currencies,
  type Fault,
  type Instrument,
  type InstrumentKind,
  instrumentKinds,
  lotsOfAmount9,
  lotsOfContracts9,
  type OpenSession,
  type PlainReason,
  type SizeFault,
  ticksOfPrice9,
  validationStep,
} from '../../model/index.ts'
import type { RequestParams } from '../wire/index.ts'

const LABEL_MAX = 64
const SCALE = 9

/**
 * Values that a parameter accepts in addition to those that the interface lists, for `.meta`. Schemas show them as
 * text, and do not list a word that the text begins with.
 */
export function acceptedInput(what: string): { readonly 'x-pitclock-accepts': string } {
  return { 'x-pitclock-accepts': what }
}

/** The clock that measures how long a client is silent. */
export const sessionClock = z
  .enum(['market', 'machine'])
  .default('market')
  .describe(
    'clock that measures the silence of the client: `market`, or `machine` if a server measures it and calls sim/inactivity or sim/heartbeat_failure',
  )

/** The clock in the form of the command `open_session`. */
export function silenceClock(clock: z.output<typeof sessionClock>): Pick<OpenSession, 'clock'> {
  return clock === 'machine' ? { clock } : {}
}

/** A written number: a double, or literal text that a double cannot hold. */
export const decimal = z
  .union([z.number(), z.object({ decimal: z.string().refine(isDecimalText, 'wrong_type') })])
  .describe('a decimal number')

/** The name of an instrument. */
export const instrumentName = z.string().describe('instrument name, such as BTC-PERPETUAL')

/** The name of a price index. */
export const indexName = z.string().describe('an index such as btc_usd')

/** The id of an order in a request. */
export const orderIdIn = z.string().describe('id of an order, such as 7 or ETH-7')

/** The latest timestamp, whose microseconds are a safe integer. */
export const TIMESTAMP_MAX = 9_007_199_254_740

/** Milliseconds since the epoch. */
export const timestamp = z.int().min(0).max(TIMESTAMP_MAX).describe('milliseconds since the epoch')

/** Both ends of a time span, both required. */
export const timeSpan = { start_timestamp: timestamp, end_timestamp: timestamp }

/** The fault of a span that starts after its end. */
export function spanFault(start_timestamp: number, end_timestamp: number): Fault | null {
  const late = start_timestamp > end_timestamp
  return late ? paramFault('start_timestamp', 'start_after_end') : null
}

/** An order label: at most 64 code points (R46). */
export const label = z
  .string()
  // The number of code points is at most the number of UTF-16 units, and most labels are short.
  .refine((text) => text.length <= LABEL_MAX || [...text].length <= LABEL_MAX, 'too_long')
  .describe('up to 64 characters')
  .meta({ maxLength: LABEL_MAX })

/** The maximum number of records to return. */
export function count(preset: number): z.ZodDefault<z.ZodInt> {
  return z.int().min(1).max(1000).default(preset).describe('maximum number of records')
}

/**
 * The currencies that requests accept: all currencies of `public/get_currencies`, more than the interface names (S020),
 * because clients send requests for each of that list. Where a currency has no data, the result is an empty list or
 * zero.
 */
export const requestCurrency = z.enum(currencies).describe('a currency of public/get_currencies')

/** A currency, or `any`. */
export const anyCurrency = z
  .enum([...currencies, 'any'])
  .describe('a currency of public/get_currencies, or any for all currencies')

/** Instrument kinds. */
export const instrumentKind = z.enum(instrumentKinds).describe('only instruments of this kind')

/** Instrument kinds, with `combo` for both kinds of combo and `any` for all kinds. */
export const anyInstrumentKind = z
  .enum([...instrumentKind.options, 'combo', 'any'])
  .describe('only instruments of this kind; combo for both kinds of combo')

/** The instrument kinds of a filter; null for all. */
export function kindsOf(kind: z.output<typeof anyInstrumentKind> | undefined): readonly InstrumentKind[] | null {
  if (kind === undefined || kind === 'any') return null
  return kind === 'combo' ? ['future_combo', 'option_combo'] : [kind]
}

/** Order of a list of trades. */
export const sorting = z
  .enum(['asc', 'desc', 'default'])
  .default('default')
  .describe('order by number: asc from the oldest, desc from the newest')

/** The fault for an instrument that is not listed: 13020. */
export const unknownInstrument: Fault = {
  step: validationStep.instrument,
  refusal: { reason: 'not_found' },
}

/** The fault of arguments that do not fit each other or the instrument: step 10 of C07. */
export function argumentFault(reason: PlainReason): Fault {
  return { step: validationStep.argumentCombination, refusal: { reason } }
}

/** A fault of the parameters themselves: -32602 with the parameter's name. */
export function paramFault(param: string, problem: string): Fault {
  return {
    step: validationStep.parameters,
    refusal: { reason: 'invalid_params', param, problem },
  }
}

/** The fault of an account name that belongs to no trader. */
export const unknownAccount: Fault = paramFault('account', 'unknown_account')

/** The account of a trader by its name; undefined for accounts of the exchange itself. */
export function traderNamed(exchange: Exchange, name: string): AccountId | undefined {
  const found = findAccount(exchange, name)
  return found === undefined || found.house ? undefined : found.id
}

/** The fault of the earlier step; the first one if both steps are equal, null without a fault. */
export function earlier(first: Fault | null | undefined, second: Fault | null | undefined): Fault | null {
  if (second === null || second === undefined) return first ?? null
  return first === null || first === undefined || second.step < first.step ? second : first
}

/** True if a value is an object of parameters, which every request needs (S016). */
export function isParams(value: unknown): value is RequestParams {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value, or the fault that prevented reading it. */
export type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: Fault }

/** The two ways to give the size of an order. */
interface SizeParams {
  readonly amount?: DecimalInput | undefined
  readonly contracts?: DecimalInput | undefined
}

/**
 * The size of an order from `amount` and `contracts`, which must agree if both are given. The engine checks the minimum
 * amount, so an amount below it passes whatever its step, and is refused as too low.
 */
export function readSize(instrument: Instrument, size: SizeParams): Read<Lots> {
  if (size.amount === undefined && size.contracts === undefined) {
    return { ok: false, fault: paramFault('amount', 'required') }
  }
  const fromAmount = size.amount === undefined ? undefined : lotsOf(instrument, size.amount, 'amount')
  const fromContracts = size.contracts === undefined ? undefined : lotsOf(instrument, size.contracts, 'contracts')
  if (fromAmount !== undefined && fromContracts !== undefined) {
    const agree =
      fromAmount.ok && fromContracts.ok ? fromAmount.value === fromContracts.value : fromAmount.ok === fromContracts.ok
    if (!agree) {
      const step = validationStep.argumentCombination
      return { ok: false, fault: { step, refusal: { reason: 'invalid_amount' } } }
    }
  }
  return fromAmount ?? fromContracts ?? { ok: false, fault: paramFault('amount', 'required') }
}

function lotsOf(instrument: Instrument, input: DecimalInput, unit: 'amount' | 'contracts'): Read<Lots> {
  const scaled = parseDecimalInput(input, SCALE)
  if (!scaled.ok) return { ok: false, fault: offStep(instrument, 'off_step') }
  const found = unit === 'amount' ? lotsOfAmount9(instrument, scaled.value) : lotsOfContracts9(instrument, scaled.value)
  if (found.ok) return { ok: true, value: found.value }
  const minimum =
    unit === 'amount'
      ? amount9OfLots(instrument, instrument.minTradeLots)
      : contracts9OfLots(instrument, instrument.minTradeLots)
  if (scaled.value < minimum) return { ok: true, value: lots(0) }
  return { ok: false, fault: offStep(instrument, found.error) }
}

/** 10027 for futures and perpetuals, otherwise 10021 (C09). */
function offStep(instrument: Instrument, error: SizeFault): Fault {
  const whole = instrument.kind === 'future' && error === 'off_step'
  return {
    step: validationStep.amount,
    refusal: { reason: whole ? 'non_integer_contract_amount' : 'invalid_amount' },
  }
}

/**
 * A price on the book's base grid. Prices off the grid are refused, never rounded (10043). A price beyond the limit of
 * 9,007,199 is `invalid_price`.
 */
export function readPrice(instrument: Instrument, input: DecimalInput): Read<Ticks> {
  const step = validationStep.price
  const exact = readPrice9(input)
  if (exact === null) return { ok: false, fault: { step, refusal: { reason: 'invalid_price' } } }
  const found = exact === undefined ? undefined : ticksOfPrice9(instrument, exact)
  if (found !== undefined) return { ok: true, value: ticks(found) }
  return { ok: false, fault: { step, refusal: { reason: 'price_wrong_tick' } } }
}

/**
 * A trigger price, or the distance of a trailing stop, on the book's base grid. A price off the grid is
 * `trigger_price_wrong_tick` (10044), and one beyond the limit of prices `invalid_trigger_price`. The engine refuses
 * values that are not above zero as off the grid.
 */
export function readTriggerPrice(instrument: Instrument, input: DecimalInput): Read<Ticks> {
  const step = validationStep.triggerPrice
  const exact = readPrice9(input)
  if (exact === null) {
    return { ok: false, fault: { step, refusal: { reason: 'invalid_trigger_price' } } }
  }
  const found = exact === undefined ? undefined : ticksOfPrice9(instrument, exact)
  if (found !== undefined) return { ok: true, value: found }
  return { ok: false, fault: { step, refusal: { reason: 'trigger_price_wrong_tick' } } }
}

/** A price in 1e-9; undefined with too many decimals, null beyond the limit of prices. */
export function readPrice9(input: DecimalInput): Price9 | undefined | null {
  const scaled = parseDecimalInput(input, SCALE)
  if (!scaled.ok) return scaled.error.kind === 'too_many_decimals' ? undefined : null
  const limit = BigInt(Number.MAX_SAFE_INTEGER)
  if (scaled.value > limit || scaled.value < -limit) return null
  return price9(safeNumber(scaled.value))
}

/** An amount in 1e-9, or undefined if it has more decimals. */
export function readAmount9(input: DecimalInput): bigint | undefined {
  const scaled = parseDecimalInput(input, SCALE)
  return scaled.ok ? scaled.value : undefined
}

/** Money in nano, or undefined if it has more than nine decimals. */
export function readMoney(input: DecimalInput): Amount | undefined {
  const scaled = parseDecimalInput(input, SCALE)
  return scaled.ok ? amount(scaled.value) : undefined
}

/** A time from milliseconds. */
export function readTime(millis: number): Micros {
  return microsOfMillis(millis)
}

function isDecimalText(text: string): boolean {
  const scaled = parseDecimalInput({ decimal: text }, SCALE)
  return scaled.ok || scaled.error.kind === 'too_many_decimals'
}
