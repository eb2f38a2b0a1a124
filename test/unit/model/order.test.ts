/** Words of orders: sides, and the orders that trigger orders become. */
import { expect, test } from 'vitest'
import { accepts, entryTypeOf, isTriggerType, opposite, triggerOrderTypes } from '../../../src/model/index.ts'

test('a side trades against the other, up to its limit', () => {
  expect([opposite('buy'), opposite('sell')]).toEqual(['sell', 'buy'])
  expect([9, 10, 11].map((price) => accepts('buy', 10, price))).toEqual([true, true, false])
  expect([9, 10, 11].map((price) => accepts('sell', 10, price))).toEqual([false, true, true])
})

test('trigger types wait for a price, and become a limit or a market order', () => {
  expect(triggerOrderTypes.every(isTriggerType)).toBe(true)
  expect(triggerOrderTypes.map((type) => [type, entryTypeOf(type)])).toEqual([
    ['stop_limit', 'limit'],
    ['stop_market', 'market'],
    ['take_limit', 'limit'],
    ['take_market', 'market'],
    ['trailing_stop', 'market'],
  ])
})

test('other types enter unchanged', () => {
  const types = ['limit', 'market', 'market_limit'] as const
  expect(types.some(isTriggerType)).toBe(false)
  expect(types.map(entryTypeOf)).toEqual(types)
})
