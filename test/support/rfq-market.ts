/**
 * A venue for Block RFQs: a taker with a subaccount, three makers and one maker with little money, with options,
 * futures and spot.
 */
import type { VenueOptions } from '../../src/program/index.ts'
import { DeskMarket, type Json } from './desk-market.ts'

/** A call and a put that can be traded in blocks, and the future that hedges them. */
export const call = 'BTC-27MAR26-60000-C'
export const put = 'BTC-27MAR26-50000-P'
export const hedgeFuture = 'BTC-PERPETUAL'

/** The spread of the usual RFQ: buy 25 calls and sell 50 puts. */
export const usualLegs = [
  { instrument_name: call, amount: 25, direction: 'buy' },
  { instrument_name: put, amount: 50, direction: 'sell' },
] as const

/** A venue with methods for Block RFQs. */
export class RfqMarket extends DeskMarket {
  constructor(config: object = {}, options: Partial<VenueOptions> = {}) {
    super({
      instruments: [hedgeFuture, call, put, 'BTC_USDC', 'ETH-PERPETUAL', 'BTC-27MAR26'],
      index: { btc_usd: 50_000, btc_usdc: 50_000, eth_usd: 2_500 },
      config: { marks: 'index', ...config },
      accounts: {
        taker: { BTC: 1_000, USDC: 10_000_000 },
        m1: { BTC: 1_000, USDC: 10_000_000 },
        m2: { BTC: 1_000, USDC: 10_000_000 },
        m3: { BTC: 1_000, USDC: 10_000_000 },
        poor: { BTC: 0.0001 },
        other: { BTC: 100 },
      },
      ...options,
    })
    for (const account of ['m1', 'm2', 'm3', 'poor']) {
      this.result(null, 'sim/set_block_rfq_role', {
        ...{ account, maker: true, maker_alias: account.toUpperCase() },
      })
    }
    this.result(null, 'sim/set_block_rfq_role', { account: 'taker', taker_alias: 'FUND' })
  }

  /** The taker opens an RFQ. */
  create(terms: Json = {}): Json {
    return this.result('taker', 'private/create_block_rfq', { legs: usualLegs, ...terms })
  }

  /** A maker quotes it; `prices` are the prices of its legs. */
  quote(maker: string, rfq: Json, terms: Json): Json {
    return this.result(maker, 'private/add_block_rfq_quote', quoteTerms(rfq, terms))
  }

  /** The taker accepts an RFQ. */
  accept(rfq: Json, terms: Json): Json {
    return this.result('taker', 'private/accept_block_rfq', acceptTerms(rfq, terms))
  }

  /** Moves the time. */
  pass(duration: string): void {
    this.venue.wait(duration)
  }

  /** An RFQ in the view of an account. */
  seen(account: string, rfq: Json): Json {
    const { block_rfq_id } = rfq
    const params = { block_rfq_id, count: 1 }
    return this.result(account, 'private/get_block_rfqs', params).block_rfqs[0]
  }

  /** The size of a position of an account. */
  sizeOf(account: string, instrument: string): number {
    return this.result(account, 'private/get_position', { instrument_name: instrument }).size
  }
}

/** Parameters of a quote on an RFQ. */
export function quoteTerms(rfq: Json, { prices, ...terms }: Json): Json {
  return {
    block_rfq_id: rfq.block_rfq_id,
    amount: rfq.amount,
    direction: 'sell',
    legs: rfq.legs.map((leg: Json, at: number) => ({ ...leg, price: prices[at] })),
    ...terms,
  }
}

/** Parameters of an acceptance of an RFQ. */
export function acceptTerms(rfq: Json, terms: Json): Json {
  return {
    block_rfq_id: rfq.block_rfq_id,
    amount: rfq.amount,
    direction: 'buy',
    legs: rfq.legs,
    time_in_force: 'fill_or_kill',
    ...terms,
  }
}
