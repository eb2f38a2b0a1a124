/**
 * public/get_announcements, sim/announce, sim/delete_announcement, the channel of announcements and that of volatility
 * indices. Source: sessions document 3.4; coverage R63.
 */
import { describe, expect, test } from 'vitest'
import type { RequestParams } from '../../src/rpc/index.ts'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'
import { messagesOf } from '../support/reported-channels.ts'

const first = 1_767_603_600_000

function announce(m: DeskMarket, title: string, more: RequestParams = {}): Json {
  return m.result(null, 'sim/announce', { title, ...(more as object) })
}

const reported = (m: DeskMarket, params: RequestParams = {}): Json => m.result(null, 'public/get_announcements', params)

describe('R63 public/get_announcements', () => {
  test('newest first, five by default, at most 50', () => {
    const m = deskMarket()
    expect(reported(m)).toEqual([])
    for (let count = 1; count <= 60; count += 1) announce(m, `number ${count}`)
    expect(reported(m).map(({ id }: Json) => id)).toEqual([60, 59, 58, 57, 56])
    expect(reported(m, { count: 50 })).toHaveLength(50)
    expect(m.refusal(null, 'public/get_announcements', { count: 51 })).toBe('-32602 Invalid params count too_large')
  })

  test('start_timestamp is the latest publication time in the list, to the millisecond', () => {
    const m = deskMarket()
    const one = announce(m, 'one', { body: 'text', important: true, confirmation: true })
    const two = announce(m, 'two')
    expect(one).toEqual({
      ...{ id: 1, title: 'one', body: 'text', important: true, confirmation: true },
      publication_timestamp: first + 1,
    })
    expect(reported(m, { start_timestamp: first + 1 })).toEqual([one])
    expect(reported(m, { start_timestamp: first + 2 })).toEqual([two, one])
    expect(reported(m, { start_timestamp: first })).toEqual([])
  })

  test('the oldest are dropped, and ids continue', () => {
    const m = deskMarket()
    for (let count = 1; count <= 2000; count += 1) m.venue.request('sim/announce', { title: 'x' })
    expect(m.venue.desk.history.announcements).toHaveLength(1000)
    expect(announce(m, 'one more').id).toBe(2001)
  })

  test('a restored venue has the same announcements', () => {
    const m = deskMarket()
    announce(m, 'before')
    m.venue.request('sim/snapshot', { name: 'kept' })
    announce(m, 'after')
    m.venue.request('sim/restore', { name: 'kept' })
    expect(reported(m).map(({ title }: Json) => title)).toEqual(['before'])
  })

  test('a deleted announcement is no longer listed, and its id is not used again', () => {
    const m = deskMarket()
    for (const title of ['one', 'two', 'three']) announce(m, title)
    expect(m.result(null, 'sim/delete_announcement', { id: 3 })).toBe('ok')
    expect(reported(m).map(({ id }: Json) => id)).toEqual([2, 1])
    expect(announce(m, 'four').id).toBe(4)
    const unknown = '-32602 Invalid params id unknown_announcement'
    for (const id of [3, 5]) {
      expect(m.refusal(null, 'sim/delete_announcement', { id })).toBe(unknown)
    }
    expect(reported(m).map(({ id }: Json) => id)).toEqual([4, 2, 1])
  })

  test('a restored venue includes the deletions', () => {
    const m = deskMarket()
    announce(m, 'before')
    m.venue.request('sim/snapshot', { name: 'kept' })
    m.venue.request('sim/delete_announcement', { id: 1 })
    expect(reported(m)).toEqual([])
    m.venue.request('sim/restore', { name: 'kept' })
    expect(reported(m)).toMatchObject([{ id: 1, title: 'before' }])
  })

  test('announcements that are refused', () => {
    const m = deskMarket()
    expect(m.refusal(null, 'sim/announce')).toBe('-32602 Invalid params title required')
    expect(m.refusal(null, 'sim/announce', { title: '' })).toBe('-32602 Invalid params title too_small')
    expect(reported(m)).toEqual([])
  })
})

