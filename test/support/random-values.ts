/**
 * Random values of events: funding, prices of options, money.
 */
import { amount, price9, type RandomStream } from '../../src/core/index.ts'
import type { OptionMark } from '../../src/model/index.ts'

/** An accumulator of funding: a few digits, or many more than 64 bits hold. */
export function randomInterest(random: RandomStream): bigint {
  const small = BigInt(random.int(-1e12, 1e12))
  return random.pick([0n, small, small * 500_000_000n, small * 10n ** 13n])
}

/** The volatility and forward of an option; sometimes without volatility. */
export function optionOf(random: RandomStream): OptionMark | null {
  if (random.chance(1, 2)) return null
  const volatility9 = random.chance(1, 4) ? 0 : random.int(10_000_000, 5_000_000_000)
  return { volatility9, forward: price9(random.int(1, 9e15)) }
}

/** Money up to the limits of 64 bits. */
export function randomMoney(random: RandomStream): ReturnType<typeof amount> {
  const small = BigInt(random.int(-1e12, 1e12))
  const extremes = [small, small, small * 1_000_003n, 2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n)]
  return amount(random.pick(extremes))
}
