/**
 * The thresholds of the engine, each below, at and above its limit: D2, D3. Thresholds that another test covers at equality
 * are listed with its file and title, which must exist.
 *
 * Source: STYLE 12 (for every threshold, test below, at and above it).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isInWindow } from '../../src/blocks/index.ts'
import { type Micros, micros } from '../../src/core/index.ts'
import { chunkOf, lowersDelta } from '../../src/engine/day/chunks.ts'
import { BALANCE_MAX } from '../../src/engine/day/index.ts'
import { remainingCapacity } from '../../src/engine/day/lsp-shares.ts'
import { isTooLate } from '../../src/engine/market/order-checks.ts'
import {
  countInMinute,
  countTrade,
  isIndexStale,
  reachedLimit,
  STALE_MICROS,
  secondsUntilFree,
  takeCredits,
} from '../../src/engine/state/index.ts'
import { isPastVolatility } from '../../src/engine/value/index.ts'
import { defaultConfig, sizeReason } from '../../src/model/index.ts'
import { type Market, market, type Outcome, start } from '../support/harness.ts'
import { configOf, protect } from '../support/protection-words.ts'
import { cancelQuotes, quote, quotedMarket } from '../support/quote-words.ts'
import { repository } from '../support/repository.ts'

/** One unit below the limit, at the limit, one unit above it. */
const distances = [-1, 0, 1] as const

/** A threshold: the answers below, at and above the limit, and how to ask for one of them. */
interface Threshold {
  readonly answers: readonly [below: boolean, at: boolean, above: boolean]
  readonly ask: (distance: number) => boolean
}

const minute = 60_000_000
const spec = { kind: 'future', minTradeLots: 10, stepLots: 1 } as Parameters<typeof sizeReason>[0]
const capacity = { equity: 1000n, notional: 0n, capacityFactor: 2, limitPpm: 150_000, used: 0n }

function venue(config: Parameters<typeof market>[0]['config'] = {}): Market {
  return market({
    instruments: { 'BTC-PERPETUAL': {} },
    accounts: { alice: { BTC: '10' }, bob: { BTC: '10' } },
    index: { btc_usd: '50000' },
    config,
  })
}

const isTaken = ({ refusal }: Outcome): boolean => refusal === null

/** So many units of 1e-9 more than an amount. */
const nano = (units: bigint, distance: number): bigint => units + BigInt(distance)

function reached(limit: 'quantity9' | 'delta9' | 'vega9', value: number): boolean {
  const counters = { windowStart: null, quantity9: 0, delta9: 0, vega9: 0 }
  const none = { ...configOf({}), quantity9: null, delta9: null, vega9: null }
  return reachedLimit({ ...counters, [limit]: value }, { ...none, [limit]: 100 }) !== null
}

/** The band of the perpetual at 50,000 ends at 49,250 and 50,750. */
const bandEnd = (price: number, distance: number): string => (price + distance / 2).toFixed(1)

