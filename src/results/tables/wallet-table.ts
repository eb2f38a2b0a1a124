/**
 * The table of wallets. It has a row for each change of an address or a payment, so that it shows starts, ends and
 * timeouts, with their reasons. The movements themselves are in `cash`. Facts about beneficiaries are in no table.
 */
import { int32, int64, money, nullable, text, time, words } from '../column-schema.ts'
import { vocabulary } from '../vocabulary/vocabulary.ts'
import { account, header, table } from './table-schema.ts'

/** The table of wallets. */
export const walletTable = table('wallet', [
  ...header,
  words('subject', vocabulary.walletSubject, 'kind of change'),
  int64('number', 'number within its kind, from 1'),
  words('state', vocabulary.walletState, 'state after the change'),
  words('reason', vocabulary.walletReason, 'why'),
  ...account,
  nullable(int32('counter_account_id', 'counterparty account, if it belongs to the venue')),
  words('currency', vocabulary.currency, 'currency of the money'),
  nullable(money('amount', 'amount of the payment, without its fee')),
  nullable(money('fee', 'fee of the payment, in addition to its amount')),
  nullable(money('change', "change of the account's cash")),
  nullable(money('balance', 'cash of the account after the change')),
  nullable(words('address_type', vocabulary.addressSort, 'type of a changed address')),
  text('address', 'the address, or the destination or source of the money'),
  nullable(text('source_address', 'source of a deposit')),
  nullable(text('network', 'network of the address')),
  nullable(text('tag', 'tag of the address')),
  nullable(text('transaction_id', 'transaction on the chain')),
  nullable(time('until', 'time until which the address waits')),
])
