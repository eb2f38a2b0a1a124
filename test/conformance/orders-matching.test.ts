/**
 * Matching: price-time priority, the price of trades, ids, average prices, the order of events.
 *
 * Source: trading.md 6.1, 5.1, C02, C04, C06; coverage R08, R27, S036, S038, S167.
 */
import { describe, expect, test } from 'vitest'
import { numberOfId, type OrderChanged } from '../../src/model/index.ts'
import { idOf, kindsOf, type Market, market, priceText } from '../support/harness.ts'

const rich = { BTC: '1000', ETH: '1000', USDC: '10000000' }
const accounts = { alice: rich, bob: rich, carol: rich }

function btc(): Market {
  return market({
    instruments: { 'BTC-PERPETUAL': {} },
    accounts,
    index: { btc_usd: '50000' },
  })
}

describe('6.1 price-time priority', () => {
  test('better prices first, then the older order; a trade has the price of the resting order', () => {
    const m = btc()
    m.sell('bob', { amount: '10', price: '50010' })
    m.sell('carol', { amount: '20', price: '50000' })
    m.sell('bob', { amount: '30', price: '50000' })
    const { trades, order } = m.buy('alice', { amount: '60', price: '50010' })
    const makers = trades.map((trade) => [trade.maker.account, priceText(trade.price), trade.amount * 10])
    expect(makers).toEqual([
      [m.account('carol'), '50000', 20],
      [m.account('bob'), '50000', 30],
      [m.account('bob'), '50010', 10],
    ])
    expect(order).toMatchObject({
      kind: 'order',
      change: 'filled',
      state: 'filled',
      filled: 6,
      rested: false,
    })
  })

  test('a sell matches the highest bid first', () => {
    const m = btc()
    m.buy('bob', { amount: '10', price: '49990' })
    m.buy('carol', { amount: '10', price: '50000' })
    const { trades } = m.sell('alice', { amount: '20', price: '49990' })
    expect(trades.map((trade) => priceText(trade.price))).toEqual(['50000', '49990'])
    expect(trades.map((trade) => trade.side)).toEqual(['sell', 'sell'])
  })

  test('a remainder rests at its own limit price, ahead of later orders', () => {
    const m = btc()
    m.sell('bob', { amount: '10', price: '50000' })
    m.buy('alice', { amount: '30', price: '50005' })
    m.buy('carol', { amount: '10', price: '50005' })
    expect(m.depth('buy')).toEqual([['50005', '30']])
    const { trades } = m.sell('bob', { amount: '20', price: '50005' })
    expect(trades.map((trade) => trade.maker.account)).toEqual([m.account('alice')])
  })

  test('a partly filled maker keeps its place', () => {
    const m = btc()
    const first = m.sell('bob', { amount: '30', price: '50000' })
    m.sell('carol', { amount: '30', price: '50000' })
    m.buy('alice', { amount: '10', price: '50000' })
    const { trades } = m.buy('alice', { amount: '10', price: '50000' })
    expect(trades[0]?.maker.order).toBe(idOf(first))
    expect(trades[0]?.maker.remaining).toBe(1)
  })

  test('prices that do not cross do not trade', () => {
    const m = btc()
    m.sell('bob', { amount: '10', price: '50000' })
    expect(m.buy('alice', { amount: '10', price: '49999.5' }).trades).toEqual([])
    expect([m.depth('buy'), m.depth('sell')]).toEqual([[['49999.5', '10']], [['50000', '10']]])
  })
})

