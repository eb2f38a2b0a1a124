/**
 * The interface over WebSockets: envelopes, tokens, scopes, notifications, and how connections end.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findMethod, methodNames } from '../../src/gateways/index.ts'
import type { Server } from '../../src/node.ts'
import { createTestVenue } from '../../src/node.ts'
import { openClients } from '../support/client-market.ts'

const scenario = {
  version: 1,
  title: 'A market for clients',
  start: '2026-01-05T09:00:00Z',
  instruments: ['BTC-PERPETUAL', 'BTC-27MAR26'],
  index: { btc_usd: 100_000 },
  accounts: { alice: { deposit: { BTC: 10 } }, bob: { deposit: { BTC: 10 } } },
}

// Expected messages come at once, so a test need not wait long for a missing one.

let venue: Server
const client = openClients(() => venue)

beforeAll(async () => {
  venue = await createTestVenue({ scenario })
})

afterAll(async () => {
  await venue.close()
})

/** Sends a raw text and waits for the answer. */
async function sent(text: string): Promise<unknown> {
  const socket = await client()
  socket.socket.send(text)
  await socket.until(() => socket.heard.length > 0)
  return socket.heard[0]
}

const order = { instrument_name: 'BTC-PERPETUAL', amount: 10, type: 'limit' }

describe('envelopes', () => {
  test('S006 S014 an id is echoed, a number as a string', async () => {
    const frame = { jsonrpc: '2.0', method: 'public/get_time', params: {} }
    expect(await sent(JSON.stringify({ ...frame, id: 7 }))).toMatchObject({ id: 7 })
    expect(await sent(JSON.stringify({ ...frame, id: 'seven' }))).toMatchObject({ id: 'seven' })
  })

  test('S016 parameters may be missing', async () => {
    const reply = await sent('{"jsonrpc":"2.0","id":1,"method":"public/get_time"}')
    expect(reply).toMatchObject({ jsonrpc: '2.0', id: 1, testnet: true, usDiff: 0 })
  })

  const ask = '"method":"public/get_time"'
  test.each([
    ['no JSON', '{', null, -32700, undefined],
    ['R31 a batch', `[{"jsonrpc":"2.0","id":1,${ask}}]`, null, -32600, 'batches_are_not_supported'],
    ['a scalar', '7', null, -32600, 'not_an_object'],
    ['no id', `{"jsonrpc":"2.0",${ask}}`, null, -32600, 'id_not_a_number_or_string'],
    ['an id that is null', `{"jsonrpc":"2.0","id":null,${ask}}`, null, -32600, 'id_not_a_number_or_string'],
    ['S013 R45 another version', `{"jsonrpc":"1.0","id":1,${ask}}`, 1, -32600, 'jsonrpc_not_2.0'],
    ['a method that is none', '{"jsonrpc":"2.0","id":1,"method":7}', 1, -32600, 'method_not_a_string'],
    ['a list of parameters', `{"jsonrpc":"2.0","id":1,${ask},"params":[]}`, 1, -32600, 'params_not_an_object'],
    ['an unknown method', '{"jsonrpc":"2.0","id":1,"method":"public/nothing"}', 1, -32601, undefined],
  ])('%s is refused', async (_what, text, id, code, reason) => {
    const data = reason === undefined ? {} : { data: { reason } }
    expect(await sent(text)).toMatchObject({ jsonrpc: '2.0', id, error: { code, ...data } })
  })

  test('a request of more than 32 KiB is refused, and the connection stays', async () => {
    const socket = await client()
    socket.socket.send(`{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(40_000)}"}`)
    await socket.until(() => socket.heard.length > 0)
    expect(socket.heard[0]?.error).toMatchObject({
      code: -32600,
      data: { reason: 'request_entity_too_large' },
    })
    expect(await socket.ask('public/test')).toMatchObject({ result: { version: '2.1.1' } })
  })
})

