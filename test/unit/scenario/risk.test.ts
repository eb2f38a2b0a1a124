/**
 * Risk in scenario files: smiles, stress parameters of margin models, liquidation, the liquidity support programme,
 * limits on combos, and the risk settings of accounts. Every mistake with its place, and the valid forms.
 */
import { describe, expect, test } from 'vitest'
import { defined, formatInputError, micros } from '../../../src/core/index.ts'
import { allAccounts } from '../../../src/engine/index.ts'
import { defaultConfig, type Event } from '../../../src/model/index.ts'
import {
  advanceRun,
  createRun,
  decodeJournal,
  encodeJournalHead,
  restoreRun,
  runScenario,
  type Scenario,
  snapshotRun,
} from '../../../src/scenario/index.ts'
import { headOf } from '../../support/journal-head.ts'
import { beginning, mistakesAfter, mistakesOf, sound } from './documents.ts'

const start = micros(1_767_603_600_000_000)

type Case = readonly [title: string, rest: string, mistakes: readonly string[]]

function configOf(rest: string): Scenario['config'] {
  return sound(beginning + rest).config
}

const everything = `venue:
  smiles: { btc_usd: { atm: 0.55, skew: -0.1, curvature: 0.123456789 } }
  portfolio_margin: { btc_usd: { price_range: 0.2, m_inc: 0.00005, max_offsetable_pnl: 1000000 } }
  haircuts: { USDT: 0.03, BTC: 0.000001 }
  liquidation: { enabled: false, chunk: 0.25 }
  lsp:
    cooldown: 90s
    capacity_factor: 3
    group_limits: { 1: 30, rwa: 0 }
    spread: 0.001
    adl_spread: 0
    commission: 0.0005
    failures: 2
    failure_window: 1h
  combo_limits: { soft: 10, hard: 20 }
  block_trades: { signature_window: 1m, approval_window: 90s, price_band: 0.05 }
`

