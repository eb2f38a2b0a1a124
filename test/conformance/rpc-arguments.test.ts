/**
 * Arguments of buy and sell in requests: the wrong values and their error codes. For entries of `otoco_config`, see
 * rpc-linked-arguments.
 * Source: interface document, private/sell; trading.md 4.1 (C09); coverage R32, R38, R46, R47, R48.
 */
import { describe, expect, test } from 'vitest'
import { instrumentId, micros } from '../../src/core/index.ts'
import { specFromName, validationStep } from '../../src/model/index.ts'
import type { RequestParams } from '../../src/rpc/index.ts'
import { readSize } from '../../src/rpc/methods/params.ts'
import { deskMarket } from '../support/desk-market.ts'

const perpetual = { instrument_name: 'BTC-PERPETUAL' }
const order = { ...perpetual, amount: 10, price: 49_000 }
const option = { instrument_name: 'BTC-27MAR26-50000-C', amount: 1, price: 0.02 }
const linearOption = { instrument_name: 'BTC_USDC-27MAR26-50000-C', amount: 1, price: 100 }
const spot = { instrument_name: 'BTC_USDC', amount: 1, price: 49_000 }
const future = { instrument_name: 'BTC_USDC-PERPETUAL', amount: 0.01, price: 49_000 }
const combo = { instrument_name: 'BTC-FS-27MAR26_PERP', amount: 10, price: 100 }
const optionCombo = { instrument_name: 'BTC-CS-27MAR26-50000_60000', amount: 1, price: 0.01 }

/** A stop and a trailing stop with all required parameters. */
const stop = { type: 'stop_limit', trigger: 'mark_price', trigger_price: 49_500 }
const trail = { type: 'trailing_stop', trigger: 'mark_price', trigger_offset: 100, price: null }

const everything = {
  instruments: [perpetual, option, linearOption, spot, future, combo, optionCombo].map(
    ({ instrument_name }) => instrument_name,
  ),
  index: { btc_usd: 50_000, btc_usdc: 50_000 },
  accounts: { alice: { BTC: 10, USDC: 1_000_000 }, bob: { BTC: 10 } },
}

function refusalOf(params: RequestParams): string {
  return deskMarket(everything).refusal('alice', 'private/sell', params)
}

