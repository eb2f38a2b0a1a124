/**
 * What a server with controls remembers of each request, so that its market can be forked.
 */
import { describe, expect, test } from 'vitest'
import { Memory } from '../../src/server/past.ts'

describe('B6 what a server with controls remembers', () => {
  const asking = (count: number): Parameters<Memory['add']>[0] => ({
    method: count % 2 === 0 ? 'public/get_time' : 'private/buy',
    params:
      count % 2 === 0
        ? {}
        : { instrument_name: 'BTC-PERPETUAL', amount: 10, price: 90_000 + count },
    account: 'alice',
    session: 1001,
  })

  test('B6 of a request are a few bytes, and all of it can be gone through again', () => {
    const memory = new Memory()
    const count = 3500
    for (let at = 0; at < count; at += 1) {
      const time = (1_767_603_600_000_000 + at * 137) as never
      expect(memory.add(asking(at), { time, reached: time })).toBe(at + 1)
      if (at === 1499) memory.name('here', { inputs: at + 1, time })
    }
    expect(memory.packedBytes / count).toBeLessThan(40)
    const past = memory.until(7 as never, 0)
    const inputs = [...(past?.inputs ?? [])]
    expect(inputs.map(({ request: { time: _, ...each } }) => each)).toEqual(
      inputs.map((_, at) => asking(at)),
    )
    expect(inputs).toHaveLength(count)
    expect([...(memory.until(7 as never, 600)?.inputs ?? [])]).toEqual(inputs.slice(0, -600))
    const named = memory.untilName('here')
    expect(named?.reached).toBe(inputs[1499]?.request.time)
    expect([...(named?.inputs ?? [])]).toEqual(inputs.slice(0, 1500))
    // What a fork has of it stays as it was, whatever comes then.
    memory.add(asking(1), { time: 1 as never, reached: 1 })
    expect([...(past?.inputs ?? [])]).toEqual(inputs)
    const forked = new Memory(past?.inputs)
    expect([...(forked.until(7 as never, 0)?.inputs ?? [])]).toEqual(inputs)
  })
})
