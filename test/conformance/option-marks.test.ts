/**
 * Marks of options as indices, futures, books and the clock change them.
 *
 * The clock starts at 2026-01-05T09:00Z; 27MAR26 is 81 days minus an hour later.
 * Source: market.md 7; coverage R02, R05.
 */
import { describe, expect, test } from 'vitest'
import { restore, snapshot, stateHash, viewMarket, viewOption } from '../../src/engine/index.ts'
import type { EventOf, ExchangeConfig } from '../../src/model/index.ts'
import {
  impliedVolatility9,
  nextVolatility9,
  optionContract,
  optionPrice9,
  syntheticForward9,
  volatilityBetween9,
} from '../../src/pricing/index.ts'
import { type Market, market, type Outcome, priceOf, priceText, start } from '../support/harness.ts'

const second = 1_000_000
const minute = 60 * second
const call = 'BTC-27MAR26-65000-C'
const rich = { BTC: '1000', USDC: '100000000' }

function optionMarket(
  names: readonly string[],
  { config = {}, index = '60000' }: { config?: Partial<ExchangeConfig>; index?: string } = {},
): Market {
  const m = market({
    instruments: Object.fromEntries(names.map((name) => [name, {}])),
    accounts: { alice: rich, bob: rich },
    index: {},
    config: { marks: 'venue', ...config },
  })
  if (index !== '') m.index(m.instrument().priceIndex, index)
  return m
}

function view(m: Market, name?: string): NonNullable<ReturnType<typeof viewOption>> {
  const found = viewOption(m.exchange, m.instrument(name).id)
  if (found === null) throw new Error('an option is asked for')
  return found
}

function markOf(m: Market, name?: string): string {
  return priceText(viewMarket(m.exchange, m.instrument(name).id).mark)
}

/** The price by the model at the option's current forward and volatility. */
function modelPrice(m: Market, name?: string): string {
  const contract = optionContract(m.instrument(name))
  if (contract === null) throw new Error('an option is asked for')
  const { forward, mark9 } = view(m, name)
  const { now } = m.exchange
  const at = { forward9: forward, volatility9: mark9, time: now }
  return priceText(optionPrice9(contract, at) as typeof forward)
}

function marksOf({ events }: Pick<Outcome, 'events'>): readonly EventOf<'mark'>[] {
  return events.filter((event): event is EventOf<'mark'> => event.kind === 'mark')
}

/** Names of the instruments whose marks an outcome reports. */
function namesOf(m: Market, outcome: Pick<Outcome, 'events'>): readonly string[] {
  return marksOf(outcome).map(({ instrument }) => m.exchange.instruments[instrument]?.instrument.name ?? '')
}

function quote(m: Market, bid: string, ask: string, instrument?: string): void {
  const at = instrument === undefined ? {} : { instrument }
  m.buy('bob', { amount: '0.1', price: bid, ...at })
  m.sell('alice', { amount: '0.1', price: ask, ...at })
}

/** Starts the mark at one book and changes the book to another, toward which the mark then moves. */
function requote(m: Market, bid: string, ask: string): void {
  quote(m, '0.0700', '0.0800')
  m.cancelAll('alice')
  m.cancelAll('bob')
  quote(m, bid, ask)
}

