/**
 * Liquidations and the liquidity support programme, as accounts see them in replies.
 * Source: interface document, LSP usage record and private/get_lsp_usage; sessions document 7; market.md 6.6;
 * trading.md 5.1, 5.2; coverage R22, R29, R53.
 */
import { describe, expect, test } from 'vitest'
import { micros } from '../../src/core/index.ts'
import { defaultConfig } from '../../src/model/index.ts'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'

const perpetual = { instrument_name: 'BTC_USDC-PERPETUAL' }
const usage = 'private/get_lsp_usage'
const locks = 'private/get_user_locks'
const span = { start_timestamp: 0, end_timestamp: 4_000_000_000_000 }

/** Alice is long 2 BTC at 50,000 with 3,000 USDC. At 48,980 her balance is below the maintenance margin. */
function market(accounts: Readonly<Record<string, Readonly<Record<string, number>>>>): DeskMarket {
  const m = deskMarket({
    instruments: [perpetual.instrument_name],
    index: { btc_usdc: 50_000 },
    accounts: { alice: { USDC: 3_000 }, ...accounts },
  })
  m.result(null, 'sim/give_position', { account: 'alice', ...perpetual, amount: 2, price: 50_000 })
  return m
}

function fall(m: DeskMarket, price = 48_980): void {
  m.result(null, 'sim/set_index', { index_name: 'btc_usdc', price })
  m.venue.wait('1s')
}

