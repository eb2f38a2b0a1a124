/**
 * Tables of what accounts and instruments are and hold, and of what was counted of recorded feeds.
 *
 * A position that a scenario gives and one that its owner moves between accounts stand in one table: both
 * come without a trade. So does money from outside and from another account.
 */
import {
  amount,
  flag,
  int32,
  int64,
  micros,
  money,
  nullable,
  price,
  rate,
  text,
  time,
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
      nullable(
        text('legs', 'legs of a combo: each its ratio and its name, all separated by spaces'),
      ),
      words('engine', vocabulary.engine, 'which engine of the venue matches it'),
      words('gateway', vocabulary.gateway, 'pair of gateways of the alternative engine'),
      nullable(micros('speed_bump', 'how long an order that would match waits; else none')),
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
      flag('house', 'whether it is an account of the house'),
      int32('main_account_id', 'main account of a subaccount, else the account itself'),
      rate('fee_factor', 'what of the fees of its fills it pays'),
    ],
    3,
  ),
  states: table('states', [
    ...header,
    ...instrument,
    words('state', vocabulary.instrumentState, 'state of its book from now on'),
  ]),
  cash: table(
    'cash',
    [
      ...header,
      ...account,
      words('currency', vocabulary.currency, 'currency of the money columns'),
      words('type', vocabulary.cashType, 'where it came from or went to'),
      money('change', 'money that came, negative where it left'),
      money('balance', 'cash after the change'),
      nullable(int32('counter_account_id', 'account on the other side of a transfer')),
      nullable(int64('transfer_id', 'number of the transfer, from 1; both of its sides have it')),
    ],
    2,
  ),
  given_positions: table(
    'given_positions',
    [
      ...header,
      ...account,
      ...instrument,
      words('type', vocabulary.givenType, 'who gave it'),
      amount('change', 'signed size received'),
      price('price', 'price at which it was given'),
      amount('position', 'signed size after the change'),
      nullable(money('realized', 'of what was moved: profit realized, in the settlement currency')),
      nullable(money('premium', 'of an option: received for it, negative where it was paid')),
      nullable(int32('counter_account_id', 'of what was moved: the account on the other side')),
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
  equity: table(
    'equity',
    [
      ...moment,
      ...account,
      words('currency', vocabulary.currency, 'currency of the money columns'),
      money('balance', 'cash'),
      money('equity', 'cash, the profit of positions and what options are worth'),
      money('floating_profit', 'profit at the mark that is not yet realized'),
      money('realized_profit', 'profit realized since the last settlement'),
      money('initial_margin', 'initial margin of positions and open orders'),
      money('maintenance_margin', 'maintenance margin of positions'),
      money('options_value', 'size times mark of all options, which `equity` includes'),
      house,
    ],
    3,
  ),
  feed_quality: table('feed_quality', [
    int32('feed', 'number of the recorded file in the run, from 0'),
    ...instrument,
    words('kind', vocabulary.marketKind, 'what the rows of the file tell'),
    words('check', vocabulary.feedCheck, 'what is counted'),
    nullable(words('policy', vocabulary.feedPolicy, 'what was done about it; none for counts')),
    int64('count', 'how often'),
    nullable(int64('first_row', 'the first row concerned, counted from 1 in its file')),
  ]),
} as const
