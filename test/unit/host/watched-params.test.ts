/** Unread parameters of strategies: which they are, however they may be read, and where they are reported. */
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { watchParams } from '../../../src/host/runs/load-run.ts'
import { defineStrategy, type Strategy } from '../../../src/index.ts'
import { type RunReport, runDocument } from '../../../src/node.ts'

interface Given {
  size: number
  half_spread: number
}

const given: Given = { size: 10, half_spread: 2 }

describe('parameters that are watched', () => {
  const whole: readonly (readonly [string, (params: Given) => unknown])[] = [
    ['destructured', ({ size, half_spread }) => ({ size, half_spread })],
    ['destructured with a rest', ({ size, ...rest }) => ({ size, ...rest })],
    ['spread', (params) => ({ ...params })],
    ['cloned', (params) => structuredClone(params)],
    ['written as JSON', (params) => JSON.parse(JSON.stringify(params)) as unknown],
    ['walked', (params) => Object.fromEntries(Object.entries(params))],
    ['assigned', (params) => Object.assign({}, params)],
  ]
  test.each(whole)('%s: all are read, with their given values', (_, read) => {
    const { params, unread } = watchParams(given)
    expect(read(params as Given)).toEqual(given)
    expect(unread()).toEqual([])
  })

  test('one by one, and set in place', () => {
    const { params, unread } = watchParams(given)
    expect(unread()).toEqual(['size', 'half_spread'])
    const own = params as Given
    own.half_spread = 3
    expect(unread()).toEqual(['size', 'half_spread'])
    expect(own.half_spread).toBe(3)
    expect(unread()).toEqual(['size'])
    expect(Object.keys(own)).toEqual(['size', 'half_spread'])
  })

  test('printed unchanged', () => {
    const { params, unread } = watchParams(given)
    expect(inspect(params)).toBe('{ size: 10, half_spread: 2 }')
    expect(unread()).toEqual([])
  })

  test.each([[undefined], [null], [5], ['a'], [[1, 2]]])('%j is passed unchanged', (params) => {
    const watched = watchParams(params)
    expect(watched.params).toBe(params)
    expect(watched.unread()).toEqual([])
  })
})

describe('the report of a run', () => {
  const strategy = { account: 'ann', module: 'own', latency: { feed: '0ms', entry: '1ms' } }
  const document = {
    version: 1,
    title: 'Parameters of a strategy alone',
    start: '2026-01-05T09:00:00Z',
    until: '2026-01-05T09:00:05Z',
    instruments: ['BTC-PERPETUAL'],
    index: { btc_usd: 50_000 },
    accounts: { ann: { deposit: { BTC: 1 } } },
  }

  async function unreadBy(
    make: (params: Record<string, unknown>) => Strategy,
    terms: object = {},
  ): Promise<RunReport['unread_params']> {
    const params = { size: 10, halfspread: 2 }
    const run = await runDocument(
      { ...document, strategies: [{ ...strategy, params, ...terms }] },
      { strategies: { own: defineStrategy(make) } },
    )
    if (!run.ok) throw new Error(run.error.lines.join('\n'))
    return run.value.unread_params
  }

  test('names unread parameters, with the strategy', async () => {
    expect(await unreadBy(({ size }) => ({ onTimer: () => size as undefined }))).toEqual([
      { strategy: 'own', account: 'ann', params: ['halfspread'] },
    ])
  })

  test('knows the parameters that a callback reads', async () => {
    const onStart = (params: Record<string, unknown>) => (): void => {
      params['size'] = Number(params['halfspread']) + Number(params['size'])
    }
    expect(await unreadBy((params) => ({ onStart: onStart(params) }))).toEqual([])
  })

  test('says nothing where names are not strict', async () => {
    expect(await unreadBy(() => ({}), { strict: false })).toEqual([])
  })
})