describe('mistakes', () => {
  test.each<Case>([
    [
      'words and numbers that are none',
      'venue: { smiles: { btc_usd: { atm: high } }, liquidation: true, lsp: { failures: 0, capacity_factor: 1.5 } }\n',
      [
        '9:36: venue.smiles.btc_usd.atm: expected a number, found "high"',
        '9:59: venue.liquidation: expected a mapping, found true',
        '9:82: venue.lsp.failures: expected at least 1, found 0',
        '9:102: venue.lsp.capacity_factor: expected a whole number such as 2, found 1.5',
      ],
    ],
    [
      'indices that nothing follows',
      'venue: { smiles: { btc_uds: { atm: 0.5 } }, portfolio_margin: { eth_usd: {} } }\n',
      [
        '9:20: venue.smiles.btc_uds: expected the index of an instrument of this file, found btc_uds (did you mean btc_usd?)',
        '9:65: venue.portfolio_margin.eth_usd: expected the index of an instrument of this file, found eth_usd (did you mean btc_usd?)',
      ],
    ],
    [
      'volatilities and bends out of bounds',
      'venue: { smiles: { btc_usd: { atm: 0.001, skew: 101, curvature: 0.0000000001 } } }\n',
      [
        '9:36: venue.smiles.btc_usd.atm: expected a volatility from 0.01 to 5 with up to 9 decimals, found 0.001',
        '9:49: venue.smiles.btc_usd.skew: expected a skew from -100 to 100 with up to 9 decimals, found 101',
        '9:65: venue.smiles.btc_usd.curvature: expected a curvature from -100 to 100 with up to 9 decimals, found 0.0000000001',
      ],
    ],
    [
      'parameters of portfolio margin',
      'venue: { portfolio_margin: { btc_usd: { price_range: 1, m_inc: -1, mm_factor: 0.8 } } }\n',
      [
        '9:54: venue.portfolio_margin.btc_usd.price_range: expected a range above 0 and below 1 with up to 4 decimals, found 1',
        '9:64: venue.portfolio_margin.btc_usd.m_inc: expected a number from 0 to 1000000000000 with up to 9 decimals, found -1',
        '9:68: venue.portfolio_margin.btc_usd.mm_factor: expected one of price_range, volatility_range_up, volatility_range_down, short_term_vega_power, long_term_vega_power, min_volatility_for_shock_up, extended_table_factor, extended_dampener, m_inc, delta_total_liq_shock_threshold, max_delta_shock, min_annualised_move, annualised_move_risk, pnl_offset, max_offsetable_pnl, found mm_factor',
      ],
    ],
    [
      'parts beyond the whole',
      'venue: { haircuts: { BTC: 1.1, XYZ: 0 }, liquidation: { chunk: 0 }, lsp: { spread: 2, group_limits: { 1: -1, 9: 0.1 } } }\n',
      [
        '9:27: venue.haircuts.BTC: expected a fraction between 0 and 1 with up to 6 decimals, found 1.1',
        '9:32: venue.haircuts.XYZ: expected one of BTC, ETH, USDC, USDT, EURR, SOL, XRP, STETH, USYC, PAXG, BNB, USDE, found XYZ',
        '9:64: venue.liquidation.chunk: expected a fraction above 0 and up to 1 with up to 6 decimals, found 0',
        '9:84: venue.lsp.spread: expected a fraction between 0 and 1 with up to 6 decimals, found 2',
        '9:106: venue.lsp.group_limits.1: expected a percentage of equity from 0 to 100000 with up to 4 decimals, found -1',
        '9:110: venue.lsp.group_limits.9: expected one of 1, 2, 3, 4, 5, 6, rwa, found 9',
      ],
    ],
    [
      'durations',
      'venue: { lsp: { cooldown: 0ms, failure_window: soon } }\n',
      [
        '9:27: venue.lsp.cooldown: expected a duration above 0 and up to 365d, found "0ms"',
        '9:48: venue.lsp.failure_window: expected a duration such as 250us, 5ms, 1.5s, 2m, 3h or 1d, found "soon"',
      ],
    ],
    [
      'settings of block trades out of bounds',
      'venue: { block_trades: { signature_window: 2d, approval_window: soon, price_band: 1.5 } }\n',
      [
        '9:44: venue.block_trades.signature_window: expected a duration above 0 and up to 1d, found "2d"',
        '9:65: venue.block_trades.approval_window: expected a duration such as 250us, 5ms, 1.5s, 2m, 3h or 1d, found "soon"',
        '9:83: venue.block_trades.price_band: expected a fraction between 0 and 1 with up to 6 decimals, found 1.5',
      ],
    ],
    [
      'limits of combos that are upside down',
      'venue: { combo_limits: { soft: 30, hard: 20 } }\n',
      ['9:32: venue.combo_limits.soft: expected a limit up to the hard limit, 20, found 30'],
    ],
    [
      'a hard limit below the usual soft one',
      'venue: { combo_limits: { hard: 20 } }\n',
      ['9:32: venue.combo_limits.hard: expected a limit of at least the soft limit, 1000, found 20'],
    ],
  ])('%s', (_title, rest, mistakes) => {
    const found = mistakesAfter(rest)
    expect(found).toEqual(mistakes.map((mistake) => `test.yaml:${mistake}`))
  })

  test('accounts with an unknown margin model, and invalid limits', () => {
    const text = beginning
      .replace('ann: {', 'ann: { margin_model: cross,')
      .replace('ben: {', 'ben: { lsp: { group_limits: { 1: 0.00001 } },')
    expect(mistakesOf(text)).toEqual([
      'test.yaml:7:24: accounts.ann.margin_model: expected one of segregated_sm, segregated_pm, cross_sm, cross_pm, found "cross"',
      'test.yaml:8:36: accounts.ben.lsp.group_limits.1: expected a percentage of equity from 0 to 100000 with up to 4 decimals, found 0.00001',
    ])
    expect(mistakesOf(beginning.replace('ann: {', 'ann: { lsp: false,'))).toHaveLength(1)
  })
})

