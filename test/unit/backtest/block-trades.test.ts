/** Block trades between strategies: the callbacks of each side, and their times. */
import { expect, test } from 'vitest'
import { runLoop, type Strategy } from '../../../src/backtest/index.ts'
import { offset, seatOf, start, strategyRun } from '../../support/strategy-run.ts'

const timestamp = Number(start / 1000)
const trades = [{ instrument_name: 'BTC-PERPETUAL', price: 50_000, amount: 200_000, direction: 'buy' as const }]
const terms = { timestamp, nonce: 'one', trades }

test('both sides hear onBlockTrade after their fills, each in its own role, after its latency', () => {
  const heard: unknown[] = []
  const reported: string[] = []
  const listen = (name: string): Strategy => ({
    onFill: (fill, venue) => void heard.push([name, 'fill', fill.direction, venue.position(fill.instrument_name)]),
    onTrade: () => void heard.push([name, 'trade']),
    onBlockTrade: ({ change, role, id, reason, trades: legs }, venue) =>
      void heard.push([name, change, role, id, reason, legs.length, offset(venue.now)]),
  })
  const maker: Strategy = {
    ...listen('maker'),
    onStart: (venue) => {
      venue.request('private/verify_block_trade', { ...terms, role: 'maker' }, (reply) => {
        if (reply.ok) reported.push(reply.result.signature)
      })
    },
  }
  const taker: Strategy = {
    ...listen('taker'),
    onStart: (venue) => venue.setTimer('execute', '1ms'),
    onTimer: (_, venue) => {
      const [counterparty_signature = ''] = reported
      venue.request('private/execute_block_trade', {
        ...terms,
        role: 'taker',
        counterparty_signature,
      })
    },
  }
  const run = strategyRun({
    seats: [seatOf('alice', maker), seatOf('bob', taker, { response: 5 })],
    until: 1_000_000,
  })
  expect([runLoop(run.loop, Number.POSITIVE_INFINITY), run.loop.fault]).toEqual(['done', null])
  expect(heard).toEqual([
    ['maker', 'signed', 'maker', null, 'user_request', 1, 0],
    ['maker', 'fill', 'buy', 200_000],
    ['maker', 'executed', 'maker', 'BLOCK-1', 'user_request', 1, 1000],
    ['taker', 'fill', 'sell', -200_000],
    ['taker', 'executed', 'taker', 'BLOCK-1', 'user_request', 1, 1005],
  ])
})
