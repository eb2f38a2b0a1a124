/**
 * The sections `venue` and `record` of scenario files, the share of fees that accounts pay, and expectations
 * about indices and settlements: every mistake with its place, and the sound forms.
 */
import { describe, expect, test } from 'vitest'
import { formatInputError, micros } from '../../../src/core/index.ts'
import { allInstruments } from '../../../src/engine/index.ts'
import { defaultConfig } from '../../../src/model/index.ts'
import { advanceRun, createRun, finishRun, type Scenario, type ScenarioRun } from '../../../src/scenario/index.ts'
import { beginning, mistakesAfter, mistakesOf, outcomeAfter, sound } from './documents.ts'

const start = 1_767_603_600_000_000

type Case = readonly [title: string, rest: string, mistakes: readonly string[]]

function configOf(rest: string): Scenario['config'] {
  return sound(beginning + rest).config
}

/** A run to its end. */
function ended(text: string): ScenarioRun {
  const run = createRun(sound(text), {})
  expect(advanceRun(run, Number.POSITIVE_INFINITY)).toBe('done')
  expect(finishRun(run).failures.map(formatInputError)).toEqual([])
  return run
}

describe('mistakes', () => {
  test.each<Case>([
    [
      'words and numbers that are none',
      'venue: { marks: fair, fees: cheap, listed_futures: BTC, settlement_time: 5 }\n',
      [
        '9:17: venue.marks: expected one of venue, index, found "fair"',
        '9:29: venue.fees: expected one of default, aug_2026, found "cheap"',
        '9:52: venue.listed_futures: expected a list, found "BTC"',
        '9:74: venue.settlement_time: expected a text such as 50ms, found 5',
      ],
    ],
    [
      'pairs without dated futures, and one twice',
      'venue: { listed_futures: [BTC, DOGE, BTC, BTC-PERPETUAL] }\n',
      [
        '9:32: venue.listed_futures.1: expected a pair with dated futures, such as BTC or ETH_USDC, found "DOGE"',
        '9:38: venue.listed_futures.2: expected each pair once, found a second BTC',
        '9:43: venue.listed_futures.3: expected a pair with dated futures, such as BTC or ETH_USDC, found "BTC-PERPETUAL"',
      ],
    ],
    [
      'listed futures without an index',
      'venue: { listed_futures: [ETH_USDC] }\n',
      [
        '9:27: venue.listed_futures.0: expected a price under index for eth_usdc, the index of the dated futures of ETH_USDC, found none',
      ],
    ],
    [
      'listed options without an index, without options, twice',
      'venue: { listed_options: [ETH_USDC, XYZ, BTC, BTC] }\n',
      [
        '9:27: venue.listed_options.0: expected a price under index for eth_usdc, the index of the options of ETH_USDC, found none',
        '9:37: venue.listed_options.1: expected a pair with options, such as BTC or ETH_USDC, found "XYZ"',
        '9:47: venue.listed_options.3: expected each pair once, found a second BTC',
      ],
    ],
    [
      'an option that the schedule may list, and one that it does not',
      `venue: { listed_options: [BTC] }
expect: { instruments: { BTC-9JAN26-90000-C: {}, BTC-9JAN26: {} } }
`,
      ['10:50: expect.instruments.BTC-9JAN26: expected an instrument of this file, found BTC-9JAN26'],
    ],
    [
      'durations that are none, too short or too long',
      'venue: { settlement_time: 2h }\nrecord: { equity: 10ms }\n',
      [
        '9:27: venue.settlement_time: expected a duration of at most 1h, found "2h"',
        '10:19: record.equity: expected a duration of at least 1s, found "10ms"',
      ],
    ],
    [
      'money of the fund that is none',
      'venue: { insurance_fund: { BTC: -1, ETH: 0.0000000001, SOL: 5 } }\n',
      [
        '9:33: venue.insurance_fund.BTC: expected money from 0 to 9223372036.854775807 with up to 9 decimals, found -1',
        '9:42: venue.insurance_fund.ETH: expected money from 0 to 9223372036.854775807 with up to 9 decimals, found 0.0000000001',
        '9:56: venue.insurance_fund.SOL: expected one of BTC, ETH, USDC, USDT, EURR, found SOL',
      ],
    ],
    [
      'dampers of later, out of order, and of more than there is',
      `venue:
  funding_dampers:
    - { from: 2027-01-01T00:00:00Z, rate: 0.0005 }
    - { from: 2026-06-01T00:00:00Z, rate: 1.5 }
    - { from: 2028, rate: 0.000000001 }
`,
      [
        '11:15: venue.funding_dampers.0.from: expected a time up to the start, 2026-01-05T09:00:00Z, because the first entry applies from the start, found "2027-01-01T00:00:00Z"',
        '12:15: venue.funding_dampers.1.from: expected a later time than in the previous entry, found "2026-06-01T00:00:00Z"',
        '12:43: venue.funding_dampers.1.rate: expected a fraction between 0 and 1 with up to 8 decimals, found 1.5',
        '13:15: venue.funding_dampers.2.from: expected a text such as 2019-01-01T00:00:00Z, found 2028',
        '13:27: venue.funding_dampers.2.rate: expected a fraction between 0 and 1 with up to 8 decimals, found 0.000000001',
      ],
    ],
    [
      'settlements of a currency that there is not',
      'expect: { settlements: { XYZ: [] }, accounts: { ann: { settlements: { BTX: [] } } } }\n',
      [
        '9:26: expect.settlements.XYZ: expected a currency with settlements, found XYZ',
        '9:71: expect.accounts.ann.settlements.BTX: expected a currency with settlements, found BTX',
      ],
    ],
    [
      'expectations about what there is not',
      'expect: { settlements: { BTC: {} }, index: { btc_usd: [] }, accounts: { ann: { settlements: [] } } }\n',
      [
        '9:31: expect.settlements.BTC: expected a list, found a mapping',
        '9:55: expect.index.btc_usd: expected a mapping, found an empty list',
        '9:93: expect.accounts.ann.settlements: expected a mapping, found an empty list',
      ],
    ],
  ])('%s', (_title, rest, mistakes) => {
    expect(mistakesAfter(rest)).toEqual(mistakes.map((mistake) => `test.yaml:${mistake}`))
  })

  test('a share of fees above 1, or with too many decimals', () => {
    const text = beginning.replace('ann: {', 'ann: { fee_factor: 1.5,')
    expect(mistakesOf(text.replace('ben: {', 'ben: { fee_factor: 0.1234567,'))).toEqual([
      'test.yaml:7:22: accounts.ann.fee_factor: expected a fraction between 0 and 1 with up to 6 decimals, found 1.5',
      'test.yaml:8:22: accounts.ben.fee_factor: expected a fraction between 0 and 1 with up to 6 decimals, found 0.1234567',
    ])
  })

  test('a future that the schedule lists is not listed again', () => {
    const text = beginning.replace('[BTC-PERPETUAL]', '[BTC-PERPETUAL, BTC-6JAN26]')
    expect(mistakesOf(`${text}venue: { listed_futures: [BTC] }\n`)).toEqual([
      'test.yaml:4:30: instruments.1: expected an instrument that venue.listed_futures does not already list, found "BTC-6JAN26" (remove BTC-6JAN26, because steps can use it anyway; to change its fields, remove its pair from venue.listed_futures)',
    ])
  })

  test('a position in such a future is given by a step', () => {
    const held = 'ann: { positions: { BTC-6JAN26: { amount: 1000, price: 100000 } },'
    const text = `${beginning.replace('ann: {', held)}venue: { listed_futures: [BTC] }\n`
    expect(mistakesOf(text)).toEqual([
      'test.yaml:7:23: accounts.ann.positions.BTC-6JAN26: expected an instrument of this file, found BTC-6JAN26 (for an instrument from venue.listed_futures, use sim/give_position in a step at 0s)',
    ])
    const given = `${beginning}venue: { listed_futures: [BTC] }
steps:
  - { at: 0s, call: sim/give_position, params: { account: ann, instrument_name: BTC-6JAN26, amount: 1000, price: 100000 } }
`
    ended(given)
  })

  test('instruments that have expired by the start, with and without overrides', () => {
    const list = '[BTC-PERPETUAL, BTC-26DEC25, { name: BTC-5JAN26, tick_size: 0.5 }, BTC-6JAN26]'
    expect(mistakesOf(beginning.replace('[BTC-PERPETUAL]', list))).toEqual([
      'test.yaml:4:30: instruments.1: expected an instrument that expires after the start, 2026-01-05T09:00:00Z, found BTC-26DEC25',
      'test.yaml:4:51: instruments.2.name: expected an instrument that expires after the start, 2026-01-05T09:00:00Z, found BTC-5JAN26',
    ])
    const at = beginning.replace('09:00:00Z', '08:00:00Z').replace('[BTC-PERPETUAL]', '[BTC-5JAN26]')
    expect(mistakesOf(at)).toEqual([
      'test.yaml:4:15: instruments.0: expected an instrument that expires after the start, 2026-01-05T08:00:00Z, found BTC-5JAN26',
    ])
    expect(mistakesOf(at.replace('08:00:00Z', '07:59:59Z'))).toEqual([])
  })

  test('an expected index is one of the file, of a schedule, or of a step', () => {
    const text = `${beginning.replace('100000 }', '100000, eth_usd: 3000 }')}venue: { listed_futures: [ETH] }
steps:
  - { at: 0s, call: sim/set_index, params: { index_name: sol_usdc, price: 150 } }
  - { at: 0s, call: sim/list_instrument, params: { instrument_name: XRP_USDC } }
expect: { index: { btc_usd: {}, eth_usd: {}, sol_usdc: {}, xrp_usdc: {}, btc_usb: {} } }
`
    expect(mistakesOf(text)).toEqual([
      'test.yaml:13:74: expect.index.btc_usb: expected the index of an instrument of this file, found btc_usb (did you mean btc_usd?)',
    ])
  })
})

