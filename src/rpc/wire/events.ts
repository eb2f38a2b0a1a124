/**
 * Events as one printed line each: the engine's own events with names, decimals and ISO times, for
 * people, golden texts and `--events`.
 */

import {
  type AccountId,
  formatIsoTime,
  type InstrumentId,
  type OrderId,
  price9,
} from '../../core/index.ts'
import { accountOf, allInstruments, type Exchange } from '../../engine/index.ts'
import {
  type AdvancedTerms,
  type Event,
  type FeedRow,
  type Fill,
  type Instrument,
  NO_ORDER,
  type OrderChanged,
  type OrderLinks,
  type Trade,
  type Trigger,
} from '../../model/index.ts'
import { errorOf } from './errors.ts'
import { ocoRefOut, orderIdOut, tradeIdOut } from './ids.ts'
import { moneyFields, type Names } from './money-events.ts'
import { amountOut, moneyOut, percentOut, priceOut } from './numbers.ts'
import { protectionFields } from './protection-events.ts'
import { riskFields } from './risk-events.ts'

/** An event as a plain object: number, time, cause, kind, then its own fields. */
export function eventOut(exchange: Exchange, event: Event): object {
  const { kind, number, cause } = event
  const head = { event: number, time: formatIsoTime(event.time), cause, kind }
  return { ...head, ...fieldsOf(exchange, event) }
}

function fieldsOf(exchange: Exchange, event: Event): object {
  switch (event.kind) {
    case 'trade':
      return tradeFields(exchange, event)
    case 'order_opened':
    case 'order_filled':
    case 'order_rested':
    case 'order_edited':
    case 'order_resized':
    case 'order_refreshed':
    case 'order_triggered':
    case 'order_rejected':
    case 'order_cancelled':
      return orderFields(exchange, event)
    case 'level_changed': {
      const instrument = instrumentOf(exchange, event.instrument)
      return {
        instrument: instrument.name,
        side: event.side,
        price: priceOut(event.price),
        amount: amountOut(instrument, event.amount),
        change_id: event.changeId,
      }
    }
    case 'print': {
      const instrument = instrumentOf(exchange, event.instrument)
      return {
        instrument: instrument.name,
        side: event.side,
        price: priceOut(event.price),
        amount: amountOut(instrument, event.amount),
        tick_direction: event.tickDirection,
        feed: event.source.feed,
        feed_row: event.source.row,
      }
    }
    case 'request_refused':
      return {
        account: event.account === -1 ? null : nameOf(exchange, event.account),
        command: event.command,
        error: errorOf(event.refusal),
      }
    case 'request_done':
      return { outcome: event.outcome, count: event.count }
    case 'funding_rate_changed':
    case 'funding_accrued':
    case 'delivery_price_fixed':
    case 'position_settled':
    case 'instrument_settled':
    case 'account_bankrupt':
    case 'loss_shared':
    case 'bankruptcy_settled':
      return moneyFields(namesOf(exchange), event)
    case 'liquidation_started':
    case 'liquidation_step':
    case 'liquidation_ended':
    case 'position_transferred':
    case 'cash_transferred':
    case 'lsp_participant_set':
    case 'lsp_changed':
      return riskFields(namesOf(exchange), event)
    case 'mmp_changed':
    case 'bump_changed':
    case 'session_changed':
    case 'quote_refused':
    case 'standing_changed':
      return protectionFields(namesOf(exchange), event)
    default:
      return controlFields(exchange, event)
  }
}

function namesOf(exchange: Exchange): Names {
  return {
    instrumentOf: (id) => instrumentOf(exchange, id),
    nameOf: (id) => nameOf(exchange, id),
  }
}

type ControlEvent = Extract<
  Event,
  {
    readonly kind:
      | 'account_opened'
      | 'self_trading_set'
      | 'instrument_state_changed'
      | 'instrument_listed'
      | 'cash_posted'
      | 'position_given'
      | 'index_changed'
      | 'mark_changed'
  }
>

function controlFields(exchange: Exchange, event: ControlEvent): object {
  switch (event.kind) {
    case 'account_opened':
      return {
        account: event.name,
        margin_model: event.marginModel,
        house: event.house,
        ...(event.main === event.account ? {} : { main: nameOf(exchange, event.main) }),
      }
    case 'self_trading_set':
      return {
        account: nameOf(exchange, event.account),
        mode: event.mode,
        extended: event.extended,
      }
    case 'instrument_state_changed':
      return { instrument: instrumentOf(exchange, event.instrument).name, state: event.state }
    case 'instrument_listed':
      return { instrument: event.instrument.name }
    case 'cash_posted':
      return {
        account: nameOf(exchange, event.account),
        currency: event.currency,
        change: moneyOut(event.change),
        balance: moneyOut(event.balance),
      }
    case 'position_given': {
      const instrument = instrumentOf(exchange, event.instrument)
      return {
        account: nameOf(exchange, event.account),
        instrument: instrument.name,
        change: amountOut(instrument, event.change),
        price: priceOut(event.price),
        realized: moneyOut(event.realized),
        position: amountOut(instrument, event.position),
      }
    }
    case 'index_changed':
      return { index: event.index, price: priceOut(event.price) }
    case 'mark_changed':
      return {
        instrument: instrumentOf(exchange, event.instrument).name,
        price: priceOut(event.price),
        index: priceOut(event.index),
        source: event.source,
        ...(event.option === null
          ? {}
          : {
              iv: percentOut(event.option.volatility9),
              forward: priceOut(event.option.forward),
            }),
      }
  }
}

