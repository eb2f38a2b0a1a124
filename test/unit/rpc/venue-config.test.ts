/** Settings of a venue in a program: invalid ones are refused by name. */
import { expect, test } from 'vitest'
import { amount, micros } from '../../../src/core/index.ts'
import { defaultConfig, type ExchangeConfig } from '../../../src/model/index.ts'
import { openVenue } from '../../../src/program/index.ts'

const start = '2026-01-05T09:00:00Z'

/** Settings in an untyped program. */
function opened(config: unknown): () => unknown {
  return () => openVenue({ start, config: config as Partial<ExchangeConfig> })
}

const { lsp } = defaultConfig(micros(0))

const smile = (atm9: number): object => ({ atm9, skew9: 0, curvature9: 0 })

test.each([
  [{ marks: 'x' }, 'config.marks: expected one of venue, index, found x'],
  [{ feeProfile: 'x' }, 'config.feeProfile: expected one of default, aug_2026, found x'],
  [{ settlementTime: -5 }, 'config.settlementTime: expected whole microseconds'],
  [{ settlementTime: 3_600_000_001 }, 'from 0 to 3600000000, found 3600000001'],
  [{ listedFutures: ['XYZ'] }, 'config.listedFutures.0: expected a pair with dated futures'],
  [{ listedFutures: ['BTC', 'BTC'] }, 'config.listedFutures.1: expected each pair once, found a second BTC'],
  [
    { insuranceFund: { BTC: 5 } },
    'config.insuranceFund.BTC: expected money from 0 to 9223372036.854775807, as a bigint in 1e-9',
  ],
  [{ insuranceFund: { BTC: -1n } }, 'found -1'],
  [{ insuranceFund: { XYZ: 1n } }, 'config.insuranceFund.XYZ: expected a currency that accounts hold, found XYZ'],
  [{ fundingDampers: [] }, 'expected an entry that applies at the start, found undefined'],
  [
    { fundingDampers: [{ from: 0, rate8: -1 }] },
    'config.fundingDampers.0.rate8: expected whole counts of 1e-8 from 0 to 100000000, found -1',
  ],
  [
    {
      fundingDampers: [
        { from: 5, rate8: 1 },
        { from: 5, rate8: 1 },
      ],
    },
    'config.fundingDampers.1.from: expected a later time than in the previous entry, found 5',
  ],
  [
    { smiles: { btc_usd: smile(0) } },
    'config.smiles.btc_usd.atm9: expected whole counts of 1e-9 from 10000000 to 5000000000',
  ],
  [{ smiles: { btc_usd: smile(5_000_000_001) } }, 'found 5000000001'],
  [{ haircutsPpm: { XYZ: 1 } }, 'config.haircutsPpm.XYZ: expected a currency that accounts hold'],
  [{ haircutsPpm: { BTC: 1_000_001 } }, 'config.haircutsPpm.BTC: expected parts per million'],
  [{ liquidation: { enabled: true, chunkPpm: 0 } }, 'config.liquidation.chunkPpm: expected parts'],
  [{ lsp: { ...lsp, cooldown: 0 } }, 'config.lsp.cooldown: expected whole microseconds from 1'],
  [{ lsp: { ...lsp, capacityFactor: 1.5 } }, 'config.lsp.capacityFactor: expected a whole number'],
  [{ lsp: { ...lsp, commissionPpm: -1 } }, 'config.lsp.commissionPpm: expected parts per million'],
  [{ lsp: { ...lsp, limitsPpm: { rwa: 0.5 } } }, 'config.lsp.limitsPpm.tier_1: expected parts'],
  [{ comboLimits: { soft: 5, hard: 4 } }, 'config.comboLimits.soft: expected a limit up to the hard limit, 4, found 5'],
])('invalid settings are refused: %o', (config, message) => {
  expect(opened(config)).toThrow(RangeError)
  expect(opened(config)).toThrow(message)
})

test('settings of a program reach the exchange unchanged', () => {
  const venue = openVenue({
    ...{ start, instruments: ['BTC-PERPETUAL'], index: { btc_usd: 50_000 } },
    config: {
      ...{ marks: 'index', listedFutures: ['ETH'], settlementTime: micros(50_000) },
      insuranceFund: { BTC: amount(500_000_000n) },
    },
  })
  const fund = venue.exchange.accounts[3]?.account.name
  expect([fund, venue.exchange.config.marks]).toEqual(['house.insurance', 'index'])
  expect(venue.exchange.instruments.length).toBeGreaterThan(10)
})
