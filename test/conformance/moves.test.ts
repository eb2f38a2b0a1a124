/** Moves of positions and money between accounts of one owner (sessions-blocks-gateways.md 6.1, 6.3). */

import { describe, expect, test } from 'vitest'
import { type Amount, amount, type Lots } from '../../src/core/index.ts'
import { type Currency, defaultConfig, type MarginModel, type MovedPosition } from '../../src/model/index.ts'
import { eventsNamed } from '../support/event-words.ts'
import { idOf, type Market, market, money, type Outcome, priceOf, start } from '../support/harness.ts'

const PERPETUAL = 'BTC-PERPETUAL'
const second = 1_000_000

/** Alice with a subaccount, and bob, another owner. */
function family(model: MarginModel = 'segregated_sm'): Market {
  const m = market({
    instruments: { [PERPETUAL]: {}, 'BTC-27MAR26': {} },
    accounts: { alice: { BTC: '1' }, bob: { BTC: '1' } },
    index: { btc_usd: '50000' },
    config: { liquidation: defaultConfig(start).liquidation },
  })
  m.send({
    kind: 'open_account',
    name: 'alice_2',
    marginModel: model,
    main: m.account('alice'),
    feePpm: 1_000_000,
  })
  return m
}

interface MoveWords {
  readonly lots: number
  readonly price?: string
  readonly instrument?: string
}

function move(m: Market, between: readonly [string, string], moves: readonly MoveWords[], asker = between[0]): Outcome {
  const positions = moves.map(({ lots, price, instrument = PERPETUAL }): MovedPosition => {
    const at = price === undefined ? null : priceOf(price)
    return { instrument: m.instrument(instrument).id, amount: lots as Lots, price: at }
  })
  const [source, target] = [m.account(between[0]), m.account(between[1])]
  return m.send({ kind: 'move_positions', source, target, positions }, asker)
}

function pay(
  m: Market,
  between: readonly [string, string],
  text: string,
  of: { readonly asker?: string; readonly currency?: Currency } = {},
): Outcome {
  const { asker = between[0], currency = 'BTC' } = of
  const value: Amount = amount(BigInt(Math.round(Number(text) * 1e9)))
  const [source, target] = [m.account(between[0]), m.account(between[1])]
  return m.send({ kind: 'transfer_cash', source, target, currency, amount: value, nonce: null }, asker)
}

const noFunds = { reason: 'not_enough_funds' }

