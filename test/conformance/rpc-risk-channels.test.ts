/**
 * Channels about risks to an account, about combos, listed instruments and indices: their messages in scenarios of the
 * repository. Source: sessions document 3.4, 7.4.
 */
import { describe, expect, test } from 'vitest'
import { micros } from '../../src/core/index.ts'
import { findAccount } from '../../src/engine/index.ts'
import { defaultConfig, type Event } from '../../src/model/index.ts'
import { Venue } from '../../src/program/index.ts'
import { createDesk, ownMethods, Subscriptions } from '../../src/rpc/index.ts'
import { reportedIn } from '../support/reported-channels.ts'

const ofRisk = ['user.lock', 'user.liquidation', 'user.lsp'] as const
const perpetual = 'BTC_USDC-PERPETUAL'

describe('user.lock, user.liquidation and user.lsp', () => {
  test('both sides of the amount that a participant took over, with the commission of 2.5 bp', () => {
    const reported = reportedIn('liquidation/lsp-window.yaml', [
      ['ann', ...ofRisk],
      ['helper', ...ofRisk],
    ])
    const part = { instrument_name: perpetual, amount: 0.254, price: 58_852.5, currency: 'USDC' }
    const own = { account: 'ann', channel: 'user.liquidation' }
    const at = { user_id: 5, timestamp: 1_767_603_611_000 }
    expect(reported.filter(({ account }) => account === 'ann')).toEqual([
      { ...own, data: { state: 'liquidation_started', ...at, currency: 'USDC' } },
      {
        ...own,
        // 0.254 x 58852.5 x 0.00025.
        data: { state: 'lsp_transfer', ...at, ...part, direction: 'sell', commission: 3.73713375 },
      },
      {
        ...own,
        data: {
          state: 'liquidation_completed',
          ...at,
          timestamp: 1_767_603_612_000,
          currency: 'USDC',
        },
      },
    ])
    expect(reported.filter(({ account }) => account === 'helper').slice(0, 2)).toMatchObject([
      { channel: 'user.lsp', data: { type: 'enabled' } },
      { channel: 'user.lsp', data: { type: 'transfer', ...part, direction: 'buy', success: true } },
    ])
  })

  test('a participant that fails is disabled automatically, and a control enables it again', () => {
    const reported = reportedIn('liquidation/lsp-participants.yaml', [
      ['ann', ...ofRisk],
      ['helper', ...ofRisk],
    ])
    const failed = { type: 'transfer', success: false, error_reason: 'not_enough_funds' }
    expect(reported.filter(({ channel }) => channel === 'user.lsp')).toMatchObject([
      { account: 'helper', data: { type: 'enabled' } },
      { account: 'helper', data: failed },
      { account: 'helper', data: failed },
      { account: 'helper', data: { type: 'disabled', automatic: true } },
      { account: 'helper', data: { type: 'enabled' } },
      { account: 'helper', data: { type: 'transfer', success: true, amount: 0.002 } },
    ])
    expect(reported.filter(({ channel }) => channel === 'user.lock')).toEqual([
      { account: 'ann', channel: 'user.lock', data: { locked: true, currency: 'ALL' } },
    ])
  })

  test('other limits of a participant send a change of its configuration', () => {
    const reported = reportedIn('liquidation/lsp-configuration.yaml', [['helper', 'user.lsp']], (text) =>
      text.replace(
        /^steps:/m,
        `steps:\n  - { at: 0s, call: sim/set_lsp_participant, params: { account: helper, group_limits: { '1': 7 } } }`,
      ),
    )
    expect(reported.map(({ data }) => data.type)).toContain('configuration_changed')
    expect(reported.find(({ data }) => data.type === 'configuration_changed')?.data).toMatchObject({
      configuration: { enabled: true, group_limits: { 1: 7 } },
    })
  })

  test('a deleveraging shows who lost a position and who got a part of the commission', () => {
    const reported = reportedIn('liquidation/auto-deleveraging.yaml', [
      ['ann', 'user.liquidation'],
      ['dan', 'user.liquidation'],
    ])
    const states = (name: string): readonly unknown[] =>
      reported.filter(({ account }) => account === name).map(({ data }) => [data.state, data.amount])
    expect(states('ann')).toEqual([
      ['liquidation_started', undefined],
      ['adl_transfer', 0.1],
      ['adl_transfer', 0.2],
    ])
    expect(states('dan')).toEqual([['adl_transfer_received', 0.2]])
  })

  test('positions that the insurance fund takes over are sent as a close-out', () => {
    const reported = reportedIn('liquidation/options-closed-out-by-the-fund.yaml', [['writer', 'user.liquidation']])
    const part = { instrument_name: 'BTC-27FEB26-65000-C', direction: 'buy', amount: 1, price: 0.5 }
    expect(reported.map(({ data }) => data).slice(0, 3)).toMatchObject([
      { state: 'liquidation_started' },
      { state: 'close_out_liquidation_started', ...part },
      { state: 'close_out_liquidation_completed', ...part },
    ])
  })

  test('a main account receives messages of its subaccounts, and they receive their own', () => {
    const reported = reportedIn(
      'liquidation/auto-deleveraging.yaml',
      [
        ['boss', 'user.isolated.liquidation', 'user.liquidation'],
        ['ann', 'user.isolated.liquidation', 'user.liquidation'],
      ],
      (text) => text.replace('  ann: { ', '  boss: { deposit: { USDC: 1 } }\n  ann: { main: boss, '),
    )
    const own = reported.filter(({ account }) => account === 'ann')
    expect(own.length).toBeGreaterThan(2)
    expect(new Set(own.map(({ channel }) => channel))).toEqual(new Set(['user.liquidation']))
    expect(reported.filter(({ account }) => account === 'boss')).toEqual(
      own.map(({ data }) => ({
        account: 'boss',
        channel: 'user.isolated.liquidation',
        data: { ...data, isolated: true },
      })),
    )
  })
})

