/**
 * Mark prices of futures and perpetuals as orders, indices and the clock change them. The average premium is exact to
 * the last digit. Tests of the arithmetic alone are in reference-prices.test.ts.
 *
 * A premium settles 7e-9 short of its target. With an index 7e-9 below a round number it settles on a round number.
 * Source: market.md 3.2 (T23-T26); coverage.md R24.
 */
import { describe, expect, test } from 'vitest'
import type { OrderId, Price9 } from '../../src/core/index.ts'
import { viewMarket } from '../../src/engine/index.ts'
import type { EventOf, SpecOverrides } from '../../src/model/index.ts'
import { idOf, type Market, market, type Outcome, priceText, start } from '../support/harness.ts'

const second = 1_000_000
/** A premium of any size settles within 400 seconds. */
const toRest = 400 * second
const rich = { BTC: '1000', USDC: '100000000' }

function venueMarks(name: string, index: string, overrides: SpecOverrides = {}): Market {
  const m = market({
    instruments: { [name]: overrides },
    accounts: { alice: rich, bob: rich },
    index: {},
    config: { marks: 'venue', priceBands: false },
  })
  m.index(m.instrument().priceIndex, index)
  return m
}

/** Bob quotes both sides; returns his orders. */
function quote(m: Market, bid: string, ask: string, amount = '100000'): readonly OrderId[] {
  return [m.buy('bob', { amount, price: bid }), m.sell('bob', { amount, price: ask })].map(idOf)
}

function view(m: Market): ReturnType<typeof viewMarket> {
  return viewMarket(m.exchange, m.instrument().id)
}

function mark(m: Market): string {
  return priceText(view(m).mark)
}

/** The average premium as a decimal. */
function premium(m: Market): string {
  return priceText((m.exchange.instruments[0]?.ema9 ?? 0) as Price9)
}

/** The marks that an outcome reports, with their source. */
function marksOf({ events }: Pick<Outcome, 'events'>): readonly string[] {
  return events
    .filter((event): event is EventOf<'mark'> => event.kind === 'mark')
    .map(({ price, source }) => `${priceText(price)} ${source}`)
}

describe('rule mark.fair: the fair price from the book', () => {
  test('T23 impact prices of 1 BTC on both sides', () => {
    const m = venueMarks('BTC-PERPETUAL', '59950')
    m.sell('bob', { amount: '30000', price: '60000' })
    m.sell('bob', { amount: '100000', price: '60010' })
    m.buy('bob', { amount: '20000', price: '59990' })
    m.buy('bob', { amount: '100000', price: '59950' })
    // The fair price is 59984.167777963. The mark moves by 2/31 of its distance from the index.
    expect(marksOf(m.wait(second))).toEqual(['59952.2 fair'])
    expect(premium(m)).toBe('2.204372772')
  })

  test('an empty side counts as index plus premium; if both are empty, the premium stays', () => {
    const m = venueMarks('BTC-PERPETUAL', '60000')
    const [bid, ask] = quote(m, '60050', '60062')
    if (bid === undefined || ask === undefined) throw new Error('both sides are quoted')
    m.wait(second)
    expect(premium(m)).toBe('3.612903226')
    m.cancel('bob', bid)
    m.wait(second)
    // The fair price is the middle of 60062 and 60003.612903226: 60032.806451613.
    expect(premium(m)).toBe('5.496357961')
    m.cancel('bob', ask)
    expect(marksOf(m.wait(toRest))).toEqual([])
    expect([premium(m), mark(m)]).toEqual(['5.496357961', '60005.5'])
  })

  test('an impact price is at most 0.1 % worse than the best price', () => {
    const m = venueMarks('BTC-PERPETUAL', '60000')
    quote(m, '59990', '60000', '10')
    quote(m, '50000', '70000')
    m.wait(second)
    // The sides are capped at 60060 and 59930.01, so the fair price is 59995.005.
    expect(premium(m)).toBe('-0.322258065')
  })

  test('the hidden part of an iceberg does not count', () => {
    const m = venueMarks('BTC-PERPETUAL', '60000')
    m.sell('bob', { amount: '100000', display: '1000', price: '60000' })
    m.sell('bob', { amount: '100000', price: '60010' })
    m.buy('bob', { amount: '100000', price: '59990' })
    m.wait(second)
    // 1/60 coin at 60000, the rest at 60010: 60009.833333333, and 59999.916666667 in the middle.
    expect(premium(m)).toBe('-0.005376344')
  })

  test('a dated future uses the middle of its best prices, and keeps its premium if one is missing', () => {
    const m = venueMarks('BTC-27MAR26', '60000')
    const [bid] = quote(m, '60600', '60620', '10')
    if (bid === undefined) throw new Error('a bid is quoted')
    quote(m, '50000', '70000')
    m.wait(second)
    expect([premium(m), mark(m)]).toEqual(['39.35483871', '60039.35'])
    m.cancelAll('bob')
    m.wait(toRest)
    expect([premium(m), mark(m)]).toEqual(['39.35483871', '60039.35'])
  })
})

