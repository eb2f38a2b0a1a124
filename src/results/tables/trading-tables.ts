/**
 * Tables of trading: trades and their two fills, each change of each order, refusals, and the book.
 *
 * The trade of a combo moves no money; its legs do, which follow it and name it in `combo_trade_id`.
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
  words,
} from '../column-schema.ts'
import { vocabulary } from '../vocabulary/vocabulary.ts'
import {
  account,
  header,
  house,
  ids,
  instrument,
  someAccount,
  someInstrument,
  table,
} from './table-schema.ts'

/** Tables of what trading does, by name. */
export const tradingTables = {
  trades: table(
    'trades',
    [
      ...header,
      int64('trade_id', 'number within its settlement currency, from 1; 0 for a recorded trade'),
      ids,
      int64('trade_seq', 'number within its instrument, from 1; 0 for a recorded trade'),
      ...instrument,
      price('price', 'price'),
      amount9('amount', 'amount'),
      words('side', vocabulary.tradeSide, 'side of the taker; may be unknown for recorded trades'),
      words(
        'tick_direction',
        vocabulary.tickDirection,
        'direction compared with the previous trade',
      ),
      price('index_price', 'index price at the trade'),
      price('mark_price', 'mark price at the trade'),
      nullable(
        words(
          'liquidation',
          vocabulary.tradeLiquidation,
          'side that was liquidated: maker, taker or both',
        ),
      ),
      nullable(
        rate(
          'iv',
          'implied volatility of an option price; null if no volatility matches the price',
        ),
      ),
      nullable(price('underlying_price', 'forward price of the expiry of an option')),
      nullable(int32('combo_id', 'for a leg: instrument id of the traded combo')),
      nullable(int64('combo_trade_id', 'for a leg: number of the combo trade')),
      nullable(int64('alt_match_id', 'match number of the alternative engine, from 1')),
    ],
    3,
  ),
  orders: table(
    'orders',
    [
      ...header,
      words('change', vocabulary.orderChange, 'kind of event'),
      int64('order_id', 'number of the order within its settlement currency, from 1'),
      ids,
      ...instrument,
      ...account,
      words('side', vocabulary.side, 'side'),
      words('type', vocabulary.orderType, 'order type as entered'),
      words('time_in_force', vocabulary.timeInForce, 'time in force'),
      price('price', 'limit price after the event; 0 for an order that becomes a market order'),
      amount9('amount', 'amount after the event, including filled amount'),
      amount9('filled', 'amount filled so far'),
      words('state', vocabulary.orderState, 'state after the event'),
      words('post_only', vocabulary.postOnly, 'post-only: effect on an order that would trade'),
      flag('reduce_only', 'reduce-only'),
      text('label', 'label of the order'),
      nullable(
        words(
          'reason',
          vocabulary.orderReason,
          'why the order ended or the engine changed its size',
        ),
      ),
      nullable(amount9('display', 'visible size of an iceberg; null for other orders')),
      nullable(
        amount9(
          'shown',
          'currently visible size of an iceberg; before it rests, the size that it would show',
        ),
      ),
      nullable(words('trigger', vocabulary.triggerSource, 'price that triggers the order')),
      nullable(
        price('trigger_price', 'trigger price; for a trailing stop, the current trigger price'),
      ),
      nullable(
        price(
          'trigger_offset',
          'distance of a trailing stop from the best price since the placement',
        ),
      ),
      nullable(int64('triggered_by', 'number of the trigger order that placed this order')),
      nullable(int64('successor', 'number of the order that this trigger order placed')),
      nullable(int64('primary', 'number of the order whose fills place this order')),
      nullable(int64('pair', 'number of the pair of orders that cancel each other')),
      nullable(words('advanced', vocabulary.advanced, 'unit of the price of an advanced order')),
      nullable(
        price(
          'advanced_price',
          'price of an advanced order in that unit: USD, or volatility as a fraction',
        ),
      ),
      nullable(
        flag('auto_replaced', 'for an advanced order: whether the engine set its price last'),
      ),
      nullable(
        words(
          'origin',
          vocabulary.orderOrigin,
          'origin of the order, if other than a JSON-RPC request of its owner',
        ),
      ),
      nullable(int64('session', 'session of the order')),
      nullable(int32('mmp_group', 'number of the market-maker protection group, from 1')),
      nullable(
        text(
          'mmp_group_name',
          'name of the market-maker protection group; null for the group of an index',
        ),
      ),
      nullable(text('quote_set_id', "for a quote: the client's id of the quote set")),
      nullable(text('quote_id', "for a quote: the client's id of the last request that set it")),
      nullable(text('client_order_id', "for direct access: the client's id of the order")),
    ],
    4,
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
      words('side', vocabulary.side, 'side of the account'),
      words('liquidity', vocabulary.liquidity, 'maker or taker'),
      words('rule', vocabulary.fillRule, 'cause of the fill'),
      price('price', 'price'),
      amount9('amount', 'amount'),
      amount9('ahead_before', 'amount ahead of the order in its queue before the match'),
      amount9('ahead_after', 'amount ahead of the order in its queue after the match'),
      money('fee', 'fee in `fee_currency`; negative for a rebate'),
      words('fee_currency', vocabulary.currency, 'currency of the fee'),
      money('realized', 'profit realized by the fill, in the settlement currency'),
      amount9('position', 'signed position of the account after the fill'),
      int64('counter_order_id', 'order number of the counterparty; 0 for the market'),
      int32('counter_account_id', 'counterparty account'),
      nullable(
        int32(
          'feed',
          'recorded file whose row caused the fill, counted from 0 in the order of `feeds` and their paths',
        ),
      ),
      nullable(
        int64(
          'feed_row',
          'row that caused the fill, counted from 1 without the header: the trade, or the row that set the level; 0 if an earlier file set it',
        ),
      ),
      nullable(money('premium', 'option premium received; negative if paid')),
      nullable(
        money('fund_fee', 'for a liquidation: part of the fee that the insurance fund receives'),
      ),
      house,
    ],
    4,
  ),
  rejects: table('rejects', [
    ...header,
    words('command', vocabulary.command, 'kind of request'),
    ...someAccount,
    ...someInstrument,
    words('reason', vocabulary.rejectReason, 'reason of the rejection'),
    nullable(price('limit_price', 'limit of the price band, if exceeded')),
    nullable(int64('limit_count', 'limit of a count or size, if exceeded')),
    nullable(text('param', 'wrong parameter')),
    nullable(text('detail', 'error of the parameter, or the currency that lacks funds')),
  ]),
  book: table('book', [
    ...header,
    ...instrument,
    words('side', vocabulary.side, 'side of the book'),
    price('price', 'price of the level'),
    amount9('amount', 'new size of the level; 0 removes it'),
    int64('change_id', 'number of the change within the instrument'),
  ]),
} as const
