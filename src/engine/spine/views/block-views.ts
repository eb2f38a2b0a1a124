/**
 * Read-only views of block trades and of keys. Source: sessions-blocks-gateways.md 2.3, 4.
 */
import type { AccountId, InstrumentId, Micros } from '../../../core/index.ts'
import type { ApprovalState, BlockLeg, BlockTradeTerms, KeyTerms, Liquidity } from '../../../model/index.ts'
import {
  blockTermsSignature,
  checkBlockSides,
  comboOf,
  executedWith,
  type NamedWith,
  pendingWith,
} from '../../requests/index.ts'
import { type Exchange, keysOf, namedKey, type PendingBlock } from '../../state/index.ts'

/** The signature of an account's side of a block, which is a secret of that account. */
export function blockSignatureOf(exchange: Exchange, account: AccountId, terms: BlockTradeTerms): string {
  return blockTermsSignature(exchange, account, terms)
}

/** Signatures of block trades that wait for their execution. */
export function awaitedSignatures({ blocks }: Exchange): readonly string[] {
  return [...blocks.signatures.keys()]
}

/** The number of the block that an account executed with a signature's owner; undefined for none. */
export function executedBlock(exchange: Exchange, account: AccountId, of: NamedWith): number | undefined {
  return executedWith(exchange, account, of)?.block
}

/**
 * For a block that an account executes: its number among blocks that wait for approval, and the time since which it
 * waits.
 */
export function awaitedBlock(
  exchange: Exchange,
  account: AccountId,
  of: NamedWith,
): { readonly pending: number; readonly since: Micros } | undefined {
  const found = pendingWith(exchange, account, of)
  return found === undefined ? undefined : { pending: found.pending, since: sinceOf(found) }
}

function sinceOf({ makerState, takerState }: PendingBlock): Micros {
  return makerState.since < takerState.since ? makerState.since : takerState.since
}

/** True if an account could take its side of a block now; the other side is not checked. */
export function couldTradeBlock(
  exchange: Exchange,
  account: AccountId,
  role: Liquidity,
  legs: readonly BlockLeg[],
): boolean {
  return checkBlockSides(exchange, legs, [{ account, role }]).ok
}

/** A block that waits for approval, or waited within the last day, in the view of one of its sides. */
export interface BlockRequestView {
  readonly pending: number
  readonly timestamp: Micros
  readonly nonce: string
  readonly role: Liquidity
  readonly legs: readonly BlockLeg[]
  readonly combo: InstrumentId | null
  /** The application of this side. */
  readonly appName: string | null
  readonly own: { readonly value: ApprovalState; readonly since: Micros }
  readonly other: { readonly value: ApprovalState; readonly since: Micros }
}

/** The waiting blocks of an account, in the order in which they began to wait. */
export function blockRequestsOf(exchange: Exchange, account: AccountId): readonly BlockRequestView[] {
  const found: BlockRequestView[] = []
  for (const block of exchange.blocks.pending.values()) {
    if (block.maker !== account && block.taker !== account) continue
    const role = block.maker === account ? 'maker' : 'taker'
    const { pending, timestamp, nonce, legs, makerState, takerState } = block
    const [own, other] = role === 'maker' ? [makerState, takerState] : [takerState, makerState]
    const combo = comboOf(exchange, legs)
    found.push({
      pending,
      timestamp,
      nonce,
      role,
      legs,
      combo,
      own,
      other,
      appName: block.apps[role],
    })
  }
  return found
}

/** The application of the key with which an account requested a block; null for none. */
export function blockAppOf(exchange: Exchange, number: number, role: Liquidity): string | null {
  return exchange.blocks.apps.get(number)?.[role] ?? null
}

/** A key of an account. */
export interface KeyView extends KeyTerms {
  /** Name of the key in requests; empty for the key of the account itself. */
  readonly name: string
  readonly id: number
  readonly createdAt: Micros
  /** Name that lists show; null for the name of the key. */
  readonly title: string | null
  /** Number of the request that created its secret; 0 for the secret that follows from its name. */
  readonly secret: number
  /**
   * Number of the last request that changed its secret, rights, addresses or `enabled`; 0 before the first such
   * request.
   */
  readonly changed: number
}

/** The key of an account with a name; the empty name means the key of the account itself. Undefined for none. */
export function findKey(exchange: Exchange, account: AccountId, name: string): KeyView | undefined {
  return namedKey(exchange, account, name)
}

/** The keys of an account: the key of the account itself, then the others in the order of their declaration. */
export function keysOfAccount(exchange: Exchange, account: AccountId): readonly KeyView[] {
  return keysOf(exchange, account)
}
