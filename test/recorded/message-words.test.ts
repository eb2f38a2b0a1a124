/**
 * The fields of tickers, books, summaries and trades, compared with observed messages.
 * Source: market.md 8; coverage R19, R43, R67; captured messages of 2021 to 2023.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Json } from '../support/desk-market.ts'
import { recordedFile } from '../support/recorded-feeds.ts'
import { dayInstruments, settledDay } from '../support/settled-day.ts'

const [perpetual, , later] = dayInstruments
const byInstrument = 'public/get_book_summary_by_instrument'

describe('the fields of observed messages', () => {
  const real: readonly Json[] = readFileSync(recordedFile('deribit', 'messages-2021-2023', 'messages.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
  const m = settledDay()
  const keys = (object: Json): readonly string[] => Object.keys(object).toSorted()

  /** Later versions of the venue added these fields to messages of the year of the capture. */
  const expectWords = (ours: Json, theirs: Json, added: readonly string[]): void => {
    expect(keys(ours).filter((key) => !added.includes(key))).toEqual(keys(theirs))
  }

  const published = (channel: string): Json => real.find(({ params }) => params?.channel === channel).params.data

  test.each([
    ['ticker.BTC-PERPETUAL.100ms', perpetual, ['interest_value']],
    ['ticker.BTC-30SEP22.100ms', later, []],
  ])('%s', (channel, instrument_name, added) => {
    const ours = m.result(null, 'public/ticker', { instrument_name })
    const theirs = published(channel)
    expectWords(ours, theirs, added)
    expectWords(ours.stats, theirs.stats, ['volume_notional'])
  })

  test('order books', () => {
    const books = real.filter(({ result }) => result?.bids !== undefined)
    for (const [name, ours, added] of [
      ['BTC-PERPETUAL', perpetual, ['interest_value']],
      ['BTC-30SEP22', later, []],
    ] as const) {
      const theirs = books.find(({ result }) => result.instrument_name === name)
      const book = m.result(null, 'public/get_order_book', { instrument_name: ours })
      expectWords(book, theirs.result, added)
    }
  })

  test('summaries', () => {
    const summaries = real.filter(({ result }) => Array.isArray(result)).map(({ result }) => result)
    for (const [name, instrument_name] of [
      ['BTC-PERPETUAL', perpetual],
      ['BTC-24JUN22', later],
    ] as const) {
      const [theirs] = summaries.find(([one]) => one.instrument_name === name)
      expectWords(m.result(null, byInstrument, { instrument_name })[0], theirs, [])
    }
  })

  test('trades', () => {
    const { trades } = m.result(null, 'public/get_last_trades_by_instrument', {
      instrument_name: perpetual,
    })
    const [theirs] = published('trades.BTC-PERPETUAL.raw')
    // The field contracts was added later (S041).
    expectWords(trades[0], theirs, ['contracts'])
  })
})
