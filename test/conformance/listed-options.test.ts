/**
 * Options that the venue lists by its schedule: expirations, strikes around the index, and the daily additions at
 * 08:00.
 * Source: market.md 1.6.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { strikeStep9, strikesToList } from '../../src/engine/day/schedule.ts'
import { openVenue, type VenueOptions } from '../../src/index.ts'
import type { Json } from '../support/desk-market.ts'

const DAY = 86_400_000_000
const UNIT = 1_000_000_000

function ask(venue: ReturnType<typeof openVenue>, method: string, params: object): Json {
  const { reply } = venue.request(method as 'public/get_instrument', params as Json)
  if (reply === undefined || !reply.ok) throw new Error(`${method}: ${JSON.stringify(reply)}`)
  return reply.result
}

function open(pairs: readonly string[], index: VenueOptions['index']): ReturnType<typeof openVenue> {
  const start = '2026-05-20T07:50:00Z'
  return openVenue({ start, index, config: { listedOptions: pairs } } as VenueOptions)
}

/** The listed strikes of an expiration. Each must have a call and a put. */
function strikesOf(venue: ReturnType<typeof openVenue>, currency: string, date: string): number[] {
  const listed: Json[] = ask(venue, 'public/get_instruments', { currency, kind: 'option' })
  const own = listed.filter(({ instrument_name: name }) => name.includes(`-${date}-`))
  const of = (right: string): number[] =>
    own
      .filter(({ option_type }) => option_type === right)
      .map(({ strike }) => strike as number)
      .sort((left, right) => left - right)
  expect(of('put')).toEqual(of('call'))
  return of('call')
}

function ladder(from: number, to: number, step: number): number[] {
  const strikes: number[] = []
  for (let strike = from; strike <= to; strike += step) strikes.push(strike)
  return strikes
}

describe('Rule: instruments.strikes', () => {
  test('ten strikes on each side of the money, wider apart for later expirations', () => {
    const venue = open(['BTC'], { btc_usd: 77_130 })
    expect(strikesOf(venue, 'BTC', '20MAY26')).toEqual(ladder(72_000, 82_000, 500))
    expect(strikesOf(venue, 'BTC', '22MAY26')).toEqual(ladder(67_000, 87_000, 1000))
    expect(strikesOf(venue, 'BTC', '26JUN26')).toEqual(ladder(58_000, 98_000, 2000))
    expect(strikesOf(venue, 'BTC', '26MAR27')).toEqual(ladder(25_000, 125_000, 5000))
    const { option } = ask(venue, 'public/get_expirations', { currency: 'BTC', kind: 'option' })
    expect(option).toEqual([
      ...['20MAY26', '21MAY26', '22MAY26', '23MAY26', '29MAY26', '5JUN26', '26JUN26', '31JUL26'],
      ...['25SEP26', '25DEC26', '26MAR27'],
    ])
  })

  test('for other coins strikes are 2.5 % of the index apart, rounded to 1, 2 or 5 times a power of ten', () => {
    const venue = open(['SOL_USDC', 'XRP_USDC'], { sol_usdc: 171.3, xrp_usdc: 0.512 })
    expect(strikesOf(venue, 'USDC', '20MAY26')).toEqual([
      ...ladder(41, 61, 1).map((hundredths) => hundredths / 100),
      ...ladder(120, 220, 5),
    ])
    const { instrument_name } = ask(venue, 'public/get_instrument', {
      instrument_name: 'XRP_USDC-20MAY26-0d41-P',
    })
    expect(instrument_name).toBe('XRP_USDC-20MAY26-0d41-P')
  })

  test('nothing is listed before the index has a value, then everything at once', () => {
    const venue = open(['ETH'], {})
    ask(venue, 'sim/set_index', { index_name: 'eth_usd', price: 2_510 })
    venue.wait('1ms')
    expect(strikesOf(venue, 'ETH', '20MAY26')).toEqual(ladder(2_250, 2_750, 25))
  })

  test('08:00 lists new expirations and missing strikes, up to five on each side of the money; it removes none', () => {
    const venue = open(['BTC'], { btc_usd: 77_000 })
    const before = strikesOf(venue, 'BTC', '29MAY26')
    expect(before).toEqual(ladder(67_000, 87_000, 1000))
    ask(venue, 'sim/set_index', { index_name: 'btc_usd', price: 85_400 })
    expect(strikesOf(venue, 'BTC', '29MAY26')).toEqual(before)
    venue.wait('10m')
    // The index is now 85,000. Strikes 86,000 and 87,000 exist, and three more are needed.
    expect(strikesOf(venue, 'BTC', '29MAY26')).toEqual(ladder(67_000, 90_000, 1000))
    // The new day is listed around the current index.
    expect(strikesOf(venue, 'BTC', '24MAY26')).toEqual(ladder(75_000, 95_000, 1000))
    expect(ask(venue, 'public/get_instrument', { instrument_name: 'BTC-29MAY26-90000-C' })).toMatchObject({
      creation_timestamp: Date.UTC(2026, 4, 20, 8),
      state: 'open',
    })
  })

  test('an order trades in an option that the schedule listed', () => {
    const venue = open(['BTC'], { btc_usd: 77_000 })
    for (const account of ['a', 'b']) {
      ask(venue, 'sim/create_account', { name: account })
      ask(venue, 'sim/deposit', { account, currency: 'BTC', amount: 5 })
    }
    const order = { instrument_name: 'BTC-22MAY26-77000-C', amount: 0.1, price: 0.012 }
    const place = (account: string, method: string): Json => {
      const { reply } = venue.as(account).request(method as 'private/buy', order)
      if (reply === undefined || !reply.ok) throw new Error(JSON.stringify(reply))
      return reply.result
    }
    place('a', 'private/sell')
    expect(place('b', 'private/buy').trades).toHaveLength(1)
  })

  test('config: pairs that have no options, or are named twice', () => {
    expect(() => open(['XYZ'], {})).toThrow('config.listedOptions.0: expected a pair with options')
    expect(() => open(['BTC', 'BTC'], {})).toThrow('config.listedOptions.1: expected each pair once')
  })
})

