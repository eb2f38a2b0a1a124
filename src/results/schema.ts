/**
 * The result tables: one constant for each, with the name, type, unit and meaning of every column in
 * their order. Row types, column arrays, digests and Arrow fields all derive from these constants.
 *
 * Conventions:
 * - `time` is virtual time in microseconds, `event` the number of the event, `cause` the sequence of
 *   the request it belongs to. Rows stand in the order of their events.
 * - Prices, amounts and money are integers of 10^-9 (`scale: 9`). Amounts are in the instrument's
 *   amount unit (USD for inverse futures, else the base coin), money in the currency named.
 * - Order and trade ids are numbers that count within a settlement currency, named by `currency`;
 *   the wire shows the same number behind a prefix.
 * - `instrument` and `account` repeat in words what `instrument_id` (as on the wire) and
 *   `account_id` say. They are `derived`: looked up when a table is read or written, never stored
 *   and not hashed, because `instruments` and `accounts` are.
 * - Funding stands in two tables, because rates are of an instrument and change with every mark, while
 *   payments are of an account and are few: one table of both would be half empty, and everybody who
 *   sums payments would have to leave the rates out first.
 * - `interest_value` is the accumulator of a perpetual as the venue publishes it: coin for a million USD of
 *   an inverse contract, quote units for one coin of a linear one. The engine counts 1e-18 of that, which
 *   64 bits hold for weeks only, so the tables round it to 1e-9. `funding` is exact, as all money is.
 * - `settlements` has each settlement at three levels, by `scope`: of one `account`, of an `instrument` over
 *   all its holders, and of a `currency` over all accounts, as bankruptcies are. The parts of a sum
 *   stand before it.
 *
 * A change of a table's columns or of a vocabulary's codes raises its `version`.
 */
import {
  amount,
  type ColumnSchema,
  type ColumnType,
  derived,
  flag,
  int32,
  int64,
  interest,
  micros,
  money,
  nullable,
  price,
  rate,
  text,
  time,
  words,
} from './column-schema.ts'
import { vocabulary } from './vocabulary.ts'

/** A result table. */
export interface TableSchema {
  readonly name: string
  readonly version: number
  /** Whether the run's digest includes it: not so for tables that exist only when asked for. */
  readonly inDigest: boolean
  readonly columns: readonly ColumnSchema[]
}

const eventNumber = int64('event', 'number of the event in the run, from 1')
const moment = [time('time', 'virtual time'), eventNumber] as const
const header = [...moment, int64('cause', 'sequence of the request it belongs to')] as const

const account = [
  derived('account_id', text('account', 'name of the account')),
  int32('account_id', 'index of the account in the run, from 0'),
] as const
const instrument = [
  derived('instrument_id', text('instrument', 'name of the instrument')),
  int32('instrument_id', 'instrument id as on the wire'),
] as const
const ids = words('currency', vocabulary.currency, 'settlement currency, in which ids count')

