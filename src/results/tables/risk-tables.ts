/**
 * Tables of risk.
 *
 * - `liquidations` shows the course of a liquidation: its start; in each round a `step` for each way in which the
 *   selected position was reduced, after the effects of that way (trades with the book, or a `transfer` row for both
 *   accounts); its end.
 * - `protections` has everything that restricts an account in the market: locks, limits of participants of the
 *   liquidity support programme, market-maker protection, the speed bump, sessions, switches and rate limits. Each of
 *   its rows is a start, an effect or an end. One query shows why an order ended: `orders` has its `cause`,
 *   `account_id` and `mmp_group`, and the row here with the same cause names the mechanism in `kind`, `change`,
 *   `group`, `reason` and `trigger`. `quantity`, `delta` and `vega` are the sums traded in a window, next to the limits
 *   in force.
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
import { account, header, ids, someAccount, someInstrument, table } from './table-schema.ts'

/** Tables of risk by name: liquidations step by step, and the mechanisms that protect the market. */
export const riskTables = {
  liquidations: table('liquidations', [
    ...header,
    words('kind', vocabulary.liquidationKind, 'kind of event'),
    ...account,
    words('currency', vocabulary.liquidationCurrency, 'currency of the money columns; USD for cross accounts'),
    nullable(int32('round', 'round of the liquidation, from 1')),
    nullable(money('margin_balance', 'margin balance before the step')),
    nullable(money('initial_margin', 'initial margin before the step')),
    nullable(money('maintenance_margin', 'maintenance margin before the step')),
    nullable(words('outcome', vocabulary.liquidationOutcome, 'outcome of the liquidation')),
    ...someInstrument,
    nullable(words('route', vocabulary.liquidationRoute, 'destination of a position')),
    nullable(words('rule', vocabulary.pickRule, 'why the step chose the position')),
    nullable(money('position_margin', 'maintenance margin of the chosen position')),
    nullable(amount9('position_before', 'signed size before the step')),
    nullable(amount9('asked', 'size that the step tried to close')),
    nullable(amount9('closed', 'size that the step closed')),
    nullable(price('price', 'worst price of the order, or the price of the transfer')),
    nullable(amount9('change', 'signed size that a transfer added')),
    nullable(amount9('position', 'signed size after a transfer')),
    nullable(int32('counter_account_id', 'counterparty account of a transfer')),
    nullable(money('realized', 'profit realized by a transfer')),
    nullable(money('premium', 'option premium received; negative if paid')),
    nullable(money('commission', 'commission paid for a transfer; negative if received')),
  ]),
  protections: table(
    'protections',
    [
      ...header,
      words('kind', vocabulary.protectionKind, 'kind of protection'),
      words('change', vocabulary.protectionChange, 'kind of event'),
      ...someAccount,
      nullable(
        text(
          'group',
          'subject of the protection: a group (by name or index), a set of quotes, a gateway, a message, a bucket or a currency',
        ),
      ),
      nullable(rate('limit', 'limit in force, as a fraction of equity')),
      nullable(money('used', 'used part of the limit, in USD')),
      nullable(time('from', 'start of the window')),
      nullable(time('until', 'end of the window, the freeze or the wait; null if only a reset ends it')),
      ...someInstrument,
      nullable(int64('order_id', 'number of the order within its settlement currency')),
      nullable(ids),
      nullable(words('side', vocabulary.side, 'side of the order or quote')),
      nullable(amount9('amount', 'size of an order that waits')),
      nullable(int64('session', 'session of the request, or session that opened or closed')),
      nullable(words('session_kind', vocabulary.sessionKind, 'kind of session')),
      nullable(flag('cancel_on_disconnect', 'true if the end of the session cancels its orders')),
      nullable(int32('mmp_group', 'number of a market-maker protection group, from 1')),
      nullable(text('index_name', 'index of the market-maker protection group')),
      nullable(
        words('reason', vocabulary.protectionReason, 'why an order became immediate-or-cancel, or how a session ended'),
      ),
      nullable(words('refusal', vocabulary.rejectReason, 'why the side of a quote was rejected')),
      nullable(words('trigger', vocabulary.mmpTrigger, 'which limit was reached')),
      nullable(amount9('quantity', 'traded size in the window in base coin, buys plus sells')),
      nullable(amount9('delta', 'net change of delta in the window, in base coin')),
      nullable(money('vega', 'net change of vega in the window, in USD')),
      nullable(amount9('quantity_limit', 'limit of the traded size; null if not monitored')),
      nullable(amount9('delta_limit', 'limit of the net change of delta; null if not monitored')),
      nullable(money('vega_limit', 'limit of the net change of vega; null if not monitored')),
      nullable(amount9('max_quote_quantity', 'maximum open size per instrument and side, in base coin')),
      nullable(int32('trade_count_limit', 'maximum number of Block RFQ trades in a window')),
      nullable(timeSpan('interval', 'length of the window')),
      nullable(timeSpan('frozen_time', 'length of the freeze; 0 until a reset')),
      nullable(int32('cancelled', 'number of cancelled orders; null if none')),
      nullable(int32('converted', 'number of orders that became immediate-or-cancel; null if none')),
    ],
    2,
  ),
} as const