describe('U14 rule option.first-book: the mark starts at the first book with two sides', () => {
  test('U14 at once', () => {
    const m = optionMarket([call], { config: { priceBands: false } })
    expect(view(m).mark9).toBe(600_000_000)
    m.buy('bob', { amount: '0.1', price: '0.0100' })
    expect(view(m).mark9).toBe(600_000_000)
    const reported = marksOf(m.sell('alice', { amount: '0.1', price: '0.0105' }))
    expect(reported).toMatchObject([{ source: 'model' }])
    expect(Number(markOf(m))).toBeCloseTo(0.01025, 7)
    m.wait(minute)
    expect(Number(markOf(m))).toBeCloseTo(0.01025, 6)
  })

  test('U14 once: not again by a later book, and not after a control or with marks of the index', () => {
    const m = optionMarket([call])
    requote(m, '0.0850', '0.0950')
    expect(Number(markOf(m))).toBeCloseTo(0.075, 7)
    const set = optionMarket([call])
    set.mark('0.12')
    set.mark(null)
    quote(set, '0.0850', '0.0950')
    expect(Number(markOf(set))).toBeCloseTo(0.12, 7)
    const index = optionMarket([call], { config: { marks: 'index' } })
    quote(index, '0.0850', '0.0950')
    expect(view(index).mark9).toBe(600_000_000)
  })

  test('U14 a snapshot keeps the list of options that have had a book', () => {
    for (const isQuoted of [false, true]) {
      const m = optionMarket([call])
      if (isQuoted) quote(m, '0.0700', '0.0800')
      const restored = restore(snapshot(m.exchange))
      if (!restored.ok) throw new Error('the snapshot is whole')
      expect(stateHash(restored.value)).toBe(stateHash(m.exchange))
      expect(restored.value.instruments[0]?.option?.isTold).toBe(isQuoted)
    }
  })
})