function orderFields(exchange: Exchange, event: OrderChanged): object {
  const instrument = instrumentOf(exchange, event.instrument)
  return {
    order: orderIdOut(instrument, event.order),
    account: nameOf(exchange, event.account),
    instrument: instrument.name,
    side: event.side,
    type: event.type,
    time_in_force: event.timeInForce,
    price: priceOut(event.price),
    amount: amountOut(instrument, event.amount),
    filled: amountOut(instrument, event.filled),
    average_price: priceOut(event.averagePrice),
    state: event.state,
    ...(event.postOnly === 'off' ? {} : { post_only: event.postOnly }),
    ...(event.reduceOnly ? { reduce_only: true } : {}),
    ...(event.advanced === null ? {} : advancedFields(event.advanced, event.autoReplaced)),
    ...(event.liquidation ? { liquidation: true } : {}),
    ...(event.label === '' ? {} : { label: event.label }),
    ...(event.display === 0
      ? {}
      : {
          display: amountOut(instrument, event.display),
          shown: amountOut(instrument, event.shown),
        }),
    ...(event.trigger === null ? {} : triggerFields(event.trigger)),
    ...linkFields(instrument, event.links),
    ...(event.triggeredBy === NO_ORDER
      ? {}
      : { triggered_by: orderIdOut(instrument, event.triggeredBy) }),
    ...(event.successor === NO_ORDER ? {} : { successor: orderIdOut(instrument, event.successor) }),
    ...(event.reason === null ? {} : { reason: event.reason }),
  }
}

/** What the price of an option order is written in, and whether the engine set its price last. */
function advancedFields({ type, value9 }: AdvancedTerms, autoReplaced: boolean): object {
  const value = type === 'usd' ? { usd: priceOut(price9(value9)) } : { implv: percentOut(value9) }
  return { advanced: type, ...value, ...(autoReplaced ? { auto_replaced: true } : {}) }
}

/** What a trigger order waits for; a trailing stop also what it follows and from where. */
function triggerFields({ source, price, offset, reference }: Trigger): object {
  return {
    trigger: source,
    trigger_price: priceOut(price),
    ...(offset === 0 ? {} : { trigger_offset: priceOut(offset), reference: priceOut(reference) }),
  }
}

/** How an order depends on others. */
function linkFields(instrument: Instrument, links: OrderLinks): object {
  const { condition, pair, primary, secondaries } = links
  if (pair === NO_ORDER && primary === NO_ORDER && secondaries.length === 0) return {}
  const idOf = (order: OrderId): string => orderIdOut(instrument, order)
  return {
    fill_condition: condition,
    ...(pair === NO_ORDER ? {} : { pair: ocoRefOut(instrument, pair) }),
    ...(primary === NO_ORDER ? {} : { primary: idOf(primary) }),
    ...(secondaries.length === 0 ? {} : { secondaries: secondaries.map(idOf) }),
  }
}

function tradeFields(exchange: Exchange, event: Trade): object {
  const instrument = instrumentOf(exchange, event.instrument)
  const fill = (side: Fill): object => ({
    account: nameOf(exchange, side.account),
    order: side.order === NO_ORDER ? null : orderIdOut(instrument, side.order),
    side: side.side,
    rule: side.rule,
    ...(side.source === null ? {} : evidenceOf(instrument, side, side.source)),
    fee: moneyOut(side.fee),
    fee_currency: side.feeCurrency,
    realized: moneyOut(side.realized),
    ...(side.premium === 0n ? {} : { premium: moneyOut(side.premium) }),
    position: amountOut(instrument, side.position),
    remaining: amountOut(instrument, side.remaining),
  })
  return {
    trade: tradeIdOut(instrument, event.trade),
    seq: event.tradeSeq,
    instrument: instrument.name,
    side: event.side,
    price: priceOut(event.price),
    amount: amountOut(instrument, event.amount),
    tick_direction: event.tickDirection,
    mark: priceOut(event.mark),
    ...(event.option === null
      ? {}
      : { iv: percentOut(event.option.volatility9), forward: priceOut(event.option.forward) }),
    ...(event.liquidation === 'none' ? {} : { liquidation: event.liquidation }),
    ...(event.combo === null ? {} : comboFields(exchange, event.combo)),
    maker: fill(event.maker),
    taker: fill(event.taker),
  }
}

/** The combo of a leg, and the trade of it that the leg is a part of. */
function comboFields(
  exchange: Exchange,
  { instrument, trade }: NonNullable<Trade['combo']>,
): object {
  const combo = instrumentOf(exchange, instrument)
  return { combo: combo.name, combo_trade: tradeIdOut(combo, trade) }
}

/** What explains a fill from recorded liquidity. */
function evidenceOf(instrument: Instrument, fill: Fill, source: FeedRow): object {
  return {
    ahead_before: amountOut(instrument, fill.aheadBefore),
    ahead_after: amountOut(instrument, fill.aheadAfter),
    feed: source.feed,
    feed_row: source.row,
  }
}

function instrumentOf(exchange: Exchange, id: InstrumentId): Instrument {
  const instrument = allInstruments(exchange)[id]
  if (instrument === undefined) throw new RangeError(`instrument ${id} is not listed`)
  return instrument
}

function nameOf(exchange: Exchange, account: AccountId): string {
  return accountOf(exchange, account).name
}
