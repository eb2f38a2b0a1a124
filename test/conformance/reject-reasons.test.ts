/**
 * The reject reasons of binary order entry: each number has engine reasons that lead to it, or a note that the
 * simulator never causes it. Source: sessions-blocks-gateways.md 8.4, 8.7, 8.13; trading.md 9.2.
 */
import { describe, expect, test } from 'vitest'
import { cancelReasonOf, cancelWordsOf, directError, rejectError } from '../../src/gateways/refusals.ts'
import { type DirectNames, type ReasonTable, type RejectReason, reasonIn, refusals } from '../../src/model/index.ts'
import { reasonTables, reasonVersions } from '../../src/model/words/direct-names.ts'
import { directMarket, future, perpetual, rejectOf } from '../support/direct-market.ts'

/** Reasons that the simulator never causes. */
const neverCaused: { readonly [T in ReasonTable]?: { readonly [name: string]: string } } = {
  NewOrderReject: {
    PORTFOLIO_NOT_FOUND: 'a session is opened for a portfolio that exists, and accounts never go',
    INVALID_MARGIN_MODE: 'every margin model trades on the alternative engine',
    RISK_CHECK_TIMED_OUT: 'checks take no virtual time',
    INVALID_ALLOCATIONS: 'orders are of one portfolio and not allocated',
  },
  CancelOrderReject: {
    CLIENT_PERMISSION_ERROR: 'cancels need no permission beside the session',
    CANCEL_PENDING: 'a cancel is done in its own instant',
  },
  MassCancelReject: {},
  Reject: {
    INVALID_SCHEMA_ID: 'bytes alone have a schema id, which their encoder tells',
    INVALID_BLOCK_LENGTH: 'bytes alone have lengths of blocks',
  },
  CancelReason: {
    MARKET_STATE_TRANSITION: 'states of books end orders as delivered, settled or deactivated',
    REDUCE_ONLY: 'orders of direct access are never reduce-only (8.5)',
    RISK_CHECK_TIMED_OUT: 'checks take no virtual time',
    QTY_TICK_SIZE_RESCALE: 'an instrument keeps its sizes for a run',
  },
}

/** The column of the table of refusals that belongs to each reject message. */
const columns = {
  NewOrderReject: 'order',
  AmendOrderReject: 'order',
  CancelOrderReject: 'cancel',
  MassQuoteReject: 'massQuote',
  MassCancelReject: 'massCancel',
  MassQuoteMmpStatusReject: 'mmpStatus',
  OrdersMmpStatusReject: 'mmpStatus',
  Reject: 'message',
} as const satisfies { readonly [table: string]: keyof DirectNames }

const rows = Object.entries(refusals) as [RejectReason, (typeof refusals)[RejectReason]][]

/** The names of a table to which engine reasons lead. */
function reachable(table: ReasonTable): ReadonlySet<string> {
  if (table === 'CancelReason') {
    return new Set([...Object.values(cancelWordsOf), 'BOOK_DEACTIVATED', 'MMP_GROUP_DELETED'])
  }
  return new Set(rows.flatMap(([, { direct }]) => direct[columns[table]] ?? []))
}