describe('rule option.mark: the price of the model, at once', () => {
  test('the mark is unknown until the forward is known; then it is the price with the volatility of the smile', () => {
    const m = optionMarket([call], { index: '' })
    expect([markOf(m), view(m).mark9, view(m).greeks]).toEqual(['0', 0, null])
    const reported = marksOf(m.index('btc_usd', '60000'))
    expect(reported).toHaveLength(1)
    expect(reported[0]).toMatchObject({
      ...{ source: 'model', price: priceOf(markOf(m)), index: priceOf('60000') },
      option: { volatility9: 600_000_000, forward: priceOf('60000') },
    })
    expect(markOf(m)).toBe(modelPrice(m))
  })

  test('the smile given by the run is read at k = ln(strike / forward)', () => {
    const smile = { atm9: 500_000_000, skew9: -200_000_000, curvature9: 1_000_000_000 }
    const m = optionMarket([call, 'BTC-27MAR26-60000-P'], {
      config: { smiles: { btc_usd: smile } },
    })
    const k = Math.log(65 / 60)
    expect(view(m).mark9).toBe(Math.round((0.5 - 0.2 * k + k * k) * 1e9))
    expect(view(m, 'BTC-27MAR26-60000-P').mark9).toBe(500_000_000)
    // Afterwards the option keeps its volatility when the forward moves.
    m.index('btc_usd', '70000')
    expect(view(m).mark9).toBe(Math.round((0.5 - 0.2 * k + k * k) * 1e9))
  })

  test('without books the index gives the forward, and the marks of options follow last', () => {
    const m = optionMarket([call, 'BTC-PERPETUAL', 'BTC-30JAN26-60000-P'])
    expect(view(m).underlying).toBe('index_price')
    const moved = m.index('btc_usd', '61000')
    expect(namesOf(m, moved)).toEqual(['BTC-PERPETUAL', call, 'BTC-30JAN26-60000-P'])
    expect(view(m).forward).toBe(priceOf('61000'))
    expect([markOf(m), markOf(m, 'BTC-30JAN26-60000-P')]).toEqual([
      ...[modelPrice(m), modelPrice(m, 'BTC-30JAN26-60000-P')],
    ])
  })

  test('the future of its expiration is its forward', () => {
    const m = optionMarket(['BTC-27MAR26', call])
    m.mark('60600', 'BTC-27MAR26')
    expect(view(m, call)).toMatchObject({
      ...{ forward: priceOf('60600'), underlying: 'BTC-27MAR26' },
    })
    expect(markOf(m, call)).toBe(modelPrice(m, call))
    // A pinned future keeps the forward constant while the index moves.
    expect(namesOf(m, m.index('btc_usd', '50000'))).toEqual([])
    expect(namesOf(m, m.mark('60700', 'BTC-27MAR26'))).toEqual(['BTC-27MAR26', call])
  })

  test('rule option.forward: interpolated between neighbours, flat outside', () => {
    const names = ['BTC-27MAR26', 'BTC-26JUN26', 'BTC-30JAN26-60000-C']
    const m = optionMarket([...names, 'BTC-29MAY26-60000-C', 'BTC-25SEP26-60000-C'])
    m.mark('60600', 'BTC-27MAR26')
    m.mark('61800', 'BTC-26JUN26')
    const { now } = m.exchange
    const futures = [
      { mark9: priceOf('60600'), expiration: m.instrument('BTC-27MAR26').expiration },
      { mark9: priceOf('61800'), expiration: m.instrument('BTC-26JUN26').expiration },
    ]
    const forwardAt = (name: string): number => {
      const { expiration } = m.instrument(name)
      const of = { index9: priceOf('60000'), time: now, expiration, futures } as const
      return syntheticForward9({
        ...of,
        payoff: 'inverse',
        tick9: priceOf('2.5'),
        clampPpm: 100_000,
      })
    }
    for (const name of names.slice(2)) expect(view(m, name).forward).toBe(forwardAt(name))
    // Annualised premiums are 4.5 % and 6.3 %. 29MAY26 is 63 of the 91 days between the two dates.
    const year = 365 * 86_400_000_000
    const premium = (of: (typeof futures)[number] | undefined): number => {
      if (of === undefined) throw new Error('a future has a premium')
      return (Math.log(of.mark9 / priceOf('60000')) * year) / (of.expiration - now)
    }
    const [near, far] = [premium(futures[0]), premium(futures[1])]
    const years = (m.instrument('BTC-29MAY26-60000-C').expiration - now) / year
    const expected = 60_000 * Math.exp((near + (far - near) * (63 / 91)) * years)
    expect(priceText(view(m, 'BTC-29MAY26-60000-C').forward)).toBe(expected.toFixed(2))
    expect(view(m, 'BTC-29MAY26-60000-C').underlying).toBe('SYN.BTC-29MAY26')
  })

  test('rule option.forward: a future that ends does not move the forwards of others', () => {
    // The index moves in the last half hour of the only future, whose mark lags behind because it is an average.
    const m = optionMarket(['BTC-6JAN26', 'BTC-30JAN26-60000-C'])
    const forward = (): string => priceText(view(m, 'BTC-30JAN26-60000-C').forward)
    m.wait(22.75 * 60 * minute)
    m.index('btc_usd', '59000')
    m.wait(12 * minute)
    expect(Number(markOf(m, 'BTC-6JAN26'))).toBeGreaterThan(59_000)
    expect(forward()).toBe('59000')
    expect(view(m, 'BTC-30JAN26-60000-C').underlying).toBe('index_price')
  })

  test('with marks taken from the index: the forward is the index, and the volatility is on its smile', () => {
    const smile = { atm9: 500_000_000, skew9: 0, curvature9: 1_000_000_000 }
    const config = { marks: 'index', smiles: { btc_usd: smile } } as const
    const m = optionMarket(['BTC-27MAR26', call], { config })
    expect(view(m, call)).toMatchObject({
      ...{ forward: priceOf('60000'), underlying: 'index_price' },
    })
    m.index('btc_usd', '65000')
    expect(view(m, call).mark9).toBe(500_000_000)
    expect(markOf(m, call)).toBe(modelPrice(m, call))
  })
})

