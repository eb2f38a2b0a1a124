/**
 * Writes index and mark prices of a run's table `marks` as the text of `derivative_ticker`.
 *
 * Each row has all changes of an instrument's two prices at one time, from its first mark to its expiry. Columns that
 * the table does not contain are empty. Memory: one batch and the last prices.
 */
import type { FileRow } from '../arrow-file.ts'
import {
  countWrittenMessage,
  decimalReader,
  headerLine,
  missingColumn,
  type NamedTable,
  symbolOf,
  type TextFacts,
  textByTime,
} from './tardis-text.ts'

/** Terms of an instrument that a ticker needs. */
export interface TickerInstrument {
  readonly symbol: string
  readonly index: string
  /** In microseconds; null for an instrument without expiry. */
  readonly expiration: number | null
}

/** The two prices of an instrument; null while they are unknown. */
interface Ticker {
  readonly instrument: TickerInstrument
  index: string | null
  mark: string | null
}

const columns = ['time', 'kind', 'instrument', 'index_name', 'price', 'index_price']

/** The terms for a ticker in a row of `instruments`. */
export function tickerInstrument(row: FileRow): TickerInstrument {
  const expiration = row['expiration'] ?? null
  return {
    symbol: symbolOf(row),
    index: String(row['price_index']),
    expiration: expiration === null ? null : Number(expiration),
  }
}

/** The text of `derivative_ticker`. */
export async function* tickerText(
  source: NamedTable,
  facts: TextFacts,
  instruments: readonly TickerInstrument[],
): AsyncGenerator<string> {
  facts.fault = missingColumn(source, columns)
  if (facts.fault !== null) return
  yield headerLine('tardis.derivative_ticker')
  const decimal = decimalReader(source, facts)
  const tickers = instruments.map((instrument): Ticker => ({ instrument, index: null, mark: null }))
  const bySymbol = new Map(tickers.map((ticker) => [ticker.instrument.symbol, ticker]))
  const changed = new Set<Ticker>()
  const flush = (time: number): string => {
    let text = ''
    for (const { instrument, index, mark } of changed) {
      const { symbol, expiration } = instrument
      if (mark === null || index === null) continue
      if (expiration !== null && time > expiration) continue
      text += `${facts.exchange},${symbol},${time},${time},,,,,,${index},${mark}\n`
      countWrittenMessage(facts, { time, symbol, rows: 1 })
    }
    changed.clear()
    return text
  }
  const take = (row: FileRow): void => {
    if (row['kind'] === 'index') {
      const index = decimal(row, 'price')
      for (const ticker of tickers) {
        if (ticker.instrument.index !== row['index_name']) continue
        ticker.index = index
        changed.add(ticker)
      }
    } else if (row['kind'] === 'mark') {
      const ticker = bySymbol.get(symbolOf(row))
      if (ticker === undefined) return
      ticker.mark = decimal(row, 'price')
      ticker.index = decimal(row, 'index_price')
      changed.add(ticker)
    }
  }
  yield* textByTime(source, facts, { take, flush })
}
