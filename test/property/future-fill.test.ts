/**
 * Law: booking a fill of an inverse or linear future in one pass gives exactly the same result as the steps with wide
 * integers: both bases, realized profit, the value at the mark, the profit of the holding and of its wallet.
 *
 * Law: at any mark its value and its profit equal plain integer arithmetic.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { divHalfAwayBig, micros } from '../../src/core/index.ts'
import {
  basisBig,
  contractTerms,
  createLedger,
  type Ledger,
  type PricedTerms,
  postFill,
  postFunding,
  postFutureFill,
  pricedTerms,
  profitOf,
  readHolding,
  reserveHoldings,
  reserveWallets,
  revalueHolding,
  settleHolding,
} from '../../src/ledger/index.ts'
import { overrideSpec, specFromName } from '../../src/model/index.ts'
import { askedRuns, askedSeed, isWhole } from '../support/property-runs.ts'

const named = specFromName('BTC-PERPETUAL', { creation: micros(0) })
if (!named.ok) throw new Error(named.error)
const small = overrideSpec(named.value, { contract_size: '1', min_trade_amount: '1' })
if (!small.ok) throw new Error('the contract may be small')
const linear = specFromName('BTC_USDC-PERPETUAL', { creation: micros(0) })
if (!linear.ok) throw new Error(linear.error)
const contracts = [named.value, small.value, linear.value].map(contractTerms)

const lots = fc.oneof(
  fc.integer({ min: 1, max: 20 }),
  fc.integer({ min: 1, max: 9_000_000 }),
  fc.integer({ min: 1, max: 3_000_000_000 }),
)
/** Prices in 1e-9: on the grid, off it, and prices at which a lot is worth much. */
const price = fc.oneof(
  fc.integer({ min: 2_000, max: 400_000 }).map((halves) => halves * 500_000_000),
  fc.integer({ min: 1_000_000_000, max: 200_000_000_000_000 }),
  fc.integer({ min: 600_000_000, max: 900_000_000 }).map((low) => low * 100_000),
)
const step = fc.record({
  buys: fc.boolean(),
  lots,
  closes: fc.boolean(),
  price,
  mark: price,
  next: price,
  funding: fc.option(fc.bigInt({ min: -1_000_000_000n, max: 1_000_000_000n }), { freq: 4 }),
  settles: fc.integer({ min: 0, max: 9 }).map((each) => each === 0),
})

test('one pass gives the same result as the steps', () => {
  const none = { reduced: 0, crossed: 0, settled: 0, moved: 0, big: 0 }
  const counts = { inverse: { ...none }, linear: { ...none }, spot: { ...none } }
  fc.assert(
    fc.property(fc.constantFrom(...contracts), fc.array(step, { maxLength: 40 }), (terms, steps) => {
      const [own, twin] = [createLedger(), createLedger()]
      for (const ledger of [own, twin]) {
        reserveHoldings(ledger, 2)
        reserveWallets(ledger, 2)
      }
      const owner = { holding: 0, wallet: 0 }
      const seen = counts[terms.payoff]
      let size = 0
      for (const { buys, closes, price: at, mark, next, funding, settles, ...of } of steps) {
        const sign = closes && size !== 0 ? (size > 0 ? -1 : 1) : buys ? 1 : -1
        const most = Math.min(of.lots, Math.floor(at * 1e-5))
        const filled = closes && size !== 0 && of.lots % 3 === 0 ? Math.abs(size) : Math.max(1, most)
        // Sizes and values stay within the range of a ledger.
        const largest = Math.max(filled, Math.abs(size + sign * filled))
        if (largest > Math.min(at, mark) * 1e-5) continue
        if (size * sign < 0) seen[filled > Math.abs(size) ? 'crossed' : 'reduced'] += 1
        const priced = { price: pricedTerms(terms, at), mark: pricedTerms(terms, mark) }
        const posting = { sign, lots: filled, ...priced } as const
        const realized = postFutureFill(own, owner, posting)
        expect(realized).toBe(postFill(twin, owner, posting))
        if (typeof realized === 'bigint') seen.big += 1
        size += sign * filled
        for (const ledger of [own, twin]) {
          if (funding !== null) postFunding(ledger, owner, funding)
          if (!settles) continue
          seen.settled += 1
          const mirror = { holding: 1, wallet: 1 }
          settleHolding(ledger, owner, priced.mark, mirror, false)
        }
        expect(own.holdings).toEqual(twin.holdings)
        expect(own.wallets).toEqual(twin.wallets)
        if (Math.abs(size) > next * 1e-5) continue
        const moved = pricedTerms(terms, next)
        for (const ledger of [own, twin]) revalueHolding(ledger, owner, moved)
        expectValued(own, moved)
        seen.moved += 1
      }
    }),
    { numRuns: askedRuns(2_000, 1, 80), ...askedSeed(18) },
  )
  if (!isWhole) return
  const { inverse, linear: quoted } = counts
  for (const { reduced, crossed, settled, moved } of [inverse, quoted]) {
    expect(Math.min(reduced, crossed, settled, moved)).toBeGreaterThan(50)
  }
  // Profits of linear futures may exceed the exact range of a double.
  expect(quoted.big).toBeGreaterThan(5)
})

/** Expects the value and the profit of the first holding, whose wallet has no other, at a mark (market.md 5.1). */
function expectValued(ledger: Ledger, { terms, price9 }: PricedTerms): void {
  const { size, day, realized, funding, value, profit } = readHolding(ledger, 0)
  const basis = basisBig(terms, Math.abs(size), price9)
  const isInverse = terms.payoff === 'inverse'
  const isOwed = isInverse ? size < 0 : size > 0
  expect(value).toBe(isOwed ? -basis : basis)
  // In coin, floating and realized profit are each rounded to nano.
  const nano = (exact: bigint): bigint => (isInverse ? divHalfAwayBig(exact, 1_000_000_000n) : exact)
  expect(profit).toBe(nano(day - value) + nano(realized) + funding)
  expect(profitOf(ledger, 0)).toBe(profit)
}
