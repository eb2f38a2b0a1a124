/**
 * Every method accepts every currency that `public/get_currencies` lists, and answers with an empty list or zeros if
 * the account has nothing in it. Source: interface document, currency; S020, S021.
 */
import { describe, expect, test } from 'vitest'
import { z } from '../../src/core/index.ts'
import { methods } from '../../src/rpc/index.ts'
import { DeskMarket } from '../support/desk-market.ts'

const market = new DeskMarket({
  instruments: ['BTC-PERPETUAL', 'BTC-27MAR26', 'BTC-27MAR26-60000-C'],
  index: { btc_usd: 50_000 },
  accounts: { alice: { BTC: 1 } },
})

type Name = keyof typeof methods
type Named = { readonly currency: string }

const listed: readonly string[] = market.result(null, 'public/get_currencies').map(({ currency }: Named) => currency)

function schemaOf(name: Name): z.core.JSONSchema.BaseSchema {
  const params: z.ZodType = methods[name].params
  return z.toJSONSchema(params, { io: 'input', unrepresentable: 'any' })
}

/** The values that the schema of a method lists for its currency; null without such a list. */
function currenciesOf(name: Name): readonly string[] | null {
  const found = schemaOf(name).properties?.currency
  if (typeof found !== 'object') return null
  const words = [found, ...(found.anyOf ?? [])].flatMap((each) => (typeof each === 'object' ? (each.enum ?? []) : []))
  return words.length === 0 ? null : words.map(String)
}

const names = (Object.keys(methods) as Name[]).filter((name) => currenciesOf(name) !== null)

test('V3 many methods have a currency', () => {
  expect(names.length).toBeGreaterThan(40)
})

test.each(names)('V3 %s accepts every listed currency', (name) => {
  expect(currenciesOf(name)).toEqual(expect.arrayContaining([...listed]))
})

const usual: Readonly<Record<string, unknown>> = {
  ...{ kind: 'any', start_timestamp: 0, end_timestamp: 1, resolution: '60', count: 10 },
  ...{ type: 'transfer', label: 'a' },
}

/** Queries of lists and sums that need only a currency and the usual parameters, with these. */
const queries = names.flatMap((name) => {
  const { required = [], properties = {} } = schemaOf(name)
  // One of the two timestamps is required, which a schema cannot say.
  const times = Object.keys(properties).filter((param) => param.endsWith('_timestamp'))
  const needed = [...new Set([...required, ...times])].filter((param) => param !== 'currency')
  const isOther = methods[name].command !== 'query' || name === 'private/get_current_deposit_address'
  if (isOther || needed.some((param) => !(param in usual))) return []
  return [[name, Object.fromEntries(needed.map((param) => [param, usual[param]]))] as const]
})

describe('answers', () => {
  test.each(queries)('V3 %s answers for every currency', (name, params) => {
    for (const currency of listed) {
      const reply = market.venue.as('alice').request(name, { ...params, currency } as never)
      expect([currency, reply]).toMatchObject([currency, { ok: true }])
    }
  })

  test('V3 the answer for a currency without any data is an empty list or a summary of zeros', () => {
    expect(market.result(null, 'public/get_instruments', { currency: 'SOL' })).toEqual([])
    const summary = market.result('alice', 'private/get_account_summary', { currency: 'SOL' })
    expect(summary).toMatchObject({ currency: 'SOL', balance: 0, equity: 0, initial_margin: 0 })
  })

  test('V3 lists by currency contain every listed currency, in that order', () => {
    const reported = (method: string, key?: string): readonly string[] => {
      const result = market.result('alice', method)
      const rows: readonly Named[] = key === undefined ? result : result[key]
      return rows.map(({ currency }) => currency)
    }
    expect(reported('private/get_account_summaries', 'summaries')).toEqual(listed)
    expect(reported('private/get_user_locks')).toEqual(listed)
    expect(reported('private/get_currencies')).toEqual(listed)
    const asked = { margin_model: 'cross_sm', dry_run: true }
    const change: readonly Named[] = market.result('alice', 'private/change_margin_model', asked)
    expect(change.map(({ currency }) => currency.toUpperCase())).toEqual(listed)
  })

  test('N4 a currency shows its chain and its yield', () => {
    const all: readonly (Named & object)[] = market.result(null, 'public/get_currencies')
    const of = (name: string): object | undefined => all.find(({ currency }) => currency === name)
    expect(of('BTC')).toMatchObject({ network_fee: 0, network_currency: 'BTC' })
    expect(of('USDC')).toMatchObject({ network_fee: 0, network_currency: 'ETH', apr: 0 })
    const bearing = all.filter((each) => 'apr' in each).map(({ currency }) => currency)
    expect(bearing).toEqual(['USDC', 'STETH', 'USDE'])
  })

  test('V3 combos of each currency', () => {
    const trades = [
      { instrument_name: 'BTC-27MAR26', amount: 10, direction: 'buy' },
      { instrument_name: 'BTC-PERPETUAL', amount: 10, direction: 'sell' },
    ]
    const { id } = market.result('alice', 'private/create_combo', { trades })
    for (const currency of ['any', 'BTC']) {
      expect(market.result(null, 'public/get_combos', { currency })).toMatchObject([{ id }])
    }
    expect(market.result(null, 'public/get_combos', { currency: 'ETH' })).toEqual([])
  })
})
