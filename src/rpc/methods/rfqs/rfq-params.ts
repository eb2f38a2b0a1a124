/**
 * Parameters that the methods of Block RFQs share, and the conversion of written legs and hedges into those of the
 * engine.
 *
 * Source: sessions-blocks-gateways.md 5.1.
 */
import { type DecimalInput, lots, type Price9, price9, z } from '../../../core/index.ts'
import { findInstrument } from '../../../engine/index.ts'
import {
  type BlockLeg,
  type Fault,
  type RfqAsk,
  type RfqLeg,
  type RfqQuotedLeg,
  sides,
  validationStep,
} from '../../../model/index.ts'
import { lotsOfAmount, wrongAmount, wrongPrice, wrongTick } from '../blocks/block-params.ts'
import type { ReadContext } from '../method.ts'
import { decimal, earlier, instrumentName, readAmount9, readPrice9, unknownInstrument } from '../params.ts'

/** The number of a Block RFQ. */
export const rfqId = z.int().min(1).describe('number of a Block RFQ')

/** The number of a quote. */
export const quoteId = z.int().min(1).describe('number of a quote')

const direction = z.enum(sides)
const ratio = z.int().min(1).describe('leg size per unit of the structure')

/** Legs of a taker's request. */
export const askedLegs = z
  .array(
    z.object({
      instrument_name: instrumentName,
      amount: decimal,
      direction: direction.describe('side of the leg for a taker who buys the structure'),
    }),
  )
  .min(1)
  .describe('legs of the structure, each with instrument_name, amount and direction')

/** Legs in the form of the RFQ. */
export const structureLegs = z
  .array(z.object({ instrument_name: instrumentName, direction, ratio }))
  .min(1)
  .describe('the legs of the RFQ, each with instrument_name, direction and ratio')

/** Legs in the form of the RFQ, with prices. */
export const quotedLegs = z
  .array(z.object({ instrument_name: instrumentName, direction, ratio, price: decimal.optional() }))
  .min(1)
  .describe('legs of the RFQ, each with instrument_name, direction, ratio and price')

/** A hedge. */
export const hedgeParam = z
  .object({ instrument_name: instrumentName, direction, price: decimal, amount: decimal })
  .optional()
  .describe('future that hedges the structure, with instrument_name, direction, price and amount')

/** The size of a structure. */
export const structureAmount = decimal.describe('size of the structure; the size of a leg is this size times its ratio')

/** A value with the first fault of reading it. */
export interface ReadWith<T> {
  readonly value: T
  readonly fault: Fault | null
}

/** Reads the legs of a taker's request. */
export function readAsks({ exchange }: ReadContext, legs: z.output<typeof askedLegs>): ReadWith<readonly RfqAsk[]> {
  const value: RfqAsk[] = []
  let fault: Fault | null = null
  for (const leg of legs) {
    const instrument = findInstrument(exchange, leg.instrument_name)
    const amount = instrument === undefined ? undefined : lotsOfAmount(instrument, leg.amount)
    if (instrument === undefined) fault = earlier(fault, unknownInstrument)
    else if (amount === undefined) fault = earlier(fault, wrongAmount)
    if (instrument === undefined) continue
    value.push({ instrument: instrument.id, side: leg.direction, amount: amount ?? lots(0) })
  }
  return { value, fault }
}

/** Reads legs in the form of the RFQ. */
export function readStructureLegs(
  { exchange }: ReadContext,
  legs: z.output<typeof structureLegs>,
): ReadWith<readonly RfqLeg[]> {
  const value: RfqLeg[] = []
  let fault: Fault | null = null
  for (const leg of legs) {
    const instrument = findInstrument(exchange, leg.instrument_name)
    if (instrument === undefined) fault = earlier(fault, unknownInstrument)
    else value.push({ instrument: instrument.id, side: leg.direction, ratio: leg.ratio })
  }
  return { value, fault }
}

/** Reads legs in the form of the RFQ, with prices. */
export function readQuotedLegs(
  { exchange }: ReadContext,
  legs: z.output<typeof quotedLegs>,
): ReadWith<readonly RfqQuotedLeg[]> {
  const value: RfqQuotedLeg[] = []
  let fault: Fault | null = null
  for (const leg of legs) {
    const instrument = findInstrument(exchange, leg.instrument_name)
    const price = readRfqPrice(leg.price)
    fault = earlier(fault, instrument === undefined ? unknownInstrument : price.fault)
    if (instrument === undefined) continue
    // A price of 0 replaces one that cannot be read.
    const given = price.fault === null ? price.value : price9(0)
    value.push({ instrument: instrument.id, side: leg.direction, ratio: leg.ratio, price: given })
  }
  return { value, fault }
}

/** Reads a hedge; null without one, or if it cannot be read. */
export function readHedge(context: ReadContext, hedge: z.output<typeof hedgeParam>): ReadWith<BlockLeg | null> {
  if (hedge === undefined) return { value: null, fault: null }
  const instrument = findInstrument(context.exchange, hedge.instrument_name)
  if (instrument === undefined) return { value: null, fault: unknownInstrument }
  const amount = lotsOfAmount(instrument, hedge.amount)
  if (amount === undefined) return { value: null, fault: wrongAmount }
  const { value: price, fault } = readRfqPrice(hedge.price)
  if (price === null) return { value: null, fault }
  return { value: { instrument: instrument.id, side: hedge.direction, price, amount }, fault: null }
}

/** Reads the size of a structure in 1e-9. */
export function readSize9(amount: DecimalInput): ReadWith<bigint> {
  const value = readAmount9(amount)
  return value === undefined ? { value: 0n, fault: wrongAmount } : { value, fault: null }
}

/** Reads a price in 1e-9; null without one. */
export function readRfqPrice(price: DecimalInput | undefined): ReadWith<Price9 | null> {
  if (price === undefined) return { value: null, fault: null }
  const value = readPrice9(price)
  if (value === undefined) return { value: null, fault: wrongTick }
  if (value === null) return { value: null, fault: wrongPrice }
  return { value: price9(value), fault: null }
}

/** The fault of an action that only makers, or only takers, may take. */
export const notForYou: Fault = {
  step: validationStep.scope,
  refusal: { reason: 'forbidden' },
}
