/**
 * sim/snapshot and sim/restore: snapshots of the venue under a name, in scenarios, journals and programs. Source:
 * coverage R64.
 */
import { describe, expect, test } from 'vitest'
import { formatInputError } from '../../src/core/index.ts'
import { audit, auditCopy } from '../../src/engine/index.ts'
import { nodeSha256 } from '../../src/host/index.ts'
import type { Event } from '../../src/model/index.ts'
import { openVenue, type Venue } from '../../src/program/index.ts'
import { createResultsSink, restoreResultsSink } from '../../src/results/index.ts'
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
  restoreRun,
  type Scenario,
  snapshotRun,
} from '../../src/scenario/index.ts'
import { sound } from '../unit/scenario/documents.ts'

const events: Event[] = []

function opened(): Venue {
  events.length = 0
  return openVenue({
    start: '2026-01-05T09:00:00Z',
    instruments: ['BTC-PERPETUAL', 'ETH-30JAN26'],
    index: { btc_usd: 100_000, eth_usd: 3000 },
    accounts: { alice: { BTC: 10, ETH: 10 }, bob: { BTC: 10 } },
    sink: { emit: (event) => events.push(event) },
  })
}

const bid = { instrument_name: 'BTC-PERPETUAL', amount: 1000, price: 99_000 }
const trades = { instrument_name: 'BTC-PERPETUAL' }

describe('R64 sim.restore: a restored venue', () => {
  test('is as it was, including its histories and its clock', () => {
    const venue = opened()
    venue.as('alice').request('private/buy', bid)
    expect(venue.request('sim/snapshot', { name: 'before' })).toMatchObject({ ok: true })
    const { now } = venue
    const resultOf = (reply: { readonly ok: boolean }): unknown => ('result' in reply ? reply.result : reply)
    const ask = (): unknown => [
      resultOf(venue.as('alice').request('private/get_open_orders', {})),
      resultOf(venue.as('alice').request('private/get_account_summary', { currency: 'BTC' })),
      resultOf(venue.request('public/get_last_trades_by_instrument', trades)),
    ]
    const answers = ask()
    venue
      .wait('1s')
      .as('bob')
      .request('private/sell', { ...bid, amount: 400 })
    venue.wait('1s').as('alice').request('private/cancel_all', {})
    expect(ask()).not.toEqual(answers)
    const number = venue.exchange.lastSequence
    expect(venue.request('sim/restore', { name: 'before' })).toMatchObject({ ok: true })
    expect(venue.now).toBe(now)
    expect(ask()).toEqual(answers)
    expect(venue.exchange.lastSequence).toBeGreaterThan(number)
    audit(venue.exchange)
    auditCopy(venue.exchange)
  })

  test('continues in the same way after each restore', () => {
    const venue = opened()
    venue.as('alice').request('private/buy', bid)
    venue.request('sim/snapshot', { name: 'a' })
    const positions = [1, 2].map(() => {
      venue
        .wait('1s')
        .as('bob')
        .request('private/sell', { ...bid, amount: 400 })
      const reply = venue.as('bob').request('private/get_positions', { currency: 'BTC' })
      const { lastSequence, eventCount } = venue.exchange
      venue.request('sim/restore', { name: 'a' })
      expect(venue.exchange.eventCount).toBeGreaterThan(eventCount)
      expect(venue.exchange.lastSequence).toBeGreaterThan(lastSequence)
      return reply.ok ? reply.result : null
    })
    expect(positions[0]).toMatchObject([{ size: -400 }])
    expect(positions[1]).toEqual(positions[0])
    const done = events.flatMap((event) => (event.kind === 'request' ? [event.cause] : []))
    expect(new Set(done).size).toBe(done.length)
  })

  test('needs a known name, and no replies that still wait', () => {
    const venue = opened()
    expect(venue.request('sim/restore', { name: 'never' })).toMatchObject({
      error: { code: -32602, data: { param: 'name', reason: 'unknown_value' } },
    })
    for (let count = 0; count < 64; count += 1) venue.request('sim/snapshot', { name: `${count}` })
    expect(venue.request('sim/snapshot', { name: '63' })).toMatchObject({ ok: true })
    expect(venue.request('sim/snapshot', { name: '64' })).toMatchObject({
      error: { data: { param: 'name', reason: 'too_many' } },
    })
  })

  test('R64 is refused if numbers of accounts or instruments would be used again', () => {
    const venue = opened()
    venue.request('sim/snapshot', { name: 'a' })
    venue.request('sim/create_account', { name: 'later' })
    const restore = (): object => venue.request('sim/restore', { name: 'a' })
    expect(restore()).toMatchObject({ error: { data: { reason: 'accounts_were_added' } } })
    venue.request('sim/snapshot', { name: 'a' })
    expect(restore()).toMatchObject({ ok: true })
    venue.request('sim/list_instrument', { instrument_name: 'BTC-30JAN26' })
    expect(restore()).toMatchObject({ error: { data: { reason: 'instruments_were_added' } } })
  })
})

