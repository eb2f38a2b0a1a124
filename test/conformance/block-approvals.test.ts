/**
 * Approval of block trades by keys. Source: sessions document 4.7.
 */
import { describe, expect, test } from 'vitest'
import { micros } from '../../src/core/index.ts'
import { findAccount } from '../../src/engine/index.ts'
import { defaultConfig, type Event, type EventSink } from '../../src/model/index.ts'
import { Subscriptions } from '../../src/rpc/index.ts'
import { BlockMarket, START, usualTerms, usualTrade } from '../support/block-market.ts'
import type { Json } from '../support/desk-market.ts'

const execute = 'private/execute_block_trade'
const approve = 'private/approve_block_trade'
const reject = 'private/reject_block_trade'
const requests = 'private/get_block_trade_requests'
const asMaker = { ...usualTerms, role: 'maker' }
const asTaker = { ...usualTerms, role: 'taker' }
const named = { timestamp: START, nonce: 'one' }

/** A market in which both sides have a key whose blocks need approval. */
function approvedMarket(sink?: EventSink, config: object = {}): BlockMarket {
  const m = new BlockMarket(config, sink === undefined ? {} : { sink })
  for (const account of ['maker', 'taker']) {
    const features = ['block_trade_approval']
    m.result(null, 'sim/create_key', { account, name: 'desk', features })
    m.result(null, 'sim/create_key', { account, name: 'chief' })
  }
  return m
}

/** A block that the maker signs and the taker executes. Each side uses a key or the account itself. */
function begin(m: BlockMarket, [maker, taker]: readonly [string, string]): Json {
  const counterparty_signature = m.sign(maker, asMaker)
  return m.result(taker, execute, { ...asTaker, counterparty_signature })
}

const statesOf = (m: BlockMarket, account: string): readonly (readonly [string, string])[] =>
  m.result(account, requests, {}).map((each: Json) => [each.state.value, each.counterparty_state.value])