describe('direct.reasons', () => {
  test('S303 S304 S305 S306 S307 every number has an engine reason, or is listed as never caused', () => {
    for (const table of Object.keys(reasonTables) as ReasonTable[]) {
      const sort = table.replace('AmendOrder', 'NewOrder') as ReasonTable
      const never = neverCaused[sort] ?? {}
      const found = reachable(table)
      for (const name of Object.keys(reasonTables[table])) {
        // An engine reason may exist before the simulator can cause it.
        const isNamed = Object.hasOwn(never, name)
        expect(found.has(name) || isNamed, `${table} ${name}`).toBe(true)
      }
      for (const name of Object.keys(never)) {
        expect(Object.hasOwn(reasonTables[sort], name), `${sort} ${name}`).toBe(true)
      }
    }
  })

  test('numbers of a table are unique and without gaps', () => {
    for (const [table, numbers] of Object.entries(reasonTables)) {
      const first = table === 'Reject' ? 1 : 0
      const expected = Object.keys(numbers).map((_name, at) => first + at)
      expect(Object.values(numbers), table).toEqual(expected)
    }
  })

  test('every reason of a table is sent with the number of its name', () => {
    for (const [table, column] of Object.entries(columns)) {
      for (const [word, { direct }] of rows) {
        const name = direct[column]
        if (name === null) continue
        const error = rejectError(table as 'Reject', word, 19)
        const numbers: { readonly [name: string]: number } = reasonTables[table as 'Reject']
        expect(error).toEqual({
          code: numbers[name],
          message: name,
          data: { reason: word, reject: table },
        })
      }
    }
  })

  test('a reason without a number is sent as a system error with its text', () => {
    expect(directError('NewOrderRequest', { reason: 'no_adv_postonly' }, 19)).toEqual({
      code: 0,
      message: 'SYSTEM_ERROR',
      data: { reason: 'no_adv_postonly', reject: 'NewOrderReject' },
    })
    expect(directError('MassCancelRequest', { reason: 'retry' }, 19)).toMatchObject({
      code: 0,
      message: 'ERROR',
    })
  })

  test('a cancelled order shows whether its book or its group was removed', () => {
    const plain = { isBookGone: false, isGroupGone: false, version: 19 }
    expect(cancelReasonOf('risk_mitigation', plain.isBookGone, plain.isGroupGone, plain.version)).toEqual({
      code: 1,
      name: 'SELF_MATCH_PREVENTION',
    })
    expect(cancelReasonOf('risk_mitigation', true, plain.isGroupGone, plain.version).code).toBe(11)
    expect(cancelReasonOf('mmp_config_curtailment', plain.isBookGone, plain.isGroupGone, plain.version).code).toBe(4)
    expect(cancelReasonOf('mmp_config_curtailment', plain.isBookGone, true, plain.version).code).toBe(14)
    expect(cancelReasonOf('user_request', true, plain.isGroupGone, plain.version).code).toBe(12)
  })
})

describe('direct.version-gates', () => {
  test('S324 S328 S329 S332 each newer reason is replaced by an older one for older versions', () => {
    const rows = [
      ['NewOrderReject', 'CANCEL_ONLY', 18, 31, 7],
      ['AmendOrderReject', 'CANCEL_ONLY', 18, 31, 7],
      ['NewOrderReject', 'MMP_MIN_FREEZE_TIME_NOT_ELAPSED', 15, 30, 15],
      ['AmendOrderReject', 'MMP_MIN_FREEZE_TIME_NOT_ELAPSED', 15, 30, 15],
      ['MassQuoteReject', 'MMP_MIN_FREEZE_TIME_NOT_ELAPSED', 15, 9, 3],
      ['Reject', 'GATEWAY_NOT_ACTIVE', 14, 6, 5],
      ['CancelReason', 'QTY_TICK_SIZE_RESCALE', 9, 17, 3],
    ] as const
    for (const [table, name, since, code, older] of rows) {
      const at = (version: number): number => reasonIn(table, name as never, version).code
      expect([at(since - 1), at(since)], `${table} ${name}`).toEqual([older, code])
    }
    const gates = Object.values(reasonVersions).flatMap((gate) => Object.keys(gate))
    expect(gates).toHaveLength(rows.length)
  })
})

