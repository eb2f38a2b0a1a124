/**
 * Tables of prices and of the venue's own money: marks, funding, settlements.
 *
 * - Funding has two tables, because rates belong to an instrument and change with every mark, while payments belong to
 *   an account and are few. One table for both would be half empty, and users who sum payments would have to exclude
 *   the rates first.
 * - `interest_value` is the accumulator of a perpetual as the venue publishes it: coin for a million USD of an inverse
 *   contract, quote units for one coin of a linear one. The engine counts in 1e-18 of that, which would exceed 64 bits
 *   within weeks, so the tables round it to 1e-9. `funding` is exact, like all money.
 * - `settlements` has each settlement at three levels, given by `scope`: for one `account`, for an `instrument` over
 *   all its holders, and for a `currency` over all accounts (bankruptcies). The parts of a sum come before it.
 */

import { amount9, int32, int64, interest, money, nullable, price, rate, text, time, words } from '../column-schema.ts'
import { vocabulary } from '../vocabulary/vocabulary.ts'
import { account, header, instrument, someAccount, someInstrument, table } from './table-schema.ts'

/** Tables of prices and of money that the venue moves itself, by name. */
export const moneyTables = {
  marks: table(
    'marks',
    [
      ...header,
      words('kind', vocabulary.markKind, 'kind of price'),
      ...someInstrument,
      nullable(text('index_name', 'index of an index or delivery price; null for a mark price')),
      price('price', 'new value'),
      nullable(price('index_price', 'index price at the time of a mark price')),
      nullable(words('source', vocabulary.markSource, 'source of a mark price')),
      nullable(int64('samples', 'number of values in the average of a delivery price')),
      nullable(rate('iv', 'mark volatility of an option')),
      nullable(price('underlying_price', 'forward price of the expiry of an option')),
    ],
    3,
  ),
  funding_rates: table('funding_rates', [
    ...header,
    ...instrument,
    rate('rate', '8-hour funding rate from this time on; if positive, longs pay'),
    interest(
      'interest_value',
      'accumulated funding since the listing: coin for a position of 1,000,000 USD, or quote currency for one coin if the contract is linear',
    ),
    price('mark_price', 'mark price'),
    price('index_price', 'index price'),
  ]),
  funding: table('funding', [
    ...header,
    ...account,
    ...instrument,
    words('currency', vocabulary.currency, 'currency of the funding'),
    amount9('position', 'signed size that the funding applies to'),
    interest('interest_from', '`interest_value` when the position last changed'),
    interest('interest_to', '`interest_value` now'),
    money('funding', 'booked funding: positive if received, negative if paid'),
  ]),
  settlements: table('settlements', [
    ...header,
    words('type', vocabulary.settlementType, 'kind of settlement'),
    words('scope', vocabulary.settlementScope, 'scope of the row: one account, or a total'),
    words('currency', vocabulary.currency, 'settlement currency, which is the currency of the money columns'),
    ...someAccount,
    ...someInstrument,
    nullable(amount9('position', 'signed size before the settlement; open interest for an instrument')),
    nullable(price('index_price', 'index price')),
    nullable(price('mark_price', 'mark price, or the delivery price')),
    nullable(money('profit_loss', 'profit realized since the last settlement, including funding')),
    money('session_profit_loss', 'realized and unrealized profit since the last settlement'),
    nullable(money('funding', 'funding of the settlement period; for an instrument, the funding that longs paid')),
    nullable(money('fee', 'delivery fee paid')),
    nullable(money('balance', 'cash of the account after the settlement; for a currency, the insurance fund')),
    nullable(money('session_bankruptcy', 'debt of a bankrupt account, or of all bankrupt accounts')),
    nullable(money('funded', 'part of the debt that the insurance fund paid')),
    nullable(money('socialized', 'rest of the debt, which accounts with a profit share')),
    nullable(money('session_tax', 'amount that an account with a profit paid, or all such accounts')),
    nullable(rate('session_tax_rate', 'fraction of its profit that each account pays')),
  ]),
} as const

/**
 * The table of wallets. It has a row for each change of an address or a payment, so that it shows starts, ends and
 * timeouts, with their reasons. The movements themselves are in `cash`. Facts about beneficiaries are in no table.
 */

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
