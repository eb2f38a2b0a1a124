/**
 * Fills of combos (trading.md 6.15, C33; market.md 4 and 8), tested on the engine: the trade of the combo, the trades
 * of its legs, their prices and fees.
 */
import { expect, test } from 'vitest'
import { price9 } from '../../src/core/index.ts'
import { amountTextOfLots, type EventOf, type Fill, numberOfId } from '../../src/model/index.ts'
import { type Market, market, money, priceText } from '../support/harness.ts'

const spread = 'BTC-FS-25DEC26_PERP'
const far = 'BTC-25DEC26'
const perpetual = 'BTC-PERPETUAL'

const low = 'BTC-30JAN26-90000-C'
const high = 'BTC-30JAN26-95000-C'
const callSpread = 'BTC-CS-30JAN26-90000_95000'

const rich = { BTC: '100' }

function spreads(): Market {
  const m = market({
    instruments: { [spread]: {}, [far]: {}, [perpetual]: {} },
    accounts: { maker: rich, taker: rich },
    index: { btc_usd: '77300' },
    config: { priceBands: false },
  })
  m.mark('78619.8', far)
  m.mark('77308.2', perpetual)
  return m
}

function callSpreads(marks: readonly [string, string]): Market {
  const m = market({
    instruments: { [callSpread]: {}, [low]: {}, [high]: {} },
    accounts: { maker: rich, taker: rich },
    index: { btc_usd: '90000' },
  })
  m.mark(marks[0], low)
  m.mark(marks[1], high)
  return m
}

/** The mark of the first instrument. */
function markText(m: Market): string {
  return priceText(m.exchange.instruments[0]?.mark ?? price9(0))
}

/** Instrument, taker's side, amount and price of each trade. */
function tradesOf(m: Market, trades: readonly EventOf<'trade'>[]): string[] {
  return trades.map(({ instrument, side, amount, price }) => {
    const spec = m.exchange.instruments[instrument]?.instrument
    if (spec === undefined) throw new Error('a trade is of a listed instrument')
    return `${spec.name} ${side} ${amountTextOfLots(spec, amount)} at ${priceText(price)}`
  })
}

function fees(trades: readonly EventOf<'trade'>[], side: 'maker' | 'taker'): string[] {
  return trades.map((trade) => money((trade[side] satisfies Fill).fee))
}

test('rule combo.trade: T106 a future spread trades, then its legs, at prices whose difference is its price', () => {
  const m = spreads()
  m.buy('maker', { amount: '10', price: '1320' })
  const { trades } = m.sell('taker', { amount: '10', price: '1320' })
  expect(tradesOf(m, trades)).toEqual([
    `${spread} sell 10 at 1320`,
    `${far} sell 10 at 78624`,
    `${perpetual} buy 10 at 77304`,
  ])
  const [own, first, second] = trades
  expect(own?.legs.map(({ trade }) => trade)).toEqual([first?.trade, second?.trade])
  expect([first, second].map((leg) => leg?.combo?.trade)).toEqual([own?.trade, own?.trade])
  expect(own?.combo).toBeNull()
  expect(trades.map(({ tradeSeq }) => tradeSeq)).toEqual([1, 1, 1])
  expect(m.position('taker', far).size).toBe(-1)
  expect(m.position('maker', perpetual).size).toBe(-1)
  expect(m.position('taker', spread).size).toBe(0)
})

test('S2 the legs of a future spread share the deviation, in whole units, half to even', () => {
  const m = spreads()
  const legsAt = (price: string): string[] => {
    m.buy('maker', { amount: '10', price })
    return tradesOf(m, m.sell('taker', { amount: '10', price }).trades).slice(1)
  }
  m.mark('77000', far)
  m.mark('77000', perpetual)
  expect(legsAt('1320')).toEqual([`${far} sell 10 at 77660`, `${perpetual} buy 10 at 76340`])
  // Half of 1 is a tie: 76999.5 goes to the even 77000, and 76998.5 to 76998.
  expect(legsAt('1')).toEqual([`${far} sell 10 at 77001`, `${perpetual} buy 10 at 77000`])
  expect(legsAt('3')).toEqual([`${far} sell 10 at 77001`, `${perpetual} buy 10 at 76998`])
  expect(legsAt('-20.5')).toEqual([`${far} sell 10 at 76989.5`, `${perpetual} buy 10 at 77010`])
})

