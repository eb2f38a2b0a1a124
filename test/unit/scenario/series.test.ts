/**
 * Series of a run by hand: when rows of `quotes`, `book_snapshots` and `bars` are written and their values, what cuts a
 * bar, and that a journal gives the same tables.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { TimedRequest } from '../../../src/backtest/index.ts'
import { formatInputError, formatIsoTime, micros } from '../../../src/core/index.ts'
import { nodeSha256 } from '../../../src/host/index.ts'
import { createResultsSink, type RunDigest } from '../../../src/results/index.ts'
import {
  advanceRun,
  closeRun,
  createJournalRun,
  createRun,
  decodeJournal,
  encodeJournalHead,
  encodeJournalRequest,
  finishRun,
  parseScenario,
  type RunHooks,
  type Scenario,
  type ScenarioRun,
} from '../../../src/scenario/index.ts'
import { createRowCollector } from '../../support/block-rows.ts'
import type { NaiveRow } from '../../support/naive-columns.ts'
import { repository } from '../../support/repository.ts'
import { mistakesOf, sound } from './documents.ts'

interface Written {
  readonly rows: ReadonlyMap<string, readonly NaiveRow[]>
  readonly tables: RunDigest
}

function written(open: (hooks: RunHooks) => ScenarioRun, requests: TimedRequest[] = []): Written {
  const { rows, onBlock } = createRowCollector()
  const results = createResultsSink({ sha256: nodeSha256, onBlock })
  const run = open({
    ...{ sink: results, onEquity: results.recordEquity, series: results },
    onRequest: (request) => void requests.push(request),
  })
  expect(advanceRun(run, Number.POSITIVE_INFINITY)).toBe('done')
  expect(finishRun(run).failures).toEqual([])
  return { rows, tables: closeRun(run, results) }
}

function writtenOf(scenario: Scenario, requests: TimedRequest[] = []): Written {
  return written((hooks) => createRun(scenario, hooks), requests)
}

/** Rows in words: times of day, decimals of prices, `-` for nothing. */
function linesOf({ rows }: Written, table: string, columns: string): readonly string[] {
  return (rows.get(table) ?? []).map((row) =>
    columns
      .split(' ')
      .map((name) => {
        const cell = row[name]
        if (cell == null) return '-'
        if (name === 'time' || name === 'start') return formatIsoTime(micros(Number(cell))).slice(11, -1)
        return typeof cell === 'bigint' && /price|amount|open|high|low|close|vwap/.test(name)
          ? String(Number(cell) / 1e9)
          : String(cell)
      })
      .join(' '),
  )
}

const beginning = `version: 1
title: A market
start: 2026-01-05T07:59:50Z
instruments: [BTC-PERPETUAL]
index: { btc_usd: 60000 }
accounts:
  maker: { deposit: { BTC: 10 } }
  taker: { deposit: { BTC: 10 } }
`
const order = (at: string, as: string, params: string): string =>
  `  - { at: ${at}, as: ${as}, call: private/${params.startsWith('-') ? 'sell' : 'buy'}, params: { instrument_name: BTC-PERPETUAL, ${params.replace('-', '')} } }\n`
/** A trade of 100 USD at 60000. */
const trade = (at: string): string =>
  order(at, 'maker', '-amount: 100, price: 60000') + order(at, 'taker', 'amount: 100, type: market')

const bar = 'time interval start open close trades'

describe('the scenario of the guide', () => {
  const file = join(repository, 'scenarios/prices/series.yaml')
  const text = readFileSync(file, 'utf8')
  const parsed = parseScenario(text, file)
  if (!parsed.ok) throw new Error(parsed.error.map(formatInputError).join('\n'))
  const scenario = parsed.value
  const requests: TimedRequest[] = []
  const whole = writtenOf(scenario, requests)

  test('has the rows in its comments', () => {
    expect(linesOf(whole, 'quotes', 'time bid_price bid_amount ask_price ask_amount mid_price')).toEqual([
      '09:00:30 59990 3000 60010 6000 60000',
      '09:01:00 59980 5000 - - -',
      ...['09:01:30 - - - - -', '09:02:00 - - 60020.5 1000 -', '09:02:30 - - 60020.5 1000 -'],
    ])
    expect(linesOf(whole, 'book_snapshots', 'time level bid_price bid_amount ask_price ask_amount')).toEqual([
      '09:01:00 1 59980 5000 - -',
      '09:02:00 1 - - 60020.5 1000',
    ])
    const columns = `${bar} high low volume volume_quote buy_volume sell_volume`
    expect(linesOf(whole, 'bars', columns)).toEqual([
      '09:01:00 60000000 09:00:00 60010 59990 2 60010 59990 9000 9000 6000 3000',
      '09:02:00 60000000 09:01:00 59980 59980 1 59980 59980 2000 2000 0 2000',
      '09:02:00 120000000 09:00:00 60010 59980 3 60010 59980 11000 11000 6000 5000',
      '09:02:30 60000000 09:02:00 - - 0 - - 0 0 0 0',
      '09:02:30 120000000 09:02:00 - - 0 - - 0 0 0 0',
    ])
    const [first] = whole.rows.get('bars') ?? []
    expect(first?.['volume_coin']).toBeCloseTo(6000 / 60010 + 3000 / 59990, 15)
    expect(Number(first?.['vwap']) / 1e9).toBeCloseTo(9000 / (6000 / 60010 + 3000 / 59990), 8)
  })

  test('has the digest of a run that records nothing', () => {
    const plain = writtenOf(sound(text.replace(/^record: .*\n/m, '')))
    expect(plain.tables.digest).toBe(whole.tables.digest)
    expect(plain.rows.get('quotes')).toBeUndefined()
  })

  test('has the same tables from its journal', () => {
    const { config, equityEvery, metrics, record, title, seed, until, setup } = scenario
    const head = {
      ...{ engine: 'test', title, scenarioSha256: null, seed, until, config },
      ...{ equityEvery, metrics, record, setup: setup.length, feeds: [] },
    }
    const lines = [encodeJournalHead(head), ...requests.map((request, at) => encodeJournalRequest(request, at + 1))]
    const journal = decodeJournal(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), 'j')
    if (!journal.ok) throw new Error(journal.error.map(formatInputError).join('\n'))
    const { head: read, requests: again } = journal.value
    expect(read.record).toEqual(record)
    const replayed = written((hooks) => createJournalRun(read, again, hooks, null))
    expect(replayed.tables).toEqual(whole.tables)
  })
})

