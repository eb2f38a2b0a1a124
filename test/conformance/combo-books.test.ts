/**
 * Books of combos: their bands, and the orders that they accept (trading.md 4.1 C09, 6.15; market.md 1.3; R05, R25),
 * tested on the engine.
 */
import { expect, test } from 'vitest'
import { price9 } from '../../src/core/index.ts'
import { restore, snapshot, stateHash, viewMarket } from '../../src/engine/index.ts'
import { idOf, type Market, market, priceText } from '../support/harness.ts'

const spread = 'BTC-FS-27MAR26_PERP'
const far = 'BTC-27MAR26'
const perpetual = 'BTC-PERPETUAL'

function spreads(): Market {
  return market({
    instruments: { [spread]: {}, [far]: {}, [perpetual]: {} },
    accounts: { alice: { BTC: '100' }, bob: { BTC: '100' } },
    index: { btc_usd: '60000' },
  })
}

/** Ends of the band of the first instrument as decimals. */
function band(m: Market): readonly string[] {
  const row = m.exchange.instruments[0]
  if (row === undefined || !row.hasBand) return []
  const { bandMin, bandMax } = viewMarket(m.exchange, row.instrument.id)
  return [bandMin, bandMax].map(priceText)
}

test('R05 the band of a combo is the signed sum of the bands of its legs, and may be negative', () => {
  const m = spreads()
  // 58,200 to 61,800 less 59,100 to 60,900.
  expect(band(m)).toEqual(['-2700', '2700'])
  m.mark('61000', far)
  expect(priceText(m.exchange.instruments[0]?.mark ?? price9(0))).toBe('1000')
  expect(band(m)).toEqual(['-1730', '3730'])
})

test('a band that would exceed the range of prices is clamped to it', () => {
  const [put, call] = ['BTC-30JAN26-90000-P', 'BTC-30JAN26-90000-C']
  const m = market({
    instruments: { 'BTC-STRD-30JAN26-90000': {}, [put]: {}, [call]: {} },
    accounts: {},
    index: { btc_usd: '0.001' },
  })
  // The model values the put at 89,999,999 coins.
  const markOf = (at: number): string => priceText(m.exchange.instruments[at]?.mark ?? price9(0))
  expect(markOf(1)).toBe('9007199')
  m.mark('9007199', call)
  expect(markOf(0)).toBe('9006199.254740991')
  expect(band(m)).toEqual(['9006199.2547', '9006199.2548'])
})

test('R05 orders beyond the band of a combo are refused with its limit', () => {
  const m = spreads()
  const high = m.buy('alice', { amount: '10', price: '2700.5' }).refusal
  expect(high).toEqual({ reason: 'price_too_high', limit: 2_700_000_000_000 })
  const low = m.sell('alice', { amount: '10', price: '-2700.5' }).refusal
  expect(low).toEqual({ reason: 'price_too_low', limit: -2_700_000_000_000 })
  expect(m.sell('alice', { amount: '10', price: '-2700' }).refusal).toBeNull()
})

test('R05 the band of a linear option combo follows the index with the bands of its legs', () => {
  const names = ['BTC_USDC-30JAN26-60000-C', 'BTC_USDC-30JAN26-65000-C']
  const m = market({
    instruments: {
      'BTC_USDC-CS-30JAN26-60000_65000': {},
      ...Object.fromEntries(names.map((name) => [name, {}])),
    },
    accounts: {},
    index: { btc_usdc: '60000' },
  })
  m.mark('4000', names[0])
  m.mark('3000', names[1])
  // 1,600 to 6,400 less 600 to 5,400.
  expect(band(m)).toEqual(['-3800', '5800'])
  m.index('btc_usdc', '50000')
  expect(band(m)).toEqual(['-3000', '5000'])
})

test('a market order of a combo rests at the end of its band, also below zero', () => {
  const m = spreads()
  const placed = m.sell('alice', { amount: '10', type: 'market' })
  expect(placed.refusal).toBeNull()
  expect(m.depth('sell')).toEqual([['-2700', '10']])
})

