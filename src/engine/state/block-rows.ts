/**
 * Rows of block trades: signatures that are still within their window, and the blocks that were executed with them. At
 * the end of its window a signature is removed together with its block; until then the venue answers a repeated
 * request.
 *
 * Source: sessions-blocks-gateways.md 4.4-4.6.
 */
import {
  changing,
  fixed,
  type Micros,
  mapOf,
  orNull,
  plainUnit,
  type RowOf,
  rowUnit,
  units,
  wordUnit,
} from '../../core/index.ts'
import {
  type ApprovalState,
  type BlockApps,
  type BlockLeg,
  type Liquidity,
  signatureStates,
} from '../../model/index.ts'

export const blockSignatureFields = {
  account: fixed(units.row),
  role: fixed(plainUnit<Liquidity>('role')),
  timestamp: fixed(units.micros),
  nonce: fixed(units.text),
  legs: fixed(plainUnit<readonly BlockLeg[]>('trades of a block')),
  /** True if its side needs approval. */
  needsApproval: fixed(units.flag),
  appName: fixed(orNull(units.text)),
  state: changing(wordUnit('state of a signature', signatureStates)),
  /** The key (`blockKey`) of the block that used the signature; null if no block did. */
  usedFor: changing(orNull(units.text)),
}

/** A signature within its window. */
export interface BlockSignature extends RowOf<typeof blockSignatureFields> {}

export const executedBlockFields = {
  /** Its number, from 1. */
  block: fixed(units.count),
  maker: fixed(units.row),
  taker: fixed(units.row),
  legs: fixed(plainUnit<readonly BlockLeg[]>('trades of a block')),
}

/** An executed block, kept while a repeat of its request may arrive. */
export interface ExecutedBlock extends RowOf<typeof executedBlockFields> {}

/** The approval state of one side, and the time at which that state began. */
export interface Approval {
  readonly value: ApprovalState
  readonly since: Micros
}

export const pendingBlockFields = {
  /** Number among the blocks that waited for approval, from 1. */
  pending: fixed(units.count),
  timestamp: fixed(units.micros),
  nonce: fixed(units.text),
  maker: fixed(units.row),
  taker: fixed(units.row),
  legs: fixed(plainUnit<readonly BlockLeg[]>('trades of a block')),
  apps: fixed(plainUnit<BlockApps>('applications')),
  makerState: changing(plainUnit<Approval>('approval')),
  takerState: changing(plainUnit<Approval>('approval')),
}

/** A block that waits for approval, or waited within the last day. */
export interface PendingBlock extends RowOf<typeof pendingBlockFields> {}

export const blockStateFields = {
  /** Number of blocks so far. */
  count: changing(units.count),
  /** Signatures by their text. */
  signatures: fixed(mapOf(units.text, rowUnit('signature', blockSignatureFields))),
  /** Executed blocks by `blockKey`: the timestamp, both accounts and the nonce. */
  executed: fixed(mapOf(units.text, rowUnit('executed block', executedBlockFields))),
  /** Number of blocks that waited for approval so far, and those still listed, by the same key as `executed`. */
  pendingCount: changing(units.count),
  pending: fixed(mapOf(units.text, rowUnit('pending block', pendingBlockFields))),
  /** Applications of both sides by the number of the block, for blocks whose requests name an application. */
  apps: fixed(mapOf(units.count, plainUnit<BlockApps>('applications'))),
  /**
   * Price of an instrument's last public trade, if that trade was part of a block: tick directions compare with it
   * (R65).
   */
  tapePrices: fixed(mapOf(units.row, units.price9)),
}

/** Block trades of an exchange: signatures, executed blocks and blocks that wait for approval. */
interface BlockState extends RowOf<typeof blockStateFields> {}

export const blockStateUnit = rowUnit('block trades', blockStateFields)

/** Block trades of a new exchange. */
export function freshBlocks(): BlockState {
  return {
    count: 0,
    signatures: new Map(),
    executed: new Map(),
    pendingCount: 0,
    pending: new Map(),
    apps: new Map(),
    tapePrices: new Map(),
  }
}

/** True if the exchange never had a block. Snapshots and hashes omit such a state. */
export function isBlockFree({ count, signatures, pendingCount }: BlockState): boolean {
  return count === 0 && signatures.size === 0 && pendingCount === 0
}

/** The key of a block: its timestamp, its two accounts whatever their roles, and its nonce. */
export function blockKey(timestamp: number, nonce: string, sides: readonly [number, number]): string {
  const [one, other] = sides
  const [low, high] = one < other ? [one, other] : [other, one]
  return `${timestamp} ${low} ${high} ${nonce}`
}
