/**
 * Laws of Block RFQs over random ones, compared with a slow oracle: every answer and every view equals the oracle's, no
 * viewer sees more than it may, money and positions are conserved, no fill exceeds its quote, a taker pays at most its
 * limit and at most the price of any complete solution, and a run that is repeated, or cut anywhere, reaches the same
 * state.
 *
 * The venue checks the laws of state and cash after each request (`desk-market.ts`).
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { advanceTo, auditCopy, stateHash, totalCash } from '../../src/engine/index.ts'
import { currencyIdOf } from '../../src/model/index.ts'
import { type Desk, submit } from '../../src/rpc/index.ts'
import type { Json } from '../support/desk-market.ts'
import { bestSubset } from '../support/naive-rfq-matching.ts'
import type { NaiveRfq } from '../support/naive-rfq-terms.ts'
import { naiveQuoteView, naiveView } from '../support/naive-rfq-views.ts'
import { askedRuns, askedSeed, isWhole, unreached } from '../support/property-runs.ts'
import { restoredDesk } from '../support/restored-desk.ts'
import { assertNameless, assertSight } from '../support/rfq-sight.ts'
import { makers } from '../support/rfq-venue.ts'
import { MONEY_STEP, RfqWalk, stepOf, USDC, viewers } from '../support/rfq-walk.ts'
import { rfqWalks, type WalkStep } from '../support/rfq-walk-steps.ts'

function walked(
  taken: readonly WalkStep[],
  of: { readonly after?: (m: RfqWalk) => void; readonly note?: (word: string) => void } = {},
): RfqWalk {
  const m = new RfqWalk(of.note)
  for (const step of taken) {
    m.take(step)
    of.after?.(m)
  }
  return m
}

/** Counts words, to check which situations a property reached. */
function noting(): { readonly seen: Map<string, number>; readonly note: (word: string) => void } {
  const seen = new Map<string, number>()
  return { seen, note: (word) => void seen.set(word, (seen.get(word) ?? 0) + 1) }
}

const listed = (m: RfqWalk, account: string): Json[] =>
  m.look(account, 'private/get_block_rfqs', { count: 1000 }).block_rfqs

/** Compares every viewer's view of every RFQ with the oracle's. */
function checkViews(m: RfqWalk): void {
  const { twin } = m
  for (const viewer of viewers) {
    const found = listed(m, viewer)
    const expected = twin.rfqs
      .map((rfq) => naiveView(twin, rfq, { viewer, units: m.unitsOf(rfq) }))
      .filter((view) => view !== undefined)
      .reverse()
    // The oracle does not know marks and indices.
    const known = found.map(({ mark_price, index_prices, taker_rating, ...rest }: Json) => {
      expect(typeof mark_price).toBe('number')
      expect(index_prices === undefined).toBe(rest.state !== 'filled')
      expect(taker_rating).toMatch(/^[0-4]-[1-5]$/)
      return rest
    })
    expect(known).toEqual(expected)
    for (const rfq of found) assertSight(twin, viewer, rfq)
  }
  const tape = m.look(null, 'public/get_block_rfq_trades', { currency: 'any', count: 1000 })
  assertNameless(twin, tape)
}

function checkQuotes(m: RfqWalk): void {
  for (const name of [...makers, 'poor']) {
    const found = m.look(name, 'private/get_block_rfq_quotes') as Json[]
    const own = m.twin.quotes.filter(({ maker, state }) => maker === name && state === 'open')
    const sorted = found.toSorted((a, b) => a.block_rfq_quote_id - b.block_rfq_quote_id)
    expect(sorted).toMatchObject(
      own.map((quote) => naiveQuoteView(quote, m.unitsOf(m.twin.rfq(quote.rfq) as NaiveRfq))),
    )
    expect(sorted.map(({ label = '' }) => label)).toEqual(own.map(({ label }) => label))
  }
}

/** Compares the positions of all accounts with the oracle's; they sum to zero. */
function checkPositions(m: RfqWalk): void {
  for (const [instrument_name, step] of Object.entries(stepOf)) {
    let sum = 0
    for (const account of viewers) {
      const { size } = m.look(account, 'private/get_position', { instrument_name })
      const lots = Math.round(size / step)
      expect([account, instrument_name, lots]).toEqual([
        ...[account, instrument_name],
        m.twin.sizes.get(`${account} ${instrument_name}`) ?? 0,
      ])
      sum += lots
    }
    expect(sum).toBe(0)
  }
}

/** Compares the money of all accounts with the oracle's; only spot trades exchanged coins for USDC. */
function checkMoney(m: RfqWalk): void {
  for (const account of viewers) {
    const { balance } = m.look(account, 'private/get_account_summary', { currency: 'USDC' })
    const won = Math.round((balance - (account === 'poor' ? 0 : USDC)) / MONEY_STEP)
    expect([account, won]).toEqual([account, (m.twin.money.get(account) ?? 0) + 0])
  }
}

test('S117 S123 S135 S142 every answer and every view equals that of the oracle', () => {
  const { seen, note } = noting()
  const property = fc.property(rfqWalks, (taken) => {
    const m = walked(taken, {
      note,
      after: (each) => {
        checkViews(each)
        checkQuotes(each)
      },
    })
    for (const { state } of m.twin.rfqs) note(state)
    auditCopy(m.venue.exchange)
  })
  fc.assert(property, { ...askedSeed(3), numRuns: askedRuns(200, 1, 2) })
  const wanted = [
    ...['create 0', 'add 0', 'edit 0', 'cancel_quote 0', 'accept 0', 'accept 13907'],
    ...[
      'accept 11030',
      'add 13910',
      'add 10009',
      ...['add 11030', 'curtailed'],
      'accepted by 0',
      'accepted by 1',
      'accepted by 2',
    ],
    ...['fired', 'filled', 'expired', 'cancelled', 'open'],
  ]
  expect(unreached(wanted, seen)).toEqual([])
})

