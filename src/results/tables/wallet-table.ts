/**
 * The table of wallets: a row for each change of an address or a payment, so that it tells what started, ended or timed
 * out, and why. The movements themselves are in `cash`. What is known of beneficiaries stands in no table.
 */
import { int32, int64, money, nullable, text, time, words } from '../column-schema.ts'
import { vocabulary } from '../vocabulary/vocabulary.ts'
import { account, header, table } from './table-schema.ts'

/** The table of wallets. */
export const walletTable = table('wallet', [
  ...header,
  words('subject', vocabulary.walletSubject, 'what changed'),
  int64('number', 'its number among those of its subject, from 1'),
  words('state', vocabulary.walletState, 'state after it'),
  words('reason', vocabulary.walletReason, 'why'),
  ...account,
  nullable(
    int32('counter_account_id', 'account on the other side of the money, where it is of the venue'),
  ),
  words('currency', vocabulary.currency, 'currency of the money'),
  nullable(money('amount', 'money of the payment, without its fee')),
  nullable(money('fee', 'fee of the payment, on top of its amount')),
  nullable(money('change', 'what the cash of the account changed by')),
  nullable(money('balance', 'cash of the account after it')),
  nullable(words('address_type', vocabulary.addressSort, 'sort of the address, where one changed')),
  text('address', 'the address, or where the money goes or came to'),
  nullable(text('source_address', 'where a deposit came from')),
  nullable(text('network', 'network of the address')),
  nullable(text('tag', 'tag of the address')),
  nullable(text('transaction_id', 'transaction on the chain')),
  nullable(time('until', 'until when the address waits')),
])