describe('rule order.arguments: arguments that contradict each other (C09, R47)', () => {
  test.each([
    ['S203 neither amount nor contracts', { amount: null }, '-32602 Invalid params amount required'],
    ['S203 T21 amount and contracts disagree', { amount: 20, contracts: 3 }, '10021 invalid_amount'],
    ['below the minimum', { amount: 9 }, '10002 qty_too_low'],
    ['below the minimum, in contracts', { amount: null, contracts: 0.5 }, '10002 qty_too_low'],
    ['zero', { amount: 0 }, '10002 qty_too_low'],
    ['negative', { amount: -10 }, '10002 qty_too_low'],
    ['off the step of a future', { amount: 15 }, '10027 non_integer_contract_amount'],
    ['off the step, in contracts', { amount: null, contracts: 1.5 }, '10027 non_integer_contract_amount'],
    ['off the step of an option', { ...option, amount: 0.15 }, '10021 invalid_amount'],
    ['off the step of a combo', { ...combo, amount: 15 }, '10021 invalid_amount'],
    ['off the step of spot', { ...spot, amount: 1.00005 }, '10021 invalid_amount'],
    ['beyond all sizes', { amount: 1e17 }, '10021 invalid_amount'],
    ['beyond 9 billion units', { amount: 9_000_000_010 }, '10021 invalid_amount'],
    ['9 billion units', { amount: 9_000_000_000, price: 50_000 }, '10009 not_enough_funds'],
    ['S207 a limit order without price', { price: null }, '10023 invalid_price'],
    ['a price off the grid', { price: 49_000.3 }, '10043 price_wrong_tick'],
    ['a price of zero', { price: 0 }, '10043 price_wrong_tick'],
    ['a negative price', { price: -49_000 }, '10043 price_wrong_tick'],
    ['more decimals than there are', { price: 49_000.000_000_000_1 }, '10043 price_wrong_tick'],
    ['a price beyond all prices', { price: 1e9 }, '10023 invalid_price'],
    ['S205 a trigger on an option', { ...option, ...stop }, '10031 invalid_args_for_instrument'],
    ['S205 a trailing stop on an option', { ...option, ...trail }, '10031 invalid_args_for_instrument'],
    ['S205 a trigger on a combo of options', { ...optionCombo, ...stop }, '10031 invalid_args_for_instrument'],
    [
      'C31 an index trigger on a combo of futures',
      { ...combo, ...stop, trigger: 'index_price' },
      '10031 invalid_args_for_instrument',
    ],
    ['S215 a trigger order without a source', { ...stop, trigger: null }, '-32602 Invalid params trigger required'],
    ['S214 a stop without its price', { ...stop, trigger_price: null }, '-32602 Invalid params trigger_price required'],
    [
      'S214 a take without its price',
      { ...stop, type: 'take_market', trigger_price: null },
      '-32602 Invalid params trigger_price required',
    ],
    [
      'S221 R48 a trailing stop without its distance',
      { ...trail, trigger_offset: null, trigger_price: 49_500 },
      '-32602 Invalid params trigger_offset required',
    ],
    ['a stop-limit without its price', { ...stop, price: null }, '10023 invalid_price'],
    [
      'a take-limit without its price',
      { ...stop, type: 'take_limit', trigger_price: 50_500, price: null },
      '10023 invalid_price',
    ],
    ['a stop off the grid', { ...stop, trigger_price: 49_500.3 }, '10044 trigger_price_wrong_tick'],
    ['a stop at zero', { ...stop, trigger_price: 0 }, '10044 trigger_price_wrong_tick'],
    ['a stop below zero', { ...stop, trigger_price: -5 }, '10044 trigger_price_wrong_tick'],
    ['a stop beyond all prices', { ...stop, trigger_price: 1e9 }, '11036 invalid_trigger_price'],
    ['a distance off the grid', { ...trail, trigger_offset: 0.3 }, '10044 trigger_price_wrong_tick'],
    ['no distance', { ...trail, trigger_offset: 0 }, '10044 trigger_price_wrong_tick'],
    ['a distance below zero', { ...trail, trigger_offset: -1 }, '10044 trigger_price_wrong_tick'],
    ['C31 a sell stop above the mark', { ...stop, trigger_price: 50_500 }, '10034 trigger_price_too_high'],
    ['C31 a sell stop at the mark', { ...stop, trigger_price: 50_000 }, '10034 trigger_price_too_high'],
    [
      'C31 a sell take below the mark',
      { ...stop, type: 'take_market', trigger_price: 49_500 },
      '10035 trigger_price_too_low',
    ],
    ['C31 a source that is not known yet', { ...stop, trigger: 'last_price' }, '11036 invalid_trigger_price'],
    ['R47 a trigger on a market order', { type: 'market', trigger: 'mark_price' }, '11047 unsupported_arg_combination'],
    ['R47 a trigger price without a trigger', { trigger_price: 1 }, '11047 unsupported_arg_combination'],
    ['R47 a trigger source', { trigger: 'mark_price' }, '11047 unsupported_arg_combination'],
    ['R47 a trigger offset', { trigger_offset: 1 }, '11047 unsupported_arg_combination'],
    [
      'S210 post_only with IOC',
      { post_only: true, time_in_force: 'immediate_or_cancel' },
      '11047 unsupported_arg_combination',
    ],
    [
      'S210 post_only with FOK',
      { post_only: true, time_in_force: 'fill_or_kill' },
      '11047 unsupported_arg_combination',
    ],
    [
      'S210 post_only with GTD',
      { post_only: true, time_in_force: 'good_til_day' },
      '11047 unsupported_arg_combination',
    ],
    ['post_only on market', { post_only: true, type: 'market' }, '11055 post_only_not_allowed'],
    ['post_only on market_limit', { post_only: true, type: 'market_limit' }, '11055 post_only_not_allowed'],
    ['post_only on stop_market', { ...stop, post_only: true, type: 'stop_market' }, '11055 post_only_not_allowed'],
    ['post_only on take_market', { ...stop, post_only: true, type: 'take_market' }, '11055 post_only_not_allowed'],
    ['post_only on a trailing stop', { ...trail, post_only: true }, '11055 post_only_not_allowed'],
    [
      'S210 post_only on a stop-limit with IOC',
      { ...stop, post_only: true, time_in_force: 'immediate_or_cancel' },
      '11047 unsupported_arg_combination',
    ],
    [
      'S212 reject_post_only without post_only',
      { reject_post_only: true },
      '-32602 Invalid params reject_post_only only_with_post_only',
    ],
    ['S028 advanced on a future', { advanced: 'implv' }, '11038 no_adv_for_futures'],
    ['C09 post_only with advanced', { ...option, advanced: 'implv', post_only: true }, '11039 no_adv_postonly'],
    ['S028 advanced on spot', { ...spot, advanced: 'usd' }, '11038 no_adv_for_futures'],
    [
      'R47 advanced with another type',
      { ...option, advanced: 'implv', type: 'market' },
      '11047 unsupported_arg_combination',
    ],
    [
      'S028 S216 advanced usd on a linear option',
      { ...linearOption, advanced: 'usd' },
      '10031 invalid_args_for_instrument',
    ],
    ['display_amount on an option', { ...option, display_amount: 1 }, '11048 wrong_max_show_for_option'],
    ['S218 max_show on an option', { ...option, max_show: 1 }, '11048 wrong_max_show_for_option'],
    ['display_amount on a combo', { ...combo, display_amount: 1 }, '10036 invalid_max_show_amount'],
    [
      'S218 display_amount on a combo of options',
      { ...optionCombo, display_amount: 1 },
      '10036 invalid_max_show_amount',
    ],
    ['S217 a tip below 100 minimum amounts', { amount: 5000, display_amount: 990 }, '10036 invalid_max_show_amount'],
    ['S217 hidden to visible of 100', { amount: 101_000, display_amount: 1000 }, '10036 invalid_max_show_amount'],
    ['a tip off the step', { amount: 5000, display_amount: 1005 }, '10036 invalid_max_show_amount'],
    ['a negative tip', { amount: 5000, display_amount: -1000 }, '10036 invalid_max_show_amount'],
    [
      'T 11 max_show is another name of display_amount',
      { amount: 5000, max_show: 990 },
      '10036 invalid_max_show_amount',
    ],
    ['S219 mmp on a stop', { ...stop, mmp: true }, '11047 unsupported_arg_combination'],
    ['mmp on a market order', { type: 'market', mmp: true }, '11047 unsupported_arg_combination'],
    [
      'mmp with a linked order',
      {
        ...{ mmp: true, linked_order_type: 'one_cancels_other' },
        otoco_config: [{ amount: 10, direction: 'sell', price: 51_000 }],
      },
      '11047 unsupported_arg_combination',
    ],
    ['reduce_only on spot', { ...spot, reduce_only: true }, '10031 invalid_args_for_instrument'],
    ['reduce_only on a combo', { ...combo, reduce_only: true }, '10031 invalid_args_for_instrument'],
    ['C26 reduce_only without a position', { reduce_only: true, price: 50_000 }, '11030 other_reject reduce_direction'],
    [
      'R47 a fill condition without a linked order',
      { trigger_fill_condition: 'first_hit' },
      '-32602 Invalid params trigger_fill_condition only_with_linked_order_type',
    ],
  ])('%s', (_title, params, expected) => {
    expect(refusalOf({ ...order, ...params })).toBe(expected)
  })

  test('S208 the price of an advanced order is a value in USD or a volatility in percent', () => {
    const m = deskMarket(everything)
    const { order: inUsd } = m.result('alice', 'private/sell', {
      ...{ ...option, price: 5000, advanced: 'usd' },
    })
    expect(inUsd).toMatchObject({ advanced: 'usd', usd: 5000, price: 0.1, auto_replaced: false })
    const { order: inPercent } = m.result('alice', 'private/sell', {
      ...{ ...option, price: 65.5, advanced: 'implv' },
    })
    expect(inPercent).toMatchObject({ advanced: 'implv', implv: 65.5 })
    const again = (params: RequestParams): string =>
      m.refusal('alice', 'private/edit', { order_id: inUsd.order_id, amount: 2, ...params })
    expect(again({})).toBe('-32602 Invalid params advanced required')
    expect(again({ advanced: 'implv', price: -1 })).toBe('10023 invalid_price')
    const edited = m.result('alice', 'private/edit', {
      ...{ order_id: inUsd.order_id, amount: 2, advanced: 'usd', price: 6000 },
    })
    expect(edited.order).toMatchObject({ usd: 6000, price: 0.12, amount: 2, replaced: true })
  })

  test('R48 a trailing stop ignores trigger_price, a stop trigger_offset', () => {
    const m = deskMarket(everything)
    const trailing = { ...order, ...trail, trigger_price: 0.3 }
    const { order: follows } = m.result('alice', 'private/sell', trailing)
    expect(follows).toMatchObject({ order_state: 'untriggered', trigger_price: 49_900 })
    const stopping = { ...order, ...stop, trigger_offset: 0.3 }
    const { order: waits } = m.result('alice', 'private/sell', stopping)
    expect(waits).toMatchObject({ order_state: 'untriggered', trigger_price: 49_500 })
    expect(waits).not.toHaveProperty('trigger_offset')
  })

  test('C25 a display amount of zero, or of at least the whole order, makes no iceberg', () => {
    const m = deskMarket(everything)
    for (const tip of [{ display_amount: 0 }, { display_amount: 5000 }, { max_show: 1e15 }]) {
      const params = { ...order, amount: 5000, ...tip }
      const { order: plain } = m.result('alice', 'private/buy', params)
      expect(plain.max_show).toBe(5000)
      expect(plain).not.toHaveProperty('display_amount')
      expect(plain).not.toHaveProperty('refresh_amount')
    }
  })

  test('off the size step of an option, after conversion to lots: 10021', () => {
    const spec = specFromName(option.instrument_name, { creation: micros(0) })
    if (!spec.ok) throw new Error(spec.error)
    const instrument = { ...spec.value, id: instrumentId(0) }
    const refusal = { reason: 'invalid_amount' }
    const fault = { step: validationStep.amount, refusal }
    expect(readSize(instrument, { amount: 0.15 })).toEqual({ ok: false, fault })
    expect(readSize(instrument, { amount: 0.2 })).toEqual({ ok: true, value: 2 })
  })

  test('S203 amount and contracts that agree, contracts alone, and exact literals', () => {
    const m = deskMarket(everything)
    const amountOf = (params: RequestParams): number =>
      m.result('alice', 'private/buy', { ...perpetual, price: 49_000, ...params }).order.amount
    expect(amountOf({ amount: 20, contracts: 2 })).toBe(20)
    expect(amountOf({ contracts: 3 })).toBe(30)
    expect(amountOf({ amount: { decimal: '40.000' } })).toBe(40)
    const { order: spotOrder } = m.result('alice', 'private/buy', { ...spot, amount: 0.1 })
    expect(spotOrder).toMatchObject({ amount: 0.1, contracts: 1000 })
  })

  test('R47 a price is ignored on market types, even one off the grid', () => {
    const m = deskMarket()
    m.result('alice', 'private/sell', { ...order, price: 50_000 })
    const params = { ...order, price: 0.3, amount: 10 }
    const { order: market } = m.result('bob', 'private/buy', { ...params, type: 'market' })
    expect(market.order_state).toBe('filled')
    m.result('alice', 'private/sell', { ...order, price: 50_000 })
    const { order: limit } = m.result('bob', 'private/buy', { ...params, type: 'market_limit' })
    expect(limit.order_state).toBe('filled')
  })

  test('S209 S204 the defaults: limit, good_til_cancelled, no label, no flags', () => {
    const { order: placed } = deskMarket().result('alice', 'private/buy', order)
    expect(placed).toMatchObject({
      ...{ order_type: 'limit', time_in_force: 'good_til_cancelled', label: '' },
      ...{ post_only: false, reduce_only: false, mmp: false },
    })
  })
})