describe('rule option.mark-volatility: moves toward the book each second', () => {
  test('2/31 of the distance to the volatility of the mid price', () => {
    const m = optionMarket([call])
    requote(m, '0.0850', '0.0950')
    const contract = optionContract(m.instrument())
    if (contract === null) throw new Error('an option is asked for')
    let expected = view(m).mark9
    expect(expected).toBeLessThan(600_000_000)
    for (let seconds = 1; seconds <= 5; seconds += 1) {
      m.wait(second)
      const at = { forward9: priceOf('60000'), time: start + seconds * second }
      const of = (price: string): number => impliedVolatility9(contract, { ...at, price9: priceOf(price) })
      expected = nextVolatility9(expected, {
        ...{ bid9: of('0.085'), mid9: of('0.09'), ask9: of('0.095') },
      })
      expect(view(m).mark9).toBe(expected)
      expect(markOf(m)).toBe(modelPrice(m))
    }
  })

  test('never beyond the volatilities of bid and ask', () => {
    const m = optionMarket([call], { config: { priceBands: false } })
    requote(m, '0.1500', '0.1600')
    m.wait(second)
    expect(view(m).mark9).toBe(view(m).bid9)
    m.cancelAll('alice')
    m.cancelAll('bob')
    quote(m, '0.0100', '0.0105')
    m.wait(second)
    expect(view(m).mark9).toBe(view(m).ask9)
  })

  test('strikes without a book are interpolated between those with one, flat outside', () => {
    const names = [60_000, 65_000, 70_000, 75_000].flatMap((strike) => [
      ...[`BTC-27MAR26-${strike}-C`, `BTC-27MAR26-${strike}-P`],
    ])
    const m = optionMarket(names)
    quote(m, '0.0850', '0.0950', 'BTC-27MAR26-65000-C')
    quote(m, '0.3000', '0.3200', 'BTC-27MAR26-75000-P')
    m.wait(second)
    const of = (name: string): number => view(m, `BTC-27MAR26-${name}`).mark9
    const nodes = [
      { strike9: priceOf('65000'), volatility9: of('65000-C') },
      { strike9: priceOf('75000'), volatility9: of('75000-P') },
    ]
    expect(of('65000-C')).not.toBe(of('75000-P'))
    expect([of('60000-C'), of('60000-P'), of('65000-P')]).toEqual(Array(3).fill(of('65000-C')))
    expect(of('75000-C')).toBe(of('75000-P'))
    const between = volatilityBetween9(nodes, priceOf('70000'))
    expect([of('70000-C'), of('70000-P')]).toEqual([between, between])
    const k = (strike: number): number => Math.log(strike / 65_000) / Math.log(75 / 65)
    const [low, high] = [of('65000-C') / 1e9, of('75000-P') / 1e9]
    const variance = low * low + k(70_000) * (high * high - low * low)
    expect(between).toBe(Math.round(Math.sqrt(variance) * 1e9))
    // If all books are gone, the volatilities stay.
    m.cancelAll('alice')
    m.wait(10 * second)
    expect(of('70000-C')).toBe(between)
  })

  test('a pinned mark stays, and its volatility is the one of that price', () => {
    const m = optionMarket([call, 'BTC-27MAR26-65000-P'])
    const reported = marksOf(m.mark('0.12'))
    const contract = optionContract(m.instrument())
    if (contract === null) throw new Error('an option is asked for')
    const implied = (forward: string): number =>
      impliedVolatility9(contract, {
        ...{ price9: priceOf('0.12'), forward9: priceOf(forward), time: m.exchange.now },
      })
    expect(reported[0]).toMatchObject({ source: 'set', option: { volatility9: implied('60000') } })
    m.index('btc_usd', '61000')
    expect([markOf(m), view(m).mark9]).toEqual(['0.12', implied('61000')])
    // After it is unpinned, it continues from there.
    m.mark(null)
    expect([markOf(m), view(m).mark9]).toEqual([modelPrice(m), implied('61000')])
    // These marks would need volatilities beyond the bounds, so the volatility stays within them.
    m.mark('0.99')
    expect(view(m).mark9).toBe(5_000_000_000)
    m.mark('0.00000001')
    expect(view(m).mark9).toBeGreaterThanOrEqual(10_000_000)
  })
})

