/** Controls of money: the amount that can be withdrawn, and prices that positions cannot reach. */
import { expect, test } from 'vitest'
import { micros } from '../../src/core/index.ts'
import { specFromName } from '../../src/model/index.ts'
import { market, start } from '../support/harness.ts'

test('profit of the session cannot be withdrawn before it becomes cash (market.md 5.3)', () => {
  const m = market({
    instruments: { 'BTC-PERPETUAL': {} },
    accounts: { ann: { BTC: '1' } },
    index: { btc_usd: '50000' },
  })
  m.give('ann', '100000', '40000')
  expect(m.wallet('ann', 'BTC').equity).toBe(1_500_000_000n)
  expect(m.deposit('ann', 'BTC', '-1').refusal).toEqual({ reason: 'not_enough_funds' })
  // Initial margin of 2 BTC is 0.0402.
  expect(m.deposit('ann', 'BTC', '-0.959800001').refusal).toEqual({ reason: 'not_enough_funds' })
  expect(m.deposit('ann', 'BTC', '-0.9598').refusal).toBeNull()
  m.wait(23 * 3_600_000_000)
  expect(m.deposit('ann', 'BTC', '-0.5').refusal).toBeNull()
})

test('a price at which a position would be worth millions of coin is refused and changes nothing', () => {
  const m = market({
    instruments: { 'BTC-PERPETUAL': {}, 'BTC_USDC-PERPETUAL': {} },
    accounts: { ann: { BTC: '1', USDC: '100000' } },
    index: { btc_usd: '50000', btc_usdc: '50000' },
  })
  m.give('ann', '100000', '50000')
  m.give('ann', '1', '50000', 'BTC_USDC-PERPETUAL')
  for (const tried of [m.mark('0.01'), m.index('btc_usd', '0.01')]) {
    expect(tried.refusal).toMatchObject({ reason: 'invalid_params', param: 'price' })
  }
  expect(m.mark('0.05').refusal).toBeNull()
  // The value of a long linear position falls with its price.
  expect(m.mark('0.000001', 'BTC_USDC-PERPETUAL').refusal).toBeNull()
})

test('A2 a position that would be worth millions of coin at the mark cannot be given, at any price', () => {
  const m = market({
    instruments: { 'BTC-PERPETUAL': {} },
    accounts: { ann: { BTC: '1' }, bob: { BTC: '1' } },
    index: { btc_usd: '50000' },
  })
  m.mark('0.01')
  const refusal = { reason: 'invalid_amount' }
  // At 0.01 USD, 40,000 USD are 4,000,000 coin.
  expect(m.give('ann', '40000', '50000').refusal).toEqual(refusal)
  expect(m.give('ann', '39990', '50000').refusal).toBeNull()
  // Neither the position of the account nor that of the house can grow so far.
  for (const account of ['ann', 'bob']) {
    expect(m.give(account, '10', '50000').refusal).toEqual(refusal)
  }
  expect(m.give('bob', '-10', '50000').refusal).toBeNull()
  expect(m.give('ann', '-10', '50000').refusal).toBeNull()
})

test('a damper that begins later applies from that time on, even if neither mark nor index moves', () => {
  const m = market({ instruments: {}, accounts: {}, index: { btc_usd: '10000' } })
  const spec = specFromName('BTC-PERPETUAL', { creation: start })
  if (!spec.ok || spec.value.funding === null) throw new Error('expected a perpetual')
  const dampers = [
    { from: micros(0), rate8: 50_000 },
    { from: micros(start + 3_600_000_000), rate8: 25_000 },
  ]
  const funding = { ...spec.value.funding, dampers }
  m.send({ kind: 'list_instrument', spec: { ...spec.value, funding }, queue: null })
  m.mark('10010', 'BTC-PERPETUAL')
  expect(m.exchange.instruments[0]?.funding?.rate8).toBe(50_000)
  const later = m.wait(3_600_000_000)
  expect(later.events.filter(({ kind }) => kind === 'funding_rate')).toMatchObject([
    // 0.0005 for an hour at 10000: 6.25e-9 coin for each USD.
    { rate8: 75_000, accumulated: 6_250_000_000_000_000n },
  ])
})