describe('parameters of the wrong form: -32602 with the name of the first wrong one', () => {
  test.each([
    ['a missing name', { instrument_name: undefined }, 'instrument_name required'],
    ['null for a required name is missing', { instrument_name: null }, 'instrument_name required'],
    ['a name that is no text', { instrument_name: 7 }, 'instrument_name wrong_type'],
    ['an amount as text', { amount: '10' }, 'amount wrong_type'],
    ['an amount that is no number', { amount: Number.NaN }, 'amount wrong_type'],
    ['an endless amount', { amount: Number.POSITIVE_INFINITY }, 'amount wrong_type'],
    ['a literal that is no decimal', { amount: { decimal: 'ten' } }, 'amount wrong_type'],
    ['contracts as a list', { contracts: [1] }, 'contracts wrong_type'],
    ['a price as a flag', { price: true }, 'price wrong_type'],
    ['an unknown type', { type: 'iceberg' }, 'type unknown_value'],
    ['S024 types are case-sensitive', { type: 'LIMIT' }, 'type unknown_value'],
    ['an unknown time in force', { time_in_force: 'forever' }, 'time_in_force unknown_value'],
    ['S027 an unknown trigger', { trigger: 'bid_price' }, 'trigger unknown_value'],
    ['S028 an unknown advanced', { advanced: 'btc' }, 'advanced unknown_value'],
    ['post_only as a number', { post_only: 1 }, 'post_only wrong_type'],
    ['a label that is no text', { label: 5 }, 'label wrong_type'],
    ['R46 a label of 65', { label: 'x'.repeat(65) }, 'label too_long'],
    ['a time with a fraction', { valid_until: 1.5 }, 'valid_until wrong_type'],
    ['a time before the epoch', { valid_until: -1 }, 'valid_until too_small'],
    ['a time beyond the clock', { valid_until: 9e15 }, 'valid_until too_large'],
  ])('%s', (_title, params, expected) => {
    expect(refusalOf({ ...order, ...params })).toBe(`-32602 Invalid params ${expected}`)
  })

  test('R32 unknown parameters are ignored', () => {
    const m = deskMarket()
    const params = { ...order, max_shown: 5, client: { any: ['thing'] }, constructor: 1 }
    expect(m.result('alice', 'private/buy', params).order.order_state).toBe('open')
  })

  test('null for an optional parameter means that it is absent', () => {
    const m = deskMarket()
    const nulls = { label: null, type: null, post_only: null, valid_until: null, contracts: null }
    const { order: placed } = m.result('alice', 'private/buy', { ...order, ...nulls })
    expect(placed).toMatchObject({ order_type: 'limit', label: '', post_only: false })
  })

  test('S067 S206 S311 R46 a label has at most 64 code points, however many code units they need', () => {
    const m = deskMarket()
    for (const label of ['x'.repeat(64), '\u{1f600}'.repeat(64)]) {
      expect(m.result('alice', 'private/buy', { ...order, label }).order.label).toBe(label)
      expect(m.result('alice', 'private/cancel_by_label', { label })).toBe(1)
    }
    const label = '\u{1f600}'.repeat(65)
    const refused = '-32602 Invalid params label too_long'
    expect(m.refusal('alice', 'private/buy', { ...order, label })).toBe(refused)
    expect(m.refusal('alice', 'private/cancel_by_label', { label })).toBe(refused)
  })

  test('R46 S242 cancel_by_label refuses an empty label', () => {
    const m = deskMarket()
    const asked = (params: RequestParams): string => m.refusal('alice', 'private/cancel_by_label', params)
    expect(asked({})).toBe('-32602 Invalid params label required')
    expect(asked({ label: '' })).toBe('-32602 Invalid params label too_small')
    expect(asked({ label: 'a', currency: 'DOGE' })).toBe('-32602 Invalid params currency unknown_value')
  })
})
