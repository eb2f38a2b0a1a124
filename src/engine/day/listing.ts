/**
 * Lists instruments: for a control, or by the venue's schedule of expiries and strikes.
 *
 * Rule: instruments.schedule. Source: market.md 1.6 (T13-T16).
 */
import {
  assert,
  type CurrencyId,
  formatScaledNumber,
  instrumentId,
  labelOfExpiry,
  type Micros,
  micros,
} from '../../core/index.ts'
import { currencyIdOf, type InstrumentSpec, type QueueModel, specFromName, withVenueTerms } from '../../model/index.ts'
import {
  awaitDayEnd,
  type Exchange,
  enterIndex,
  eventHeader,
  type InstrumentRow,
  instrumentRow,
  linkCombos,
  setTimer,
  type Turn,
  WINDOW_MICROS,
} from '../state/index.ts'
import { followForwards, publishMark, settleOptions, wake } from '../value/index.ts'
import { lockWhereStale, setState } from './outages.ts'
import { listedExpiries, strikeStep9, strikesToList } from './schedule.ts'

/** Lists an instrument, and publishes its mark if its index is known. */
export function addInstrument(turn: Turn, spec: InstrumentSpec, queue: QueueModel | null): void {
  const row = enterInstrument(turn, spec, queue)
  // Its volatility starts on the smile at the current forward.
  if (row.option !== null) followForwards(turn, row.index)
  publishMark(turn, row)
  settleOptions(turn, row.index)
  if (row.option === null) wake(turn.exchange, row)
  awaitEnd(turn, row)
}

/** Lists options of one index, then computes the marks of all of them. */
function addOptions(turn: Turn, specs: readonly InstrumentSpec[]): void {
  const rows = specs.map((spec) => enterInstrument(turn, spec, null))
  const [first] = rows
  if (first === undefined) return
  followForwards(turn, first.index)
  for (const row of rows) publishMark(turn, row)
  settleOptions(turn, first.index)
  for (const row of rows) awaitEnd(turn, row)
}

function enterInstrument(turn: Turn, spec: InstrumentSpec, queue: QueueModel | null): InstrumentRow {
  const id = instrumentId(turn.exchange.instruments.length)
  const row = instrumentRow(turn.exchange, { ...spec, id }, queue)
  turn.exchange.instruments.push(row)
  turn.exchange.instrumentIds.set(row.instrument.name, id)
  enterIndex(turn.exchange, row)
  turn.log.append({
    kind: 'instrument',
    ...eventHeader(turn),
    instrument: row.instrument,
  })
  // If a settlement of its currency takes time, its book opens together with the other books (R23).
  if (row.base < 0 && turn.exchange.settling.has(row.settlement)) {
    row.stateBefore = 'open'
    setState(turn, row, 'settlement')
  }
  lockWhereStale(turn, row)
  linkCombos(turn.exchange, row)
  return row
}

/** Sets the timers of an instrument: its funding terms, its last half hour, the end of the day. */
function awaitEnd({ exchange }: Turn, row: InstrumentRow): void {
  const { funding, expiration, detail } = row.instrument
  if (row.base >= 0) return
  awaitDayEnd(exchange)
  for (const { from } of funding?.dampers ?? []) {
    if (from <= exchange.now) continue
    setTimer(exchange.timers, from, { kind: 'funding_terms', instrument: row.instrument.id })
  }
  const opens = expiration - WINDOW_MICROS
  if (row.isMarkComputed && detail.type === 'future' && opens > exchange.now) {
    const task = { kind: 'delivery_window', instrument: row.instrument.id } as const
    setTimer(exchange.timers, micros(opens), task)
  }
}

/**
 * Lists the instruments of the schedule that are not listed yet, of all settlement currencies or of one: futures, then
 * options.
 */
export function listScheduled(turn: Turn, currency: CurrencyId | null): void {
  const { listedFutures, listedOptions } = turn.exchange.config
  if (listedFutures.length > 0) listFutures(turn, listedFutures, currency)
  for (const pair of listedOptions) listOptions(turn, pair, currency)
}

function listFutures(turn: Turn, pairs: readonly string[], currency: CurrencyId | null): void {
  for (const expiry of listedExpiries(turn.exchange.now)) {
    for (const pair of pairs) {
      const name = `${pair}-${labelOfExpiry(expiry)}`
      if (turn.exchange.instrumentIds.has(name)) continue
      const spec = specFromName(name, { creation: turn.exchange.now })
      assert(spec.ok, `the futures schedule contains only known pairs, found ${pair}`)
      const listed = withVenueTerms(spec.value, turn.exchange.config)
      if (isOf(listed, currency)) addInstrument(turn, listed, null)
    }
  }
}

/** Lists options once their index is known: by strike, the call before the put. */
function listOptions(turn: Turn, pair: string, currency: CurrencyId | null): void {
  const { config, now } = turn.exchange
  const expiries = listedExpiries(now)
  const named = (expiry: Micros, strike: number, right: string): InstrumentSpec => {
    const shown = formatScaledNumber(strike, 9).replace('.', 'd')
    const name = `${pair}-${labelOfExpiry(expiry)}-${shown}-${right}`
    const spec = specFromName(name, { creation: now })
    assert(spec.ok, `the options schedule contains only known names, found ${name}`)
    return withVenueTerms(spec.value, config)
  }
  const [first] = expiries
  assert(first !== undefined, 'the schedule is never empty')
  const any = named(first, UNIT, 'C')
  const index9 = turn.exchange.indices.get(any.priceIndex)?.price ?? 0
  if (index9 === 0 || !isOf(any, currency)) return
  const listed = listedStrikes(turn.exchange, any.priceIndex)
  const specs: InstrumentSpec[] = []
  for (const expiry of expiries) {
    const step9 = strikeStep9(any.baseCurrency, index9, expiry - now)
    for (const strike of strikesToList(listed.get(expiry) ?? none, index9, step9)) {
      for (const right of ['C', 'P']) {
        const spec = named(expiry, strike, right)
        if (!turn.exchange.instrumentIds.has(spec.name)) specs.push(spec)
      }
    }
  }
  addOptions(turn, specs)
}

/** A price unit of which the strikes of every pair are multiples. */
const UNIT = 1_000_000_000
const none: ReadonlySet<number> = new Set()

/** Strikes of the options of an index, by their expiration. */
function listedStrikes({ instruments }: Exchange, index: string): ReadonlyMap<number, ReadonlySet<number>> {
  const strikes = new Map<number, Set<number>>()
  for (const { instrument } of instruments) {
    if (instrument.detail.type !== 'option' || instrument.priceIndex !== index) continue
    const own = strikes.get(instrument.expiration) ?? new Set()
    strikes.set(instrument.expiration, own.add(instrument.detail.strike))
  }
  return strikes
}

function isOf(spec: Pick<InstrumentSpec, 'settlementCurrency'>, currency: CurrencyId | null): boolean {
  return currency === null || currencyIdOf(spec.settlementCurrency) === currency
}
