/**
 * The table of messages of direct access matches requests and replies: it lists every field that they use, and they use
 * every listed field if it applies. Source: sessions-blocks-gateways.md 8.4-8.6, 8.13.
 */
import { describe, expect, test } from 'vitest'
import {
  findMethod,
  type GatewayMessage,
  gatewayMessages,
  type MessageField,
  methodNames,
} from '../../src/gateways/index.ts'
import { directMessages } from '../../src/model/index.ts'
import { reasonTables } from '../../src/model/words/direct-names.ts'
import type { Json } from '../support/desk-market.ts'
import { type DirectMarket, directMarket, future, perpetual } from '../support/direct-market.ts'

const messages: readonly (readonly [string, GatewayMessage])[] = Object.entries(gatewayMessages)

/** Fields of the simulator or of the frame of a message, which no message lists. */
const ofSimulator = ['message', 'template', 'sequence', 'timestamp', 'timestamp_ns', 'is_frozen']

/** Every field of a message. Fields of parts and rows have their path. */
function wordsIn(value: Json, path = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each) => wordsIn(each, path))
  if (typeof value !== 'object' || value === null) return [path]
  // A reason or a trigger is a number with its name.
  if ('code' in value && 'name' in value) return [path]
  return Object.entries(value).flatMap(([key, part]) => wordsIn(part, `${path}.${key}`))
}

/** Every field that a table lists for a message of a version. */
function wordsOf(fields: readonly MessageField[], path = ''): readonly string[] {
  return fields.flatMap(({ word, rows }) => {
    if (word === null) return []
    return rows.length === 0 ? [`${path}.${word}`] : wordsOf(rows, `${path}.${word}`)
  })
}

/** Fields that a message has and the table lacks, and the other way round. */
function differences(
  name: string,
  value: Json,
): { readonly unknown: readonly string[]; readonly missing: readonly string[] } {
  const found = new Set(wordsIn(value).map((word) => word.slice(1)))
  const [, message] = messages.find(([other]) => other === name) ?? []
  const known = wordsOf(message?.fields ?? []).map((word) => word.slice(1))
  const unknown = [...found].filter((word) => word !== '' && !known.includes(word) && !ofSimulator.includes(word))
  return { unknown, missing: known.filter((word) => !found.has(word)) }
}

const mmpGroup = {
  ...{ index_name: 'eth_usd', interval: 10, frozen_time: 2, quantity_limit: 1 },
  max_quote_quantity: 100,
}

/** All replies and messages of a busy session. */
function allMessages(): readonly Json[] {
  const m = directMarket()
  const own = 'sim/direct/'
  const said: Json[] = []
  const ask = (account: string, method: string, params: Json, session: number): void => {
    said.push(m.result(account, `${own}${method}`, { correlation_id: 1, ...params }, session))
  }
  m.result(null, `${own}set_credential`, { account: 'alice', client_id: 'A', secret: 's' })
  const logon = { session: 5, gateway: 'ETH_B', client_id: 'A', secret: 's', schema_version: 19 }
  said.push(m.result(null, `${own}logon`, logon))
  m.result('alice', 'private/set_mmp_config', mmpGroup)
  m.result('alice', 'private/set_mmp_config', { ...mmpGroup, mmp_group: 'near' })
  const order = { instrument_name: perpetual, side: 'buy', price: 2970, amount: 1000 }
  ask('alice', 'new_order', { client_order_id: 1, ...order, flags: ['post_only'] }, 1)
  ask('bob', 'new_order', { client_order_id: 1, ...order, side: 'sell', time_in_force: 'IOC' }, 2)
  ask('alice', 'new_order', { client_order_id: 2, ...order }, 1)
  ask('alice', 'amend_order', { client_order_id: 2, amount: 500 }, 5)
  ask('alice', 'cancel_order', { client_order_id: 2 }, 1)
  const quotes = [{ instrument_name: perpetual, bid_price: 2990, bid_amount: 100 }]
  ask('alice', 'mass_quote', { quote_id: 1, mmp_group_id: 2, quotes }, 1)
  ask('alice', 'get_orders_mmp_status', { currency_pair: 'eth_usd' }, 1)
  ask('alice', 'get_mass_quote_mmp_status', { mmp_group_id: 2 }, 1)
  ask('alice', 'mass_cancel', { currency_pair: 'eth_usd' }, 1)
  release(m)
  ask('alice', 'new_order', { client_order_id: 9, ...order, amount: 4000, flags: ['mmp'] }, 1)
  ask('bob', 'new_order', { client_order_id: 9, ...order, side: 'sell', amount: 4000 }, 2)
  m.venue.wait('1500ms')
  ask('alice', 'new_order', { client_order_id: 10, ...order, flags: ['mmp', 'reset_mmp'] }, 1)
  ask('alice', 'logout', {}, 5)
  for (const session of [1, 2, 5]) {
    for (const layer of ['session', 'application']) {
      said.push(...m.result(null, 'sim/get_session_messages', { session, layer }))
    }
  }
  return said
}

