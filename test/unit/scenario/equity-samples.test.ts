/**
 * Samples of equity during a run: their times, their values, and that a run which is cut in pieces or replayed from its
 * journal has the same samples.
 */
import { describe, expect, test } from 'vitest'
import type { TimedRequest } from '../../../src/backtest/index.ts'
import { defined, formatIsoTime, formatScaled } from '../../../src/core/index.ts'
import { accountOf, allAccounts, viewWallet } from '../../../src/engine/index.ts'
import { nodeSha256 } from '../../../src/host/index.ts'
import { currencies } from '../../../src/model/index.ts'
import {
  createResultsSink,
  type EquityRecord,
  type ResultsSink,
  restoreResultsSink,
} from '../../../src/results/index.ts'
import {
  advanceRun,
  createJournalRun,
  createRun,
  decodeJournal,
  encodeJournalHead,
  encodeJournalRequest,
  finishRun,
  type RunHooks,
  restoreRun,
  type ScenarioRun,
  snapshotRun,
} from '../../../src/scenario/index.ts'
import { sampleEquity } from '../../../src/scenario/run/close-run.ts'
import { sound } from './documents.ts'

/** From 06:59 to 10:00, a trade at the start, an index that moves before and after 08:00. */
const text = (record: string, more = ''): string => `version: 1
title: A morning
start: 2026-01-05T06:59:00Z
until: 2026-01-05T10:00:00Z
venue: { insurance_fund: { BTC: 0, ETH: 0, USDC: 0, USDT: 0 } }
${record}instruments: [BTC-PERPETUAL, BTC_USDC-PERPETUAL]
index: { btc_usd: 50000, btc_usdc: 50000 }
accounts:
  ann: { deposit: { BTC: 1, USDC: 5000 }, positions: { BTC_USDC-PERPETUAL: { amount: 0.1, price: 50000 } } }
  ben: { deposit: { BTC: 1 } }
steps:
  - { at: 0ms, as: ann, call: private/buy, params: { instrument_name: BTC-PERPETUAL, amount: 10000, price: 50000 } }
  - { at: 0ms, as: ben, call: private/sell, params: { instrument_name: BTC-PERPETUAL, amount: 10000, type: market } }
  - { at: 2026-01-05T07:30:00Z, call: sim/set_index, params: { index_name: btc_usd, price: 51000 } }
  - { at: 2026-01-05T07:40:00Z, call: sim/set_index, params: { index_name: btc_usdc, price: 51000 } }
${more}`

const hourly = 'record: { equity: 1h }\n'

interface Sampled {
  readonly run: ScenarioRun
  readonly records: readonly EquityRecord[]
}

/** A whole run with its last sample. */
function sampled(source: string): Sampled {
  const records: EquityRecord[] = []
  const run = createRun(sound(source), { onEquity: (record) => records.push(record) })
  expect(advanceRun(run, Number.POSITIVE_INFINITY)).toBe('done')
  expect(finishRun(run).failures).toEqual([])
  sampleEquity(run)
  return { run, records }
}

function timesOf({ records }: Sampled): readonly string[] {
  return [...new Set(records.map(({ time }) => formatIsoTime(time).slice(11, 23)))]
}

/** Rows of an account in words. */
function rowsOf({ run, records }: Sampled, name: string): readonly string[] {
  const words = (value: bigint): string => formatScaled(value, 9)
  return records
    .filter(({ account }) => accountOf(run.desk.exchange, account).name === name)
    .map(({ time, currency, balance, equity, floatingProfit, realizedProfit }) =>
      [
        formatIsoTime(time).slice(11, 16),
        currency,
        ...[balance, equity, floatingProfit, realizedProfit].map(words),
      ].join(' '),
    )
}

