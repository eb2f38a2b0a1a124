/**
 * Law: snapshot, restore, continue equals continue, over a settlement boundary: with funding, a delivery, a bankruptcy
 * with a shared loss, new listings, books that reopen with a delay, and one that was halted at 08:00. Cut at any
 * command it gives the same events, hashes, bytes and results digest.
 */
import { describe, expect, test } from 'vitest'
import { amount, micros } from '../../src/core/index.ts'
import { apply, createExchange, snapshot } from '../../src/engine/index.ts'
import { nodeSha256 } from '../../src/host/index.ts'
import type { Event } from '../../src/model/index.ts'
import { createResultsSink, restoreResultsSink } from '../../src/results/index.ts'
import { expectSameFromEachCut, restored } from '../support/cut-runs.ts'
import { type Market, market } from '../support/harness.ts'

const second = 1_000_000
const minute = 60 * second
const hour = 60 * minute

/** From 09:00 over two session ends; at the first one a book is halted. */
function twoSessions(): Market {
  const rich = { BTC: '20', USDC: '1000000' }
  const m = market({
    instruments: { 'BTC-PERPETUAL': {}, 'BTC_USDC-PERPETUAL': {} },
    accounts: { alice: rich, bob: rich, carol: { BTC: '0.05' } },
    index: { btc_usd: '50000', btc_usdc: '50000' },
    config: {
      marks: 'venue',
      listedFutures: ['BTC'],
      settlementTime: micros(50_000),
      insuranceFund: { BTC: amount(1_000_000n) },
    },
  })
  const expiring = 'BTC-6JAN26'
  m.buy('alice', { amount: '60000', price: '50040' })
  m.sell('bob', { amount: '60000', price: '50060' })
  m.wait(2_500_000)
  m.buy('carol', { amount: '2000', price: '50060' })
  m.wait(minute)
  m.sell('bob', { instrument: 'BTC_USDC-PERPETUAL', amount: '2', price: '50000' })
  m.buy('alice', { instrument: 'BTC_USDC-PERPETUAL', amount: '1.5', price: '50000' })
  m.give('carol', '5000', '55000', expiring)
  m.give('carol', '50000', '54000')
  m.give('bob', '-300', '50000', expiring)
  m.buy('alice', { amount: '10', price: '49000', timeInForce: 'good_til_day' })
  m.buy('alice', { instrument: expiring, amount: '10', price: '49500' })
  m.wait(3 * hour)
  m.index('btc_usd', '49800')
  m.sell('alice', { amount: '100', price: '50040' })
  m.wait(19.5 * hour - minute)
  m.index('btc_usd', '49700')
  m.wait(10 * minute)
  m.index('btc_usd', '49750.5')
  m.wait(19 * minute)
  m.bookState('halted')
  m.wait(2 * minute)
  m.index('btc_usd', '49900')
  m.sell('bob', { instrument: 'BTC_USDC-PERPETUAL', amount: '0.5', price: '49990' })
  m.wait(3 * minute)
  m.buy('alice', {
    instrument: expiring,
    amount: '20',
    price: '49400',
    timeInForce: 'good_til_day',
  })
  m.bookState('open')
  m.buy('alice', { amount: '10', price: '49000' })
  m.wait(25_000)
  m.deposit('carol', 'BTC', '0.5')
  m.wait(25_000)
  m.buy('alice', { amount: '10', price: '49000' })
  m.wait(minute)
  m.buy('bob', { amount: '500', price: '50040' })
  m.wait(22 * hour)
  m.index('btc_usdc', '50111.1111')
  m.wait(3 * hour)
  m.sell('alice', { amount: '300', price: '49500' })
  return m
}

const { commands, events, exchange } = twoSessions()
const none = { emit: (): void => {} }

describe('a run over settlements', () => {
  test('has every event of the venue’s money', () => {
    const words = new Set(events.map((event) => ('type' in event ? `${event.kind} ${event.type}` : event.kind)))
    for (const word of [
      ...['settlement settlement', 'settlement delivery', 'funding'],
      ...['instrument_settlement settlement', 'instrument_settlement delivery', 'delivery_price'],
      ...['instrument', 'bankruptcy', 'shared_loss', 'currency_bankruptcy'],
      ...['funding_rate', 'mark', 'state'],
    ]) {
      expect([word, words.has(word)]).toEqual([word, true])
    }
    const refused = events.flatMap((event) => (event.kind === 'refusal' ? [event.refusal.reason] : []))
    expect(refused).toContain('settlement_in_progress')
    // The delivery waited until the halted book opened, but its price was already fixed.
    const [fixed] = events.filter(({ kind }) => kind === 'delivery_price')
    const [delivered] = events.filter((event) => event.kind === 'settlement' && event.type === 'delivery')
    expect((delivered?.time ?? 0) - (fixed?.time ?? 0)).toBe(4 * minute + 2_500_000)
  })

  test('that is cut at any command continues with the same events and hashes', () => {
    expectSameFromEachCut({ commands, events, exchange })
  })

  test('any copy of it that runs to the end gives the same bytes and the same digest', () => {
    const options = { sha256: nodeSha256, onBlock: null }
    const results = createResultsSink(options)
    const run = createExchange(exchange.config, results)
    const digests: string[] = []
    for (const [at, command] of commands.entries()) {
      const copy = restored(snapshot(run))
      const written = restoreResultsSink(results.snapshot(), options)
      if (!written.ok) throw new Error('a fresh snapshot of results restores')
      for (const later of commands.slice(at)) apply(copy, later, written.value)
      expect([at, Buffer.compare(snapshot(copy), snapshot(exchange))]).toEqual([at, 0])
      digests.push(JSON.stringify(written.value.finish()))
      apply(run, command, results)
    }
    expect(new Set([...digests, JSON.stringify(results.finish())]).size).toBe(1)
  })

  test('in one wait or in many: the clock’s steps change nothing', () => {
    const reported: Event[] = []
    const sink = { emit: (event: Event): void => void reported.push(event) }
    const run = createExchange(exchange.config, none)
    let sequence = 0
    const wordless = ({ kind }: Event): boolean => kind !== 'request'
    for (const command of commands) {
      const steps = command.kind === 'advance_time' ? 7 : 1
      for (let step = 1; step <= steps; step += 1) {
        sequence += 1
        const header = { sequence: sequence as typeof command.sequence, time: run.now }
        if (command.kind !== 'advance_time') apply(run, { ...command, ...header }, sink)
        else {
          const to = micros(Math.floor(run.now + (command.to - run.now) / (steps - step + 1)))
          apply(run, { ...command, ...header, to }, sink)
        }
      }
    }
    const bare = (all: readonly Event[]): readonly object[] =>
      all.filter(wordless).map((event) => ({ ...event, cause: 0, number: 0 }))
    expect(bare(reported)).toEqual(bare(events))
  })
})
