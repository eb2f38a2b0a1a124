/** Reading scenario files: every mistake at once, each with its place and the expected value. */
import { describe, expect, test } from 'vitest'
import { formatIsoTime } from '../../../src/core/index.ts'
import { beginning, mistakesAfter, mistakesOf, sound } from './documents.ts'

describe('all mistakes at once', () => {
  test('five different mistakes, in the order of the file', () => {
    const text = `version: 1
title: Five mistakes
start: 2026-01-05T09:00:00
instruments: [BTC-PERPETUL]
index: { btc_usd: 0x10 }
accounts:
  maker: { deposit: { BTC: 1 } }
steps:
  - { at: 0ms, as: makr, call: private/cancel_all }
  - at: 5ms
    as: maker
    call: private/get_position
    params: { instrument_nam: BTC-PERPETUAL }
`
    expect(mistakesOf(text)).toEqual([
      'test.yaml:3:8: start: expected a time with an offset, such as Z or +02:00, found "2026-01-05T09:00:00"',
      'test.yaml:4:15: instruments.0: expected an instrument of the catalogue, found "BTC-PERPETUL" (did you mean BTC-PERPETUAL?)',
      'test.yaml:5:19: index.btc_usd: expected a plain decimal number such as 1000 or 0.5, found 0x10 (put text that looks like a number in quotes)',
      'test.yaml:9:20: steps.0.as: expected an account of this file, found "makr" (did you mean maker?)',
      'test.yaml:13:15: steps.1.params.instrument_nam: expected one of instrument_name, found instrument_nam (did you mean instrument_name?)',
    ])
  })

  test('an empty file, a list and a text are no scenario', () => {
    expect(mistakesOf('')).toEqual(['test.yaml:1:1: expected a mapping, found null'])
    expect(mistakesOf('[1]')).toEqual(['test.yaml:1:1: expected a mapping, found a list'])
    expect(mistakesOf('hello')).toEqual(['test.yaml:1:1: expected a mapping, found "hello"'])
  })

  test('a text that is not YAML is reported with its place', () => {
    expect(mistakesOf('version: 1\ntitle: "open\n')).toEqual([
      'test.yaml:3:1: expected well-formed YAML, found missing closing "quote',
    ])
  })

  test('after an unexpected token only that token is reported, because the lines behind it are correct', () => {
    expect(mistakesOf('version: 1\nindex: { btc_usd: 1 } }\naccounts: { ann: {} }\n')).toEqual([
      'test.yaml:2:23: expected well-formed YAML, found unexpected flow-map-end token in YAML stream: "}"',
    ])
  })

  test('missing sections have the place of the file, missing keys that of their mapping', () => {
    expect(mistakesOf('version: 1\ninstruments: [{}]\n')).toEqual([
      'test.yaml:1:1: title: expected a text such as A market sell fills the resting bid, found nothing',
      'test.yaml:1:1: start: expected a text such as 2026-01-05T07:59:00Z, found nothing',
      'test.yaml:2:15: instruments.0.name: expected a text such as BTC-PERPETUAL, found nothing',
    ])
  })
})

