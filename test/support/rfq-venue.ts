/**
 * A venue for Block RFQs: two takers, five makers with aliases, a maker without money, and a subaccount of the taker.
 * Tests request quotes for one option by default.
 */
import type { VenueOptions } from '../../src/program/index.ts'
import { call, put } from './block-market.ts'
import { DeskMarket, type Json } from './desk-market.ts'

/** Makers with their aliases. */
export const aliases = {
  alpha: 'ALPHA1',
  bravo: 'BRAVO2',
  charlie: 'CHARLIE3',
  delta: 'DELTA4',
  echo: 'ECHO5',
} as const

export const makers = ['alpha', 'bravo', 'charlie', 'delta', 'echo'] as const

/** A dated future. */
export const future = 'BTC-27MAR26'

export const fiveMakers = Object.values(aliases)

/** A venue with methods for Block RFQs. */
export class RfqVenue extends DeskMarket {
  constructor(config: object = {}, options: Partial<VenueOptions> = {}) {
    super({
      ...options,
      instruments: ['BTC-PERPETUAL', call, put, future, 'BTC_USDC', 'ETH-PERPETUAL', 'ETH_USDC'],
      index: { btc_usd: 50_000, btc_usdc: 50_000, eth_usd: 2_500, eth_usdc: 2_500 },
      config: { marks: 'index', ...config },
      accounts: {
        taker: { BTC: 1_000, USDC: 10_000_000 },
        rival: { BTC: 1_000 },
        ...Object.fromEntries(makers.map((name) => [name, { BTC: 1_000, USDC: 10_000_000 }])),
        poor: { BTC: 0.0001 },
      },
    })
    this.result(null, 'sim/create_account', { name: 'desk', main: 'taker' })
    this.result(null, 'sim/deposit', { account: 'desk', currency: 'BTC', amount: 1_000 })
    for (const name of makers) this.party(name, { maker: true, maker_alias: aliases[name] })
    this.party('poor', { maker: true, maker_alias: 'POOR6' })
    this.party('taker', { taker_alias: 'TANGO' })
  }

  /** Sets the Block RFQ role of an account. */
  party(account: string, what: Json): void {
    this.result(null, 'sim/set_block_rfq_role', { account, ...what })
  }

  /** Requests quotes; by default for 25 of one call. */
  create(params: Json = {}, account = 'taker'): Json {
    return this.result(account, 'private/create_block_rfq', { ...usualRfq, ...params })
  }

  /** Quotes the first RFQ; by default sells its 25 at 0.05. */
  quote(account: string, params: Json = {}): Json {
    return this.result(account, 'private/add_block_rfq_quote', quoteOf(params))
  }

  /** Accepts the first RFQ; by default buys its 25 at 0.05 at most. */
  accept(params: Json = {}, account = 'taker'): Json {
    return this.result(account, 'private/accept_block_rfq', { ...usualAccept, ...params })
  }

  /** The refusal of such an acceptance. */
  refused(params: Json = {}, account = 'taker'): string {
    return this.refusal(account, 'private/accept_block_rfq', { ...usualAccept, ...params })
  }

  /** An RFQ in the view of an account; undefined if the account does not see it. */
  seen(account: string, block_rfq_id = 1): Json {
    return this.result(account, 'private/get_block_rfqs', { block_rfq_id }).block_rfqs[0]
  }

  /** Waits until the grace period of a new RFQ ends. */
  grace(): this {
    this.venue.wait('5s')
    return this
  }

  /** The number of an account. */
  numberOf(account: string): number {
    const asked = { currency: 'BTC', extended: true }
    return this.result(account, 'private/get_account_summary', asked).id
  }

  /** The size of a position of an account. */
  sizeOf(account: string, instrument: string): number {
    return this.result(account, 'private/get_position', { instrument_name: instrument }).size
  }
}

/** The usual RFQ of tests. */
export const usualRfq = { legs: [{ instrument_name: call, amount: 25, direction: 'buy' }] }

/** Its only leg in accepts. */
export const usualLeg = { instrument_name: call, ratio: 1, direction: 'buy' }

/** The usual acceptance of tests. */
export const usualAccept = {
  ...{ block_rfq_id: 1, price: 0.05, amount: 25, direction: 'buy', legs: [usualLeg] },
  time_in_force: 'fill_or_kill',
}

/** A quote on the first RFQ; `price` is the price of its only leg. */
export function quoteOf({ price = 0.05, ...params }: Json = {}): Json {
  return {
    ...{ block_rfq_id: 1, amount: 25, direction: 'sell', legs: [{ ...usualLeg, price }] },
    ...params,
  }
}
