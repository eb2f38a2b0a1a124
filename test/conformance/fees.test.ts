/**
 * Fees of one fill, in the settlement currency, rounded half away from zero to 1e-8.
 *
 * Source: market.md 4 (T48, T49, T50, T54, T57), golden fees (printed in real user trades); for spot the
 * received currency (market.md 2, S054). Fees of deliveries and liquidations are shown on the ledger,
 * and without the trade that leads to them.
 */
import { expect, test } from 'vitest'
import { contractTerms, deliveryFeeNano, liquidationFee, pricedTerms } from '../../src/ledger/index.ts'
import { type Fill, type MarginModel, type SpecOverrides, specFromName } from '../../src/model/index.ts'
import { market, money, priceOf, start } from '../support/harness.ts'

const rich = { BTC: '1000', ETH: '1000', USDC: '100000000' }

/** Both fills of one trade; alice is the taker. */
function fillsOf(
  name: string,
  trade: {
    readonly amount: string
    readonly price: string
    readonly side?: 'buy' | 'sell'
    readonly overrides?: SpecOverrides
    readonly model?: MarginModel
    readonly wealth?: Readonly<Record<'alice' | 'bob', { readonly [currency: string]: string }>>
  },
): { readonly maker: Fill; readonly taker: Fill; readonly house: bigint } {
  const m = market({
    instruments: { [name]: trade.overrides ?? {} },
    accounts: trade.wealth ?? { alice: rich, bob: rich },
    models: trade.model === undefined ? {} : { alice: trade.model, bob: trade.model },
    index: {},
    config: { priceBands: false },
  })
  m.index(m.instrument().priceIndex, trade.price)
  if (trade.model !== undefined) m.index('btc_usd', '50000')
  const { amount, price, side = 'buy' } = trade
  const [rests, takes] = side === 'buy' ? (['sell', 'buy'] as const) : (['buy', 'sell'] as const)
  m[rests]('bob', { amount, price })
  const { trades } = m[takes]('alice', { amount, price })
  const [only] = trades
  if (only === undefined) throw new Error('the orders trade')
  const currency = only.taker.feeCurrency
  return { maker: only.maker, taker: only.taker, house: m.wallet('house.fees', currency).balance }
}

test.each([
  ['T48 perpetual taker, documented', 'BTC-PERPETUAL', '50000', '100000', {}, '0.00025'],
  [
    'T49 ETH perpetual taker at 0.075 %, observed',
    ...(['ETH-PERPETUAL', '21', '202.8', { taker_commission: '0.00075' }, '0.00007766'] as const),
  ],
  ['T54 linear perpetual taker, documented', 'SOL_USDC-PERPETUAL', '10', '200', {}, '1'],
  [
    'golden fees, perpetual taker at 0.075 %, observed',
    ...(['BTC-PERPETUAL', '20', '8954', { taker_commission: '0.00075' }, '0.00000168'] as const),
  ],
  [
    'golden fees, future taker at 0.05 %, observed',
    ...(['BTC-25SEP20', '8940', '8947', { tick_size: '0.5' }, '0.00049961'] as const),
  ],
])('%s', (_title, name, amount, price, overrides, expected) => {
  const { maker, taker, house } = fillsOf(name, { amount, price, overrides })
  expect(money(taker.fee)).toBe(expected)
  expect(maker.fee).toBe(0n)
  expect(house).toBe(taker.fee)
})

/** Observed in user trades of 2020, when the perpetual's rate was 0.075 %. */
test.each([
  ['BTC-PERPETUAL', '20', '8954', '0.00075', '0.00000168'],
  ['BTC-25SEP20', '8940', '8947', '0.0005', '0.00049961'],
])('golden fees: a real user trade of %s', (name, amount, price, rate, fee) => {
  const overrides = { tick_size: '0.5', taker_commission: rate }
  expect(money(fillsOf(name, { amount, price, overrides }).taker.fee)).toBe(fee)
})

test('T50 a maker rebate is negative, and the house pays it', () => {
  const { maker, taker, house } = fillsOf('BTC-27MAR26', {
    amount: '10',
    price: '9681.5',
    overrides: { tick_size: '0.5', maker_commission: '-0.0002', taker_commission: '0' },
  })
  expect(money(maker.fee)).toBe('-0.00000021')
  expect(maker.feeCurrency).toBe('BTC')
  expect(taker.fee).toBe(0n)
  expect(money(house)).toBe('-0.00000021')
})

test.each([
  ['a linear future', 'BTC_USDC-PERPETUAL', '400000.001', '50000.5', '0.0005', '10000100.02500025'],
  ['its maker', 'BTC_USDC-PERPETUAL', '400000.001', '50000.5', '0', '0'],
  ['coins that are bought', 'ETH_USDC', '8999999999.999', '0.5', '0.015', '134999999.999985'],
  ['coins that are sold', 'ETH_USDC', '8999999999.999', '0.5', '0.015', '67499999.9999925'],
])('F01 a fee has no separate upper limit: %s', (title, name, amount, price, rate, fee) => {
  const overrides = { taker_commission: rate, maker_commission: '0.0005', tick_size: '0.5' }
  const side = title.endsWith('sold') ? 'sell' : 'buy'
  // All accounts together may hold 9.2 billion units of a currency.
  const half = { BTC: '4500000000', USDC: '4500000000' }
  const coins = { ETH: '9000000000' }
  const wealth = { alice: side === 'sell' ? coins : half, bob: side === 'sell' || name !== 'ETH_USDC' ? half : coins }
  const model = name === 'ETH_USDC' ? 'segregated_sm' : 'cross_pm'
  const { taker } = fillsOf(name, { amount, price, side, overrides, wealth, model })
  expect(money(taker.fee)).toBe(fee)
})

