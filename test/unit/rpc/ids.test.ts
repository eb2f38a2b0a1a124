/**
 * Ids on the wire: every id that is printed is read back as itself, and no other text is.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { instrumentId, micros, tradeId } from '../../../src/core/index.ts'
import {
  currencyIdOf,
  type Instrument,
  makeOrderId,
  makeTradeId,
  type OrderForm,
  orderForms,
  specFromName,
} from '../../../src/model/index.ts'
import {
  instrumentIdOut,
  namesakes,
  ocoRefOut,
  orderIdIn,
  orderIdOut,
  tradeIdIn,
  tradeIdOut,
} from '../../../src/rpc/wire/ids.ts'

function instrument(name: string): Instrument {
  const spec = specFromName(name, { creation: micros(0) })
  if (!spec.ok) throw new Error(spec.error)
  return { ...spec.value, id: instrumentId(3) }
}

const prefixes: readonly (readonly [name: string, prefix: string])[] = [
  ['BTC-PERPETUAL', ''],
  ['BTC-27MAR26', ''],
  ['BTC-27MAR26-50000-C', ''],
  ['BTC-FS-27MAR26_PERP', ''],
  ['BTC-CS-27MAR26-50000_60000', ''],
  ['ETH-PERPETUAL', 'ETH-'],
  ['ETH-27MAR26-4000-C', 'ETH-'],
  ['BTC_USDC-PERPETUAL', 'BTC_USDC-'],
  ['BTC_USDC-27MAR26-50000-C', 'BTC_USDC-'],
  ['SOL_USDC-PERPETUAL', 'SOL_USDC-'],
  ['BTC_USDT', 'BTC_USDT-'],
  ['ETH_BTC', 'ETH_BTC-'],
]

test.each(prefixes)('R08 ids of %s begin with %j', (name, prefix) => {
  const of = instrument(name)
  const currency = currencyIdOf(of.settlementCurrency)
  expect(orderIdOut(of, makeOrderId(currency, 7, 'ordinary'))).toBe(`${prefix}7`)
  expect(tradeIdOut(of, makeTradeId(currency, 12_345))).toBe(`${prefix}12345`)
  expect(ocoRefOut(of, makeOrderId(currency, 7, 'secondary'))).toBe(`${prefix}OCO-7`)
})

const forms: readonly (readonly [form: OrderForm, word: string])[] = [
  ['index_price_buy', 'SLIB-'],
  ['index_price_sell', 'SLIS-'],
  ['mark_price_buy', 'SLMB-'],
  ['mark_price_sell', 'SLMS-'],
  ['last_price_buy', 'SLTB-'],
  ['last_price_sell', 'SLTS-'],
  ['secondary', 'OTO-'],
]

test.each(forms)('C02 %s: %s between prefix and number', (form, word) => {
  for (const [name, prefix] of prefixes) {
    const of = instrument(name)
    const id = makeOrderId(currencyIdOf(of.settlementCurrency), 17, form)
    expect(orderIdOut(of, id)).toBe(`${prefix}${word}17`)
    expect(orderIdIn(`${prefix}${word}17`)).toBe(id)
  }
})

test('R08 C02 a printed order id is read back, up to 13 digits', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...prefixes.map(([name]) => instrument(name))),
      fc.constantFrom(...orderForms),
      fc.integer({ min: 1, max: 9_999_999_999_999 }),
      (of, form, number) => {
        const id = makeOrderId(currencyIdOf(of.settlementCurrency), number, form)
        expect(orderIdIn(orderIdOut(of, id))).toBe(id)
      },
    ),
  )
})

test('a text that names no order is never an exception', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const id = orderIdIn(text)
      expect(id === undefined || Number.isSafeInteger(id)).toBe(true)
      const trade = tradeIdIn(text)
      expect(trade === undefined || Number.isSafeInteger(trade)).toBe(true)
    }),
  )
  const none = '0 -5 1e3 ٣ eth-1 ETH_USDC_X-1 OTO- SLIB SLXB-1 SLIX-1 sltb-1 OTO-OTO-1 OTO-SLIB-1 OTO-ETH-1 '
  for (const text of ['', `1${'0'.repeat(13)}`, ...none.trim().split(' ')]) {
    expect([text, orderIdIn(text)]).toEqual([text, undefined])
  }
})

test('an order has one namesake in every other form', () => {
  const [btc, eth] = [currencyIdOf('BTC'), currencyIdOf('ETH')]
  const others = namesakes(makeOrderId(eth, 5, 'secondary'))
  const expected = orderForms.filter((form) => form !== 'secondary')
  expect(others).toEqual(expected.map((form) => makeOrderId(eth, 5, form)))
  expect(others).not.toContain(makeOrderId(btc, 5, 'ordinary'))
})

test('R08 trades have numbers of the counter that the prefix names, and no forms', () => {
  for (const [name, prefix] of prefixes) {
    const of = instrument(name)
    const id = makeTradeId(currencyIdOf(of.settlementCurrency), 17)
    expect([tradeIdOut(of, id), tradeIdIn(`${prefix}17`)]).toEqual([`${prefix}17`, id])
  }
  for (const text of ['', '0', 'ETH-', 'DAI-1', 'BTC_USDC-OTO-17', '1.5', `1${'0'.repeat(13)}`]) {
    expect([text, tradeIdIn(text)]).toEqual([text, undefined])
  }
})

test('instruments are numbered from 1000', () => {
  expect(instrumentIdOut(instrumentId(0))).toBe(1000)
  expect(tradeIdOut(instrument('BTC-PERPETUAL'), tradeId(128))).toBe('1')
})
