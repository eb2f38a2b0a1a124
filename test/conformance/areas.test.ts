/**
 * Areas of the interface: at least one method of each area answers. The wallet's address book has its own tests.
 * Source: interface document, section on the areas of the service; coverage S003.
 */
import { describe, expect, test } from 'vitest'
import { methodNames } from '../../src/rpc/methods/table.ts'
import { START, usualTrade } from '../support/block-market.ts'
import type { Json } from '../support/desk-market.ts'
import { RfqVenue } from '../support/rfq-venue.ts'

const perpetual = { instrument_name: 'BTC-PERPETUAL' }
const order = { ...perpetual, amount: 10, price: 49_000, label: 'own' }
const block = { timestamp: START, nonce: 'one', trades: [usualTrade] }

/** Methods that the document names for an area, with the parameters of the one that this test calls. */
const areas: { readonly [area: string]: { readonly [method: string]: Json } } = {
  'market data': {
    'public/get_last_trades_by_instrument': perpetual,
    'public/get_last_trades_by_instrument_and_time': {
      ...{ ...perpetual, start_timestamp: START, end_timestamp: START + 1 },
    },
    'public/get_last_settlements_by_currency': { currency: 'BTC' },
    'public/get_expirations': { currency: 'BTC', kind: 'option' },
    'public/get_instruments': { currency: 'BTC' },
  },
  trading: {
    'private/sell': { ...order, price: 51_000 },
    'private/buy': order,
    'private/edit': { order_id: '1', amount: 20, price: 51_000 },
    'private/get_open_orders': {},
    'private/cancel_by_label': { label: 'own' },
    'private/cancel_all': {},
  },
  'block trades': {
    'private/verify_block_trade': { ...block, role: 'taker' },
    'private/simulate_block_trade': { trades: [usualTrade] },
    'private/get_block_trades': {},
  },
  'Block RFQ': {
    'private/create_block_rfq': {
      legs: [{ ...perpetual, amount: 200_000, direction: 'buy' }],
    },
    'private/cancel_block_rfq': { block_rfq_id: 1 },
    'private/get_block_rfqs': {},
    'public/get_block_rfq_trades': { currency: 'any' },
  },
  account: { 'private/get_subaccounts': { with_portfolio: true } },
  transfers: { 'private/get_transfers': { currency: 'BTC' } },
}

describe('S003 areas', () => {
  test.each(Object.entries(areas))('S003 %s answers', (_, methods) => {
    const m = new RfqVenue()
    for (const [method, params] of Object.entries(methods)) {
      const account = method.startsWith('public/') ? null : 'taker'
      expect(m.result(account, method, params)).toBeDefined()
    }
  })

  test('S003 participants see their usage of the liquidity support programme; other accounts are refused', () => {
    const m = new RfqVenue()
    expect(m.refusal('taker', 'private/get_lsp_usage', {})).toMatch(/^\d+ /)
    m.result(null, 'sim/set_lsp_participant', { account: 'alpha', enabled: true })
    expect(m.result('alpha', 'private/get_lsp_usage', {})).toBeDefined()
  })

  test('S003 the interface has a logout, and the second REST gateway can lock portfolios', () => {
    const m = new RfqVenue()
    expect(methodNames).toContain('private/logout')
    expect(m.refusal('taker', 'private/logout', {})).not.toMatch(/^-32601 /)
    // Only the second REST gateway serves this lock; its own tests show it.
    expect(methodNames).toContain('private/lock_portfolio')
    expect(m.refusal('taker', 'private/lock_portfolio', {})).toMatch(/^-32601 /)
  })
})
