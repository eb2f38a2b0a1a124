/** The journal: it reads back unchanged, and mistakes in one are reported with their line. */
import { describe, expect, test } from 'vitest'
import type { TimedRequest } from '../../../src/backtest/index.ts'
import { amount, formatInputError, instrumentId, micros } from '../../../src/core/index.ts'
import { defaultPolicies } from '../../../src/feeds/index.ts'
import { defaultConfig, sinkOf } from '../../../src/model/index.ts'
import {
  advanceRun,
  createJournalRun,
  decodeJournal,
  encodeJournalHead,
  encodeJournalRequest,
  finishRun,
  type JournalHead,
} from '../../../src/scenario/index.ts'

const start = micros(1_767_603_600_000_000)
const head: JournalHead = {
  engine: '0.1.0',
  title: 'A "quoted" title\nof two lines',
  scenarioSha256: 'ab'.repeat(32),
  seed: '7',
  until: micros(start + 60_000_001),
  config: {
    ...defaultConfig(start),
    ...{ priceBands: false, bookEvents: true, marks: 'index', listedFutures: ['BTC', 'ETH_USDC'] },
    ...{ feeProfile: 'aug_2026', settlementTime: micros(50_000) },
    fundingDampers: [
      { from: micros(0), rate8: 50_000 },
      { from: micros(start + 1), rate8: 12_345_678 },
    ],
    insuranceFund: { BTC: amount(500_000_001n), USDC: amount(0n), ETH: amount(2n ** 62n) },
  },
  equityEvery: micros(3_600_000_000),
  metrics: {
    every: micros(3_600_000_000),
    periodsPerYear: 252,
    riskFree: 0.02,
    benchmark: 'btc_usd',
  },
  record: {
    format: 'parquet',
    quotes: micros(100_000),
    bookSnapshot: { every: micros(1_000_000), depth: 5 },
    bars: [micros(60_000_000), micros(3_600_000_000)],
  },
  setup: 1,
  feeds: [
    {
      format: 'csv',
      kind: 'trades',
      paths: ['../data/trades.csv.gz'],
      pinned: ['0f'.repeat(32)],
      instrument: 'BTC-PERPETUAL',
      units: {
        id: instrumentId(0),
        tick9: 500_000_000,
        amountStep9: 10_000_000_000,
        tickSteps: [],
      },
      symbol: 'BTCUSD',
      checksSymbol: false,
      columns: { kind: 'trades', timestamp: 'ts', price: 'price', amount: 'size', delimiter: ';' },
      clock: 'local',
      policies: { ...defaultPolicies, gap: 'fail' },
      mark: null,
      begin: null,
      from: start,
      to: null,
    },
  ],
}
const requests: readonly TimedRequest[] = [
  { time: start, method: 'sim/create_account', params: { name: 'ann' }, account: null, session: 0 },
  {
    time: micros(start + 1),
    method: 'private/buy',
    params: { amount: { decimal: '0.1234567890123456789' }, price: 99000.5, label: null },
    account: 'ann',
    session: 3,
  },
  {
    ...{ time: micros(start + 1), method: 'nonsense', params: {}, account: 'ann', session: 0 },
    rights: ['account:read_write', 'trade:read'],
  },
]

const lines = [
  encodeJournalHead(head),
  ...requests.map((request, index) => encodeJournalRequest(request, index + 1)),
].map((line) => JSON.stringify(line))

function textOf(changed: readonly string[]): string {
  return changed.map((line) => `${line}\n`).join('')
}

function mistakesOf(text: string): readonly string[] {
  const decoded = decodeJournal(text, 'journal.jsonl')
  return decoded.ok ? [] : decoded.error.map(formatInputError)
}

/** The journal with one line replaced. */
function withLine(number: number, change: (line: string) => string): string {
  return textOf(lines.map((line, index) => (index === number - 1 ? change(line) : line)))
}

test('the lines match the design', () => {
  expect(lines[2]).toBe(
    '{"time":1767603600000001,"sequence":2,"account":"ann","session":3,"method":"private/buy","params":{"amount":{"decimal":"0.1234567890123456789"},"price":99000.5,"label":null}}',
  )
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    pitclock_journal: 1,
    engine: '0.1.0',
    start: '2026-01-05T09:00:00Z',
    until: '2026-01-05T09:01:00.000001Z',
  })
})

test('a journal reads back unchanged', () => {
  expect(decodeJournal(textOf(lines), 'journal.jsonl')).toEqual({
    ok: true,
    value: { head, requests },
  })
  const bare = { ...head, scenarioSha256: null, until: null, setup: 0 }
  const text = textOf([JSON.stringify(encodeJournalHead(bare))])
  expect(decodeJournal(text, 'journal.jsonl')).toEqual({
    ok: true,
    value: { head: bare, requests: [] },
  })
  const short = textOf([JSON.stringify(encodeJournalHead({ ...bare, setup: 1 }))])
  expect(decodeJournal(short, 'journal.jsonl')).toMatchObject({
    error: [{ line: 1, path: 'setup', found: '1' }],
  })
})

