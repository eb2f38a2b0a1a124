/**
 * The past that a server with controls keeps for forks of its market, and the memory of such a server. `npm test` sends
 * 3,000 requests, `npm run soak:server` 100,000.
 */
import { afterAll, describe, expect, test } from 'vitest'
import { Memory } from '../../src/server/past.ts'
import { ForkedServer } from '../support/forked-server.ts'
import { liveScenario, requestOf } from '../support/live-session.ts'
import { SocketClient } from '../support/socket-client.ts'

const isWhole = process.env['PITCLOCK_WHOLE'] === '1'
const REQUESTS = Number(process.env['PITCLOCK_FUZZ_CASES'] ?? (isWhole ? 100_000 : 3000))
const TENTHS = 10
const LIMIT_MILLIS = 1_800_000
/** Bytes that a request may add, and growth that does not count: compiled code, and pages that are not full. */
const LEFT_MAX = 40
const GROWTH_MAX = 2_000_000

describe('B6 the past of a market', () => {
  const asking = (count: number): Parameters<Memory['add']>[0] => ({
    method: count % 2 === 0 ? 'public/get_time' : 'private/buy',
    params: count % 2 === 0 ? {} : { instrument_name: 'BTC-PERPETUAL', amount: 10, price: 90_000 + count },
    account: 'alice',
    session: 1001,
  })

  test('B6 needs a few bytes for each request, and can be replayed as a whole', () => {
    const memory = new Memory()
    const count = 3500
    for (let at = 0; at < count; at += 1) {
      const time = (1_767_603_600_000_000 + at * 137) as never
      expect(memory.add(asking(at), time, time)).toBe(at + 1)
      if (at === 1499) memory.name('here', { inputs: at + 1, time })
    }
    expect(memory.packedBytes / count).toBeLessThan(40)
    const past = memory.until(7 as never, 0)
    const inputs = [...(past?.inputs ?? [])]
    expect(inputs.map(({ request: { time: _, ...each } }) => each)).toEqual(inputs.map((_, at) => asking(at)))
    expect(inputs).toHaveLength(count)
    expect([...(memory.until(7 as never, 600)?.inputs ?? [])]).toEqual(inputs.slice(0, -600))
    const named = memory.untilName('here')
    expect(named?.reached).toBe(inputs[1499]?.request.time)
    expect([...(named?.inputs ?? [])]).toEqual(inputs.slice(0, 1500))
    // The past of a fork does not change with later requests.
    memory.add(asking(1), 1 as never, 1)
    expect([...(past?.inputs ?? [])]).toEqual(inputs)
    const forked = new Memory(past?.inputs)
    expect([...(forked.until(7 as never, 0)?.inputs ?? [])]).toEqual(inputs)
  })
})

describe('B6 a server with controls', () => {
  let server: ForkedServer | undefined
  afterAll(async () => server?.kill())

  test(
    'B6 keeps its memory flat over many requests, and can be forked after them',
    async () => {
      const kept = { trades: 50, ended_orders: 50, transactions: 50, prices: 50, candles: 50 }
      const scenario = { ...liveScenario, venue: { history_limits: { ...kept, settlements: 50 } } }
      server = await ForkedServer.begin({ scenario, clock: 'wall', sim: true })
      const { memory, place } = { memory: () => server?.memory(), place: server.place }
      const clients = await Promise.all(
        Array.from({ length: 10 }, async (_, at) => {
          const client = await SocketClient.open(place.socketUrl)
          await client.authenticate(`client-${at}`)
          return client
        }),
      )
      const heaps: number[] = []
      let asked = 0
      for (let tenth = 1; tenth <= TENTHS; tenth += 1) {
        const most = (REQUESTS / TENTHS) * tenth
        await Promise.all(
          clients.map(async (client) => {
            while (asked < most) {
              const [method, params] = requestOf(asked)
              asked += 1
              await client.ask(method, params)
              // The client need not keep the replies.
              client.heard.length = 0
            }
          }),
        )
        const found = await memory()
        heaps.push(found?.heap ?? 0)
        const [heap = 0, rss = 0] = [found?.heap, found?.rss].map((bytes) => (bytes ?? 0) / 1e6)
        process.stderr.write(`${asked} requests: ${heap.toFixed(1)} MB in use, ${rss.toFixed(1)} MB resident\n`)
      }
      const [third = 0] = heaps.slice(2)
      const grown = Math.min(...heaps.slice(-3)) - third
      expect(grown).toBeLessThan(GROWTH_MAX + LEFT_MAX * REQUESTS * 0.6)
      const control = await SocketClient.open(place.socketUrl)
      await control.authenticate('sim')
      expect((await control.ask('sim/fork', { name: 'after' })).error).toBeUndefined()
    },
    LIMIT_MILLIS,
  )
})