describe('settings', () => {
  test("are the venue's if the file says nothing", () => {
    const { smiles, portfolioTerms, haircutsPpm, liquidation, lsp, comboLimits } = configOf('')
    expect({ smiles, portfolioTerms, haircutsPpm, liquidation, lsp, comboLimits }).toEqual({
      smiles: defaultConfig(start).smiles,
      portfolioTerms: {},
      haircutsPpm: defaultConfig(start).haircutsPpm,
      liquidation: { enabled: true, chunkPpm: 125_000 },
      lsp: defaultConfig(start).lsp,
      comboLimits: { soft: 1000, hard: 1500 },
    })
  })

  test('are the values of the file, and the usual ones for omitted keys', () => {
    const usual = defaultConfig(start)
    const config = configOf(everything)
    expect(config.smiles).toEqual({
      btc_usd: { atm9: 550_000_000, skew9: -100_000_000, curvature9: 123_456_789 },
    })
    expect(config.portfolioTerms).toMatchObject({
      btc_usd: {
        ...{ priceRange: 0.2, deltaShockIncrease: 0.00005, pnlOffsetMax: 1_000_000 },
        ...{ volatilityUp: 0.5, shortVegaPower: 0.3 },
      },
    })
    expect(config.haircutsPpm).toEqual({ ...usual.haircutsPpm, USDT: 30_000, BTC: 1 })
    expect(config.liquidation).toEqual({ enabled: false, chunkPpm: 250_000 })
    expect(config.lsp).toEqual({
      cooldown: 90_000_000,
      capacityFactor: 3,
      limitsPpm: { ...usual.lsp.limitsPpm, tier_1: 300_000, rwa: 0 },
      ...{ spreadPpm: 1_000, adlSpreadPpm: 0, commissionPpm: 500, failures: 2 },
      failureWindow: 3_600_000_000,
    })
    expect(config.comboLimits).toEqual({ soft: 10, hard: 20 })
  })

  test('are in the head of the journal, and come back', () => {
    const { config } = sound(beginning + everything)
    const head = headOf(config)
    const line = JSON.stringify(encodeJournalHead(head))
    const decoded = decodeJournal(`${line}\n`, 'journal.jsonl')
    expect(decoded).toEqual({ ok: true, value: { head, requests: [] } })
  })

  test('that a journal of an earlier version does not name are the usual', () => {
    const { config } = sound(beginning)
    const head = headOf(config)
    const { config: written, ...rest } = encodeJournalHead(head)
    const { smiles, portfolio_margin, haircuts, liquidation, lsp, combo_limits, ...older } = written as Record<
      string,
      unknown
    >
    expect([smiles, portfolio_margin, haircuts, liquidation, lsp, combo_limits]).not.toContain(undefined)
    const line = JSON.stringify({ ...rest, config: older })
    expect(decodeJournal(`${line}\n`, 'journal.jsonl')).toEqual({
      ok: true,
      value: { head, requests: [] },
    })
  })

  test('go through a snapshot of the run', () => {
    const scenario = sound(beginning + everything)
    const run = createRun(scenario, {})
    advanceRun(run, 1)
    const bytes = snapshotRun(run)
    if (!bytes.ok) throw new Error(bytes.error)
    const parts = { market: null, seats: null }
    const restored = restoreRun(bytes.value, scenario, { hooks: {}, parts })
    if (!restored.ok) throw new Error(restored.error)
    const { blockTrades } = scenario.config
    expect(restored.value.desk.exchange.config).toEqual({
      ...scenario.config,
      // Signatures of block trades are keyed with the seed.
      blockTrades: { ...blockTrades, key: scenario.seed },
    })
  })
})