describe('rule position.move, position.transfer, margin.move (sessions 6.1)', () => {
  test('at the average price unless the request sets one, without a fee', () => {
    const m = family()
    m.deposit('alice_2', 'BTC', '1')
    m.give('alice', '10000', '48000')
    const before = m.wallet('alice', 'BTC').equity + m.wallet('alice_2', 'BTC').equity
    const { events } = move(m, ['alice', 'alice_2'], [{ lots: 400 }])
    expect(eventsNamed(events, 'position_transfer')).toMatchObject([
      {
        ...{ reason: 'move', price: 48_000_000_000_000, amount: 400, commission: 0n },
        from: { account: m.account('alice'), position: 600, realized: 0n },
        to: { account: m.account('alice_2'), position: 400, realized: 0n },
      },
    ])
    expect(m.position('alice_2').averagePrice).toBe(48_000_000_000_000)
    expect(m.wallet('alice', 'BTC').equity + m.wallet('alice_2', 'BTC').equity).toBe(before)
  })

  test('at a requested price the giver realizes its profit', () => {
    const m = family()
    m.deposit('alice_2', 'BTC', '1')
    m.give('alice', '-10000', '48000')
    const { events } = move(m, ['alice', 'alice_2'], [{ lots: 1000, price: '50000' }])
    const [moved] = eventsNamed(events, 'position_transfer')
    // 10000 x (1 / 50000 - 1 / 48000)
    expect(money(moved?.from.realized ?? 0n)).toBe('-0.008333333')
    expect(moved).toMatchObject({ amount: -1000, to: { position: -1000 } })
    expect(m.position('alice').size).toBe(0)
    expect(m.position('alice_2').averagePrice).toBe(50_000_000_000_000)
  })

  test('all positions of a request or none: 10009 if an account lacks the margin for one', () => {
    const m = family()
    m.deposit('alice_2', 'BTC', '0.004001')
    m.give('alice', '10000', '50000')
    m.give('alice', '10000', '50000', 'BTC-27MAR26')
    // 0.2 BTC need 0.004002, twice 0.1 BTC 0.004001.
    expect(move(m, ['alice', 'alice_2'], [{ lots: 1000 }]).refusal).toEqual(noFunds)
    const both = [{ lots: 500 }, { lots: 500, instrument: 'BTC-27MAR26' }]
    expect(move(m, ['alice', 'alice_2'], both).refusal).toBeNull()
    expect(move(m, ['alice', 'alice_2'], [{ lots: 10 }]).refusal).toEqual(noFunds)
    expect(move(m, ['alice_2', 'alice'], [{ lots: 100 }]).refusal).toBeNull()
  })

  test('at the average price a loss moves along, and the receiver must cover it', () => {
    const m = family()
    m.deposit('alice_2', 'BTC', '0.01')
    m.give('alice', '10000', '54000')
    // 10000 at 54000 lose 0.014814815 at 50000.
    expect(move(m, ['alice', 'alice_2'], [{ lots: 1000 }]).refusal).toEqual(noFunds)
    const at = [{ lots: 1000, price: '50000' }]
    expect(move(m, ['alice', 'alice_2'], at).refusal).toBeNull()
  })

  test('the giver must have margin for its remaining positions', () => {
    const m = family()
    m.deposit('alice_2', 'BTC', '10')
    m.give('alice', '1000000', '50000')
    m.give('alice', '-1000000', '50000', 'BTC-27MAR26')
    m.index('btc_usd', '60000')
    // The profit of one future covers the loss of the other. Half of that profit would move away at the average price.
    const half = { lots: 50_000 }
    expect(move(m, ['alice', 'alice_2'], [half]).refusal).toEqual(noFunds)
    expect(move(m, ['alice', 'alice_2'], [{ ...half, price: '60000' }]).refusal).toBeNull()
  })

  test('only existing positions, between accounts of one owner, by one of them', () => {
    const m = family()
    m.give('alice', '10000', '50000')
    const invalid = { reason: 'invalid_amount' }
    expect(move(m, ['alice', 'alice_2'], [{ lots: 1001 }]).refusal).toEqual(invalid)
    expect(move(m, ['alice', 'alice_2'], [{ lots: 600 }, { lots: 500 }]).refusal).toEqual(invalid)
    expect(move(m, ['alice_2', 'alice'], [{ lots: 1 }]).refusal).toEqual(invalid)
    const forbidden = { reason: 'forbidden' }
    expect(move(m, ['alice', 'bob'], [{ lots: 1 }]).refusal).toEqual(forbidden)
    expect(move(m, ['alice', 'alice_2'], [{ lots: 1 }], 'bob').refusal).toEqual(forbidden)
    expect(move(m, ['alice', 'alice'], [{ lots: 1 }]).refusal).toEqual(forbidden)
  })

  test('reduce-only orders are cut to the remaining position', () => {
    const m = family()
    m.deposit('alice_2', 'BTC', '1')
    m.give('alice', '10000', '50000')
    const order = idOf(m.sell('alice', { amount: '10000', price: '50100', reduceOnly: true }))
    const { events } = move(m, ['alice', 'alice_2'], [{ lots: 400 }])
    expect(eventsNamed(events, 'order resized')).toMatchObject([{ order, amount: 600 }])
  })

  test('R53 nothing moves to or from an account under liquidation', () => {
    const m = family()
    m.give('alice', '1000000', '50000')
    m.give('alice_2', '10', '50000')
    m.deposit('alice', 'BTC', '-0.59')
    m.index('btc_usd', '49000')
    m.wait(second)
    const locked = { reason: 'account_locked' }
    expect(move(m, ['alice', 'alice_2'], [{ lots: 1 }]).refusal).toEqual(locked)
    expect(move(m, ['alice_2', 'alice'], [{ lots: 1 }]).refusal).toEqual(locked)
    expect(pay(m, ['alice', 'alice_2'], '0.1').refusal).toEqual(locked)
    expect(m.position('alice').size).toBe(100_000)
  })

  test.each(['segregated_pm', 'cross_sm', 'cross_pm'] as const)('%s: margin of the whole account decides', (model) => {
    const m = family(model)
    m.deposit('alice', 'BTC', '10')
    m.give('alice', '100000', '50000')
    expect(move(m, ['alice', 'alice_2'], [{ lots: 10_000 }]).refusal).toEqual(noFunds)
    m.deposit('alice_2', 'BTC', '1')
    expect(move(m, ['alice', 'alice_2'], [{ lots: 10_000 }]).refusal).toBeNull()
    expect(m.position('alice_2').size).toBe(10_000)
  })
})

