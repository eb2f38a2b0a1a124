/**
 * Approval of block trades: if a key with the feature `block_trade_approval` signs or executes a block, the block waits
 * for another key of its account. A side that used a key without this feature needs no approval. A block waits five
 * minutes; either side may reject the whole block. Approved and rejected blocks remain listed for a day.
 *
 * Rule: block.approval. Source: sessions-blocks-gateways.md 4.5, 4.7.
 * Assumed: the last approval repeats all checks of the execution. If one of them fails, the approval is refused, and
 * the block continues to wait.
 */
import { assert, defined, micros } from '../../core/index.ts'
import { type AnswerBlockTrade, type Liquidity, validationStep } from '../../model/index.ts'
import {
  type Approval,
  blockKey,
  type CheckResult,
  type Exchange,
  type PendingBlock,
  pass,
  refuse,
  setTimer,
  type Turn,
} from '../state/index.ts'
import { checkBlockSides } from './block-checks.ts'
import { emitBlock, executeBlock, type NamedBlockTrade } from './block-execution.ts'
import { type Handlers, seal } from './handler.ts'

const LISTED = 86_400_000_000
/** Step of the refusal of an answer to an unknown block, as for an unknown instrument. */
const UNKNOWN = validationStep.instrument

/** Makes a block wait and notifies the sides that need approval. Events: `block_trade` pending. */
export function awaitApproval(
  turn: Turn,
  named: NamedBlockTrade,
  role: Liquidity,
  makerNeedsApproval: boolean,
  takerNeedsApproval: boolean,
): void {
  const { blocks, now, config } = turn.exchange
  const stateOf = (needsApproval: boolean): Approval => ({
    value: needsApproval ? 'initial' : 'accepted',
    since: now,
  })
  blocks.pendingCount += 1
  const key = keyOfBlock(named)
  const pending: PendingBlock = {
    pending: blocks.pendingCount,
    timestamp: named.timestamp,
    nonce: named.nonce,
    maker: named.maker,
    taker: named.taker,
    legs: named.legs,
    apps: named.apps,
    makerState: stateOf(makerNeedsApproval),
    takerState: stateOf(takerNeedsApproval),
  }
  blocks.pending.set(key, pending)
  const until = micros(now + config.blockTrades.approvalWindow)
  setTimer(turn.exchange.timers, until, { kind: 'block_approval', block: key })
  emitChange(turn, pending, role, 'pending', 'user_request')
}

/** Checks an answer; reads only. */
function checkAnswer(exchange: Exchange, command: AnswerBlockTrade): CheckResult<PendingBlock> {
  const { account, role, timestamp, nonce } = command
  const found = [...exchange.blocks.pending.values()].find(
    (each) => each[role] === account && each.timestamp === timestamp && each.nonce === nonce,
  )
  if (command.needsApproval) return refuse(validationStep.scope, { reason: 'forbidden' })
  if (found === undefined) return refuse(UNKNOWN, { reason: 'not_found' })
  if (!isOpen(found)) return refuse(UNKNOWN, { reason: 'already_closed' })
  if (command.answer === 'rejected' || !isLastApproval(found, role)) return pass(found)
  const other = role === 'maker' ? found.taker : found.maker
  const checked = checkBlockSides(exchange, found.legs, [
    { account: account as number, role },
    { account: other, role: role === 'maker' ? 'taker' : 'maker' },
  ])
  return checked.ok ? pass(found) : checked
}

/**
 * Approves or rejects one side. Events: `block_trade` accepted or rejected; after the last approval those of its
 * execution.
 */
function commitAnswer(turn: Turn, command: AnswerBlockTrade, pending: PendingBlock): number {
  const { role, answer, session } = command
  assert(isOpen(pending), 'only a waiting block trade can be approved or rejected')
  if (answer === 'rejected') {
    close(turn, pending, 'rejected', [role])
    assert(!isOpen(pending), 'a rejected block trade no longer waits')
    emitChange(turn, pending, role, 'rejected', 'user_request')
    return 0
  }
  const own = role === 'maker' ? pending.makerState : pending.takerState
  if (own.value === 'accepted') return 0
  const isLast = isLastApproval(pending, role)
  const { now } = turn.exchange
  setState(pending, role, { value: 'accepted', since: now })
  emitChange(turn, pending, role, 'accepted', 'user_request')
  if (!isLast) return 0
  close(turn, pending, 'executed', ['maker', 'taker'])
  assert(!isOpen(pending), 'a block trade that both sides approved no longer waits')
  const number = executeBlock(turn, pending, role, session)
  // After the window of the signature the block cannot be repeated.
  const { blocks } = turn.exchange
  const key = keyOfBlock(pending)
  const isRepeatable = [...blocks.signatures.values()].some(({ usedFor }) => usedFor === key)
  if (!isRepeatable) blocks.executed.delete(key)
  return number
}

/** Rule: block.approval. No approval came in time, so the block is rejected. Events: `block_trade` rejected. */
export function expireApproval(turn: Turn, block: string): void {
  const pending = defined(turn.exchange.blocks.pending.get(block), 'a block trade stays listed for a day')
  if (!isOpen(pending)) return
  const waits: Liquidity = pending.makerState.value === 'initial' ? 'maker' : 'taker'
  close(turn, pending, 'rejected', ['maker', 'taker'])
  emitChange(turn, pending, waits, 'rejected', 'approval_expired')
}

function isOpen(pending: PendingBlock): boolean {
  const values = [pending.makerState.value, pending.takerState.value]
  return values.includes('initial') && !values.includes('rejected')
}

/** True if the approval of this side completes the block. */
function isLastApproval(pending: PendingBlock, role: Liquidity): boolean {
  return (role === 'maker' ? pending.takerState : pending.makerState).value === 'accepted'
}

/** Sets the final state of sides. */
function close(turn: Turn, pending: PendingBlock, value: 'rejected' | 'executed', roles: readonly Liquidity[]): void {
  const { now, timers } = turn.exchange
  for (const role of roles) setState(pending, role, { value, since: now })
  setTimer(timers, micros(now + LISTED), { kind: 'block_listing', block: keyOfBlock(pending) })
}

function setState(pending: PendingBlock, role: Liquidity, state: Approval): void {
  if (role === 'maker') pending.makerState = state
  else pending.takerState = state
}

function keyOfBlock(named: NamedBlockTrade): string {
  return blockKey(named.timestamp, named.nonce, [named.maker, named.taker])
}

function emitChange(
  turn: Turn,
  pending: PendingBlock,
  role: Liquidity,
  change: Parameters<typeof emitBlock>[2]['change'],
  reason: Parameters<typeof emitBlock>[2]['reason'],
): void {
  const [account, other] = role === 'maker' ? [pending.maker, pending.taker] : [pending.taker, pending.maker]
  emitBlock(turn, { ...pending, account, role }, { change, reason, other })
}

export const blockApprovalsHandlers: Handlers<'answer_block_trade'> = {
  answer_block_trade: seal({ check: checkAnswer, commit: commitAnswer }),
}