describe('samples', () => {
  test('U10 are taken at the first deposit, at 08:00 and at the end without any setting', () => {
    expect(timesOf(sampled(text('')))).toEqual(['06:59:00Z', '08:00:00Z', '10:00:00Z'])
  })

  test('are taken at whole multiples of a duration since the epoch, at one time once', () => {
    const times = timesOf(sampled(text(hourly)))
    expect(times).toEqual(['06:59:00Z', '07:00:00Z', '08:00:00Z', '09:00:00Z', '10:00:00Z'])
    const odd = timesOf(sampled(text('record: { equity: 50m }\n')))
    const ofOdd = ['07:10:00Z', '08:00:00Z', '08:50:00Z', '09:40:00Z', '10:00:00Z']
    expect(odd).toEqual(['06:59:00Z', ...ofOdd])
  })

  test('show the state before all other work of their time, but after its settlements', () => {
    const all = sampled(text(hourly))
    // 10000 / 50000 - 10000 / 51000 BTC; 0.1 * 1000 USDC.
    expect(rowsOf(all, 'ann')).toEqual([
      ...['06:59 BTC 1 1 0 0', '06:59 USDC 5000 5000 0 0'],
      ...['07:00 BTC 1 1 0 0', '07:00 USDC 5000 5000 0 0'],
      ...['08:00 BTC 1.003921569 1.003921569 0 0', '08:00 USDC 5100 5100 0 0'],
      ...['09:00 BTC 1.003921569 1.003921569 0 0', '09:00 USDC 5100 5100 0 0'],
      ...['10:00 BTC 1.003921569 1.003921569 0 0', '10:00 USDC 5100 5100 0 0'],
    ])
    const half = sampled(text('record: { equity: 30m }\n'))
    // At 07:30 the index has not moved yet.
    expect(rowsOf(half, 'ann').slice(4, 6)).toEqual([...['07:30 BTC 1 1 0 0', '07:30 USDC 5000 5000 0 0']])
    expect(new Set(half.records.map(({ account }) => account)).size).toBeGreaterThan(2)
  })

  test('show the same values as the views of every wallet', () => {
    const more = `  - { at: 2026-01-05T08:10:00Z, call: sim/set_index, params: { index_name: btc_usd, price: 52000 } }
  - { at: 2026-01-05T08:10:00Z, call: sim/set_index, params: { index_name: btc_usdc, price: 47000 } }
  - { at: 2026-01-05T08:20:00Z, as: ann, call: private/sell, params: { instrument_name: BTC-PERPETUAL, amount: 5000, price: 52000 } }
  - { at: 2026-01-05T08:20:00Z, as: ben, call: private/buy, params: { instrument_name: BTC-PERPETUAL, amount: 5000, type: market } }
  - { at: 2026-01-05T08:30:00Z, as: ben, call: private/buy, params: { instrument_name: BTC-PERPETUAL, amount: 50000, price: 52100 } }
`
    const { run, records } = sampled(text(hourly, more))
    const { exchange } = run.desk
    const last = records.filter(({ time }) => time === exchange.now)
    const wallets = allAccounts(exchange).flatMap(({ id }) =>
      currencies.map((currency) => viewWallet(exchange, id, currency)),
    )
    const held = wallets.filter(
      ({ balance, equity, initialMargin }) => balance !== 0n || equity !== 0n || initialMargin !== 0n,
    )
    expect(last).toEqual(
      held.map((wallet) => ({
        ...{ time: exchange.now, number: exchange.eventCount, account: wallet.account },
        ...{ currency: wallet.currency, balance: wallet.balance, equity: wallet.equity },
        optionsValue: 0n,
        ...{ floatingProfit: wallet.sessionFloating, realizedProfit: wallet.sessionRealized },
        initialMargin: wallet.initialMargin,
        maintenanceMargin: wallet.maintenanceMargin,
      })),
    )
    expect(last.some(({ realizedProfit }) => realizedProfit !== 0n)).toBe(true)
    expect(last.some(({ floatingProfit }) => floatingProfit < 0n)).toBe(true)
  })

  test('that a request jumps over are one, when the clock has arrived', () => {
    const at = 1_767_604_500_000
    const more = `  - { at: 2026-01-05T07:50:00Z, call: sim/advance, params: { to: ${at} } }\n`
    const times = timesOf(sampled(text(hourly, more)))
    expect(times).toEqual(['06:59:00Z', '07:00:00Z', '09:15:00Z', '10:00:00Z'])
  })

  test('change no event', () => {
    const hashes = ['', hourly].map((record) => {
      const kinds: string[] = []
      const sink = { emit: (event: { readonly kind: string }) => void kinds.push(event.kind) }
      const run = createRun(sound(text(record)), {
        ...{ sink, onEquity: () => undefined },
      })
      advanceRun(run, Number.POSITIVE_INFINITY)
      finishRun(run)
      return kinds
    })
    expect(hashes[0]).toEqual(hashes[1])
  })
})

/** The rows of a run. */
function hooksOf(results: ResultsSink, requests: TimedRequest[] = []): RunHooks {
  return {
    ...{ sink: results, onEquity: results.recordEquity },
    onRequest: (request) => requests.push(request),
  }
}