describe('settings', () => {
  test("omitted settings are the venue's own", () => {
    expect(configOf('')).toEqual(defaultConfig(micros(start)))
    expect(sound(beginning).equityEvery).toBeNull()
  })

  test('everything that can be said', () => {
    const { config, equityEvery } = sound(`${beginning}record: { equity: 90m }
venue:
  marks: index
  listed_futures: [BTC]
  settlement_time: 50ms
  insurance_fund: { BTC: 0.5, EURR: 0 }
  fees: aug_2026
  funding_dampers:
    - { from: 2019-01-01T00:00:00Z, rate: 0.0005 }
    - { from: 2026-01-05T10:00:00+01:00, rate: 0.00025 }
`)
    const usual = defaultConfig(micros(start)).insuranceFund
    expect(config).toEqual({
      ...defaultConfig(micros(start)),
      ...{ marks: 'index', listedFutures: ['BTC'], settlementTime: 50_000, feeProfile: 'aug_2026' },
      insuranceFund: { ...usual, BTC: 500_000_000n, EURR: 0n },
      fundingDampers: [
        { from: 1_546_300_800_000_000, rate8: 50_000 },
        { from: start, rate8: 25_000 },
      ],
    })
    expect(equityEvery).toBe(5_400_000_000)
  })

  test('instruments have the terms of the venue, and overrides of the file on top', () => {
    const text = beginning.replace(
      '[BTC-PERPETUAL]',
      '[BTC_USDC-PERPETUAL, { name: ETH_USDC-PERPETUAL, taker_commission: 0.001, funding_damper: 0.002 }]',
    )
    const index = '{ btc_usd: 100000, btc_usdc: 100000, eth_usdc: 3000 }'
    const run = ended(`${text.replace('{ btc_usd: 100000 }', index)}venue:
  listed_futures: [BTC]
  fees: aug_2026
  funding_dampers: [{ from: 2019-01-01T00:00:00Z, rate: 0.0005 }]
`)
    const listed = allInstruments(run.desk.exchange)
    const future = listed[0]
    expect(future).toMatchObject({ name: 'BTC-6JAN26', liquidationFee9: 10_000_000 })
    const [btc, eth] = listed.slice(-2)
    const dampers = [{ from: 1_546_300_800_000_000, rate8: 50_000 }]
    expect(btc).toMatchObject({ makerFee9: 150_000, takerFee9: 350_000, funding: { dampers } })
    const own = [{ from: 0, rate8: 200_000 }]
    expect(eth).toMatchObject({
      makerFee9: 150_000,
      takerFee9: 1_000_000,
      funding: { dampers: own },
    })
  })

  test('a feed counts on the instruments that the schedule has listed before', () => {
    const feeds = `feeds:
  - { format: tardis.derivative_ticker, path: a.csv, instrument: BTC-PERPETUAL }
venue: { listed_futures: [BTC] }
`
    const scenario = sound(beginning.replace('index: { btc_usd: 100000 }\n', '') + feeds)
    const listed = allInstruments(ended(`${beginning}venue: { listed_futures: [BTC] }\n`).desk.exchange)
    const [feed] = scenario.feeds
    expect(listed.length).toBeGreaterThan(4)
    expect(listed.find(({ name }) => name === 'BTC-PERPETUAL')?.id).toBe(feed?.units.id)
  })

  test('futures that the schedule lists later may be traded and expected', () => {
    const more = `until: 2026-01-07T09:00:00Z
venue: { listed_futures: [BTC] }
steps:
  - { at: 2026-01-06T09:00:00Z, as: ann, call: private/buy, params: { instrument_name: BTC-8JAN26, amount: 100, price: 90000 } }
expect:
  instruments: { BTC-8JAN26: { order_book: { state: open } }, BTC-6JAN26: { ticker: { state: delivered } } }
`
    expect(outcomeAfter(more).failures.map(formatInputError)).toEqual([])
  })
})