/** The arithmetic of an instrument at a price, with fees overridden. */
function pricedAt(
  name: string,
  price: string,
  rates: { readonly takerFee9?: number; readonly liquidationFee9?: number } = {},
): ReturnType<typeof pricedTerms> {
  const spec = specFromName(name, { creation: start })
  if (!spec.ok) throw new Error(spec.error)
  return pricedTerms(contractTerms({ ...spec.value, ...rates }), priceOf(price))
}

/** A liquidation fee with overrides given as decimals. */
function liquidation(...at: Parameters<typeof pricedAt>): readonly string[] {
  const { total, normal, fund } = liquidationFee(pricedAt(...at), 1250)
  return [total, normal, fund].map(money)
}

test('T57 a liquidation of 12500 USD at 49000 pays the fund the excess over the taker fee', () => {
  expect(liquidation('BTC-PERPETUAL', '49000')).toEqual(['0.00191327', '0.00012755', '0.00178572'])
})

test('a liquidation never takes from the fund, whatever the taker fee would be', () => {
  const [rebate, dear] = [-100_000, 10_000_000]
  expect(liquidation('BTC-PERPETUAL', '49000', { takerFee9: rebate })).toEqual([...['0.00191327', '0', '0.00191327']])
  expect(liquidation('BTC-PERPETUAL', '49000', { takerFee9: dear })).toEqual([...['0.00191327', '0.00191327', '0']])
  expect(liquidation('BTC-PERPETUAL', '49000', { liquidationFee9: 0 })).toEqual(['0', '0', '0'])
})

test.each([
  ['a future that lived longer than a week: 0.025 %', 'BTC-26JUN26', '60224.5', '0.00004151'],
  ['a linear one', 'SOL_USDC-26JUN26', '60224.5', '1505.6125'],
  ['a weekly one: nothing', 'BTC-5JUN26', '60224.5', '0'],
  ['a daily one: nothing', 'BTC-20MAY26', '60224.5', '0'],
])('delivery fee of %s', (_title, name, price, expected) => {
  const fee = deliveryFeeNano(pricedAt(name, price), 1000, 1_000_000)
  expect(money(fee)).toBe(expected)
})

test('H03 a delivery of any size pays its fee to the last unit', () => {
  const exact = deliveryFeeNano(pricedAt('SOL_USDC-26JUN26', '60224.5'), 1_000_000_000_000, 1_000_000)
  expect(money(exact)).toBe('1505612500000')
})

test('R04 an exact half of 1e-8 is rounded away from zero, for payment and rebate alike', () => {
  // 10 USD at 1000 is 0.01 coin; a rate of 0.0000005 gives half of 1e-8.
  const half = { maker_commission: '-0.0000005', taker_commission: '0.0000005' }
  const { maker, taker, house } = fillsOf('BTC-PERPETUAL', {
    ...{ amount: '10', price: '1000', overrides: half },
  })
  expect([money(maker.fee), money(taker.fee), house]).toEqual(['-0.00000001', '0.00000001', 0n])
})

test('S054 a spot fee is paid in the currency that the account receives', () => {
  const rates = { maker_commission: '0.001', taker_commission: '0.002' }
  const trade = { amount: '0.5', price: '60000.01', overrides: rates }
  const bought = fillsOf('BTC_USDC', trade)
  expect([money(bought.taker.fee), bought.taker.feeCurrency]).toEqual(['0.001', 'BTC'])
  expect([money(bought.maker.fee), bought.maker.feeCurrency]).toEqual(
    ['30.00000500', 'USDC'].map((text) => text.replace(/0+$/, '')),
  )
  const sold = fillsOf('BTC_USDC', { ...trade, side: 'sell' })
  expect([money(sold.taker.fee), sold.taker.feeCurrency]).toEqual(['60.00001', 'USDC'])
  expect([money(sold.maker.fee), sold.maker.feeCurrency]).toEqual(['0.0005', 'BTC'])
})

test('spot base and quote change hands at the same time, to the last digit', () => {
  const m = market({
    instruments: { BTC_USDC: {} },
    accounts: { alice: { USDC: '100000' }, bob: { BTC: '1' } },
    index: { btc_usdc: '60000' },
  })
  m.sell('bob', { amount: '0.3', price: '60000.01' })
  const { trades } = m.buy('alice', { amount: '0.1234', price: '60000.01' })
  expect(trades[0]).toMatchObject({ taker: { position: 0, realized: 0n, fee: 0n } })
  expect(money(m.wallet('alice', 'BTC').balance)).toBe('0.1234')
  expect(money(m.wallet('alice', 'USDC').balance)).toBe('92595.998766')
  expect(money(m.wallet('bob', 'BTC').balance)).toBe('0.8766')
  expect(money(m.wallet('bob', 'BTC').spotReserve)).toBe('0.1766')
  expect(money(m.wallet('bob', 'USDC').balance)).toBe('7404.001234')
})
