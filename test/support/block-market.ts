/**
 * A venue for block trades: a maker, a taker and a third account, with a perpetual, two options and a spot pair.
 */
import type { VenueOptions } from '../../src/program/index.ts'
import { DeskMarket, type Json } from './desk-market.ts'

/** The clock of the venue at its start, in milliseconds. */
export const START = 1_767_603_600_000

/** A call and a put that can be traded in blocks. */
export const call = 'BTC-27MAR26-60000-C'
export const put = 'BTC-27MAR26-50000-P'

/** A trade of a block: 200,000 USD of the perpetual at 50,000, which the maker buys. */
export const usualTrade = {
  instrument_name: 'BTC-PERPETUAL',
  price: 50_000,
  amount: 200_000,
  direction: 'buy',
}

/** Terms that both sides sign. */
export const usualTerms = { timestamp: START, nonce: 'one', trades: [usualTrade] }

/** A venue with methods for block trades. */
export class BlockMarket extends DeskMarket {
  constructor(config: object = {}, options: Partial<VenueOptions> = {}) {
    super({
      ...options,
      instruments: ['BTC-PERPETUAL', call, put, 'BTC_USDC', 'SOL_USDC-PERPETUAL', 'ETH-PERPETUAL'],
      index: { btc_usd: 50_000, btc_usdc: 50_000, sol_usdc: 200, eth_usd: 2_500 },
      config: { marks: 'index', ...config },
      accounts: {
        maker: { BTC: 100, USDC: 1_000_000 },
        taker: { BTC: 100, USDC: 1_000_000 },
        other: { BTC: 100 },
        poor: { BTC: 0.0001 },
      },
    })
  }

  /** The signature of an account's side. */
  sign(account: string, terms: Json): string {
    return this.result(account, 'private/verify_block_trade', terms).signature
  }

  /** Signs as maker and executes as taker; `terms` override the usual ones. */
  trade(terms: Json = {}): Json {
    const named = { ...usualTerms, ...terms }
    const signature = this.sign('maker', { ...named, role: 'maker' })
    return this.result('taker', 'private/execute_block_trade', {
      ...named,
      role: 'taker',
      counterparty_signature: signature,
    })
  }

  /** The refusal if the taker executes `terms` with a signature of the maker. */
  refused(terms: Json): string {
    return this.refusal('taker', 'private/execute_block_trade', {
      ...usualTerms,
      role: 'taker',
      ...terms,
    })
  }

  /** The size of a position of an account. */
  sizeOf(account: string, instrument: string): number {
    return this.result(account, 'private/get_position', { instrument_name: instrument }).size
  }
}
