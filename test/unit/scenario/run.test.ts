/** Runs: saved values, expectations as failures with places, order, set-up, the end. */
import { describe, expect, test } from 'vitest'
import type { TimedRequest } from '../../../src/backtest/index.ts'
import { formatInputError } from '../../../src/core/index.ts'
import { stateHash } from '../../../src/engine/index.ts'
import type { Event } from '../../../src/model/index.ts'
import {
  advanceRun,
  createJournalRun,
  createRun,
  decodeJournal,
  encodeJournalHead,
  encodeJournalRequest,
  finishRun,
  parseScenario,
  type RunHooks,
  runScenario,
} from '../../../src/scenario/index.ts'
import { beginning, failuresAfter, outcomeAfter, sound } from './documents.ts'

/** A bid of 100 at 99000 whose reply is saved. */
const bid =
  '{ at: 0ms, as: ann, call: private/buy, params: { instrument_name: BTC-PERPETUAL, amount: 100, price: 99000, label: "one$$" }, save: { id: result.order.order_id, size: result.order.amount, trades: result.trades } }'

test('H03 a position of any size is delivered with its fee', () => {
  const text = `version: 1
title: More nano than a safe integer holds
start: 2026-01-30T07:59:00Z
until: 2026-01-30T08:00:00Z
instruments: [{ name: BTC_USDC-30JAN26, delivery_commission: 0.001 }]
index: { btc_usdc: 60000 }
accounts:
  long: { positions: { BTC_USDC-30JAN26: { amount: 2147483648, price: 60000 } } }
`
  const fees: bigint[] = []
  const emit = (event: Event): void => {
    if (event.kind === 'settlement' && event.fee !== 0n) fees.push(event.fee)
  }
  expect(runScenario(sound(text), { sink: { emit } }).failures).toEqual([])
  expect(fees).toEqual([128_849_018_880_000_000_000n])
})

describe('saved values', () => {
  test('a whole text becomes the value, a part of one its letters, two dollars one', () => {
    const failures = failuresAfter(`steps:
  - ${bid}
  - at: 1ms
    as: ben
    call: private/buy
    params: { instrument_name: BTC-PERPETUAL, amount: $size, price: 99000, label: copy of $id at $$$size }
    expect: { result: { order: { amount: $size, label: copy of 1 at $$100 }, trades: $trades } }
expect:
  accounts:
    ann: { open_orders: [{ order_id: $id, label: one$$ }] }
    ben: { open_orders: [{ amount: $id, label: copy of $id at $$ }] }
`)
    expect(failures).toEqual([
      'test.yaml:19:36: expect.accounts.ben.open_orders.0.amount: expected "1", found 100',
      'test.yaml:19:48: expect.accounts.ben.open_orders.0.label: expected "copy of 1 at $", found "copy of 1 at $100"',
    ])
  })

  test('a part that the reply does not have fails the step that saves it and the one that needs it', () => {
    const failures = failuresAfter(`steps:
  - { at: 0ms, call: public/get_time, save: { id: result.order.order_id } }
  - { at: 1ms, as: ann, call: private/cancel, params: { order_id: $id } }
`)
    expect(failures).toEqual([
      'test.yaml:10:51: steps.0.save.id: expected result.order.order_id in the reply, found nothing',
      'test.yaml:11:5: steps.1: expected a value saved as id, found none',
    ])
  })
})

