/**
 * The published ccxt, connected to a server: its calls return the expected results, and the book that it keeps equals
 * the book of the market.
 */
import ccxt from 'ccxt'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createServer, type Server } from '../../src/node.ts'
import { busyMarket, compareBooks, type Levels } from '../support/busy-market.ts'
import { isWhole } from '../support/property-runs.ts'

vi.setConfig({ testTimeout: isWhole ? 1_200_000 : 300_000 })

const symbol = 'BTC/USD:BTC'
/** Steps of 100 ms after which its book is compared; the whole run takes ten minutes. */
const steps = isWhole ? 6000 : 100

/** The id of an order, which may be missing in the types of ccxt. */
function idOf({ id }: { readonly id?: string | undefined }): string {
  return id ?? ''
}

let server: Server
let client: InstanceType<typeof ccxt.pro.deribit>

beforeAll(async () => {
  const opened = await createServer({ scenario: busyMarket, clock: 'stepped' })
  if (!opened.ok) throw new Error(opened.error.lines.join())
  server = opened.value
  client = new ccxt.pro.deribit({ apiKey: 'alice', secret: 'alice-secret' })
  client.urls['api'] = {
    rest: `http://127.0.0.1:${server.port}`,
    ws: `ws://127.0.0.1:${server.port}/ws/api/v2`,
  }
  // ccxt would limit its own rate by the clock of the machine; the test does not need that.
  client.enableRateLimit = false
  await client.loadHttpProxyAgent()
  server.advance('30s')
})

afterAll(async () => {
  await client.close()
  await server.close()
})

describe('ccxt over HTTP', () => {
  test('markets of every kind', async () => {
    const markets = await client.loadMarkets()
    const kinds = Object.values(markets).map((each) => [each?.symbol, each?.type])
    expect(kinds).toEqual(
      expect.arrayContaining([
        [symbol, 'swap'],
        ['ETH/USD:ETH', 'swap'],
        ['BTC/USD:BTC-260327', 'future'],
        ['BTC/USD:BTC-260327-100000-C', 'option'],
        ['BTC/USDC', 'spot'],
      ]),
    )
    expect(markets[symbol]).toMatchObject({ contractSize: 10, active: true, inverse: true })
  })

  test('time and status equal those of the market', async () => {
    expect(await client.fetchTime()).toBe(Date.parse(server.now()))
    expect(await client.fetchStatus()).toMatchObject({ status: 'ok' })
  })

  test('prices', async () => {
    const ticker = await client.fetchTicker(symbol)
    expect(ticker).toMatchObject({ symbol, bid: expect.any(Number), ask: expect.any(Number) })
    expect(Number(ticker.bid)).toBeLessThan(Number(ticker.ask))
    const tickers = await client.fetchTickers(undefined, { code: 'BTC' })
    expect(Object.keys(tickers)).toContain(symbol)
    const book = await client.fetchOrderBook(symbol, 10)
    expect(book.bids[0]?.[0]).toBe(ticker.bid)
    expect(book.asks[0]?.[0]).toBe(ticker.ask)
    const trades = await client.fetchTrades(symbol, undefined, 5)
    expect(trades).toHaveLength(5)
    expect(trades[0]).toMatchObject({ symbol, price: expect.any(Number), side: expect.any(String) })
    const since = Date.parse('2026-01-05T09:00:00Z')
    const candles = await client.fetchOHLCV(symbol, '1m', since, 10)
    expect(candles.length).toBeGreaterThan(0)
    const greeks = await client.fetchGreeks('BTC/USD:BTC-260327-100000-C')
    expect(greeks).toMatchObject({
      delta: expect.any(Number),
      markImpliedVolatility: expect.any(Number),
    })
  })

  test('funding and settlements', async () => {
    expect(await client.fetchFundingRate(symbol)).toMatchObject({
      symbol,
      fundingRate: expect.any(Number),
    })
    expect(await client.fetchFundingRateHistory(symbol)).toEqual(expect.any(Array))
    expect(await client.fetchLiquidations(symbol)).toEqual([])
    // Historical volatility needs two days of data.
    expect(await client.fetchVolatilityHistory('BTC')).toEqual([])
    const get = async (method: string, params: object = {}): Promise<unknown> =>
      await client.request(method, 'public', 'GET', params)
    const span = { start_timestamp: 0, end_timestamp: 1_800_000_000_000, resolution: 60 }
    const named = { currency: 'BTC', ...span }
    expect(await get('get_volatility_index_data', named)).toMatchObject({
      result: { data: expect.arrayContaining([expect.any(Array)]), continuation: null },
    })
    expect(await get('get_index_chart_data', { index_name: 'btc_usd', range: '1h' })).toMatchObject({
      result: [[1_767_603_600_000, expect.any(Number)]],
    })
    expect(await get('get_trade_volumes', { extended: true })).toMatchObject({
      result: expect.arrayContaining([expect.objectContaining({ currency: 'BTC' })]),
    })
    expect(await get('get_supported_index_names', { type: 'derivative' })).toMatchObject({
      result: expect.arrayContaining(['btc_usd']),
    })
    expect(await get('get_announcements')).toMatchObject({ result: [] })
  })

  test('an account and its orders', async () => {
    expect(await client.fetchBalance()).toMatchObject({ BTC: { total: 10, free: 10 } })
    expect(await client.fetchAccounts()).toMatchObject([{ type: 'main' }])
    const placed = await client.createOrder(symbol, 'limit', 'buy', 20, 90_000, { postOnly: true })
    expect(placed).toMatchObject({ status: 'open', price: 90_000, amount: 20, postOnly: true })
    const edited = await client.editOrder(idOf(placed), symbol, 'limit', 'buy', 30, 90_010)
    expect(edited).toMatchObject({ id: placed.id, price: 90_010, amount: 30 })
    expect(await client.fetchOrder(idOf(placed))).toMatchObject({ status: 'open', amount: 30 })
    expect(await client.fetchOpenOrders(symbol)).toMatchObject([{ id: placed.id }])
    expect(await client.cancelOrder(idOf(placed))).toMatchObject({ status: 'canceled' })
    const taken = await client.createOrder(symbol, 'market', 'buy', 10)
    expect(taken).toMatchObject({ status: 'closed', filled: 10, average: expect.any(Number) })
    expect(await client.fetchClosedOrders(symbol)).toMatchObject([{ id: taken.id }])
    expect(await client.fetchMyTrades(symbol)).toMatchObject([{ order: taken.id, amount: 10, side: 'buy' }])
    expect(await client.fetchOrderTrades(idOf(taken))).toMatchObject([{ order: taken.id }])
    expect(await client.fetchPosition(symbol)).toMatchObject({ side: 'long', contracts: 10 })
    expect(await client.fetchPositions()).toMatchObject([{ symbol }])
    expect(await client.fetchTransfers('BTC')).toEqual([])
    const stop = await client.createOrder(symbol, 'stop_market', 'sell', 10, undefined, {
      trigger: 'mark_price',
      trigger_price: 95_000,
    })
    expect(stop.info).toMatchObject({ order_state: 'untriggered' })
    await client.cancelAllOrders(symbol)
    expect(await client.fetchOpenOrders(symbol)).toEqual([])
  })

  test('errors equal those of the venue', async () => {
    await expect(client.createOrder('BTC/USDC', 'limit', 'buy', 1, 90_000)).rejects.toThrow(
      /10039|not_enough_funds_in_currency/,
    )
    await expect(client.fetchOrder('999999')).rejects.toThrow(/10004|order_not_found/)
    const other = new ccxt.deribit({ apiKey: 'alice', secret: 'wrong' })
    other.urls['api'] = client.urls['api'] as object
    await other.loadHttpProxyAgent()
    await expect(other.fetchBalance()).rejects.toThrow(ccxt.AuthenticationError)
  })
})

