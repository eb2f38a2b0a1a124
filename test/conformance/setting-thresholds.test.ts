/**
 * Every numeric setting of an exchange is tested below, at and above its value. The list follows from the declarations;
 * a setting without a test has a reason why no result changes at its value.
 *
 * Source: STYLE 12 (for every threshold, test below, at and above it).
 */
import { describe, expect, test } from 'vitest'
import { amount, micros } from '../../src/core/index.ts'
import { crossTotals, deltaShock18, scenarioTable } from '../../src/margin/index.ts'
import {
  defaultConfig,
  defaultHistoryLimits,
  defaultPortfolioTerms,
  defaultRateLimits,
  type ExchangeConfig,
  type Fields,
  type RateLimitTerms,
  type RiskLimits,
  type Setting,
  venueSettings,
} from '../../src/model/index.ts'
import { fundingExcess, rollMove9, shockedVolatilities } from '../../src/pricing/index.ts'
import { BlockMarket, usualTerms, usualTrade } from '../support/block-market.ts'
import { DeskMarket } from '../support/desk-market.ts'
import { type Market, market, type Outcome, start } from '../support/harness.ts'
import { fiveMakers, quoteOf, RfqVenue } from '../support/rfq-venue.ts'
import { type Covered, countedUpTo, type Threshold, type Thresholds, testThresholds } from '../support/thresholds.ts'
import { TimedDesk } from '../support/timed-desk.ts'
import { bitcoin, WalletMarket } from '../support/wallet-market.ts'

const usual = defaultConfig(start)
const rich = { BTC: '1000', ETH: '1000', USDC: '1000000' }
const option = 'BTC-27MAR26-50000-C'
const isTaken = ({ refusal }: Outcome): boolean => refusal === null

type Limits = ExchangeConfig['openOrderLimits']

/** Open orders of a kind, up to three. */
function openOrders(kind: keyof Limits, instrument = 'BTC-PERPETUAL'): Threshold {
  return countedUpTo(3, () => {
    const m = market({
      instruments: { 'BTC-PERPETUAL': {}, BTC_USDC: {}, [option]: {} },
      accounts: { alice: rich },
      index: { btc_usd: '50000', btc_usdc: '50000' },
      config: { openOrderLimits: { ...usual.openOrderLimits, [kind]: 3 } },
    })
    const sizes = new Map([
      ['BTC_USDC', ['0.1', '49900']],
      [option, ['1', '0.05']],
    ])
    const [size = '10', price = '49900'] = sizes.get(instrument) ?? []
    const trigger = { source: 'mark_price', price: '49900' } as const
    return () =>
      isTaken(
        kind === 'triggers'
          ? m.sell('alice', { amount: '10', type: 'stop_market', trigger })
          : m.buy('alice', { instrument, amount: size, price }),
      )
  })
}

/** A market on the alternative engine with risk limits. */
function limitedRisk(limits: Partial<RiskLimits>): Market {
  const none = {
    futurePosition9: null,
    optionPosition9: null,
    futureOrder9: null,
    optionOrder9: null,
  }
  return market({
    instruments: { 'ETH-27MAR26': {}, 'ETH-27MAR26-3000-C': {} },
    accounts: { alice: rich },
    index: { eth_usd: '3000' },
    config: { riskLimits: { eth_usd: { ...none, ...limits } } },
  })
}

const buyFuture = (m: Market, size: number): boolean => isTaken(m.buy('alice', { amount: String(size), price: '2990' }))
const buyOption = (m: Market, size: number): boolean =>
  isTaken(m.buy('alice', { instrument: 'ETH-27MAR26-3000-C', amount: String(size), price: '0.05' }))
const nano = (units: number): number => units * 1_000_000_000