describe('shape', () => {
  test.each([
    [
      'a key that does not exist',
      'stepss: []\n',
      '9:1: stepss: expected one of $schema, version, title, seed, start, until, venue, record, instruments, index, accounts, steps, feeds, strategies, faults, population, expect, found stepss (did you mean steps?)',
    ],
    [
      'a word of a closed list',
      'venue: { self_match: rejct_taker }\n',
      '9:22: venue.self_match: expected one of reject_taker, cancel_maker, off, found "rejct_taker" (did you mean reject_taker?)',
    ],
    ['a truth value', 'venue: { price_bands: yes }\n', '9:23: venue.price_bands: expected true or false, found "yes"'],
    ['a seed', 'seed: 1.5\n', '9:7: seed: expected a text or a whole number such as 7, found 1.5'],
    [
      'a negative limit',
      'venue: { open_order_limits: { total: -1 } }\n',
      '9:38: venue.open_order_limits.total: expected at least 0, found -1',
    ],
    ['a list where a mapping belongs', 'expect: []\n', '9:9: expect: expected a mapping, found an empty list'],
    ['a second key', 'seed: 1\nseed: 2\n', '10:1: seed: expected each key once, found a second seed'],
    ['a tag', 'seed: !!int 2\n', '9:13: seed: expected a value without a tag, found tag:yaml.org,2002:int'],
    ['an alias without its anchor', 'seed: *one\n', '9:7: seed: expected the name of an earlier anchor, found *one'],
    ['recorded feeds', 'feeds: []\n', '9:8: feeds: expected a list with at least one entry, found an empty list'],
    [
      'more files than a run can name',
      `feeds: [{ format: tardis.incremental_book_L2, path: [${'a.csv,'.repeat(8_192)}], instrument: BTC-PERPETUAL }]\n`,
      '9:8: feeds: expected at most 8191 files in all feeds together, found 8192',
    ],
    [
      'sim/advance beside feeds',
      'feeds: [{ format: tardis.incremental_book_L2, path: a.csv, instrument: BTC-PERPETUAL }]\nsteps:\n  - { at: 1s, call: sim/advance, params: { to: 1767603602000 } }\n',
      '11:21: steps.0.call: expected no sim/advance in a run with feeds, because their rows set the clock, found "sim/advance" (give the next step a later time)',
    ],
    [
      'strategies',
      'strategies: []\n',
      '9:13: strategies: expected a list with at least one entry, found an empty list',
    ],
    ['a sweep', 'vary: {}\n', '9:1: vary: expected a section of this version, found vary (sweeps cannot be run yet)'],
  ])('%s', (_title, rest, expected) => {
    expect(mistakesAfter(rest)).toEqual([`test.yaml:${expected}`])
  })

  test('another version is refused', () => {
    expect(mistakesOf(beginning.replace('version: 1', 'version: 2'))).toEqual([
      'test.yaml:1:10: version: expected 1, found 2',
    ])
  })

  test('aliases repeat the values of their anchors, within limits', () => {
    const file = sound(`${beginning}steps:
  - { at: 0ms, as: ann, call: private/buy, params: &order { instrument_name: BTC-PERPETUAL, amount: 10, price: 99000 } }
  - { at: 1ms, as: ben, call: private/buy, params: *order }
`)
    expect(file.steps[1]?.params).toEqual(file.steps[0]?.params)
    const nested = [...'bcdefgh'].reduce(
      (text, name, index) => `${text}${name}: &${name} [${`*${'abcdefgh'[index]}, `.repeat(9)}]\n`,
      'a: &a [1]\n',
    )
    expect(mistakesOf(nested)).toContainEqual(
      expect.stringContaining('expected at most 200000 values, found more, aliases included'),
    )
    expect(mistakesOf('a: &a [*a]\n')).toContainEqual(expect.stringContaining('expected at most 50 levels'))
  })
})

