/**
 * The answer of get_margins is the margin that an otherwise empty account needs for the order: with this margin the
 * order is placed, with less it is refused. Tested for options, futures, and combos of both, whose legs count as orders
 * of the legs.
 * Source: market.md 6, 6.1, 6.2, 6.5; trading.md 4.9 (get_margins), C09 (10009).
 */
import { describe, expect, test } from 'vitest'
import { type DeskMarket, deskMarket } from '../support/desk-market.ts'

const coinLegs = ['BTC-27MAR26-60000-C', 'BTC-27MAR26-65000-C', 'BTC-27MAR26-60000-P']
const quoteLegs = ['BTC_USDC-27MAR26-60000-C', 'BTC_USDC-27MAR26-65000-C']
const orders = [
  ['BTC-PERPETUAL', 18_830, 49_900],
  ['BTC_USDC-PERPETUAL', 1.25, 50_100],
  ['BTC-27MAR26-60000-C', 12.3, 0.045],
  ['BTC-27MAR26-60000-P', 7, 0.22],
  ['BTC_USDC-27MAR26-60000-C', 3.3, 2_500],
  ['BTC-FS-27MAR26_PERP', 16_580, -351],
  ['BTC-CS-27MAR26-60000_65000', 96.9, 0.0756],
  ['BTC-CS-27MAR26-60000_65000', 96.9, -0.01],
  ['BTC-STRD-27MAR26-60000', 5, 0.28],
  ['BTC_USDC-CS-27MAR26-60000_65000', 15.12, -1_255],
] as const

function market(): DeskMarket {
  return deskMarket({
    instruments: ['BTC-27MAR26', ...coinLegs, ...quoteLegs].concat(
      [...new Set(orders.map(([name]) => name))].filter(
        (name) => !coinLegs.includes(name) && !quoteLegs.includes(name),
      ),
    ),
    index: { btc_usd: 50_000, btc_usdc: 50_000 },
    accounts: {},
  })
}

/** Two units of the account's last digit, because the answer is rounded to it. */
const slack = 2e-8

describe.each([
  ['segregated_sm', 'its own currency'],
  ['segregated_pm', 'its own currency'],
  ['cross_sm', 'its own currency'],
  ['cross_sm', 'USDC'],
  ['cross_pm', 'USDC'],
])('%s with funds in %s', (margin_model, funded) => {
  test.each(orders)('%s x %d at %d', (instrument_name, amount, price) => {
    const m = market()
    const order = { instrument_name, amount, price }
    m.result(null, 'sim/create_account', { name: 'nobody', margin_model })
    const needed = m.result('nobody', 'private/get_margins', order)
    const { settlement_currency } = m.result(null, 'public/get_instrument', { instrument_name })
    // Under cross_pm a coin would add its own risk; USDC add none.
    const isOwn = funded !== 'USDC' || settlement_currency === 'USDC'
    const currency = isOwn ? settlement_currency : 'USDC'
    const worth = isOwn ? 1 : 50_000
    const refusalWith = (side: 'buy' | 'sell', more: number): string => {
      const name = more > 0 ? `${side}-enough` : `${side}-less`
      m.result(null, 'sim/create_account', { name, margin_model })
      const decimal = ((needed[side] + more) * worth).toFixed(9)
      m.result(null, 'sim/deposit', { account: name, currency, amount: { decimal } })
      const reply = m.ask(name, `private/${side}`, order)
      return reply.ok ? 'none' : reply.error.message
    }
    for (const side of ['buy', 'sell'] as const) {
      expect(needed[side]).toBeGreaterThan(slack)
      expect(refusalWith(side, slack)).toBe('none')
      expect(refusalWith(side, -slack)).toBe('not_enough_funds')
    }
  })
})
