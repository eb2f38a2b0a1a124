/**
 * Sets the mark of an instrument and updates everything of the same instrument that depends on it: its band, the value
 * and the margins of its holdings, its funding rate and its trigger orders.
 *
 * For other instruments it only notes the change: indices with a moved future, whose options depend on it
 * (`staleIndices`), and combos with a moved leg (`movedCombos`). `settleMarks` in `reference.ts` reprices them.
 */
import type { Price9 } from '../../core/index.ts'
import type { MarkSource, OptionMark } from '../../model/index.ts'
import { collectFired, type InstrumentRow, nextEvent, setMark, type Turn } from '../state/index.ts'
import { noteBand } from './band.ts'
import { refreshRate } from './funding.ts'
import { pinVolatility } from './option-prices.ts'
import { followOptionMarket, revalueInstrument } from './refresh.ts'

/** Sets the mark of an instrument, the value of all its holdings, and its funding rate. */
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