describe('instruments, indices and accounts', () => {
  const head = 'version: 1\ntitle: A test\nstart: 2026-01-05T09:00:00Z\n'

  test('an override that does not exist or does not fit, with its place', () => {
    const text = `${head}index: { eth_usd: 4000 }
instruments:
  - { name: ETH-PERPETUAL, tick_sise: 0.1, max_leverage: 0 }
  - { name: ETH-PERPETUAL }
`
    expect(mistakesOf(text)).toEqual([
      'test.yaml:6:28: instruments.0.tick_sise: expected one of name, tick_size, amount_step, min_trade_amount, contract_size, maker_commission, taker_commission, delivery_commission, mark_band, impact_amount, funding_cap, funding_damper, band, max_leverage, initial_margin, maintenance_margin, route_delay_ms, speed_bump_ms, margin_slope, price_index, routing, engine, gateway, found tick_sise (did you mean tick_size?)',
      'test.yaml:6:58: instruments.0.max_leverage: expected a whole number from 1 to 1000, found 0',
      'test.yaml:7:13: instruments.1.name: expected each instrument once, found a second ETH-PERPETUAL',
    ])
  })

  test('a spot pair may be routed to another exchange', () => {
    const listed = (fields: string): string =>
      `${head}index: { btc_usdc: 100000 }\ninstruments: [{ name: BTC_USDC, ${fields} }]\n`
    const { setup } = sound(listed('routing: third_party, route_delay_ms: 2.5'))
    expect(setup[0]?.params).toEqual({
      ...{ instrument_name: 'BTC_USDC', routing: 'third_party', route_delay_ms: 2.5 },
    })
    expect(mistakesOf(listed('route_delay_ms: 2.5'))).toEqual([
      'test.yaml:5:49: instruments.0.route_delay_ms: expected routing: third_party for a delay, found 2.5',
    ])
    expect(mistakesOf(listed('routing: third'))).toEqual([
      'test.yaml:5:42: instruments.0.routing: expected venue, or third_party for a spot pair, found third',
    ])
  })

  test('each instrument needs the price of its index', () => {
    const text = `${head}instruments: [BTC-PERPETUAL]\nindex: { btc_usdt: 100000 }\n`
    expect(mistakesOf(text)).toEqual([
      'test.yaml:4:15: instruments.0: expected a price under index for btc_usd, the index of BTC-PERPETUAL, or an index feed, or from: mid if its book is recorded, found none (did you mean btc_usdt?)',
    ])
  })

  test('index prices are positive decimals, and come from this file', () => {
    const text = `${head}instruments: [BTC-PERPETUAL]\nindex: { btc_usd: 0, eth_usd: 0.1234567891, from: mid, BTC: 1 }\n`
    expect(mistakesOf(text)).toEqual([
      'test.yaml:5:19: index.btc_usd: expected a price above 0, found 0',
      'test.yaml:5:31: index.eth_usd: expected a number with up to 9 decimals, found 0.1234567891',
      'test.yaml:5:45: index.from: expected a book feed, whose mid price an index can follow, found from',
      'test.yaml:5:56: index.BTC: expected an index such as btc_usd, found BTC',
    ])
  })

  test('accounts hold currencies and positions in listed instruments', () => {
    const text = `${head}instruments: [BTC-PERPETUAL]
index: { btc_usd: 100000 }
accounts:
  house.x: {}
  ann: { deposit: { BTX: 1 }, positions: { ETH-PERPETUAL: { amount: 0, price: ten } } }
`
    expect(mistakesOf(text)).toEqual([
      'test.yaml:7:3: accounts.house.x: expected a name without dots, found house.x',
      'test.yaml:8:21: accounts.ann.deposit.BTX: expected one of BTC, ETH, USDC, USDT, EURR, SOL, XRP, STETH, USYC, PAXG, BNB, USDE, found BTX (did you mean BTC?)',
      'test.yaml:8:44: accounts.ann.positions.ETH-PERPETUAL: expected an instrument of this file, found ETH-PERPETUAL (did you mean BTC-PERPETUAL?)',
      'test.yaml:8:69: accounts.ann.positions.ETH-PERPETUAL.amount: expected an amount other than 0, found 0',
      'test.yaml:8:79: accounts.ann.positions.ETH-PERPETUAL.price: expected a number, found "ten"',
    ])
  })
})