/** All result tables by name. */
export const tableSchemas = {
  instruments: table(
    'instruments',
    [
      ...header,
      text('instrument', 'name of the instrument'),
      int32('instrument_id', 'instrument id as on the wire'),
      words('kind', vocabulary.instrumentKind, 'kind on the wire'),
      words('payoff', vocabulary.payoff, 'how a fill turns into money'),
      text('base_currency', 'symbol of the underlying'),
      text('quote_currency', 'currency of prices'),
      text('counter_currency', 'counter currency on the wire'),
      words('settlement_currency', vocabulary.currency, 'currency of profit, margin and fees'),
      text('price_index', 'index that the mark price follows'),
      nullable(
        words('settlement_period', vocabulary.settlementPeriod, 'tenor class; none for spot'),
      ),
      price('tick_size', 'smallest price step'),
      amount('amount_step', 'smallest amount step'),
      amount('contract_size', 'amount of one contract'),
      amount('min_trade_amount', 'smallest amount of an order'),
      rate('maker_fee', 'fee rate of a maker, negative for a rebate'),
      rate('taker_fee', 'fee rate of a taker'),
      int32('max_leverage', 'largest leverage'),
      time('creation', 'when it came to be'),
      nullable(time('expiration', 'when it expires; none for perpetuals and spot')),
      nullable(words('option_type', vocabulary.optionRight, 'call or put; none but for options')),
      nullable(price('strike', 'strike price; none but for options')),
      nullable(
        micros(
          'route_delay',
          'how long orders travel to the exchange that matches them; else none',
        ),
      ),
      rate('delivery_fee', 'fee rate of what is delivered at expiry'),
      nullable(rate('mark_band', 'most that the mark may be from the index, as a part of it')),
      nullable(
        amount('impact_amount', 'size whose average price the mark looks at; none for the middle'),
      ),
      nullable(rate('funding_cap', 'largest funding rate for 8 hours; none but for perpetuals')),
    ],
    3,
  ),
  accounts: table(
    'accounts',
    [
      ...header,
      text('account', 'name of the account'),
      int32('account_id', 'index of the account in the run, from 0'),
      words('margin_model', vocabulary.marginModel, 'margin model'),
      flag('house', 'whether it is an account of the house'),
      int32('main_account_id', 'main account of a subaccount, else the account itself'),
      rate('fee_factor', 'what of the fees of its fills it pays'),
    ],
    3,
  ),
  trades: table('trades', [
    ...header,
    int64('trade_id', 'number within its settlement currency, from 1; 0 for a recorded trade'),
    ids,
    int64('trade_seq', 'number within its instrument, from 1; 0 for a recorded trade'),
    ...instrument,
    price('price', 'price'),
    amount('amount', 'amount'),
    words('side', vocabulary.tradeSide, "the taker's side; a recorded trade may not tell"),
    words('tick_direction', vocabulary.tickDirection, 'against the trade before'),
    price('index_price', 'index price at the trade'),
    price('mark_price', 'mark price at the trade'),
  ]),
  orders: table(
    'orders',
    [
      ...header,
      words('change', vocabulary.orderChange, 'what happened to the order'),
      int64('order_id', 'number of the order within its settlement currency, from 1'),
      ids,
      ...instrument,
      ...account,
      words('side', vocabulary.side, 'side'),
      words('type', vocabulary.orderType, 'order type as entered'),
      words('time_in_force', vocabulary.timeInForce, 'how long it stands'),
      price('price', 'limit price after the change; 0 of what becomes a market order'),
      amount('amount', 'amount after the change, fills included'),
      amount('filled', 'amount filled so far'),
      words('state', vocabulary.orderState, 'state after the change'),
      words('post_only', vocabulary.postOnly, 'what happens where it would take'),
      flag('reduce_only', 'whether it may only reduce the position'),
      text('label', 'label given by its owner'),
      nullable(
        words('reason', vocabulary.orderReason, 'why it ended or why the engine resized it'),
      ),
      nullable(amount('display', 'what an iceberg shows at a time; none for what shows all of it')),
      nullable(
        amount('shown', 'what of an iceberg shows now, or would once it stands in the book'),
      ),
      nullable(words('trigger', vocabulary.triggerSource, 'price that a trigger order watches')),
      nullable(
        price('trigger_price', 'where it fires; of a trailing stop where it would fire now'),
      ),
      nullable(price('trigger_offset', 'distance of a trailing stop from the best price since')),
      nullable(int64('triggered_by', 'number of the trigger order that became this one')),
      nullable(int64('successor', 'number of the order that this one became when it triggered')),
      nullable(int64('primary', 'number of the order whose fills place this one')),
      nullable(int64('pair', 'number that names the two orders of which one cancels the other')),
    ],
    2,
  ),
  fills: table(
    'fills',
    [
      ...header,
      int64('trade_id', 'number of the trade within its settlement currency, from 1'),
      ids,
      ...instrument,
      ...account,
      int64('order_id', 'number of the order within its settlement currency; 0 for the market'),
      words('side', vocabulary.side, 'side of this account'),
      words('liquidity', vocabulary.liquidity, 'maker or taker'),
      words('rule', vocabulary.fillRule, 'why the fill happened'),
      price('price', 'price'),
      amount('amount', 'amount'),
      amount('ahead_before', 'amount that stood before the order in its queue, before the match'),
      amount('ahead_after', 'amount that stood before the order in its queue, after the match'),
      money('fee', 'fee paid in `fee_currency`, negative for a rebate'),
      words('fee_currency', vocabulary.currency, 'currency of the fee'),
      money('realized', 'profit realized by the fill, in the settlement currency'),
      amount('position', 'signed position of the account after the fill'),
      int64('counter_order_id', 'number of the order on the other side; 0 for the market'),
      int32('counter_account_id', 'account on the other side'),
      nullable(int32('feed', 'number of the recorded file whose row caused the fill')),
      nullable(
        int64(
          'feed_row',
          'that row: the print, or what set the level; 0 where a file before it did',
        ),
      ),
    ],
    2,
  ),
  positions: table('positions', [
    ...moment,
    ...account,
    ...instrument,
    words('currency', vocabulary.currency, 'settlement currency: that of the money columns'),
    amount('size', 'signed size'),
    price('average_price', 'average entry price'),
    price('mark_price', 'mark price'),
    money('floating_profit', 'profit at the mark that is not yet realized'),
    money('realized_profit', 'profit realized since the last settlement'),
    money('initial_margin', 'initial margin of the position'),
    money('maintenance_margin', 'maintenance margin of the position'),
  ]),
  equity: table('equity', [
    ...moment,
    ...account,
    words('currency', vocabulary.currency, 'currency of the money columns'),
    money('balance', 'cash'),
    money('equity', 'cash and the profit of positions'),
    money('floating_profit', 'profit at the mark that is not yet realized'),
    money('realized_profit', 'profit realized since the last settlement'),
    money('initial_margin', 'initial margin of positions and open orders'),
    money('maintenance_margin', 'maintenance margin of positions'),
  ]),
  cash: table('cash', [
    ...header,
    ...account,
    words('currency', vocabulary.currency, 'currency of the money columns'),
    money('change', 'money that came from outside, negative where it left'),
    money('balance', 'cash after the change'),
  ]),
  given_positions: table('given_positions', [
    ...header,
    ...account,
    ...instrument,
    amount('change', 'signed size given'),
    price('price', 'price at which it was given'),
    amount('position', 'signed size after the change'),
  ]),
  rejects: table('rejects', [
    ...header,
    words('command', vocabulary.command, 'what was asked for'),
    nullable(account[0]),
    nullable(account[1]),
    nullable(instrument[0]),
    nullable(instrument[1]),
    words('reason', vocabulary.rejectReason, 'why it was refused'),
    nullable(price('limit_price', 'limit of the price band, where that was the reason')),
    nullable(int64('limit_count', 'limit of a count or size, where that was the reason')),
    nullable(text('param', 'parameter that was wrong')),
    nullable(text('detail', 'what was wrong with it, or the currency that lacks funds')),
  ]),
  marks: table(
    'marks',
    [
      ...header,
      words('kind', vocabulary.markKind, 'what has a new value'),
      nullable(instrument[0]),
      nullable(instrument[1]),
      nullable(text('index_name', 'index of an index or delivery price; none for a mark price')),
      price('price', 'new value'),
      nullable(price('index_price', 'index price that goes with a mark price')),
      nullable(words('source', vocabulary.markSource, 'where a mark price came from')),
      nullable(int64('samples', 'how many values a delivery price is the average of')),
    ],
    2,
  ),
  states: table('states', [
    ...header,
    ...instrument,
    words('state', vocabulary.instrumentState, 'state of its book from now on'),
  ]),
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
    money('funding', 'funding received, negative where it was paid'),
  ]),
  settlements: table('settlements', [
    ...header,
    words('type', vocabulary.settlementType, 'what it was'),
    words('scope', vocabulary.settlementScope, 'whether it is of one account or a sum'),
    words('currency', vocabulary.currency, 'settlement currency: that of the money columns'),
    nullable(account[0]),
    nullable(account[1]),
    nullable(instrument[0]),
    nullable(instrument[1]),
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
  feed_quality: table('feed_quality', [
    int32('feed', 'number of the recorded file in the run, from 0'),
    ...instrument,
    words('kind', vocabulary.marketKind, 'what the rows of the file tell'),
    words('check', vocabulary.feedCheck, 'what is counted'),
    nullable(words('policy', vocabulary.feedPolicy, 'what was done about it; none for counts')),
    int64('count', 'how often'),
    nullable(int64('first_row', 'the first row concerned, counted from 1 in its file')),
  ]),
  book: {
    ...table('book', [
      ...header,
      ...instrument,
      words('side', vocabulary.side, 'side of the book'),
      price('price', 'price of the level'),
      amount('amount', 'size at the level now, 0 removes it'),
      int64('change_id', 'number of the change within the instrument'),
    ]),
    inDigest: false,
  },
} as const

/** The name of a result table. */
export type TableName = keyof typeof tableSchemas

type SchemaColumn<Name extends TableName> = (typeof tableSchemas)[Name]['columns'][number]

/** The columns of a table that are stored, by name. */
export type StoredColumn<Name extends TableName> = Extract<
  SchemaColumn<Name>,
  { readonly derivedFrom: null }
>

/** A value of a column in its exact form; null only where the column is nullable. */
export type ExactCell<Type extends ColumnType, Word extends string> = {
  readonly int64: bigint
  readonly time: bigint
  readonly int32: number
  readonly boolean: boolean
  readonly dictionary: Word
  readonly utf8: string
}[Type]

/** A row of a table in its exact form, derived columns included. */
export type ExactRow<Name extends TableName> = {
  readonly [C in SchemaColumn<Name> as C['name']]:
    | ExactCell<C['type'], C['words'][number]>
    | (C['nullable'] extends true ? null : never)
}

/** The names of all tables, in the order in which they are listed. */
export const tableNames: readonly TableName[] = [
  'instruments',
  'accounts',
  'trades',
  'orders',
  'fills',
  'positions',
  'equity',
  'cash',
  'given_positions',
  'rejects',
  'marks',
  'states',
  'funding_rates',
  'funding',
  'settlements',
  'feed_quality',
  'book',
]

/** The number on the wire of the instrument listed first; ids inside a run count from 0. */
export const WIRE_INSTRUMENT_ID_MIN = 1000

function table<const Name extends string, const Columns extends readonly ColumnSchema[]>(
  name: Name,
  columns: Columns,
  version = 1,
): {
  readonly name: Name
  readonly version: number
  readonly inDigest: true
  readonly columns: Columns
} {
  return { name, version, inDigest: true, columns }
}
