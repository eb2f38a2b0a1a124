/** Block RFQs between strategies: the callbacks of the taker and the makers, and their times. */
import { expect, test } from 'vitest'
import { runLoop, type Strategy } from '../../../src/backtest/index.ts'
import { offset, seatOf, strategyRun } from '../../support/strategy-run.ts'

const legs = [{ instrument_name: 'BTC-PERPETUAL', amount: 200_000, direction: 'buy' as const }]

test('each side hears only its own part: the taker alone sees quotes, and only after the grace', () => {
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
    onBlockQuote: ({ change, quote_state, filled_amount }) => void quoted.push([change, quote_state, filled_amount]),
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

test('an account with a part of an RFQ hears its fill, and its position and that of the taker follow', () => {
  const heard: unknown[] = []
  const maker: Strategy = {
    onBlockRfq: ({ change, block_rfq_id, amount, legs: asked }, venue) => {
      if (change !== 'created') return
      venue.request('private/add_block_rfq_quote', {
        ...{ block_rfq_id, amount, direction: 'sell' },
        legs: asked.map((leg) => ({ ...leg, price: 50_010 })),
      })
    },
  }
  const hearing = (name: string): Strategy => ({
    onFill: ({ amount, direction, fee, trade_allocations, block_rfq_id }, venue) => {
      heard.push([name, block_rfq_id, direction, amount, fee, trade_allocations])
      venue.setTimer('look', '1ms')
    },
    onOrder: () => void heard.push([name, 'order']),
    onBlockTrade: ({ change }) => void heard.push([name, 'block', change]),
    onTimer: (id, venue) => {
      if (id === 'look') heard.push([name, 'holds', venue.position('BTC-PERPETUAL')])
      else {
        const trade_allocations = [
          { user_id: venue.account === 'bob' ? 5 : -1, amount: 80_000 },
          { user_id: 7, amount: 120_000 },
        ]
        venue.request('private/create_block_rfq', { legs, trade_allocations })
      }
    },
  })
  const taker: Strategy = {
    ...hearing('taker'),
    onStart: (venue) => venue.setTimer('ask', '1ms'),
    onBlockRfq: ({ change, block_rfq_id, amount, legs: asked }, venue) => {
      if (change !== 'shown') return
      venue.request('private/accept_block_rfq', {
        ...{ block_rfq_id, price: 50_010, amount, direction: 'buy', legs: [...asked] },
        time_in_force: 'fill_or_kill',
      })
    },
  }
  const run = strategyRun({
    seats: [seatOf('alice', maker), seatOf('bob', taker), seatOf('desk', hearing('desk'))],
    wishes: [
      [0, null, 'sim/create_account', { name: 'desk', main: 'bob' }],
      [0, null, 'sim/deposit', { account: 'desk', currency: 'BTC', amount: 10 }],
      [0, null, 'sim/set_block_rfq_role', { account: 'alice', maker: true }],
    ],
    until: 6_000_000,
  })
  expect([runLoop(run.loop, Number.POSITIVE_INFINITY), run.loop.fault]).toEqual(['done', null])
  const parts = [
    { user_id: 5, amount: 80_000, fee: expect.any(Number) },
    { user_id: 7, amount: 120_000, fee: expect.any(Number) },
  ]
  const fills = heard.filter((each) => Array.isArray(each) && each[1] === 1)
  expect(fills).toEqual([
    ['taker', 1, 'buy', 200_000, expect.any(Number), parts],
    ['desk', 1, 'buy', 120_000, expect.any(Number), undefined],
  ])
  // The order and the block belong to the taker, so its messages are left out.
  const others = heard.filter((each) => Array.isArray(each) && each[1] !== 1)
  expect(others).toEqual([
    ...[
      ['taker', 'order'],
      ['taker', 'order'],
      ['taker', 'block', 'executed'],
    ],
    ...[
      ['taker', 'holds', 80_000],
      ['desk', 'holds', 120_000],
    ],
  ])
})
