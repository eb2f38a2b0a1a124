/**
 * Rows of fills, and columns that only some orders and trades have, the slow, obvious way: a part of
 * `naive-columns.ts`.
 */
import type { Currency, Fill, OrderChanged, Trade } from '../../src/model/index.ts'
import { type ExactRow, tableSchemas } from '../../src/results/index.ts'
import type { NaiveNames } from './naive-settlements.ts'

type Header = Pick<ExactRow<'fills'>, 'time' | 'event' | 'cause'>

const currencyWords: readonly Currency[] = tableSchemas.equity.columns[4].words

/** The maker's side first. */
export function fillRows(names: NaiveNames, header: Header, trade: Trade): readonly ExactRow<'fills'>[] {
  return [
    fillRow(names, header, { trade, own: trade.maker, other: trade.taker }),
    fillRow(names, header, { trade, own: trade.taker, other: trade.maker }),
  ]
}

function fillRow(
  { instrument, account, size, isHouse }: NaiveNames,
  header: Header,
  { trade, own, other }: { readonly trade: Trade; readonly own: Fill; readonly other: Fill },
): ExactRow<'fills'> {
  return {
    ...header,
    trade_id: numberOf(trade.trade),
    currency: currencyOf(trade.trade),
    ...instrument(trade.instrument),
    ...account(own.account),
    order_id: numberOf(own.order),
    side: own.side,
    liquidity: own === trade.taker || own.rule === 'hidden' ? 'taker' : 'maker',
    rule: own.rule,
    price: BigInt(trade.price),
    amount: size(trade.instrument, trade.amount),
    ahead_before: size(trade.instrument, own.aheadBefore),
    ahead_after: size(trade.instrument, own.aheadAfter),
    fee: own.fee,
    fee_currency: own.feeCurrency,
    realized: own.realized,
    position: size(trade.instrument, own.position),
    counter_order_id: numberOf(other.order),
    feed: own.source === null ? null : own.source.feed,
    feed_row: own.source === null ? null : BigInt(own.source.row),
    counter_account_id: other.account,
    premium: trade.option === null ? null : own.premium,
    fund_fee: own.fundFee === 0n ? null : own.fundFee,
    house: isHouse(own.account),
  }
}

export function protectionOf({
  extras,
  liquidation,
  session,
}: OrderChanged): Pick<
  ExactRow<'orders'>,
  'origin' | 'session' | 'mmp_group' | 'mmp_group_name' | 'quote_set_id' | 'quote_id' | 'client_order_id'
> {
  const isDirect = extras !== null && extras.direct !== null
  return {
    origin: isDirect ? 'direct_access' : liquidation ? 'liquidation' : null,
    session: session === 0 ? null : BigInt(session),
    mmp_group: extras?.mmp?.group ?? null,
    mmp_group_name: extras?.mmp?.name ?? null,
    quote_set_id: extras?.quote?.quoteSetId ?? null,
    quote_id: extras?.quote?.quoteId ?? null,
    client_order_id: extras?.direct?.clientOrderId ?? null,
  }
}

export function tradeExtras({
  liquidation,
  option,
  combo,
  altMatch,
}: Trade): Pick<
  ExactRow<'trades'>,
  'liquidation' | 'iv' | 'underlying_price' | 'combo_id' | 'combo_trade_id' | 'alt_match_id'
> {
  return {
    liquidation: liquidation === 'none' ? null : liquidation,
    iv: option === null || option.volatility9 === 0 ? null : BigInt(option.volatility9),
    underlying_price: option === null ? null : BigInt(option.forward),
    combo_id: combo === null ? null : 1000 + combo.instrument,
    combo_trade_id: combo === null ? null : numberOf(combo.trade),
    alt_match_id: altMatch > 0 ? BigInt(altMatch) : null,
  }
}

export function numberOf(id: number): bigint {
  return BigInt(id) >> 7n
}

export function currencyOf(id: number): Currency {
  return currencyWords[Number(BigInt(id) & 15n)] ?? 'BTC'
}