describe('C06 the order of events', () => {
  test('each match: the trade, then the maker; the taker once, at its end; then request', () => {
    const m = btc()
    m.sell('bob', { amount: '10', price: '50000' })
    m.sell('carol', { amount: '20', price: '50000' })
    const taken = m.buy('alice', { amount: '20', price: '50000' })
    expect(kindsOf(taken)).toEqual([
      'order opened',
      'trade',
      'order filled',
      'trade',
      'order filled',
      'order filled',
      'request',
    ])
    const filled = taken.events.filter(
      (event): event is OrderChanged => event.kind === 'order' && event.change === 'filled',
    )
    expect(filled.map((event) => [event.account, event.state, event.filled])).toEqual([
      [m.account('bob'), 'filled', 1],
      [m.account('carol'), 'open', 1],
      [m.account('alice'), 'filled', 2],
    ])
  })

  test('the trade shows both sides as they are after the fill', () => {
    const m = btc()
    m.sell('bob', { amount: '30', price: '50000', label: 'ask' })
    const [trade] = m.buy('alice', { amount: '20', price: '50100' }).trades
    expect(trade).toMatchObject({
      side: 'buy',
      amount: 2,
      maker: { rule: 'book_maker', side: 'sell', position: -2, remaining: 1, realized: 0n },
      taker: { rule: 'book_taker', side: 'buy', position: 2, remaining: 0, realized: 0n },
    })
    expect(priceText(trade?.mark ?? trade?.price ?? m.position('alice').mark)).toBe('50000')
  })

  test('an order without a match opens and rests with one event', () => {
    const m = btc()
    expect(kindsOf(m.buy('alice', { amount: '10', price: '50000' }))).toEqual(['order opened', 'request'])
  })

  test('with book events, the event of each level comes before the trade that changed it', () => {
    const m = market({
      instruments: { 'BTC-PERPETUAL': {} },
      accounts,
      index: { btc_usd: '50000' },
      config: { bookEvents: true },
    })
    m.sell('bob', { amount: '10', price: '50000' })
    const taken = m.buy('alice', { amount: '30', price: '50000' })
    expect(kindsOf(taken)).toEqual([
      'order opened',
      'level',
      'trade',
      'order filled',
      'order filled',
      'level',
      'request',
    ])
    const levels = taken.events.filter((event) => event.kind === 'level')
    expect(levels.map((level) => [level.side, level.amount])).toEqual([
      ['sell', 0],
      ['buy', 2],
    ])
  })

  test('events carry the number of their request, and their own numbers have no gaps', () => {
    const m = btc()
    m.sell('bob', { amount: '10', price: '50000' })
    const taken = m.buy('alice', { amount: '10', price: '50000' })
    expect(new Set(taken.events.map((event) => event.cause)).size).toBe(1)
    expect(m.events.map((event) => event.number)).toEqual(m.events.map((_, at) => (m.events[0]?.number ?? 0) + at))
  })
})

describe('R08 ids: one counter per settlement currency, from 1', () => {
  test('orders and trades of BTC and USDC are counted separately, each currency over all its instruments', () => {
    const m = market({
      instruments: {
        'BTC-PERPETUAL': {},
        'BTC-27MAR26': {},
        BTC_USDC: {},
        'SOL_USDC-PERPETUAL': {},
      },
      accounts,
      index: { btc_usd: '50000', btc_usdc: '50000', sol_usdc: '200' },
    })
    const ids = (['BTC-PERPETUAL', 'BTC-27MAR26', 'BTC_USDC', 'SOL_USDC-PERPETUAL'] as const).map((instrument) => {
      const price = instrument.startsWith('SOL') ? '200' : '50000'
      const amount = instrument.startsWith('BTC-') ? '10' : '0.1'
      const order = idOf(m.sell('bob', { instrument, amount, price }))
      const [trade] = m.buy('alice', { instrument, amount, price }).trades
      return [numberOfId(order), trade === undefined ? 0 : numberOfId(trade.trade)]
    })
    expect(ids.filter(([order]) => order !== undefined).map(([order]) => order)).toEqual([
      ...[1, 3],
      // Alice has not bought BTC on spot before; bob sells coin that he holds.
      ...[1, 3],
    ])
    expect(ids.map(([, trade]) => trade)).toEqual([1, 2, 1, 2])
  })

  test('S036 trade_seq counts within the instrument', () => {
    const m = market({
      instruments: { 'BTC-PERPETUAL': {}, 'BTC-27MAR26': {} },
      accounts,
      index: { btc_usd: '50000' },
    })
    const seqs = ['BTC-PERPETUAL', 'BTC-27MAR26', 'BTC-PERPETUAL'].map((instrument) => {
      m.sell('bob', { instrument, amount: '10', price: '50000' })
      return m.buy('alice', { instrument, amount: '10', price: '50000' }).trades[0]?.tradeSeq
    })
    expect(seqs).toEqual([1, 1, 2])
  })
})

