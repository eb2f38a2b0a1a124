/**
 * Rows of `wallet`: one for each change of an address or of a payment.
 */
import type { EventOf } from '../../model/index.ts'
import { accountOrNull, type Cells, headOf, orNone } from './cells.ts'

/** An address that changed. The state of a removed address is `removed`. */
export function addressCells(source: EventOf<'address'>): Cells<'wallet'> {
  const { type, change, network, tag } = source
  return {
    ...headOf(source),
    subject: type === 'deposit' ? 'deposit_address' : 'address',
    number: source.entry,
    state: change === 'removed' ? 'removed' : source.status,
    reason: source.reason,
    account_id: source.account,
    currency: source.currency,
    address_type: type,
    address: source.address,
    network,
    tag,
    until: orNone(source.until),
  }
}

/** A payment that changed. */
export function paymentCells(source: EventOf<'payment'>): Cells<'wallet'> {
  const { change, balance } = source
  return {
    ...headOf(source),
    subject: source.type,
    number: source.payment,
    state: source.state,
    reason: source.reason,
    account_id: source.account,
    counter_account_id: accountOrNull(source.counterparty),
    currency: source.currency,
    amount: source.amount,
    fee: source.fee,
    change,
    balance,
    address: source.address,
    source_address: source.source,
    transaction_id: source.transaction,
  }
}