describe('channels of indices, listings and combos', () => {
  /** A venue, and the messages of its channels to alice. */
  function heard(channels: readonly string[]): {
    readonly venue: Venue
    reported(channel: string): readonly unknown[]
  } {
    let subscriptions: Subscriptions | undefined
    const all: { readonly channel: string; readonly data: unknown }[] = []
    // Channels receive events after the history.
    const watch = { emit: (event: Event): void => subscriptions?.events.emit(event) }
    const config = defaultConfig(micros(Date.parse('2026-01-05T09:00:00Z') * 1000))
    const venue = new Venue(
      createDesk({ config, controls: true, methods: ownMethods, watch }, { emit: () => undefined }),
    )
    for (const instrument_name of ['BTC-PERPETUAL', 'BTC-30JAN26']) {
      venue.request('sim/list_instrument', { instrument_name })
    }
    venue.request('sim/set_index', { index_name: 'btc_usd', price: 100_000 })
    for (const name of ['alice', 'bob']) {
      venue.request('sim/create_account', { name })
      venue.request('sim/deposit', { account: name, currency: 'BTC', amount: 10 })
    }
    subscriptions = new Subscriptions(venue.desk)
    const account = findAccount(venue.exchange, 'alice')?.id
    if (account === undefined) throw new Error('alice has an account')
    const send = (text: string): void => {
      all.push(JSON.parse(text).params)
    }
    for (const channel of channels) {
      const subscriber = { link: 1, account, allows: () => true, send }
      expect([channel, subscriptions.subscribe(subscriber, channel, null)]).toEqual([channel, true])
    }
    return {
      venue,
      reported: (channel) => {
        subscriptions?.flush()
        subscriptions?.flushIntervals(Math.floor(venue.now / 1_000_000) * 1_000_000)
        return all.filter((each) => each.channel === channel).map(({ data }) => data)
      },
    }
  }

  test('the highest, the lowest and the change of an index', () => {
    const channel = 'deribit_price_statistics.btc_usd'
    const { venue, reported } = heard([channel])
    expect(reported(channel)).toEqual([
      {
        index_name: 'btc_usd',
        low24h: 100_000,
        high24h: 100_000,
        change24h: 0,
        high_volatility: false,
      },
    ])
    for (const price of [101_000, 98_000, 102_000]) {
      venue.wait('1s').request('sim/set_index', { index_name: 'btc_usd', price })
    }
    expect(reported(channel).at(-1)).toMatchObject({ low24h: 98_000, high24h: 102_000, change24h: 2 })
    venue.wait('25h').request('sim/set_index', { index_name: 'btc_usd', price: 103_000 })
    // The value of a day ago counts, and no earlier one.
    expect(reported(channel).at(-1)).toMatchObject({ low24h: 102_000, high24h: 103_000 })
  })

  test('the source of an index, which an outage removes', () => {
    const channel = 'deribit_price_ranking.btc_usd'
    const { venue, reported } = heard([channel])
    const source = { identifier: 'pitclock', enabled: true, price: 100_000, weight: 100 }
    expect(reported(channel)).toMatchObject([[source]])
    venue.request('sim/set_index_outage', { index_name: 'btc_usd', active: true })
    expect(reported(channel).at(-1)).toMatchObject([{ ...source, enabled: false }])
    venue.request('sim/set_index_outage', { index_name: 'btc_usd', active: false })
    expect(reported(channel).at(-1)).toMatchObject([source])
  })

  test('a listed instrument is sent in the form of a query, to subscribers of its kind', () => {
    const { venue, reported } = heard(['instrument.creation.future.BTC', 'instrument.creation.option.any'])
    venue.request('sim/list_instrument', { instrument_name: 'BTC-27MAR26' })
    const asked = venue.request('public/get_instrument', { instrument_name: 'BTC-27MAR26' })
    expect(reported('instrument.creation.future.BTC')).toEqual([asked.ok ? asked.result : null])
    expect(reported('instrument.creation.option.any')).toEqual([])
  })

  test('own trades in combos only, with their legs', () => {
    const channel = 'user.combo_trades.any.any.raw'
    const { venue, reported } = heard([channel, 'user.trades.any.any.raw'])
    const made = venue.as('alice').request('private/create_combo', {
      trades: [
        { instrument_name: 'BTC-30JAN26', amount: 10, direction: 'buy' },
        { instrument_name: 'BTC-PERPETUAL', amount: 10, direction: 'sell' },
      ],
    })
    if (!made.ok) throw new Error(JSON.stringify(made))
    const combo = made.result.id
    const order = { instrument_name: combo, amount: 10, price: 50 }
    venue.as('bob').request('private/sell', order)
    venue.as('alice').request('private/buy', order)
    const plain = { instrument_name: 'BTC-PERPETUAL', amount: 10, price: 100_000 }
    venue.as('bob').request('private/sell', plain)
    venue.as('alice').request('private/buy', plain)
    const trades = reported(channel).flat() as Record<string, unknown>[]
    expect(trades).toMatchObject([{ instrument_name: combo, legs: [{ direction: 'buy' }, { direction: 'sell' }] }])
    expect(reported('user.trades.any.any.raw').flat().length).toBeGreaterThan(trades.length)
  })
})
