/**
 * Rows of block trades: signatures that are still within their window, and the blocks that were executed with them.
 * A signature goes, and its block with it, when its window is over: until then a repeat is answered.
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
  /** The block that it was used for (`blockKey`), or null. */
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

/** A block that was executed, while it may be repeated. */
export interface ExecutedBlock extends RowOf<typeof executedBlockFields> {}

/** The state of a side, and since when. */
export interface Approval {
  readonly value: ApprovalState
  readonly since: Micros
}

export const pendingBlockFields = {
  /** Number among those that waited, from 1. */
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

/** A block that waits for approval, or did within the last day. */
export interface PendingBlock extends RowOf<typeof pendingBlockFields> {}

export const blockStateFields = {
  /** Blocks so far. */
  count: changing(units.count),
  /** Signatures by their text. */
  signatures: fixed(mapOf(units.text, rowUnit('signature', blockSignatureFields))),
  /** Blocks by what both sides name, and who they are (`blockKey`). */
  executed: fixed(mapOf(units.text, rowUnit('executed block', executedBlockFields))),
  /** Blocks that waited for approval so far, and those that are still listed, as in `executed`. */
  pendingCount: changing(units.count),
  pending: fixed(mapOf(units.text, rowUnit('pending block', pendingBlockFields))),
  /** Applications of both sides by the number of a block, where there is one. */
  apps: fixed(mapOf(units.count, plainUnit<BlockApps>('applications'))),
  /** Price of the last public trade of an instrument, where that was of a block: tick directions follow it (R65). */
  tapePrices: fixed(mapOf(units.row, units.price9)),
}

/** Block trades of an exchange: signatures, blocks, those that wait. */
export interface BlockState extends RowOf<typeof blockStateFields> {}

export const blockStateUnit = rowUnit('block trades', blockStateFields)

/** No block yet. */
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

/** True if there never was a block: such a state is in no snapshot and in no hash. */
export function isBlockFree({ count, signatures, pendingCount }: BlockState): boolean {
  return count === 0 && signatures.size === 0 && pendingCount === 0
}

/** The name of a block among all: its time, its two sides in whatever roles, its nonce. */
export function blockKey(of: {
  readonly timestamp: number
  readonly nonce: string
  readonly sides: readonly [number, number]
}): string {
  const [one, other] = of.sides
  const [low, high] = one < other ? [one, other] : [other, one]
  return `${of.timestamp} ${low} ${high} ${of.nonce}`
}
