/**
 * A day with everything that an 08:00 can do: a perpetual and a future settle, another future is delivered, one account
 * is bankrupt, the fund pays all it has and a winner pays the rest.
 *
 * It begins on 2026-01-05 at 09:00. At 10:00 the index falls from 50,000 to 45,000.
 */
import { amount } from '../../src/core/index.ts'
import type { EventSink } from '../../src/model/index.ts'
import { type DeskMarket, deskMarket } from './desk-market.ts'

/** 2026-01-06T08:00:00Z in milliseconds. */
export const settledAt = Date.UTC(2026, 0, 6, 8)

/** The instruments of the day, in the order of listing. */
export const dayInstruments = ['BTC-PERPETUAL', 'BTC-6JAN26', 'BTC-27MAR26'] as const

/** The market before 08:00. */
export function openDay(sink?: EventSink): DeskMarket {
  const m = deskMarket({
    instruments: dayInstruments,
    accounts: { alice: { BTC: 10 }, bob: { BTC: 10 }, carol: { BTC: 0.6 } },
    config: { insuranceFund: { BTC: amount(50_000_000n) } },
    ...(sink === undefined ? {} : { sink }),
  })
  const [instrument_name, delivered] = dayInstruments
  trade(m, { buyer: 'alice', seller: 'bob', instrument_name, amount: 50_000, price: 50_000 })
  trade(m, {
    ...{ buyer: 'bob', seller: 'alice', instrument_name: delivered },
    ...{ amount: 10_000, price: 50_100 },
  })
  m.result(null, 'sim/give_position', {
    ...{ account: 'carol', instrument_name, amount: 300_000, price: 50_000 },
  })
  m.result(null, 'sim/advance', { to: Date.UTC(2026, 0, 5, 10) })
  m.result(null, 'sim/set_index', { index_name: 'btc_usd', price: 45_000 })
  return m
}

/** The market after 08:00. */
export function settledDay(sink?: EventSink): DeskMarket {
  const m = openDay(sink)
  m.result(null, 'sim/advance', { to: settledAt })
  return m
}

/** A trade of two accounts: the seller's order rests, the buyer takes it. */
export function trade(
  m: DeskMarket,
  of: {
    readonly buyer: string
    readonly seller: string
    readonly instrument_name: string
    readonly amount: number
    readonly price: number
  },
): void {
  const { instrument_name, amount: size, price } = of
  const order = { instrument_name, amount: size, price }
  m.result(of.seller, 'private/sell', order)
  m.result(of.buyer, 'private/buy', order)
}
