/**
 * Rows of `protections`: market-maker protection, the speed bump, sessions, refused quotes, and what stands
 * about an account or the venue.
 *
 * Each function here returns the writer of one kind of row; see `trading-rows.ts`. A protected market maker
 * makes many of them, so that writers touch only the columns that they fill.
 */
import type { AccountId } from '../../core/index.ts'
import {
  type BumpChanged,
  type EventHeader,
  type MmpChanged,
  type MmpConfig,
  NO_SESSION,
  numberOfId,
  type ProtectionChange,
  type ProtectionKind,
  type QuoteRefused,
  type SessionChanged,
  type StandingChanged,
} from '../../model/index.ts'
import {
  type Int32Column,
  type NamedBlock,
  setText,
  setValidProduct,
  setValue,
  type WideColumn,
} from '../columns.ts'
import { codeOf, vocabulary } from '../vocabulary/vocabulary.ts'
import {
  type AmountSteps,
  currencyCodeOf,
  type RowWriter,
  stepOf,
  wireIdOf,
} from './trading-rows.ts'

type Protections = NamedBlock<'protections'>

/** Writes one row for each change of a group of market-maker protection. */
export function mmpWriter(block: Protections): RowWriter<MmpChanged> {
  const { byName } = block
  const writeHead = headWriter(block)
  const writeConfig = configWriter(block)
  return (source) => {
    const row = block.rows
    writeHead(source, { kind: 'mmp', change: source.change, account: source.account })
    setText(byName.group, row, source.name ?? source.index)
    setText(byName.index_name, row, source.index)
    setValue(byName.mmp_group, row, source.group)
    setSession(byName.session, row, source.session)
    if (source.trigger !== null) {
      setValue(byName.trigger, row, codeOf(vocabulary.mmpTrigger, source.trigger))
    }
    setValue(byName.quantity, row, source.quantity9)
    setValue(byName.delta, row, source.delta9)
    setValue(byName.vega, row, source.vega9)
    if (source.config !== null) writeConfig(source.config)
    setNumber(byName.from, row, source.windowStart)
    setNumber(byName.until, row, source.frozenUntil)
    setCount(byName.cancelled, row, source.cancelled)
  }
}

/** Writes one row for each change of an order behind the speed bump. */
export function bumpWriter(block: Protections, steps: AmountSteps): RowWriter<BumpChanged> {
  const { byName } = block
  const writeHead = headWriter(block)
  return (source) => {
    const row = block.rows
    writeHead(source, { kind: 'speed_bump', change: source.change, account: source.account })
    setValue(byName.instrument_id, row, wireIdOf(source.instrument))
    setValue(byName.order_id, row, numberOfId(source.order))
    setValue(byName.currency, row, currencyCodeOf(source.order))
    setValue(byName.side, row, codeOf(vocabulary.side, source.side))
    setValidProduct(byName.amount, row, source.amount, stepOf(steps, source.instrument))
    setSession(byName.session, row, source.session)
    setValue(byName.until, row, source.releaseAt)
    if (source.reason !== null) {
      setValue(byName.reason, row, codeOf(vocabulary.protectionReason, source.reason))
    }
  }
}

/** Writes one row for each session that opens, ends or changes what ends with it. */
export function sessionWriter(block: Protections): RowWriter<SessionChanged> {
  const { byName } = block
  const writeHead = headWriter(block)
  return (source) => {
    const row = block.rows
    writeHead(source, { kind: 'session', change: source.change, account: source.account })
    setText(byName.group, row, source.gateway)
    setSession(byName.session, row, source.session)
    setValue(byName.session_kind, row, codeOf(vocabulary.sessionKind, source.type))
    setValue(byName.cancel_on_disconnect, row, source.cancelOnDisconnect ? 1 : 0)
    if (source.how !== null) {
      setValue(byName.reason, row, codeOf(vocabulary.protectionReason, source.how))
    }
    setCount(byName.cancelled, row, source.cancelled)
    setCount(byName.converted, row, source.converted)
  }
}

/** Writes one row for each side of a quote that was refused. */
export function quoteWriter(block: Protections): RowWriter<QuoteRefused> {
  const { byName } = block
  const writeHead = headWriter(block)
  return (source) => {
    const row = block.rows
    writeHead(source, { kind: 'quote', change: 'refused', account: source.account })
    setText(byName.group, row, source.quoteSetId)
    setValue(byName.instrument_id, row, wireIdOf(source.instrument))
    setValue(byName.side, row, codeOf(vocabulary.side, source.side))
    setValue(byName.mmp_group, row, source.group)
    setValue(byName.refusal, row, codeOf(vocabulary.rejectReason, source.refusal.reason))
  }
}

/** Writes one row for each lock, freeze, switch, permission or limit that begins, ends or acts. */
export function standingWriter(block: Protections): RowWriter<StandingChanged> {
  const { byName } = block
  const writeHead = headWriter(block)
  return (source) => {
    const row = block.rows
    writeHead(source, { kind: source.protection, change: source.change, account: source.account })
    setText(byName.group, row, source.group)
    setSession(byName.session, row, source.session)
    setNumber(byName.until, row, source.until)
    setCount(byName.cancelled, row, source.cancelled)
  }
}

/** The columns that every row of `protections` has; an account of -1 is none. */
export function headWriter(block: Protections): (
  source: EventHeader,
  of: {
    readonly kind: ProtectionKind
    readonly change: ProtectionChange
    readonly account: AccountId | -1
  },
) => void {
  const { byName, values } = block
  return (source, { kind, change, account }) => {
    const row = block.rows
    values.time[row] = source.time
    values.event[row] = source.number
    values.cause[row] = source.cause
    values.kind[row] = codeOf(vocabulary.protectionKind, kind)
    values.change[row] = codeOf(vocabulary.protectionChange, change)
    if (account !== -1) setValue(byName.account_id, row, account)
  }
}

/** Sets a number, or leaves the row without one. */
export function setNumber(
  column: WideColumn | Int32Column,
  row: number,
  value: number | null,
): void {
  if (value !== null) setValue(column, row, value)
}

/** The limits of a group. */
function configWriter(block: Protections): (config: MmpConfig) => void {
  const { byName } = block
  return (config) => {
    const row = block.rows
    setNumber(byName.quantity_limit, row, config.quantity9)
    setNumber(byName.delta_limit, row, config.delta9)
    setNumber(byName.vega_limit, row, config.vega9)
    setValue(byName.max_quote_quantity, row, config.maxQuote9)
    setNumber(byName.trade_count_limit, row, config.tradeCount)
    setValue(byName.interval, row, config.interval)
    setValue(byName.frozen_time, row, config.frozenTime)
  }
}

function setSession(column: WideColumn, row: number, session: number): void {
  if (session !== NO_SESSION) setValue(column, row, session)
}

/** None and zero are one thing, so that the column is empty where nothing went. */
function setCount(column: Int32Column, row: number, count: number): void {
  if (count !== 0) setValue(column, row, count)
}