/** Combos of options; each one is created without orders. */
function combos(limits: ExchangeConfig['comboLimits']): {
  readonly m: Market
  readonly create: (count: number) => boolean
  readonly gone: () => number
} {
  const strikes = [90_000, 95_000, 100_000, 105_000, 110_000]
  const m = market({
    instruments: Object.fromEntries(strikes.map((strike) => [`BTC-27FEB26-${strike}-C`, {}])),
    accounts: { alice: rich },
    index: { btc_usd: '90000' },
    config: { comboLimits: limits },
  })
  const create = (count: number): boolean => {
    const name = `BTC-CS-27FEB26-90000_${strikes[count]}`
    const other = market({ instruments: { [name]: {} }, accounts: {}, index: {} })
    return isTaken(m.send({ kind: 'create_combo', spec: other.instrument(name) }, 'alice'))
  }
  const gone = (): number => m.exchange.instruments.filter(({ state }) => state === 'inactive').length
  return { m, create, gone }
}

const DAY = 86_400_000_000

/** Orders behind the speed bump, up to two. */
function waiting(limits: ExchangeConfig['bumpLimits'], member: boolean): Threshold {
  return countedUpTo(2, () => {
    const m = new TimedDesk({ config: { bumpLimits: limits } })
    m.result('maker', 'private/buy', { instrument_name: 'ETH-27MAR26', amount: 100, price: 3990 })
    m.result({}, 'sim/set_permissions', { account: 'taker', member })
    const order = { instrument_name: 'ETH-27MAR26', amount: 10, price: 3980 }
    return () => m.at(1).ask('taker', 'private/sell', order).reply === null
  })
}

type Bucket = Exclude<keyof RateLimitTerms, 'enabled' | 'disconnects'>
const asked: { readonly [B in Bucket]?: readonly [method: string, params: object] } = {
  nonMatching: ['private/get_positions', {}],
  trading: ['private/buy', { instrument_name: 'BTC-PERPETUAL', amount: 10, price: 49_900 }],
  spot: ['private/buy', { instrument_name: 'BTC_USDC', amount: 0.1, price: 49_900 }],
  cancelAll: ['private/cancel_all', {}],
}

function limitedRate(bucket: Bucket, burst: number): (waited: string) => boolean {
  const m = new DeskMarket({
    instruments: ['BTC-PERPETUAL', 'BTC_USDC'],
    index: { btc_usd: 50_000, btc_usdc: 50_000 },
    accounts: { alice: { BTC: 10, USDC: 1_000_000 } },
    config: { rateLimits: { ...defaultRateLimits, enabled: true, [bucket]: { burst, rate: 1 } } },
  })
  const [method, params] = asked[bucket] ?? ['public/test', {}]
  return (waited) => {
    m.venue.wait(waited)
    return m.ask('alice', method, params as never).ok
  }
}

/** Sends this many requests at once, and one a second later. */
function bucketRows(bucket: Bucket): Thresholds {
  return {
    [`rateLimits.${bucket}.burst`]: countedUpTo(3, () => {
      const ask = limitedRate(bucket, 3)
      return () => ask('0ms')
    }),
    [`rateLimits.${bucket}.rate`]: {
      answers: [false, true, true],
      ask: (distance) => {
        const ask = limitedRate(bucket, 1)
        ask('0ms')
        return ask(`${999 + distance}ms`)
      },
    },
  }
}

function rfqVenue(settings: Partial<ExchangeConfig['blockRfqs']>): RfqVenue {
  return new RfqVenue({ blockRfqs: { ...usual.blockRfqs, ...settings } })
}

/** Quotes of one maker, up to two. */
function openQuotes(setting: 'quotesMax' | 'sideQuotesMax', directions: readonly string[]): Threshold {
  return countedUpTo(2, () => {
    const m = rfqVenue({ [setting]: 2 })
    m.create()
    return (count) => {
      const direction = directions[count % directions.length]
      const quote = quoteOf({ direction, price: direction === 'buy' ? 0.04 : 0.05 })
      return m.ask('alpha', 'private/add_block_rfq_quote', quote).ok
    }
  })
}

/** A payment whose state changes after a minute. Each request takes a millisecond. */
function payment(
  settings: object,
  [method, state]: readonly [method: string, state: string],
  begin: (m: WalletMarket) => unknown,
): Threshold {
  return {
    answers: [false, true, true],
    ask: (distance) => {
      const m = new WalletMarket(settings)
      begin(m)
      m.venue.wait(`${59_999 + distance}ms`)
      return m.listed('alice', method).data[0].state === state
    },
  }
}

