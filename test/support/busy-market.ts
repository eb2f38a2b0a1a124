/** A busy market that other sessions watch: its scenario, and its book in the server's answers. */
import type { Server } from '../../src/node.ts'

/** Ten makers and ten takers of a perpetual, and one instrument of each other kind. */
export const busyMarket = {
  version: 1,
  title: 'A busy market',
  seed: 'busy',
  start: '2026-01-05T09:00:00Z',
  instruments: ['BTC-PERPETUAL', 'ETH-PERPETUAL', 'BTC-27MAR26', 'BTC-27MAR26-100000-C', 'BTC_USDC'],
  index: { btc_usd: 100_000, eth_usd: 4000, btc_usdc: 100_000 },
  accounts: { alice: { deposit: { BTC: 10, USDC: 1000 } } },
  population: {
    instrument: 'BTC-PERPETUAL',
    duration: '1h',
    index: { name: 'btc_usd', price: 100_000, tick: 0.5, every: '1s', step: 12 },
    amount: 10,
    makers: {
      count: 10,
      deposit: { BTC: 20 },
      every: '300ms',
      orders: 8,
      offset: [2, 60],
      size: [10, 400],
    },
    takers: { count: 10, deposit: { BTC: 5 }, every: '900ms', size: [5, 300], limit_percent: 25 },
  },
}

/** The price and amount of each level of a side, best first. */
export type Levels = readonly (readonly [price: number, amount: number])[]

/** A book in the form of the server's answer. */
export interface AnsweredBook {
  readonly bids: Levels
  readonly asks: Levels
}

/** Requests the book of the perpetual to a depth. */
export async function bookOf(server: Server, depth: number): Promise<AnsweredBook> {
  const asked = `instrument_name=BTC-PERPETUAL&depth=${depth}`
  const response = await fetch(`${server.url}/public/get_order_book?${asked}`)
  const { result } = (await response.json()) as { readonly result: AnsweredBook }
  return { bids: result.bids, asks: result.asks }
}

/**
 * Advances a market by steps of 100 ms. After each step it waits, up to two seconds, until the client's book equals the
 * book that the server answers; `kept` returns the client's book. Returns how often the book changed, and the first
 * step at which the two differ, if any.
 */
export async function compareBooks(of: {
  readonly server: Server
  readonly depth: number
  readonly steps: number
  /** The client's book to that depth. */
  kept(): AnsweredBook
  /** Called before each step. */
  before?(step: number): void | Promise<void>
}): Promise<{
  readonly changes: number
  readonly difference: null | {
    readonly step: number
    readonly kept: AnsweredBook
    readonly wanted: AnsweredBook
  }
}> {
  const { server, depth, steps } = of
  let changes = 0
  let last = ''
  for (let step = 0; step < steps; step += 1) {
    await of.before?.(step)
    server.advance('100ms')
    const wanted = await bookOf(server, depth)
    const text = JSON.stringify(wanted)
    const isThere = (): boolean => JSON.stringify(of.kept()) === text
    for (let wait = 0; wait < WAITS && !isThere(); wait += 1) {
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    if (!isThere()) return { changes, difference: { step, kept: of.kept(), wanted } }
    if (text !== last) changes += 1
    last = text
  }
  return { changes, difference: null }
}

const WAITS = 2000