/** Orders and quotes wait behind the speed bump and then match. */
function release(m: DirectMarket): void {
  const order = { instrument_name: future, side: 'buy', price: 2970, amount: 1000 }
  m.place('alice', 20, { ...order, correlation_id: 3 })
  m.place('bob', 20, { ...order, side: 'sell', amount: 400, correlation_id: 4 })
  m.venue.wait('20ms')
}

describe('direct.message-table', () => {
  test('names and numbers are unique, and those of requests match the model', () => {
    const numbers = messages.map(([, { template }]) => template)
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(numbers).toEqual(numbers.toSorted((left, right) => left - right))
    for (const [name, template] of Object.entries(directMessages)) {
      expect(messages.find(([other]) => other === name)?.[1]).toMatchObject({ template })
    }
    for (const reject of Object.keys(reasonTables).filter((name) => name.endsWith('Reject'))) {
      expect(messages.map(([name]) => name)).toContain(reject)
    }
  })

  test('S289 the table lists every field of an answer and of a message, under its number', () => {
    const said = allMessages()
    const met = new Set<string>()
    for (const each of said) {
      expect({ message: each.message, ...differences(each.message, each) }).toMatchObject({
        ...{ message: each.message, unknown: [] },
      })
      const [, declared] = messages.find(([name]) => name === each.message) ?? []
      if ('template' in each) expect(each.template).toBe(declared?.template)
      met.add(each.message)
    }
    expect([...met].toSorted()).toEqual([
      ...['AmendOrderResponse', 'CancelOrderResponse', 'LoggedOut', 'LogonResponse'],
      ...['MassCancelResponse', 'MassQuoteMmpStatusResponse', 'MassQuoteResponse'],
      ...['NewOrderResponse', 'OrderFilled', 'OrderPlaced', 'OrdersCanceled'],
      ...['OrdersMmpStatusResponse', 'OrdersMmpTriggered', 'OrdersMmpUnfrozen'],
    ])
  })

  test('every field of the table occurs in a message to which it applies', () => {
    const missing = new Map<string, readonly string[]>()
    for (const each of allMessages()) {
      const before = missing.get(each.message)
      const now = differences(each.message, each).missing
      missing.set(each.message, before?.filter((word) => now.includes(word)) ?? now)
    }
    const silent = [...missing].filter(([, words]) => words.length > 0)
    // No order in these messages was cancelled when it was reported, and no side of the quote was filled.
    expect(Object.fromEntries(silent)).toEqual({
      AmendOrderResponse: ['cancel_reason', 'fills.match_id', 'fills.price', 'fills.amount'],
      OrderPlaced: ['cancel_reason'],
      NewOrderResponse: ['cancel_reason'],
      MassQuoteResponse: [
        ...['bid', 'ask'].flatMap((side) =>
          ['match_id', 'price', 'amount'].map((word) => `quotes.${side}.fills.${word}`),
        ),
      ],
    })
  })

  test('the table lists every parameter of a request', () => {
    for (const name of methodNames) {
      const method = findMethod(name)
      if (method?.direct === undefined) continue
      const { fields } = gatewayMessages[method.direct]
      const words = fields.flatMap(({ word }) => (word === null ? [] : [word]))
      const optional = ['sequence_number']
      const params = Object.keys(method.params.shape).filter((word) => !optional.includes(word))
      expect({ name, params: params.toSorted() }).toEqual({ name, params: words.toSorted() })
    }
  })
})
