/**
 * Numbers in commands of programs: `apply` carries out a command or throws an error with a code. No number reaches an
 * assertion. The fields come from the declared rules, and each kind of command has a sample.
 */
import { describe, expect, test } from 'vitest'
import { AssertionFailure, sequence } from '../../../src/core/index.ts'
import { apply, lastSequenceOf, timeOf } from '../../../src/engine/index.ts'
import {
  anyOrder,
  type Command,
  type CommandKind,
  commandNumbers,
  type NumberRule,
  type PartRule,
  sinkOf,
  specFromName,
  usualRole,
  usualTerms,
} from '../../../src/model/index.ts'
import { type Market, market, start } from '../../support/harness.ts'
import { sampleOf } from '../../support/property-runs.ts'

/** Values of fields, by name. */
type Fields = Readonly<Record<string, unknown>>

const OPTION_NAME = 'BTC-27MAR26-60000-C'
const PERPETUAL = 0
const OPTION = 1

function open(): Market {
  const opened = market({
    instruments: { 'BTC-PERPETUAL': {}, [OPTION_NAME]: {} },
    accounts: { alice: { BTC: '10' }, bob: { BTC: '10' } },
    index: { btc_usd: '60000' },
  })
  opened.openAccount('sub', 'alice')
  opened.buy('alice', { amount: '10', price: '59000' })
  opened.sell('bob', { amount: '10', price: '61000' })
  return opened
}

const { exchange } = open()
const alice = exchange.accountIds.get('alice')
const bob = exchange.accountIds.get('bob')
const sub = exchange.accountIds.get('sub')
const [order] = open()
  .openOrders('alice')
  .map((view) => view.order.id)

function specOf(name: string): Fields {
  const spec = specFromName(name, { creation: start })
  if (!spec.ok) throw new Error(spec.error)
  const { detail } = spec.value
  const some = { stepLots: 1, tickSteps: [{ above: 1_000_000_000_000, tick9: 1_000_000_000 }] }
  const steps = { tickSteps: some.tickSteps, minTradeLots: 1 }
  return { ...spec.value, ...some, detail, listedSteps: steps, routeDelay: null }
}