describe('rule margin.move: a position that moves in parts (sessions 6.1)', () => {
  test.each([
    ['segregated_sm', '0.5'],
    ['cross_sm', '0.5'],
    ['segregated_pm', '4'],
    ['cross_pm', '4'],
  ] as const)('%s: needs the same margin as in one part', (model, deposit) => {
    const m = family(model)
    m.deposit('alice', 'BTC', '100')
    m.deposit('alice_2', 'BTC', deposit)
    m.give('alice', '2250000', '50000')
    m.give('alice_2', '-1000000', '50000')
    // 20 BTC close the short position. 25 more would need more margin than the account has.
    const parts = [{ lots: 100_000 }, { lots: 125_000 }]
    expect(move(m, ['alice', 'alice_2'], [{ lots: 225_000 }]).refusal).toEqual(noFunds)
    expect(move(m, ['alice', 'alice_2'], parts).refusal).toEqual(noFunds)
    const less = [{ lots: 100_000 }, { lots: 50_000 }]
    expect(move(m, ['alice', 'alice_2'], less).refusal).toBeNull()
  })
})

describe('rule cash.transfer (sessions 6.3)', () => {
  test('the money arrives at once, and transfers are numbered', () => {
    const m = family()
    const { events } = pay(m, ['alice', 'alice_2'], '0.4')
    expect(eventsNamed(events, 'transfer')).toMatchObject([
      {
        ...{ transfer: 1, from: m.account('alice'), to: m.account('alice_2'), currency: 'BTC' },
        ...{ amount: 400_000_000n, fromBalance: 600_000_000n, toBalance: 400_000_000n },
      },
    ])
    const back = pay(m, ['alice_2', 'alice'], '0.4', { asker: 'alice' })
    expect(eventsNamed(back.events, 'transfer')).toMatchObject([{ transfer: 2 }])
  })

  test('10009: no more than the account could withdraw', () => {
    const m = family()
    m.give('alice', '100000', '50000')
    // 2 BTC need 0.0402.
    expect(pay(m, ['alice', 'alice_2'], '0.959800001').refusal).toEqual(noFunds)
    m.index('btc_usd', '51000')
    // Unrealized profit is no cash yet.
    expect(pay(m, ['alice', 'alice_2'], '0.97').refusal).toEqual(noFunds)
    m.index('btc_usd', '50000')
    expect(pay(m, ['alice', 'alice_2'], '0.9598').refusal).toBeNull()
  })

  test('only between accounts of one owner, and only a positive amount', () => {
    const m = family()
    expect(pay(m, ['alice', 'bob'], '0.1').refusal).toEqual({ reason: 'forbidden' })
    expect(pay(m, ['alice', 'alice_2'], '0.1', { asker: 'bob' }).refusal).toEqual({
      reason: 'forbidden',
    })
    expect(pay(m, ['alice', 'alice_2'], '0').refusal).toEqual({ reason: 'invalid_amount' })
  })

  test('A2 the balances of all accounts are at most 9.2 billion units, so no trade takes one above 64 bits', () => {
    const m = family()
    const problem = 'the balances of all accounts would be above 9.2 billion units'
    const tooMuch = { reason: 'invalid_params', param: 'amount', problem }
    expect(m.deposit('alice', 'BTC', '8999999898').refusal).toBeNull()
    // Alice, bob and the insurance fund hold 9 billion together.
    expect(m.deposit('alice_2', 'BTC', '200000000.000000001').refusal).toEqual(tooMuch)
    expect(m.deposit('bob', 'BTC', '200000000').refusal).toBeNull()
    expect(pay(m, ['alice', 'alice_2'], '1').refusal).toBeNull()
    expect(m.deposit('bob', 'BTC', '0.000000001').refusal).toEqual(tooMuch)
    // Other currencies have their own limit.
    expect(m.deposit('bob', 'ETH', '9000000000').refusal).toBeNull()
  })

  test('A2 a target that a given option made rich takes no more than 9 billion units', () => {
    const m = family()
    m.deposit('alice_2', 'BTC', '8000000000')
    m.deposit('alice', 'BTC', '200000000')
    const option = 'BTC-27MAR26-50000-C'
    m.list(option)
    m.mark('0.1', option)
    expect(m.give('alice_2', '-900000000', '1', option).refusal).toBeNull()
    expect(pay(m, ['alice', 'alice_2'], '50000000').refusal).toBeNull()
    expect(pay(m, ['alice', 'alice_2'], '100000000').refusal).toEqual({ reason: 'invalid_amount' })
  })
})
