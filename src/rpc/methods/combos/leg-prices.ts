/**
 * private/get_leg_prices: the prices of legs if they now traded together at a price of the combo.
 *
 * The legs need not belong to a listed combo, or to one that could be listed. Source: trading.md 4.9, C33b.
 */
import { type Price9, price9, scaledToNumber, z } from '../../../core/index.ts'
import { viewLegPrices } from '../../../engine/index.ts'
import { type Fault, type InstrumentKind, type PlainReason, type Side, validationStep } from '../../../model/index.ts'
import { priceOut } from '../../wire/index.ts'
import { defineMethod, queryOf, type ReadContext } from '../method.ts'
import { decimal, readPrice9 } from '../params.ts'
import { legParam, type ReadLegs, readComboLegs } from './combo-legs.ts'

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
  const { legs, amount9 } = read
  if (!legs.every(({ instrument }) => isLegKind(instrument.kind))) {
    return refused(validationStep.instrument, 'invalid_or_unsupported_instrument')
  }
  const price = readPrice9(params.price)
  if (price === undefined || price === null) return refused(validationStep.price, 'invalid_price')
  const asked = legs.map(({ instrument, ratio }) => ({ instrument: instrument.id, ratio }))
  const prices = viewLegPrices(exchange, asked, price)
  if (prices === 'unmarked') return refused(validationStep.priceBand, 'retry')
  if (prices === 'unreachable') return refused(validationStep.price, 'invalid_price')
  return { ok: true, legs, amount9, prices }
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