describe('Rule: block.approval', () => {
  test('a block executed with a key that needs approval waits for another key of the account', () => {
    const m = approvedMarket()
    expect(begin(m, ['maker', 'taker/desk'])).toEqual({
      ...{ id: 'PENDING-1', trades: [] },
      timestamp: expect.any(Number),
    })
    expect(m.sizeOf('taker', 'BTC-PERPETUAL')).toBe(0)
    expect(m.result('taker', requests, {})).toEqual([
      {
        ...named,
        trades: [usualTrade],
        role: 'taker',
        user_id: expect.any(Number),
        username: 'taker',
        state: { value: 'initial', timestamp: expect.any(Number) },
        counterparty_state: { value: 'accepted', timestamp: expect.any(Number) },
      },
    ])
    expect(m.refusal('taker/desk', approve, { ...named, role: 'taker' })).toBe('13021 forbidden')
    expect(m.result('taker/chief', approve, { ...named, role: 'taker' })).toBe('ok')
    expect(m.sizeOf('taker', 'BTC-PERPETUAL')).toBe(-200_000)
    expect(statesOf(m, 'maker')).toEqual([['executed', 'executed']])
    // A repeated request now returns the block.
    const again = { ...asTaker, counterparty_signature: m.sign('maker', asMaker) }
    expect(m.result('taker', execute, again)).toMatchObject({ id: 'BLOCK-1' })
  })

  test('both sides may need approval, and a request without a key may approve', () => {
    const m = approvedMarket()
    begin(m, ['maker/desk', 'taker/desk'])
    expect(statesOf(m, 'maker')).toEqual([['initial', 'initial']])
    m.result('maker', approve, { ...named, role: 'maker' })
    m.result('maker', approve, { ...named, role: 'maker' })
    expect(statesOf(m, 'taker')).toEqual([['initial', 'accepted']])
    expect(m.sizeOf('maker', 'BTC-PERPETUAL')).toBe(0)
    m.result('taker', approve, { ...named, role: 'taker' })
    expect(m.sizeOf('maker', 'BTC-PERPETUAL')).toBe(200_000)
  })

  test('a repeated request returns the pending block while it waits', () => {
    const m = approvedMarket()
    const first = begin(m, ['maker', 'taker/desk'])
    expect(begin(m, ['maker', 'taker'])).toEqual(first)
    expect(statesOf(m, 'taker')).toEqual([['initial', 'accepted']])
  })

  test('a rejection by either side ends the block for both', () => {
    const m = approvedMarket()
    begin(m, ['maker', 'taker/desk'])
    expect(m.result('maker', reject, { ...named, role: 'maker' })).toBe('ok')
    expect(statesOf(m, 'maker')).toEqual([['rejected', 'initial']])
    expect(m.refusal('taker', approve, { ...named, role: 'taker' })).toBe('10010 already_closed')
    const counterparty_signature = m.sign('maker', asMaker)
    expect(m.refused({ counterparty_signature })).toBe('10010 already_closed')
    expect(m.sizeOf('maker', 'BTC-PERPETUAL')).toBe(0)
  })

  test('a block is rejected after five minutes, and no longer listed a day later', () => {
    const m = approvedMarket()
    begin(m, ['maker', 'taker/desk'])
    m.venue.wait('5m')
    expect(statesOf(m, 'taker')).toEqual([['rejected', 'rejected']])
    expect(m.refusal('taker', approve, { ...named, role: 'taker' })).toBe('10010 already_closed')
    m.venue.wait('23h').wait('59m')
    expect(statesOf(m, 'taker')).toHaveLength(1)
    m.venue.wait('1m')
    expect(statesOf(m, 'taker')).toEqual([])
    expect(m.refusal('taker', approve, { ...named, role: 'taker' })).toBe('13020 not_found')
  })

  test('an approval that names no block of the account answers not_found', () => {
    const m = approvedMarket()
    begin(m, ['maker', 'taker/desk'])
    const refused = (account: string, params: Json): string => m.refusal(account, approve, params)
    expect(refused('taker', { ...named, role: 'maker' })).toBe('13020 not_found')
    expect(refused('taker', { ...named, role: 'taker', nonce: 'two' })).toBe('13020 not_found')
    expect(refused('other', { ...named, role: 'taker' })).toBe('13020 not_found')
  })

  test('the last approval checks both sides again; if this check fails, the block keeps waiting', () => {
    const m = approvedMarket()
    begin(m, ['maker', 'taker/desk'])
    m.result(null, 'sim/deposit', { account: 'maker', currency: 'BTC', amount: -99.99 })
    const answer = { ...named, role: 'taker' }
    expect(m.refusal('taker', approve, answer)).toBe('10009 not_enough_funds counterparty')
    expect(statesOf(m, 'taker')).toEqual([['initial', 'accepted']])
    m.result(null, 'sim/deposit', { account: 'maker', currency: 'BTC', amount: 99 })
    m.result('taker', approve, answer)
    expect(m.sizeOf('taker', 'BTC-PERPETUAL')).toBe(-200_000)
  })
})