describe('ccxt over a WebSocket', () => {
  /** Lets the market continue until a result has arrived. */
  async function whileGoingOn<T>(watched: Promise<T>): Promise<T> {
    let isDone = false
    const result = watched.finally(() => {
      isDone = true
    })
    for (let count = 0; count < 100 && !isDone; count += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      if (!isDone) server.advance('500ms')
    }
    return await result
  }

  test('prices and trades', async () => {
    expect(await whileGoingOn(client.watchTicker(symbol))).toMatchObject({ symbol })
    expect((await whileGoingOn(client.watchTrades(symbol))).at(0)).toMatchObject({ symbol })
    expect(await whileGoingOn(client.watchBidsAsks([symbol]))).toHaveProperty([symbol])
    expect((await whileGoingOn(client.watchOHLCV(symbol, '1m'))).length).toBeGreaterThan(0)
  })

  test('its own orders, trades and balance', async () => {
    expect(await whileGoingOn(client.watchBalance())).toHaveProperty('BTC')
    const orders = client.watchOrders(symbol)
    const trades = client.watchMyTrades(symbol)
    await new Promise((resolve) => setTimeout(resolve, 200))
    const placed = await client.createOrder(symbol, 'market', 'buy', 10)
    expect(await whileGoingOn(orders)).toMatchObject([{ id: placed.id, status: 'closed' }])
    expect(await whileGoingOn(trades)).toMatchObject([{ order: placed.id, amount: 10 }])
  })

  test('the book that it keeps equals the market’s book, step by step', async () => {
    const levels = (side: Iterable<readonly unknown[]>): Levels =>
      [...side].map(([price, amount]) => [Number(price), Number(amount)] as const)
    let kept = await whileGoingOn(client.watchOrderBook(symbol))
    let isWatching = true
    const watching = (async () => {
      while (isWatching) kept = await client.watchOrderBook(symbol)
    })()
    const compared = await compareBooks({
      server,
      depth: 10_000,
      steps,
      kept: () => ({ bids: levels(kept.bids), asks: levels(kept.asks) }),
    })
    expect(compared.difference).toBeNull()
    expect(compared.changes).toBeGreaterThan(steps / 10)
    isWatching = false
    // The last wait of the watcher ends with the next change.
    await whileGoingOn(watching)
  })
})
