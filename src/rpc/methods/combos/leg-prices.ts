/**
 * private/get_leg_prices: the prices of legs if they now traded together at a price of the combo.
 *
 * The legs need not belong to a listed combo, or to one that could be listed. Source: trading.md 4.9, C33b.
 */

import { type Price9, price9, scaledToNumber, z } from '../../../core/index.ts'
import { type Exchange, findInstrument, viewLegPrices } from '../../../engine/index.ts'
import {
  amount9OfLots,
  type Fault,
  type Instrument,
  type InstrumentKind,
  type PlainReason,
  type Side,
  sides,
  validationStep,
} from '../../../model/index.ts'
import { priceOut } from '../../wire/index.ts'
import { defineMethod, queryOf, type ReadContext } from '../method.ts'
import { decimal, earlier, instrumentName, paramFault, readPrice9, readSize, unknownInstrument } from '../params.ts'

/** A leg that was read. */
export interface ReadLeg {
  readonly instrument: Instrument
  /** Signed ratio, in lowest terms with the ratios of the other legs. */
  readonly ratio: number
}

/** Legs with the amount of the combo, which is the greatest common divisor of their amounts; or the first fault. */
export type ReadLegs =
  | { readonly ok: true; readonly legs: readonly ReadLeg[]; readonly amount9: bigint }
  | { readonly ok: false; readonly fault: Fault }

/** One leg of a request. */
export const legParam = z.object({
  instrument_name: instrumentName,
  amount: decimal,
  direction: z.enum(sides),
})

const legPriceParams = z.object({
  legs: z.array(legParam).min(1).max(20).describe('legs of a combo'),
  price: decimal,
})

/** Legs with their prices as JSON. */
export interface WireLegPrices {
  readonly legs: readonly {
    /** Without a sign: `direction` shows the side. */
    readonly ratio: number
    readonly instrument_name: string
    readonly direction: Side
    readonly price: number
  }[]
  /** Base amount; the amount of a leg is this amount times its ratio. */
  readonly amount: number
}

/** Leg prices for a price of the combo. */
const getLegPrices = defineMethod({
  scope: 'trade:read',
  sessions: 'json_rpc',
  command: 'query',
  params: legPriceParams,
  read: (context, params) => {
    const found = priceLegs(context, params)
    return queryOf(found.ok ? null : found.fault)
  },
  reply: (context, params): WireLegPrices => {
    const found = priceLegs(context, params)
    if (!found.ok) return { legs: [], amount: 0 }
    return {
      legs: found.legs.map(({ instrument, ratio }, at) => ({
        ratio: Math.abs(ratio),
        instrument_name: instrument.name,
        direction: ratio > 0 ? 'buy' : 'sell',
        price: priceOut(found.prices[at] ?? price9(0)),
      })),
      amount: scaledToNumber(found.amount9, 9),
    }
  },
})

type PricedLegs =
  | {
      readonly ok: true
      readonly legs: (ReadLegs & { readonly ok: true })['legs']
      readonly amount9: bigint
      readonly prices: readonly Price9[]
    }
  | { readonly ok: false; readonly fault: Fault }

function priceLegs({ exchange }: ReadContext, params: z.output<typeof legPriceParams>): PricedLegs {
  const read = readComboLegs(exchange, params.legs, 'legs')
  if (!read.ok) return read
  if (!read.legs.every(({ instrument }) => isLegKind(instrument.kind))) {
    return refused(validationStep.instrument, 'invalid_or_unsupported_instrument')
  }
  const price = readPrice9(params.price)
  if (price === undefined || price === null) return refused(validationStep.price, 'invalid_price')
  const asked = read.legs.map(({ instrument, ratio }) => ({ instrument: instrument.id, ratio }))
  const prices = viewLegPrices(exchange, asked, price)
  if (prices === 'unmarked') return refused(validationStep.priceBand, 'retry')
  if (prices === 'unreachable') return refused(validationStep.price, 'invalid_price')
  return { ok: true, legs: read.legs, amount9: read.amount9, prices }
}

/** Spot pairs and combos cannot be legs. */
function isLegKind(kind: InstrumentKind): boolean {
  return kind === 'future' || kind === 'option'
}

function refused(step: Fault['step'], reason: PlainReason): { readonly ok: false; readonly fault: Fault } {
  return { ok: false, fault: { step, refusal: { reason } } }
}

/** Methods by their names; a part of the table. */
export const legPriceMethods = {
  'private/get_leg_prices': getLegPrices,
} as const

/**
 * Legs of combos in requests: instruments with amounts and directions.
 *
 * The legs of a combo have the ratios of the amounts in lowest terms. The ratio of a sold leg is negative.
 * Source: trading.md 4.9 (create_combo, get_leg_prices), 6.15.
 */

/** Reads legs; `param` is the parameter that contains them. */
export function readComboLegs(
  exchange: Exchange,
  params: readonly z.output<typeof legParam>[],
  param: string,
): ReadLegs {
  let fault: Fault | null = params.length === 0 ? paramFault(param, 'required') : null
  const sized: { readonly instrument: Instrument; readonly amount9: bigint }[] = []
  const names = new Set<string>()
  for (const [at, leg] of params.entries()) {
    const instrument = findInstrument(exchange, leg.instrument_name)
    if (names.has(leg.instrument_name)) fault = earlier(fault, paramFault(param, 'named_twice'))
    names.add(leg.instrument_name)
    if (instrument === undefined) {
      fault = earlier(fault, unknownInstrument)
      continue
    }
    const size = readSize(instrument, leg)
    if (!size.ok) fault = earlier(fault, size.fault)
    else if (size.value <= 0) fault = earlier(fault, paramFault(`${param}.${at}.amount`, 'too_small'))
    else {
      const amount9 = amount9OfLots(instrument, size.value)
      sized.push({ instrument, amount9: leg.direction === 'buy' ? amount9 : -amount9 })
    }
  }
  if (fault !== null) return { ok: false, fault }
  const shared = sized.reduce((divisor, { amount9 }) => greatestDivisor(divisor, amount9), 0n)
  return {
    ok: true,
    legs: sized.map(({ instrument, amount9 }) => ({ instrument, ratio: Number(amount9 / shared) })),
    amount9: shared,
  }
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  let high = a < 0n ? -a : a
  let low = b < 0n ? -b : b
  while (low !== 0n) {
    const rest = high % low
    high = low
    low = rest
  }
  return high
}
