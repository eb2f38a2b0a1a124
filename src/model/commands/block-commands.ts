/**
 * Commands of block trades. Source: sessions-blocks-gateways.md 4.
 */
import type { InstrumentId, Lots, Micros, Price9 } from '../../core/index.ts'
import type { Side } from '../words/orders.ts'
import type { Liquidity } from '../words/trades.ts'
import type { CommandHeader } from './header.ts'

/** A trade of a block. */
export interface BlockLeg {
  readonly instrument: InstrumentId
  /** The maker's side, whoever tells it (R07). */
  readonly side: Side
  readonly price: Price9
  readonly amount: Lots
}

/** What both sides of a block say alike, but for their roles. */
export interface BlockTradeTerms {
  /** The role of who asks. */
  readonly role: Liquidity
  readonly timestamp: Micros
  readonly nonce: string
  readonly legs: readonly BlockLeg[]
}

/**
 * Signs one side of a block and moves nothing. Events: `block_trade` signed; none where the side is signed already.
 */
export interface SignBlockTrade extends CommandHeader, BlockTradeTerms {
  readonly kind: 'sign_block_trade'
}

/**
 * Executes a block that the other side signed: all legs of both sides, or nothing. Events, leg by leg in the order of
 * the request: `order` opened of the taker and of the maker, `trade`, `order` filled of both; then `block_trade`
 * executed, and `order` resized or cancelled of reduce-only orders that no longer fit. `request` counts the number of
 * the block. A repeat counts the same and does nothing.
 */
export interface ExecuteBlockTrade extends CommandHeader, BlockTradeTerms {
  readonly kind: 'execute_block_trade'
  /** The signature of the other side. */
  readonly signature: string
}

/** Takes back a signature of the asker that was not used. Events: `block_trade` invalidated. */
export interface InvalidateBlockSignature extends CommandHeader {
  readonly kind: 'invalidate_block_signature'
  readonly signature: string
}

/** Commands of block trades. */
export type BlockCommand = SignBlockTrade | ExecuteBlockTrade | InvalidateBlockSignature

/** Their codes, as in `commandCodes`. */
export const blockCodes = {
  sign_block_trade: 33,
  execute_block_trade: 34,
  invalidate_block_signature: 35,
} as const satisfies { readonly [Kind in BlockCommand['kind']]: number }
