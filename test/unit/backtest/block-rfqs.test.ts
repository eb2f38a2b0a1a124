/**
 * Block RFQs between strategies: what the taker and the makers hear, and when.
 */
import { expect, test } from 'vitest'
import { runLoop, type Strategy } from '../../../src/backtest/index.ts'
import { offset, seatOf, strategyRun } from '../../support/strategy-run.ts'

const legs = [{ instrument_name: 'BTC-PERPETUAL', amount: 200_000, direction: 'buy' as const }]

test('each hears what it may see: quotes the taker alone, and only after the grace', () => {
  const heard: unknown[] = []
  const quoted: unknown[] = []
  const maker: Strategy = {
    onBlockRfq: (rfq, venue) => {
      heard.push(['maker', rfq.change, rfq.role, 'asks' in rfq, offset(venue.now)])
      if (rfq.change !== 'created') return
      venue.request('private/add_block_rfq_quote', {
        block_rfq_id: rfq.block_rfq_id,
        amount: rfq.amount,
        direction: 'sell',
        legs: rfq.legs.map((leg) => ({ ...leg, price: 50_010 })),
      })
    },
    onBlockQuote: ({ change, quote_state, filled_amount }) =>
      void quoted.push([change, quote_state, filled_amount]),
    onBlockTrade: ({ change, role }) => void heard.push(['maker', 'block', change, role]),
  }
  const taker: Strategy = {
    onStart: (venue) => venue.setTimer('ask', '1ms'),
    onTimer: (_, venue) => {
      venue.request('private/create_block_rfq', { legs })
    },
    onBlockRfq: (rfq, venue) => {
      const asks = rfq.asks?.map(({ price }) => price)
      heard.push(['taker', rfq.change, rfq.role, asks, offset(venue.now)])
      if (rfq.change !== 'shown') return
      venue.request('private/accept_block_rfq', {
        ...{ block_rfq_id: rfq.block_rfq_id, price: 50_010, amount: rfq.amount },
        ...{ direction: 'buy', legs: [...rfq.legs], time_in_force: 'fill_or_kill' },
      })
    },
  }
  const run = strategyRun({
    seats: [seatOf('alice', maker), seatOf('bob', taker, { response: 5 })],
    wishes: [[0, null, 'sim/set_block_rfq_role', { account: 'alice', maker: true }]],
    until: 6_000_000,
  })
  expect([runLoop(run.loop, Number.POSITIVE_INFINITY), run.loop.fault]).toEqual(['done', null])
  expect(heard).toEqual([
    ['maker', 'created', 'maker', false, 1000],
    ['taker', 'created', 'taker', [], 1005],
    ['taker', 'shown', 'taker', [50_010], 5_001_005],
    ['maker', 'block', 'executed', 'maker'],
    ['maker', 'filled', 'maker', false, 5_001_005],
    ['taker', 'filled', 'taker', [], 5_001_010],
  ])
  expect(quoted).toEqual([
    ['added', 'open', 0],
    ['filled', 'filled', 200_000],
  ])
})
