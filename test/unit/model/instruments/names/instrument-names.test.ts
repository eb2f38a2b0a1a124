/**
 * Names: printing undoes reading, every code has its legs, and a bad name says what was expected.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { micros, price9 } from '../../../../../src/core/index.ts'
import {
  comboLegsOf,
  optionComboCodes,
  type ParsedName,
  parseInstrumentName,
  printInstrumentName,
} from '../../../../../src/model/index.ts'

const seed = 20_260_105
const FIRST_EXPIRY_MICROS = 946_713_600_000_000
const DAY_MICROS = 86_400_000_000
/** Days from 2000-01-01 to 2099-12-31. */
const DAYS_MAX = 36_524

const symbol = fc.stringMatching(/^[A-Z][A-Z0-9]{0,7}$/)
const inversePair = symbol.map((base) => ({ base, quote: null }))
const linearPair = fc
  .tuple(symbol, symbol)
  .filter(([base, quote]) => base !== quote)
  .map(([base, quote]) => ({ base, quote }))
const pair = fc.oneof(inversePair, linearPair)
const expiration = fc.integer({ min: 0, max: DAYS_MAX }).map((days) => micros(FIRST_EXPIRY_MICROS + days * DAY_MICROS))
const right = fc.constantFrom('call' as const, 'put' as const)
const wholeStrike = fc.integer({ min: 1, max: 9_007_199 }).map((whole) => price9(whole * 1e9))
const anyStrike = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).map((units) => price9(units))

const plainName: fc.Arbitrary<ParsedName> = fc.oneof(
  fc.record({ type: fc.constant('perpetual' as const), pair }),
  fc.record({ type: fc.constant('future' as const), pair, expiration }),
  linearPair.map(({ base, quote }) => ({ type: 'spot' as const, base, quote })),
  fc
    .record({ pair: inversePair, expiration, strike: wholeStrike, right })
    .map((option) => ({ type: 'option' as const, ...option })),
  fc
    .record({ pair: linearPair, expiration, strike: anyStrike, right })
    .map((option) => ({ type: 'option' as const, ...option })),
  fc
    .record({ pair, long: expiration, short: expiration })
    .filter(({ long, short }) => long !== short)
    .map((combo) => ({ type: 'future_combo' as const, ...combo })),
)

/** One name for every code, on two pairs. */
const comboNames: readonly string[] = [
  ...['FS-27SEP24_PERP', 'FS-PERP_27SEP24', 'FS-28JUN24_27SEP24'],
  ...['CS-27SEP24-10_20', 'PS-27SEP24-20_10', 'STRD-27SEP24-10', 'STRG-27SEP24-10_20'],
  ...['GUTS-27SEP24-10_20', 'RR-27SEP24-10_20', 'REV-27SEP24-10', 'BOX-27SEP24-10_20'],
  ...['CBUT-27SEP24-10_20_30', 'PBUT-27SEP24-10_20_30', 'IBUT-27SEP24-10_20_30'],
  ...['CBUT111-27SEP24-10_20_30', 'PBUT111-27SEP24-10_20_30'],
  ...['CLAD-27SEP24-10_20_30', 'PLAD-27SEP24-10_20_30'],
  ...['ICOND-27SEP24-10_20_30_40', 'CCOND-27SEP24-10_20_30_40', 'PCOND-27SEP24-10_20_30_40'],
  ...['CSR12-27SEP24-10_20', 'CSR13-27SEP24-10_20', 'CSR23-27SEP24-10_20'],
  ...['PSR12-27SEP24-10_20', 'PSR13-27SEP24-10_20', 'PSR23-27SEP24-10_20'],
  ...['CCAL-27SEP24_28JUN24-10', 'PCAL-27SEP24_28JUN24-10', 'JR-27SEP24_28JUN24-10'],
  ...['CDIAG-27SEP24_28JUN24-20_10', 'PDIAG-27SEP24_28JUN24-10_20'],
  ...['STDC-27SEP24_28JUN24-10', 'DSTDC-27SEP24_28JUN24-10_20'],
].flatMap((tail) => [`BTC-${tail}`, `SOL_USDC-${tail}`])

