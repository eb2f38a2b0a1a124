/** The laws of the property-test kit: each one finds a planted violation and names it in decimal amounts. */
import { describe, expect, test } from 'vitest'
import { remainingOf, setRemaining } from '../../../src/book/order-slots.ts'
import { amount } from '../../../src/core/index.ts'
import {
  advanceRun,
  createRun,
  finishRun,
  formatInputError,
  openVenue,
  parseScenario,
  type ScenarioRun,
  type Venue,
} from '../../../src/index.ts'
import type { Event, EventSink } from '../../../src/model/index.ts'
import { assertLaws, EventLaws } from '../../../src/testing/index.ts'

const instrument_name = 'BTC-PERPETUAL'

function open(sink?: EventSink): Venue {
  return openVenue({
    start: '2026-01-05T09:00:00Z',
    instruments: [instrument_name],
    index: { btc_usd: 50_000 },
    accounts: { maker: { BTC: 1 }, taker: { BTC: 1 }, third: { BTC: 1 } },
    ...(sink === undefined ? {} : { sink }),
  })
}

/** A position of 30 USD of the maker and of -30 USD of the taker, and a resting bid of the maker. */
function trade(venue: Venue): void {
  venue.as('maker').request('private/buy', { instrument_name, amount: 50, price: 49_990 }, { advance: true })
  venue.as('taker').request('private/sell', { instrument_name, amount: 30, price: 49_990 }, { advance: true })
}

describe('laws of the state', () => {
  test('they hold after trades, deposits and withdrawals', () => {
    const venue = open()
    trade(venue)
    venue.request('sim/deposit', { account: 'maker', currency: 'BTC', amount: 0.5 })
    venue.request('sim/deposit', { account: 'taker', currency: 'BTC', amount: -0.25 })
    expect(() => assertLaws(venue.desk)).not.toThrow()
  })

  test('money that appears is named with the deposits in decimal amounts', () => {
    const { desk } = open()
    desk.history.deposited.set('BTC', amount(103_000_000_001n))
    const sum = '103.000000001 BTC deposited (with the insurance fund)'
    expect(() => assertLaws(desk)).toThrow(
      expect.objectContaining({ code: 'LAW', message: `money is conserved: expected ${sum}, found 103` }),
    )
  })

  test('an order that is filled beyond its amount is named', () => {
    const venue = open()
    trade(venue)
    const { slots } = venue.exchange
    for (let slot = 0; slot < 4; slot += 1) if (remainingOf(slots, slot) === 2) setRemaining(slots, slot, 0)
    expect(() => assertLaws(venue.desk)).toThrow(
      'an open order has a remaining amount: an order of maker in BTC-PERPETUAL filled 50 of 50',
    )
  })

  test('positions that do not sum to zero are listed with their accounts', () => {
    const venue = open()
    trade(venue)
    const { holdings } = venue.exchange.ledger
    holdings[holdings.indexOf(3)] = 4
    expect(() => assertLaws(venue.desk)).toThrow(
      'positions of an instrument sum to zero: BTC-PERPETUAL has maker 40, taker -30',
    )
  })

  test('a total of the engine that is wrong is a defect', () => {
    const venue = open()
    trade(venue)
    const maker = venue.exchange.accounts.find(({ account }) => account.name === 'maker')
    if (maker === undefined) throw new Error('the maker has an account')
    maker.openTotal += 1
    expect(() => assertLaws(venue.desk)).toThrow()
  })
})

describe('laws of events', () => {
  /** The events of a trade, with one of them changed. */
  function withChange(change: (event: Event) => Event): () => void {
    const events: Event[] = []
    const venue = open({ emit: (event) => void events.push(event) })
    trade(venue)
    const { reply } = venue.as('maker').request('private/get_open_orders', {})
    venue.as('maker').request('private/cancel', { order_id: (reply.ok && reply.result[0]?.order_id) || '' })
    const laws = new EventLaws()
    return () => {
      for (const event of events) laws.emit(change(event))
    }
  }

  test('they hold during a run', () => {
    expect(withChange((event) => event)).not.toThrow()
  })

  test.each<readonly [string, string, (event: Event) => Event]>([
    [
      'a gap',
      'events are numbered without gaps',
      (event) => (event.kind === 'trade' ? { ...event, number: event.number + 1 } : event),
    ],
    [
      'a step back in time',
      'events never go back in time',
      (event) => (event.kind === 'trade' ? { ...event, time: 5 as never } : event),
    ],
    [
      'a wrong position',
      'a position is the signed sum of its fills: expected 30 for maker in BTC-PERPETUAL, found 40',
      (event) => (event.kind === 'trade' ? { ...event, maker: { ...event.maker, position: 4 as never } } : event),
    ],
    [
      'a fill beyond the order',
      'fills do not exceed the order: 30 of 50 is filled and 30 remains for maker in BTC-PERPETUAL',
      (event) => (event.kind === 'trade' ? { ...event, maker: { ...event.maker, remaining: 3 as never } } : event),
    ],
    [
      'an event after the end of an order',
      'an order has no event after its end: order 1 of maker in BTC-PERPETUAL (30 of 50 filled) is cancelled',
      (event) =>
        event.kind === 'order' && event.change === 'filled' && event.amount === 5
          ? { ...event, state: 'cancelled' }
          : event,
    ],
    [
      'an amount that changes without an edit',
      'only an edit changes an amount',
      (event) => (event.kind === 'order' && event.change === 'cancelled' ? { ...event, amount: 6 as never } : event),
    ],
  ])('%s', (_, words, change) => {
    expect(withChange(change)).toThrow(words)
  })
})

describe('a scenario states the laws', () => {
  const text = `version: 1
title: A deposit
start: 2026-01-05T09:00:00Z
instruments: [BTC-PERPETUAL]
index: { btc_usd: 50000 }
accounts: { ann: { deposit: { BTC: 1 } } }
steps: [{ at: 1ms, call: sim/deposit, params: { account: ann, currency: BTC, amount: 1 } }]
expect: { laws: hold }
`

  function runText(): ScenarioRun {
    const scenario = parseScenario(text, 'laws.yaml')
    if (!scenario.ok) throw new Error(scenario.error.map(formatInputError).join(' '))
    const run = createRun(scenario.value, {})
    advanceRun(run, 100)
    return run
  }

  test('they hold at the end of a run', () => {
    expect(finishRun(runText()).failures).toEqual([])
  })

  test('a law that does not hold is a failure at its line', () => {
    const run = runText()
    run.desk.history.deposited.set('BTC', amount(101_000_000_000n))
    expect(finishRun(run).failures).toEqual([
      {
        ...{ file: 'laws.yaml', line: 8, column: 17, path: 'expect.laws' },
        expected: 'all laws of the exchange hold',
        found: 'money is conserved: expected 101 BTC deposited (with the insurance fund), found 102',
      },
    ])
  })
})