const digesting = { sha256: nodeSha256, onBlock: null }

/** The digest of a run with its end. */
function digestOf(run: ScenarioRun, results: ResultsSink): string {
  expect(advanceRun(run, Number.POSITIVE_INFINITY)).toBe('done')
  finishRun(run)
  sampleEquity(run)
  return results.finish().digest
}

describe('F07 an account without money', () => {
  const source = `version: 1
title: All of it goes to the main account
start: 2026-01-05T07:30:00Z
until: 2026-01-05T11:00:00Z
instruments: [BTC-PERPETUAL]
index: { btc_usd: 60000 }
record: { equity: 30m }
accounts:
  desk: { deposit: { BTC: 5 } }
  sub: { main: desk, deposit: { BTC: 1 } }
steps:
  - { at: 1h, as: desk, call: private/get_subaccounts, save: { main: result.0.id, sub: result.1.id } }
  - { at: 1h, as: sub, call: private/submit_transfer_between_subaccounts, params: { currency: BTC, amount: 1, destination: $main } }
  - { at: 2h, as: desk, call: private/submit_transfer_between_subaccounts, params: { currency: BTC, amount: 2, destination: $sub } }
  - { at: 150m, as: sub, call: private/submit_transfer_between_subaccounts, params: { currency: BTC, amount: 2, destination: $main } }
`

  test('F07 has one row of zero, each time that its money is gone', () => {
    expect(rowsOf(sampled(source), 'sub')).toEqual([
      ...['07:30 BTC 1 1 0 0', '08:00 BTC 1 1 0 0', '08:30 BTC 1 1 0 0', '09:00 BTC 0 0 0 0'],
      // The deposit at 09:30 begins a new series.
      ...['09:30 BTC 2 2 0 0', '10:00 BTC 2 2 0 0', '10:30 BTC 0 0 0 0'],
    ])
  })

  test('F07 has its row of zero in a run that was cut just before', () => {
    const scenario = sound(source)
    const records: EquityRecord[] = []
    const hooks = { onEquity: (record: EquityRecord) => void records.push(record) }
    let run = createRun(scenario, hooks)
    while (advanceRun(run, 1) === 'more') {
      const bytes = snapshotRun(run)
      if (!bytes.ok) throw new Error(bytes.error)
      const parts = { market: null, seats: null }
      const restored = restoreRun(bytes.value, scenario, { hooks, parts })
      if (!restored.ok) throw new Error(restored.error)
      run = restored.value
    }
    finishRun(run)
    sampleEquity(run)
    expect(records).toEqual(sampled(source).records)
  })
})

describe('a run with samples has one digest', () => {
  const scenario = sound(text('record: { equity: 10m }\n'))
  const requests: TimedRequest[] = []
  const whole = createResultsSink(digesting)
  const expected = digestOf(createRun(scenario, hooksOf(whole, requests)), whole)

  test('whole and cut by a snapshot after each step', () => {
    let results = createResultsSink(digesting)
    let run = createRun(scenario, hooksOf(results))
    let cuts = 0
    while (advanceRun(run, 1) === 'more') {
      const bytes = snapshotRun(run)
      const rows = restoreResultsSink(results.snapshot(), digesting)
      if (!bytes.ok || !rows.ok) throw new Error('a run between two things has a snapshot')
      results = rows.value
      const parts = { market: null, seats: null }
      const restored = restoreRun(bytes.value, scenario, { hooks: hooksOf(results), parts })
      if (!restored.ok) throw new Error(restored.error)
      run = restored.value
      cuts += 1
    }
    expect(cuts).toBeGreaterThan(10)
    expect(digestOf(run, results)).toBe(expected)
  })

  test('from its journal', () => {
    const { config, equityEvery, metrics, record, title, seed, until, setup } = scenario
    const head = {
      ...{
        engine: 'test',
        title,
        scenarioSha256: null,
        seed,
        until,
        config,
        equityEvery,
        metrics,
        record,
      },
      ...{ setup: setup.length, feeds: [] },
    }
    const lines = [encodeJournalHead(head), ...requests.map((request, at) => encodeJournalRequest(request, at + 1))]
    const journal = decodeJournal(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), 'j')
    const decoded = defined(journal.ok ? journal.value : undefined, 'a journal reads back')
    const results = createResultsSink(digesting)
    const hooks = hooksOf(results)
    const run = createJournalRun(decoded.head, decoded.requests, hooks, null)
    expect(digestOf(run, results)).toBe(expected)
  })
})
