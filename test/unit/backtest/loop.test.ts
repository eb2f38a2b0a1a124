/** The loop over recorded messages: sources that must be refilled, notes to sources, and the ends of a run. */
import { describe, expect, test } from 'vitest'
import { feedLoop, runLoop, type Strategy } from '../../../src/backtest/index.ts'
import { err, type InputError } from '../../../src/core/index.ts'
import { marketOf, offset, requestsOf, seatOf, strategyRun } from '../../support/strategy-run.ts'

const order = { instrument_name: 'BTC-PERPETUAL', amount: 100 }
const bestPrices = [
  ['buy', 99_998, 5],
  ['buy', 99_999, 12],
  ['sell', 100_001, 7],
] as const

describe('recorded messages in the loop', () => {
  const recorded = [1, 2, 3, 4, 5].map((at) => ({ at, rows: bestPrices }))

  test('a starved source stops the loop until it is filled, with the same result', async () => {
    const times = async (batch: number): Promise<unknown> => {
      const seen: number[] = []
      const market = marketOf(recorded, { batch })
      const run = strategyRun({
        seats: [seatOf('alice', { onBook: (_, venue) => seen.push(offset(venue.now)) })],
        market,
      })
      let refills = 0
      const state = await feedLoop(
        run.loop,
        3,
        async () => {
          refills += 1
          market.refill()
          return { ok: true, value: undefined }
        },
        async () => true,
      )
      return { state, seen, messages: run.loop.messages, refills }
    }
    const same = { state: 'done', seen: [1, 2, 3, 4, 5], messages: 5 }
    expect(await times(Number.POSITIVE_INFINITY)).toEqual({ ...same, refills: 0 })
    expect(await times(2)).toEqual({ ...same, refills: 3 })
  })

  test('a source that fails, or a driver that stops, ends the run there', async () => {
    const error: InputError = {
      code: 'ROW',
      file: 'book.csv',
      line: 9,
      expected: 'a price',
      found: 'x',
    }
    const run = strategyRun({ seats: [], market: marketOf(recorded, { batch: 2 }) })
    const refill = async (): Promise<ReturnType<typeof err<InputError>>> => err(error)
    expect(await feedLoop(run.loop, 3, refill)).toBe('failed')
    expect(run.loop.fault).toBe(error)
    const other = strategyRun({ seats: [], market: marketOf(recorded) })
    const pause = async (): Promise<boolean> => other.loop.messages < 2
    expect(await feedLoop(other.loop, 1, refill, pause)).toBe('more')
    expect(other.loop.messages).toBe(2)
  })

  test('findings in a message go to its source, whose error ends the run', () => {
    const error: InputError = {
      code: 'ROW',
      file: 'book.csv',
      line: 2,
      expected: 'no cross',
      found: 'one',
    }
    const rows = [
      ['buy', 100_002, 5],
      ['sell', 100_001, 7],
    ] as const
    const market = marketOf([...recorded.slice(0, 1), { at: 2, rows }, { at: 3, rows }])
    const run = strategyRun({ seats: [], market })
    expect(runLoop(run.loop, Number.POSITIVE_INFINITY)).toBe('done')
    expect(market.noted).toEqual([
      [2, { crossed: true, unknownRemovals: 0 }],
      [3, { crossed: true, unknownRemovals: 0 }],
    ])
    const strict = { ...marketOf([{ at: 2, rows }]), note: () => err(error) }
    const failing = strategyRun({ seats: [], market: strict })
    expect(runLoop(failing.loop, Number.POSITIVE_INFINITY)).toBe('failed')
    expect(failing.loop.fault).toBe(error)
  })

  test('after sim/advance messages and requests come at the clock', () => {
    const lines: string[] = []
    const strategy: Strategy = {
      onBook: (view, venue) => {
        lines.push(`${offset(view.time)}@${offset(venue.now)}`)
        venue.request('private/buy', { ...order, price: 49_000 })
      },
      onOrder: (_, venue) => lines.push(`order@${offset(venue.now)}`),
    }
    const to = 1_767_603_600_000 + 1
    const run = strategyRun({
      seats: [seatOf('alice', strategy, { feed: 2, entry: 4, response: 8 })],
      wishes: [[3, null, 'sim/advance', { to }]],
      market: marketOf(recorded.slice(0, 4)),
      until: 2_000,
    })
    expect(runLoop(run.loop, Number.POSITIVE_INFINITY)).toBe('done')
    // Requests 1 and 2 were in transit; the clock was at 1000 when their answers arrived.
    expect(lines).toEqual([
      ...['1@3', '2@4', '3@5'],
      ...['1000@1002', 'order@1008', 'order@1008', 'order@1008', 'order@1014'],
    ])
  })

  test('requests after the end are left', () => {
    const run = strategyRun({ seats: [], wishes: [[50, null, 'public/get_time']], until: 20 })
    expect(runLoop(run.loop, Number.POSITIVE_INFINITY)).toBe('done')
    expect(run.loop.requests).toBe(13)
    expect(requestsOf([]).nextTime()).toBe(Number.POSITIVE_INFINITY)
  })
})