describe('tokens', () => {
  test('S278 S279 public/auth returns a pair of tokens that the connection remembers', async () => {
    const socket = await client()
    expect(await socket.ask('private/get_open_orders')).toMatchObject({
      error: { code: 13009, data: { reason: 'invalid_token', param: 'access_token' } },
    })
    const reply = await socket.authenticate('alice')
    expect(reply.result).toMatchObject({
      token_type: 'bearer',
      expires_in: 31_536_000,
      scope:
        'account:read_write block_rfq:read_write block_trade:read_write trade:read_write wallet:read_write ' +
        'direct_access:read_write connection mainaccount',
      enabled_features: [],
    })
    expect(await socket.ask('private/get_open_orders')).toMatchObject({ result: [] })
  })

  test('a token that lives with a connection is refused on another', async () => {
    const first = await client()
    const { result } = await first.authenticate('alice')
    const { access_token } = result as { readonly access_token: string }
    expect(await first.ask('private/get_positions', { access_token })).toHaveProperty('result')
    const second = await client()
    expect(await second.ask('private/get_positions', { access_token })).toMatchObject({
      error: { code: 13009 },
    })
  })

  test('a token of a named session outlives its connection, and only its owner can fork it', async () => {
    const first = await client()
    const { result } = await first.authenticate('alice', 'session:desk trade:read')
    const pair = result as { readonly access_token: string; readonly refresh_token: string }
    expect(result).toMatchObject({ scope: 'trade:read session:desk mainaccount', sid: '1' })
    await first.close()
    const second = await client()
    const { access_token } = pair
    expect(await second.ask('private/get_positions', { access_token })).toHaveProperty('result')
    const forked = await second.ask('public/fork_token', {
      refresh_token: pair.refresh_token,
      session_name: 'other',
    })
    expect(forked.result).toMatchObject({ scope: 'trade:read session:other mainaccount' })
    const plain = await client()
    const { result: bound } = await plain.authenticate('bob')
    const { refresh_token } = bound as { readonly refresh_token: string }
    expect(await plain.ask('public/fork_token', { refresh_token, session_name: 'x' })).toMatchObject({
      error: { code: 13009, data: { reason: 'session_scope_required' } },
    })
  })

  test('a refresh token returns a new pair and ends the old one', async () => {
    const socket = await client()
    const { result } = await socket.authenticate('alice')
    const old = result as { readonly access_token: string; readonly refresh_token: string }
    const refresh = { grant_type: 'refresh_token', refresh_token: old.refresh_token }
    const again = await socket.ask('public/auth', refresh)
    expect(again.result).toHaveProperty('access_token')
    expect(await socket.ask('public/auth', refresh)).toMatchObject({
      error: { code: 13009, data: { reason: 'invalid_token', param: 'refresh_token' } },
    })
    const { access_token } = old
    expect(await socket.ask('private/get_positions', { access_token })).toMatchObject({
      error: { code: 13009 },
    })
  })

  test.each([
    ['a wrong secret', { grant_type: 'client_credentials', client_id: 'alice', client_secret: 'x' }, 13004],
    ['an unknown key', { grant_type: 'client_credentials', client_id: 'carol', client_secret: 'x' }, 13004],
    ['no secret', { grant_type: 'client_credentials', client_id: 'alice' }, -32602],
    [
      'a signature of long ago',
      { grant_type: 'client_signature', client_id: 'alice', timestamp: 1, signature: 'x' },
      13004,
    ],
    ['a grant of no sort', { grant_type: 'password' }, -32602],
  ])('%s is refused', async (_what, params, code) => {
    const socket = await client()
    expect(await socket.ask('public/auth', params)).toMatchObject({ error: { code } })
  })

  test('S011 S282 every private method requires its scope: 13009 without a token, 13021 with another', async () => {
    const nobody = await client()
    const none = await client('alice', 'trade:none')
    for (const name of methodNames.filter((each) => each.startsWith('private/'))) {
      if (name === 'private/logout') continue
      const without = await nobody.ask(name)
      expect({ name, code: without.error?.code }).toEqual({ name, code: 13009 })
      const scope = findMethod(name)?.scope ?? ''
      const narrow = await none.ask(name)
      const code = narrow.error?.code ?? 0
      const isHidden = code === -32601
      expect({ name, isForbidden: code === 13021 || isHidden }).toEqual({
        name,
        isForbidden: scope !== 'any',
      })
      if (code === 13021) {
        expect(narrow.error?.data?.reason).toBe('scope_mismatch')
        expect(narrow.error?.data?.param).toContain(scope)
      }
    }
  })

  test('S202 a read scope does not allow trading, and a trade scope allows reading', async () => {
    const reader = await client('alice', 'trade:read')
    expect(await reader.ask('private/get_open_orders')).toHaveProperty('result')
    expect(await reader.ask('private/buy', { ...order, price: 90_000 })).toMatchObject({
      error: { code: 13021, data: { param: 'trade:read_write' } },
    })
    const trader = await client('alice', 'trade:read_write')
    expect(await trader.ask('private/get_open_orders')).toHaveProperty('result')
    expect(await trader.ask('private/get_account_summary', { currency: 'BTC' })).toMatchObject({
      error: { code: 13021, data: { param: 'account:read' } },
    })
  })

  test('a token that is bound to an address is refused from another', async () => {
    const first = await client('alice', 'ip:203.0.113.7')
    expect(await first.ask('private/get_positions')).toMatchObject({ error: { code: 13009 } })
    for (const ip of ['127.0.0.1', '*']) {
      const { result } = await first.authenticate('alice', `trade:read ip:${ip}`)
      expect(result).toMatchObject({ scope: `trade:read connection mainaccount ip:${ip}` })
      expect(await first.ask('private/get_positions')).toHaveProperty('result')
    }
  })

  test('S282 protection of Block RFQs has the scopes of Block RFQs', async () => {
    const config = {
      ...{ index_name: 'all', block_rfq: true, interval: 10, frozen_time: 5 },
      ...{ max_quote_quantity: 1, trade_count_limit: 3 },
    }
    const trader = await client('alice', 'trade:read_write')
    expect(await trader.ask('private/set_mmp_config', config)).toMatchObject({
      error: { code: 13021, data: { param: 'block_rfq:read_write' } },
    })
    expect(await trader.ask('private/get_mmp_config', { block_rfq: true })).toMatchObject({
      error: { code: 13021, data: { param: 'block_rfq:read' } },
    })
    expect(await trader.ask('private/get_mmp_config')).toMatchObject({ result: [] })
    const maker = await client('alice', 'block_rfq:read_write')
    expect(await maker.ask('private/get_mmp_config', { block_rfq: true })).toHaveProperty('result')
    expect(await maker.ask('private/set_mmp_config', config)).toHaveProperty('result')
    expect(await maker.ask('private/get_mmp_config')).toMatchObject({
      error: { code: 13021, data: { param: 'trade:read' } },
    })
  })

  test('sim/ requires the key of the controls', async () => {
    const trader = await client('alice')
    expect(await trader.ask('sim/set_index', { index_name: 'btc_usd', price: 1 })).toMatchObject({
      error: { code: 13021 },
    })
    const control = await client('sim')
    const now = (await control.ask('public/get_time')).result as number
    expect(await control.ask('sim/advance', { to: now + 1000 })).toMatchObject({
      result: now + 1000,
    })
    expect(await control.ask('private/get_positions')).toMatchObject({ error: { code: 13009 } })
  })
})

