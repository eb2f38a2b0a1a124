/**
 * Rows of `protections`: market-maker protection, the speed bump, sessions, refused quotes, locks, the liquidity
 * support programme, and restrictions of an account or the venue.
 */

import {
  currencies,
  type EventOf,
  lspGroupName,
  lspGroups,
  type MmpConfig,
  numberOfId,
  type Refusal,
} from '../../model/index.ts'
import { accountOrNull, type Cells, headOf, instrumentSize, orNone } from './cells.ts'
import { type AmountSteps, currencyCodeOf, wireIdOf } from './trading-rows.ts'

type Row = Cells<'protections'>

const NANO_PER_PPM = 1000

/** A change of a group of market-maker protection. */
export function mmpCells(source: EventOf<'mmp'>): Row {
  return {
    kind: 'mmp',
    change: source.change,
    account_id: source.account,
    group: source.name ?? source.index,
    index_name: source.index,
    mmp_group: source.group,
    session: orNone(source.session),
    trigger: source.trigger,
    quantity: source.quantity9,
    delta: source.delta9,
    vega: source.vega9,
    from: source.windowStart,
    until: source.frozenUntil,
    cancelled: orNone(source.cancelled),
    ...limitCells(source.config),
    ...headOf(source),
  }
}

function limitCells(config: MmpConfig | null): Partial<Row> {
  if (config === null) return {}
  return {
    quantity_limit: config.quantity9,
    delta_limit: config.delta9,
    vega_limit: config.vega9,
    max_quote_quantity: config.maxQuote9,
    trade_count_limit: config.tradeCount,
    interval: config.interval,
    frozen_time: config.frozenTime,
  }
}

/** A change of an order behind the speed bump. */
export function bumpCells(source: EventOf<'bump'>, steps: AmountSteps): Row {
  return {
    kind: 'speed_bump',
    change: source.change,
    account_id: source.account,
    instrument_id: wireIdOf(source.instrument),
    order_id: numberOfId(source.order),
    currency: currencies[currencyCodeOf(source.order)] ?? null,
    side: source.side,
    amount: instrumentSize(steps, source.instrument, source.amount),
    session: orNone(source.session),
    until: source.releaseAt,
    reason: source.reason,
    ...headOf(source),
  }
}

/** A session that opens, ends, or changes the orders that end with it. */
export function sessionCells(source: EventOf<'session'>): Row {
  return {
    kind: 'session',
    change: source.change,
    account_id: accountOrNull(source.account),
    group: source.gateway,
    session: orNone(source.session),
    session_kind: source.type,
    cancel_on_disconnect: source.cancelOnDisconnect,
    reason: source.how,
    cancelled: orNone(source.cancelled),
    converted: orNone(source.converted),
    ...headOf(source),
  }
}

/** A refused side of a quote. */
export function quoteRefusalCells(source: EventOf<'quote_refusal'>): Row {
  return {
    kind: 'quote',
    change: 'refused',
    account_id: source.account,
    group: source.quoteSetId,
    instrument_id: wireIdOf(source.instrument),
    side: source.side,
    mmp_group: source.group,
    refusal: source.refusal.reason,
    ...headOf(source),
  }
}

/** A lock, freeze, switch, permission or limit that begins, ends or acts. */
export function standingCells(source: EventOf<'standing'>): Row {
  return {
    kind: source.protection,
    change: source.change,
    account_id: accountOrNull(source.account),
    group: source.group,
    session: orNone(source.session),
    until: source.until,
    ...(source.instrument === null ? {} : { instrument_id: wireIdOf(source.instrument.id) }),
    cancelled: orNone(source.cancelled),
    ...headOf(source),
  }
}

/** The lock of an account, which begins and ends with a liquidation. */
export function lockCells(source: EventOf<'liquidation'>): Row {
  const change = source.change === 'started' ? 'locked' : 'unlocked'
  return { kind: 'lock', change, account_id: source.account, group: source.currency, ...headOf(source) }
}

/** A change of the used part of a participant's limit. */
export function lspCells(source: EventOf<'lsp'>): Row {
  return {
    kind: 'lsp',
    change: source.change,
    account_id: source.account,
    group: lspGroupName(source.group),
    limit: source.limitPpm * NANO_PER_PPM,
    used: source.used,
    from: source.windowStart,
    until: source.windowEnd,
    ...headOf(source),
  }
}

/** The terms of a participant from now on: one row, and one more for each individual limit. */
export function participantCells(source: EventOf<'lsp_participant'>): readonly Row[] {
  const { account, enabled, limitsPpm } = source
  const head = { kind: 'lsp', account_id: account, ...headOf(source) } as const
  const own = lspGroups.flatMap((group): readonly Row[] => {
    const limitPpm = limitsPpm[group]
    if (limitPpm === undefined) return []
    const limit = limitPpm * NANO_PER_PPM
    return [{ change: 'limit_set', group: lspGroupName(group), limit, ...head }]
  })
  return [{ change: enabled ? 'admitted' : 'removed', ...head }, ...own]
}

/** Rows of `rejects`: refused requests, with the limit or the parameter that caused the refusal. */

/** A refused request. */
export function rejectCells(source: EventOf<'refusal'>): Cells<'rejects'> {
  const { refusal, instrument } = source
  const limit = 'limit' in refusal ? refusal.limit : null
  const isBand = refusal.reason === 'price_too_high' || refusal.reason === 'price_too_low'
  return {
    command: source.command,
    account_id: accountOrNull(source.account),
    instrument_id: instrument === -1 ? null : wireIdOf(instrument),
    reason: refusal.reason,
    limit_price: isBand ? limit : null,
    limit_count: isBand ? null : limit,
    param: 'param' in refusal ? refusal.param : null,
    detail: detailOf(refusal),
    ...headOf(source),
  }
}

function detailOf(refusal: Refusal): string | null {
  if ('problem' in refusal) return refusal.problem
  return 'currency' in refusal ? refusal.currency : null
}
