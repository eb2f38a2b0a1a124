/**
 * Laws of block trades over random ones: money and positions are conserved, a refused or pending request changes
 * nothing, the journal of the requests replays to the same events, and a run that is cut anywhere continues like an
 * uncut one.
 *
 * The venue of these tests checks the laws of state and cash after each request (`desk-market.ts`).
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { advanceTo, auditCopy, eventCountOf, stateHash, totalCash } from '../../src/engine/index.ts'
import { sizeOf } from '../../src/ledger/index.ts'
import { currencyIdOf } from '../../src/model/index.ts'
import { type Desk, submit } from '../../src/rpc/index.ts'
import { BlockMarket, call, put } from '../support/block-market.ts'
import type { Json } from '../support/desk-market.ts'
import { askedRuns, askedSeed, isWhole } from '../support/property-runs.ts'
import { restoredDesk } from '../support/restored-desk.ts'

const accounts = ['maker', 'taker', 'other'] as const
const instruments = [
  { instrument_name: 'BTC-PERPETUAL', price: 50_000, tick: 0.01, sizes: [200_000, 200_010, 10] },
  { instrument_name: call, price: 0.05, tick: 0.0001, sizes: [25, 25.1, 1] },
  { instrument_name: put, price: 0.06, tick: 0.0001, sizes: [30, 50, 1] },
  { instrument_name: 'BTC_USDC', price: 50_000, tick: 0.5, sizes: [0.1, 0.01, 3] },
]

const leg = fc.record({
  instrument: fc.nat(instruments.length - 1),
  steps: fc.integer({ min: -3, max: 3 }),
  size: fc.nat(2),
  isBuy: fc.boolean(),
})

/** Legs on distinct instruments, in the form of a request's trades. */
const trades = fc.uniqueArray(leg, { minLength: 1, maxLength: 4, selector: ({ instrument }) => instrument }).map(
  (legs): Json =>
    legs.map(({ instrument, steps, size, isBuy }) => {
      const { instrument_name, price, tick, sizes } = instruments[instrument] as (typeof instruments)[0]
      return {
        instrument_name,
        price: Number((price + steps * tick).toFixed(4)),
        amount: sizes[size],
        direction: isBuy ? 'buy' : 'sell',
      }
    }),
)

const step = fc.record({
  what: fc.constantFrom('block', 'block', 'block', 'approval', 'repeat', 'wrong', 'invalidate', 'wait'),
  trades,
  pair: fc.tuple(fc.nat(2), fc.nat(2)),
  answer: fc.constantFrom('approve', 'reject', 'none'),
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

interface Sent {
  readonly account: string | null
  readonly method: string
  readonly params: Json
}

/** A market that records its requests. */
class RememberingMarket extends BlockMarket {
  readonly sent: (Sent & { readonly time: number })[] = []

  override ask(account: string | null, method: string, params: Json = {}): Json {
    const reply = super.ask(account, method, params)
    this.sent.push({ account, method, params, time: this.venue.now })
    return reply
  }
}

/** Sends the request of a step; refusals are answers too. */
function take(m: RememberingMarket, { what, trades: legs, pair, answer }: Step, at: number): void {
  if (what === 'wait') {
    m.venue.wait('2m')
    return
  }
  const timestamp = Math.floor(m.venue.now / 1000)
  const maker = accounts[pair[0]] ?? 'maker'
  const taker = accounts[pair[1]] ?? 'taker'
  const named = { timestamp, nonce: `nonce ${at}`, trades: legs }
  const key = what === 'approval' ? '/desk' : ''
  const signed = m.ask(maker, 'private/verify_block_trade', { ...named, role: 'maker' })
  const signature = signed.ok ? signed.result.signature : 'none'
  if (what === 'invalidate') {
    m.ask(maker, 'private/invalidate_block_trade_signature', { signature })
  }
  const counterparty_signature = what === 'wrong' ? `${signature}x` : signature
  const asked = { ...named, role: 'taker', counterparty_signature }
  const first = m.ask(`${taker}${key}`, 'private/execute_block_trade', asked)
  if (what === 'repeat') {
    const events = eventCountOf(m.venue.exchange)
    const again = m.ask(taker, 'private/execute_block_trade', asked)
    expect(again.result).toEqual(first.result)
    // Only the end of the request, and its refusal if it was refused.
    expect(eventCountOf(m.venue.exchange)).toBe(events + (first.ok ? 1 : 2))
  }
  if (what !== 'approval' || answer === 'none') return
  const { trades: _, ...rest } = named
  m.ask(taker, `private/${answer}_block_trade`, { ...rest, role: 'taker' })
}

function run(steps: readonly Step[], after: (m: RememberingMarket) => void): RememberingMarket {
  const m = new RememberingMarket()
  for (const account of accounts) {
    const features = ['block_trade_approval']
    m.result(null, 'sim/create_key', { account, name: 'desk', features })
  }
  for (const [at, each] of steps.entries()) {
    take(m, each, at)
    after(m)
  }
  return m
}

const steps = fc.array(step, { minLength: 1, maxLength: 8 })

test('money and positions are conserved over blocks, and most of them succeed', () => {
  let blocks = 0
  const property = fc.property(steps, (taken) => {
    const before = new Map<number, bigint>()
    const m = run(taken, ({ venue: { exchange } }) => {
      for (const currency of ['BTC', 'USDC'] as const) {
        const id = currencyIdOf(currency)
        const cash = totalCash(exchange, id)
        expect(cash).toBe(before.get(id) ?? cash)
        before.set(id, cash)
      }
      for (const { instrument_name } of instruments.slice(0, 3)) {
        const sizes = accounts.map((account) => lotsOf(exchange, account, instrument_name))
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(0)
      }
    })
    blocks += m.venue.exchange.blocks.count
    auditCopy(m.venue.exchange)
  })
  fc.assert(property, { ...askedSeed(7), numRuns: askedRuns(40, 1, 6) })
  if (isWhole) expect(blocks).toBeGreaterThan(10)
})

/** The lots of an account's position in an instrument. */
function lotsOf(exchange: BlockMarket['venue']['exchange'], account: string, name: string): number {
  const id = exchange.instrumentIds.get(name)
  const owner = exchange.accountIds.get(account)
  const held = exchange.holdings.find((each) => each.account === owner && each.row.instrument.id === id)
  return held === undefined ? 0 : sizeOf(exchange.ledger, held.holding)
}

test('the requests of a run, repeated, lead to the same state, even if the desk is cut before any of them', () => {
  const property = fc.property(steps, fc.nat(40), (taken, cut) => {
    const m = run(taken, () => undefined)
    const hash = stateHash(m.venue.exchange)
    const fresh = new BlockMarket()
    let desk: Desk = fresh.venue.desk
    for (const [at, { account, method, params, time }] of m.sent.entries()) {
      if (at === cut) desk = restoredDesk(desk)
      submit(desk, { time: time as never, method, params, account, session: 0 }, null)
    }
    advanceTo(desk.exchange, m.venue.now, desk.sink)
    expect(stateHash(desk.exchange)).toBe(hash)
  })
  fc.assert(property, { ...askedSeed(11), numRuns: askedRuns(40, 1, 6) })
})
