/**
 * Executes a block that both sides agreed on, and emits the changes of a block.
 *
 * Rule: block.combo. Source: sessions-blocks-gateways.md 4.3, 4.6.
 */
import { structureSign } from '../../blocks/index.ts'
import { accountId, type InstrumentId, type Micros } from '../../core/index.ts'
import type { BlockApps, BlockChange, BlockLeg, BlockReason, Command, Liquidity } from '../../model/index.ts'
import { type AgreedBlock, bookBlock, settleBlock } from '../market/index.ts'
import { blockKey, type Exchange, eventHeader, rowOfInstrument, type Turn } from '../state/index.ts'

/** A block with its two sides. */
export interface NamedBlockTrade {
  readonly timestamp: Micros
  readonly nonce: string
  readonly maker: number
  readonly taker: number
  readonly legs: readonly BlockLeg[]
  readonly apps: BlockApps
}

/**
 * Executes a block. `role` is the side whose request executes it, `session` its session. Returns the number
 * of the block. Events: see `execute_block_trade`.
 */
export function executeBlock(turn: Turn, named: NamedBlockTrade, role: Liquidity, session: number): number {
  const { timestamp, nonce, maker, taker, legs, apps } = named
  const combo = comboOf(turn.exchange, legs)
  const account = role === 'maker' ? maker : taker
  turn.exchange.blocks.count += 1
  const block: AgreedBlock = {
    number: turn.exchange.blocks.count,
    maker,
    taker,
    legs,
    combo: combo ?? -1,
    isDiscounted: combo !== null && isOptionCombo(turn.exchange, combo),
    legCount: legs.length,
    structure: legs.length,
    rfq: null,
    apps,
    session: { account, session },
  }
  noteApps(turn.exchange, block.number, block.apps)
  const key = blockKey(timestamp, nonce, [maker, taker])
  turn.exchange.blocks.executed.set(key, { block: block.number, maker, taker, legs })
  bookBlock(turn, block)
  emitBlock(
    turn,
    { ...named, account, role },
    {
      change: 'executed',
      reason: 'user_request',
      block: block.number,
      other: account === maker ? taker : maker,
    },
  )
  settleBlock(turn, block)
  return block.number
}

/** Stores the applications of a block, if it has any. */
export function noteApps(exchange: Exchange, number: number, apps: BlockApps): void {
  if (apps.maker !== null || apps.taker !== null)
    exchange.blocks.apps.set(number, { maker: apps.maker, taker: apps.taker })
}

/** The combo with the same legs as a block, in any size and on either side: the first that was listed, or null. */
export function comboOf(
  exchange: Exchange,
  legs: readonly Pick<BlockLeg, 'instrument' | 'side' | 'amount'>[],
): InstrumentId | null {
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

/** True if a combo consists of options. */
export function isOptionCombo(exchange: Exchange, combo: InstrumentId): boolean {
  return rowOfInstrument(exchange, combo).instrument.kind === 'option_combo'
}

/** An account's side of a block trade. */
interface BlockOfAccount {
  readonly account: Command['account'] | number
  readonly role: Liquidity
  readonly timestamp: Micros
  readonly nonce: string
  readonly legs: readonly BlockLeg[]
}

/** A change of a block trade. */
interface BlockNews {
  readonly change: BlockChange
  readonly reason: BlockReason
  readonly block?: number
  readonly other?: number
  /** The combo with the same legs, if it does not follow from the legs alone. */
  readonly combo?: InstrumentId | -1
}

/** Emits a change of a side of a block. */
export function emitBlock(turn: Turn, of: BlockOfAccount, what: BlockNews): void {
  turn.log.append({
    kind: 'block_trade',
    ...eventHeader(turn),
    change: what.change,
    account: accountId(of.account),
    role: of.role,
    counterparty: what.other === undefined ? -1 : accountId(what.other),
    timestamp: of.timestamp,
    nonce: of.nonce,
    block: what.block ?? 0,
    combo: what.combo ?? comboOf(turn.exchange, of.legs) ?? -1,
    legs: of.legs,
    reason: what.reason,
  })
}