const deposit = { account: 'alice', currency: 'BTC', amount: 1 }
const addresses = ['1BoatSLRHtKNngkdXEeobR76b53LETtpyT', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy']

const bitcoinTerms = defaultPortfolioTerms('btc_usd')

/** The delta shock at 1 USD for a delta in 1e-9 coin, and its growth with the delta. */
function deltaShock(terms: Partial<typeof bitcoinTerms>, delta: number): bigint {
  return deltaShock18(scenarioTable({ ...bitcoinTerms, ...terms }), BigInt(delta), nano(1))
}

const rows: Thresholds = {
  'openOrderLimits.total': openOrders('total'),
  'openOrderLimits.future': openOrders('future'),
  'openOrderLimits.option': openOrders('option', option),
  'openOrderLimits.spot': openOrders('spot', 'BTC_USDC'),
  'openOrderLimits.triggers': openOrders('triggers'),
  'fundingDampers.#.from': {
    answers: [false, true, true],
    ask: (distance) => {
      const dampers = [
        { from: micros(0), rate8: 0 },
        { from: micros(100), rate8: 1_000_000 },
      ]
      const terms = { dampers, cap8: 100_000_000 } as never
      const time = micros(100 + distance)
      return fundingExcess({ mark9: nano(1001), index9: nano(1000), terms, time }) === 0n
    },
  },
  'fundingDampers.#.rate8': {
    answers: [false, false, true],
    ask: (distance) => {
      const terms = { dampers: [{ from: micros(0), rate8: 50_000 }], cap8: 100_000_000 } as never
      const mark9 = nano(1000) + 500_000_000 + distance
      return fundingExcess({ mark9, index9: nano(1000), terms, time: micros(1) }) > 0n
    },
  },
  'insuranceFund.*': {
    answers: [true, false, false],
    ask: (distance) => {
      // The loss of cat is 0.8, and ann has won.
      const fund = amount(800_000_000n + BigInt(distance))
      const m = market({
        instruments: { 'BTC-PERPETUAL': {} },
        accounts: { ann: { BTC: '1' }, cat: { BTC: '1' } },
        index: { btc_usd: '50000' },
        config: { insuranceFund: { BTC: fund } },
      })
      m.give('ann', '400000', '40000')
      m.give('cat', '-360000', '40000')
      return m.wait(23 * 3_600_000_000).events.some(({ kind }) => kind === 'shared_loss')
    },
  },
  'portfolioTerms.*.minVolatilityForShockUp': {
    answers: [false, true, true],
    ask: (distance) => {
      const volatility9 = 500_000_000 + distance * 10_000_000
      const terms = { ...bitcoinTerms, longVegaPower: 0, shortVegaPower: 0 }
      const { up9 } = shockedVolatilities(terms, volatility9, DAY, 0)
      return up9 === volatility9 * (1 + bitcoinTerms.volatilityUp)
    },
  },
  'portfolioTerms.*.deltaShockThreshold': {
    answers: [false, false, true],
    ask: (distance) => deltaShock({ deltaShockThreshold: 5 }, nano(5) + distance * 1_000_000) > 0n,
  },
  'portfolioTerms.*.deltaShockMax': {
    answers: [false, true, true],
    ask: (distance) => {
      // It grows by a hundredth per unit of delta, up to a tenth.
      const terms = { deltaShockThreshold: 5, deltaShockIncrease: 0.01, deltaShockMax: 0.1 }
      const delta = nano(15 + distance)
      return deltaShock(terms, delta) === BigInt(delta) * 100_000_000n
    },
  },
  'portfolioTerms.*.minAnnualisedMove': {
    answers: [false, true, true],
    ask: (distance) => {
      const at = { expiration: 30 * DAY, time: 0 }
      const risk9 = rollMove9({ ...bitcoinTerms, minAnnualisedMove: 0 }, at.expiration, at.time)
      const least9 = risk9 + distance
      return rollMove9({ ...bitcoinTerms, minAnnualisedMove: least9 / 1e9 }, at.expiration, at.time) === least9
    },
  },
  'haircutsPpm.*': {
    answers: [false, false, true],
    ask: (distance) => {
      const none = { excluded: 0n, spotReserve: 0n, initial18: 0n, maintenance18: 0n }
      const equity = BigInt(nano(distance))
      return crossTotals([{ ...none, index9: nano(1), equity, haircutPpm: 20_000 }]).haircut > 0n
    },
  },
  'comboLimits.hard': countedUpTo(3, () => combos({ soft: 3, hard: 3 }).create),
  'comboLimits.soft': {
    answers: [false, false, true],
    ask: (distance) => {
      const { m, create, gone } = combos({ soft: 3, hard: 4 })
      for (let count = 1; count <= 2 + distance; count += 1) create(count)
      m.wait(DAY)
      create(4)
      return gone() > 0
    },
  },
  'comboLimits: how long a combo is idle': {
    answers: [false, true, true],
    ask: (distance) => {
      const { m, create, gone } = combos({ soft: 1, hard: 4 })
      create(1)
      m.wait(DAY + distance)
      create(2)
      return gone() > 0
    },
  },
  'bumpLimits.member': waiting({ member: 2, queue: 10 }, true),
  'bumpLimits.queue': waiting({ member: 10, queue: 2 }, false),
  ...bucketRows('nonMatching'),
  ...bucketRows('trading'),
  ...bucketRows('spot'),
  ...bucketRows('cancelAll'),
  'riskLimits.*.futureOrder9': {
    answers: [true, true, false],
    ask: (distance) => buyFuture(limitedRisk({ futureOrder9: nano(1000) }), 1000 + distance),
  },
  'riskLimits.*.optionOrder9': {
    answers: [true, true, false],
    ask: (distance) => buyOption(limitedRisk({ optionOrder9: nano(5) }), 5 + distance),
  },
  'riskLimits.*.futurePosition9': {
    answers: [true, true, false],
    ask: (distance) => {
      const m = limitedRisk({ futurePosition9: nano(1000) })
      return buyFuture(m, 600) && buyFuture(m, 400 + distance)
    },
  },
  'riskLimits.*.optionPosition9': {
    answers: [true, true, false],
    ask: (distance) => {
      const m = limitedRisk({ optionPosition9: nano(5) })
      return buyOption(m, 2) && buyOption(m, 3 + distance)
    },
  },
  'blockTrades.bandPpm': {
    answers: [true, true, false],
    ask: (distance) => {
      const m = new BlockMarket({ blockTrades: { ...usual.blockTrades, bandPpm: 50_000 } })
      const trades = [{ ...usualTrade, price: 52_500 + distance * 0.5 }]
      const terms = { ...usualTerms, role: 'maker', trades }
      return m.ask('maker', 'private/verify_block_trade', terms).ok
    },
  },
  'blockTrades.approvalWindow': {
    answers: [false, true, true],
    ask: (distance) => {
      const approvalWindow = micros(60_000_000)
      const m = new BlockMarket({ blockTrades: { ...usual.blockTrades, approvalWindow } })
      const features = ['block_trade_approval']
      m.result(null, 'sim/create_key', { account: 'taker', name: 'desk', features })
      const counterparty_signature = m.sign('maker', { ...usualTerms, role: 'maker' })
      const terms = { ...usualTerms, role: 'taker', counterparty_signature }
      m.result('taker/desk', 'private/execute_block_trade', terms)
      m.venue.wait(`${59_999 + distance}ms`)
      const [request] = m.result('taker', 'private/get_block_trade_requests')
      return request.state.value === 'rejected'
    },
  },
  'blockTrades: the smallest size': {
    answers: [false, true, true],
    ask: (distance) => {
      const trades = [{ ...usualTrade, amount: 200_000 + distance * 10 }]
      const terms = { ...usualTerms, role: 'maker', trades }
      return new BlockMarket().ask('maker', 'private/verify_block_trade', terms).ok
    },
  },
  'blockRfqs.grace': {
    answers: [false, true, true],
    ask: (distance) => {
      const m = rfqVenue({ grace: micros(1_000_000) })
      const { creation_timestamp } = m.create()
      m.quote('alpha')
      m.venue.at(new Date(creation_timestamp + 999 + distance).toISOString())
      return m.seen('taker').asks.length > 0
    },
  },
  'blockRfqs.legsMax': {
    answers: [true, true, false],
    ask: (distance) => {
      const m = rfqVenue({ legsMax: 2 })
      const names = ['BTC-27MAR26-60000-C', 'BTC-27MAR26-50000-P', 'BTC-27MAR26']
      const legs = names.slice(0, 2 + distance).map((instrument_name) => {
        const size = instrument_name === 'BTC-27MAR26' ? 1_000_000 : 25
        return { instrument_name, amount: size, direction: 'buy' }
      })
      return m.ask('taker', 'private/create_block_rfq', { legs }).ok
    },
  },
  'blockRfqs.anonymousMakersMin': {
    answers: [false, true, true],
    ask: (distance) => {
      const m = rfqVenue({ anonymousMakersMin: 4 })
      const makers = fiveMakers.slice(0, 4 + distance)
      const legs = [{ instrument_name: 'BTC-27MAR26-60000-C', amount: 25, direction: 'buy' }]
      return m.ask('taker', 'private/create_block_rfq', { legs, makers, disclosed: false }).ok
    },
  },
  'blockRfqs.openMax': countedUpTo(2, () => {
    const m = rfqVenue({ openMax: 2 })
    const legs = [{ instrument_name: 'BTC-27MAR26-60000-C', amount: 25, direction: 'buy' }]
    return () => m.ask('taker', 'private/create_block_rfq', { legs }).ok
  }),
  'blockRfqs.quotesMax': openQuotes('quotesMax', ['buy', 'sell']),
  'blockRfqs.sideQuotesMax': openQuotes('sideQuotesMax', ['sell']),
  'blockRfqs.ratingWindow': {
    answers: [true, true, false],
    ask: (distance) => {
      const m = rfqVenue({ ratingWindow: micros(60_000_000) })
      m.create()
      m.quote('alpha')
      m.grace().accept()
      m.venue.wait(`${59_999 + distance}ms`)
      const { users } = m.result('taker', 'private/get_block_rfq_user_info')
      return users[0].taker_rating !== undefined
    },
  },
  'wallet.addressWait': {
    answers: [false, true, true],
    ask: (distance) => {
      const m = new WalletMarket({ addressWait: 60_000_000 })
      m.add('alice')
      m.venue.wait(`${59_999 + distance}ms`)
      return m.book('alice')[0].status === 'ready'
    },
  },
  'wallet.addressesMax': countedUpTo(2, () => {
    const m = new WalletMarket({ addressesMax: 2 })
    return (count) => {
      const address = [bitcoin, ...addresses][count - 1]
      try {
        m.add('alice', { address })
        return true
      } catch {
        return false
      }
    }
  }),
  'wallet.confirmationTime': payment({ confirmationTime: 60_000_000 }, ['get_withdrawals', 'cancelled'], (m) => {
    m.ready('alice')
    m.withdraw('alice')
  }),
  'wallet.completionTime': payment({ completionTime: 60_000_000 }, ['get_withdrawals', 'completed'], (m) => {
    m.ready('alice')
    m.move('withdrawal', m.withdraw('alice').id, 'confirmed')
  }),
  'wallet.depositTime': payment({ depositTime: 60_000_000 }, ['get_deposits', 'completed'], (m) => {
    m.result('alice', 'private/create_deposit_address', { currency: 'BTC' })
    m.result(null, 'sim/receive_deposit', deposit)
  }),
  'wallet.fees.*': {
    answers: [true, true, false],
    ask: (distance) => {
      const m = new WalletMarket({ fees: { BTC: 500_000_000n } })
      m.ready('alice')
      const withdrawal = { currency: 'BTC', address: bitcoin, amount: 9.5 + distance / 1e8 }
      return m.ask('alice', 'private/withdraw', withdrawal).ok
    },
  },
}

const rateTests = 'C47 mass quotes: a guaranteed rate'
const historyTests = 'less than twice the limit, the newest exact'

/** Settings whose thresholds other tests cover. */
const covered: readonly Covered[] = [
  ['openOrderLimits.secondaries', 'conformance/one-triggers-other.test.ts', 'C32 h limits on dormant secondaries'],
  ['settlementTime', 'conformance/settlement.test.ts', 'during a settlement that takes time'],
  ['liquidation.chunkPpm', 'conformance/thresholds.test.ts', 'chunks: a position is closed as'],
  ['lsp.cooldown', 'conformance/lsp.test.ts', 'the first assignment opens the window, which'],
  ['lsp.capacityFactor', 'conformance/thresholds.test.ts', 'lsp-shares: a participant may hold'],
  ['lsp.limitsPpm.*', 'conformance/thresholds.test.ts', 'lsp-shares: a participant has room'],
  ['lsp.failures', 'conformance/lsp.test.ts', 'D3 of three failures the first is'],
  ['lsp.failureWindow', 'conformance/lsp.test.ts', 'D3 of three failures the first is'],
  ['rateLimits.maximumQuotes.burst', 'conformance/rate-limits.test.ts', rateTests],
  ['rateLimits.maximumQuotes.rate', 'conformance/rate-limits.test.ts', rateTests],
  ['rateLimits.maximumMassQuotes.burst', 'conformance/rate-limits.test.ts', rateTests],
  ['rateLimits.maximumMassQuotes.rate', 'conformance/rate-limits.test.ts', rateTests],
  ['rateLimits.guaranteedMassQuotes.burst', 'conformance/rate-limits.test.ts', rateTests],
  ['rateLimits.guaranteedMassQuotes.rate', 'conformance/rate-limits.test.ts', rateTests],
  ['blockTrades.signatureWindow', 'conformance/thresholds.test.ts', 'a signature is valid after'],
  ['blockTrades.legsMax', 'conformance/block-checks.test.ts', 'and 20 legs at most'],
  ['blockRfqs.expiry', 'conformance/block-rfq-ends.test.ts', 'it expires after five minutes'],
  ...Object.keys(defaultHistoryLimits).map(
    (field): Covered => [`historyLimits.${field}`, 'unit/rpc/history/series.test.ts', historyTests],
  ),
]

const isLevel = 'a level that everything follows from in proportion'

/** Settings at whose value no result changes, with the reason. */
const proportions: { readonly [setting: string]: string } = {
  'smiles.*.atm9': isLevel,
  'smiles.*.skew9': isLevel,
  'smiles.*.curvature9': isLevel,
  'portfolioTerms.*.priceRange': isLevel,
  'portfolioTerms.*.volatilityUp': isLevel,
  'portfolioTerms.*.volatilityDown': isLevel,
  'portfolioTerms.*.shortVegaPower': isLevel,
  'portfolioTerms.*.longVegaPower': isLevel,
  'portfolioTerms.*.extendedTableFactor': isLevel,
  'portfolioTerms.*.extendedDampener': isLevel,
  'portfolioTerms.*.deltaShockIncrease': isLevel,
  'portfolioTerms.*.annualisedMoveRisk': isLevel,
  'portfolioTerms.*.pnlOffset': 'replies show it, and it changes nothing',
  'portfolioTerms.*.pnlOffsetMax': 'replies show it, and it changes nothing',
  'lsp.spreadPpm': isLevel,
  'lsp.adlSpreadPpm': isLevel,
  'lsp.commissionPpm': isLevel,
}

const numeric = new Set(['count', 'micros', 'moment', 'parts', 'money', 'double', 'risk_limit'])

/** The places of numeric settings: fields by name, `*` for each key, `#` for each item. */
function numbersOf(fields: Fields, above = ''): string[] {
  const placed = (setting: Setting, place: string): string[] => {
    if ('fields' in setting) return numbersOf(setting.fields, `${place}.`)
    if ('each' in setting) return placed(setting.each, `${place}.*`)
    if ('items' in setting) return placed(setting.items, `${place}.#`)
    return numeric.has(setting.unit) ? [place] : []
  }
  return Object.entries(fields).flatMap(([field, setting]) => placed(setting, above + field))
}

describe('D2 D3 the limit of a setting', () => {
  test('every numeric setting of an exchange is listed', () => {
    const listed = [
      ...Object.keys(rows).filter((name) => !name.includes(': ')),
      ...covered.map(([name]) => name),
      ...Object.keys(proportions),
    ]
    expect(listed.toSorted()).toEqual(numbersOf(venueSettings).toSorted())
  })

  testThresholds(rows, covered)
})