describe('direct.order-rejects', () => {
  test('S303 reject reasons of orders that no other test covers', () => {
    const m = directMarket()
    const iceberg = {
      instrument_name: 'ETH-27MAR26-3000-C',
      price: 0.1,
      amount: 100,
      show_amount: 10,
    }
    expect(m.refusal('alice', 1, iceberg)).toBe('20 ICEBERG_NOT_ALLOWED NewOrderReject')
    expect(m.refusal('alice', 1, { show_amount: -5 })).toBe('2 INVALID_FIELD NewOrderReject')
    expect(m.refusal('alice', 1, { price: 2000, side: 'sell' })).toBe('23 PRICE_TOO_LOW NewOrderReject')
    expect(m.refusal('alice', 1, { flags: ['mmp'] })).toBe('13 MMP_NOT_CONFIGURED NewOrderReject')
    const amend = m.error('alice', 'sim/direct/amend_order', { client_order_id: 9, amount: 1 }, 1)
    expect(rejectOf(amend)).toBe('12 ORDER_NOT_FOUND AmendOrderReject')
    m.result('alice', 'private/set_mmp_config', {
      ...{ index_name: 'eth_usd', interval: 10, frozen_time: 10, quantity_limit: 0.1 },
      max_quote_quantity: 1,
    })
    expect(m.refusal('alice', 1, { amount: 9000, flags: ['mmp'] })).toBe('14 MMP_MAX_QUOTE_QTY_EXCEEDED NewOrderReject')
    m.place('alice', 1, { flags: ['mmp'] })
    m.place('bob', 1, { side: 'sell' })
    expect(m.refusal('alice', 2, { flags: ['mmp', 'reset_mmp'] })).toBe(
      '30 MMP_MIN_FREEZE_TIME_NOT_ELAPSED NewOrderReject',
    )
    m.venue.wait('1s')
    expect(m.refusal('alice', 2, { flags: ['mmp'] })).toBe('15 MMP_GROUP_FROZEN NewOrderReject')
    m.place('alice', 2, { flags: ['mmp', 'reset_mmp'] })
  })

  test('R52 R53 a lock by staff counts as a permission (10), not as a liquidation (17)', () => {
    const m = directMarket()
    m.place('alice', 1)
    m.result(null, 'sim/lock_positions', { account: 'alice' })
    expect(m.refusal('alice', 2)).toBe('10 PERMISSION_ERROR NewOrderReject')
    const quotes = [{ instrument_name: perpetual, bid_price: 2970, bid_amount: 10 }]
    const mass = { quote_id: 1, mmp_group_id: 1, quotes }
    const massQuote = (): string => rejectOf(m.error('alice', 'sim/direct/mass_quote', mass, 1))
    expect(massQuote()).toBe('7 PORTFOLIO_LOCKED MassQuoteReject')
    m.result(null, 'sim/lock_positions', { account: 'alice', locked: false })
    expect(massQuote()).toBe('1 INVALID_MMP_GROUP MassQuoteReject')
    m.result(null, 'sim/set_permissions', { account: 'alice', mass_quotes: false })
    expect(massQuote()).toBe('2 MMP_GROUP_DISABLED MassQuoteReject')
    expect(directError('NewOrderRequest', { reason: 'account_locked' }, 19).code).toBe(17)

    m.result(null, 'sim/create_account', { name: 'pam', margin_model: 'segregated_pm' })
    m.result(null, 'sim/deposit', { account: 'pam', currency: 'ETH', amount: 100 })
    m.result(null, 'sim/set_permissions', { account: 'pam', member: true })
    m.connect(3, { account: 'pam' })
    m.result(null, 'sim/lock_portfolio_margin', { account: 'pam' })
    const order = { client_order_id: 1, instrument_name: perpetual, side: 'buy' }
    const terms = { ...order, amount: 10, price: 2970 }
    expect(rejectOf(m.error('pam', 'sim/direct/new_order', terms, 3))).toBe('10 PERMISSION_ERROR NewOrderReject')
    m.result(null, 'sim/lock_portfolio_margin', { account: 'pam', locked: false })
    expect(m.result('pam', 'sim/direct/new_order', terms, 3)).toMatchObject({ status: 'active' })
  })

  test('an order that would match an own order, outside the speed bump, has a wrong price', () => {
    const m = directMarket()
    m.place('alice', 1)
    expect(m.refusal('alice', 2, { side: 'sell' })).toBe('6 INVALID_PRICE NewOrderReject')
  })

  test('S325 below version 11 the flag that ends a freeze is ignored (R60)', () => {
    const m = directMarket()
    m.connect(3, { account: 'alice', gateway: 'ETH_B', schema_version: 10 })
    m.result('alice', 'private/set_mmp_config', {
      ...{ index_name: 'eth_usd', interval: 10, frozen_time: 10, quantity_limit: 0.1 },
      max_quote_quantity: 100,
    })
    m.place('alice', 1, { flags: ['mmp'] })
    m.place('bob', 1, { side: 'sell' })
    m.venue.wait('1s')
    const order = {
      ...{ client_order_id: 2, instrument_name: perpetual, side: 'buy', price: 2970, amount: 1000 },
      flags: ['mmp', 'reset_mmp'],
    }
    expect(rejectOf(m.error('alice', 'sim/direct/new_order', order, 3))).toBe('15 MMP_GROUP_FROZEN NewOrderReject')
  })

  test('S302 S303 a Member has a limit of orders behind the speed bump', () => {
    const m = directMarket({ config: { bumpLimits: { member: 1, queue: 10 } } })
    m.place('bob', 1, { instrument_name: future, side: 'sell', price: 3010 })
    m.place('alice', 1, { instrument_name: future, price: 3010, amount: 1 })
    expect(m.refusal('alice', 2, { instrument_name: future, price: 3010, amount: 1 })).toBe(
      '29 MEMBER_SPEED_BUMP_LIMIT_EXCEEDED NewOrderReject',
    )
  })
})
