/**
 * Sets the mark of an instrument and updates everything of the same instrument that depends on it: its band, the value
 * and the margins of its holdings, its funding rate and its trigger orders.
 *
 * For other instruments it only notes the change: indices with a moved future, whose options depend on it
 * (`staleIndices`), and combos with a moved leg (`movedCombos`). `settleMarks` in `reference.ts` reprices them.
 */
import type { Price9 } from '../../core/index.ts'
import { isCountable, sizeOf } from '../../ledger/index.ts'
import type { MarkSource, OptionMark } from '../../model/index.ts'
import { collectFired, type Exchange, type InstrumentRow, nextEvent, setMark, type Turn } from '../state/index.ts'
import { noteBand } from './band.ts'
import { refreshRate } from './funding.ts'
import { pinVolatility } from './option-prices.ts'
import { followOptionMarket, revalueInstrument } from './refresh.ts'

/**
 * True if the ledger can count the value of every position of an instrument at a price. It counts up to nine million
 * coin, and the value of an inverse position grows without bound as its price falls. The slack of `isCountable` covers
 * marks, which are up to a tenth away from their index.
 */
export function canValueAt(exchange: Exchange, row: InstrumentRow, price9: number): boolean {
  if (row.mostLots < Number.POSITIVE_INFINITY && isCountableAt(row, row.mostLots, price9)) return true
  row.mostLots = row.holdings.reduce((most, holding) => Math.max(most, Math.abs(sizeOf(exchange.ledger, holding))), 0)
  return isCountableAt(row, row.mostLots, price9)
}

/** True if the ledger can count the value of one position at a price. */
export function isCountableAt({ terms }: InstrumentRow, lots: number, price9: number): boolean {
  return lots === 0 || isCountable(terms, { lots, price9: Math.abs(price9) })
}

/**
 * Sets the mark of an instrument, the value of every holding of it, and its funding rate.
 *
 * Assumed: at a price at which the ledger cannot count the value of a position, the mark stays as it is. A venue would
 * halt such a market. Without an index, price bands do not keep the price of a book, which marks follow, away from zero.
 */
export function changeMark(
  turn: Turn,
  row: InstrumentRow,
  mark: { readonly price: Price9; readonly source: MarkSource },
): void {
  const { exchange } = turn
  const isPinned = mark.source === 'set' || mark.source === 'feed'
  if (mark.price === row.mark && row.hasMark) {
    if (isPinned) pinVolatility(exchange, row)
    followOptionMarket(exchange, row)
    return
  }
  if (!canValueAt(exchange, row, mark.price)) return
  setMark(row, mark.price)
  noteBand(exchange, row)
  if (isPinned) pinVolatility(exchange, row)
  if (row.instrument.detail.type === 'future') exchange.staleIndices.add(row.index)
  revalueInstrument(exchange, row)
  turn.log.append({
    kind: 'mark',
    time: exchange.now,
    number: nextEvent(exchange),
    cause: turn.cause,
    instrument: row.instrument.id,
    price: mark.price,
    index: row.index.price,
    source: mark.source,
    option: optionMarkOf(row),
  })
  collectFired(exchange, row, 'mark_price')
  refreshRate(turn, row)
  for (const combo of row.combos) exchange.movedCombos.add(combo)
}

function optionMarkOf({ option }: InstrumentRow): OptionMark | null {
  return option === null ? null : { volatility9: option.volatility9, forward: option.series.forward }
}