const steps = `steps:
  - { at: 1s, as: a, call: private/buy, params: { instrument_name: BTC-PERPETUAL, amount: 1000, price: 50000 } }
  - { at: 1s, call: sim/snapshot, params: { name: quoted } }
  - { at: 2s, as: b, call: private/sell, params: { instrument_name: BTC-PERPETUAL, amount: 1000, price: 50000 } }
  - { at: 2s, call: sim/advance, params: { to: 1767603662000 } }
  - { at: 3s, call: sim/restore, params: { name: quoted } }
  - { at: 3s, as: b, call: private/sell, params: { instrument_name: BTC-PERPETUAL, amount: 400, price: 50000 } }
`

const scenarioText = (more = ''): string => `version: 1
title: To be put back
start: 2026-01-05T09:00:00Z
instruments: [BTC-PERPETUAL]
index: { btc_usd: 50000 }
accounts: { a: { deposit: { BTC: 1 } }, b: { deposit: { BTC: 1 } } }
${more}${steps}`

interface Told {
  readonly digest: string
  readonly trades: readonly number[]
  readonly times: readonly number[]
  readonly journal: string
}

/** A whole run, cut after each item if requested. */
function reported(scenario: Scenario, isCut = false): Told {
  let results = createResultsSink({ sha256: nodeSha256, onBlock: null })
  const trades: number[] = []
  const times: number[] = []
  const { title, seed, until, config, equityEvery, metrics, record, setup } = scenario
  const head = {
    engine: '0',
    title,
    scenarioSha256: null,
    seed,
    until,
    config,
    equityEvery,
    metrics,
    record,
  }
  const lines = [JSON.stringify(encodeJournalHead({ ...head, setup: setup.length, feeds: [] }))]
  const hooks = (): RunHooks => ({
    sink: {
      emit: (event) => {
        results.emit(event)
        if (event.kind === 'trade') trades.push(event.amount)
      },
    },
    onRequest: ({ time }) => times.push(time - scenario.start),
  })
  const journalHooks: RunHooks = {
    ...hooks(),
    onRequest: (request, number) => {
      times.push(request.time - scenario.start)
      lines.push(JSON.stringify(encodeJournalRequest(request, number)))
    },
  }
  let run = createRun(scenario, journalHooks)
  while (advanceRun(run, 1) === 'more') {
    if (!isCut) continue
    const bytes = snapshotRun(run)
    const rows = restoreResultsSink(results.snapshot(), { sha256: nodeSha256, onBlock: null })
    if (!bytes.ok || !rows.ok) throw new Error('a run between two things has a snapshot')
    results = rows.value
    const parts = { market: null, seats: null }
    const restored = restoreRun(bytes.value, scenario, { hooks: hooks(), parts })
    if (!restored.ok) throw new Error(restored.error)
    run = restored.value
  }
  expect(finishRun(run).failures).toEqual([])
  const { digest } = closeRun(run, results)
  audit(run.desk.exchange)
  return { digest, trades, times, journal: `${lines.join('\n')}\n` }
}

/** The digest of the run of a journal. */
function digestOfJournal(journal: string): string {
  const decoded = decodeJournal(journal, 'j')
  if (!decoded.ok) throw new Error(decoded.error.map(formatInputError).join('\n'))
  const { head, requests } = decoded.value
  const results = createResultsSink({ sha256: nodeSha256, onBlock: null })
  const run = createJournalRun(head, requests, { sink: results }, null)
  expect(advanceRun(run, Number.POSITIVE_INFINITY)).toBe('done')
  finishRun(run)
  return closeRun(run, results).digest
}

