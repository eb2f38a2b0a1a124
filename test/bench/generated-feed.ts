/**
 * A recorded market that is made from a seed, as Tardis CSV: a book of 20 levels a side, four ticks wide, whose mid walks,
 * with five messages a second and one print half a second after each full second, at the best level. The mid moves only
 * after the print, by two ticks a second at most.
 *
 * A quote inside the spread is therefore alone at its price, the book never crosses it, and the print fills it whole.
 * Every queue model gives the same fills, and backtesters can be compared by them.
 */
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { drawsFrom } from './stream.ts'

/** Terms that every backtester needs. */
export const feedTerms = { start: '2026-01-05T09:00:00Z', tick: 0.5, symbol: 'BTC-PERPETUAL' }

const startMicros = 1_767_603_600_000_000
const messagesEach = 5
/** Messages of a second before its print. */
const messagesBefore = 3
const levels = 20
/** Level changes of each message, in addition to those of a move of the mid. */
const changes = 8
const bookHead = 'exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount\n'
const tradesHead = 'exchange,symbol,timestamp,local_timestamp,id,side,price,amount\n'

/** The feed files in a folder. */
export function feedFiles(folder: string): { readonly book: string; readonly trades: string } {
  return { book: join(folder, 'incremental_book_L2.csv'), trades: join(folder, 'trades.csv') }
}

/** Writes a feed of at least `rows` rows to a folder; returns the number of rows. */
export function writeFeed(folder: string, rows: number): number {
  const draw = drawsFrom(20_260_105)
  const files = feedFiles(folder)
  const book = openSync(files.book, 'w')
  const trades = openSync(files.trades, 'w')
  writeSync(book, bookHead)
  writeSync(trades, tradesHead)
  let mid = 100_000
  let written = 0
  let lines: string[] = []
  const amount = (): number => 1_000 + 10 * draw(2_000)
  const level = (time: number, isBid: boolean, ticks: number, size: number): void => {
    const side = isBid ? 'bid' : 'ask'
    lines.push(`${headOf(time)},${time === startMicros},${side},${priceOf(ticks)},${size}\n`)
  }
  for (let away = 2; away < 2 + levels; away += 1) {
    level(startMicros, true, mid - away, amount())
    level(startMicros, false, mid + away, amount())
  }
  for (let second = 0; written < rows; second += 1) {
    const midOfPrint = mid
    for (let each = 0; each < messagesEach; each += 1) {
      const time = startMicros + second * 1_000_000 + each * 200_000 + 100_000
      const move = draw(6)
      if (each >= messagesBefore && move < 2) {
        const isUp = move === 1
        const step = isUp ? 1 : -1
        // The mid moves past the best level: it is removed, and the other side follows.
        level(time, !isUp, mid + 2 * step, 0)
        level(time, isUp, mid - (1 + levels) * step, 0)
        mid += step
        level(time, isUp, mid - 2 * step, amount())
        level(time, !isUp, mid + (1 + levels) * step, amount())
      }
      const first = draw(2 * levels)
      for (let change = 0; change < changes; change += 1) {
        // Each level at most once in a message.
        const at = (first + 5 * change) % (2 * levels)
        const away = 2 + (at >> 1)
        level(time, at % 2 === 0, at % 2 === 0 ? mid - away : mid + away, amount())
      }
    }
    written += lines.length + 1
    writeSync(book, lines.join(''))
    lines = []
    const isSell = draw(2) === 0
    const time = startMicros + second * 1_000_000 + 550_000
    const price = priceOf(isSell ? midOfPrint - 2 : midOfPrint + 2)
    const side = isSell ? 'sell' : 'buy'
    writeSync(trades, `${headOf(time)},${second + 1},${side},${price},${500 + 10 * draw(50)}\n`)
  }
  closeSync(book)
  closeSync(trades)
  return written
}

function headOf(time: number): string {
  return `deribit,${feedTerms.symbol},${time},${time}`
}

function priceOf(ticks: number): string {
  return (ticks / 2).toFixed(1)
}