test('C24 a post-only order of a combo moves below zero where that is inside the spread', () => {
  const m = spreads()
  m.sell('alice', { amount: '10', price: '0' })
  const moved = m.buy('bob', { amount: '10', price: '5', postOnly: 'slide' })
  expect(priceText(moved.order?.price ?? price9(1))).toBe('-0.5')
  expect(m.edit('bob', idOf(moved), { price: '-1' }).refusal).toBeNull()
  expect(m.depth('buy')).toEqual([['-1', '10']])
})

test('a combo takes no orders unless each leg has a mark', () => {
  const m = market({
    instruments: { [spread]: {}, [perpetual]: {} },
    accounts: { alice: { BTC: '1' } },
    index: { btc_usd: '60000' },
  })
  expect(m.buy('alice', { amount: '10', price: '1' }).refusal).toEqual({ reason: 'retry' })
  m.mark('1', spread)
  expect(m.buy('alice', { amount: '10', price: '1' }).refusal).toEqual({ reason: 'retry' })
  m.list(far)
  expect(m.buy('alice', { amount: '10', price: '1' }).refusal).toBeNull()
})

test('a combo takes no orders while the book of a leg takes none', () => {
  const m = spreads()
  m.bookState('locked', perpetual)
  expect(m.buy('alice', { amount: '10', price: '1' }).refusal).toEqual({
    reason: 'locked_by_admin',
  })
  m.bookState('open', perpetual)
  expect(m.buy('alice', { amount: '10', price: '1' }).refusal).toBeNull()
})

test('R25 orders of a combo do not match with orders of its legs', () => {
  const m = spreads()
  m.sell('alice', { instrument: far, amount: '10', price: '60000' })
  m.buy('alice', { instrument: perpetual, amount: '10', price: '60000' })
  expect(m.buy('bob', { amount: '10', price: '100' }).trades).toEqual([])
})

test('S027 a stop order of a spread waits for a price of zero or below', () => {
  const m = spreads()
  m.buy('alice', { amount: '10', price: '5' })
  m.sell('bob', { amount: '10', price: '5' })
  const stop = m.sell('bob', {
    ...{ amount: '10', type: 'stop_limit', price: '-10' },
    trigger: { price: '-2' },
  })
  expect(stop.refusal).toBeNull()
  m.buy('alice', { amount: '10', price: '-2' })
  const { events } = m.sell('bob', { amount: '10', price: '-2' })
  expect(events.some((event) => event.kind === 'order' && event.change === 'triggered')).toBe(true)
  expect(m.depth('sell')).toEqual([['-10', '10']])
})

test('a combo expires with its first leg, and its orders with it', () => {
  const near = 'BTC-CCAL-6FEB26_16JAN26-60000'
  const m = market({
    instruments: { [near]: {}, 'BTC-6FEB26-60000-C': {}, 'BTC-16JAN26-60000-C': {} },
    accounts: { alice: { BTC: '10' } },
    index: { btc_usd: '60000' },
  })
  m.buy('alice', { amount: '1', price: '-0.01' })
  const { events } = m.wait(11 * 86_400_000_000)
  const ended = events.filter((event) => event.kind === 'order' && event.change === 'cancelled')
  expect(ended.length).toBe(1)
  expect(m.exchange.instruments.map(({ state }) => state)).toEqual([...['delivered', 'open', 'delivered']])
})

test('a snapshot keeps marks, bands and last prices of zero', () => {
  const m = spreads()
  m.buy('alice', { amount: '10', price: '0' })
  m.sell('bob', { amount: '10', price: '0' })
  const copy = restore(snapshot(m.exchange))
  expect(copy.ok && stateHash(copy.value)).toBe(stateHash(m.exchange))
  expect(copy.ok && copy.value.instruments[0]?.hasLastPrice).toBe(true)
})

test('an account cannot be given a position in a combo', () => {
  const m = spreads()
  expect(m.give('alice', '10', '100').refusal).toEqual({ reason: 'invalid_args_for_instrument' })
})
