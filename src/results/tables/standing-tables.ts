/**
 * Tables of what accounts and instruments are and hold, and of what was counted of recorded feeds.
 *
 * A position that a scenario gives and one that its owner moves between accounts stand in one table: both
 * come without a trade. So does money from outside and from another account.
 */
import {
  amount9,
  flag,
  int32,
  int64,
  money,
  nullable,
  price,
  rate,
  text,
  time,
  timeSpan,
  words,
} from '../column-schema.ts'
import { vocabulary } from '../vocabulary/vocabulary.ts'
import { account, header, house, instrument, moment, table } from './table-schema.ts'

/** Tables of what accounts and instruments are and hold, by name. */
export const standingTables = {
  instruments: table(
    'instruments',
    [
      ...header,
      text('instrument', 'name of the instrument'),
      int32('instrument_id', 'instrument id on the wire'),
      words('kind', vocabulary.instrumentKind, 'kind on the wire'),
      words('payoff', vocabulary.payoff, 'type of contract: how its profit is computed'),
      text('base_currency', 'symbol of the underlying'),
      text('quote_currency', 'currency of prices'),
      text('counter_currency', 'counter currency on the wire'),
      words('settlement_currency', vocabulary.currency, 'currency of profit, margin and fees'),
      text('price_index', 'index of the mark price'),
      nullable(
        words('settlement_period', vocabulary.settlementPeriod, 'tenor class; null for spot'),
      ),
      price('tick_size', 'tick size: smallest price step'),
      amount9('amount_step', 'smallest amount step'),
      amount9('contract_size', 'size of one contract'),
      amount9('min_trade_amount', 'smallest amount of an order'),
      rate('maker_fee', 'maker fee rate; negative for a rebate'),
      rate('taker_fee', 'taker fee rate'),
      int32('max_leverage', 'largest leverage'),
      time('creation', 'creation time'),
      nullable(time('expiration', 'expiry time; null for perpetuals and spot')),
      nullable(
        words('option_type', vocabulary.optionRight, 'call or put; null except for options'),
      ),
      nullable(price('strike', 'strike price; null except for options')),
      nullable(
        timeSpan(
          'route_delay',
          'latency of orders on the way to the matching exchange; null without latency',
        ),
      ),
      rate('delivery_fee', 'delivery fee rate'),
      nullable(
        rate(
          'mark_band',
          'largest distance of the mark price from the index price, as a fraction of the index price',
        ),
      ),
      nullable(
        amount9(
          'impact_amount',
          'order size whose average price the mark price uses; null for the mid price',
        ),
      ),
      nullable(rate('funding_cap', 'largest 8-hour funding rate; null except for perpetuals')),
      nullable(text('legs', 'legs of a combo: ratio and name of each leg, separated by spaces')),
      words('engine', vocabulary.engine, 'matching engine of the instrument'),
      words('gateway', vocabulary.gateway, 'gateway pair of the alternative engine'),
      nullable(
        timeSpan('speed_bump', 'speed bump of orders that would trade; null without a speed bump'),
      ),
    ],
    5,
  ),
  accounts: table(
    'accounts',
    [
      ...header,
      text('account', 'name of the account'),
      int32('account_id', 'index of the account in the run, from 0'),
      words('margin_model', vocabulary.marginModel, 'margin model'),
      flag('house', 'true if the account belongs to the house'),
      int32('main_account_id', 'main account of a subaccount; otherwise the account itself'),
      rate('fee_factor', 'share of its trading fees that the account pays'),
    ],
    3,
  ),
  states: table('states', [
    ...header,
    ...instrument,
    words('state', vocabulary.instrumentState, 'state of the book from this time on'),
  ]),
  cash: table(
    'cash',
    [
      ...header,
      ...account,
      words('currency', vocabulary.currency, 'currency of the money columns'),
      words('type', vocabulary.cashType, 'source or destination of the cash'),
      money('change', 'cash received; negative if it left the account'),
      money('balance', 'cash after the change'),
      nullable(int32('counter_account_id', 'counterparty account of a transfer')),
      nullable(
        int64('transfer_id', 'number of the transfer, from 1; both sides have the same number'),
      ),
    ],
    2,
  ),
  given_positions: table(
    'given_positions',
    [
      ...header,
      ...account,
      ...instrument,
      words('type', vocabulary.givenType, 'source of the position'),
      amount9('change', 'signed size received'),
      price('price', 'price of the position'),
      amount9('position', 'signed size after the change'),
      nullable(money('realized', 'profit realized on the moved part, in the settlement currency')),
      nullable(money('premium', 'option premium received; negative if paid')),
      nullable(int32('counter_account_id', 'counterparty account of the moved part')),
    ],
    2,
  ),
  positions: table('positions', [
    ...moment,
    ...account,
    ...instrument,
    words(
      'currency',
      vocabulary.currency,
      'settlement currency, which is the currency of the money columns',
    ),
    amount9('size', 'signed size'),
    price('average_price', 'average entry price'),
    price('mark_price', 'mark price'),
    money('floating_profit', 'unrealized profit at the mark price'),
    money('realized_profit', 'profit realized since the last settlement'),
    money('initial_margin', 'initial margin of the position'),
    money('maintenance_margin', 'maintenance margin of the position'),
  ]),
  equity: table(
    'equity',
    [
      ...moment,
      ...account,
      words('currency', vocabulary.currency, 'currency of the money columns'),
      money('balance', 'cash'),
      money('equity', 'cash, profit of positions and value of options'),
      money('floating_profit', 'unrealized profit at the mark price'),
      money('realized_profit', 'profit realized since the last settlement'),
      money('initial_margin', 'initial margin of positions and open orders'),
      money('maintenance_margin', 'maintenance margin of positions'),
      money('options_value', 'value of all options (size times mark price), included in `equity`'),
      house,
    ],
    3,
  ),
  feed_quality: table('feed_quality', [
    int32('feed', 'recorded file, counted from 0 in the order of `feeds` and their paths'),
    ...instrument,
    words('kind', vocabulary.marketKind, "content of the file's rows"),
    words('check', vocabulary.feedCheck, 'counted items'),
    nullable(words('policy', vocabulary.feedPolicy, 'action taken; null for counts')),
    int64('count', 'number of occurrences'),
    nullable(int64('first_row', 'first affected row, counted from 1 without the header')),
  ]),
} as const
