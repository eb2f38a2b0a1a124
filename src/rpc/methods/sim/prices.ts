/**
 * Controls of reference prices: sim/set_index and set_mark.
 * Source: coverage R24, R64; market.md 3.1 (T22); DESIGN 6.
 */
import { type DecimalInput, defined, price9, z } from '../../../core/index.ts'
import { findInstrument, indexTicks, viewMarket } from '../../../engine/index.ts'
import { indexOfConstituents } from '../../../pricing/index.ts'
import { priceOut } from '../../wire/index.ts'
import { defineMethod, type ReadContext, type ReadRequest, unreadable } from '../method.ts'
import { decimal, earlier, instrumentName, paramFault, readPrice9, unknownInstrument } from '../params.ts'

const constituent = z.object({ price: decimal, weight: decimal })

/** Largest number of constituents, more than any index has. */
const CONSTITUENTS_MAX = 100

/**
 * Sets a price index immediately: to `price`; to the weighted mean of `constituents`, each limited to half a percent from
 * their median; or, with `from: mid`, to the mid price of the recorded book of `instrument_name`, which it then follows.
 */
const setIndex = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'set_index',
  params: z.object({
    index_name: z
      .string()
      .regex(/^[a-z0-9]+_[a-z0-9]+$/, 'an index such as btc_usd')
      .describe('an index such as btc_usd'),
    price: decimal.optional(),
    constituents: z
      .array(constituent)
      .min(1)
      .max(CONSTITUENTS_MAX)
      .optional()
      .describe('prices of the exchanges that make up the index'),
    from: z.enum(['mid']).optional().describe('mid uses the mid price of the spot book'),
    instrument_name: instrumentName.optional(),
  }),
  read: (context, params) => {
    if (params.from === 'mid') return readFollowMid(context, params)
    const { body, fault } =
      params.constituents === undefined ? readIndexPrice(params) : readConstituents(context, params)
    const named = params.instrument_name !== undefined
    return { body, fault: earlier(fault, named ? NOT_WITHOUT_FROM : null) }
  },
  reply: () => 'ok',
})

/** A request names a book only if the index follows it. */
const NOT_WITHOUT_FROM = paramFault('instrument_name', 'not_without_from')

interface IndexParams {
  readonly index_name: string
  readonly price?: DecimalInput | undefined
  readonly constituents?: readonly z.output<typeof constituent>[] | undefined
  readonly instrument_name?: string | undefined
}

function readIndexPrice(params: IndexParams): ReadRequest {
  const price = params.price === undefined ? undefined : readPrice9(params.price)
  const missing = params.price === undefined ? 'required' : 'not_a_price'
  return {
    body: { kind: 'set_index', index: params.index_name, price: price ?? price9(0) },
    fault: typeof price === 'number' ? null : paramFault('price', missing),
  }
}

function readConstituents(context: ReadContext, params: IndexParams): ReadRequest {
  const given = params.constituents ?? []
  let fault = params.price === undefined ? null : paramFault('price', 'not_with_constituents')
  const list: { price9: number; weight9: number }[] = []
  for (const [at, entry] of given.entries()) {
    for (const field of ['price', 'weight'] as const) {
      const problem = problemOf(readPrice9(entry[field]))
      if (problem === null) continue
      fault = earlier(fault, paramFault(`constituents.${at}.${field}`, problem))
    }
    list.push({
      price9: readPrice9(entry.price) ?? 0,
      weight9: readPrice9(entry.weight) ?? 0,
    })
  }
  const ticks = indexTicks(context.exchange, params.index_name)
  const price = fault === null ? indexOfConstituents(list, params.index_name, ticks) : 0
  // A price below half a step of the index rounds to zero.
  if (fault === null && price === 0) fault = paramFault('constituents', 'too_small')
  return { body: { kind: 'set_index', index: params.index_name, price: price9(price) }, fault }
}

/** The mistake in a price or weight of a constituent, or null. */
function problemOf(read: number | undefined | null): string | null {
  if (read === undefined) return 'too_many_decimals'
  if (read === null) return 'too_large'
  return read > 0 ? null : 'not_above_zero'
}

function readFollowMid(context: ReadContext, params: IndexParams): ReadRequest {
  const name = params.instrument_name
  const instrument = name === undefined ? undefined : findInstrument(context.exchange, name)
  const missing = name === undefined ? paramFault('instrument_name', 'required') : unknownInstrument
  const isPriced = params.price !== undefined || params.constituents !== undefined
  const priced = paramFault(params.price === undefined ? 'constituents' : 'price', 'not_with_from')
  const fault = earlier(isPriced ? priced : null, instrument === undefined ? missing : null)
  if (instrument === undefined) return { body: unreadable('follow_mid'), fault }
  return {
    body: { kind: 'follow_mid', index: params.index_name, instrument: instrument.id },
    fault,
  }
}

/** Pins the mark price of an instrument; without a price, the mark price follows the index again. */
const setMark = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'set_mark',
  params: z.object({ instrument_name: instrumentName, price: decimal.optional() }),
  read: (context, params) => {
    const instrument = findInstrument(context.exchange, params.instrument_name)
    const price = params.price === undefined ? null : readPrice9(params.price)
    const wrong = params.price !== undefined && typeof price !== 'number'
    const fault = earlier(
      instrument === undefined ? unknownInstrument : null,
      wrong ? paramFault('price', 'not_a_price') : null,
    )
    if (instrument === undefined) return { body: unreadable('set_mark'), fault }
    return { body: { kind: 'set_mark', instrument: instrument.id, price: price ?? null }, fault }
  },
  reply: (context, params): { readonly mark_price: number } => {
    const instrument = defined(findInstrument(context.exchange, params.instrument_name), 'the instrument exists')
    return { mark_price: priceOut(viewMarket(context.exchange, instrument.id).mark) }
  },
})

/** Controls by their names; a part of the table. */
export const priceControls = {
  'sim/set_index': setIndex,
  'sim/set_mark': setMark,
} as const
