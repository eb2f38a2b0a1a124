/** A session of ten clients: the market that they trade in, and their requests, some of them wrong. */

/** A market that runs by itself, with an account for each client. */
export const liveScenario = {
  version: 1,
  title: 'A market that goes on by itself',
  start: '2026-01-05T07:59:50Z',
  instruments: ['BTC-PERPETUAL', 'ETH-PERPETUAL'],
  venue: { listed_futures: ['BTC'] },
  index: { btc_usd: 60_000, eth_usd: 3000 },
  accounts: Object.fromEntries(
    Array.from({ length: 10 }, (_, at) => [`client-${at}`, { deposit: { BTC: 10, ETH: 10 } }]),
  ),
  population: {
    instrument: 'BTC-PERPETUAL',
    duration: '1h',
    index: { name: 'btc_usd', price: 60_000, tick: 0.5, every: '4s', step: 12 },
    amount: 10,
    makers: {
      count: 2,
      deposit: { BTC: 20 },
      every: '2s',
      orders: 3,
      offset: [4, 60],
      size: [10, 400],
    },
    takers: { count: 2, deposit: { BTC: 5 }, every: '10s', size: [5, 300], limit_percent: 25 },
  },
}

/** The request of a client at a count; some requests are wrong or not allowed. Orders have the count as label. */
export function requestOf(count: number): readonly [method: string, params: object] {
  const instrument = count % 3 === 0 ? 'ETH-PERPETUAL' : 'BTC-PERPETUAL'
  const price = (instrument === 'ETH-PERPETUAL' ? 3000 : 60_000) + ((count * 7) % 40) - 20
  const order = {
    instrument_name: instrument,
    amount: 10 * (1 + (count % 5)),
    price,
    type: 'limit',
    label: String(count),
  }
  const asked: readonly (readonly [string, object])[] = [
    ['private/buy', order],
    ['private/sell', order],
    ['private/sell', { ...order, amount: 7 }],
    ['private/cancel_all', {}],
    ['private/buy', { ...order, type: 'market', price: undefined }],
    ['public/ticker', { instrument_name: instrument }],
    ['private/get_positions', {}],
    ['public/nothing', {}],
    ['sim/set_index', { index_name: 'btc_usd', price: 1 }],
    ['private/edit', { order_id: String(count), amount: 10, price }],
  ]
  return asked[(count * 13) % asked.length] ?? ['public/get_time', {}]
}
