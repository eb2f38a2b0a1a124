/** Generated requests on one instrument: orders of all kinds and bulk cancels. */
import fc from 'fast-check'
import {
  checkOptions,
  coded,
  divFloor,
  formatScaledNumber,
  foundWord,
  micros,
  type OptionKinds,
  price9,
} from '../core/index.ts'
import {
  entryTypeOf,
  fillConditions,
  floorToGrid,
  type InstrumentSpec,
  isTrailing,
  sides,
  specFromName,
  triggerOrderTypes,
  triggerSources,
} from '../model/index.ts'
import type { ParamValue, RequestParams } from '../rpc/index.ts'

/** A request without time and sequence. */
export interface GeneratedRequest {
  readonly account: string
  readonly method: 'private/buy' | 'private/sell' | 'private/cancel_all'
  readonly params: RequestParams
}

/**
 * Kinds of orders in addition to plain limit and market orders:
 * - `trigger`: stop, take and trailing orders on the index, the mark or the last price, with trigger prices around
 *   the middle price; not for options.
 * - `reduce_only`: limit and market orders that may only reduce the position; not for spot and combos.
 * - `iceberg`: limit orders that show a part. The venue requires a visible part of at least a hundred smallest sizes,
 *   so these orders are larger even if `lotsMax` is smaller; not for options and combos.
 * - `oco`: two limit orders that cancel each other, under any condition.
 * - `advanced`: limit orders of options at a volatility, or of inverse ones at a value in USD.
 */
export type SpecialKind = 'trigger' | 'reduce_only' | 'iceberg' | 'oco' | 'advanced'

/** The instruments, accounts and sizes that generated requests draw from. */
export interface RequestSpace {
  /** An instrument of the venue by its name; or what was listed, where its terms are not those of the catalogue. */
  readonly instrument: string | InstrumentSpec
  readonly accounts: readonly string[]
  /** Prices lie within `spread` ticks of `price`, which is in quote units. */
  readonly price: number
  readonly spread: number
  /** Largest order in amount steps. */
  readonly lotsMax: number
  /** Further kinds of orders, in addition to limit and market orders. Default: none. */
  readonly kinds?: readonly SpecialKind[]
}

/** A space whose instrument is known. */
export type KnownSpace = RequestSpace & { readonly instrument: InstrumentSpec }

/** Arbitraries that all requests of a space draw from. */
export interface Draws {
  readonly space: KnownSpace
  readonly account: fc.Arbitrary<string>
  readonly side: fc.Arbitrary<'private/buy' | 'private/sell'>
  readonly amount: fc.Arbitrary<number>
  readonly price: fc.Arbitrary<number>
}

/**
 * Generates requests on one instrument: limit orders on the price grid, market orders, bulk cancels, and the kinds
 * that the space lists. Shrinks toward plain orders, the first account, small amounts and the middle price.
 *
 * @throws RangeError with the code `INSTRUMENT` where the catalogue has no instrument of this name, `OPTION` where
 * the space has a field or a kind that does not exist, or no accounts.
 *
 * @example
 * import { openVenue } from 'pitclock'
 * import { submit } from 'pitclock/wire'
 * import { assertLaws, fc, orderRequest } from 'pitclock/testing'
 *
 * const order = orderRequest({ instrument: 'BTC-PERPETUAL', accounts: ['ann', 'bob'], price: 50_000, spread: 20, lotsMax: 100 })
 * const market = { start: '2026-01-05T09:00:00Z', instruments: ['BTC-PERPETUAL'], index: { btc_usd: 50_000 } }
 * fc.assert(
 *   fc.property(fc.array(order), (orders) => {
 *     const venue = openVenue({ ...market, accounts: { ann: { BTC: 10 }, bob: { BTC: 10 } } })
 *     for (const order of orders) {
 *       submit(venue.desk, { ...order, time: venue.now, session: 0 }, () => undefined)
 *     }
 *     assertLaws(venue.desk)
 *   }),
 *   { numRuns: 5 },
 * )
 */
export function orderRequest(asked: RequestSpace): fc.Arbitrary<GeneratedRequest> {
  checkOptions('orderRequest', asked, spaceKinds)
  const draws = drawsOf('orderRequest', asked)
  const cancel = draws.account.map((account) => ({
    account,
    method: 'private/cancel_all' as const,
    params: {},
  }))
  return fc.oneof(
    { arbitrary: limitOrder(draws), weight: 8 },
    { arbitrary: orderOf(draws, { amount: draws.amount, ...atMarket }), weight: 2 },
    { arbitrary: cancel, weight: 1 },
    ...(draws.space.kinds ?? []).map((kind) => ({ arbitrary: specialOrders[kind](draws), weight: 3 })),
  )
}

