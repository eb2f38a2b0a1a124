/**
 * Common set-up for tests of servers: a market of two perpetuals with three accounts, and sockets that close after
 * their test.
 */
import { afterEach } from 'vitest'
import type { Server } from '../../src/node.ts'
import { SocketClient } from './socket-client.ts'

/** Two traders with 10 BTC, a Member with ETH, and one perpetual of each currency. A test adds its title. */
export const clientMarket = {
  version: 1,
  start: '2026-01-05T09:00:00Z',
  instruments: ['BTC-PERPETUAL', 'ETH-PERPETUAL'],
  index: { btc_usd: 100_000, eth_usd: 3000 },
  accounts: {
    alice: { deposit: { BTC: 10 } },
    bob: { deposit: { BTC: 10 } },
    ann: { deposit: { ETH: 100 }, member: true },
  },
}

/**
 * Opens sockets to the server of a test file, with the key of `account` if it is given. Each socket closes after its
 * test.
 */
export function openClients(venue: () => Server): (account?: string, scope?: string) => Promise<SocketClient> {
  const open: SocketClient[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()))
  })
  return async (account, scope) => {
    const client = await SocketClient.open(venue().socketUrl)
    open.push(client)
    if (account !== undefined) await client.authenticate(account, scope)
    return client
  }
}
