/**
 * Block trades in two steps: one side signs, the other executes with that signature. A signature moves nothing and
 * reserves nothing. It is valid during its time window, and repeated requests to execute its block are answered during
 * the same window.
 *
 * Rule: block.sign, block.execute, block.repeat, block.invalidate, block.check-order. Source:
 * sessions-blocks-gateways.md 4.4-4.6; coverage R70, R76; S251-S259.
 *
 * Assumed: signing the same side again gives the same signature, and does not renew it: a signature that was withdrawn
 * or used stays so.
 */
import { blockSignature, isInWindow } from '../../blocks/index.ts'
import { assert, defined, type Micros, micros, millisOf } from '../../core/index.ts'
import {
  type BlockLeg,
  type BlockTradeTerms,
  type ExecuteBlockTrade,
  type InvalidateBlockSignature,
  type Refusal,
  type SignBlockTrade,
  validationStep,
} from '../../model/index.ts'
import {
  appsWith,
  type BlockSignature,
  blockKey,
  type CheckResult,
  type Exchange,
  type ExecutedBlock,
  forgetMobile,
  isMobileAsk,
  isMobileSession,
  noteMobile,
  type PendingBlock,
  pass,
  refuse,
  setTimer,
  type Turn,
} from '../state/index.ts'
import { awaitApproval } from './block-approvals.ts'
import { checkBlockSides, isSelfTrade, type SideOfBlock } from './block-checks.ts'
import { emitBlock, executeBlock } from './block-execution.ts'
import { type Handlers, seal } from './handler.ts'

/** Step of the time, the repetition and the signature: before all checks of the trades (R76). */
const EARLY = validationStep.validUntil

/** The signature of a side of a block; equal terms give equal signatures. */
export function blockTermsSignature(exchange: Exchange, account: number, terms: BlockTradeTerms): string {
  return blockSignature(exchange.config.blockTrades.key, {
    account,
    role: terms.role,
    timestamp: millisOf(terms.timestamp),
    nonce: terms.nonce,
    legs: terms.legs.flatMap(({ instrument: id, side, price, amount }) => {
      const row = exchange.instruments[id]
      if (row === undefined) return []
      const { name, amountStep9 } = row.instrument
      const amount9 = BigInt(amount) * BigInt(amountStep9)
      return [{ instrument: name, side, price9: BigInt(price), amount9 }]
    }),
  })
}

/** Identifies a block in a request to execute it. */
export interface NamedWith {
  readonly timestamp: Micros
  readonly nonce: string
  readonly signature: string
}

/** The block that an account and a signer executed with a timestamp and nonce, while the request may be repeated. */
export function executedWith(exchange: Exchange, account: number, of: NamedWith): ExecutedBlock | undefined {
  return exchange.blocks.executed.get(keyWith(exchange, account, of))
}

/** The block with this timestamp and nonce that waits, or waited, for approval. */
export function pendingWith(exchange: Exchange, account: number, of: NamedWith): PendingBlock | undefined {
  return exchange.blocks.pending.get(keyWith(exchange, account, of))
}

/** The key of the requested block; empty if the signature is unknown. */
function keyWith(exchange: Exchange, account: number, of: NamedWith): string {
  const signer = exchange.blocks.signatures.get(of.signature)?.account
  return signer === undefined ? '' : blockKey(of.timestamp, of.nonce, [account, signer])
}

/** Checks a side to sign; only reads. */
function checkSign(exchange: Exchange, command: SignBlockTrade): CheckResult<null> {
  const early = windowRefusal(exchange, command.timestamp)
  if (early !== null) return refuse(EARLY, early)
  const side = { account: command.account, role: command.role }
  return checkBlockSides(exchange, command.legs, [side])
}

/** Stores the signature until its window ends. Events: `block_trade` signed. */
function commitSign(turn: Turn, command: SignBlockTrade): number {
  const signature = blockTermsSignature(turn.exchange, command.account, command)
  const { signatures } = turn.exchange.blocks
  if (signatures.has(signature)) return 1
  const fresh = {
    needsApproval: command.needsApproval,
    appName: command.appName,
    state: 'signed',
    usedFor: null,
  } as const
  const signed: BlockSignature = {
    account: command.account,
    role: command.role,
    timestamp: command.timestamp,
    nonce: command.nonce,
    legs: command.legs,
    ...fresh,
  }
  signatures.set(signature, signed)
  noteMobile(turn.exchange, command.session, { signature })
  const { signatureWindow } = turn.exchange.config.blockTrades
  // The signature is still valid in the last microsecond of its window (R70).
  const over = micros(command.timestamp + signatureWindow + 1)
  assert(over > turn.exchange.now, 'a signature is valid for a positive duration')
  setTimer(turn.exchange.timers, over, { kind: 'block_signature', signature })
  emitBlock(turn, signed, { change: 'signed', reason: 'user_request' })
  return 1
}

/** A block to execute, or the number of a block that was already executed; 0 if it waits for approval. */
type ExecutePlan = { readonly repeats: number } | { readonly repeats: null; readonly signed: BlockSignature }

