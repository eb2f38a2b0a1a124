/**
 * Tables of trading: trades and their two fills, each change of each order, refusals, and the book.
 *
 * The trade of a combo moves no money; its legs do, which follow it and name it in `combo_trade_id`.
 */
import {
  amount,
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
      amount('amount', 'amount'),
      words('side', vocabulary.tradeSide, "the taker's side; a recorded trade may not tell"),
      words('tick_direction', vocabulary.tickDirection, 'against the trade before'),
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
          'implied volatility of the price of an option; none where no volatility gives it',
        ),
      ),
      nullable(price('underlying_price', 'forward price of the expiry of an option')),
      nullable(int32('combo_id', 'of a leg: instrument id of the combo that was traded')),
      nullable(int64('combo_trade_id', 'of a leg: number of the trade of that combo')),
      nullable(int64('alt_match_id', 'number of the match of the alternative engine, from 1')),
    ],
    3,
  ),
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
      nullable(
        words('advanced', vocabulary.advanced, 'what the price of an advanced order follows'),
      ),
      nullable(price('advanced_price', 'that value: USD, or a volatility as a fraction')),
      nullable(
        flag('auto_replaced', 'of an advanced order: whether the engine set its price last'),
      ),
      nullable(
        words(
          'origin',
          vocabulary.orderOrigin,
          'what placed it where its owner did not by JSON-RPC',
        ),
      ),
      nullable(int64('session', 'session that it came over')),
      nullable(int32('mmp_group', 'number of its group of market-maker protection, from 1')),
      nullable(text('mmp_group_name', 'name of that group; none of the orders of an index')),
      nullable(text('quote_set_id', 'of a quote: what its client calls the set')),
      nullable(text('quote_id', 'of a quote: what its client calls the request that set it last')),
      nullable(text('client_order_id', 'of direct access: what its client calls it')),
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
      nullable(money('premium', 'of an option: received for it, negative where it was paid')),
      nullable(money('fund_fee', 'of a liquidation: what of the fee the insurance fund receives')),
      house,
    ],
    4,
  ),
  rejects: table('rejects', [
    ...header,
    words('command', vocabulary.command, 'what was asked for'),
    ...someAccount,
    ...someInstrument,
    words('reason', vocabulary.rejectReason, 'why it was refused'),
    nullable(price('limit_price', 'limit of the price band, where that was the reason')),
    nullable(int64('limit_count', 'limit of a count or size, where that was the reason')),
    nullable(text('param', 'parameter that was wrong')),
    nullable(text('detail', 'what was wrong with it, or the currency that lacks funds')),
  ]),
  book: table('book', [
    ...header,
    ...instrument,
    words('side', vocabulary.side, 'side of the book'),
    price('price', 'price of the level'),
    amount('amount', 'size at the level now, 0 removes it'),
    int64('change_id', 'number of the change within the instrument'),
  ]),
} as const
