/**
 * The property-test kit (`pitclock/testing`): generators of requests and the laws that always hold.
 *
 * Small so far: orders, edits and cancels on one instrument, and the laws as plain functions that any
 * test runner can use. Pure: it runs wherever fast-check does.
 */
import fc from 'fast-check'
import { formatScaledNumber } from '../core/index.ts'
import { audit, totalCash } from '../engine/index.ts'
import { type Currency, currencies, currencyIdOf, type Instrument } from '../model/index.ts'
import type { Desk, RequestParams } from '../rpc/index.ts'

/** A request without time and sequence. */
export interface GeneratedRequest {
  readonly account: string
  readonly method: 'private/buy' | 'private/sell' | 'private/cancel_all'
  readonly params: RequestParams
}

/** What generated requests are about. */
export interface RequestSpace {
  readonly instrument: Instrument
  readonly accounts: readonly string[]
  /** Prices lie within `spread` ticks of `price`, which is in quote units. */
  readonly price: number
  readonly spread: number
  /** Largest order in amount steps. */
  readonly lotsMax: number
}

/**
 * Requests on one instrument: limit orders on the price grid, market orders, bulk cancels. Shrinks
 * toward the first account, small orders and the middle price.
 */
export function orderRequest(space: RequestSpace): fc.Arbitrary<GeneratedRequest> {
  const { instrument, accounts, price, spread, lotsMax } = space
  const account = fc.constantFrom(...accounts)
  const amount = fc
    .integer({ min: instrument.minTradeLots, max: Math.max(instrument.minTradeLots, lotsMax) })
    .map((lots) => Number(formatScaledNumber(lots * instrument.amountStep9, 9)))
  const middle = Math.round((price * 1e9) / instrument.tick9)
  const limitPrice = fc
    .integer({ min: -spread, max: spread })
    .map((ticks) => Number(formatScaledNumber((middle + ticks) * instrument.tick9, 9)))
  const side = fc.constantFrom('private/buy' as const, 'private/sell' as const)
  const instrument_name = instrument.name
  const limit = fc
    .record({ account, method: side, amount, price: limitPrice, post_only: fc.boolean() })
    .map(({ account, method, ...order }) => ({
      account,
      method,
      params: { instrument_name, ...order },
    }))
  const market = fc
    .record({ account, method: side, amount })
    .map(({ account, method, amount }) => ({
      account,
      method,
      params: { instrument_name, amount, type: 'market', time_in_force: 'immediate_or_cancel' },
    }))
  const cancel = account.map((account) => ({
    account,
    method: 'private/cancel_all' as const,
    params: {},
  }))
  return fc.oneof(
    { arbitrary: limit, weight: 8 },
    { arbitrary: market, weight: 2 },
    { arbitrary: cancel, weight: 1 },
  )
}

/**
 * Throws unless every law of the exchange holds: books at rest are not crossed, positions and
 * session profits of an instrument sum to zero, margin totals equal margin computed from nothing,
 * and each currency holds exactly what was deposited (in 1e-9 of the currency).
 */
export function assertLaws(desk: Desk, deposited: { readonly [C in Currency]?: bigint }): void {
  audit(desk.exchange)
  for (const currency of currencies) {
    const expected = deposited[currency] ?? 0n
    const found = totalCash(desk.exchange, currencyIdOf(currency))
    if (found !== expected) {
      throw new RangeError(
        `money is conserved: expected ${expected} of ${currency}, found ${found}`,
      )
    }
  }
}
