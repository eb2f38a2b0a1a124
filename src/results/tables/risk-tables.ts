/**
 * Tables of risk.
 *
 * - `liquidations` tells one as a story: it starts; each round has a `step` for each way that the picked
 *   position went, after what that way did: trades with the book, or a `transfer` of both accounts that
 *   it changed hands between; it ends.
 * - `protections` has what stands between an account and the market, whatever sets it: locks, limits of
 *   participants of the liquidity support programme, market-maker protection, the speed bump, sessions,
 *   switches and rate limits. Each of its rows is a start, an effect or an end. Why an order went is one
 *   query: `orders` has its `cause`, `account_id` and `mmp_group`, and here the row of the same cause says what
 *   acted, in `kind`, `change`, `group`, `reason` and `trigger`. Prices and sizes of `quantity`, `delta` and
 *   `vega` are what was traded in a window, beside the limits in force.
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
import { account, header, ids, someAccount, someInstrument, table } from './table-schema.ts'

/** Tables of risk: liquidations step by step, and what protects the market, by name. */
export const riskTables = {
  liquidations: table('liquidations', [
    ...header,
    words('kind', vocabulary.liquidationKind, 'what happened'),
    ...account,
    words(
      'currency',
      vocabulary.liquidationCurrency,
      'currency of the money columns; USD of a cross account',
    ),
    nullable(int32('round', 'counts the rounds of one liquidation from 1')),
    nullable(money('margin_balance', 'margin balance at that moment, of a step before it')),
    nullable(money('initial_margin', 'initial margin then')),
    nullable(money('maintenance_margin', 'maintenance margin then')),
    nullable(words('outcome', vocabulary.liquidationOutcome, 'how it ended')),
    ...someInstrument,
    nullable(words('route', vocabulary.liquidationRoute, 'where a position went')),
    nullable(words('rule', vocabulary.pickRule, 'why a step picked this position')),
    nullable(money('position_margin', 'maintenance margin of the picked position')),
    nullable(amount('position_before', 'signed size before a step')),
    nullable(amount('asked', 'what a step tried to close')),
    nullable(amount('closed', 'what of it was closed')),
    nullable(price('price', 'worst price of the order, or the price of the transfer')),
    nullable(amount('change', 'signed size that a transfer brought')),
    nullable(amount('position', 'signed size after a transfer')),
    nullable(int32('counter_account_id', 'account on the other side of a transfer')),
    nullable(money('realized', 'profit realized by a transfer')),
    nullable(money('premium', 'of an option: received for it, negative where it was paid')),
    nullable(money('commission', 'paid for a transfer, negative where it was received')),
  ]),
  protections: table(
    'protections',
    [
      ...header,
      words('kind', vocabulary.protectionKind, 'which protection'),
      words('change', vocabulary.protectionChange, 'what happened to it'),
      ...someAccount,
      nullable(
        text(
          'group',
          'what it is of: a group by its name or index, a set of quotes, a gateway, a message, a bucket, a currency',
        ),
      ),
      nullable(rate('limit', 'limit in force, as a part of equity')),
      nullable(money('used', 'what of the limit is used, in USD')),
      nullable(time('from', 'when its window opened')),
      nullable(
        time(
          'until',
          'when its window, its freeze or its wait ends; none where a reset must end it',
        ),
      ),
      ...someInstrument,
      nullable(int64('order_id', 'number of the order within its settlement currency')),
      nullable(ids),
      nullable(words('side', vocabulary.side, 'side of the order or quote')),
      nullable(amount('amount', 'what of an order waits')),
      nullable(int64('session', 'session it came over, or that opened or closed')),
      nullable(words('session_kind', vocabulary.sessionKind, 'what kind of session that is')),
      nullable(flag('cancel_on_disconnect', 'whether orders end with that session')),
      nullable(int32('mmp_group', 'number of a group of market-maker protection, from 1')),
      nullable(text('index_name', 'index of that group')),
      nullable(
        words(
          'reason',
          vocabulary.protectionReason,
          'why an order became immediate-or-cancel, or how a session ended',
        ),
      ),
      nullable(words('refusal', vocabulary.rejectReason, 'why a side of a quote was refused')),
      nullable(words('trigger', vocabulary.mmpTrigger, 'which limit was reached')),
      nullable(amount('quantity', 'traded in the window, in base coin, both directions added')),
      nullable(amount('delta', 'net change of delta in the window, in base coin')),
      nullable(money('vega', 'net change of vega in the window, in USD')),
      nullable(amount('quantity_limit', 'limit of that; none where it is not monitored')),
      nullable(amount('delta_limit', 'limit of that; none where it is not monitored')),
      nullable(money('vega_limit', 'limit of that; none where it is not monitored')),
      nullable(
        amount('max_quote_quantity', 'most open size for each instrument and side, in base coin'),
      ),
      nullable(int32('trade_count_limit', 'most trades of Block RFQs in a window')),
      nullable(micros('interval', 'how long a window is')),
      nullable(micros('frozen_time', 'how long a freeze is; 0 until it is reset')),
      nullable(int32('cancelled', 'how many orders went; none where none did')),
      nullable(
        int32('converted', 'how many orders became immediate-or-cancel; none where none did'),
      ),
    ],
    2,
  ),
} as const