test('money and positions are conserved, and positions equal those of the oracle', () => {
  const { seen, note } = noting()
  const property = fc.property(rfqWalks, (taken) => {
    const before = new Map<string, bigint>()
    walked(taken, {
      note,
      after: (m) => {
        checkPositions(m)
        checkMoney(m)
        for (const currency of ['BTC', 'USDC'] as const) {
          const cash = totalCash(m.venue.exchange, currencyIdOf(currency))
          expect(cash).toBe(before.get(currency) ?? cash)
          before.set(currency, cash)
        }
      },
    })
  })
  fc.assert(property, { ...askedSeed(4), numRuns: askedRuns(200, 1, 2) })
  expect(unreached(['accepted by 1', 'fired', 'coins for others'], seen)).toEqual([])
})

test('no maker fills beyond its quote, no taker pays more than its limit or than any complete solution costs', () => {
  let fills = 0
  const property = fc.property(rfqWalks, (taken) => {
    const m = walked(taken)
    for (const { rfq: id, limit, side, quotes } of m.takings) {
      const rfq = m.twin.rfq(id) as NaiveRfq
      const found = listed(m, rfq.taker).find((each) => each.block_rfq_id === id)
      const { unit, tick } = m.unitsOf(rfq)
      const trades = found.trades.map(({ amount, price }: Json) => ({
        ...{ amount: Math.round(amount / unit), price: Math.round(price / tick) },
      }))
      const { amount } = rfq.structure
      expect(sumOf(trades.map((trade: Json) => trade.amount))).toBe(amount)
      // Each trade belongs to a quote with its price and at least its size, and no two trades share a quote.
      const offered = [...quotes]
      for (const trade of trades) {
        const at = offered.findIndex((q) => q.price === trade.price && q.amount >= trade.amount)
        expect(at).toBeGreaterThanOrEqual(0)
        offered.splice(at, 1)
      }
      const sign = side === 'buy' ? 1 : -1
      const worst = Math.max(...trades.map((trade: Json) => sign * trade.price))
      expect(worst).toBeLessThanOrEqual(sign * limit)
      const least = bestSubset(side === 'buy', amount, { quotes })
      const need = Math.max(...(least ?? []).map(({ price }) => sign * price))
      expect(worst).toBeLessThanOrEqual(need)
      const paid = sumOf(trades.map((trade: Json) => sign * trade.price * trade.amount))
      expect(paid).toBeLessThanOrEqual(need * amount)
      fills += trades.length
    }
  })
  fc.assert(property, { ...askedSeed(5), numRuns: askedRuns(200, 1, 2) })
  if (isWhole) expect(fills).toBeGreaterThan(0)
})

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

test('an RFQ that has ended executes nothing', () => {
  let tried = 0
  const property = fc.property(rfqWalks, (taken) => {
    const m = walked(taken)
    m.venue.wait('6m')
    const hash = (): string => JSON.stringify([...viewers.map((name) => listed(m, name))])
    const before = hash()
    const blocks = m.venue.exchange.blocks.count
    for (const rfq of m.twin.rfqs) {
      const params = {
        ...{ block_rfq_id: rfq.id, direction: 'buy', time_in_force: 'good_til_cancelled' },
        ...{ price: 1, amount: rfq.structure.amount * m.unitsOf(rfq).unit },
        legs: rfq.structure.legs.map(({ instrument, direction, ratio }) => ({
          ...{ instrument_name: instrument, direction, ratio },
        })),
      }
      expect(m.error(rfq.taker, 'private/accept_block_rfq', params).code).toBe(10010)
      tried += 1
    }
    for (const quote of m.twin.quotes) {
      const named = { block_rfq_quote_id: quote.id }
      const { code } = m.error(quote.maker, 'private/cancel_block_rfq_quote', named)
      expect([10010, 13020]).toContain(code)
    }
    expect(m.venue.exchange.blocks.count).toBe(blocks)
    expect(hash()).toBe(before)
  })
  fc.assert(property, { ...askedSeed(6), numRuns: askedRuns(100, 1, 2) })
  if (isWhole) expect(tried).toBeGreaterThan(0)
})

test('the requests of a run, repeated, lead to the same state, even if the desk is cut before any of them', () => {
  const property = fc.property(rfqWalks, fc.nat(60), (taken, cut) => {
    const m = walked(taken)
    const hash = stateHash(m.venue.exchange)
    const fresh = new RfqWalk()
    let desk: Desk = fresh.venue.desk
    const asked = m.asked.slice(fresh.asked.length)
    for (const [at, { account, method, params, time }] of asked.entries()) {
      if (at === cut % asked.length) desk = restoredDesk(desk)
      submit(desk, { time: time as never, method, params, account, session: 0 }, null)
    }
    advanceTo(desk.exchange, m.venue.now, desk.sink)
    expect(stateHash(desk.exchange)).toBe(hash)
    // The desk also holds the answers of queries.
    const after = restoredDesk(desk)
    for (const account of ['taker', 'alpha']) {
      const list = (from: Desk): Json => {
        const replies: Json[] = []
        const query = { method: 'private/get_block_rfqs', params: {}, account, session: 0 }
        submit(from, { time: m.venue.now as never, ...query }, (reply) => replies.push(reply))
        return replies[0]?.result
      }
      expect(list(after)).toEqual(list(desk))
    }
  })
  fc.assert(property, { ...askedSeed(7), numRuns: askedRuns(100, 1, 2) })
})
