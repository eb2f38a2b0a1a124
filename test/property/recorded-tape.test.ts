/**
 * Law: a recorded trade is a trade of this market. Whichever prints fill simulated orders, the public tape adds up to
 * the recorded one, is numbered without gaps, and statistics, summaries and charts follow from it; print events in the
 * results and restores do not change it.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createFaults } from '../../src/faults/index.ts'
import { type Event, fanOut } from '../../src/model/index.ts'
import { wireDesk } from '../../src/rpc/desk/desk.ts'
import { createHistory, HistoryNotes } from '../../src/rpc/history/index.ts'
import { type Desk, ownMethods, submit, type VenueReply } from '../../src/rpc/index.ts'
import { type KeptHistories, keptHistories, resumedDesk } from '../support/kept-histories.ts'
import { askedRuns, askedSeed, isWhole } from '../support/property-runs.ts'
import { ReplayMarket } from '../support/replay-market.ts'

const perpetual = { instrument_name: 'BTC-PERPETUAL' }
const LOT_USD = 10

interface Tape {
  readonly desk: Desk
  readonly kept: KeptHistories
  /** Events for the results. */
  readonly reported: Event[]
}

/** A desk over the market, with all of its events so far. */
function tapeOf(market: ReplayMarket): Tape {
  const reported: Event[] = []
  const kept = keptHistories()
  const parts = {
    history: createHistory(),
    controls: false,
    methods: ownMethods,
    pending: new Map(),
    kept: new Map(),
    faults: createFaults(),
    notes: new HistoryNotes(kept.file),
  }
  const sink = fanOut([kept.results, { emit: (event) => void reported.push(event) }])
  const desk = wireDesk(parts, sink, () => market.exchange)
  for (const event of market.events) desk.sink.emit(event)
  return { desk, kept, reported }
}

function ask<T>(desk: Desk, method: string, params: object = perpetual): T {
  let reply: VenueReply | undefined
  const request = { time: desk.exchange.now, method, params, account: null, session: 0 }
  submit(desk, request as never, (given) => {
    reply = given
  })
  if (!reply?.ok) throw new Error(`${method}: ${JSON.stringify(reply)}`)
  return reply.result as T
}

interface Listed {
  readonly trade_id: string
  readonly trade_seq: number
  readonly price: number
  readonly amount: number
  readonly direction: string
}

function tradesOf(desk: Desk): readonly Listed[] {
  const params = { ...perpetual, count: 1000, sorting: 'asc' }
  return ask<{ trades: Listed[] }>(desk, 'public/get_last_trades_by_instrument', params).trades
}

const stepArbitrary = fc.record({
  kind: fc.constantFrom('print', 'print', 'print', 'order', 'take', 'row'),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  isUnknown: fc.boolean(),
  offset: fc.integer({ min: 0, max: 3 }),
  lots: fc.integer({ min: 1, max: 60 }),
})

describe('the tape of a recorded market', () => {
  test('F03 adds up to prints and own matches, and every public query shows it', () => {
    let filledByPrints = 0
    const law = fc.property(
      fc.array(stepArbitrary, { minLength: 5, maxLength: 40 }),
      fc.boolean(),
      (steps, printEvents) => {
        const market = new ReplayMarket({ printEvents }, ['own'], 100)
        market.report('book', [...rowsOf('buy'), ...rowsOf('sell')], { snapshot: true })
        let printed = 0
        for (const { kind, side, isUnknown, offset, lots } of steps) {
          const maker = side === 'buy' ? 102 + offset : 100 - offset
          if (kind === 'print') {
            printed += lots
            market.report('trades', [[isUnknown ? 'unknown' : side, maker, lots]])
          } else if (kind === 'row') {
            market.report('book', [[side === 'buy' ? 'sell' : 'buy', maker, lots]])
          } else if (kind === 'take') {
            market.order('own', { side, price: maker, lots })
          } else {
            market.order('own', { side: side === 'buy' ? 'sell' : 'buy', price: maker, lots })
          }
        }
        const { desk, kept, reported } = tapeOf(market)
        const trades = tradesOf(desk)
        const ofPrints = fillsOf(market, (rule) => rule.startsWith('print') || rule === 'hidden')
        const own = fillsOf(market, () => true)
        filledByPrints += ofPrints
        expect(sum(trades)).toBe((printed + own - ofPrints) * LOT_USD)
        expect(trades.map(({ trade_seq }) => trade_seq)).toEqual(trades.map((_, at) => at + 1))
        expect(trades.map(({ trade_id }) => trade_id)).toEqual(trades.map((_, at) => `${at + 1}`))
        expect(reported.some(({ kind }) => kind === 'print')).toBe(
          printEvents && market.events.some(({ kind }) => kind === 'print'),
        )
        expectStatistics(desk, trades)
        const { desk: copy } = resumedDesk(desk, kept)
        expect(tradesOf(copy)).toEqual(trades)
        expectStatistics(copy, trades)
      },
    )
    fc.assert(law, { numRuns: askedRuns(2_000, 1, 40), ...askedSeed(5), endOnFailure: true })
    if (isWhole) expect(filledByPrints).toBeGreaterThan(0)
  })
})

/** Four levels of 50 lots. */
function rowsOf(side: 'buy' | 'sell'): ['buy' | 'sell', number, number][] {
  return [0, 1, 2, 3].map((at) => [side, side === 'buy' ? 100 - at : 102 + at, 50])
}

/** Lots of fills of simulated orders, by rule. */
function fillsOf(market: ReplayMarket, isMeant: (rule: string) => boolean): number {
  let lots = 0
  for (const event of market.events) {
    if (event.kind !== 'trade') continue
    // A fill of a hidden part names the row of its print too.
    if (isMeant(event.maker.rule)) lots += event.amount
  }
  return lots
}

function sum(trades: readonly Listed[]): number {
  return trades.reduce((total, { amount: size }) => total + size, 0)
}

/** Statistics, summaries and the chart follow from the tape. */
function expectStatistics(desk: Desk, trades: readonly Listed[]): void {
  const prices = trades.map(({ price }) => price)
  const some = prices.length > 0
  const high = some ? Math.max(...prices) : null
  const low = some ? Math.min(...prices) : null
  const volume = sum(trades)
  const { stats } = ask<{ stats: object }>(desk, 'public/ticker')
  expect(stats).toMatchObject({ high, low, volume_usd: volume })
  const [summary] = ask<[object]>(desk, 'public/get_book_summary_by_instrument')
  expect(summary).toMatchObject({ high, low, volume_usd: volume })
  const now = Number(desk.exchange.now) / 1000
  const span = { start_timestamp: now - 3_600_000, end_timestamp: now, resolution: '60' }
  const chart = ask<{ cost: number[]; high: number[]; low: number[] }>(desk, 'public/get_tradingview_chart_data', {
    ...perpetual,
    ...span,
  })
  if (!some) return
  expect(chart.cost.reduce((total, cost) => total + cost, 0)).toBe(volume)
  expect(Math.max(...chart.high)).toBe(high)
  expect(Math.min(...chart.low)).toBe(low)
}
