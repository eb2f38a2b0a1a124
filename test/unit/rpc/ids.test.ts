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
  specFromName,
} from '../../../src/model/index.ts'
import { instrumentIdOut, orderIdIn, orderIdOut, tradeIdOut } from '../../../src/rpc/wire/ids.ts'

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
  expect(orderIdOut(of, makeOrderId(currency, 7))).toBe(`${prefix}7`)
  expect(tradeIdOut(of, makeTradeId(currency, 12_345))).toBe(`${prefix}12345`)
})

test('R08 an order id is read back as it was printed, up to 14 digits', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...prefixes.map(([name]) => instrument(name))),
      fc.integer({ min: 1, max: 99_999_999_999_999 }),
      (of, number) => {
        const id = makeOrderId(currencyIdOf(of.settlementCurrency), number)
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
    }),
  )
  for (const text of ['', '0', '-5', '1e3', '٣', 'eth-1', 'ETH_USDC_X-1', `1${'0'.repeat(14)}`]) {
    expect([text, orderIdIn(text)]).toEqual([text, undefined])
  }
})

test('instruments are numbered from 1000', () => {
  expect(instrumentIdOut(instrumentId(0))).toBe(1000)
  expect(tradeIdOut(instrument('BTC-PERPETUAL'), tradeId(16))).toBe('1')
})
