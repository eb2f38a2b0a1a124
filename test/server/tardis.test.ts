/**
 * The published tardis-dev, connected to a server: its normalised streams, and the books that it rebuilds from them,
 * also after a lost connection.
 */
import { type AddressInfo, connect, createServer as createRelay, type Socket } from 'node:net'
import {
  type BookSnapshot,
  compute,
  computeBookSnapshots,
  type DerivativeTicker,
  type Disconnect,
  normalizeBookChanges,
  normalizeDerivativeTickers,
  normalizeTrades,
  streamNormalized,
  type Trade,
} from 'tardis-dev'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestVenue, type Server } from '../../src/node.ts'
import { type AnsweredBook, busyMarket, compareBooks, type Levels } from '../support/busy-market.ts'
import { isWhole } from '../support/property-runs.ts'

vi.setConfig({ testTimeout: isWhole ? 1_200_000 : 300_000 })

const DEPTH = 10
/** Steps of 100 ms; the whole run takes ten minutes. */
const steps = isWhole ? 6000 : 100

let server: Server
/** A relay between client and server, which can break the connection. */
const sockets = new Set<Socket>()
const relay = createRelay((from) => {
  const to = connect(server.port, '127.0.0.1')
  for (const socket of [from, to]) {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      sockets.delete(socket)
      from.destroy()
      to.destroy()
    })
  }
  from.pipe(to)
  to.pipe(from)
})

beforeAll(async () => {
  server = await createTestVenue({ scenario: busyMarket })
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
  const { port } = relay.address() as AddressInfo
  vi.stubEnv('WSS_URL_DERIBIT', `ws://127.0.0.1:${port}/ws/api/v2`)
  server.advance('30s')
})

afterAll(async () => {
  vi.unstubAllEnvs()
  relay.close()
  loseConnections()
  await server.close()
})

function loseConnections(): void {
  for (const socket of sockets) socket.destroy()
}

test('books, trades and tickers of tardis-dev equal those of the market, also after a lost connection', async () => {
  const books: BookSnapshot[] = []
  const trades: Trade[] = []
  const tickers: DerivativeTicker[] = []
  const disconnects: Disconnect[] = []
  let lastBook: BookSnapshot | undefined
  let isOver = false
  // The declarations of tardis-dev lose the types of the yielded messages.
  const messages: AsyncIterable<BookSnapshot | Trade | DerivativeTicker | Disconnect> = compute(
    streamNormalized(
      {
        exchange: 'deribit',
        symbols: ['BTC-PERPETUAL'],
        withDisconnectMessages: true,
        timeoutIntervalMS: 60_000,
      },
      normalizeBookChanges,
      normalizeTrades,
      normalizeDerivativeTickers,
    ),
    computeBookSnapshots({ depth: DEPTH, interval: 0 }),
  )
  const reading = (async () => {
    for await (const message of messages) {
      if (isOver) break
      if (message.type === 'book_snapshot') {
        books.push(message)
        lastBook = message
      } else if (message.type === 'trade') trades.push(message)
      else if (message.type === 'derivative_ticker') tickers.push(message)
      else if (message.type === 'disconnect') disconnects.push(message)
    }
  })()
  const kept = (): AnsweredBook => ({
    bids: lastBook?.bids.flatMap(levelOf) ?? [],
    asks: lastBook?.asks.flatMap(levelOf) ?? [],
  })
  const isConnected = async (before: number): Promise<void> => {
    while (books.length === before) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      server.advance('100ms')
    }
  }
  await isConnected(0)
  const compared = await compareBooks({
    server,
    depth: DEPTH,
    steps,
    kept,
    before: async (step) => {
      if (step !== steps / 2) return
      loseConnections()
      while (disconnects.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      server.advance('2s')
      await isConnected(books.length)
    },
  })
  expect(compared.difference).toBeNull()
  expect(compared.changes).toBeGreaterThan(steps / 10)
  expect(disconnects.length).toBeGreaterThan(0)
  isOver = true
  // The reader leaves its loop, and closes its connection, at the next message.
  server.advance('5s')
  await reading
  const answered = await fetch(
    `${server.url}/public/get_last_trades_by_instrument?instrument_name=BTC-PERPETUAL&count=1000`,
  )
  const { result } = (await answered.json()) as {
    readonly result: {
      readonly trades: readonly {
        readonly trade_id: string
        readonly price: number
        readonly amount: number
        readonly direction: string
      }[]
    }
  }
  const ours = new Map(result.trades.map((each) => [each.trade_id, [each.price, each.amount, each.direction]]))
  expect(trades.length).toBeGreaterThan(2)
  // The server returns the last thousand.
  for (const { id, price, amount, side } of trades.slice(-300)) {
    expect(ours.get(String(id))).toEqual([price, amount, side])
  }
  expect(tickers.at(-1)).toMatchObject({
    symbol: 'BTC-PERPETUAL',
    indexPrice: expect.any(Number),
    markPrice: expect.any(Number),
    openInterest: expect.any(Number),
  })
})

/** An existing level; levels beyond the depth have no price. */
function levelOf({
  price,
  amount,
}: {
  readonly price?: number | undefined
  readonly amount?: number | undefined
}): Levels {
  return price === undefined || amount === undefined ? [] : [[price, amount]]
}
