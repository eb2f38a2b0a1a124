/**
 * Tables of prices and of the venue's own money: marks, funding, settlements.
 *
 * - Funding stands in two tables, because rates are of an instrument and change with every mark, while
 *   payments are of an account and are few: one table of both would be half empty, and everybody who
 *   sums payments would have to leave the rates out first.
 * - `interest_value` is the accumulator of a perpetual as the venue publishes it: coin for a million USD of
 *   an inverse contract, quote units for one coin of a linear one. The engine counts 1e-18 of that, which
 *   64 bits hold for weeks only, so the tables round it to 1e-9. `funding` is exact, as all money is.
 * - `settlements` has each settlement at three levels, by `scope`: of one `account`, of an `instrument` over
 *   all its holders, and of a `currency` over all accounts, as bankruptcies are. The parts of a sum
 *   stand before it.
 */
import {
  amount,
  int64,
  interest,
  money,
  nullable,
  price,
  rate,
  text,
  words,
} from '../column-schema.ts'
import { vocabulary } from '../vocabulary/vocabulary.ts'
import { account, header, instrument, someAccount, someInstrument, table } from './table-schema.ts'

/** Tables of prices, and of what the venue does to money by itself, by name. */
export const moneyTables = {
  marks: table(
    'marks',
    [
      ...header,
      words('kind', vocabulary.markKind, 'what has a new value'),
      ...someInstrument,
      nullable(text('index_name', 'index of an index or delivery price; none for a mark price')),
      price('price', 'new value'),
      nullable(price('index_price', 'index price that goes with a mark price')),
      nullable(words('source', vocabulary.markSource, 'where a mark price came from')),
      nullable(int64('samples', 'how many values a delivery price is the average of')),
      nullable(rate('iv', 'mark volatility of an option')),
      nullable(price('underlying_price', 'forward price of the expiry of an option')),
    ],
    3,
  ),
  funding_rates: table('funding_rates', [
    ...header,
    ...instrument,
    rate('rate', 'funding rate for 8 hours from now on; positive: longs pay'),
    interest('interest_value', 'funding since the listing'),
    price('mark_price', 'mark price'),
    price('index_price', 'index price'),
  ]),
  funding: table('funding', [
    ...header,
    ...account,
    ...instrument,
    words('currency', vocabulary.currency, 'currency of the funding'),
    amount('position', 'signed size it was paid for'),
    interest('interest_from', 'interest value when the position was last touched'),
    interest('interest_to', 'interest value now'),
    money('funding', 'funding that was booked: received, negative where it was paid'),
  ]),
  settlements: table('settlements', [
    ...header,
    words('type', vocabulary.settlementType, 'what it was'),
    words('scope', vocabulary.settlementScope, 'whether it is of one account or a sum'),
    words('currency', vocabulary.currency, 'settlement currency: that of the money columns'),
    ...someAccount,
    ...someInstrument,
    nullable(amount('position', 'signed size before it; of an instrument the open interest')),
    nullable(price('index_price', 'index price')),
    nullable(price('mark_price', 'mark price, or the delivery price')),
    nullable(money('profit_loss', 'realized since the last settlement, funding included')),
    money('session_profit_loss', 'realized and unrealized since the last settlement'),
    nullable(money('funding', 'funding of the session; of an instrument what longs paid')),
    nullable(money('fee', 'delivery fee paid')),
    nullable(money('balance', 'cash of the account after it; of a currency that of the fund')),
    nullable(money('session_bankruptcy', 'debt of a bankrupt account, or of all of them')),
    nullable(money('funded', 'what the insurance fund paid of it')),
    nullable(money('socialized', 'the rest, which winners share')),
    nullable(money('session_tax', 'what a winner paid of it, or all of them')),
    nullable(rate('session_tax_rate', "part of each winner's profit")),
  ]),
} as const
