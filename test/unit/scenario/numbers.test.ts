/** Numbers of a file keep their decimal text; other numbers are refused. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatScaled, parseDecimalInput } from '../../../src/core/index.ts'
import { beginning, mistakesAfter, sound } from './documents.ts'

/** The value of a parameter in the file. */
function valueIn(text: string): unknown {
  const file = `${beginning}steps:\n  - { at: 0ms, call: sim/set_index, params: { price: ${text} } }\n`
  return sound(file).steps[0]?.params['price']
}

test.each([
  ['1000', 1000],
  ['1_000', 1000],
  ['1_000.000_5', 1000.0005],
  ['-0.5', -0.5],
  ['-0', 0],
  ['0.10', 0.1],
  ['100.00', 100],
  ['9007199254740992', 9007199254740992],
  ['1000000000000000000000', 1e21],
])('%s is a number', (text, value) => {
  expect(valueIn(text)).toBe(value)
})

test.each(['9007199254740993', '0.1234567890123456789', '-1.00000000000000000001'])(
  '%s keeps its text, as no double holds it',
  (text) => {
    expect(valueIn(text)).toEqual({ decimal: text })
  },
)

test.each([
  ...['0x1F', '0o17', '0b1', '017', '-017', '00', '00.5', '+5', '5.', '.5', '-.5', '1e3', '1.5E-3'],
  ...['.inf', '-.inf', '.nan', '1__0', '1_', '0_1', '1_.5'],
])('%s is refused', (text) => {
  const [mistake, ...more] = mistakesAfter(`steps:\n  - { at: 0ms, call: sim/set_index, params: { price: ${text} } }\n`)
  expect(mistake).toBe(
    `test.yaml:10:54: steps.0.params.price: expected a plain decimal number such as 1000 or 0.5, found ${text} (put text that looks like a number in quotes)`,
  )
  expect(more).toEqual([])
})

test.each([
  ['"017"', '017'],
  ["'1e3'", '1e3'],
  ['5ms', '5ms'],
  ['27DEC24', '27DEC24'],
  ['1.2.3', '1.2.3'],
  ['no', 'no'],
])('%s is text', (text, value) => {
  expect(valueIn(text)).toBe(value)
})

test.each([
  ['~', null],
  ['null', null],
  ['', null],
  ['true', true],
  ['False', false],
])('%s is a word', (text, value) => {
  expect(valueIn(text)).toBe(value)
})

test('JSON is YAML', () => {
  const json = JSON.stringify({
    $schema: 'scenario.json',
    version: 1,
    title: 'In JSON',
    start: '2026-01-05T09:00:00Z',
    instruments: [{ name: 'BTC-PERPETUAL', tick_size: 0.1 }],
    index: { btc_usd: 100000.5 },
    steps: [{ at: '0ms', call: 'public/get_time', params: {}, expect: { result: 1767603600000 } }],
  })
  const scenario = sound(json)
  expect(scenario.setup.map(({ params }) => params)).toEqual([
    { instrument_name: 'BTC-PERPETUAL', tick_size: 0.1 },
    { index_name: 'btc_usd', price: 100000.5 },
  ])
})

test('every decimal reads back as exactly itself', () => {
  const digits = fc.stringMatching(/^(?:0|[1-9][0-9]{0,20})\.[0-9]{1,20}$/)
  fc.assert(
    fc.property(digits, fc.boolean(), (text, negative) => {
      const written = negative ? `-${text}` : text
      const value = valueIn(written) as number | { decimal: string }
      const scaled = parseDecimalInput(value, 20)
      if (!scaled.ok) throw new Error(`${written} is a decimal`)
      const [whole = '', fraction = ''] = text.split('.')
      const expected = BigInt(whole + fraction.padEnd(20, '0')) * (negative ? -1n : 1n)
      expect(formatScaled(scaled.value, 20)).toBe(formatScaled(expected, 20))
    }),
    { numRuns: 200 },
  )
})