describe('rule option.sleep: options without a book are updated each full minute', () => {
  test('time decay changes the mark each full minute, and each second if there is a book', () => {
    const m = optionMarket([call])
    const tickTimes = (micros: number): readonly number[] =>
      marksOf(m.wait(micros)).map(({ time }) => (time - start) / second)
    expect(tickTimes(3 * minute)).toEqual([60, 120, 180])
    requote(m, '0.0850', '0.0950')
    expect(tickTimes(3 * second)).toEqual([181, 182, 183])
    m.cancelAll('alice')
    expect(m.exchange.series.map(({ sleeps }) => sleeps)).toEqual([false])
    m.wait(second)
    expect(m.exchange.series.map(({ sleeps }) => sleeps)).toEqual([true])
    expect(tickTimes(2 * minute)).toEqual([240, 300])
  })

  test('in the last half hour each second', () => {
    const m = optionMarket(['BTC-6JAN26-60000-C'])
    // 07:29:30 of the next day.
    m.wait(22 * 3_600 * second + 29 * minute + 30 * second)
    const reported = marksOf(m.wait(33 * second)).map(({ time }) => (time / second) % 60)
    expect(reported).toEqual([0, 1, 2, 3])
  })

  test('at its expiration its mark is the delivery value, and it is no longer updated', () => {
    const m = optionMarket(['BTC-6JAN26-50000-C'])
    m.wait(23 * 3_600 * second)
    expect(viewMarket(m.exchange, m.instrument().id).state).toBe('delivered')
    expect(viewOption(m.exchange, m.instrument().id)).toBeNull()
    expect(marksOf(m.wait(3_600 * second))).toEqual([])
  })
})

describe('rule prices.band: options', () => {
  const bandOf = (m: Market, name?: string): readonly string[] => {
    const { bandMin, bandMax } = viewMarket(m.exchange, m.instrument(name).id)
    return [priceText(bandMin), priceText(bandMax)]
  }

  test('R05 0.04 coin around the mark, rounded outward to the grid, at least one tick', () => {
    const m = optionMarket([call])
    m.mark('0.1206')
    expect(bandOf(m)).toEqual(['0.0805', '0.161'])
    m.mark('0.0372978')
    expect(bandOf(m)).toEqual(['0.0001', '0.0775'])
  })

  test('R05 the band of a linear option is 4 % of the index and moves with it', () => {
    const name = 'BTC_USDC-27MAR26-65000-C'
    const m = optionMarket([name])
    m.mark('2500')
    expect(bandOf(m)).toEqual(['100', '4900'])
    m.index('btc_usdc', '50000')
    expect(bandOf(m)).toEqual(['500', '4500'])
  })

  test('R05 an order beyond the band is refused with the limit', () => {
    const m = optionMarket([call])
    m.mark('0.1206')
    const refused = m.buy('alice', { amount: '0.1', price: '0.1615' })
    expect(refused.refusal).toEqual({ reason: 'price_too_high', limit: priceOf('0.161') })
    expect(m.sell('bob', { amount: '0.1', price: '0.08' }).refusal).toEqual({
      ...{ reason: 'price_too_low', limit: priceOf('0.0805') },
    })
  })
})

test('a trade shows the volatility of its price and the forward', () => {
  const m = optionMarket([call])
  m.sell('alice', { amount: '0.1', price: '0.0950' })
  const [trade] = m.buy('bob', { amount: '0.1', price: '0.0950' }).trades
  expect(trade?.option).toEqual({
    volatility9: impliedVolatility9(optionContract(m.instrument()) ?? never(), {
      ...{ price9: priceOf('0.095'), forward9: priceOf('60000'), time: m.exchange.now },
    }),
    forward: priceOf('60000'),
  })
})

function never(): never {
  throw new Error('an option is asked for')
}

test('a snapshot keeps forwards, volatilities, and the list of options that are updated each second', () => {
  const m = optionMarket(['BTC-27MAR26', call, 'BTC-29MAY26-60000-P'])
  m.mark('60600', 'BTC-27MAR26')
  quote(m, '0.0850', '0.0950', call)
  m.wait(10 * second)
  const copy = restore(snapshot(m.exchange))
  if (!copy.ok) throw new Error('a new snapshot can be restored')
  expect(stateHash(copy.value)).toBe(stateHash(m.exchange))
  expect(copy.value.series.map(({ forward, sleeps }) => [forward, sleeps])).toEqual(
    m.exchange.series.map(({ forward, sleeps }) => [forward, sleeps]),
  )
})
