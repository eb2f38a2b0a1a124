/**
 * Accounts whose currencies share their margin, as queries show them.
 * Source: market.md 5.3, 6.4 (T78, T79); S146, S150, S153.
 */
import { describe, expect, test } from 'vitest'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'

const perpetual = { instrument_name: 'BTC-PERPETUAL' }

function market(deposits: Readonly<Record<string, number>>, margin_model: string): DeskMarket {
  const m = deskMarket({
    index: { btc_usd: 60_000, usdt_usd: 0.9992 },
    accounts: {},
  })
  m.result(null, 'sim/create_account', { name: 'alice', margin_model })
  for (const [currency, amount] of Object.entries(deposits)) {
    m.result(null, 'sim/deposit', { account: 'alice', currency, amount })
  }
  return m
}

const summaryOf = (m: DeskMarket, currency: string): Json =>
  m.result('alice', 'private/get_account_summary', { currency })

describe('cross collateral in account summaries', () => {
  test('T78 the haircut of a stable coin is its initial margin, in the coin and in USD', () => {
    const m = market({ USDT: 55.00055 }, 'cross_sm')
    expect(summaryOf(m, 'USDT')).toMatchObject({
      ...{ balance: 55.00055, equity: 55.00055, initial_margin: 1.100011, maintenance_margin: 0 },
      ...{ total_initial_margin_usd: 1.099130991, total_maintenance_margin_usd: 0 },
      ...{ margin_model: 'cross_sm', cross_collateral_enabled: true },
      ...{ portfolio_margining_enabled: false, total_delta_total_usd: 0 },
      // The remaining equity. The observed account had 54.968258 of margin balance.
      ...{ margin_balance: 55.00055, available_funds: 53.900539 },
    })
  })

  test('T79 S153 every currency shows the totals, at its index', () => {
    const m = market({ BTC: 1, USDT: 10_000 }, 'cross_sm')
    const given = { account: 'alice', ...perpetual, amount: 100_000, price: 60_000 }
    m.result(null, 'sim/give_position', given)
    const btc = summaryOf(m, 'BTC')
    expect(btc).toMatchObject({
      ...{ total_equity_usd: 69_992, total_margin_balance_usd: 69_992 },
      ...{ total_initial_margin_usd: 2208.173333333, total_maintenance_margin_usd: 1008.333333333 },
      ...{ initial_margin: 0.03680289, balance: 1, equity: 1 },
    })
    // A long position of 100,000 USD.
    expect(btc.total_delta_total_usd).toBeCloseTo(100_000, 3)
    const usdt = summaryOf(m, 'USDT')
    expect(usdt).toMatchObject({ balance: 10_000, equity: 10_000, delta_total: 0 })
    expect(usdt.margin_balance).toBeCloseTo(69_992 / 0.9992, 5)
    expect(usdt.total_initial_margin_usd).toBe(btc.total_initial_margin_usd)
    for (const { available_funds, initial_margin, margin_balance } of [btc, usdt]) {
      expect(available_funds).toBeCloseTo(margin_balance - initial_margin, 5)
    }
    const { portfolio } = m.result('alice', 'private/get_subaccounts', { with_portfolio: true })[0]
    expect(portfolio.btc.margin_balance).toBe(btc.margin_balance)
    expect(portfolio.usdt.margin_balance).toBe(usdt.margin_balance)
  })

  test('accounts with segregated or portfolio margin have no totals', () => {
    for (const model of ['segregated_sm', 'segregated_pm']) {
      const summary = summaryOf(market({ BTC: 1 }, model), 'BTC')
      expect(Object.keys(summary).filter((key) => key.startsWith('total_'))).toEqual(['total_pl'])
      expect(summary.cross_collateral_enabled).toBe(false)
    }
  })

  test('only standard margin has estimated liquidation prices', () => {
    expect(summaryOf(market({ BTC: 1 }, 'cross_sm'), 'BTC')).toHaveProperty('estimated_liquidation_ratio')
    const portfolio = summaryOf(market({ BTC: 1 }, 'cross_pm'), 'BTC')
    expect(portfolio).not.toHaveProperty('estimated_liquidation_ratio')
    expect(portfolio.portfolio_margining_enabled).toBe(true)
    const m = market({ BTC: 1 }, 'cross_sm')
    expect(m.result('alice', 'private/get_position', perpetual)).not.toHaveProperty('estimated_liquidation_price')
  })
})