/** The arbitraries of a space. */
export function drawsOf(caller: string, asked: RequestSpace): Draws {
  checkSpace(caller, asked)
  const space: KnownSpace = { ...asked, instrument: specOf(asked.instrument) }
  const { instrument, accounts, lotsMax } = space
  return {
    space,
    account: fc.constantFrom(...accounts),
    side: fc.constantFrom('private/buy', 'private/sell'),
    amount: fc
      .integer({ min: instrument.minTradeLots, max: Math.max(instrument.minTradeLots, lotsMax) })
      .map((lots) => amountOf(instrument, lots)),
    price: ticksAround(space).map((ticks) => priceInQuote(instrument, ticks)),
  }
}

/**
 * A limit order. The venue refuses an order that would match another one of its account, so each account has its own
 * fair price: it buys there or below, and sells above. Accounts with different fair prices trade with each other.
 */
function limitOrder(draws: Draws): fc.Arbitrary<GeneratedRequest> {
  const { instrument, accounts, spread } = draws.space
  const instrument_name = instrument.name
  const distance = fc.nat(spread)
  return fc
    .record({ account: draws.account, method: draws.side, amount: draws.amount, distance, post_only: fc.boolean() })
    .map(({ distance: away, account: owner, method: side, ...terms }) => {
      const rank = accounts.indexOf(owner)
      const furthest = divFloor(accounts.length, 2)
      const step = divFloor(rank + 1, 2) * (rank % 2 === 0 ? -1 : 1)
      const fair = furthest === 0 ? 0 : divFloor(step * Math.max(0, spread - 1), furthest)
      const ticks = side === 'private/buy' ? Math.max(-spread, fair - away) : Math.min(spread, fair + 1 + away)
      const price = priceInQuote(instrument, tickFromMiddle(draws.space, ticks))
      return {
        account: owner,
        method: side,
        params: { instrument_name, amount: terms.amount, price, post_only: terms.post_only },
      }
    })
}

/** The constraints of all spaces. */
export const spaceKinds: OptionKinds<RequestSpace> = {
  instrument: 'object | string',
  accounts: 'texts',
  price: 'number',
  spread: 'number',
  lotsMax: 'number',
  kinds: 'texts?',
}

function checkSpace(caller: string, asked: RequestSpace): void {
  const { accounts, kinds = [] } = asked
  const known = Object.keys(specialOrders)
  const odd = kinds.find((kind) => !known.includes(kind))
  if (odd !== undefined) {
    const expected = `${caller}: kinds: expected one of ${known.join(', ')}`
    throw coded(new RangeError(`${expected}, ${foundWord(odd, known)}`), 'OPTION')
  }
  if (!Array.isArray(accounts) || accounts.length === 0) {
    const problem = `${caller}: accounts: expected at least one account with a name, found none`
    throw coded(new RangeError(problem), 'OPTION')
  }
  for (const name of ['price', 'spread', 'lotsMax'] as const) {
    if (Number.isFinite(asked[name]) && asked[name] >= 0) continue
    const problem = `${caller}: ${name}: expected a number of at least 0, found ${asked[name]}`
    throw coded(new RangeError(problem), 'OPTION')
  }
}

/** The terms of an instrument: those of the catalogue where it is named. */
function specOf(instrument: string | InstrumentSpec): InstrumentSpec {
  if (typeof instrument !== 'string') return instrument
  // Terms of orders do not depend on when an instrument was listed.
  const spec = specFromName(instrument, { creation: micros(0) })
  if (spec.ok) return spec.value
  throw coded(new RangeError(`instrument ${instrument}: ${spec.error}`), 'INSTRUMENT')
}

const atMarket = {
  type: fc.constant('market'),
  time_in_force: fc.constant('immediate_or_cancel'),
}

const specialOrders: {
  readonly [Kind in SpecialKind]: (draws: Draws) => fc.Arbitrary<GeneratedRequest>
} = {
  trigger: triggerOrder,
  reduce_only: (draws) => {
    const reduce_only = fc.constant(true)
    return fc.oneof(
      orderOf(draws, { amount: draws.amount, price: draws.price, reduce_only }),
      orderOf(draws, { amount: draws.amount, reduce_only, ...atMarket }),
    )
  },
  iceberg: icebergOrder,
  advanced: advancedOrder,
  oco: (draws) => {
    const direction = fc.constantFrom(...sides)
    return orderOf(draws, {
      amount: draws.amount,
      price: draws.price,
      linked_order_type: fc.constant('one_cancels_other'),
      trigger_fill_condition: fc.constantFrom(...fillConditions),
      otoco_config: fc.tuple(fc.record({ direction, amount: draws.amount, price: draws.price })),
    })
  },
}