const optionComboNames = comboNames.filter((name) => !name.includes('-FS-'))

function reprinted(name: string): string {
  const parsed = parseInstrumentName(name)
  return parsed.ok ? printInstrumentName(parsed.value) : parsed.error
}

/** Legs in short: `+1 far 10C`. */
function legsOf(name: string): string {
  const parsed = parseInstrumentName(`BTC-${name}`)
  if (!parsed.ok) return parsed.error
  if (parsed.value.type !== 'option_combo' && parsed.value.type !== 'future_combo') return 'no combo'
  return comboLegsOf(parsed.value)
    .map(({ instrumentName, ratio }) => {
      const short = instrumentName.replace('BTC-', '').replace('27SEP24-', '')
      return `${ratio > 0 ? '+' : ''}${ratio} ${short.replace('28JUN24-', 'near ')}`
    })
    .join(', ')
}

describe('reading and printing', () => {
  test('rule instruments.name: reading undoes printing', () => {
    const law = fc.property(plainName, (parsed) => {
      const name = printInstrumentName(parsed)
      expect(parseInstrumentName(name)).toEqual({ ok: true, value: parsed })
      expect(reprinted(name)).toBe(name)
    })
    fc.assert(law, { seed, numRuns: 500 })
  })

  test('a text is refused or printed back unchanged', () => {
    const part = fc.constantFrom(
      ...['BTC', 'SOL_USDC', 'PERPETUAL', 'PERP', 'FS', 'CS', 'PS', '27SEP24', '027SEP24', '50000'],
      ...['C', 'P', '', '0d625', '0d50', '10_20', '20_10', '27SEP24_PERP', '27SEP24_28JUN24', '0'],
    )
    const law = fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
      const name = parts.join('-')
      if (parseInstrumentName(name).ok) expect(reprinted(name)).toBe(name)
    })
    fc.assert(law, { seed, numRuns: 2000 })
  })

  test('rule instruments.name: combos of any strikes are printed back', () => {
    const strikes = fc.uniqueArray(wholeStrike, { minLength: 4, maxLength: 4 })
    const law = fc.property(fc.constantFrom(...optionComboNames), strikes, (name, prices) => {
      const ascending = prices.map((price) => price / 1e9).toSorted((a, b) => a - b)
      const [strikeTail = '', ...head] = name.split('-').toReversed()
      // 10, 20, 30 and 40 of the sample name stand for the strikes in ascending order.
      const places = strikeTail.split('_').map((text) => ascending[Number(text) / 10 - 1])
      const generated = [...head.toReversed(), places.join('_')].join('-')
      expect(reprinted(generated)).toBe(generated)
    })
    fc.assert(law, { seed, numRuns: 500 })
  })

  test.each(comboNames)('%s is printed back', (name) => {
    expect(reprinted(name)).toBe(name)
  })

  test('every code of option combos has a name above', () => {
    const tested = new Set(comboNames.map((name) => name.split('-')[1]))
    expect(optionComboCodes.filter((code) => !tested.has(code))).toEqual([])
  })
})

describe('legs', () => {
  test.each([
    ['FS-28JUN24_27SEP24', '+1 28JUN24, -1 27SEP24'],
    ['PS-27SEP24-20_10', '+1 20-P, -1 10-P'],
    ['STRD-27SEP24-10', '+1 10-C, +1 10-P'],
    ['STRG-27SEP24-10_20', '+1 10-P, +1 20-C'],
    ['GUTS-27SEP24-10_20', '+1 10-C, +1 20-P'],
    ['RR-27SEP24-10_20', '+1 10-P, -1 20-C'],
    ['CBUT-27SEP24-10_20_30', '+1 10-C, -2 20-C, +1 30-C'],
    ['PBUT111-27SEP24-10_20_30', '+1 10-P, -1 20-P, +1 30-P'],
    ['CLAD-27SEP24-10_20_30', '+1 10-C, -1 20-C, -1 30-C'],
    ['IBUT-27SEP24-10_20_30', '+1 10-P, -1 20-P, -1 20-C, +1 30-C'],
    ['ICOND-27SEP24-10_20_30_40', '+1 10-P, -1 20-P, -1 30-C, +1 40-C'],
    ['PCOND-27SEP24-10_20_30_40', '+1 10-P, -1 20-P, -1 30-P, +1 40-P'],
    ['BOX-27SEP24-10_20', '+1 10-C, -1 10-P, -1 20-C, +1 20-P'],
    ['CSR23-27SEP24-10_20', '+2 10-C, -3 20-C'],
    ['PSR13-27SEP24-10_20', '+1 10-P, -3 20-P'],
    ['PCAL-27SEP24_28JUN24-10', '+1 10-P, -1 near 10-P'],
    ['CDIAG-27SEP24_28JUN24-20_10', '+1 20-C, -1 near 10-C'],
    ['STDC-27SEP24_28JUN24-10', '+1 10-C, +1 10-P, -1 near 10-C, -1 near 10-P'],
    ['JR-27SEP24_28JUN24-10', '+1 10-C, -1 10-P, -1 near 10-C, +1 near 10-P'],
  ])('%s: %s', (name, legs) => {
    expect(legsOf(name)).toBe(legs)
  })
})