describe('R27 average_price', () => {
  test('inverse: total amount over total coin, 8 decimals', () => {
    const m = btc()
    m.sell('bob', { amount: '10', price: '50000' })
    m.sell('bob', { amount: '30', price: '50000.5' })
    m.sell('bob', { amount: '20', price: '50003' })
    const two = m.buy('alice', { amount: '40', price: '50010' })
    expect(priceText(two.order?.averagePrice ?? m.position('bob').mark)).toBe('50000.37499906')
    const resting = m.buy('carol', { amount: '40', price: '50003' })
    expect(priceText(resting.order?.averagePrice ?? m.position('bob').mark)).toBe('50003')
    expect(resting.order).toMatchObject({ state: 'open', filled: 2, amount: 4 })
  })

  test('inverse over three levels, and zero before the first fill', () => {
    const m = btc()
    const open = m.sell('bob', { amount: '10', price: '50000' })
    expect(open.order?.averagePrice).toBe(0)
    m.sell('bob', { amount: '30', price: '50000.5' })
    m.sell('bob', { amount: '20', price: '50003' })
    const three = m.buy('alice', { amount: '60', price: '50010' })
    expect(priceText(three.order?.averagePrice ?? m.position('bob').mark)).toBe('50001.24996875')
  })

  test('linear: the weighted mean, rounded half away from zero', () => {
    const m = market({
      instruments: { 'BTC_USDC-PERPETUAL': {} },
      accounts,
      index: { btc_usdc: '50000' },
    })
    m.sell('bob', { amount: '0.001', price: '50000' })
    m.sell('bob', { amount: '0.002', price: '50000.5' })
    const mean = m.buy('alice', { amount: '0.003', price: '50001' })
    expect(priceText(mean.order?.averagePrice ?? m.position('bob').mark)).toBe('50000.33333333')
  })

  test('a resting order that fills in parts at its one price has that average', () => {
    const m = btc()
    const order = idOf(m.sell('bob', { amount: '40', price: '50000.5' }))
    for (const amount of ['10', '20', '10']) {
      const { events } = m.buy('alice', { amount, price: '50010' })
      const maker = events.find((event) => event.kind === 'order' && event.change === 'filled' && event.order === order)
      expect(maker).toMatchObject({ averagePrice: 50_000_500_000_000 })
    }
  })

  test('an edited order includes the prices of all its earlier fills', () => {
    const m = btc()
    const order = idOf(m.buy('alice', { amount: '40', price: '50000' }))
    m.sell('bob', { amount: '10', price: '50000' })
    m.sell('bob', { amount: '30', price: '50000.5' })
    const edited = m.edit('alice', order, { amount: '60', price: '50000.5' })
    expect(priceText(edited.order?.averagePrice ?? m.position('bob').mark)).toBe('50000.37499906')
    m.sell('bob', { amount: '20', price: '50000' })
    expect(m.openOrders('alice')).toEqual([])
  })
})

test('S167 a sell that fills completely at once ends filled', () => {
  const m = btc()
  m.buy('bob', { amount: '20', price: '50000' })
  const sold = m.sell('alice', { amount: '20', price: '50000' })
  expect(sold.order).toMatchObject({ state: 'filled', filled: 2, amount: 2, reason: null })
  expect(sold.trades).toHaveLength(1)
})

test('S038 the direction of a trade is the side of its taker', () => {
  const m = btc()
  m.buy('bob', { amount: '10', price: '50000' })
  expect(m.sell('alice', { amount: '10', price: '50000' }).trades[0]?.side).toBe('sell')
})