describe('the end of a connection', () => {
  test('S277 cancel-on-disconnect cancels the orders of a connection that breaks', async () => {
    const first = await client('alice')
    await first.ask('private/enable_cancel_on_disconnect')
    const placed = await first.ask('private/buy', { ...order, price: 90_000, label: 'gone' })
    expect(placed.result).toMatchObject({ order: { order_state: 'open' } })
    const second = await client('alice')
    await second.ask('private/subscribe', { channels: ['user.orders.any.any.raw'] })
    first.socket.terminate()
    await second.until(() => second.reported('user.orders.any.any.raw').length > 0)
    expect(second.reported('user.orders.any.any.raw')[0]).toMatchObject({
      order_state: 'cancelled',
      cancel_reason: 'cancel_on_disconnect',
      label: 'gone',
    })
  })

  test('S177 S276 a client that logs out gets no answer and keeps its orders', async () => {
    const first = await client('alice')
    await first.ask('private/enable_cancel_on_disconnect')
    await first.ask('private/buy', { ...order, price: 90_000, label: 'kept' })
    const before = first.heard.length
    first.socket.send('{"jsonrpc":"2.0","id":99,"method":"private/logout","params":{}}')
    await first.until(() => first.closed !== null)
    expect(first.heard.slice(before)).toEqual([])
    const second = await client('alice')
    const { result } = await second.ask('private/get_open_orders')
    expect(result).toMatchObject([{ label: 'kept', order_state: 'open' }])
    await second.ask('private/cancel_all')
  })

  test('S274 S275 a logout ends the tokens of its session, unless it asks to keep them', async () => {
    for (const invalidate of [true, false]) {
      const first = await client()
      const { result } = await first.authenticate('alice', 'session:logout')
      const { access_token } = result as { readonly access_token: string }
      const params = JSON.stringify({ access_token, invalidate_token: invalidate })
      first.socket.send(`{"jsonrpc":"2.0","id":1,"method":"private/logout","params":${params}}`)
      await first.until(() => first.closed !== null)
      const second = await client()
      const reply = await second.ask('private/get_positions', { access_token })
      expect(reply.error?.code).toBe(invalidate ? 13009 : undefined)
    }
  })

  test('the 33rd connection of an address is answered 429', async () => {
    for (let count = 0; count < 32; count += 1) await client()
    await expect(client()).rejects.toThrow('429')
  })

  test('R75 a logout without a token is refused', async () => {
    const socket = await client()
    expect(await socket.ask('private/logout')).toMatchObject({ error: { code: 13009 } })
    expect(socket.closed).toBeNull()
  })
})