describe('private/get_lsp_usage', () => {
  test('S264 S265 S266 only for a participant, without parameters', () => {
    const m = market({ pat: { USDC: 100_000 } })
    expect(m.refusal('pat', usage)).toBe('11030 other_reject not_lsp_participant')
    m.result(null, 'sim/set_lsp_participant', { account: 'pat' })
    const { cooldown_period_ms, groups } = m.result('pat', usage)
    expect(cooldown_period_ms).toBe(300_000)
    expect(Object.keys(groups)).toEqual(['1', '2', '3', '4', '5', '6', 'rwa'])
    const unused = { used: 0, cooldown_start: null, cooldown_end: null }
    expect(groups).toMatchObject({ 1: { pct: 15, ...unused }, rwa: { pct: 10, ...unused } })
    expect(m.refusal('alice', usage)).toBe('11030 other_reject not_lsp_participant')
    m.result(null, 'sim/set_lsp_participant', { account: 'pat', enabled: false })
    expect(m.refusal('pat', usage)).toBe('11030 other_reject not_lsp_participant')
  })

  test('S156 S157 S162 S163 S164 the participant’s limits of every group, and nothing more', () => {
    const m = market({ pat: { USDC: 100_000 } })
    const group_limits = { 1: 7.5, 2: 0, rwa: 0.0001 }
    m.result(null, 'sim/set_lsp_participant', { account: 'pat', group_limits })
    const { groups } = m.result('pat', usage)
    expect(groups['1'].pct).toBe(7.5)
    expect(groups.rwa.pct).toBe(0.0001)
    expect(Object.keys(groups)).toEqual(['1', '2', '3', '4', '5', '6', 'rwa'])
    expect(Object.keys(groups['1'])).toEqual(['pct', 'used', 'cooldown_start', 'cooldown_end'])
    const refused = (limits: Json): string =>
      m.refusal(null, 'sim/set_lsp_participant', { account: 'pat', group_limits: limits })
    expect(refused({ 1: -1 })).toContain('-32602 Invalid params group_limits.1 ')
    expect(refused({ 7: 1 })).toContain('-32602 Invalid params group_limits')
    expect(m.refusal(null, 'sim/set_lsp_participant', { account: 'nobody' })).toBe(
      '-32602 Invalid params account unknown_account',
    )
  })

  test('S158 S159 S160 S161 the amount that assignments used; it resets in one step when its window ends', () => {
    const m = market({ pat: { USDC: 100_000 } })
    m.result(null, 'sim/set_lsp_participant', { account: 'pat' })
    fall(m)
    const { '1': group } = m.result('pat', usage).groups
    // 0.25 BTC at 48,980 less 0.25 %.
    expect(group.used).toBe(12_214.3875)
    expect(group.cooldown_end - group.cooldown_start).toBe(300_000)
    m.venue.at(new Date(group.cooldown_end - 2).toISOString())
    expect(m.result('pat', usage).groups['1'].used).toBeGreaterThanOrEqual(group.used)
    m.venue.at(new Date(group.cooldown_end).toISOString())
    const after = m.result('pat', usage).groups['1']
    expect([after.used, after.cooldown_start, after.cooldown_end]).toEqual([0, null, null])
  })

  test('R54 S265 only the participant sees its configuration, and only limits that it set', () => {
    const method = 'private/get_lsp_participant_config'
    const m = market({ pat: { USDC: 100_000 }, poor: { USDC: 1 } })
    expect(m.refusal('pat', method)).toBe('11030 other_reject not_lsp_participant')
    const enter = (account: string, more: Json = {}): void =>
      m.result(null, 'sim/set_lsp_participant', { account, ...more })
    enter('pat')
    expect(m.result('pat', method)).toEqual({ config: { enabled: true, group_limits: {} } })
    enter('pat', { group_limits: { 2: 7.5, rwa: 0 } })
    const group_limits = { 2: 7.5, rwa: 0 }
    expect(m.result('pat', method)).toEqual({ config: { enabled: true, group_limits } })
    enter('pat', { enabled: false })
    expect(m.refusal('pat', method)).toBe('11030 other_reject not_lsp_participant')
  })

  test('R54 a participant that failed too often is shown as disabled', () => {
    const { lsp } = defaultConfig(micros(0))
    const m = deskMarket({
      instruments: [perpetual.instrument_name, 'SOL_USDC-PERPETUAL'],
      index: { btc_usdc: 60_000, sol_usdc: 100 },
      accounts: { alice: { USDC: 450 }, pat: { USDC: 1000 } },
      config: { marks: 'index', lsp: { ...lsp, failures: 2, capacityFactor: 100 } },
    })
    const give = (account: string, instrument_name: string, amount: number, price: number): void =>
      m.result(null, 'sim/give_position', { account, instrument_name, amount, price })
    // All its 1000 USDC are margin of its position, so it cannot take over the amount that it is offered.
    give('pat', 'SOL_USDC-PERPETUAL', 250, 100)
    give('alice', perpetual.instrument_name, 0.3, 60_000)
    m.result(null, 'sim/set_lsp_participant', { account: 'pat' })
    fall(m, 59_000)
    for (let round = 0; round < 20; round += 1) m.venue.wait('1s')
    const { config } = m.result('pat', 'private/get_lsp_participant_config')
    expect(config).toEqual({ enabled: false, group_limits: {} })
  })

  test('the logs of both sides show the transfer and the commission', () => {
    const m = market({ pat: { USDC: 100_000 } })
    m.result(null, 'sim/set_lsp_participant', { account: 'pat' })
    fall(m)
    const logOf = (account: string, query: string): Json =>
      m.result(account, 'private/get_transaction_log', { currency: 'USDC', ...span, query }).logs
    expect(logOf('alice', 'lsp_transfer')).toMatchObject([
      { side: 'close sell', amount: 0.25, price: 48_857.55, cashflow: -285.6125, role: 'source' },
    ])
    expect(logOf('alice', 'lsp_commission')).toMatchObject([{ change: -3.05359688 }])
    const [taken] = logOf('pat', 'lsp transfer')
    expect(taken).toMatchObject({ type: 'lsp_transfer', side: 'open buy', role: 'destination' })
    // The two accounts have different owners.
    expect(taken).not.toHaveProperty('other_user')
    expect(logOf('pat', 'lsp_commission')).toEqual([])
  })
})

