/**
 * Captured books in whole runs: options end with the prices of their last tickers, and a gap stops a run whose policy
 * is to fail.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defined } from '../../src/core/index.ts'
import { type RunReport, runDocument } from '../../src/host/index.ts'
import { gapFileOf, optionBookColumns, recordedFile } from '../support/recorded-feeds.ts'

let home = ''
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'pitclock-captured-books-'))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

async function reportOf(run: ReturnType<typeof runDocument>): Promise<RunReport> {
  const done = await run
  if (!done.ok) throw new Error(done.error.lines.join('\n'))
  expect(done.value.failures).toEqual([])
  return done.value
}

describe('captured books of options', () => {
  const capture = 'deribit/capture-2021-07-22'
  // The three books with the most rows, of both indices.
  const names = ['BTC-24SEP21-8000-P', 'BTC-31DEC21-300000-C', 'ETH-30JUL21-2800-C']

  /** Best bid and ask of an instrument in its last ticker, each price and amount. */
  function lastTicker(name: string): readonly (number | undefined)[] {
    const text = readFileSync(recordedFile(capture, 'option_tickers.csv'), 'utf8')
    const [head = '', ...lines] = text.trimEnd().split('\n')
    const cells = lines.findLast((line) => line.includes(`,${name},`))?.split(',') ?? []
    const wanted = ['best_bid_price', 'best_bid_amount', 'best_ask_price', 'best_ask_amount']
    return wanted.map((column) => Number(cells[head.split(',').indexOf(column)]))
  }

  test('each ends with the best prices of its last ticker, without any finding on the way', async () => {
    const replies = join(home, 'options.jsonl')
    const end = '2021-07-22T22:42:40Z'
    const document = {
      version: 1,
      title: 'Captured books of options',
      start: '2021-07-22T22:41:00Z',
      until: end,
      instruments: names,
      index: { btc_usd: 32208.37, eth_usd: 2007.65 },
      accounts: { quant: { deposit: { BTC: 1 } } },
      feeds: names.map((instrument) => ({
        ...{ format: 'csv', path: relative(home, recordedFile(capture, 'book_l2.csv')) },
        ...{ instrument, symbol: instrument, columns: optionBookColumns },
        policy: { gap: 'fail', crossed: 'fail', backward: 'fail', duplicate: 'fail' },
      })),
      steps: [
        ...names.map((instrument_name) => ({
          ...{ at: end, call: 'public/get_order_book', params: { instrument_name } },
        })),
        {
          ...{ at: end, as: 'quant', call: 'private/buy' },
          expect: { result: { order: { order_state: 'open' }, trades: [] } },
          params: { instrument_name: names[0], amount: 1, price: 0.001 },
        },
      ],
    }
    const report = await reportOf(runDocument(document, { folder: home, replies }))
    const lines = readFileSync(replies, 'utf8').trimEnd().split('\n').slice(-4)
    const results = lines.map((line) => JSON.parse(line) as { result: OrderBookReply })
    for (const [at, name] of names.entries()) {
      const book = defined(results[at]?.result, 'each step has its reply')
      const best = [book.best_bid_price, book.best_bid_amount]
      const found = [...best, book.best_ask_price, book.best_ask_amount]
      expect([name, ...found]).toEqual([name, ...lastTicker(name)])
    }
    const plain = ['other_symbol', 'outside_window', 'unknown_removal']
    for (const { findings } of report.feeds) {
      expect(Object.keys(findings).filter((check) => !plain.includes(check))).toEqual([])
    }
    expect(report.feeds.map(({ rows }) => rows)).toEqual([45, 29, 17])
  })

  test('a gap stops a run with the policy to fail, at the row in the file', async () => {
    const path = recordedFile('deribit/book-gap-2020-06-22/book.BTC-PERPETUAL.raw.jsonl')
    const { text, lineOfRow } = gapFileOf(readFileSync(path, 'utf8').trim().split('\n'))
    writeFileSync(join(home, 'gap.csv'), text)
    const instrument = 'BTC-PERPETUAL'
    const scenario = (gap: string): object => ({
      version: 1,
      title: 'A broken chain of change ids',
      start: '2020-06-22T10:00:00Z',
      instruments: [{ name: instrument, tick_size: 0.25 }],
      index: { from: 'mid' },
      feeds: [
        {
          ...{ format: 'csv', path: 'gap.csv', instrument, policy: { gap } },
          columns: { ...optionBookColumns, local_timestamp: 'line' },
        },
      ],
    })
    const out = join(home, 'gap')
    const failed = await runDocument(scenario('fail'), { folder: home, out })
    const row = lineOfRow.indexOf(6) + 1
    expect(failed.ok ? [] : failed.error.lines).toEqual([
      `${join(home, 'gap.csv')}:${row + 1}: expected a message whose previous number is 4095205462, found number 4095205464, whose previous number is 4095205463`,
    ])
    expect([existsSync(out), existsSync(`${out}.partial`)]).toEqual([false, false])
    const kept = await reportOf(runDocument(scenario('keep'), { folder: home }))
    expect(kept.feeds[0]?.findings).toMatchObject({ gap: 1 })
  })
})

interface OrderBookReply {
  readonly best_bid_price: number
  readonly best_bid_amount: number
  readonly best_ask_price: number
  readonly best_ask_amount: number
}