describe('bad names', () => {
  test.each([
    ['', 'expected an upper-case symbol or a pair such as SOL_USDC, found nothing'],
    ['btc-PERPETUAL', 'expected an upper-case symbol or a pair such as SOL_USDC, found "btc"'],
    ['BTC', 'expected a suffix after the symbol, such as -PERPETUAL, found "BTC"'],
    ['BTC_BTC', 'expected a pair of two different symbols, found "BTC_BTC"'],
    ['BTC-PERP', 'expected PERPETUAL or a date such as 27DEC24, found "PERP"'],
    ['BTC-31FEB24', 'expected PERPETUAL or a date such as 27DEC24, found "31FEB24"'],
    ['BTC-27DEC24-50000', 'expected an instrument name such as BTC-27DEC24-50000-C'],
    ['BTC-27DEC24-50000-C-X', 'expected an instrument name such as BTC-27DEC24-50000-C'],
    ['BTC-27DEC24-50000-X', 'expected C or P, found "X"'],
    ['BTC-27DEC24-0-C', 'expected a whole strike such as 50000, above 0'],
    ['BTC-27DEC24-0d5-C', 'expected a whole strike such as 50000, found "0d5"'],
    ['BTC-27DEC24-9007200-C', 'up to 9007199'],
    ['XRP_USDC-27DEC24-0d1234567891-C', 'with up to 9 decimals, found "0d1234567891"'],
    ['BTC-XX-27DEC24-10_20', 'expected a date such as 27DEC24, FS or one of CS PS'],
    ['BTC-constructor-27DEC24-10', 'expected a date such as 27DEC24, FS or one of CS PS'],
    ['BTC-CS-27DEC24-20_10', 'expected strikes of CS: 2, ascending, found "20_10"'],
    ['BTC-PS-27DEC24-10_20', 'expected strikes of PS: 2, descending, found "10_20"'],
    ['BTC-STRD-27DEC24-10_20', 'expected strikes of STRD: 1, found "10_20"'],
    ['BTC-CDIAG-27DEC24_20DEC24-10_10', 'expected strikes of CDIAG: 2, distinct'],
    ['BTC-CS-27DEC24_20DEC24-10_20', 'expected one date after CS, found "27DEC24_20DEC24"'],
    ['BTC-CCAL-20DEC24_27DEC24-10', 'expected two dates, the far one first, after CCAL'],
    ['BTC-CS-27DEC-10_20', 'expected a date such as 27DEC24, found "27DEC"'],
    ['BTC-CS-27DEC24-10_x', 'expected a whole strike such as 50000, found "x"'],
    ['BTC-FS-PERP_PERP', 'expected two different legs such as 27SEP24_PERP'],
    ['BTC-FS-27DEC24', 'expected two different legs such as 27SEP24_PERP'],
    ['BTC-FS-27DEC24_PERP-10', 'expected two legs such as 27SEP24_PERP and no more after FS'],
    ['A'.repeat(121), 'expected at most 120 characters, found 121'],
  ])('%s', (name, error) => {
    expect(parseInstrumentName(name)).toEqual({ ok: false, error: expect.stringContaining(error) })
  })
})
