/**
 * The market of a server without a scenario: a perpetual with a population around a drifting index, and two accounts
 * with money.
 */

/** The scenario of the default market, starting at an ISO time. */
export function defaultMarket(start: string): object {
  return {
    version: 1,
    title: 'A perpetual with a population of makers and takers',
    seed: 'default-market',
    start,
    instruments: ['BTC-PERPETUAL', 'ETH-PERPETUAL'],
    venue: { listed_futures: ['BTC'] },
    index: { btc_usd: 100_000, eth_usd: 4_000 },
    accounts: {
      alice: { deposit: { BTC: 10, ETH: 100, USDC: 100_000 } },
      bob: { deposit: { BTC: 10, ETH: 100, USDC: 100_000 } },
    },
    population: {
      instrument: 'BTC-PERPETUAL',
      duration: '7d',
      index: { name: 'btc_usd', price: 100_000, tick: 0.5, every: '4s', step: 12 },
      amount: 10,
      makers: {
        count: 12,
        deposit: { BTC: 20 },
        every: '2s',
        orders: 12,
        offset: [4, 60],
        size: [10, 400],
      },
      takers: { count: 20, deposit: { BTC: 5 }, every: '30s', size: [5, 300], limit_percent: 25 },
    },
  }
}
