/**
 * Deposits, withdrawals and transfers between users, each in its current state.
 */
import type { AccountId } from '../../core/index.ts'
import type { EventOf } from '../../model/index.ts'
import { keepRow, type Windows } from './windows.ts'

/** Keeps a payment and replaces its previous state. The receiver of a transfer sees it once it is confirmed. */
export function recordPayment(
  payments: Windows<AccountId, EventOf<'payment'>>,
  event: EventOf<'payment'>,
  limit: number,
): void {
  keepPayment(payments, event, { account: event.account, limit })
  const { type, state, counterparty } = event
  if (type !== 'transfer' || state !== 'confirmed' || counterparty === -1) return
  keepPayment(payments, event, { account: counterparty, limit })
}

function keepPayment(
  payments: Windows<AccountId, EventOf<'payment'>>,
  row: EventOf<'payment'>,
  { account, limit }: { readonly account: AccountId; readonly limit: number },
): void {
  const list = payments.rows.get(account)
  const at = list?.findLastIndex(({ type, payment }) => type === row.type && payment === row.payment)
  if (list !== undefined && at !== undefined && at >= 0) list[at] = row
  else keepRow(payments, account, { row, limit })
}