describe('expectations of steps', () => {
  test('an error without an expectation fails the run at its line', () => {
    const failures = failuresAfter(`steps:
  - { at: 0ms, as: ann, call: private/cancel, params: { order_id: "5" } }
  - { at: 0ms, as: ann, call: private/buy, params: {} }
`)
    expect(failures).toEqual([
      'test.yaml:10:5: steps.0: expected a result, found error 10004 order_not_found',
      'test.yaml:11:5: steps.1: expected a result, found error -32602 Invalid params (instrument_name: required) (instrument name, such as BTC-PERPETUAL; found nothing)',
    ])
  })

  test('a result instead of an expected error, and an error instead of an expected result', () => {
    const failures = failuresAfter(`steps:
  - { at: 0ms, call: public/get_time, expect: { error: {} } }
  - { at: 0ms, as: ann, call: private/cancel, params: { order_id: "5" }, expect: { result: {} } }
`)
    expect(failures).toEqual([
      'test.yaml:10:56: steps.0.expect.error: expected an error, found a result',
      'test.yaml:11:92: steps.1.expect.result: expected a result, found error 10004 order_not_found',
    ])
  })

  test('every difference is reported at its own place', () => {
    const failures = failuresAfter(`steps:
  - at: 0ms
    as: ann
    call: private/buy
    params: { instrument_name: BTC-PERPETUAL, amount: 100, price: 99000 }
    expect:
      result:
        order: { order_state: filled, price: 99000.00, amount: 100.5, label: ~, nope: 1, order_id: 1 }
        trades: [{ price: 99000 }]
`)
    expect(failures).toEqual([
      'test.yaml:16:31: steps.0.expect.result.order.order_state: expected "filled", found "open"',
      'test.yaml:16:64: steps.0.expect.result.order.amount: expected 100.5, found 100',
      'test.yaml:16:78: steps.0.expect.result.order.label: expected null, found ""',
      'test.yaml:16:87: steps.0.expect.result.order.nope: expected 1, found nothing',
      'test.yaml:16:100: steps.0.expect.result.order.order_id: expected 1, found "1"',
      'test.yaml:17:17: steps.0.expect.result.trades: expected a list of 1 item, found a list of 0',
    ])
  })

  test('D03 null expects a field that is null or left out, unless one of nearly its name is there', () => {
    const failures = failuresAfter(`steps:
  - at: 0ms
    as: ann
    call: private/buy
    params: { instrument_name: BTC-PERPETUAL, amount: 100, price: 99000 }
    expect: { result: { order: { cancel_reason: null, order_stat: null, amount: null } } }
`)
    expect(failures).toEqual([
      'test.yaml:14:67: steps.0.expect.result.order.order_stat: expected null, found nothing (did you mean order_state?)',
      'test.yaml:14:81: steps.0.expect.result.order.amount: expected null, found 100',
    ])
  })

  test('numbers are compared as exact decimals', () => {
    const failures = failuresAfter(`steps:
  - { at: 0ms, as: ann, call: private/get_account_summary, params: { currency: BTC }, expect: { result: { balance: 10.000, equity: 10.00000000000000000001 } } }
`)
    expect(failures).toEqual([
      'test.yaml:10:132: steps.0.expect.result.equity: expected 10.00000000000000000001, found 10',
    ])
  })
})

describe('the end of a run', () => {
  test('final expectations are compared with views: no request, no event', () => {
    const rest = `steps:
  - ${bid}
`
    const checks = `expect:
  accounts:
    ann: { positions: { BTC-PERPETUAL: { size: 1 } }, open_orders: [], account_summary: { BTC: { balance: 9 } }, user_trades: { BTC-PERPETUAL: [{}] } }
  instruments:
    BTC-PERPETUAL: { ticker: { last_price: 1 }, order_book: { bids: [[99000, 90]] }, last_trades: [{}] }
  totals: { requests: 1, trades: 1, refused: 1 }
`
    const plain = watched(rest)
    const checked = watched(rest + checks)
    expect(checked.events).toEqual(plain.events)
    expect(checked.hash).toBe(plain.hash)
    expect(checked.requests).toEqual(plain.requests)
    expect(checked.failures).toEqual([
      'expect.accounts.ann.positions.BTC-PERPETUAL.size: expected 1, found 0',
      'expect.accounts.ann.open_orders: expected a list of 0 items, found a list of 1',
      'expect.accounts.ann.account_summary.BTC.balance: expected 9, found 10',
      'expect.accounts.ann.user_trades.BTC-PERPETUAL: expected a list of 1 item, found a list of 0',
      'expect.instruments.BTC-PERPETUAL.ticker.last_price: expected 1, found null',
      'expect.instruments.BTC-PERPETUAL.order_book.bids.0.1: expected 90, found 100',
      'expect.instruments.BTC-PERPETUAL.last_trades: expected a list of 1 item, found a list of 0',
      'expect.totals.requests: expected 1, found 7',
      'expect.totals.trades: expected 1, found 0',
      'expect.totals.refused: expected 1, found 0',
    ])
  })

  test('the clock moves on to until, and due timers run', () => {
    const order =
      '{ at: 0ms, as: ann, call: private/buy, params: { instrument_name: BTC-PERPETUAL, amount: 10, price: 99000, time_in_force: good_til_day } }'
    const outcome = outcomeAfter(`until: 2026-01-06T08:00:00Z
steps: [${order}]
expect: { accounts: { ann: { open_orders: [] } } }
`)
    expect(outcome.failures).toEqual([])
    expect(outcome.end).toBe(1_767_686_400_000_000)
    expect(outcome.counts).toEqual({
      requests: 7,
      trades: 0,
      refused: 0,
      events: expect.any(Number),
    })
  })
})