const trigger = { source: 'last_price', price: 130_000, offset: null }
const terms = { ...usualTerms, price: 119_000, amount: 10 }
const placement = { ...terms, instrument: PERPETUAL, display: 0, validUntil: null, extras: null }
const leg = { instrument: PERPETUAL, side: 'buy', price: 60_000_000_000_000, amount: 1000 }
const side = { price: 118_000, amount: 10, postOnly: 'off', fault: null }
const block = {
  ...{ role: 'maker', timestamp: start, nonce: 'n', legs: [leg] },
  ...{ needsApproval: false, appName: null },
}
const rfqLegs = [{ instrument: OPTION, side: 'buy', ratio: 1 }]
const quote = {
  ...{ amount9: 25_000_000_000n, price9: 10_000_000n, hedge: leg },
  legs: [{ instrument: OPTION, side: 'buy', ratio: 1, price: 10_000_000 }],
}
const details = {
  ...{
    label: 'own',
    vaspName: 'v',
    vaspDid: 'd',
    vaspWebsite: null,
    firstName: 'A',
    lastName: 'B',
  },
  ...{ companyName: null, beneficiaryAddress: 'here', agreed: true, personal: true },
}
const choice = {
  ...{ currency: 'BTC', type: 'withdrawal', address: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT' },
  ...{ network: null, tag: null, id: null },
}
const key = { index: 'btc_usd', name: null, blockRfq: false }

/** The bodies of samples of a kind, which together hold each field. */
const samples: { readonly [K in CommandKind]: readonly Fields[] } = {
  place_order: [
    { ...placement, linked: null },
    {
      ...placement,
      linked: {
        ...{ type: 'one_triggers_one_cancels_other', condition: 'first_hit' },
        secondaries: [
          { ...terms, side: 'sell', type: 'stop_market', price: null, trigger },
          { ...terms, side: 'sell', price: 122_000 },
        ],
      },
      validUntil: 2 * start,
    },
    {
      ...placement,
      linked: {
        ...{ type: 'one_triggers_other', condition: 'first_hit' },
        secondaries: [
          {
            ...{ ...terms, side: 'sell', type: 'trailing_stop', price: null },
            trigger: { ...trigger, price: null, offset: 100 },
          },
        ],
      },
    },
    {
      ...{ ...placement, instrument: OPTION, price: 400, amount: 1 },
      linked: {
        ...{ type: 'one_triggers_other', condition: 'first_hit' },
        secondaries: [{ ...terms, price: null, amount: 1, advanced: { type: 'implv', value9: 600_000_000 } }],
      },
    },
    { ...placement, type: 'stop_limit', trigger: { ...trigger, price: 122_000 }, linked: null },
    {
      ...placement,
      ...{ type: 'trailing_stop', price: null, linked: null },
      trigger: { ...trigger, price: null, offset: 100 },
    },
    {
      ...{ ...placement, instrument: OPTION, price: null, amount: 1, linked: null },
      advanced: { type: 'implv', value9: 600_000_000 },
    },
    {
      ...{ ...placement, linked: null, session: 1 },
      extras: {
        ...{ mmp: false, resetMmp: false, lasting: null },
        direct: {
          ...{ clientOrderId: 'c', cancelOnDisconnect: true, settlements: 1 },
          outlivedUntil: start,
        },
      },
    },
  ],
  edit_order: [
    {
      ...{ order, amount: 10, price: 118_500, advanced: null, postOnly: null, reduceOnly: null },
      ...{ display: null, triggerPrice: null, triggerOffset: null, mmp: null, validUntil: null },
    },
    {
      ...{ order, amount: null, price: null, postOnly: null, reduceOnly: null, mmp: null },
      ...{ advanced: { type: 'usd', value9: 1 }, display: 10, triggerPrice: 1, triggerOffset: 1 },
      validUntil: 2 * start,
    },
  ],
  cancel_order: [{ order }],
  cancel_orders: [{ filter: { ...anyOrder, instrument: PERPETUAL }, freezesQuotes: false }],
  query: [{}],
  open_account: [{ name: 'new', marginModel: 'segregated_sm', main: alice, feePpm: 1_000_000 }],
  set_self_trading: [{ mode: 'cancel_maker', extended: false }],
  set_instrument_state: [{ instrument: PERPETUAL, state: 'halted' }],
  rescale_instrument: [{ instrument: PERPETUAL, tick9: 1_000_000_000, amountStep9: 20_000_000_000 }],
  list_instrument: [
    { spec: specOf('ETH-PERPETUAL'), queue: null },
    { spec: specOf('BTC-27MAR26-70000-C'), queue: null },
    { spec: specOf('BTC-27MAR26'), queue: null },
    { spec: specOf('ETH_USDC'), queue: null },
    { spec: specOf('BTC-CS-27MAR26-60000_70000'), queue: null },
  ],
  deposit: [{ target: alice, currency: 'BTC', amount: 1_000_000_000n }],
  give_position: [{ target: alice, instrument: PERPETUAL, size: 100, price: 60_000_000_000_000 }],
  set_index: [{ index: 'btc_usd', price: 61_000_000_000_000 }],
  follow_mid: [{ index: 'btc_usd', instrument: PERPETUAL }],
  set_mark: [
    { instrument: PERPETUAL, price: 60_000_000_000_000 },
    { instrument: OPTION, price: 50_000_000 },
  ],
  create_combo: [{ spec: specOf('BTC-CS-27MAR26-60000_70000') }],
  move_positions: [
    {
      ...{ source: alice, target: sub },
      positions: [{ instrument: PERPETUAL, amount: 1, price: 60_000_000_000_000 }],
    },
  ],
  transfer_cash: [{ source: alice, target: sub, currency: 'BTC', amount: 1_000_000_000n, nonce: null }],
  set_lsp_participant: [
    {
      ...{ target: alice, enabled: true },
      limitsPpm: {
        ...{ tier_1: 1, tier_2: 1, tier_3: 1, tier_4: 1, tier_5: 1, tier_6: 1 },
        rwa: 1,
      },
    },
  ],
  advance_time: [{ to: start + 1_000_000 }],
  open_session: [
    {
      ...{ opened: 1, type: 'json_rpc', target: alice, gateway: null, schemaVersion: 0 },
      ...{ cancelOnDisconnect: false, mobile: false },
    },
  ],
  close_session: [{ closed: 1, how: 'disconnect' }],
  set_cancel_on_disconnect: [{ scope: 'account', enabled: true }],
  set_mmp_config: [
    {
      key,
      config: {
        ...{ interval: 1_000_000, frozenTime: 1_000_000, quantity9: 1_000_000_000 },
        ...{ delta9: 1_000_000_000, vega9: 1_000_000_000, maxQuote9: 1_000_000_000, tradeCount: 3 },
      },
    },
  ],
  reset_mmp: [{ key }],
  mass_quote: [
    {
      ...{ quoteId: 'q', group: '', resetMmp: false, waits: false, validUntil: 2 * start },
      quotes: [
        {
          ...{ instrument: PERPETUAL, quoteSetId: '1', bid: side },
          ask: { ...side, price: 123_000 },
        },
      ],
    },
    { quoteId: 'q', group: 1, quotes: [], resetMmp: false, waits: false, validUntil: null },
  ],
  cancel_quotes: [
    {
      freeze: false,
      filter: {
        ...{ group: 1, side: null, delta: { min9: 0, max9: 1 }, quoteSetId: null },
        ...{ instrument: PERPETUAL, kinds: null, currencies: null, pair: null },
      },
    },
  ],
  lock_portfolio: [{ target: alice, locked: true }],
  set_permissions: [{ target: alice, member: true, mmp: null, massQuotes: true }],
  lock_account: [{ target: alice, lock: 'positions', locked: true }],
  set_disabled_products: [{ target: alice, products: [] }],
  trim_orders: [{ target: alice }],
  set_risk_limits: [
    {
      ...{ target: alice, index: 'btc_usd' },
      limits: { futurePosition9: 1, optionPosition9: 1, futureOrder9: 1, optionOrder9: 1 },
    },
  ],
  set_gateway_switch: [{ switch: { type: 'maintenance' }, on: true }],
  sign_block_trade: [block],
  execute_block_trade: [{ ...block, signature: '1' }],
  invalidate_block_signature: [{ signature: '1' }],
  answer_block_trade: [{ role: 'maker', timestamp: start, nonce: 'n', answer: 'approve', needsApproval: false }],
  create_key: [
    {
      ...{ target: alice, name: 'k', title: null },
      terms: { scopes: null, features: [], appName: null, enabled: true, addresses: [] },
    },
  ],
  change_key: [{ key: 0, changes: { title: 'new' } }],
  remove_key: [{ key: 1 }],
  set_profile: [{ target: alice, profile: { email: null } }],
  remove_account: [{ target: sub }],
  change_margin_model: [{ target: alice, marginModel: 'segregated_pm', isTrial: false }],
  create_block_rfq: [
    {
      legs: [{ instrument: OPTION, side: 'buy', amount: 250 }],
      ...{ hedge: leg, label: '', makers: [], disclosed: false, appName: null },
      allocations: [{ account: alice, client: { id: 1, name: 'c' }, amount9: 25_000_000_000n }],
    },
  ],
  cancel_block_rfq: [{ rfq: 1 }],
  accept_block_rfq: [
    {
      ...{ rfq: 1, side: 'buy', price9: 10_000_000n, amount9: 25_000_000_000n },
      ...{ legs: rfqLegs, hedge: leg, rests: false },
    },
  ],
  cancel_rfq_trigger: [{ rfq: 1 }],
  add_rfq_quote: [
    {
      ...quote,
      ...{ rfq: 1, side: 'sell', label: '', allOrNone: false, expiresAt: 2 * start, appName: null },
    },
  ],
  edit_rfq_quote: [
    { ...quote, named: { quote: 1 } },
    { ...quote, named: { rfq: 1, label: 'l' } },
  ],
  cancel_rfq_quote: [{ named: { quote: 1 } }, { named: { rfq: 1, label: 'l' } }],
  cancel_rfq_quotes: [{ rfq: 1 }],
  set_rfq_party: [
    {
      target: alice,
      role: {
        ...{ ...usualRole, broker: bob },
        quoteLimits: [{ kind: 'option', pair: 'BTC_USD', amount9: 1_000_000_000 }],
      },
    },
    { target: alice, role: { broker: null } },
    { target: alice, role: {} },
  ],
  add_address: [
    {
      ...{ currency: 'BTC', type: 'withdrawal', address: 'a', network: null, tag: null },
      ...{ details, also: null },
    },
  ],
  update_address: [{ choice, details }],
  remove_address: [{ choice }],
  set_address: [{ target: alice, choice, status: null, needsConfirmation: null }],
  set_wallet: [{ target: alice, wallet: 'legacy' }],
  create_deposit_address: [{ currency: 'BTC' }],
  receive_deposit: [
    {
      ...{ target: alice, currency: 'BTC', amount: 1_000_000_000n },
      ...{ source: null, transaction: null, note: null },
    },
  ],
  withdraw: [
    {
      ...{ currency: 'BTC', address: 'a', network: null, tag: null, amount: 1_000_000_000n },
      ...{ priority: 'mid', nonce: null },
    },
  ],
  submit_transfer: [{ currency: 'BTC', destination: 'bob', amount: 1_000_000_000n, nonce: null }],
  cancel_payment: [{ type: 'withdrawal', currency: 'BTC', payment: 1 }],
  move_payment: [{ type: 'withdrawal', payment: 1, state: 'confirmed' }],
  hold_transfers: [{ held: true }],
}

const kinds = Object.keys(samples) as CommandKind[]

/** The places of all declared numbers of a rule, as paths into a command; lists have an element. */
function pathsOf(fields: object, before: readonly string[] = []): readonly (readonly string[])[] {
  return Object.entries(fields as Record<string, NumberRule | PartRule>).flatMap(([name, rule]) => {
    const path = [...before, name]
    if (rule.rule === 'number') return [path]
    return pathsOf(rule.fields as object, rule.rule === 'list' ? [...path, '0'] : path)
  })
}

/** A copy with another value at a place; undefined if the sample has no such place. */
function planted(value: unknown, [name, ...rest]: readonly string[], bad: unknown): unknown {
  if (name === undefined) return bad
  if (typeof value !== 'object' || value === null) return undefined
  const inner = planted((value as Fields)[name], rest, bad)
  if (rest.length > 0 && inner === undefined) return undefined
  if (Array.isArray(value)) return [inner, ...value.slice(1)]
  return { ...value, [name]: inner }
}

const header = (opened: Market): Fields => ({
  time: timeOf(opened.exchange),
  sequence: sequence(lastSequenceOf(opened.exchange) + 1),
  account: alice,
  session: 0,
  fault: null,
})

const badNumbers = [
  ...[Number.NaN, 0.5, -1, 0, -0, 1, 999, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 1e300, -1e300],
  ...[Number.POSITIVE_INFINITY, '5', '', 'x', undefined, null, true, {}, [], 5n, -5n, 2n ** 100n],
]

/** The error of a command, in words; null if it was carried out. */
function errorOf(opened: Market, command: Fields): string | null {
  try {
    apply(opened.exchange, command as unknown as Command, sinkOf({}))
    return null
  } catch (error) {
    if (error instanceof AssertionFailure || !(error instanceof RangeError)) {
      return `${error instanceof Error ? error.stack : error}`
    }
    expect((error as { code?: string }).code).toMatch(/^(OPTION|TIME)$/)
    return error.message
  }
}

describe('43 numbers of commands', () => {
  test.each(kinds)('%s has samples with each declared number', (kind) => {
    for (const body of samples[kind]) {
      const opened = open()
      expect(errorOf(opened, { ...header(opened), kind, ...body })).toBe(null)
    }
    // A combo has the terms of any instrument.
    const fields = kind === 'create_combo' ? {} : commandNumbers[kind]
    const missing = pathsOf(fields).filter((path) =>
      samples[kind].every((body) => planted(body, path, 'x') === undefined),
    )
    expect(missing).toEqual([])
  })

  test('an error lists each wrong number with its bounds', () => {
    const opened = open()
    const body = { ...placement, linked: null, price: 18_014_399, amount: '5', display: undefined }
    const command = { ...header(opened), kind: 'place_order', ...body }
    expect(errorOf(opened, command)).toBe(
      'place_order: price: expected a whole number from -18014398 to 18014398, found 18014399; ' +
        'amount: expected a whole number from 0 to 9007199254740991, found "5"; ' +
        'display: expected a whole number from 0 to 9007199254740991, found none',
    )
  })

  test.each(kinds)('%s: no number reaches an assertion', (kind) => {
    const found: unknown[] = []
    for (const body of samples[kind]) {
      let opened = open()
      const command = { ...header(opened), kind, ...body }
      const own = pathsOf(commandNumbers[kind])
      for (const path of [...own, ['account'], ['session'], ['time'], ['sequence']]) {
        for (const bad of sampleOf(badNumbers, 4)) {
          if (planted(command, path, 'x') === undefined) continue
          // A clock that moves for millions of years runs all timers until then.
          if (/^(time|to)$/.test(path[0] ?? '') && Number(bad) === 2 ** 53 - 1) continue
          const error = errorOf(opened, planted(command, path, bad) as Fields)
          const isNamed = error?.includes(`expected`) && error.includes('found')
          // A refused argument changes nothing.
          if (error === null) opened = open()
          if (error !== null && !isNamed) found.push([path.join('.'), bad, error.slice(0, 400)])
        }
      }
    }
    expect(found.slice(0, 6)).toEqual([])
  })
})
