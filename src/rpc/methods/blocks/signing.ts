/**
 * The first step of a block trade: private/verify_block_trade returns the signature of one side, and
 * private/invalidate_block_trade_signature invalidates it.
 *
 * Source: sessions-blocks-gateways.md 4.1, 4.4-4.6; coverage R70; S255, S258, S259.
 */
import { z } from '../../../core/index.ts'
import { blockSignatureOf } from '../../../engine/index.ts'
import { asker, defineMethod } from '../method.ts'
import { secretText } from '../secrets.ts'
import { blockTerms, readBlock } from './block-params.ts'

/** A signed side of a block trade. */
export interface WireSignature {
  /** Secret that the counterparty executes the block trade with. */
  readonly signature: string
}

/** Signs one side of a block trade. It moves no position and reserves no margin. */
const verifyBlockTrade = defineMethod({
  scope: 'block_trade:read',
  sessions: 'json_rpc',
  command: 'sign_block_trade',
  charge: 'trading',
  params: z.object(blockTerms),
  read: (context, params) => {
    const { terms, fault } = readBlock(context, params)
    return { body: { kind: 'sign_block_trade', ...terms }, fault }
  },
  reply: (context, params): WireSignature => ({
    signature: blockSignatureOf(context.exchange, asker(context), readBlock(context, params).terms),
  }),
})

/** Invalidates an unused signature of the requesting account. */
const invalidateBlockTradeSignature = defineMethod({
  scope: 'block_trade:read_write',
  sessions: 'json_rpc',
  command: 'invalidate_block_signature',
  params: z.object({
    signature: secretText.describe('a signature that the account received'),
  }),
  read: (_, { signature }) => ({
    body: { kind: 'invalidate_block_signature', signature },
    fault: null,
  }),
  reply: (): 'ok' => 'ok',
})

/** Methods by their names; a part of the table. */
export const signatureMethods = {
  'private/verify_block_trade': verifyBlockTrade,
  'private/invalidate_block_trade_signature': invalidateBlockTradeSignature,
} as const