/** Checks a block to execute, in the order of 4.6; only reads. */
function checkExecute(exchange: Exchange, command: ExecuteBlockTrade): CheckResult<ExecutePlan> {
  const { account, role, signature, legs } = command
  const early = windowRefusal(exchange, command.timestamp)
  if (early !== null) return refuse(EARLY, early)
  const before = executedWith(exchange, account, command)
  const waits = pendingWith(exchange, account, command)
  const known = before ?? waits
  if (known !== undefined) {
    if (!sameLegs(known.legs, legs)) return refuse(EARLY, argument('nonce', 'nonce_already_used'))
    if (before !== undefined) return pass({ repeats: before.block })
    const isOff = waits?.makerState.value === 'rejected' || waits?.takerState.value === 'rejected'
    return isOff ? refuse(EARLY, { reason: 'already_closed' }) : pass({ repeats: 0 })
  }
  const signed = exchange.blocks.signatures.get(signature)
  const isSigned =
    signed !== undefined &&
    signed.role !== role &&
    blockTermsSignature(exchange, signed.account, { ...command, role: signed.role }) === signature
  if (!isSigned) return refuse(EARLY, wrongSignature('counterparty_signature'))
  if (signed.state === 'invalidated') {
    return refuse(EARLY, argument('counterparty_signature', 'signature_invalidated'))
  }
  if (isSelfTrade(exchange, signed.account, account)) {
    return refuse(EARLY, argument('counterparty_signature', 'self_trade'))
  }
  const own: SideOfBlock = { account, role }
  const other: SideOfBlock = { account: signed.account, role: signed.role }
  const checked = checkBlockSides(exchange, legs, [own, other])
  if (!checked.ok) return checked
  return pass({ repeats: null, signed })
}

/** Executes the block once, or makes it wait for approval. Returns the number of the block; 0 if it waits. */
function commitExecute(turn: Turn, command: ExecuteBlockTrade, plan: ExecutePlan): number {
  if (plan.repeats !== null) return plan.repeats
  const { signed } = plan
  assert(signed.state !== 'invalidated', 'an invalidated signature executes nothing')
  assert(signed.role !== command.role, 'a block trade has two roles')
  const { account, role, timestamp, nonce, legs, session, appName } = command
  const isMaker = role === 'maker'
  const maker = isMaker ? account : signed.account
  const taker = isMaker ? signed.account : account
  signed.state = 'used'
  signed.usedFor = blockKey(timestamp, nonce, [maker, taker])
  const isOwnMobile = isMobileSession(turn.exchange, session)
  const isOtherMobile = isMobileAsk(turn.exchange, { signature: command.signature })
  const apps = isMaker
    ? appsWith({ maker: appName, taker: signed.appName }, { maker: isOwnMobile, taker: isOtherMobile })
    : appsWith({ maker: signed.appName, taker: appName }, { maker: isOtherMobile, taker: isOwnMobile })
  const named = { timestamp, nonce, maker, taker, legs, apps }
  if (!command.needsApproval && !signed.needsApproval) {
    return executeBlock(turn, named, role, session)
  }
  const [own, other] = [command.needsApproval, signed.needsApproval]
  awaitApproval(turn, named, role, isMaker ? own : other, isMaker ? other : own)
  return 0
}

/** Checks that a signature belongs to the account and is unused; only reads. */
function checkInvalidate(
  exchange: Exchange,
  { account, signature }: InvalidateBlockSignature,
): CheckResult<BlockSignature> {
  const signed = exchange.blocks.signatures.get(signature)
  if (signed === undefined || signed.account !== account) {
    return refuse(EARLY, wrongSignature('signature'))
  }
  return signed.state === 'used' ? refuse(EARLY, { reason: 'already_closed' }) : pass(signed)
}

/** Invalidates the signature. Events: `block_trade` invalidated; none if it is already invalidated. */
function commitInvalidate(turn: Turn, _: InvalidateBlockSignature, signed: BlockSignature): number {
  assert(signed.state !== 'used', 'a used signature cannot be invalidated')
  if (signed.state === 'invalidated') return 1
  signed.state = 'invalidated'
  emitBlock(turn, signed, { change: 'invalidated', reason: 'user_request' })
  return 1
}

/**
 * Rule: block.window. Removes a signature after its window; the block for which it was used can no longer be repeated.
 */
export function expireSignature(turn: Turn, signature: string): void {
  const { blocks } = turn.exchange
  const signed = defined(blocks.signatures.get(signature), 'a signature is stored until its window ends')
  blocks.signatures.delete(signature)
  forgetMobile(turn.exchange, { signature })
  if (signed.state === 'signed') {
    emitBlock(turn, signed, { change: 'expired', reason: 'timestamp_expired' })
  }
  if (signed.usedFor !== null) blocks.executed.delete(signed.usedFor)
}

function windowRefusal(exchange: Exchange, timestamp: Micros): Refusal | null {
  const { signatureWindow } = exchange.config.blockTrades
  if (isInWindow(exchange.now, timestamp, signatureWindow)) return null
  return argument('timestamp', 'timestamp_expired')
}

function argument(param: string, problem: string): Refusal {
  return { reason: 'invalid_arguments', param, problem }
}

function wrongSignature(param: string): Refusal {
  return argument(param, 'invalid_signature')
}

function sameLegs(left: readonly BlockLeg[], right: readonly BlockLeg[]): boolean {
  return (
    left.length === right.length &&
    left.every((leg, at) => {
      const other = right[at]
      return (
        other?.instrument === leg.instrument &&
        other.side === leg.side &&
        other.price === leg.price &&
        other.amount === leg.amount
      )
    })
  )
}

export const blockTradesHandlers: Handlers<'sign_block_trade' | 'execute_block_trade' | 'invalidate_block_signature'> =
  {
    sign_block_trade: seal({ check: checkSign, commit: commitSign }),
    execute_block_trade: seal({ check: checkExecute, commit: commitExecute }),
    invalidate_block_signature: seal({ check: checkInvalidate, commit: commitInvalidate }),
  }