test('amounts beyond all capacities go to the opposite side: adl_transfer and adl_commission in both logs', () => {
  const m = market({ pat: { USDC: 1 }, bea: { USDC: 20_000 } })
  m.result(null, 'sim/set_lsp_participant', { account: 'pat' })
  m.result(null, 'sim/give_position', { account: 'bea', ...perpetual, amount: -2, price: 50_000 })
  fall(m)
  const logOf = (account: string): Json =>
    m.result(account, 'private/get_transaction_log', { currency: 'USDC', ...span }).logs
  const price = 48_857.55
  expect(logOf('alice').slice(0, 2)).toMatchObject([
    { type: 'adl_commission', role: 'source', change: -3.05359688 },
    {
      type: 'adl_transfer',
      role: 'source',
      side: 'close sell',
      amount: 0.25,
      position: 1.75,
      price,
    },
  ])
  // The counterparty gets half of the commission.
  expect(logOf('bea').slice(0, 2)).toMatchObject([
    { type: 'adl_commission', role: 'destination', change: 1.52679844 },
    {
      type: 'adl_transfer',
      role: 'destination',
      side: 'close buy',
      amount: 0.25,
      position: -1.75,
      price,
    },
  ])
  // Transfers are not trades.
  for (const account of ['alice', 'bea']) {
    const { trades } = m.result(account, 'private/get_user_trades_by_instrument', perpetual)
    expect(trades).toEqual([])
  }
})

describe('a liquidation in replies', () => {
  test('R22 R53 an account under liquidation is locked, in every currency', () => {
    const m = market({ bob: { USDC: 100_000 } })
    const open: Json = m.result('alice', locks)
    const known: Json = m.result(null, 'public/get_currencies')
    expect(open.map(({ currency }: Json) => currency)).toEqual(known.map(({ currency }: Json) => currency))
    expect(open).toHaveLength(12)
    for (const each of open) expect(each).toEqual({ ...each, locked: false, enabled: false })
    expect(open[0]).not.toHaveProperty('message')
    fall(m)
    for (const each of m.result('alice', locks)) {
      expect(each).toMatchObject({ locked: true, enabled: true, message: expect.any(String) })
    }
    expect(m.result('bob', locks)[2]).toMatchObject({ locked: false })
    const order = { ...perpetual, amount: 0.1, price: 49_000 }
    expect(m.refusal('alice', 'private/buy', order)).toBe('11098 account_locked')
  })

  test('S043 S056 S078 S085 R29 its order and its trades are marked as liquidation', () => {
    const m = market({ bob: { USDC: 100_000 } })
    const resting = m.result('alice', 'private/sell', {
      ...perpetual,
      amount: 0.001,
      price: 50_500,
    })
    m.result('bob', 'private/buy', { ...perpetual, amount: 1, price: 48_500 })
    fall(m, 48_800)
    const byInstrument = 'private/get_user_trades_by_instrument'
    const [own] = m.result('alice', byInstrument, perpetual).trades
    expect(own).toMatchObject({ order_type: 'liquidation', liquidation: 'T', api: false })
    const [other] = m.result('bob', byInstrument, perpetual).trades
    expect(other).toMatchObject({ order_type: 'limit', liquidation: 'T', api: true })
    const [tape] = m.result(null, 'public/get_last_trades_by_instrument', perpetual).trades
    expect(tape.liquidation).toBe('T')
    const history = 'private/get_order_history_by_instrument'
    const orders = m.result('alice', history, { ...perpetual, include_unfilled: true })
    const liquidating = orders.find(({ order_id }: Json) => order_id === own.order_id)
    expect(liquidating).toMatchObject({
      ...{ is_liquidation: true, api: false, order_type: 'limit' },
      time_in_force: 'immediate_or_cancel',
    })
    const state = m.result('alice', 'private/get_order_state', {
      order_id: resting.order.order_id,
    })
    expect(state).toMatchObject({ order_state: 'cancelled', cancel_reason: 'autoliquidation' })
    expect(state).toMatchObject({ is_liquidation: false })
    const log = m.result('alice', 'private/get_transaction_log', {
      ...{ currency: 'USDC', ...span, query: 'liquidation' },
    }).logs
    expect(log[0]).toMatchObject({ type: 'liquidation', side: 'close sell', user_role: 'taker' })
  })
})