test('accounts have their margin model and take part in the programme', () => {
  const text = beginning
    .replace('ann: {', 'ann: { margin_model: cross_pm, lsp: { group_limits: { 1: 30.0001, rwa: 0 } },')
    .replace('ben: {', 'ben: { lsp: true,')
  const events: Event[] = []
  const run = createRun(sound(text), { sink: { emit: (event) => events.push(event) } })
  advanceRun(run, Number.POSITIVE_INFINITY)
  const models = allAccounts(run.desk.exchange).map(({ name, marginModel }) => [name, marginModel])
  expect(models).toContainEqual(['ann', 'cross_pm'])
  expect(models).toContainEqual(['ben', 'segregated_sm'])
  const requests = sound(text).setup.filter(({ method }) => method === 'sim/set_lsp_participant')
  expect(requests.map(({ params }) => params)).toEqual([
    { account: 'ann', group_limits: { 1: 30.0001, rwa: 0 } },
    { account: 'ben' },
  ])
  expect(defined(events.at(0), 'a run has events').kind).toBe('account')
})

describe('expectations at the end', () => {
  const family = beginning.replace('ben: {', 'ben: { main: ann,')

  test('ask for transfers, the log, subaccounts and locks', () => {
    const text = `${family}steps:
  - at: 1s
    as: ann
    call: private/submit_transfer_to_subaccount
    params: { currency: BTC, amount: 2.5, destination: 5 }
expect:
  accounts:
    ann:
      transfers: { BTC: [{ amount: 2.5 }] }
      transaction_log: { BTC: [{ change: -2.5 }, { change: 10 }] }
      subaccounts: [{ username: ann }, { username: ben }]
      user_locks: [{ currency: BTC, locked: false }, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}]
`
    expect(runScenario(sound(text)).failures.map(formatInputError)).toEqual([])
    const wrong = text.replace('locked: false', 'locked: true')
    expect(runScenario(sound(wrong)).failures).toHaveLength(1)
  })

  test('expect limits of a participant; other accounts have none', () => {
    const text = `${beginning}expect: { accounts: { ann: { lsp_usage: { groups: {} } } } }\n`
    expect(runScenario(sound(text)).failures.map(formatInputError)).toEqual([
      'test.yaml:9:41: expect.accounts.ann.lsp_usage: expected an answer from private/get_lsp_usage, found other_reject not_lsp_participant',
    ])
  })

  test('expect combos, including those that steps create', () => {
    const text = `${beginning.replace('[BTC-PERPETUAL]', '[BTC-PERPETUAL, BTC-27MAR26]')}steps:
  - at: 1s
    as: ann
    call: private/create_combo
    params:
      trades:
        - { instrument_name: BTC-PERPETUAL, amount: 10, direction: sell }
        - { instrument_name: BTC-27MAR26, amount: 10, direction: buy }
expect:
  combos: { BTC: [{ id: BTC-FS-27MAR26_PERP, state: active }] }
  instruments: { BTC-FS-27MAR26_PERP: { ticker: { state: open } } }
`
    expect(runScenario(sound(text)).failures.map(formatInputError)).toEqual([])
    expect(mistakesOf(text.replace('BTC-FS-27MAR26_PERP: {', 'BTC-FS-26JUN26_PERP: {'))).toEqual([
      'test.yaml:19:18: expect.instruments.BTC-FS-26JUN26_PERP: expected an instrument of this file, found BTC-FS-26JUN26_PERP',
    ])
  })

  test('refuse unknown currencies and sections', () => {
    expect(mistakesAfter('expect: { accounts: { ann: { transfers: { BTX: [] }, locks: [] } } }\n')).toEqual([
      'test.yaml:9:43: expect.accounts.ann.transfers.BTX: expected a currency that requests can use, found BTX',
      'test.yaml:9:54: expect.accounts.ann.locks: expected one of positions, open_orders, account_summary, settlements, user_trades, transaction_log, transfers, subaccounts, user_locks, lsp_usage, found locks',
    ])
  })
})
