/**
 * Instruments enter the exchange: by a control, or by the venue's schedule of expiries.
 *
 * Rule: instruments.schedule. Source: market.md 1.6 (T13-T16).
 */
import { assert, type CurrencyId, instrumentId, labelOfExpiry, micros } from '../../core/index.ts'
import {
  currencyIdOf,
  type InstrumentSpec,
  type QueueModel,
  specFromName,
  withVenueTerms,
} from '../../model/index.ts'
import {
  awaitDayEnd,
  enterIndex,
  eventHeader,
  instrumentRow,
  linkCombos,
  setTimer,
  type Turn,
  WINDOW_MICROS,
} from '../state/index.ts'
import { followForwards, publishMark, settleOptions, wake } from '../value/index.ts'
import { setState } from './book-state.ts'
import { listedExpiries } from './expiries.ts'

/** Lists an instrument; its mark is known where its index is. */
export function addInstrument(turn: Turn, spec: InstrumentSpec, queue: QueueModel | null): void {
  const { exchange } = turn
  const id = instrumentId(exchange.instruments.length)
  const row = instrumentRow(exchange, { ...spec, id }, queue)
  exchange.instruments.push(row)
  exchange.instrumentIds.set(row.instrument.name, id)
  enterIndex(exchange, row)
  turn.sink.emit({
    kind: 'instrument',
    ...eventHeader(turn),
    instrument: row.instrument,
  })
  // Its book opens with the others of its currency, where a settlement takes its time (R23).
  if (row.base < 0 && exchange.settling.has(row.settlement)) {
    row.stateBefore = 'open'
    setState(turn, row, 'settlement')
  }
  linkCombos(exchange, row)
  // Its volatility starts on the smile at the forward of now.
  if (row.option !== null) followForwards(turn, row.index)
  publishMark(turn, row)
  settleOptions(turn, row.index)
  if (row.option === null) wake(exchange, row)
  if (row.base >= 0) return
  awaitDayEnd(exchange)
  for (const { from } of spec.funding?.dampers ?? []) {
    if (from <= exchange.now) continue
    setTimer(exchange.timers, from, { kind: 'funding_terms', instrument: id })
  }
  const opens = spec.expiration - WINDOW_MICROS
  if (row.isMarkComputed && spec.detail.type === 'future' && opens > exchange.now) {
    setTimer(exchange.timers, micros(opens), { kind: 'delivery_window', instrument: id })
  }
}

/** Lists what the schedule has now and is not listed yet, of all currencies or of one. */
export function listScheduled(turn: Turn, currency: CurrencyId | null): void {
  const { exchange } = turn
  const { listedFutures } = exchange.config
  if (listedFutures.length === 0) return
  for (const expiry of listedExpiries(exchange.now)) {
    for (const pair of listedFutures) {
      const name = `${pair}-${labelOfExpiry(expiry)}`
      if (exchange.instrumentIds.has(name)) continue
      const spec = specFromName(name, { creation: exchange.now })
      assert(spec.ok, `the schedule lists futures that there are, found ${pair}`)
      const listed = withVenueTerms(spec.value, exchange.config)
      const settlement = currencyIdOf(listed.settlementCurrency)
      if (currency === null || settlement === currency) addInstrument(turn, listed, null)
    }
  }
}