const thresholds: { readonly [name: string]: Threshold } = {
  'order-checks: a deadline has passed': {
    answers: [false, true, true],
    ask: (distance) => isTooLate(100 + distance, 100),
  },
  'blocks/window: a signature is valid after its timestamp': {
    answers: [true, true, false],
    ask: (distance) => isInWindow(150 + distance, 100, 50),
  },
  'blocks/window: a signature is valid before its timestamp': {
    answers: [true, true, false],
    ask: (distance) => isInWindow(50 - distance, 100, 50),
  },
  'rate-buckets: credits pay for a request': {
    answers: [false, true, true],
    ask: (distance) =>
      takeCredits(
        { credits: 10 + distance, at: micros(0) },
        { capacity: 20, perMilli: 1 },
        { now: micros(0), cost: 10 },
      ),
  },
  'rate-buckets: one more request in a minute': {
    answers: [true, false, false],
    ask: (distance) =>
      countInMinute({ minute: 1, count: 10 + distance }, { now: micros(minute), most: 10 }),
  },
  'rate-buckets: a request waits for the end of a long window': {
    answers: [true, false, false],
    ask: (distance) =>
      secondsUntilFree([micros(0)], { now: micros(100 + distance), window: 100, most: 1 }) > 0,
  },
  'outages: an index is stale': {
    answers: [false, true, true],
    ask: (distance) =>
      isIndexStale(
        { since: micros(5), timer: null, locked: [] },
        micros(5 + STALE_MICROS + distance),
      ),
  },
  'mmp-window: a trade opens the next window': {
    answers: [false, true, true],
    ask: (distance) => {
      const counters = { windowStart: micros(0), quantity9: 1, delta9: 0, vega9: 0 }
      const trade = { quantity9: 1, delta9: 0, vega9: 0 }
      return countTrade(counters, trade, { now: micros(50 + distance), interval: micros(50) })
    },
  },
  'mmp-window: a quantity limit is reached': {
    answers: [false, true, true],
    ask: (distance) => reached('quantity9', 100 + distance),
  },
  'mmp-window: a delta limit is reached by sales': {
    answers: [false, true, true],
    ask: (distance) => reached('delta9', -100 - distance),
  },
  'mmp-window: a vega limit is reached': {
    answers: [false, true, true],
    ask: (distance) => reached('vega9', 100 + distance),
  },
  'mmp-config: the longest window': {
    answers: [true, true, false],
    ask: (distance) => {
      const config = { ...configOf({}), interval: micros(60 * minute + distance) }
      return isTaken(configured(config))
    },
  },
  'mmp-config: the longest freeze': {
    answers: [true, true, false],
    ask: (distance) => {
      const config = { ...configOf({}), frozenTime: micros(60 * minute + distance) }
      return isTaken(configured(config))
    },
  },
  'mmp-config: the largest quantity limit': {
    answers: [true, true, false],
    ask: (distance) =>
      isTaken(configured({ ...configOf({}), quantity9: 500_000_000_000 + distance })),
  },
  'mmp-config: a delta limit below the quantity limit': {
    answers: [true, false, false],
    ask: (distance) =>
      isTaken(
        configured({ ...configOf({}), quantity9: 1_000_000_000, delta9: 1_000_000_000 + distance }),
      ),
  },
  'mmp-config: the number of named groups': {
    answers: [true, true, false],
    ask: (distance) => {
      const m = venue()
      let last = true
      for (let group = 1; group <= 16 + distance; group += 1) {
        last = isTaken(protect(m, 'alice', { name: `g${group}`, maxQuote: 0 }))
      }
      return last
    },
  },
  'quote-freeze: quotes are accepted again': {
    answers: [false, true, true],
    ask: (distance) => {
      const m = quotedMarket()
      cancelQuotes(m, {}, { freeze: true })
      m.wait(1_000_000 + distance)
      return isTaken(quote(m, { bid: { price: '49000', amount: '10' } }))
    },
  },
  'steps: the smallest order': {
    answers: [false, true, true],
    ask: (distance) => sizeReason(spec, 10 + distance) === null,
  },
  'order-checks: the highest price of a buy': {
    answers: [true, true, false],
    ask: (distance) =>
      isTaken(venue().buy('alice', { amount: '10', price: bandEnd(50_750, distance) })),
  },
  'order-checks: the lowest price of a sell': {
    answers: [false, true, true],
    ask: (distance) =>
      isTaken(venue().sell('alice', { amount: '10', price: bandEnd(49_250, distance) })),
  },
  'order-checks: the part that an iceberg shows': {
    answers: [false, true, true],
    ask: (distance) => {
      const display = `${1000 + distance * 10}`
      return isTaken(venue().buy('alice', { amount: '5000', price: '49900', display }))
    },
  },
  'order-checks: the number of open orders': {
    answers: [true, true, false],
    ask: (distance) => {
      const openOrderLimits = { ...defaultConfig(start).openOrderLimits, total: 3 }
      const m = venue({ openOrderLimits })
      let last = true
      for (let order = 1; order <= 3 + distance; order += 1) {
        last = isTaken(m.buy('alice', { amount: '10', price: '49900' }))
      }
      return last
    },
  },
  'trigger-checks: the number of trigger orders': {
    answers: [true, true, false],
    ask: (distance) => {
      const openOrderLimits = { ...defaultConfig(start).openOrderLimits, triggers: 3 }
      const m = venue({ openOrderLimits })
      const trigger = { source: 'mark_price', price: '49900' } as const
      let last = true
      for (let order = 1; order <= 3 + distance; order += 1) {
        last = isTaken(m.sell('alice', { amount: '10', type: 'stop_market', trigger }))
      }
      return last
    },
  },
  'controls: a withdrawal of free cash': {
    answers: [true, true, false],
    ask: (distance) => {
      const m = venue()
      const amount = -nano(10_000_000_000n, distance)
      const target = m.account('alice')
      return isTaken(m.send({ kind: 'deposit', target, currency: 'BTC', amount: amount as never }))
    },
  },
  'cash-transfer: the largest balance': {
    answers: [true, true, false],
    ask: (distance) => {
      const m = venue()
      const amount = nano(BALANCE_MAX - 10_000_000_000n, distance)
      const target = m.account('alice')
      return isTaken(m.send({ kind: 'deposit', target, currency: 'BTC', amount: amount as never }))
    },
  },
  'move-positions: a transfer of free cash': {
    answers: [true, true, false],
    ask: (distance) => {
      const m = venue()
      m.openAccount('alice_2', 'alice')
      const [source, target] = [m.account('alice'), m.account('alice_2')]
      const amount = nano(10_000_000_000n, distance) as never
      const transfer = {
        kind: 'transfer_cash',
        source,
        target,
        currency: 'BTC',
        nonce: null,
      } as const
      return isTaken(m.send({ ...transfer, amount }, 'alice'))
    },
  },
  'advanced-price: volatility orders end before the expiration': {
    answers: [false, true, true],
    ask: (distance) => {
      const expiration = 10_000_000_000
      const now = micros(expiration - 15 * minute + distance) as Micros
      return isPastVolatility({ now } as never, { instrument: { expiration } } as never)
    },
  },
  'lsp-shares: a participant has room': {
    answers: [true, false, false],
    ask: (distance) => remainingCapacity({ ...capacity, used: 150n + BigInt(distance) }) > 0n,
  },
  'lsp-shares: a participant may hold more': {
    answers: [true, false, false],
    ask: (distance) => remainingCapacity({ ...capacity, notional: 2000n + BigInt(distance) }) > 0n,
  },
  'chunks: a part takes delta off the account': {
    answers: [true, false, false],
    ask: (distance) => lowersDelta(10n, 20n + BigInt(distance)),
  },
  'chunks: a position is closed as a whole': {
    answers: [true, true, false],
    ask: (distance) => {
      const size = 10 + distance
      return chunkOf(size, { chunkPpm: 125_000, minTradeLots: 10 }) === size
    },
  },
}

