/**
 * Law: a series of options sleeps only while only time can change it, and time is checked each whole minute. So a run
 * that wakes every series at every whole second has at whole minutes the same forwards, volatilities and marks;
 * restored at any step, it continues the same.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { micros } from '../../src/core/index.ts'
import {
  advanceTo,
  apply,
  audit,
  createExchange,
  type Exchange,
  fork,
  stateHash,
  viewMarket,
} from '../../src/engine/index.ts'
import { wakeSeries } from '../../src/engine/value/wake.ts'
import type { Command } from '../../src/model/index.ts'
import { type Market, market } from '../support/harness.ts'
import { askedRuns } from '../support/property-runs.ts'

const second = 1_000_000
const minute = 60 * second
const nothing = { emit: (): void => undefined }

const future = 'BTC-27MAR26'
const names = [
  ...['BTC-27MAR26-60000-C', 'BTC-27MAR26-65000-P', 'BTC-27MAR26-70000-C'],
  ...['BTC-30JAN26-60000-P', 'BTC-6JAN26-61000-C'],
]

type Step =
  | { readonly kind: 'wait'; readonly micros: number }
  | { readonly kind: 'index'; readonly price: number }
  | { readonly kind: 'future'; readonly price: number | null }
  | {
      readonly kind: 'quote'
      readonly option: number
      readonly bid: number
      readonly width: number
    }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'pin'; readonly option: number; readonly price: number | null }
  | { readonly kind: 'list' }

const dollars = fc.integer({ min: 58_000, max: 63_000 })
const option = fc.nat(names.length - 1)
const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('wait'), micros: fc.integer({ min: 1, max: 150 * second }) }),
  fc.record({ kind: fc.constant('index'), price: dollars }),
  fc.record({ kind: fc.constant('future'), price: fc.option(dollars) }),
  fc.record({
    ...{ kind: fc.constant('quote'), option },
    ...{ bid: fc.integer({ min: 1, max: 30 }), width: fc.integer({ min: 1, max: 10 }) },
  }),
  fc.record({ kind: fc.constant('cancel') }),
  fc.record({
    ...{ kind: fc.constant('pin'), option },
    price: fc.option(fc.integer({ min: 1, max: 100 })),
  }),
  fc.record({ kind: fc.constant('list') }),
)

function played(steps: readonly Step[], marks: 'venue' | 'index'): Market {
  const m = market({
    instruments: Object.fromEntries([future, 'BTC-PERPETUAL', ...names].map((name) => [name, {}])),
    accounts: { alice: { BTC: '1000' }, bob: { BTC: '1000' } },
    index: { btc_usd: '60000' },
    config: {
      ...{ marks, priceBands: false },
      smiles: { btc_usd: { atm9: 550_000_000, skew9: -100_000_000, curvature9: 200_000_000 } },
    },
  })
  let listed = 0
  const take = (step: Step): void => {
    switch (step.kind) {
      case 'wait':
        m.wait(step.micros)
        return
      case 'index':
        m.index('btc_usd', `${step.price}`)
        return
      case 'future':
        m.mark(step.price === null ? null : `${step.price}`, future)
        return
      case 'quote': {
        const instrument = names[step.option] ?? ''
        const priceAt = (ticks: number): string => (0.005 * ticks).toFixed(3)
        m.buy('alice', { instrument, amount: '1', price: priceAt(step.bid) })
        m.sell('bob', { instrument, amount: '1', price: priceAt(step.bid + step.width) })
        return
      }
      case 'cancel':
        m.cancelAll('alice')
        return
      case 'pin':
        m.mark(step.price === null ? null : (step.price * 0.003).toFixed(3), names[step.option])
        return
      case 'list':
        listed += 1
        if (listed < 9) m.list(`BTC-30JAN26-${60_000 + 1_000 * listed}-C`)
    }
  }
  for (const step of steps) take(step)
  // To the next whole minute.
  m.wait(minute - (m.exchange.now % minute))
  return m
}

/** All values of options that sleep must not change. */
function optionsOf(exchange: Exchange): readonly unknown[] {
  return exchange.instruments.map(({ instrument, mark, option: state }) => {
    const { bandMin, bandMax } = viewMarket(exchange, instrument.id)
    return [...[instrument.name, mark, bandMin, bandMax], ...[state?.volatility9 ?? 0, state?.series.forward ?? 0]]
  })
}

function runAwake(commands: readonly Command[], like: Exchange): Exchange {
  const twin = createExchange(like.config, nothing)
  for (const command of commands) {
    const time = command.kind === 'advance_time' ? command.to : command.time
    while (twin.now < time) {
      for (const series of twin.series) wakeSeries(twin, series)
      const next = Math.floor(twin.now / second) * second + second
      advanceTo(twin, micros(Math.min(next, time)), nothing)
    }
    apply(twin, { ...command, time }, nothing)
  }
  return twin
}

const steps = fc.array(stepArbitrary, { maxLength: 25, size: 'max' })

test('at whole minutes like without sleep', () => {
  fc.assert(
    fc.property(steps, fc.constantFrom('venue', 'index'), (some, marks) => {
      const m = played(some, marks)
      expect(optionsOf(runAwake(m.commands, m.exchange))).toEqual(optionsOf(m.exchange))
    }),
    { numRuns: askedRuns(60, 1, 10) },
  )
})

test('restored at any step, it continues the same', () => {
  fc.assert(
    fc.property(steps, fc.nat(), (some, cut) => {
      const { commands, exchange } = played(some, 'venue')
      let run = createExchange(exchange.config, nothing)
      for (const [at, command] of commands.entries()) {
        apply(run, command, nothing)
        audit(run)
        if (at === cut % commands.length) run = fork(run)
      }
      expect(stateHash(run)).toBe(stateHash(exchange))
    }),
    { numRuns: askedRuns(40, 1, 8) },
  )
})
