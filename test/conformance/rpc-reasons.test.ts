/**
 * `data.reason` of a refusal: a word of the venue in snake_case, never a sentence.
 * Source: sessions document 1.2.
 */
import { expect, test } from 'vitest'
import type { RequestParams } from '../../src/rpc/index.ts'
import { deskMarket } from '../support/desk-market.ts'

const mmp = { index_name: 'btc_usd', interval: 10, frozen_time: 5, max_quote_quantity: 1 }
const perpetual = { instrument_name: 'BTC-PERPETUAL' }
const simulated = (size: number): RequestParams => ({
  currency: 'BTC',
  simulated_positions: { 'BTC-PERPETUAL': size },
})

test.each<[string, RequestParams, string]>([
  ['private/set_mmp_config', { ...mmp, quantity_limit: 0.05, delta_limit: 0.06 }, 'not_below_quantity_limit'],
  ['private/set_mmp_config', { ...mmp, quantity_limit: 0.12345 }, 'not_a_limit'],
  ['private/set_mmp_config', { ...mmp, quantity_limit: 501 }, 'too_large'],
  ['private/set_mmp_config', { ...mmp, trade_count_limit: 5 }, 'only_with_block_rfq'],
  ['private/set_mmp_config', { ...mmp, index_name: 'all' }, 'only_with_block_rfq'],
  ['private/set_mmp_config', { ...mmp, index_name: 'doge_usd' }, 'unknown_value'],
  ['private/reset_mmp', { index_name: 'all' }, 'only_with_block_rfq'],
  ['private/create_combo', { trades: [{ ...perpetual, amount: 10, direction: 'buy' }] }, 'not_a_combo'],
  ['private/simulate_portfolio', simulated(0.1234567891), 'not_a_size'],
  ['private/simulate_portfolio', simulated(9_000_000_001), 'too_large'],
])('D13 the reason of a refusal is a word: %s %j', (method, params, reason) => {
  expect(deskMarket().error('alice', method, params).data?.reason).toBe(reason)
})

test('D13 a group name that is taken, and one group too many', () => {
  const m = deskMarket()
  const tiny = { ...mmp, max_quote_quantity: 0.001 }
  const set = (mmp_group: string): RequestParams => ({ ...tiny, mmp_group })
  for (let number = 1; number <= 16; number += 1) {
    m.result('alice', 'private/set_mmp_config', set(`group${number}`))
  }
  const refused = m.error('alice', 'private/set_mmp_config', set('group17'))
  expect(refused.data?.reason).toBe('too_many_groups')
})