function configured(config: ReturnType<typeof configOf>): Outcome {
  // A configuration for Block RFQs holds no margin.
  const key = { index: 'btc_usd', name: null, blockRfq: true }
  return venue().send({ kind: 'set_mmp_config', key, config }, 'alice')
}

/** Thresholds that other tests cover at equality, by the file below `test` and a part of the title. */
const covered: readonly (readonly [threshold: string, file: string, title: string])[] = [
  [
    'round: margin is enough',
    'conformance/liquidation-models.test.ts',
    'starts no liquidation, and',
  ],
  ['round: margin is enough again', 'conformance/liquidation-models.test.ts', 'ends one that is'],
  ['lsp: failures in a window', 'conformance/lsp.test.ts', 'D3 of three failures the first is'],
  ['funds: the margin of an order', 'conformance/margin.test.ts', 'funds that cover it exactly'],
  ['release: a deadline', 'conformance/deadlines.test.ts', 'at the deadline it does not'],
  ['mmp-freeze: the end of a freeze', 'conformance/mmp-freeze.test.ts', 'until its millisecond'],
  ['mmp-freeze: the first second', 'conformance/mmp-freeze.test.ts', 'until a second has passed'],
  [
    'sessions: inactivity',
    'conformance/sessions.test.ts',
    'a request at the last instant is in time',
  ],
  ['rfq-quotes: expiry', 'conformance/block-rfq-quotes.test.ts', 'it ends at its own time'],
  ['block-checks: number of legs', 'conformance/block-checks.test.ts', 'there are 20 legs at most'],
  ['deposits: an address a day', 'conformance/wallet-payments.test.ts', 'one a day, of others one'],
  ['faults: the time of a rule', 'unit/faults/rules.test.ts', 'until just before its end'],
  ['faults: so many at most', 'unit/faults/rules.test.ts', 'and so many at most'],
]

describe('D2 D3 a limit', () => {
  test.each(Object.entries(thresholds))('%s', (_, { answers, ask }) => {
    expect(distances.map(ask)).toEqual(answers)
  })

  test.each(covered)('%s is in %s', (_, file, title) => {
    expect(readFileSync(join(repository, 'test', file), 'utf8')).toContain(title)
  })
})