describe('R64 sim.restore in a scenario file', () => {
  const whole = reported(sound(scenarioText()))

  test('R64 tables keep both branches, and later steps keep their times', () => {
    expect(whole.trades).toEqual([100, 40])
    // The restore comes a minute later, and its next step at 3 s.
    expect(whole.times.slice(-4)).toEqual([2_000_000, 2_000_000, 62_000_000, 3_000_000])
  })

  test('R64 a run that is cut after each item has the same digest, including names', () => {
    expect(reported(sound(scenarioText()), true)).toMatchObject({ digest: whole.digest })
  })

  test('R64 its journal can be read although its times go back, and gives the same digest', () => {
    expect(digestOfJournal(whole.journal)).toBe(whole.digest)
    const late = whole.journal.replace('sim/restore', 'sim/snapshot')
    const refused = decodeJournal(late, 'j')
    expect(refused).toMatchObject({ ok: false, error: [{ path: 'time' }] })
  })

  test.each([
    ['feeds', 'feeds: [{ format: tardis.trades, path: a.csv, instrument: BTC-PERPETUAL }]\n', 'recorded data'],
    ['strategies', 'strategies: [{ account: a, module: ./a.mjs }]\n', 'strategies'],
  ])('R64 it is refused together with %s, with its line', (section, more, what) => {
    const parsed = parseScenario(scenarioText(more), 'a.yaml')
    const words = parsed.ok ? [] : parsed.error.map(formatInputError)
    const line = scenarioText(more)
      .split('\n')
      .findIndex((text) => text.includes('sim/restore'))
    expect(words.find((text) => text.includes('no sim/restore'))).toMatch(
      new RegExp(
        `a.yaml:${line + 1}:\\d+: steps.4.call: expected no sim/restore in a run with ${section}, because ${what} cannot go back`,
      ),
    )
  })
})

const crowd = (instrument = 'BTC-PERPETUAL'): string => `version: 1
title: Traders to be put back
start: 2026-01-05T09:00:00Z
until: 2026-01-05T09:00:30Z
instruments: [${instrument}]
index: { btc_usd: 50000 }
accounts: { a: { deposit: { BTC: 1 } } }
population:
  instrument: BTC-PERPETUAL
  duration: 19s
  index: { name: btc_usd, price: 50000, tick: 0.5, every: 1s, step: 12 }
  amount: 10
  makers: { count: 4, deposit: { BTC: 20 }, every: 200ms, orders: 4, offset: [1, 20], size: [10, 400] }
  takers: { count: 4, deposit: { BTC: 5 }, every: 300ms, size: [5, 300], limit_percent: 25 }
steps:
  - { at: 10s, call: sim/snapshot, params: { name: calm } }
  - { at: 20s, call: sim/restore, params: { name: calm }, expect: { result: ok } }
`

describe('R64 a restore also restores a population', () => {
  /** The trades of a run by their second since the start. A second that ran twice has the trades of both. */
  const tradesOf = (text: string): readonly string[] => {
    const scenario = sound(text)
    const found: string[] = []
    const sink = {
      emit: (event: Event): void => {
        if (event.kind !== 'trade') return
        const { time, price, amount, maker, taker } = event
        found.push(`${time - scenario.start} ${price} ${amount} ${maker.account} ${taker.account}`)
      },
    }
    const run = createRun(scenario, { sink })
    expect(advanceRun(run, Number.POSITIVE_INFINITY)).toBe('done')
    expect(finishRun(run).failures).toEqual([])
    return found
  }

  const timeOfTrade = (text: string): number => Number(text.split(' ')[0])

  test.each([
    ['no bump', 'BTC-PERPETUAL'],
    ['a speed bump', '{ name: BTC-PERPETUAL, engine: alt, speed_bump_ms: 300 }'],
  ])('R64 traders whose orders pass %s repeat their actions', (_, instrument) => {
    const trades = tradesOf(crowd(instrument))
    const back = trades.findIndex((text, at) => {
      const before = trades[at - 1]
      return before !== undefined && timeOfTrade(text) < timeOfTrade(before)
    })
    const first = trades.slice(0, back).filter((text) => timeOfTrade(text) > 10_000_000)
    const second = trades.slice(back)
    expect(first.length).toBeGreaterThan(20)
    expect(second.slice(0, first.length)).toEqual(first)
    // The remaining trades are those of a market without a restore.
    const whole = tradesOf(crowd(instrument).replace(/ {2}- .*sim\/restore.*\n/, ''))
    expect([...trades.slice(0, back - first.length), ...second]).toEqual(whole)
  })

  test('R64 the run cut after each item and the run from its journal have the same digest', () => {
    const small = crowd().replaceAll('10s', '500ms').replaceAll('20s', '1s').replaceAll('19s', '1200ms')
    const scenario = sound(small.replace('09:00:30Z', '09:00:02Z'))
    const whole = reported(scenario)
    expect(reported(scenario, true)).toMatchObject({ digest: whole.digest })
    expect(digestOfJournal(whole.journal)).toBe(whole.digest)
  })
})
