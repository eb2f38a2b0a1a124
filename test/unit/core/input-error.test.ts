/** Printed mistakes in input, and suggestions for misspelt words. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatInputError, nearest } from '../../../src/core/input-error.ts'

describe('formatInputError', () => {
  const fault = { found: '"bye"', expected: 'buy or sell' }

  test('prints the known parts of the place', () => {
    const place = { file: 'a.yaml', line: 3, column: 14, path: 'steps.0.call' }
    expect(formatInputError({ ...place, ...fault, hint: 'did you mean "buy"?' })).toBe(
      'a.yaml:3:14: steps.0.call: expected buy or sell, found "bye" (did you mean "buy"?)',
    )
    expect(formatInputError({ ...fault, file: 'a.yaml', line: 3 })).toBe('a.yaml:3: expected buy or sell, found "bye"')
    expect(formatInputError({ ...fault, file: 'a.yaml', column: 3 })).toBe('a.yaml: expected buy or sell, found "bye"')
    expect(formatInputError({ ...fault, path: 'steps' })).toBe('steps: expected buy or sell, found "bye"')
    expect(formatInputError(fault)).toBe('expected buy or sell, found "bye"')
  })
})

test('P06 P18 terminal control characters are spelt out, and endless text is cut', () => {
  const found = '\u001b[2J\u0007a\u202eb'
  expect(formatInputError({ file: 'a\rb', expected: 'c', found })).toBe(
    'a\\u000db: expected c, found \\u001b[2J\\u0007a\\u202eb',
  )
  const long = formatInputError({ expected: 'c', found: 'x'.repeat(5_000) })
  expect(long).toBe(`expected c, found ${'x'.repeat(1_000)}… (5000 characters)`)
})

describe('nearest', () => {
  const words = ['price', 'amount', 'instrument_name', 'post_only', 'buy', 'by']

  test.each([
    ['pirce', 'price'],
    ['prise', 'price'],
    ['amout', 'amount'],
    ['ammounts', 'amount'],
    ['INSTRUMENT_NAME', 'instrument_name'],
    ['byu', 'buy'],
    ['postonly', 'post_only'],
    ['prcie', 'price'],
  ])('%s means %s', (word, meant) => {
    expect(nearest(word, words)).toBe(meant)
  })

  test.each(['', 'q', 'xyz', 'label', 'prixxe_', 'p'.repeat(101)])('%j means nothing', (word) => {
    expect(nearest(word, words)).toBeUndefined()
  })

  test('a word means the only longer name that begins with it', () => {
    expect(nearest('instrument', words)).toBe('instrument_name')
    expect(nearest('Post', words)).toBe('post_only')
    expect(nearest('instr', words)).toBeUndefined()
    expect(nearest('post', ['post_only', 'post_limit'])).toBeUndefined()
    expect(nearest('index', ['index_name', 'inde'])).toBe('inde')
  })

  test('the smaller distance wins, and among equals the first', () => {
    expect(nearest('cart', ['card', 'cat', 'carts'])).toBe('card')
    expect(nearest('cart', ['crat_', 'carts'])).toBe('carts')
    expect(nearest('buy', [])).toBeUndefined()
  })

  test('one or two edits of a word of five letters or more are found', () => {
    const word = fc.stringMatching(/^[a-z]{5,12}$/)
    fc.assert(
      fc.property(word, fc.nat(), fc.nat(), (text, drop, swap) => {
        const swapAt = swap % (text.length - 1)
        const swapped = [
          text.slice(0, swapAt),
          text.charAt(swapAt + 1) + text.charAt(swapAt),
          text.slice(swapAt + 2),
        ].join('')
        const dropAt = drop % text.length
        const edited = swapped.slice(0, dropAt) + swapped.slice(dropAt + 1)
        expect(nearest(swapped, ['0123456789', text])).toBe(text)
        expect(nearest(`${text}x`, ['0123456789', text])).toBe(text)
        if (dropAt < swapAt || dropAt > swapAt + 1) expect(nearest(edited, [text])).toBe(text)
      }),
    )
  })
})