test('a journal without rights that has the refusal scope_exceeded replays as 13403', () => {
  const reset = 'private/reset_api_key'
  const own = { time: start, account: 'ann', session: 0 }
  const asked: readonly TimedRequest[] = [
    ...requests.slice(0, 1),
    { ...own, method: 'private/create_api_key', params: { max_scope: 'trade:read' } },
    { ...own, method: reset, params: { id: 2 } },
  ]
  const journal = [
    encodeJournalHead({ ...head, feeds: [] }),
    ...asked.map((request, at) => ({
      ...encodeJournalRequest(request, at + 1),
      ...(request.method === reset ? { refused: 'scope_exceeded' } : {}),
    })),
  ]
  const text = textOf(journal.map((line) => JSON.stringify(line)))
  const decoded = decodeJournal(text, 'journal.jsonl')
  if (!decoded.ok) throw new Error(decoded.error.map(formatInputError).join())
  // The step of rights refuses it, after all earlier steps.
  expect(decoded.value.requests[2]).toEqual({ ...asked[2], rights: [] })
  const refusals: string[] = []
  const sink = sinkOf({ refusal: ({ refusal }) => refusals.push(refusal.reason) })
  const run = createJournalRun(decoded.value.head, decoded.value.requests, { sink }, null)
  advanceRun(run, Number.POSITIVE_INFINITY)
  finishRun(run)
  expect(refusals).toEqual(['scope_exceeded'])
})

test('a journal without limits of triggers and secondaries has the usual ones', () => {
  const { triggers, secondaries } = head.config.openOrderLimits
  expect([triggers, secondaries]).toEqual([100, 100])
  const older = withLine(1, (line) => line.replace(',"triggers":100,"secondaries":100', ''))
  expect(older).not.toContain('triggers')
  expect(decodeJournal(older, 'journal.jsonl')).toEqual({ ok: true, value: { head, requests } })
})

describe('a journal that is not complete', () => {
  test('the last line was cut off', () => {
    expect(mistakesOf(textOf(lines).slice(0, -20))).toEqual([
      'journal.jsonl:4: expected a newline at the end of the last line, found an incomplete line',
    ])
    expect(mistakesOf(textOf(lines).slice(0, -1))).toEqual([
      'journal.jsonl:4: expected a newline at the end of the last line, found an incomplete line',
    ])
  })

  test('nothing at all', () => {
    expect(mistakesOf('')).toEqual(['journal.jsonl:1: expected a JSON object, found an empty line'])
  })

  test('a line is missing in the middle', () => {
    expect(mistakesOf(textOf(lines.filter((_, index) => index !== 2)))).toEqual([
      'journal.jsonl:3: sequence: expected 2, because sequence numbers increase by one from 1, found 3',
    ])
  })
})

describe('lines that are wrong', () => {
  test.each([
    ['bad JSON', 3, () => '{"time":', 'journal.jsonl:3: expected a JSON object, found {"time":'],
    ['an empty line', 3, () => '', 'journal.jsonl:3: expected a JSON object, found an empty line'],
    ['no object', 3, () => '[1]', 'journal.jsonl:3: expected a mapping, found [1]'],
    [
      'a field that is missing',
      3,
      (line: string) => line.replace('"session":3,', ''),
      'journal.jsonl:3: session: expected a number, found nothing',
    ],
    [
      'a field of another sort',
      3,
      (line: string) => line.replace('"account":"ann"', '"account":5'),
      'journal.jsonl:3: account: expected a text, found 5',
    ],
    [
      'a field that does not exist',
      3,
      (line: string) => line.replace('"session"', '"x":1,"session"'),
      'journal.jsonl:3: expected only fields of a journal, found x',
    ],
    [
      'a time that falls',
      3,
      (line: string) => line.replace('1767603600000001', '1767603599999999'),
      'journal.jsonl:3: time: expected a time not before that of the line above, 1767603600000000, found 1767603599999999',
    ],
    [
      'a number that a double would change',
      3,
      (line: string) => line.replace('99000.5', '0.12345678901234567890123'),
      'journal.jsonl:3: expected {"decimal": "0.12345678901234567890123"} for a number this long, found 0.12345678901234567890123',
    ],
    [
      'another version',
      1,
      (line: string) => line.replace('"pitclock_journal":1', '"pitclock_journal":2'),
      'journal.jsonl:1: pitclock_journal: expected 1, found 2',
    ],
    [
      'a start that is no time',
      1,
      (line: string) => line.replace('2026-01-05T09:00:00Z', 'today'),
      'journal.jsonl:1: start: expected an ISO 8601 time, found "today"',
    ],
  ] as const)('%s', (_title, number, change, expected) => {
    expect(mistakesOf(withLine(number, change))).toEqual([expected])
  })

  test('all of them at once, up to a hundred', () => {
    const text = textOf([lines[0] ?? '', ...Array.from({ length: 150 }, () => '{}')])
    const mistakes = mistakesOf(text)
    expect(mistakes.length).toBeGreaterThanOrEqual(100)
    expect(mistakes.length).toBeLessThan(110)
  })
})
