/**
 * Types of orders, and what callers without types may give in their place.
 */
import { expect, test } from 'vitest'
import { isTriggerType, type OrderType, orderTypes } from '../../../src/model/index.ts'

test('a type that is none is refused by its name, wherever it is asked for', () => {
  expect(orderTypes.filter(isTriggerType)).toEqual([
    'stop_limit',
    'stop_market',
    'take_limit',
    'take_market',
    'trailing_stop',
  ])
  for (const none of ['stop', 'toString', '', undefined, 7]) {
    const ask = (): boolean => isTriggerType(none as OrderType)
    expect(ask).toThrow(`type: expected one of limit, market, market_limit, `)
    expect(ask).toThrow(`, found ${none}`)
    expect(ask).toThrow(expect.objectContaining({ name: 'RangeError', code: 'VALUE' }))
  }
})
