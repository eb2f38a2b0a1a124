/**
 * Law: sleeping changes nothing. Instruments whose mark would not move by a tick sleep until their index or book
 * changes (DESIGN 4). A run that wakes every instrument at every whole second has the same events, premiums, marks and
 * funding.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Micros, micros } from '../../src/core/index.ts'
import { advanceTo, apply, createExchange, type Exchange, viewMarket } from '../../src/engine/index.ts'
import { wakeAll } from '../../src/engine/value/wake.ts'
import type { Command, Event, EventSink } from '../../src/model/index.ts'
import { commandsOf, configOf, intentArbitrary, worldArbitrary } from '../support/command-stream.ts'
import { type Market, market } from '../support/harness.ts'
import { askedRuns } from '../support/property-runs.ts'

const second = 1_000_000
const minute = 60 * second
const hour = 60 * minute

/** Moves the clock second by second, and wakes every instrument each time. */
function advanceAwake(exchange: Exchange, to: Micros, sink: EventSink): void {
  while (exchange.now < to) {
    wakeAll(exchange)
    const next = Math.floor(exchange.now / second) * second + second
    advanceTo(exchange, micros(Math.min(next, to)), sink)
  }
}

/** Compares a run with the same run without sleep. */
function compareAwake(config: Parameters<typeof createExchange>[0], commands: readonly Command[]): readonly Event[] {
  const events: Event[] = []
  const awake: Event[] = []
  const sink = { emit: (event: Event): void => void events.push(event) }
  const awakeSink = { emit: (event: Event): void => void awake.push(event) }
  const exchange = createExchange(config, sink)
  const twin = createExchange(config, awakeSink)
  for (const command of commands) {
    apply(exchange, command, sink)
    // The test walks through a wait before it sends the command.
    const time = command.kind === 'advance_time' ? command.to : command.time
    advanceAwake(twin, time, awakeSink)
    apply(twin, { ...command, time }, awakeSink)
  }
  expect(awake).toEqual(events)
  for (const [at, row] of exchange.instruments.entries()) {
    const { id } = row.instrument
    expect(viewMarket(twin, id)).toEqual(viewMarket(exchange, id))
    expect(twin.instruments[at]?.ema9).toBe(row.ema9)
  }
  return events
}

test('the same events on random streams as without sleep', () => {
  const intents = fc.array(intentArbitrary, { maxLength: 60, size: 'max' })
  fc.assert(
    fc.property(worldArbitrary, intents, (some, steps) => {
      const world = { ...some, marks: 'venue' as const, longestWait: 1 }
      compareAwake(configOf(world), commandsOf(world, steps))
    }),
    { numRuns: askedRuns(40, 1, 5) },
  )
})

/** Two days of a book that has a premium, does not change for hours, and expires. */
function twoDays(): Market {
  const rich = { BTC: '100', USDC: '5000000' }
  const m = market({
    instruments: { 'BTC-PERPETUAL': {}, 'BTC_USDC-PERPETUAL': {}, 'BTC-6JAN26': {} },
    accounts: { alice: rich, bob: rich },
    index: { btc_usd: '50000', btc_usdc: '50000' },
    config: { marks: 'venue' },
  })
  const spread = (instrument: string, amount: string): void => {
    m.buy('alice', { instrument, amount, price: '50050' })
    m.sell('bob', { instrument, amount, price: '50060' })
  }
  spread('BTC-PERPETUAL', '100000')
  m.wait(1_300_000)
  spread('BTC_USDC-PERPETUAL', '0.5')
  m.wait(minute)
  m.buy('bob', { amount: '1000', price: '50060' })
  spread('BTC-6JAN26', '10')
  m.wait(3 * hour)
  m.index('btc_usd', '50030')
  m.wait(10 * hour)
  m.cancelAll('alice')
  m.wait(9.75 * hour)
  m.index('btc_usd', '50100')
  m.wait(14 * minute)
  m.index('btc_usd', '49900')
  m.wait(hour)
  m.mark('50200')
  m.wait(hour)
  m.mark(null)
  m.wait(22 * hour)
  return m
}

test('the same events over two days that are mostly sleep', () => {
  const { commands, exchange } = twoDays()
  const events = compareAwake(exchange.config, commands)
  const sources = new Set(events.map((event) => ('source' in event ? event.source : null)))
  for (const source of ['fair', 'delivery', 'set']) expect(sources).toContain(source)
  expect(events.filter(({ kind }) => kind === 'funding_rate').length).toBeGreaterThan(10)
})
