/**
 * Hooks of a running loop: `onInput` comes before the input changes the exchange, in order, for recorded messages,
 * requests and timers alike, and not before `nextInput`.
 */
import { expect, test } from 'vitest'
import { createLoop, type LoopHooks, runLoop, seatedSink } from '../../../src/backtest/index.ts'
import { randomStream } from '../../../src/core/index.ts'
import { defaultConfig, sinkOf } from '../../../src/model/index.ts'
import { createDesk, ownMethods } from '../../../src/rpc/index.ts'
import { marketOf, offset, requestsOf, seatOf, seatsOf, setUpOf, start, type Wish } from '../../support/strategy-run.ts'

const hour = 3_600_000_000

test('every input is announced before it changes anything', () => {
  // A seat makes the loop check the timers of the exchange as well.
  const seats = seatsOf([seatOf('bob', {})])
  const sink = seatedSink(seats, { emit: () => undefined })
  // Marks that follow the index leave the end of the session as the only timer.
  const config = { ...defaultConfig(start), marks: 'index' as const }
  const desk = createDesk({ config, controls: true, methods: ownMethods }, sink)
  const inputs: string[] = []
  const hooks: LoopHooks = {
    onInput: (time) => {
      expect(desk.exchange.now).toBeLessThanOrEqual(time)
      inputs.push(`input@${offset(time)} after ${desk.exchange.eventCount - opened}`)
    },
    onRequest: (request) => inputs.push(`${request.method}@${offset(request.time)}`),
  }
  const market = marketOf([
    { at: 5, rows: [['buy', 100_000, 10]] },
    { at: 24 * hour, rows: [['sell', 100_002, 10]] },
  ])
  const terms = { price: 49_999, time_in_force: 'good_til_day' }
  const order = { instrument_name: 'BTC-PERPETUAL', amount: 100, ...terms }
  const sources = [requestsOf([...setUpOf(true), [10, 'alice', 'private/buy', order]])]
  const loop = createLoop(desk, sources, hooks, { market, seats })
  let opened = 0
  runLoop(loop, setUpOf(true).length)
  opened = desk.exchange.eventCount
  inputs.length = 0
  expect(runLoop(loop, Number.POSITIVE_INFINITY)).toBe('done')
  const asked = inputs.filter((line) => !line.startsWith('input'))
  expect(asked).toEqual(['private/buy@10'])
  // The order ends at 08:00 of the next day, 23 hours after the start, and two instruments are settled.
  expect(inputs).toEqual([
    ...['input@5 after 0', 'input@10 after 0', ...asked],
    ...[`input@${23 * hour} after 2`, `input@${24 * hour} after 11`],
  ])
})

/**
 * The times of the inputs before which a hook works: at its own next time, or at the first input after an event that
 * asks for it.
 */
function worked(seed: number, isSkipping: boolean): { readonly times: readonly number[]; readonly calls: number } {
  const stream = randomStream(`${seed}`, 'inputs')
  const times: number[] = []
  let calls = 0
  let next = 0
  const sink = sinkOf({
    index: ({ price }) => {
      if (price % 7 === 0) next = 0
    },
  })
  const desk = createDesk({ config: defaultConfig(start), controls: true, methods: ownMethods }, sink)
  const hooks: LoopHooks = {
    onInput: (time) => {
      calls += 1
      if (time < next) return
      times.push(offset(time))
      next = time + stream.int(0, 2_000_000)
    },
    ...(isSkipping ? { nextInput: () => next } : {}),
  }
  const messages = Array.from({ length: 200 }, (_, at) => ({
    at: 20_000 * at,
    rows: [['buy' as const, 100_000, 1 + (at % 9)] as const],
  }))
  const indices = Array.from({ length: 20 }, (_, at): Wish => {
    const params = { index_name: 'btc_usd', price: 50_000 + at }
    return [211_111 * (at + 1), null, 'sim/set_index', params]
  })
  const sources = [requestsOf([...setUpOf(true), ...indices])]
  const loop = createLoop(desk, sources, hooks, { market: marketOf(messages) })
  expect(runLoop(loop, Number.POSITIVE_INFINITY)).toBe('done')
  return { times, calls }
}

test('a hook with a next time works before the same inputs as one that sees each input', () => {
  for (let seed = 0; seed < 4; seed += 1) {
    const all = worked(seed, false)
    const some = worked(seed, true)
    expect(some.times).toEqual(all.times)
    expect(some.calls).toBe(some.times.length)
    expect(all.calls).toBeGreaterThan(220)
  }
})
