/**
 * The second step of a block trade: private/execute_block_trade, and private/simulate_block_trade, which checks whether
 * the requesting side could execute it now.
 *
 * Source: sessions-blocks-gateways.md 4.1, 4.2, 4.6; coverage R07, R76; S251-S257.
 */
import { defined, z } from '../../../core/index.ts'
import { awaitedBlock, couldTradeBlock, executedBlock } from '../../../engine/index.ts'
import { validationStep } from '../../../model/index.ts'
import { rowsOf } from '../../history/index.ts'
import { blockOut, pendingIdOut, placesOf, timeOut, type WireBlock } from '../../wire/index.ts'
import { asker, defineMethod, queryOf } from '../method.ts'
import { readTime } from '../params.ts'
import { secretText } from '../secrets.ts'
import { blockRole, blockTerms, blockTrades, readBlock, readLegs } from './block-params.ts'

/**
 * Executes a block trade that the counterparty has signed; a repeated request gets the same reply. If a side needs
 * approval, the reply has a separate id and no trades, and the last approval executes the block trade.
 */
const executeBlockTrade = defineMethod({
  scope: 'block_trade:read_write',
  sessions: 'json_rpc',
  command: 'execute_block_trade',
  charge: 'trading',
  params: z.object({
    ...blockTerms,
    counterparty_signature: secretText.describe('signature of the counterparty'),
  }),
  read: (context, params) => {
    const { terms, fault } = readBlock(context, params)
    const { counterparty_signature: signature } = params
    return { body: { kind: 'execute_block_trade', ...terms, signature }, fault }
  },
  reply: (context, params): WireBlock => {
    const { exchange, history } = context
    const own = asker(context)
    const named = {
      timestamp: readTime(params.timestamp),
      nonce: params.nonce,
      signature: params.counterparty_signature,
    }
    const number = executedBlock(exchange, own, named)
    if (number === undefined) {
      const waits = defined(awaitedBlock(exchange, own, named), 'a block trade is executed or waits')
      return { id: pendingIdOut(waits.pending), timestamp: timeOut(waits.since), trades: [] }
    }
    const block = rowsOf(history.blocks, own).findLast((each) => each.number === number)
    return blockOut(defined(block, 'an executed block trade is in the history'), own, placesOf(exchange, history))
  },
})

/** Reports if the account could take its side of a block trade now. */
const simulateBlockTrade = defineMethod({
  scope: 'block_trade:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ trades: blockTrades, role: blockRole.default('taker') }),
  read: (context, params) => {
    const { fault } = readLegs(context, params.trades)
    // A trade that would be refused is a valid result (false), but a malformed request is an error.
    return queryOf(fault !== null && fault.step <= validationStep.parameters ? fault : null)
  },
  reply: (context, { trades, role }): boolean => {
    const { legs, fault } = readLegs(context, trades)
    return fault === null && couldTradeBlock(context.exchange, asker(context), { role, legs })
  },
})

/** Methods by their names; a part of the table. */
export const executionMethods = {
  'private/execute_block_trade': executeBlockTrade,
  'private/simulate_block_trade': simulateBlockTrade,
} as const
