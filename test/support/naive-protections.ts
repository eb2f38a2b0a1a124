/**
 * Rows of market-maker protection, speed bumps, sessions, locks and switches, the slow, obvious way: a part of
 * `naive-columns.ts`.
 */
import type { EventOf } from '../../src/model/index.ts'
import type { ExactRow } from '../../src/results/index.ts'
import type { NaiveNames } from './naive-settlements.ts'

type Row = ExactRow<'protections'>
type Header = Pick<Row, 'time' | 'event' | 'cause'>

/** A row with all cells empty. */
export const noProtection = {
  ...{ account: null, account_id: null, group: null, limit: null, used: null, from: null },
  ...{ until: null, instrument: null, instrument_id: null, order_id: null, currency: null },
  ...{ side: null, amount: null, session: null, session_kind: null, cancel_on_disconnect: null },
  ...{ mmp_group: null, index_name: null, reason: null, refusal: null, trigger: null },
  ...{ quantity: null, delta: null, vega: null, quantity_limit: null, delta_limit: null },
  ...{ vega_limit: null, max_quote_quantity: null, trade_count_limit: null, interval: null },
  ...{ frozen_time: null, cancelled: null, converted: null },
} as const

export function protectionRow(
  names: NaiveNames,
  header: Header,
  event: EventOf<'mmp' | 'bump' | 'session' | 'quote_refusal' | 'standing'>,
): Row {
  const base = {
    ...{ ...noProtection, ...header },
    ...(event.account === -1 ? {} : names.account(event.account)),
  }
  switch (event.kind) {
    case 'mmp':
      return { ...base, kind: 'mmp', change: event.change, ...mmpPart(event) }
    case 'bump':
      return {
        ...{ ...base, kind: 'speed_bump', change: event.change, side: event.side },
        ...{ ...names.instrument(event.instrument), ...names.order(event.order) },
        ...{ amount: names.size(event.instrument, event.amount), session: some(event.session) },
        ...{ until: BigInt(event.releaseAt), reason: event.reason },
      }
    case 'session':
      return {
        ...{ ...base, kind: 'session', change: event.change, group: event.gateway },
        ...{ session: some(event.session), session_kind: event.type, reason: event.how },
        cancel_on_disconnect: event.cancelOnDisconnect,
        cancelled: event.cancelled || null,
        converted: event.converted || null,
      }
    case 'quote_refusal':
      return {
        ...{ ...base, kind: 'quote', change: 'refused', ...names.instrument(event.instrument) },
        ...{ group: event.quoteSetId, side: event.side, mmp_group: event.group },
        refusal: event.refusal.reason,
      }
    case 'standing':
      return {
        ...{ ...base, kind: event.protection, change: event.change, group: event.group },
        ...{ session: some(event.session), until: big(event.until) },
        cancelled: event.cancelled || null,
      }
  }
}

function mmpPart(event: EventOf<'mmp'>): Partial<Row> {
  const { config } = event
  return {
    group: event.name === null ? event.index : event.name,
    ...{ index_name: event.index, mmp_group: event.group, session: some(event.session) },
    ...{ trigger: event.trigger, quantity: BigInt(event.quantity9) },
    ...{ delta: BigInt(event.delta9), vega: BigInt(event.vega9) },
    ...{ from: big(event.windowStart), until: big(event.frozenUntil) },
    ...{ cancelled: event.cancelled || null },
    ...(config === null
      ? {}
      : {
          quantity_limit: big(config.quantity9),
          delta_limit: big(config.delta9),
          vega_limit: big(config.vega9),
          max_quote_quantity: BigInt(config.maxQuote9),
          trade_count_limit: config.tradeCount,
          interval: BigInt(config.interval),
          frozen_time: BigInt(config.frozenTime),
        }),
  }
}

function big(value: number | null): bigint | null {
  return value === null ? null : BigInt(value)
}

/** A session, or null for none. */
function some(session: number): bigint | null {
  return session > 0 ? BigInt(session) : null
}
