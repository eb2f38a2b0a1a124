/**
 * The cost of fills relative to the time when their orders were priced: quotes, triggers, and takers behind a speed
 * bump.
 */
import { expect, test } from 'vitest'
import { runDocument } from '../../../../src/host/index.ts'

const START = '2026-01-05T09:00:00Z'

async function figuresOf(
  document: object,
  account: string,
  currency: string,
): Promise<Readonly<Record<string, number | null>>> {
  const run = await runDocument({ version: 1, title: 'Orders', start: START, ...document })
  if (!run.ok) throw new Error(run.error.lines.join('\n'))
  expect(run.value.failures).toEqual([])
  const own = run.value.metrics.accounts.find((one) => one.account === account)
  return own?.currencies.find((one) => one.currency === currency)?.figures ?? {}
}

const perpetual = {
  instruments: ['BTC-PERPETUAL'],
  index: { btc_usd: 60_000 },
  accounts: { maker: { deposit: { BTC: 2 } }, taker: { deposit: { BTC: 2 } } },
}
const instrument_name = 'BTC-PERPETUAL'

test('an order that a trigger placed slips from the price of its trigger', async () => {
  const at = (price: number, amount: number): object => ({
    ...{ at: '0s', as: 'maker', call: 'private/buy' },
    params: { instrument_name, amount, price },
  })
  const stop = {
    ...{ instrument_name, amount: 30, type: 'stop_market', trigger: 'index_price' },
    trigger_price: 59_900,
  }
  const figures = await figuresOf(
    {
      ...perpetual,
      steps: [
        at(59_850, 10),
        at(59_800, 20),
        { at: '1s', as: 'taker', call: 'private/sell', params: stop },
        { at: '2s', call: 'sim/set_index', params: { index_name: 'btc_usd', price: 59_890 } },
      ],
    },
    'taker',
    'BTC',
  )
  // Notional of an inverse contract is its size over the price.
  const fills = [
    [10, 59_850],
    [20, 59_800],
  ] as const
  const weight = fills.reduce((sum, [size, price]) => sum + size / price, 0)
  const slipped = fills.reduce((sum, [size, price]) => sum + ((size / price) * 10_000 * (59_900 - price)) / 59_900, 0)
  expect(figures['stop_slippage']).toBeCloseTo(slipped / weight, 9)
  expect(figures['shortfall']).toBeNull()
  expect(figures['fills']).toBe(2)
})

test('an order without a trigger has no slippage', async () => {
  const order = { instrument_name, amount: 10, price: 60_000 }
  const steps = [
    { at: '0s', as: 'maker', call: 'private/buy', params: order },
    { at: '1s', as: 'taker', call: 'private/sell', params: order },
  ]
  const figures = await figuresOf({ ...perpetual, steps }, 'taker', 'BTC')
  expect(figures).toMatchObject({
    stop_slippage: null,
    time_to_take_p50: 0,
    time_to_fill_p50: null,
  })
})

/** A maker with quotes of ETH futures, whose middle others make. */
function quotesOf(steps: readonly object[]): object {
  const eth = { instrument_name: 'ETH-27MAR26' }
  return {
    instruments: ['ETH-27MAR26'],
    index: { eth_usd: 4_000 },
    accounts: {
      maker: { deposit: { ETH: 100 } },
      taker: { deposit: { ETH: 100 } },
      others: { deposit: { ETH: 100 } },
    },
    steps: [
      { at: '0s', as: 'maker', session: 1, call: 'private/enable_cancel_on_disconnect' },
      {
        ...{ at: '0s', as: 'maker', session: 1, call: 'private/set_mmp_config' },
        params: {
          ...{ index_name: 'eth_usd', mmp_group: 'one', interval: 10, frozen_time: 10 },
          max_quote_quantity: 10,
        },
      },
      ...[
        ['private/buy', 3_990],
        ['private/sell', 4_010],
      ].map(([call, price]) => ({
        ...{ at: '0s', as: 'others', call },
        params: { ...eth, amount: 100, price },
      })),
      ...steps,
    ],
  }
}

function quote(at: string, ask: number): object {
  return {
    ...{ at, as: 'maker', session: 1, call: 'private/mass_quote' },
    params: {
      ...{ quote_id: 'q', mmp_group: 'one' },
      quotes: [{ instrument_name: 'ETH-27MAR26', quote_set_id: 'a', ask: { price: ask, amount: 100 } }],
    },
  }
}

const lifted = {
  ...{ at: '3s', as: 'taker', call: 'private/buy' },
  params: { instrument_name: 'ETH-27MAR26', amount: 100, price: 4_008 },
}

test('a quote is compared with the middle that its last mass quote found', async () => {
  const once = await figuresOf(quotesOf([quote('1s', 4_008), lifted]), 'maker', 'ETH')
  // A sale at 4008 that the middle of 4000 was quoted on earned 20 basis points.
  expect(once['shortfall']).toBeCloseTo(-20, 9)
  // The taker waits 10 ms behind the speed bump.
  expect(once['time_to_fill_p50']).toBeCloseTo(2.01, 2)
  const took = await figuresOf(quotesOf([quote('1s', 4_008), lifted]), 'taker', 'ETH')
  expect(took['time_to_take_p50']).toBeCloseTo(0.01, 4)
  const moved = {
    ...{ at: '1500ms', as: 'others', call: 'private/buy' },
    params: { instrument_name: 'ETH-27MAR26', amount: 100, price: 3_996 },
  }
  const twice = await figuresOf(quotesOf([quote('1s', 4_006), moved, quote('2s', 4_008), lifted]), 'maker', 'ETH')
  // Its own ask at 4006 made the middle of 4001 by then.
  expect(twice['shortfall']).toBeCloseTo(((4_001 - 4_008) / 4_001) * 10_000, 9)
})