describe('strikes', () => {
  const price = fc.integer({ min: 1, max: 200_000_000 }).map((cents) => cents * 10_000_000)

  test('of other coins differ from 2.5 % by at most a quarter, because steps are 1, 2 and 5', () => {
    fc.assert(
      fc.property(price, (index9) => {
        const step9 = strikeStep9('SOL', index9, DAY)
        const digits = String(step9)
        expect(digits).toMatch(/^[125]0*$/)
        const wanted = index9 / 40
        for (const other of [step9 / 2, step9 * 2, (step9 * 5) / 2, (step9 * 2) / 5]) {
          if (!/^[125]0*$/.test(String(other))) continue
          expect(Math.abs(step9 - wanted)).toBeLessThanOrEqual(Math.abs(other - wanted))
        }
      }),
    )
  })

  test('day after day, each side of the money has five; only the first listing adds ten', () => {
    fc.assert(
      fc.property(
        fc.array(price, { minLength: 1, maxLength: 12 }),
        fc.constantFrom('BTC', 'ETH', 'SOL'),
        (indices, base) => {
          const listed: number[] = []
          let left = 40 * DAY
          for (const index9 of indices) {
            const step9 = strikeStep9(base, index9, left)
            const added = strikesToList(new Set(listed), index9, step9)
            expect([...added].sort((one, other) => one - other)).toEqual(added)
            for (const strike of added) {
              expect(listed).not.toContain(strike)
              expect(strike % step9).toBe(0)
              expect(strike).toBeGreaterThan(0)
            }
            const money = Math.floor((index9 + step9 / 2) / step9) * step9
            const side = listed.length === 0 ? 10 : 5
            const before = new Set(listed)
            listed.push(...added)
            const wanted = Array.from({ length: 2 * side + 1 }, (_, at) => money + (at - side) * step9)
            for (const strike of wanted) expect(listed.includes(strike)).toBe(strike > 0)
            expect(added).toEqual(wanted.filter((strike) => strike > 0 && !before.has(strike)))
            left -= DAY
          }
        },
      ),
    )
  })

  test('of a coin begin at the first step if its price is close to zero', () => {
    expect(strikesToList(new Set(), 3 * UNIT, UNIT)).toEqual(ladder(1, 13, 1).map((strike) => strike * UNIT))
  })
})
