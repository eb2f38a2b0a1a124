/**
 * Parameters that the methods of block trades share, and the conversion of written trades into legs.
 *
 * Source: sessions-blocks-gateways.md 4.1, 4.3.
 */
import { type Lots, lots, price9, z } from '../../../core/index.ts'
import { findInstrument } from '../../../engine/index.ts'
import {
  type BlockLeg,
  type BlockTradeTerms,
  type Fault,
  type Instrument,
  liquidities,
  lotsOfAmount9,
  sides,
  validationStep,
} from '../../../model/index.ts'
import { needsApproval, type ReadContext } from '../method.ts'
import {
  decimal,
  earlier,
  instrumentName,
  readAmount9,
  readPrice9,
  readTime,
  timestamp,
  unknownInstrument,
} from '../params.ts'

const LEGS_MAX = 20
const NONCE_MAX = 64

/** The role of the requesting account. */
export const blockRole = z.enum(liquidities).describe('own role in the block trade')

/** The trades of a block trade. */
export const blockTrades = z
  .array(
    z.object({
      instrument_name: instrumentName,
      price: decimal,
      amount: decimal,
      direction: z.enum(sides).describe('side of the maker, in the requests of both parties'),
    }),
  )
  .min(1)
  .max(LEGS_MAX)
  .describe('trades of the block, each with instrument_name, price, amount and direction')

/** Parameters of a block trade. Both sides send the same values, except for their roles. */
export const blockTerms = {
  timestamp: timestamp.describe('milliseconds since the epoch; both parties send the same value'),
  nonce: z.string().min(1).max(NONCE_MAX).describe('text of up to 64 characters; both parties send the same value'),
  role: blockRole,
  trades: blockTrades,
}

type Trades = z.output<typeof blockTrades>

/** The terms of a block trade, with the first fault of its trades. */
export function readBlock(
  context: ReadContext,
  params: z.output<z.ZodObject<typeof blockTerms>>,
): { readonly terms: BlockTradeTerms; readonly fault: Fault | null } {
  const { legs, fault } = readLegs(context, params.trades)
  const terms = {
    role: params.role,
    timestamp: readTime(params.timestamp),
    nonce: params.nonce,
    legs,
    needsApproval: needsApproval(context),
    appName: context.key?.appName ?? null,
  }
  return { terms, fault }
}

/** The legs of the readable trades, with the first fault. */
export function readLegs(
  context: ReadContext,
  trades: Trades,
): { readonly legs: readonly BlockLeg[]; readonly fault: Fault | null } {
  const legs: BlockLeg[] = []
  let fault: Fault | null = null
  for (const trade of trades) {
    const read = readLeg(context, trade)
    if ('leg' in read) legs.push(read.leg)
    else fault = earlier(fault, read.fault)
  }
  return { legs, fault }
}

function readLeg(context: ReadContext, trade: Trades[number]): { readonly leg: BlockLeg } | { readonly fault: Fault } {
  const instrument = findInstrument(context.exchange, trade.instrument_name)
  if (instrument === undefined) return { fault: unknownInstrument }
  const size = lotsOfAmount(instrument, trade.amount)
  if (size === undefined) return { fault: wrongAmount }
  const price = readPrice9(trade.price)
  if (price === undefined) return { fault: wrongTick }
  if (price === null) return { fault: wrongPrice }
  const side = trade.direction
  return { leg: { instrument: instrument.id, side, price: price9(price), amount: size } }
}

/** Lots of an amount; undefined if the amount is off the step. The engine refuses amounts that are not above zero. */
export function lotsOfAmount(instrument: Instrument, amount: Trades[number]['amount']): Lots | undefined {
  const amount9 = readAmount9(amount)
  if (amount9 === undefined) return undefined
  if (amount9 <= 0n) return lots(0)
  const found = lotsOfAmount9(instrument, amount9)
  return found.ok ? found.value : undefined
}

/** The fault of a size off its step. */
export const wrongAmount: Fault = {
  step: validationStep.amount,
  refusal: { reason: 'invalid_amount' },
}
/** The fault of a price with too many decimals. */
export const wrongTick: Fault = {
  step: validationStep.price,
  refusal: { reason: 'price_wrong_tick' },
}
/** The fault of a price beyond the limit. */
export const wrongPrice: Fault = {
  step: validationStep.price,
  refusal: { reason: 'invalid_price' },
}
