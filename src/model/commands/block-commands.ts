/**
 * Commands of block trades. Source: sessions-blocks-gateways.md 4.
 */
import type { AccountId, InstrumentId, Lots, Micros, Price9 } from '../../core/index.ts'
import type { KeyChanges, KeyTerms } from '../access-keys.ts'
import type { BlockAnswer } from '../words/blocks-and-rfqs.ts'
import type { Side } from '../words/orders.ts'
import type { Liquidity } from '../words/trades.ts'
import type { CommandHeader } from './header.ts'

/** A trade of a block. */
export interface BlockLeg {
  readonly instrument: InstrumentId
  /** The maker's side, also in requests of the taker (R07). */
  readonly side: Side
  readonly price: Price9
  readonly amount: Lots
}

/** Terms of a block. Both sides name the same terms, except for their roles. */
export interface BlockTradeTerms {
  /** The role of the account that sends the command. */
  readonly role: Liquidity
  readonly timestamp: Micros
  readonly nonce: string
  readonly legs: readonly BlockLeg[]
  /**
   * True if the key of the request may not trade blocks alone: another key of the account must approve the block (4.7).
   */
  readonly needsApproval: boolean
  /** The application of the key of the request, or null. */
  readonly appName: string | null
}

/** The applications of the keys of both sides of a block; null for none. */
export interface BlockApps {
  readonly maker: string | null
  readonly taker: string | null
  /**
   * Sides whose request came from the session of a mobile device; their orders carry that flag. Omitted if neither did.
   */
  readonly mobile?: readonly Liquidity[]
}

/**
 * Signs one side of a block and moves nothing. Events: `block_trade` signed; no event if the side is already signed.
 */
export interface SignBlockTrade extends CommandHeader, BlockTradeTerms {
  readonly kind: 'sign_block_trade'
}

/**
 * Executes a block that the other side signed: all legs of both sides, or nothing. Events for each leg in the order of
 * the request: `order` opened of the taker and of the maker, `trade`, `order` filled of both; then `block_trade`
 * executed, and `order` resized or cancelled of reduce-only orders that no longer fit. The `count` of `request` is the
 * number of the block. A repeated command returns the same count and does nothing. If a side needs approval, the only
 * event is `block_trade` pending.
 */
export interface ExecuteBlockTrade extends CommandHeader, BlockTradeTerms {
  readonly kind: 'execute_block_trade'
  /** The signature of the other side. */
  readonly signature: string
}

/** Withdraws an unused signature of the account that sends the command. Events: `block_trade` invalidated. */
export interface InvalidateBlockSignature extends CommandHeader {
  readonly kind: 'invalidate_block_signature'
  readonly signature: string
}

/**
 * Approves or rejects one side of a block that waits for approval. Events: `block_trade` accepted, and after the last
 * approval all events of the execution; or `block_trade` rejected.
 */
export interface AnswerBlockTrade extends CommandHeader {
  readonly kind: 'answer_block_trade'
  /** The role of the side that answers, and the timestamp and nonce that both sides named. */
  readonly role: Liquidity
  readonly timestamp: Micros
  readonly nonce: string
  readonly answer: BlockAnswer
  /** True if the key of this request needs approval too. */
  readonly needsApproval: boolean
}

/** Declares a key of an account. It has no event. */
export interface CreateKey extends CommandHeader {
  readonly kind: 'create_key'
  readonly target: AccountId
  readonly name: string
  readonly terms: KeyTerms
  /** Name that lists show; null if a control declares the key. The secret of such a key follows from its name. */
  readonly title: string | null
}

/** Changes a key of the account that sends the command, by its number. It has no event. */
export interface ChangeKey extends CommandHeader {
  readonly kind: 'change_key'
  readonly key: number
  readonly changes: KeyChanges
}

/** Removes a key of the account that sends the command, by its number. It has no event. */
export interface RemoveKey extends CommandHeader {
  readonly kind: 'remove_key'
  readonly key: number
}

/** Commands of block trades and of the keys that they need. */
export type BlockCommand =
  | SignBlockTrade
  | ExecuteBlockTrade
  | InvalidateBlockSignature
  | AnswerBlockTrade
  | CreateKey
  | ChangeKey
  | RemoveKey

/** The codes of these commands, as in `commandCodes`. */
export const blockCodes = {
  sign_block_trade: 33,
  execute_block_trade: 34,
  invalidate_block_signature: 35,
  answer_block_trade: 36,
  create_key: 37,
  change_key: 61,
  remove_key: 62,
} as const satisfies { readonly [Kind in BlockCommand['kind']]: number }