test('R08 combo and leg trades take numbers of one counter, in order', () => {
  const m = spreads()
  m.buy('maker', { amount: '20', price: '1320' })
  const first = m.sell('taker', { amount: '10', price: '1320' }).trades
  const second = m.sell('taker', { amount: '10', price: '1320' }).trades
  const numbers = [...first, ...second].map(({ trade }) => numberOfId(trade))
  expect(numbers).toEqual([1, 2, 3, 4, 5, 6])
})

test('rule combo.fees: T56 the taker of a future spread pays half on the cheaper leg, the maker pays all', () => {
  const m = spreads()
  m.buy('maker', { amount: '10', price: '1320' })
  const { trades } = m.sell('taker', { amount: '10', price: '1320' })
  expect(fees(trades, 'taker')).toEqual(['0', '0.00000003', '0.00000006'])
  expect(fees(trades, 'maker')).toEqual(['0', '0', '0'])
})

test('T28 the mark of an option combo is the sum of its legs by their ratios', () => {
  const m = callSpreads(['0.08114403', '0.01733488'])
  expect(markText(m)).toBe('0.06380915')
  m.mark('0.0173', low)
  expect(markText(m)).toBe('-0.00003488')
})

test('T55 the sold legs of a call spread are free if both groups cost the same', () => {
  const m = callSpreads(['0.0813', '0.0174'])
  m.sell('maker', { amount: '0.1', price: '0.0639' })
  const { trades } = m.buy('taker', { amount: '0.1', price: '0.0639' })
  expect(tradesOf(m, trades)).toEqual([
    `${callSpread} buy 0.1 at 0.0639`,
    `${low} buy 0.1 at 0.0813`,
    `${high} sell 0.1 at 0.0174`,
  ])
  expect(fees(trades, 'taker')).toEqual(['0', '0.00003', '0'])
  // The maker sells the low call, so that leg is free for the maker.
  expect(fees(trades, 'maker')).toEqual(['0', '0', '0.00003'])
  expect(trades.map(({ taker }) => money(taker.premium))).toEqual(['0', '-0.00813', '0.00174'])
})

test('the group of legs with the lower fee is free; if all legs have one direction, no leg is free', () => {
  const m = callSpreads(['0.0813', '0.001'])
  m.sell('maker', { amount: '1', price: '0.0803' })
  const { trades } = m.buy('taker', { amount: '1', price: '0.0803' })
  // The high call costs an eighth of its premium.
  expect(fees(trades, 'taker')).toEqual(['0', '0.0003', '0'])
  expect(fees(trades, 'maker')).toEqual(['0', '0.0003', '0'])
  const put = 'BTC-30JAN26-90000-P'
  m.list(put)
  m.list('BTC-STRD-30JAN26-90000')
  m.mark('0.05', put)
  m.sell('maker', { instrument: 'BTC-STRD-30JAN26-90000', amount: '1', price: '0.13' })
  const straddle = m.buy('taker', {
    ...{ instrument: 'BTC-STRD-30JAN26-90000', amount: '1', price: '0.13' },
  })
  expect(tradesOf(m, straddle.trades).slice(1)).toEqual([`${low} buy 1 at 0.08`, `${put} buy 1 at 0.05`])
  expect(fees(straddle.trades, 'taker')).toEqual(['0', '0.0003', '0.0003'])
})

test('C33 the first leg absorbs the deviation from the marks, or the next leg if it would fall below a tick', () => {
  const m = callSpreads(['0.0601', '0.00013'])
  m.sell('maker', { amount: '1', price: '0.06' })
  expect(tradesOf(m, m.buy('taker', { amount: '1', price: '0.06' }).trades).slice(1)).toEqual([
    `${low} buy 1 at 0.0601`,
    `${high} sell 1 at 0.0001`,
  ])
  m.mark('0.0002', low)
  m.mark('0.0002', high)
  m.buy('maker', { amount: '1', price: '-0.005' })
  expect(tradesOf(m, m.sell('taker', { amount: '1', price: '-0.005' }).trades).slice(1)).toEqual([
    `${low} sell 1 at 0.0001`,
    `${high} buy 1 at 0.0051`,
  ])
})