describe('keys', () => {
  test('a key has the scopes it was created with, and shares the state of its account', () => {
    const m = new BlockMarket()
    m.result(null, 'sim/create_key', { account: 'maker', name: 'reader', scopes: ['trade:read'] })
    const writer = { account: 'maker', name: 'writer', scopes: ['trade:read_write'] }
    m.result(null, 'sim/create_key', writer)
    const order = { instrument_name: 'BTC-PERPETUAL', amount: 10, price: 49_000 }
    expect(m.refusal('maker/reader', 'private/buy', order)).toMatch(/^13021 forbidden/)
    m.result('maker/writer', 'private/buy', order)
    expect(m.result('maker/reader', 'private/get_open_orders', {})).toHaveLength(1)
    expect(m.refusal('maker/reader', 'private/verify_block_trade', asMaker)).toMatch(/^13021 /)
    expect(m.refusal('maker/nobody', 'private/get_open_orders', {})).toMatch(/^13009 /)
  })

  test('S251 S259 a key that may only read block trades can sign, but neither execute nor invalidate', () => {
    const m = new BlockMarket()
    const scopes = ['block_trade:read']
    m.result(null, 'sim/create_key', { account: 'taker', name: 'reader', scopes })
    const signature = m.sign('taker/reader', asTaker)
    const asked = { ...asTaker, counterparty_signature: m.sign('maker', asMaker) }
    expect(m.refusal('taker/reader', execute, asked)).toMatch(/^13021 forbidden/)
    const invalidate = 'private/invalidate_block_trade_signature'
    expect(m.refusal('taker/reader', invalidate, { signature })).toMatch(/^13021 forbidden/)
    expect(m.result('taker', execute, asked).id).toBe('BLOCK-1')
  })

  test('a request for an invalid key is refused with the wrong parameter', () => {
    const m = new BlockMarket()
    const refused = (params: Json): string => m.refusal(null, 'sim/create_key', params)
    expect(refused({ account: 'nobody', name: 'a' })).toBe('-32602 Invalid params account unknown_account')
    expect(refused({ account: 'maker', name: 'a b' })).toMatch(/^-32602 Invalid params name /)
    expect(refused({ account: 'maker', name: 'a', scopes: ['all'] })).toMatch(/ scopes\.0 /)
    expect(refused({ account: 'maker', name: 'a', features: ['all'] })).toMatch(/ features\.0 /)
  })
})

describe('block_trade_confirmations', () => {
  /** Messages that accounts receive, by account and channel, in a market whose keys need approval. */
  function listening(...channels: readonly (readonly [string, string])[]) {
    let subscriptions: Subscriptions | undefined
    const m = new BlockMarket({}, { sink: { emit: (event) => subscriptions?.events.emit(event) } })
    subscriptions = new Subscriptions(m.venue.desk)
    for (const account of ['maker', 'taker']) {
      const features = ['block_trade_approval']
      const key = { account, name: 'desk', features, app_name: 'blotter' }
      m.result(null, 'sim/create_key', key)
      m.result(null, 'sim/create_key', { account, name: 'chief' })
    }
    const heard = channels.map(([account, name], link): Json[] => {
      const messages: Json[] = []
      const id = m.venue.desk.exchange.accounts.findIndex((row) => row.account.name === account)
      const who = { link: link + 1, account: id, allows: () => true } as const
      const send = (text: string): void => {
        messages.push(JSON.parse(text).params.data)
      }
      expect(subscriptions?.subscribe({ ...who, account: id as never, send }, name, null)).toBe(true)
      return messages
    })
    const reported = (): Json[][] => {
      subscriptions?.flush()
      return heard.map((messages) =>
        messages.splice(0).map(({ state, counterparty_state }) => [state.value, counterparty_state.value]),
      )
    }
    return { m, subscriptions, reported, heard }
  }

  test('notifies both sides of each change of state, and no other account', () => {
    const { m, reported } = listening(
      ['maker', 'block_trade_confirmations'],
      ['taker', 'block_trade_confirmations.BTC'],
      ['taker', 'block_trade_confirmations.ETH'],
      ['other', 'block_trade_confirmations'],
    )
    begin(m, ['maker', 'taker/desk'])
    expect(reported()).toEqual([[['accepted', 'initial']], [['initial', 'accepted']], [], []])
    m.result('taker/chief', approve, { ...named, role: 'taker' })
    expect(reported()).toEqual([
      [
        ['accepted', 'accepted'],
        ['executed', 'executed'],
      ],
      [
        ['accepted', 'accepted'],
        ['executed', 'executed'],
      ],
      [],
      [],
    ])
  })

  test('notifies of a rejection and of the end of the approval window', () => {
    const { m, reported } = listening(['maker', 'block_trade_confirmations'])
    begin(m, ['maker/desk', 'taker'])
    m.result('maker/chief', reject, { ...named, role: 'maker' })
    expect(reported()).toEqual([
      [
        ['initial', 'accepted'],
        ['rejected', 'accepted'],
      ],
    ])
    const other = { ...usualTerms, nonce: 'two' }
    const counterparty_signature = m.sign('maker/desk', { ...other, role: 'maker' })
    m.result('taker', execute, { ...other, role: 'taker', counterparty_signature })
    m.venue.wait('5m')
    expect(reported()).toEqual([
      [
        ['initial', 'accepted'],
        ['rejected', 'rejected'],
      ],
    ])
  })

  test('requires an account and a currency', () => {
    const { subscriptions } = listening()
    const nobody = { link: 9, account: -1, allows: () => true, send: () => undefined } as const
    expect(subscriptions?.subscribe(nobody, 'block_trade_confirmations', null)).toBe(false)
    const somebody = { ...nobody, account: 5 as never }
    for (const name of ['block_trade_confirmations.XYZ', 'block_trade_confirmations.BTC.raw']) {
      expect(subscriptions?.subscribe(somebody, name, null)).toBe(false)
    }
  })

  test('S105 a block, its orders and pending requests show the application only to the account of the key', () => {
    const { m, heard, subscriptions } = listening(['taker', 'block_trade_confirmations'])
    begin(m, ['maker', 'taker/desk'])
    subscriptions?.flush()
    expect(heard[0]?.[0]).toMatchObject({ app_name: 'blotter', username: 'taker' })
    expect(m.result('maker', requests, {})[0]).not.toHaveProperty('app_name')
    m.result('taker/chief', approve, { ...named, role: 'taker' })
    const [own] = m.result('taker', 'private/get_block_trades', { currency: 'BTC' }) as Json[]
    expect(own).toMatchObject({ id: 'BLOCK-1', app_name: 'blotter' })
    expect(m.result('maker', 'private/get_block_trade', { id: 'BLOCK-1' })).not.toHaveProperty('app_name')
    const currency = { currency: 'BTC' }
    const method = 'private/get_order_history_by_currency'
    expect(m.result('taker', method, currency)[0]).toMatchObject({
      ...{ block_trade: true, app_name: 'blotter' },
    })
    expect(m.result('maker', method, currency)[0]).not.toHaveProperty('app_name')
  })
})

