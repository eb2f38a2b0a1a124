/**
 * Tables of risk.
 *
 * - `liquidations` tells one as a story: it starts; each round has a `step` for each way that the picked
 *   position went, after what that way did: trades with the book, or a `transfer` of both accounts that
 *   it changed hands between; it ends.
 * - `protections` has what stands between an account and the market, whatever sets it: locks, and the limits
 *   of participants of the liquidity support programme. `group` says what part of it changed.
 */
import { amount, int32, money, nullable, price, rate, text, time, words } from '../column-schema.ts'
import { vocabulary } from '../vocabulary.ts'
import { account, header, instrument, table } from './table-schema.ts'

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
    nullable(instrument[0]),
    nullable(instrument[1]),
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
  protections: table('protections', [
    ...header,
    words('kind', vocabulary.protectionKind, 'which protection'),
    words('change', vocabulary.protectionChange, 'what happened to it'),
    nullable(account[0]),
    nullable(account[1]),
    nullable(
      text('group', 'what it is of: a group of the liquidity support programme, a currency'),
    ),
    nullable(rate('limit', 'limit in force, as a part of equity')),
    nullable(money('used', 'what of the limit is used, in USD')),
    nullable(time('from', 'when its window opened')),
    nullable(time('until', 'when its window ends')),
  ]),
} as const
