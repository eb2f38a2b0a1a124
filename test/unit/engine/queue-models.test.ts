/**
 * Custom queue models: models of this test, plugged into the book of a replay, decide the fills, while the general
 * rules of fills stay. Prices are ticks, sizes are lots.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, expectTypeOf, test } from 'vitest'
import { type QueueModelRules, queueModelRules } from '../../../src/book/index.ts'
import { type QueueModel, queueModels } from '../../../src/model/index.ts'
import { ReplayMarket, type ShortFill } from '../../support/replay-market.ts'
import { repository } from '../../support/repository.ts'

const riskAverse = queueModelRules.risk_averse

/** Nothing is ahead of an order that arrives. */
const optimistic: QueueModelRules = { ...riskAverse, placeOnArrival: () => 0 }

/** Only prints shorten the queue; rows of the book do not change any place. */
const printsShorten: QueueModelRules = { ...riskAverse, placeAtRow: ({ ahead }) => ahead }

/** Rows that a print explains shorten the queue a second time when the print comes. */
const rowsCountTwice: QueueModelRules = { ...riskAverse, placeBeforePrint: ({ ahead }) => ahead }

/** A print never shortens the queue; it fills what exceeds the place. */
const standsStill: QueueModelRules = { ...riskAverse, placeAfterPrint: ({ ahead }) => ahead }

/** Only prints at the price of an order fill it. */
const ownPriceOnly: QueueModelRules = {
  ...riskAverse,
  fillsByPrintThrough: false,
  fillsByReachedLevel: false,
}

/** A market under a model: bids of 100 at 100 and 99, asks of 100 at 102, and an own bid of 50 at 100. */
function marketOf(model: QueueModelRules): ReplayMarket {
  const market = new ReplayMarket()
  const recorded = market.exchange.instruments[0]?.book.recorded ?? null
  if (recorded === null) throw new Error('the market has a recorded book')
  // The words of scenarios cannot name a model of a test.
  Object.assign(recorded, { model })
  const rows = [
    ['buy', 100, 100],
    ['buy', 99, 100],
    ['sell', 102, 100],
  ] as const
  market.report('book', rows, { snapshot: true })
  market.order('own', { side: 'buy', price: 100, lots: 50 })
  return market
}

/** The fills of each model in the same replay. */
function fillsUnder(model: QueueModelRules, replay: (market: ReplayMarket) => void): readonly Partial<ShortFill>[] {
  const market = marketOf(model)
  replay(market)
  return market.fills().map(({ lots, rule, before, after }) => ({ lots, rule, before, after }))
}

test('an order with nothing ahead on arrival fills by the first print at its price', () => {
  const replay = (market: ReplayMarket): void => {
    for (const lots of [30, 80, 10]) market.report('trades', [['sell', 100, lots]])
  }
  const rule = 'print_at_price'
  expect(fillsUnder(riskAverse, replay)).toEqual([
    { lots: 10, rule, before: 70, after: 0 },
    { lots: 10, rule, before: 0, after: 0 },
  ])
  expect(fillsUnder(optimistic, replay)).toEqual([
    { lots: 30, rule, before: 0, after: 0 },
    { lots: 20, rule, before: 0, after: 0 },
  ])
})

test('orders of the run share a print in price-time order under every model', () => {
  const market = marketOf(optimistic)
  market.order('other', { side: 'buy', price: 100, lots: 50 })
  market.report('trades', [['sell', 100, 60]])
  expect(market.fills().map(({ account, lots }) => [account, lots])).toEqual([
    ['own', 50],
    ['other', 10],
  ])
})

test('a row shortens the queue as far as the model lets it', () => {
  const replay = (market: ReplayMarket): void => {
    market.report('book', [['buy', 100, 40]])
    market.report('trades', [['sell', 100, 60]])
  }
  expect(fillsUnder(riskAverse, replay)).toMatchObject([{ lots: 20, before: 40 }])
  expect(fillsUnder(printsShorten, replay)).toEqual([])
})

test('a snapshot shortens the queue as far as the model lets it', () => {
  const replay = (market: ReplayMarket): void => {
    const rows = [
      ['buy', 100, 40],
      ['sell', 102, 100],
    ] as const
    market.report('book', rows, { snapshot: true })
    market.report('trades', [['sell', 100, 60]])
  }
  expect(fillsUnder(riskAverse, replay)).toMatchObject([{ lots: 20, before: 40 }])
  expect(fillsUnder(printsShorten, replay)).toEqual([])
})

test('the model gives back the size that rows cut before their print came', () => {
  const replay = (market: ReplayMarket): void => {
    market.report('trades', [['sell', 100, 20]])
    market.report('book', [['buy', 100, 80]])
    market.report('book', [['buy', 100, 30]])
    market.report('trades', [['sell', 100, 50]])
    market.report('trades', [['sell', 100, 50]])
  }
  expect(fillsUnder(riskAverse, replay)).toMatchObject([{ lots: 20, before: 30 }])
  expect(fillsUnder(rowsCountTwice, replay)).toMatchObject([
    { lots: 20, before: 30 },
    { lots: 30, before: 0 },
  ])
})

test('a print shortens the queue as the model says', () => {
  const replay = (market: ReplayMarket): void => {
    for (const lots of [80, 60]) market.report('trades', [['sell', 100, lots]])
  }
  expect(fillsUnder(riskAverse, replay)).toMatchObject([{ lots: 40, before: 20 }])
  expect(fillsUnder(standsStill, replay)).toEqual([])
})

test('prints through the price and a reached level fill only if the model says so', () => {
  const through = (market: ReplayMarket): void => void market.report('trades', [['sell', 99, 30]])
  const reached = (market: ReplayMarket): void => void market.report('book', [['sell', 100, 30]])
  expect(fillsUnder(riskAverse, through)).toMatchObject([{ lots: 30, rule: 'print_through' }])
  expect(fillsUnder(riskAverse, reached)).toMatchObject([{ lots: 30, rule: 'level_reached' }])
  expect(fillsUnder(ownPriceOnly, through)).toEqual([])
  expect(fillsUnder(ownPriceOnly, reached)).toEqual([])
})

test('every model is in the guide of backtests, and a scenario chooses it', () => {
  const backtests = join(repository, 'scenarios/backtest')
  const textOf = (name: string): string => readFileSync(join(backtests, name), 'utf8')
  const scenarios = readdirSync(backtests).filter((name) => name.endsWith('.yaml'))
  const chosen = scenarios.map(textOf).join('\n')
  for (const word of queueModels) {
    const isReported = textOf('README.md').includes(`| \`${word}\` |`)
    expect(isReported, `scenarios/backtest/README.md has a row of \`${word}\``).toBe(true)
    const choice = new RegExp(`^[^#\\n]*\\bqueue: ${word}\\b`, 'm')
    expect(choice.test(chosen), `a feed of scenarios/backtest says queue: ${word}`).toBe(true)
  }
})

test('every word has its model, and every model its word', () => {
  expect(Object.keys(queueModelRules)).toEqual([...queueModels])
  expectTypeOf<keyof typeof queueModelRules>().toEqualTypeOf<QueueModel>()
})