describe('D19 the end of the approval window', () => {
  test.each([
    [['maker', 'taker/desk'], 'taker'],
    [['maker/desk', 'taker'], 'maker'],
  ] as const)('of %j names the side whose approval is missing: %s', (sides, role) => {
    const events: Event[] = []
    const m = approvedMarket({ emit: (event) => events.push(event) })
    begin(m, sides)
    m.venue.wait('5m')
    const ended = events.filter((event) => event.kind === 'block_trade').at(-1)
    const account = findAccount(m.venue.exchange, role)?.id
    expect(ended).toMatchObject({ change: 'rejected', reason: 'approval_expired', role, account })
  })
})

test('D21 a block is forgotten when its signature can no longer be used', () => {
  const blockTrades = { signatureWindow: micros(60_000_000), approvalWindow: micros(600_000_000) }
  const m = approvedMarket(undefined, {
    blockTrades: { ...defaultConfig(micros(0)).blockTrades, ...blockTrades },
  })
  const { blocks } = m.venue.exchange
  begin(m, ['maker', 'taker/desk'])
  m.venue.wait('61s')
  expect(blocks.signatures.size).toBe(0)
  m.result('taker/chief', approve, { ...named, role: 'taker' })
  expect(m.sizeOf('taker', 'BTC-PERPETUAL')).toBe(-200_000)
  expect(blocks.executed.size).toBe(0)
  // A block that can still be repeated is kept for exactly as long.
  const timestamp = Math.floor(m.venue.now / 1000)
  m.trade({ timestamp, nonce: 'two' })
  expect(blocks.executed.size).toBe(1)
  m.venue.wait('61s')
  expect(blocks.executed.size).toBe(0)
})