describe('subaccounts', () => {
  const head = beginning.slice(0, beginning.indexOf('accounts:'))

  test('name another account of the file, before or after, that is no subaccount itself', () => {
    const text = `${head}accounts:
  one: { main: desk }
  desk: { deposit: { BTC: 1 } }
  own: { main: own }
  odd: { main: dsk }
  deep: { main: one }
  wrong: { main: 5 }
`
    expect(mistakesOf(text)).toEqual([
      'test.yaml:9:16: accounts.own.main: expected another account of this file, found "own"',
      'test.yaml:10:16: accounts.odd.main: expected another account of this file, found "dsk" (did you mean desk?)',
      'test.yaml:11:17: accounts.deep.main: expected an account that is not a subaccount, found "one"',
      'test.yaml:12:18: accounts.wrong.main: expected a text such as desk, found 5',
    ])
  })

  test('H03 a population has as many traders as can begin', () => {
    const text = `population:
  instrument: BTC-PERPETUAL
  duration: 4m
  index: { name: btc_usd, price: 60000, tick: 0.5, every: 4s, step: 12 }
  amount: 10
  makers: { count: 9007199, deposit: { BTC: 20 }, every: 2s, orders: 8, offset: [4, 60], size: [10, 400] }
  takers: { count: 10, deposit: { BTC: 5 }, every: 5s, size: [5, 300], limit_percent: 25 }
`
    expect(mistakesOf(`${head}${text}`).join()).toMatch(/population.makers.count: expected .*10000/)
  })

  test('a trader of the population is no main account', () => {
    const population = `population:
  instrument: BTC-PERPETUAL
  duration: 2m
  index: { name: btc_usd, price: 100000, tick: 0.5, every: 4s, step: 12 }
  amount: 10
  makers: { count: 2, deposit: { BTC: 5 }, every: 500ms, orders: 4, offset: [2, 30], size: [1, 40] }
  takers: { count: 2, deposit: { BTC: 1 }, every: 2s, size: [1, 20], limit_percent: 25 }
`
    expect(mistakesOf(`${head}accounts: { one: { main: maker-1 } }\n${population}`)).toEqual([
      'test.yaml:6:26: accounts.one.main: expected another account of this file, found "maker-1"',
    ])
  })

  test('a setting against self-trading has a mode of the venue', () => {
    const text = `${head}accounts:
  one: { self_trading: { mode: off } }
  two: { self_trading: { extended_to_subaccounts: 1 } }
`
    expect(mistakesOf(text)).toEqual([
      'test.yaml:7:32: accounts.one.self_trading.mode: expected one of reject_taker, cancel_maker, found "off"',
      'test.yaml:8:24: accounts.two.self_trading.mode: expected one of reject_taker, cancel_maker, found nothing',
      'test.yaml:8:51: accounts.two.self_trading.extended_to_subaccounts: expected true or false, found 1',
    ])
  })
})