describe('R63 channels', () => {
  test('announcements sends each new one once', () => {
    const given = messagesOf(
      [[null, 'announcements']],
      ({ ask }) => {
        ask(null, 'sim/announce', { title: 'news', body: 'text' })
        ask(null, 'sim/set_index', { index_name: 'btc_usd', price: 50_000 })
      },
      ({ ask }) => ask(null, 'sim/announce', { title: 'too early' }),
    )
    expect(given).toEqual([
      {
        account: null,
        channel: 'announcements',
        data: {
          ...{ action: 'new', id: 2, title: 'news', body: 'text', publication_timestamp: first },
          ...{ important: false, confirmation: false, unread: 1 },
        },
      },
    ])
    expect(() => messagesOf([[null, 'announcements.x']], () => undefined)).toThrow('announcements.x')
  })

  test('announcements sends deleted ones in full, in the order of the deletions', () => {
    const given = messagesOf(
      [[null, 'announcements']],
      ({ ask }) => {
        ask(null, 'sim/delete_announcement', { id: 2 })
        ask(null, 'sim/delete_announcement', { id: 1 })
        expect(() => ask(null, 'sim/delete_announcement', { id: 1 })).toThrow('-32602')
        ask(null, 'sim/announce', { title: 'four' })
      },
      ({ ask }) => {
        for (const title of ['one', 'two', 'three']) ask(null, 'sim/announce', { title })
      },
    )
    expect(given.map(({ data }) => data)).toEqual([
      {
        ...{ action: 'deleted', id: 2, title: 'two', body: '', publication_timestamp: first },
        ...{ important: false, confirmation: false, unread: 0 },
      },
      expect.objectContaining({ action: 'deleted', id: 1, title: 'one' }),
      expect.objectContaining({ action: 'new', id: 4, title: 'four', unread: 1 }),
    ])
  })

  test('deribit_volatility_index sends changes, at most once a second', () => {
    const name = 'BTC-27MAR26-50000-C'
    const given = messagesOf(
      [[null, 'deribit_volatility_index.btc_usd']],
      ({ ask, wait }) => {
        wait('1s')
        ask(null, 'sim/set_mark', { instrument_name: name, price: 0.2 })
        ask(null, 'sim/set_mark', { instrument_name: name, price: 0.1 })
        wait('1s')
      },
      ({ ask }) => ask(null, 'sim/list_instrument', { instrument_name: name }),
    )
    const [begun, changed] = given.map(({ data }) => data)
    expect(given).toHaveLength(2)
    expect(begun).toEqual({
      index_name: 'btc_usd',
      timestamp: first,
      volatility: expect.any(Number),
    })
    expect(changed?.['timestamp']).toBe(first + 2000)
    expect(changed?.['volatility']).not.toBe(begun?.['volatility'])
    const unknown = 'deribit_volatility_index.doge_usd'
    expect(() => messagesOf([[null, unknown]], () => undefined)).toThrow(unknown)
  })
})

describe('announcements that an account has not read', () => {
  const unread = (m: DeskMarket, account: string): number[] =>
    m.result(account, 'private/get_new_announcements').map(({ id }: Json) => id)
  const mark = 'private/set_announcement_as_read'

  test('V12 each account marks as read for itself, and a deleted one is gone for all accounts', () => {
    const m = deskMarket()
    for (const title of ['one', 'two', 'three']) announce(m, title)
    expect(unread(m, 'alice')).toEqual([3, 2, 1])
    expect(m.result('alice', mark, { announcement_id: 2 })).toBe('ok')
    expect(m.result('alice', mark, { announcement_id: 2 })).toBe('ok')
    expect(unread(m, 'alice')).toEqual([3, 1])
    expect(unread(m, 'bob')).toEqual([3, 2, 1])
    m.result(null, 'sim/delete_announcement', { id: 3 })
    expect(unread(m, 'alice')).toEqual([1])
    // The public list still contains it.
    expect(reported(m).map(({ id }: Json) => id)).toEqual([2, 1])
    for (const announcement_id of [3, 4]) {
      expect(m.refusal('alice', mark, { announcement_id })).toContain('unknown_announcement')
    }
  })

  test('V12 a snapshot of a venue includes which accounts have read which announcements', () => {
    const m = deskMarket()
    announce(m, 'one')
    m.result(null, 'sim/snapshot', { name: 'unread' })
    m.result('alice', mark, { announcement_id: 1 })
    m.result(null, 'sim/snapshot', { name: 'read' })
    m.result(null, 'sim/restore', { name: 'unread' })
    expect(unread(m, 'alice')).toEqual([1])
    m.result(null, 'sim/restore', { name: 'read' })
    expect(unread(m, 'alice')).toEqual([])
  })
})