describe('notifications', () => {
  test('S285 V13 raw needs a token, and unknown channels are left out', async () => {
    const nobody = await client()
    expect(await nobody.ask('public/subscribe', { channels: ['book.BTC-PERPETUAL.raw'] })).toMatchObject({
      error: { code: 13778 },
    })
    expect(await nobody.ask('public/subscribe', { channels: ['book.NOTHING.100ms'] })).toMatchObject({
      error: {
        code: 11052,
        data: {
          ...{ reason: 'unknown_value', param: 'channels' },
          detail: 'no channel for this connection: book.NOTHING.100ms',
          hint: 'book.{instrument_name}.{interval}, book.{instrument_name}.{group}.{depth}.{interval}',
        },
      },
    })
    const hintOf = async (channel: string): Promise<string | undefined> => {
      const { error } = await nobody.ask('public/subscribe', { channels: [channel] })
      return error?.data?.hint
    }
    expect(await hintOf('tickr.BTC-PERPETUAL.100ms')).toContain('ticker.{instrument_name}.')
    expect(await hintOf('nothing')).toContain('channel names begin with one of ')
    expect(await hintOf('user.orders.any.any.100ms')).toContain('needs a token that may read it')
    const some = ['ticker.BTC-PERPETUAL.100ms', 'nothing', 'user.orders.any.any.100ms']
    expect(await nobody.ask('public/subscribe', { channels: some })).toMatchObject({
      result: ['ticker.BTC-PERPETUAL.100ms'],
    })
  })

  test('R17 the reply comes first, then orders, trades and changes, then the rest as subscribed', async () => {
    const maker = await client('bob')
    await maker.ask('private/sell', { ...order, price: 100_010, label: 'ask' })
    const taker = await client('alice')
    const channels = [
      'trades.BTC-PERPETUAL.raw',
      'user.changes.BTC-PERPETUAL.raw',
      'user.trades.BTC-PERPETUAL.raw',
      'user.orders.BTC-PERPETUAL.raw',
    ]
    await taker.ask('private/subscribe', { channels, label: 'mine' })
    const before = taker.heard.length
    await taker.ask('private/buy', { ...order, price: 100_010 })
    await taker.until(() => taker.reported('trades.BTC-PERPETUAL.raw').length > 0)
    const after = taker.heard.slice(before)
    expect(after.map(({ id, params }) => params?.channel ?? `reply ${id}`)).toEqual([
      'reply 3',
      'user.orders.BTC-PERPETUAL.raw',
      'user.trades.BTC-PERPETUAL.raw',
      'user.changes.BTC-PERPETUAL.raw',
      'trades.BTC-PERPETUAL.raw',
    ])
    expect(after[1]?.params?.label).toBe('mine')
    expect(taker.reported('user.changes.BTC-PERPETUAL.raw')).toMatchObject([
      {
        instrument_name: 'BTC-PERPETUAL',
        trades: [{ direction: 'buy', liquidity: 'T', amount: 10 }],
        positions: [{ size: 10 }],
        orders: [{ order_state: 'filled' }],
      },
    ])
    await taker.ask('private/close_position', { instrument_name: 'BTC-PERPETUAL', type: 'market' })
  })

  test('an unsubscribed channel sends nothing more', async () => {
    const socket = await client('alice')
    const channel = 'user.orders.any.any.raw'
    await socket.ask('private/subscribe', { channels: [channel] })
    expect(await socket.ask('private/unsubscribe', { channels: [channel, 'x'] })).toMatchObject({
      result: [channel],
    })
    await socket.ask('private/buy', { ...order, price: 90_000 })
    await socket.ask('private/cancel_all')
    expect(socket.reported(channel)).toEqual([])
    expect(await socket.ask('public/unsubscribe_all')).toMatchObject({ result: 'ok' })
  })
})