describe('when rows are written', () => {
  test('a clock that a request moves on gives one quote, and each bar that it passed', () => {
    const to = 1_767_600_003_500
    const text = `${beginning}until: 2026-01-05T08:00:05Z
record: { quotes: 2s, bars: 4s }
steps:
${trade('3s')}  - { at: 5s, call: sim/advance, params: { to: ${to} } }
${trade('13500ms')}`
    const all = writtenOf(sound(text))
    expect(linesOf(all, 'quotes', 'time')).toEqual([...['07:59:52', '07:59:54', '08:00:03.500', '08:00:04']])
    expect(linesOf(all, 'bars', bar)).toEqual([
      '07:59:52 4000000 07:59:48 - - 0',
      '07:59:56 4000000 07:59:52 60000 60000 1',
      '08:00:00 4000000 07:59:56 - - 0',
      '08:00:04 4000000 08:00:00 60000 60000 1',
      '08:00:05 4000000 08:00:04 - - 0',
    ])
  })

  test('a delivery ends the series of its instrument and cuts its bar', () => {
    const text = `${beginning.replace('[BTC-PERPETUAL]', '[BTC-5JAN26]')}until: 2026-01-05T08:00:20Z
record: { quotes: 10s, book_snapshot: { every: 10s }, bars: 1h }
steps:
${trade('3s').replaceAll('BTC-PERPETUAL', 'BTC-5JAN26')}`
    const all = writtenOf(sound(text))
    expect(linesOf(all, 'quotes', 'time')).toEqual([])
    expect(linesOf(all, 'book_snapshots', 'time')).toEqual([])
    expect(linesOf(all, 'bars', bar)).toEqual(['08:00:00 3600000000 07:00:00 60000 60000 1'])
  })

  test('a trade at the last instant of a run has a bar of no length', () => {
    const text = `${beginning}until: 2026-01-05T08:00:00Z
record: { bars: 5s }
steps:
${trade('10s')}`
    expect(linesOf(writtenOf(sound(text)), 'bars', bar)).toEqual([
      '07:59:55 5000000 07:59:50 - - 0',
      '08:00:00 5000000 07:59:55 - - 0',
      '08:00:00 5000000 08:00:00 60000 60000 1',
    ])
  })

  test('bars end where a run restores a snapshot, and quotes have each time once', () => {
    const text = `${beginning}until: 2026-01-05T08:00:00Z
record: { quotes: 2s, bars: 2s }
steps:
  - { at: 1s, call: sim/snapshot, params: { name: here } }
${trade('3s')}  - { at: 5s, call: sim/restore, params: { name: here } }
${trade('7s')}`
    const all = writtenOf(sound(text))
    expect(linesOf(all, 'quotes', 'time')).toEqual([...['07:59:52', '07:59:54', '07:59:56', '07:59:58', '08:00:00']])
    expect(linesOf(all, 'bars', bar)).toEqual([
      '07:59:52 2000000 07:59:50 - - 0',
      '07:59:54 2000000 07:59:52 60000 60000 1',
    ])
  })

  test('lengths of bars appear once, from the shortest', () => {
    const { record } = sound(`${beginning}record: { bars: [1h, 60s, 1m] }\n`)
    expect(record.bars).toEqual([60_000_000, 3_600_000_000])
  })

  test('invalid terms are reported at their place', () => {
    const line = 'record: { quotes: 1us, book_snapshot: { every: 2y, depth: 0 }, bars: [1m, 0s, 3] }\n'
    const at = 'test.yaml:9:'
    expect(mistakesOf(`${beginning}${line}`)).toEqual([
      `${at}19: record.quotes: expected a duration from 1ms to 365d, found "1us"`,
      `${at}48: record.book_snapshot.every: expected a duration such as 250us, 5ms, 1.5s, 2m, 3h or 1d, found "2y"`,
      `${at}59: record.book_snapshot.depth: expected at least 1, found 0`,
      `${at}75: record.bars.1: expected a duration from 1ms to 365d, found "0s"`,
      `${at}79: record.bars.2: expected a text such as 5m, found 3`,
    ])
  })
})