describe('steps', () => {
  test.each([
    [
      'a step without a time',
      '{ call: public/get_time }',
      '10:5: steps.0.at: expected the time of the step, such as at: 0ms or after: 5ms, found nothing',
    ],
    [
      'a step with two times',
      '{ at: 1ms, after: 1ms, call: public/get_time }',
      '10:16: steps.0.after: expected either at or after, found both',
    ],
    [
      'a time that is none',
      '{ at: soon, call: public/get_time }',
      '10:11: steps.0.at: expected a duration such as 250us, 5ms, 1.5s, 2m, 3h or 1d, or a time such as 2026-01-05T08:00:00Z, found "soon"',
    ],
    ['a number as time', '{ at: 5, call: public/get_time }', '10:11: steps.0.at: expected a text such as 0ms, found 5'],
    [
      'a time before the start',
      '{ at: 2026-01-05T08:59:59Z, call: public/get_time }',
      '10:11: steps.0.at: expected a time not before the start, 2026-01-05T09:00:00Z, found "2026-01-05T08:59:59Z"',
    ],
    [
      'a method that does not exist',
      '{ at: 0ms, call: public/tiker }',
      '10:22: steps.0.call: expected a method of the venue or a sim/ method, found "public/tiker" (did you mean public/ticker?)',
    ],
    [
      'a private method without an account',
      '{ at: 0ms, call: private/cancel_all }',
      '10:5: steps.0.as: expected an account, because the method is private, found nothing',
    ],
    [
      'an expectation of nothing',
      '{ at: 0ms, call: public/get_time, expect: {} }',
      '10:47: steps.0.expect: expected either result or error, found neither',
    ],
    [
      'a save from nowhere',
      '{ at: 0ms, call: public/get_time, save: { t: time } }',
      '10:50: steps.0.save.t: expected a part of the reply such as result.order.order_id, found "time"',
    ],
    [
      'a saved value that no step saved',
      '{ at: 0ms, as: ann, call: private/cancel, params: { order_id: $order } }',
      '10:67: steps.0.params.order_id: expected a value that an earlier step saves as order, found "$order"',
    ],
    [
      'a dollar alone',
      '{ at: 0ms, as: ann, call: private/cancel, params: { order_id: US$ } }',
      '10:67: steps.0.params.order_id: expected a name after each $, found "US$" (write $$ for a dollar sign)',
    ],
  ])('%s', (_title, step, expected) => {
    expect(mistakesAfter(`steps:\n  - ${step}\n`)).toEqual([`test.yaml:${expected}`])
  })

  test('times do not fall and do not pass the end', () => {
    const rest = `until: 10ms
steps:
  - { at: 5ms, call: public/get_time }
  - { at: 4ms, call: public/get_time }
  - { after: 1ms, call: public/get_time }
  - { after: 5ms, call: public/get_time }
`
    expect(mistakesAfter(rest)).toEqual([
      'test.yaml:12:11: steps.1.at: expected a time not before the previous step, 2026-01-05T09:00:00.005Z, found "4ms"',
      'test.yaml:14:14: steps.3.after: expected a time at or before until, 2026-01-05T09:00:00.010Z, found "5ms"',
    ])
  })

  test('nothing is too late after a start that is wrong itself', () => {
    const text = beginning.replace('start: 2026-01-05T09:00:00Z', 'start: soon')
    const rest = `${text}until: 2026-01-05T11:00:00Z\nfaults: []\nsteps:\n  - { at: 2026-01-05T10:00:00Z, call: public/get_time }\n`
    expect(mistakesOf(rest)).toEqual([expect.stringContaining('start: expected an ISO 8601 time')])
  })

  test('offsets, ISO times and steps after one another give times', () => {
    const { steps, start, until } = sound(`${beginning}until: 2026-01-05T11:00:00+01:00
steps:
  - { at: 250us, call: public/get_time }
  - { at: 2026-01-05T09:00:01Z, call: public/get_time }
  - { after: 0ms, call: public/get_time }
  - { after: 1.5s, call: public/get_time }
`)
    expect(steps.map(({ time }) => time - start)).toEqual([250, 1_000_000, 1_000_000, 2_500_000])
    expect(until === null ? null : formatIsoTime(until)).toBe('2026-01-05T10:00:00Z')
  })

  test('wrong values of known parameters pass unchanged', () => {
    const { steps } = sound(`${beginning}steps:
  - { at: 0ms, as: ann, call: private/buy, params: { amount: [lots], price: "0x10", label: 5, type: ~ } }
`)
    expect(steps[0]?.params).toEqual({ amount: ['lots'], price: '0x10', label: 5, type: null })
  })

  test('an account or instrument that a step makes may be named from then on', () => {
    const rest = `steps:
  - { at: 0ms, as: cem, call: private/cancel_all }
  - { at: 0ms, call: sim/create_account, params: { name: cem } }
  - { at: 0ms, as: cem, call: private/cancel_all }
  - { at: 0ms, call: sim/list_instrument, params: { instrument_name: ETH-PERPETUAL } }
expect:
  instruments: { ETH-PERPETUAL: { ticker: {} }, SOL_USDC: { ticker: {} } }
  accounts: { dan: {}, cem: { positions: { ETH-PERPETUL: {} }, account_summary: { DOGE: {} } } }
`
    expect(mistakesAfter(rest)).toEqual([
      'test.yaml:10:20: steps.0.as: expected an account of this file, found "cem"',
      'test.yaml:15:49: expect.instruments.SOL_USDC: expected an instrument of this file, found SOL_USDC',
      'test.yaml:16:15: expect.accounts.dan: expected an account of this file, found dan',
      'test.yaml:16:44: expect.accounts.cem.positions.ETH-PERPETUL: expected an instrument of this file, found ETH-PERPETUL (did you mean ETH-PERPETUAL?)',
      'test.yaml:16:83: expect.accounts.cem.account_summary.DOGE: expected a currency that the account summary supports, found DOGE',
    ])
  })
})
