/** The state hash: known answers, sensitivity to values, types and order. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AssertionFailure } from '../../../../src/core/assert.ts'
import { createStateHash, hashBig, hashBoolean, hashHex, hashInt, hashText } from '../../../../src/core/bytes/hash.ts'

type Part = number | bigint | string | boolean

const parts = fc.oneof(
  fc.maxSafeInteger(),
  fc.bigInt({ min: -(2n ** 100n), max: 2n ** 100n }),
  fc.string({ unit: 'binary', maxLength: 9 }),
  fc.boolean(),
)

function hashOf(...values: readonly Part[]): string {
  const hash = createStateHash()
  for (const value of values) {
    if (typeof value === 'number') hashInt(hash, value)
    else if (typeof value === 'bigint') hashBig(hash, value)
    else if (typeof value === 'string') hashText(hash, value)
    else hashBoolean(hash, value)
  }
  return hashHex(hash)
}

function bitsOf(hex: string): string {
  return BigInt(`0x${hex}`).toString(2).padStart(128, '0')
}

describe('state hash', () => {
  test('gives its known answers', () => {
    expect(hashOf()).toBe('9d2914efd4e4add808170b493c2daed9')
    expect(hashOf(0)).toBe('ed7d8b303d9fc7c8de6988e809f12f20')
    const mixed = [-1, 2 ** 53 - 1, -123_456_789n, 2n ** 70n, 'BTC-PERPETUAL', 'é€😀', true]
    expect(hashOf(...mixed)).toBe('5ddb9d3177280b509746c52f3aecf7f3')
  })

  test('distinguishes nearby values', () => {
    const values: Part[] = [0, 1, -1, 2 ** 32 - 1, 2 ** 32, 2 ** 52, 2 ** 52 + 1, -(2 ** 52)]
    values.push(2 ** 53 - 1, -(2 ** 53) + 1, -(2 ** 32), 2 ** 31, -(2 ** 31))
    values.push(
      0n,
      1n,
      -1n,
      2n ** 32n,
      2n ** 53n - 1n,
      2n ** 53n,
      2n ** 53n + 1n,
      -(2n ** 53n),
      2n ** 64n,
      -(2n ** 64n),
      true,
      false,
    )
    values.push('', '0', '\0', '\0\0', 'a', 'ab', 'ba', '\ud800', '\udc00')
    expect(new Set(values.map((value) => hashOf(value))).size).toBe(values.length)
    expect(hashOf(-0)).toBe(hashOf(0))
  })

  test('distinguishes how values are divided', () => {
    expect(hashOf('ab', 'c')).not.toBe(hashOf('a', 'bc'))
    expect(hashOf(0, 0)).not.toBe(hashOf(0))
    expect(hashOf('', '')).not.toBe(hashOf(''))
  })

  test('order matters', () => {
    fc.assert(
      fc.property(parts, parts, (left, right) => {
        fc.pre(left !== right)
        expect(hashOf(left, right)).not.toBe(hashOf(right, left))
      }),
    )
  })

  test('different sequences have different hashes', () => {
    const sequences = fc.array(parts, { maxLength: 6 })
    fc.assert(
      fc.property(sequences, sequences, (left, right) => {
        const isSame = left.length === right.length && left.every((part, at) => part === right[at])
        // Object.is is not used: -0 counts as 0.
        expect(hashOf(...left) === hashOf(...right)).toBe(isSame)
      }),
    )
  })

  test('a printed hash continues as if it had not been printed', () => {
    const hash = createStateHash()
    hashInt(hash, 1)
    expect(hashHex(hash)).toBe(hashOf(1))
    expect(hashHex(hash)).toBe(hashOf(1))
    hashInt(hash, 2)
    expect(hashHex(hash)).toBe(hashOf(1, 2))
    expect(hashHex(structuredClone(hash))).toBe(hashOf(1, 2))
  })

  test('one flipped bit of one value flips about half of the bits, for any later values', () => {
    let flips = 0
    let count = 0
    for (let base = 0; base < 40; base += 1) {
      for (let bit = 0; bit < 31; bit += 1) {
        const tail = Array.from({ length: base % 5 }, (_, at) => at)
        const left = bitsOf(hashOf(base * 7919, ...tail))
        const right = bitsOf(hashOf((base * 7919) ^ (1 << bit), ...tail))
        const flipped = [...left].filter((digit, at) => digit !== right[at]).length
        expect(flipped).toBeGreaterThan(30)
        flips += flipped
        count += 1
      }
    }
    expect(Math.abs(flips / count - 64)).toBeLessThan(1)
  })

  test('a hundred thousand consecutive integers have no equal halves', () => {
    const heads = new Set<string>()
    const tails = new Set<string>()
    for (let value = 0; value < 100_000; value += 1) {
      const hex = hashOf(value)
      heads.add(hex.slice(0, 16))
      tails.add(hex.slice(16))
    }
    expect(heads.size).toBe(100_000)
    expect(tails.size).toBe(100_000)
  })

  test('refuses what is not a safe integer', () => {
    for (const value of [0.5, Number.NaN, 2 ** 53]) {
      expect(() => hashInt(createStateHash(), value)).toThrow(AssertionFailure)
    }
  })
})
