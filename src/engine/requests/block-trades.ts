/**
 * Block trades in two steps: one side signs, the other executes with that signature. A signature moves nothing and
 * reserves nothing; it lives while its window lasts, and so does the answer to a repeat of its block.
 *
 * Rule: block.sign, block.execute, block.repeat, block.invalidate, block.check-order. Source:
 * sessions-blocks-gateways.md 4.4-4.6; coverage R70, R76; S251-S259.
 *
 * Assumed: signing the same side again gives the same signature, and is no new one: what was taken back or used stays
 * so.
 */
import { blockSignature, isInWindow, structureSign } from '../../blocks/index.ts'
import {
  accountId,
  defined,
  type InstrumentId,
  type Micros,
  micros,
  millisOf,
} from '../../core/index.ts'
import {
  type BlockChange,
  type BlockLeg,
  type BlockReason,
  type BlockTradeTerms,
  type Command,
  type ExecuteBlockTrade,
  type InvalidateBlockSignature,
  type Liquidity,
  type Refusal,
  type SignBlockTrade,
  validationStep,
} from '../../model/index.ts'
import { type AgreedBlock, bookBlock, settleBlock } from '../market/index.ts'
import {
  type BlockSignature,
  blockKey,
  type Exchange,
  type ExecutedBlock,
  eventHeader,
  pass,
  refuse,
  rowOfInstrument,
  setTimer,
  type Turn,
  type Verdict,
} from '../state/index.ts'
import {
  bearsBlock,
  checkBlockLegs,
  checkBlockLocks,
  isSelfTrade,
  type SideOfBlock,
} from './block-checks.ts'
import { type Handlers, seal } from './handler.ts'

/** Where the time, the repeat and the signature count: before all that is said of the trades (R76). */
const EARLY = validationStep.validUntil

