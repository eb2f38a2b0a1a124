/** Shared losses: no winner pays more than its profit, and rounding costs less than half a unit each. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shareLoss } from '../../src/engine/day/bankruptcy.ts'
import { fraction, roundedBig, roundedTo } from '../support/fraction.ts'

const money = fc.oneof(fc.bigInt({ min: 0n, max: 20n }), fc.bigInt({ min: 0n, max: 10n ** 18n }))
const signed = fc.tuple(money, fc.boolean()).map(([value, loses]) => (loses ? -value : value))

test('a loss is the sum of the parts of the fund, of the winners, and of an unpaid rest', () => {
  fc.assert(
    fc.property(money, signed, fc.array(signed, { maxLength: 12 }), (loss, fund, profits) => {
      const shared = shareLoss(loss, fund, profits)
      const winners = profits.filter((profit) => profit > 0n)
      const profit = winners.reduce((sum, each) => sum + each, 0n)
      expect(shared.funded + shared.rest).toBe(loss)
      expect(shared.funded >= 0n && (shared.funded <= fund || fund < 0n)).toBe(true)
      expect(shared.funded === loss || shared.funded === (fund > 0n ? fund : 0n)).toBe(true)
      expect(shared.profit).toBe(profit)
      const canBear = shared.rest < profit
      const borne = canBear ? shared.rest : profit
      const expected = profits.map((each) => (each > 0n ? roundedBig(fraction(each * borne, profit)) : 0n))
      expect(shared.taxes).toEqual(expected)
      expect(shared.taxes.every((tax, at) => tax <= 0n || tax <= (profits[at] ?? 0n))).toBe(true)
      const taken = shared.taxes.reduce((sum, tax) => sum + tax, 0n)
      const missed = taken > borne ? taken - borne : borne - taken
      expect(missed * 2n <= BigInt(winners.length)).toBe(true)
      expect(shared.rate9).toBe(profit === 0n ? 0 : roundedTo(fraction(borne, profit), 1e9))
    }),
    { numRuns: 500 },
  )
})
