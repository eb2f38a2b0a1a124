/**
 * Read-only views of block trades. Source: sessions-blocks-gateways.md 4.
 */
import type { AccountId, Micros } from '../../../core/index.ts'
import type { BlockLeg, BlockTradeTerms, Liquidity } from '../../../model/index.ts'
import { checkSide, executedWith, signatureOf } from '../../requests/index.ts'
import type { Exchange } from '../../state/index.ts'

/** The signature of an account's side of a block: a secret of that account. */
export function blockSignatureOf(
  exchange: Exchange,
  account: AccountId,
  terms: BlockTradeTerms,
): string {
  return signatureOf(exchange, account, terms)
}

/** The number of the block that an account executed with the signer of a signature; undefined for none. */
export function executedBlock(
  exchange: Exchange,
  account: AccountId,
  of: { readonly timestamp: Micros; readonly nonce: string; readonly signature: string },
): number | undefined {
  return executedWith(exchange, account, of)?.block
}

/** True if an account could take its side of a block now, as far as it is about that side alone. */
export function couldTradeBlock(
  exchange: Exchange,
  account: AccountId,
  block: { readonly role: Liquidity; readonly legs: readonly BlockLeg[] },
): boolean {
  return checkSide(exchange, block.legs, { account, role: block.role }).ok
}
