/**
 * The tokens that a logout ends, and those that it keeps. Source: interface document, private/logout; sessions document
 * 2.4.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestVenue, type Server } from '../../src/node.ts'
import { clientMarket, openClients } from '../support/client-market.ts'
import type { Heard, SocketClient } from '../support/socket-client.ts'

const scenario = { ...clientMarket, title: 'A market for clients that log out' }

let venue: Server
const client = openClients(() => venue)

beforeAll(async () => {
  venue = await createTestVenue({ scenario })
})

afterAll(async () => {
  await venue.close()
})

const ends = async (first: SocketClient, params: object): Promise<void> => {
  const frame = { jsonrpc: '2.0', id: 1, method: 'private/logout', params }
  first.socket.send(JSON.stringify(frame))
  await first.until(() => first.closed !== null)
}
const accessOf = ({ result }: Heard): string => (result as { access_token: string }).access_token

test('S275 without invalidation a token of a connection is valid on the next one', async () => {
  const first = await client()
  const { result } = await first.authenticate('alice')
  const { access_token, refresh_token } = result as Record<string, string>
  await ends(first, { invalidate_token: false })
  const second = await client()
  expect(await second.ask('private/get_positions', { access_token })).toMatchObject({
    result: [],
  })
  const renewed = await second.ask('public/auth', { grant_type: 'refresh_token', refresh_token })
  expect(renewed).toMatchObject({ result: { access_token: expect.any(String) } })
})

test('S275 a socket that ends without a logout invalidates its tokens', async () => {
  const first = await client()
  const access_token = accessOf(await first.authenticate('alice'))
  await first.close()
  const second = await client()
  expect(await second.ask('private/get_positions', { access_token })).toMatchObject({
    error: { code: 13009 },
  })
})

test('S275 a logout ends every token of its connection and the token in its request, no others', async () => {
  const other = await client()
  const kept = accessOf(await other.authenticate('alice', 'session:other'))
  const first = await client()
  const given = [
    accessOf(await first.authenticate('alice', 'session:one')),
    accessOf(await first.authenticate('alice', 'session:two')),
    accessOf(await first.authenticate('alice')),
  ]
  const words = 'grant_type=client_credentials&client_id=alice&client_secret=alice-secret'
  const overHttp = async (): Promise<string> => {
    const response = await fetch(`${venue.url}/public/auth?${words}`, {
      headers: { connection: 'close' },
    })
    return accessOf((await response.json()) as Heard)
  }
  const [shown, unshown] = [await overHttp(), await overHttp()]
  await ends(first, { access_token: shown })
  const codeOf = async (access_token: string): Promise<number | undefined> =>
    (await other.ask('private/get_positions', { access_token })).error?.code
  for (const token of [...given, shown]) expect(await codeOf(token)).toBe(13009)
  for (const token of [kept, unshown]) expect(await codeOf(token)).toBeUndefined()
})
