/** A coarser grid over a recorded book, whose feed keeps its original grid. */
import { expect, test } from 'vitest'
import { runLoop, type Strategy } from '../../../src/backtest/index.ts'
import { audit, auditCopy } from '../../../src/engine/index.ts'
import { marketOf, type Recorded, seatOf, strategyRun } from '../../support/strategy-run.ts'

const instrument_name = 'BTC-PERPETUAL'
const steps = { instrument_name, tick_size: 5, amount_step: 100 }

// Ticks of 0.5 and lots of 10: neither prices nor sizes of the feed fit the steps of 5 and 100.
const bookRows = [
  ['buy', 99_998, 5],
  ['buy', 99_999, 12],
  ['sell', 100_001, 7],
  ['sell', 100_003, 90],
] as const
const recorded: readonly Recorded[] = [
  { at: 1, snapshot: true, rows: bookRows },
  { at: 30, rows: [['sell', 100_001, 9]] },
  // 7 lots of 10 through the bid at 49,995.
  { at: 40, kind: 'trades', rows: [['sell', 99_989, 7]] },
  { at: 50, rows: [['sell', 100_001, 0]] },
  { at: 60, snapshot: true, rows: bookRows },
]

test('a recorded book keeps its prices and sizes, and orders of an account keep to the steps', () => {
  const seen: unknown[] = []
  const strategy: Strategy = {
    onBook: (view, venue) => {
      seen.push([view.bestBid, view.bidAmount, view.bestAsk, view.askAmount])
      if (seen.length === 1) {
        venue.request('private/buy', { instrument_name, amount: 100, price: 49_998.5 })
        venue.request('private/buy', { instrument_name, amount: 100, price: 49_995, label: 'kept' })
      }
      if (view.askAmount === 90) {
        // It would take; the next grid price below the ask is 50,000.
        venue.request('private/buy', {
          ...{ instrument_name, amount: 200, price: 50_010, post_only: true, label: 'slid' },
        })
        // 90 at 50,000.5 and the rest at 50,001.5: sizes of the feed are not on the step.
        venue.request('private/buy', { instrument_name, amount: 900, type: 'market', label: 'all' })
      }
    },
    onOrder: ({ label, price, order_state, filled_amount }) => seen.push([label, price, order_state, filled_amount]),
  }
  const run = strategyRun({
    seats: [seatOf('alice', strategy)],
    wishes: [[20, null, 'sim/rescale', steps]],
    market: marketOf(recorded),
    until: 100,
  })
  expect([runLoop(run.loop, Number.POSITIVE_INFINITY), run.loop.fault]).toEqual(['done', null])
  audit(run.desk.exchange)
  auditCopy(run.desk.exchange)
  expect(seen).toEqual([
    [49_999.5, 120, 50_000.5, 70],
    ['', 49_998.5, 'open', 0],
    ['kept', 49_995, 'open', 0],
    ['', 49_998.5, 'cancelled', 0],
    [49_999.5, 120, 50_000.5, 90],
    ['slid', 50_000, 'open', 0],
    ['all', 50_750, 'open', 0],
    ['all', 50_750, 'filled', 900],
    // A recorded trade of 70 leaves a remaining size off the step.
    ['slid', 50_000, 'open', 70],
    [49_999.5, 120, 50_001.5, 900],
    [49_999.5, 120, 50_000.5, 70],
  ])
})