/** Volatilities are in percent; values in USD lie below a tenth of the index of any option. */
function advancedOrder(draws: Draws): fc.Arbitrary<GeneratedRequest> {
  const byVolatility = orderOf(draws, {
    amount: draws.amount,
    advanced: fc.constant('implv'),
    price: fc.integer({ min: 10, max: 200 }),
  })
  if (draws.space.instrument.counterCurrency !== 'USD') return byVolatility
  const byValue = orderOf(draws, {
    amount: draws.amount,
    advanced: fc.constant('usd'),
    price: fc.integer({ min: 1, max: 2_000 }),
  })
  return fc.oneof(byVolatility, byValue)
}

const untrailing = triggerOrderTypes.filter((type) => !isTrailing(type))
const limitTriggers = untrailing.filter((type) => entryTypeOf(type) === 'limit')
const marketTriggers = untrailing.filter((type) => entryTypeOf(type) !== 'limit')
const trailingTriggers = triggerOrderTypes.filter(isTrailing)

function triggerOrder(draws: Draws): fc.Arbitrary<GeneratedRequest> {
  const { amount, price, space } = draws
  const common = { amount, trigger: fc.constantFrom(...triggerSources) }
  const trigger_offset = fc
    .integer({ min: 1, max: Math.max(1, space.spread) })
    .map((ticks) => priceInQuote(space.instrument, ticks))
  return fc.oneof(
    orderOf(draws, {
      ...common,
      type: fc.constantFrom(...marketTriggers),
      trigger_price: price,
    }),
    orderOf(draws, {
      ...common,
      type: fc.constantFrom(...limitTriggers),
      trigger_price: price,
      price,
    }),
    orderOf(draws, { ...common, type: fc.constantFrom(...trailingTriggers), trigger_offset }),
  )
}

/** At least a hundred smallest sizes are shown, and less than a hundred times as much is hidden (C25). */
function icebergOrder(draws: Draws): fc.Arbitrary<GeneratedRequest> {
  const { instrument, lotsMax } = draws.space
  const shownMin = 100 * instrument.minTradeLots
  const sizes = fc
    .integer({ min: shownMin + 1, max: Math.max(shownMin + 1, lotsMax) })
    .chain((lots) =>
      fc.integer({ min: Math.max(shownMin, divFloor(lots, 101) + 1), max: lots - 1 }).map((shown) => ({ lots, shown })),
    )
  return sizes.chain(({ lots, shown }) =>
    orderOf(draws, {
      amount: fc.constant(amountOf(instrument, lots)),
      price: draws.price,
      display_amount: fc.constant(amountOf(instrument, shown)),
    }),
  )
}

/** An order of any account and side with these parameters. */
function orderOf(
  draws: Draws,
  params: Readonly<Record<string, fc.Arbitrary<ParamValue>>>,
): fc.Arbitrary<GeneratedRequest> {
  const instrument_name = draws.space.instrument.name
  return fc
    .record({ account: draws.account, method: draws.side, params: fc.record(params) })
    .map(({ account, method, params }) => ({
      account,
      method,
      params: { instrument_name, ...params },
    }))
}

/** Options have coarser steps above a price, onto which the ticks there fall. */
function ticksAround(space: KnownSpace): fc.Arbitrary<number> {
  return fc.integer({ min: -space.spread, max: space.spread }).map((ticks) => tickFromMiddle(space, ticks))
}

/** The tick on the grid at a distance from the middle price. */
export function tickFromMiddle({ instrument, price }: KnownSpace, ticks: number): number {
  const middle = Math.round((price * 1e9) / instrument.tick9)
  return floorToGrid(instrument, price9((middle + ticks) * instrument.tick9))
}

/** The price at a tick. */
export function priceInQuote(instrument: InstrumentSpec, ticks: number): number {
  return Number(formatScaledNumber(ticks * instrument.tick9, 9))
}

/** The amount of a size. */
export function amountOf(instrument: InstrumentSpec, lots: number): number {
  return Number(formatScaledNumber(lots * instrument.amountStep9, 9))
}