describe('set-up', () => {
  test('it enters as requests at the start: instruments, indices, accounts, money, positions', () => {
    const requests = watched(
      'steps: []\n',
      beginning.replace(
        'ann: { deposit: { BTC: 10 } }',
        'ann: { deposit: { BTC: 10, USDC: 5 }, positions: { BTC-PERPETUAL: { amount: -1000, price: 99000 } } }',
      ),
    ).requests
    expect(requests.map(({ method, params }) => [method, ...Object.values(params)])).toEqual([
      ['sim/list_instrument', 'BTC-PERPETUAL'],
      ['sim/set_index', 'btc_usd', 100000],
      ['sim/create_account', 'ann'],
      ['sim/deposit', 'ann', 'BTC', 10],
      ['sim/deposit', 'ann', 'USDC', 5],
      ['sim/give_position', 'ann', 'BTC-PERPETUAL', -1000, 99000],
      ['sim/create_account', 'ben'],
      ['sim/deposit', 'ben', 'BTC', 10],
    ])
    expect(requests.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  test('refusals of the set-up are failures at their place', () => {
    const text = beginning.replace(
      'ann: { deposit: { BTC: 10 } }',
      'ann: { positions: { BTC-PERPETUAL: { amount: 5, price: 99000 } } }',
    )
    const [failure] = runScenario(sound(text)).failures
    expect(failure).toMatchObject({
      line: 7,
      path: 'accounts.ann.positions.BTC-PERPETUAL',
      expected: 'success of sim/give_position in the set-up',
      found: 'error 10021 invalid_amount',
    })
  })

  test('main accounts are opened before their subaccounts, and accounts ask for their settings', () => {
    const { setup } = sound(`${beginning.slice(0, beginning.indexOf('accounts:'))}accounts:
  second: { main: desk, deposit: { BTC: 1 }, self_trading: { mode: reject_taker, extended_to_subaccounts: true } }
  alone: { self_trading: { mode: cancel_maker } }
  desk: { deposit: { BTC: 2 } }
  third: { main: desk }
`)
    expect(setup.slice(2).map(({ account, method, params }) => [account, method, params])).toEqual([
      [null, 'sim/create_account', { name: 'desk' }],
      [null, 'sim/deposit', { account: 'desk', currency: 'BTC', amount: 2 }],
      [null, 'sim/create_account', { name: 'second', main: 'desk' }],
      ['second', 'private/set_self_trading_config', { mode: 'reject_taker', extended_to_subaccounts: true }],
      [null, 'sim/deposit', { account: 'second', currency: 'BTC', amount: 1 }],
      [null, 'sim/create_account', { name: 'alone' }],
      ['alone', 'private/set_self_trading_config', { mode: 'cancel_maker', extended_to_subaccounts: false }],
      [null, 'sim/create_account', { name: 'third', main: 'desk' }],
    ])
    expect(setup.find(({ account }) => account === 'second')).toMatchObject({
      path: 'accounts.second.self_trading',
      place: { line: 7, column: 60 },
    })
  })

  test('settings of the venue reach the exchange', () => {
    const { config } =
      sound(`${beginning}venue: { price_bands: false, self_match: cancel_maker, open_order_limits: { spot: 3, secondaries: 7 } }
record: { book: true }
`)
    expect(config).toMatchObject({
      priceBands: false,
      selfMatch: 'cancel_maker',
      bookEvents: true,
      openOrderLimits: { total: 10_000, spot: 3, triggers: 100, secondaries: 7 },
    })
  })
})

describe('subaccounts', () => {
  const head = `${beginning.slice(0, beginning.indexOf('accounts:'))}accounts:
  one: { main: desk, deposit: { BTC: 1 }, self_trading: { mode: cancel_maker, extended_to_subaccounts: true } }
  desk: { deposit: { BTC: 1 }, self_trading: { mode: reject_taker, extended_to_subaccounts: true } }
  other: { main: desk, deposit: { BTC: 1 } }
`
  const order = 'instrument_name: BTC-PERPETUAL, amount: 100, price: 99000'
  const steps = `steps:
  - { at: 0ms, as: one, call: private/buy, params: { ${order} } }
  - { at: 1ms, as: desk, call: private/sell, params: { ${order} }, expect: { error: { code: 10003 } } }
  - { at: 2ms, as: other, call: private/sell, params: { ${order} } }
  - { at: 3ms, as: desk, call: private/sell, params: { ${order} } }
  - { at: 4ms, as: one, call: private/buy, params: { ${order} } }
expect:
  accounts:
    desk: { open_orders: [], positions: { BTC-PERPETUAL: { size: 0 } } }
    one: { open_orders: [{ amount: 100, filled_amount: 0 }], positions: { BTC-PERPETUAL: { size: 100 } } }
    other: { positions: { BTC-PERPETUAL: { size: -100 } } }
`

  test('meet each other where both say so; the taker decides what happens then', () => {
    const { failures } = runScenario(sound(head + steps))
    expect(failures.map(({ path, found }) => `${path}: ${found}`)).toEqual([])
  })

  test('a journal opens them again and repeats their requests', () => {
    const scenario = sound(head + steps)
    const requests: TimedRequest[] = []
    const run = createRun(scenario, { onRequest: (request) => requests.push(request) })
    advanceRun(run, Number.POSITIVE_INFINITY)
    const lines = requests.map((request, at) => encodeJournalRequest(request, at + 1))
    const { config, equityEvery, metrics, record, title, seed, until, setup } = scenario
    const journal = decodeJournal(
      [
        encodeJournalHead({
          ...{ engine: 'test', title, scenarioSha256: null, seed, until, config },
          ...{ equityEvery, metrics, record, setup: setup.length, feeds: [] },
        }),
        ...lines,
      ]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
      'journal.jsonl',
    )
    if (!journal.ok) throw new Error(journal.error.map(formatInputError).join())
    const { head: first, requests: read } = journal.value
    const again = createJournalRun(first, read, {}, null)
    expect(advanceRun(again, Number.POSITIVE_INFINITY)).toBe('done')
    expect(stateHash(again.desk.exchange)).toBe(stateHash(run.desk.exchange))
    expect(again.counts).toEqual(run.counts)
  })
})

describe('a population', () => {
  const population = `population:
  instrument: BTC-PERPETUAL
  duration: 2m
  index: { name: btc_usd, price: 100000, tick: 0.5, every: 4s, step: 12 }
  amount: 10
  makers: { count: 2, deposit: { BTC: 5 }, every: 500ms, orders: 4, offset: [2, 30], size: [1, 40] }
  takers: { count: 2, deposit: { BTC: 1 }, every: 2s, size: [1, 20], limit_percent: 25 }
`

  test('it trades in addition to the steps, the same way for the same seed, and ends with the run', () => {
    const rest = `seed: 5\nuntil: 1m\n${population}steps:\n  - ${bid}\nexpect: { accounts: { taker-1: {} } }\n`
    const one = watched(rest)
    const again = watched(rest)
    const other = watched(rest.replace('seed: 5', 'seed: 6'))
    expect(one.failures).toEqual([])
    expect(one.hash).toBe(again.hash)
    expect(one.hash).not.toBe(other.hash)
    expect(one.requests.length).toBeGreaterThan(200)
    const last = one.requests.at(-1)?.time ?? 0
    expect(last).toBeLessThanOrEqual(1_767_603_660_000_000)
    expect(last).toBeGreaterThan(1_767_603_650_000_000)
  })

  test('its instrument and its names are checked with the rest', () => {
    const text = `${beginning.replace('ann:', 'maker-1:')}${population.replace('instrument: BTC-PERPETUAL', 'instrument: BTC-PERPETUL')}`
    const parsed = parseScenario(text, 'test.yaml')
    expect(parsed.ok ? [] : parsed.error.map(({ path, expected }) => [path, expected])).toEqual([
      ['accounts.maker-1', 'a name that the population does not use'],
      ['population.instrument', 'an instrument of this file'],
    ])
    const wrong = parseScenario(
      `${beginning}${population.replace('count: 2, deposit: { BTC: 5 }, every: 500ms', 'cuont: 2, count: 0, deposit: { BTC: 5 }, every: soon')}`,
      'test.yaml',
    )
    expect(wrong.ok ? [] : wrong.error.map(({ path, expected }) => [path, expected])).toEqual([
      ['population.makers.cuont', 'one of count, deposit, every, orders, offset, size'],
      ['population.makers.count', 'at least 1'],
      ['population.makers.every', 'a duration such as 500ms, 4s or 3h'],
    ])
  })
})

/** A run in slices with all of its hook calls. */
function watched(
  rest: string,
  head: string = beginning,
): {
  readonly events: readonly Event[]
  readonly requests: readonly { method: string; params: object; sequence: number; time: number }[]
  readonly failures: readonly string[]
  readonly hash: string
} {
  const events: Event[] = []
  const requests: { method: string; params: object; sequence: number; time: number }[] = []
  let replies = 0
  const hooks: RunHooks = {
    sink: { emit: (event) => events.push(event) },
    onRequest: ({ method, params, time }, sequence) => requests.push({ method, params, sequence, time }),
    onReply: () => {
      replies += 1
    },
  }
  const run = createRun(sound(head + rest), hooks)
  while (advanceRun(run, 2) === 'more') expect(run.counts.requests).toBe(requests.length)
  const { failures, counts } = finishRun(run)
  expect([replies, counts.requests, counts.events]).toEqual([requests.length, requests.length, events.length])
  return {
    events,
    requests,
    failures: failures.map(({ path, expected, found }) => `${path}: expected ${expected}, found ${found}`),
    hash: stateHash(run.desk.exchange),
  }
}