describe('rule mark.premium: the average over 30 seconds', () => {
  test('T24 the premium moves from an average of 10 toward 40, second by second', () => {
    const m = venueMarks('BTC-PERPETUAL', '59999.999999993')
    quote(m, '60005', '60015')
    m.wait(toRest)
    m.index('btc_usd', '60000')
    expect([premium(m), mark(m)]).toEqual(['10', '60010'])
    m.cancelAll('bob')
    quote(m, '60035', '60045')
    const seconds = [1, 2, 3].map(() => {
      m.wait(second)
      return [premium(m), mark(m)]
    })
    expect(seconds).toEqual([
      ['11.935483871', '60011.94'],
      ['13.746097815', '60013.75'],
      ['15.439897956', '60015.44'],
    ])
  })

  test('T25 a mark is at most 0.5 % from its index', () => {
    const m = venueMarks('BTC-PERPETUAL', '59999.999999993')
    quote(m, '60395', '60405')
    m.wait(toRest)
    m.index('btc_usd', '60000')
    expect([premium(m), mark(m)]).toEqual(['400', '60300'])
  })

  test('T26 an expiring future, ten minutes into its last half hour', () => {
    const m = venueMarks('BTC-6JAN26', '59999.999999993')
    const [bid] = quote(m, '60047.5', '60052.5')
    if (bid === undefined) throw new Error('a bid is quoted')
    m.wait(toRest)
    // Without a bid the premium stays where it is.
    m.cancel('bob', bid)
    m.index('btc_usd', '60100')
    const opens = start + 22.5 * 3_600 * second
    const until = opens + 600 * second - (start + toRest)
    m.wait(until)
    expect(premium(m)).toBe('50')
    expect(priceText(view(m).estimatedDelivery)).toBe('60100')
    // The sample of this second was taken before the index changed.
    expect(marksOf(m.index('btc_usd', '60200'))).toEqual(['60200 delivery'])
    // At the end only the mean counts: 151 samples at 60100, 299 at 60200.
    expect(marksOf(m.wait(1_199 * second)).length).toBeGreaterThan(1_000)
    expect(mark(m)).toBe('60166.49')
    m.wait(second)
    expect(mark(m)).toBe('60166.44')
    expect(priceText(view(m).deliveryPrice)).toBe('60166.44')
  })

  test('between full seconds only the index changes, and it moves the mark at once', () => {
    const m = venueMarks('BTC-PERPETUAL', '60000')
    quote(m, '60030', '60032')
    expect(marksOf(m.wait(second - 1))).toEqual([])
    expect(marksOf(m.wait(1))).toEqual(['60002 fair'])
    m.wait(300_000)
    expect(marksOf(m.index('btc_usd', '60001'))).toEqual(['60003 fair'])
    expect(marksOf(m.wait(699_999))).toEqual([])
    expect(marksOf(m.wait(1))).toEqual(['60004.81 fair'])
  })

  test('a mark whose rounded value does not change is not reported', () => {
    const m = venueMarks('BTC-PERPETUAL', '60000')
    quote(m, '59999.5', '60000.5')
    expect(marksOf(m.wait(toRest))).toEqual([])
    expect(marksOf(m.index('btc_usd', '60000.004'))).toEqual([])
    expect(marksOf(m.index('btc_usd', '60000.005'))).toEqual(['60000.01 fair'])
  })

  test('a linear mark has four decimals below 1000 and six below 1', () => {
    const sol = venueMarks('SOL_USDC-PERPETUAL', '250')
    quote(sol, '250', '250.11', '1000')
    sol.wait(second)
    expect([premium(sol), mark(sol)]).toEqual(['0.003548387', '250.0035'])
    const xrp = venueMarks('XRP_USDC-PERPETUAL', '0.5')
    quote(xrp, '0.5', '0.5001', '200000')
    xrp.wait(second)
    expect([premium(xrp), mark(xrp)]).toEqual(['0.000003226', '0.500003'])
  })

  test('a pinned mark stays until it is unpinned, and the premium continues to move meanwhile', () => {
    const m = venueMarks('BTC-PERPETUAL', '60000')
    m.mark('61000')
    quote(m, '60030', '60032')
    expect(marksOf(m.wait(2 * second))).toEqual([])
    expect([mark(m), premium(m)]).toEqual(['61000', '3.870967742'])
    expect(marksOf(m.mark(null))).toEqual(['60003.87 fair'])
  })

  test('with marks taken from the index there is no premium', () => {
    const m = market({
      instruments: { 'BTC-PERPETUAL': {} },
      accounts: { bob: rich },
      index: { btc_usd: '60000.004' },
      config: { marks: 'index' },
    })
    quote(m, '60030', '60032')
    expect(marksOf(m.wait(toRest))).toEqual([])
    expect(mark(m)).toBe('60000.004')
  })

  test('an amount of many millions at a level gives the same mark as a smaller one', () => {
    const linear = venueMarks('BTC_USDC-PERPETUAL', '60000')
    quote(linear, '60030', '60032', '200')
    linear.wait(second)
    expect(mark(linear)).toBe('60002')
    const inverse = venueMarks('BTC-PERPETUAL', '60000')
    quote(inverse, '60030', '60032', '12345670')
    inverse.wait(second)
    expect(mark(inverse)).toBe('60002')
  })
})