test('C33 leg trades touch no order of the book of the leg', () => {
  const m = spreads()
  const resting = m.sell('maker', { instrument: perpetual, amount: '10', price: '70000' })
  m.buy('maker', { amount: '10', price: '1320' })
  m.sell('taker', { amount: '10', price: '1320' })
  expect(m.depth('sell', perpetual)).toEqual([['70000', '10']])
  expect(resting.trades).toEqual([])
})

test('C31 R65 leg trades move the last price of the leg and fire none of its triggers', () => {
  const m = spreads()
  m.buy('maker', { instrument: perpetual, amount: '10', price: '77000' })
  m.sell('taker', { instrument: perpetual, amount: '10', price: '77000' })
  m.buy('taker', {
    ...{ instrument: perpetual, amount: '10', type: 'stop_market' },
    trigger: { price: '77200' },
  })
  m.buy('maker', { amount: '10', price: '1320' })
  const { trades, events } = m.sell('taker', { amount: '10', price: '1320' })
  const row = m.exchange.instruments[m.instrument(perpetual).id]
  expect(priceText(row?.lastPrice ?? price9(0))).toBe('77304')
  expect(trades.map(({ tickDirection }) => tickDirection)).toEqual([1, 1, 0])
  expect(events.filter((event) => event.kind === 'order' && event.change === 'triggered')).toEqual([])
})

test('orders of a combo can rest at zero and below, and their average price is a plain mean', () => {
  const m = spreads()
  m.mark('77304', far)
  m.buy('maker', { amount: '10', price: '0' })
  m.buy('maker', { amount: '10', price: '-10' })
  expect(m.depth('buy')).toEqual([
    ['0', '10'],
    ['-10', '10'],
  ])
  const sold = m.sell('taker', { amount: '20', type: 'market' })
  expect(priceText(sold.order?.averagePrice ?? price9(0))).toBe('-5')
  expect(tradesOf(m, sold.trades).filter((line) => line.startsWith(spread))).toEqual([
    `${spread} sell 10 at 0`,
    `${spread} sell 10 at -10`,
  ])
  expect(m.exchange.instruments[0]?.lastMove).toBe('down')
})

test('a combo that buys all its legs costs at least one tick per leg', () => {
  const m = callSpreads(['0.01', '0.01'])
  const put = 'BTC-30JAN26-90000-P'
  m.list(put)
  m.list('BTC-STRD-30JAN26-90000')
  m.mark('0.01', put)
  const instrument = 'BTC-STRD-30JAN26-90000'
  expect(m.buy('maker', { instrument, amount: '1', price: '0.0001' }).refusal).toEqual({
    reason: 'price_wrong_tick',
  })
  expect(m.buy('maker', { instrument, amount: '1', price: '0.0002' }).refusal).toBeNull()
})

test('reduce-only orders of a leg follow the position that a combo changes', () => {
  const m = spreads()
  m.give('taker', '10', '77000', perpetual)
  const reducing = m.sell('taker', {
    ...{ instrument: perpetual, amount: '10', price: '80000', reduceOnly: true },
  })
  m.sell('maker', { amount: '10', price: '1320' })
  const { events } = m.buy('taker', { amount: '10', price: '1320' })
  const ended = events.flatMap((event) =>
    'order' in event && event.kind === 'order' && event.change === 'cancelled' ? [event.order] : [],
  )
  expect(ended).toEqual([reducing.order?.order])
})

test('C33 one order of a combo has as many fills as it meets orders', () => {
  const m = spreads()
  const fills = 401
  for (let order = 0; order < fills; order += 1) m.buy('maker', { amount: '10', price: '1320' })
  const { trades, order } = m.sell('taker', { amount: `${fills * 10}`, price: '1320' })
  expect(order?.state).toBe('filled')
  expect(trades).toHaveLength(3 * fills)
})
