/**
 * Gateway pairs: the bases that belong to the pair of real-world assets, and the numbers of currency pairs.
 * Source: sessions-blocks-gateways.md 8.1, 8.3, 8.5; coverage R21.
 */
import { describe, expect, test } from 'vitest'
import { openVenue } from '../../src/program/index.ts'
import type { Json } from '../support/desk-market.ts'
import { DirectMarket, directMarket, perpetual, rejectOf } from '../support/direct-market.ts'
import { beginning, mistakesAfter, sound } from '../unit/scenario/documents.ts'

const gold = 'XAU_USDC-PERPETUAL'
const token = 'PAXG_USDC-PERPETUAL'
const coin = 'SOL_USDC-PERPETUAL'

/** The gateways that accept an order of each instrument. */
function routes(config: object): { readonly [name: string]: readonly string[] } {
  const instruments = [gold, token, coin]
  const index = { xau_usdc: 4000, paxg_usdc: 4000, sol_usdc: 200 }
  const accounts = { alice: { USDC: 1_000_000, ETH: 1 }, bob: { ETH: 1 } }
  const m = new DirectMarket({ instruments, index, accounts, config })
  const gateways = ['TIER_2_A', 'TIER_3_B', 'RWA_A', 'RWA_B']
  let ids = 1
  for (const [at, gateway] of gateways.entries()) m.connect(10 + at, { account: 'alice', gateway })
  return Object.fromEntries(
    instruments.map((instrument_name) => [
      instrument_name,
      gateways.filter((_gateway, at) => {
        const price = instrument_name === coin ? 199 : 3990
        const order = { client_order_id: ids++, instrument_name, side: 'buy', amount: 1, price }
        return m.ask('alice', 'sim/direct/new_order', order, 10 + at).ok
      }),
    ]),
  )
}

describe('instruments.rwa', () => {
  test('S338 real-world assets have their own gateway pair, and PAXG is reached over that of its tier (R21)', () => {
    expect(routes({})).toEqual({
      [gold]: ['RWA_A', 'RWA_B'],
      [token]: ['TIER_2_A'],
      [coin]: ['TIER_2_A'],
    })
  })

  test('a run sets the bases of that pair', () => {
    expect(routes({ rwaBases: ['PAXG', 'SOL'] })).toEqual({
      [gold]: ['TIER_3_B'],
      [token]: ['RWA_A', 'RWA_B'],
      [coin]: ['RWA_A', 'RWA_B'],
    })
  })

  test('a malformed base is refused with the expected form, in programs and in files', () => {
    const open = (rwaBases: readonly string[]) => () =>
      openVenue({ start: '2026-01-05T09:00:00Z', config: { rwaBases } })
    expect(open(['xau'])).toThrow('config.rwaBases.0: expected a base in capital letters, such as XAU, found xau')
    expect(open(['XAU', 'XAU'])).toThrow('config.rwaBases.1: expected each base once, found a second XAU')
    const bases = sound(`${beginning}venue: { rwa_bases: [XAU, TSLA] }\n`).config.rwaBases
    expect(bases).toEqual(['XAU', 'TSLA'])
    const [mistake] = mistakesAfter('venue: { rwa_bases: [xau] }\n')
    expect(mistake).toMatch(/venue\.rwa_bases\.0: expected .*, found "xau"/)
  })
})

describe('gateway numbers', () => {
  test('a currency pair has a number that the gateway lists and messages may use', () => {
    const m = directMarket()
    m.connect(5, { type: 'rest_gateway', account: 'alice' })
    const listed: readonly Json[] = m.result(null, 'public/get_instruments', {}, 5)
    const pair = listed.find(({ instrument_name }) => instrument_name === perpetual)
    expect(pair).toMatchObject({ currency_pair: 'eth_usd', instrument_id: expect.any(Number) })
    expect(new Set(listed.map(({ currency_pair_id }) => currency_pair_id)).size).toBe(1)
    m.place('alice', 1)
    m.result(null, 'sim/list_instrument', { instrument_name: coin })
    const all = { currency_pair: pair.currency_pair_id }
    expect(m.result('alice', 'sim/direct/mass_cancel', all, 1).total_order_count).toBe(1)
    const wrong = { currency_pair: 99 }
    expect(rejectOf(m.error('alice', 'sim/direct/get_orders_mmp_status', wrong, 1))).toBe(
      '1 INVALID_MMP_GROUP OrdersMmpStatusReject',
    )
  })
})
