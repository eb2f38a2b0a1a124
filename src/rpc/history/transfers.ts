/**
 * Money that went between accounts of one owner, as queries look for it: the events themselves, with
 * both accounts they concern.
 * Source: sessions document 6.3.
 */
import type { AccountId } from '../../core/index.ts'
import type { EventOf } from '../../model/index.ts'
import type { History } from './history.ts'

/** Transfers of an account, oldest first. */
export function transfersOf(
  { transfers }: History,
  account: AccountId,
): readonly EventOf<'transfer'>[] {
  return transfers.get(account) ?? []
}

/** The transfer that a sender gave this name, from any of these accounts. */
export function transferOfNonce(
  history: History,
  of: { readonly accounts: readonly AccountId[]; readonly nonce: string },
): EventOf<'transfer'> | undefined {
  for (const account of of.accounts) {
    const found = transfersOf(history, account).find(({ nonce }) => nonce === of.nonce)
    if (found !== undefined) return found
  }
  return undefined
}