describe('expectations', () => {
  test('indices, settlements of a currency and of an account', () => {
    const more = `until: 2026-01-06T08:00:01Z
steps:
  - { at: 0ms, as: ann, call: private/buy, params: { instrument_name: BTC-PERPETUAL, amount: 1000, price: 100000 } }
  - { at: 0ms, as: ben, call: private/sell, params: { instrument_name: BTC-PERPETUAL, amount: 1000, type: market } }
expect:
  index: { btc_usd: { index_price: 100000 } }
  settlements: { BTC: [{ type: settlement, instrument_name: BTC-PERPETUAL, position: 1000 }] }
  accounts:
    ann: { settlements: { BTC: [{ type: settlement, position: 1000 }] } }
    ben: { settlements: { BTC: [{ type: settlement, position: -1000 }] } }
`
    expect(outcomeAfter(more).failures.map(formatInputError)).toEqual([])
    const wrong = more.replace('position: -1000', 'position: 1')
    expect(outcomeAfter(wrong).failures.map(formatInputError)).toEqual([
      'test.yaml:18:63: expect.accounts.ben.settlements.BTC.0.position: expected 1, found -1000',
    ])
  })

  test('an account pays its part of the fees', () => {
    const text = beginning.replace('ben: {', 'ben: { fee_factor: 0.5,')
    ended(`${text}steps:
  - { at: 0ms, as: ann, call: private/buy, params: { instrument_name: BTC-PERPETUAL, amount: 10000, price: 100000 } }
  - at: 0ms
    as: ben
    call: private/sell
    params: { instrument_name: BTC-PERPETUAL, amount: 10000, type: market }
    expect: { result: { trades: [{ fee: 0.000025 }] } }
`)
  })
})
