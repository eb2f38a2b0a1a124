/**
 * A bankruptcy as arithmetic: the payments of the fund and of the winners.
 *
 * Source: market.md 3.7 (T47).
 */
import { expect, test } from 'vitest'
import { shareLoss } from '../../src/engine/day/bankruptcy.ts'
import { money, priceOf } from '../support/harness.ts'

const coin = (text: string): bigint => BigInt(priceOf(text))

test('T47 a loss of 0.8 with a fund of 0.5 costs winners of 4 and 2 coin 0.2 and 0.1', () => {
  const { funded, rest, profit, rate9, taxes } = shareLoss(coin('0.8'), coin('0.5'), [coin('4'), coin('2')])
  expect([funded, rest, profit].map(money)).toEqual(['0.5', '0.3', '6'])
  expect(rate9).toBe(priceOf('0.05'))
  expect(taxes.map(money)).toEqual(['0.2', '0.1'])
})
