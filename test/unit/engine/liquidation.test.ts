/**
 * The arithmetic of liquidations (market.md 6.6).
 */
import { describe, expect, test } from 'vitest'
import { defined } from '../../../src/core/index.ts'
import { chunkOf, lowersDelta } from '../../../src/engine/day/chunks.ts'
import { underMargined } from '../../../src/engine/index.ts'
import { modelOf, spareOfNets } from '../../../src/engine/value/index.ts'
import { defaultConfig } from '../../../src/model/index.ts'
import { market, start } from '../../support/harness.ts'

describe('what a round closes', () => {
  test.each([
    ['T88', 10_000, 1_250],
    ['T88', 1_234, 155],
    ['T88', 7, 1],
    ['a lot', 1, 1],
  ])('%s: of %i lots %i', (_id, size, chunk) => {
    expect(chunkOf(size, { chunkPpm: 125_000, minTradeLots: 1 })).toBe(chunk)
  })

  test('at least the smallest order, at most all of it', () => {
    expect(chunkOf(100, { chunkPpm: 125_000, minTradeLots: 25 })).toBe(25)
    expect(chunkOf(20, { chunkPpm: 125_000, minTradeLots: 25 })).toBe(20)
    expect(chunkOf(100, { chunkPpm: 1_000_000, minTradeLots: 1 })).toBe(100)
  })

  test('whole steps of sizes, and what is off them last', () => {
    const of = { chunkPpm: 125_000, minTradeLots: 10, stepLots: 10 }
    expect([100, 165, 15, 5].map((size) => chunkOf(size, of))).toEqual([20, 30, 10, 5])
    expect(chunkOf(25, { ...of, chunkPpm: 1_000_000 })).toBe(20)
  })

  test('is exact where a product of doubles is not', () => {
    const size = 9_007_199_254_740_991
    const exact = (BigInt(size) * 125_000n + 999_999n) / 1_000_000n
    expect(BigInt(chunkOf(size, { chunkPpm: 125_000, minTradeLots: 1 }))).toBe(exact)
  })
})

test('delta is lowered by a part of its own side that does not turn it by more than it was', () => {
  expect(lowersDelta(10n, 4n)).toBe(true)
  expect(lowersDelta(-10n, -4n)).toBe(true)
  expect(lowersDelta(10n, -1n)).toBe(false)
  expect(lowersDelta(10n, 20n)).toBe(false)
  expect(lowersDelta(10n, 19n)).toBe(true)
  expect(lowersDelta(0n, 1n)).toBe(false)
})

test('doubles tell what an account under cross margin has to spare, to a part in 1e11', () => {
  const m = market({
    instruments: { 'BTC-PERPETUAL': {}, 'ETH-PERPETUAL': {}, 'BTC-27MAR26-65000-C': {} },
    accounts: {
      alice: { BTC: '3.123456789', ETH: '20', USDC: '500' },
      bob: { BTC: '1000', ETH: '1000' },
    },
    models: { alice: 'cross_sm' },
    index: { btc_usd: '60000', eth_usd: '3000' },
    config: { liquidation: { ...defaultConfig(start).liquidation, enabled: true } },
  })
  m.give('alice', '300000', '60000', 'BTC-PERPETUAL')
  m.give('alice', '-41230', '3000', 'ETH-PERPETUAL')
  m.give('alice', '-1.5', '0.03', 'BTC-27MAR26-65000-C')
  for (const price of ['60000', '58000', '20000']) {
    m.index('btc_usd', price)
    const owner = defined(m.exchange.accounts[m.account('alice')], 'alice has an account')
    const shared = defined(modelOf(owner).shared ?? undefined, 'its currencies share their margin')
    const { marginBalance, maintenance } = shared.totals(m.exchange, owner)
    const exact = Number(marginBalance - maintenance)
    const nets = defined(shared.netsNear(m.exchange, owner) ?? undefined, 'sums tell what it has')
    const near = spareOfNets(nets)
    expect(near).toBeLessThan(exact)
    expect(near).toBeGreaterThan(exact - 1e-11 * Number(marginBalance + maintenance) - 1000)
  }
  expect(underMargined(m.exchange, m.account('alice'))).toHaveLength(1)
})