/** The signature of a side of a block: the same for the same terms. */
export function signatureOf(exchange: Exchange, account: number, terms: BlockTradeTerms): string {
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

/** The block that an account and a signer executed at a time under a nonce, while it may be repeated. */
export function executedWith(
  exchange: Exchange,
  account: number,
  of: { readonly timestamp: Micros; readonly nonce: string; readonly signature: string },
): ExecutedBlock | undefined {
  const signer = exchange.blocks.signatures.get(of.signature)?.account
  if (signer === undefined) return undefined
  const { timestamp, nonce } = of
  return exchange.blocks.executed.get(blockKey({ timestamp, nonce, sides: [account, signer] }))
}

/** Checks a side that is to be signed; reads only. */
function checkSign(exchange: Exchange, command: SignBlockTrade): Verdict<null> {
  const early = windowRefusal(exchange, command.timestamp)
  if (early !== null) return refuse(EARLY, early)
  const side = { account: command.account, role: command.role }
  return checkSide(exchange, command.legs, side)
}

/** Checks the trades for one side alone: the trades, then locks, then margin. */
export function checkSide(
  exchange: Exchange,
  legs: readonly BlockLeg[],
  side: SideOfBlock,
): Verdict<null> {
  const trades = checkBlockLegs(exchange, legs)
  if (!trades.ok) return trades
  const locks = checkBlockLocks(exchange, legs, [side])
  if (!locks.ok) return locks
  return bearsBlock(exchange, legs, side) ? pass(null) : tooLittle('self')
}

/** Keeps the signature until its window is over. Events: `block_trade` signed. */
function commitSign(turn: Turn, command: SignBlockTrade): number {
  const { exchange } = turn
  const { account, role, timestamp, nonce, legs } = command
  const signature = signatureOf(exchange, account, command)
  const { signatures } = exchange.blocks
  if (signatures.has(signature)) return 1
  const fresh = { state: 'signed', usedFor: null } as const
  const signed: BlockSignature = { account, role, timestamp, nonce, legs, ...fresh }
  signatures.set(signature, signed)
  const { signatureWindow } = exchange.config.blockTrades
  // Its last microsecond counts (R70).
  const over = micros(timestamp + signatureWindow + 1)
  setTimer(exchange.timers, over, { kind: 'block_signature', signature })
  emitBlock(turn, signed, { change: 'signed', reason: 'user_request' })
  return 1
}

/** A block that is to be executed, or the one that was. */
type ExecutePlan =
  | { readonly repeats: ExecutedBlock }
  | { readonly repeats: null; readonly signed: BlockSignature }

/** Checks a block that is to be executed, in the order of 4.6; reads only. */
function checkExecute(exchange: Exchange, command: ExecuteBlockTrade): Verdict<ExecutePlan> {
  const { account, role, signature, legs } = command
  const early = windowRefusal(exchange, command.timestamp)
  if (early !== null) return refuse(EARLY, early)
  const before = executedWith(exchange, account, command)
  if (before !== undefined) {
    if (sameLegs(before.legs, legs)) return pass({ repeats: before })
    return refuse(EARLY, argument('nonce', 'nonce_already_used'))
  }
  const signed = exchange.blocks.signatures.get(signature)
  const isSigned =
    signed !== undefined &&
    signed.role !== role &&
    signatureOf(exchange, signed.account, { ...command, role: signed.role }) === signature
  if (!isSigned) return refuse(EARLY, wrongSignature('counterparty_signature'))
  if (signed.state === 'invalidated') {
    return refuse(EARLY, argument('counterparty_signature', 'signature_invalidated'))
  }
  if (isSelfTrade(exchange, signed.account, account)) {
    return refuse(EARLY, argument('counterparty_signature', 'self_trade'))
  }
  const own: SideOfBlock = { account, role }
  const other: SideOfBlock = { account: signed.account, role: signed.role }
  const trades = checkBlockLegs(exchange, legs)
  if (!trades.ok) return trades
  const locks = checkBlockLocks(exchange, legs, [own, other])
  if (!locks.ok) return locks
  if (!bearsBlock(exchange, legs, own)) return tooLittle('self')
  if (!bearsBlock(exchange, legs, other)) return tooLittle('counterparty')
  return pass({ repeats: null, signed })
}

/** Executes it, once. Returns the number of the block. */
function commitExecute(turn: Turn, command: ExecuteBlockTrade, plan: ExecutePlan): number {
  if (plan.repeats !== null) return plan.repeats.block
  const { exchange } = turn
  const { blocks } = exchange
  const { signed } = plan
  const { account, role, timestamp, nonce, legs, session } = command
  const isMaker = role === 'maker'
  const maker = isMaker ? account : signed.account
  const taker = isMaker ? signed.account : account
  const combo = comboOf(exchange, legs)
  blocks.count += 1
  const block: AgreedBlock = {
    number: blocks.count,
    maker,
    taker,
    legs,
    combo: combo ?? -1,
    isDiscounted: combo !== null && isOptionCombo(exchange, combo),
    session: { account, session },
  }
  const key = blockKey({ timestamp, nonce, sides: [account, signed.account] })
  signed.state = 'used'
  signed.usedFor = key
  blocks.executed.set(key, { block: block.number, maker, taker, legs })
  bookBlock(turn, block)
  emitBlock(
    turn,
    { account, role, timestamp, nonce, legs },
    { change: 'executed', reason: 'user_request', block: block.number, other: signed.account },
  )
  settleBlock(turn, block)
  return block.number
}

/** Checks that a signature is the asker's own, and unused; reads only. */
function checkInvalidate(
  exchange: Exchange,
  { account, signature }: InvalidateBlockSignature,
): Verdict<BlockSignature> {
  const signed = exchange.blocks.signatures.get(signature)
  if (signed === undefined || signed.account !== account) {
    return refuse(EARLY, wrongSignature('signature'))
  }
  return signed.state === 'used' ? refuse(EARLY, { reason: 'already_closed' }) : pass(signed)
}

/** Takes it back. Events: `block_trade` invalidated; none where it was taken back before. */
function commitInvalidate(turn: Turn, _: InvalidateBlockSignature, signed: BlockSignature): number {
  if (signed.state === 'invalidated') return 1
  signed.state = 'invalidated'
  emitBlock(turn, signed, { change: 'invalidated', reason: 'user_request' })
  return 1
}

/** Rule: block.window. A signature whose window is over goes, and the block that it was used for is not repeated. */
export function expireSignature(turn: Turn, signature: string): void {
  const { blocks } = turn.exchange
  const signed = defined(
    blocks.signatures.get(signature),
    'a signature lives until its window ends',
  )
  blocks.signatures.delete(signature)
  if (signed.state === 'signed') {
    emitBlock(turn, signed, { change: 'expired', reason: 'timestamp_expired' })
  }
  if (signed.usedFor !== null) blocks.executed.delete(signed.usedFor)
}

function windowRefusal({ now, config }: Exchange, timestamp: Micros): Refusal | null {
  const { signatureWindow } = config.blockTrades
  if (isInWindow(now, timestamp, signatureWindow)) return null
  return argument('timestamp', 'timestamp_expired')
}

function argument(param: string, problem: string): Refusal {
  return { reason: 'invalid_arguments', param, problem }
}

function wrongSignature(param: string): Refusal {
  return argument(param, 'invalid_signature')
}

function tooLittle(side: 'self' | 'counterparty'): Verdict<never> {
  return refuse(validationStep.margin, { reason: 'side_not_enough_funds', problem: side })
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

/** The combo whose legs a block has, in whatever size and on whichever side; the first that was listed, or null. */
export function comboOf(exchange: Exchange, legs: readonly BlockLeg[]): InstrumentId | null {
  const weighed = legs.map(({ instrument, side, amount }) => {
    const { amountStep9 } = rowOfInstrument(exchange, instrument).instrument
    const size = BigInt(amount) * BigInt(amountStep9)
    return { instrument, weight: side === 'buy' ? size : -size }
  })
  const [first] = legs
  if (first === undefined || legs.length < 2) return null
  for (const { instrument, legs: parts } of rowOfInstrument(exchange, first.instrument).combos) {
    const shape = parts.map(({ row, ratio }) => ({
      instrument: row.instrument.id,
      weight: BigInt(ratio),
    }))
    if (structureSign(weighed, shape) !== 0) return instrument.id
  }
  return null
}

function isOptionCombo(exchange: Exchange, combo: InstrumentId): boolean {
  return rowOfInstrument(exchange, combo).instrument.kind === 'option_combo'
}

/** Tells what became of a side of a block. */
function emitBlock(
  turn: Turn,
  of: {
    readonly account: Command['account'] | number
    readonly role: Liquidity
    readonly timestamp: Micros
    readonly nonce: string
    readonly legs: readonly BlockLeg[]
  },
  what: {
    readonly change: BlockChange
    readonly reason: BlockReason
    readonly block?: number
    readonly other?: number
  },
): void {
  turn.sink.emit({
    kind: 'block_trade',
    ...eventHeader(turn),
    change: what.change,
    account: accountId(of.account),
    role: of.role,
    counterparty: what.other === undefined ? -1 : accountId(what.other),
    timestamp: of.timestamp,
    nonce: of.nonce,
    block: what.block ?? 0,
    combo: comboOf(turn.exchange, of.legs) ?? -1,
    legs: of.legs,
    reason: what.reason,
  })
}

export const blockTradesHandlers: Handlers<
  'sign_block_trade' | 'execute_block_trade' | 'invalidate_block_signature'
> = {
  sign_block_trade: seal({ check: checkSign, commit: commitSign }),
  execute_block_trade: seal({ check: checkExecute, commit: commitExecute }),
  invalidate_block_signature: seal({ check: checkInvalidate, commit: commitInvalidate }),
}
