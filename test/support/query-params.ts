/**
 * Plausible parameters of any query: what a parameter may be is found from its name and the market that is
 * asked, so that a method which is added to the table is asked too.
 */
import type * as z from 'zod'
import { findMethod, methodNames } from '../../src/gateways/index.ts'
import { type Desk, instrumentIdOut, orderIdOut, type RequestParams } from '../../src/rpc/index.ts'

/** A choice among so many. */
export type Pick = (count: number) => number

/** The methods that only read, by their name. */
export const queryNames: readonly string[] = methodNames.filter((name) => {
  const { command, afterwards, note, served } = methodOf(name)
  // A desk has no connection that could answer what connections answer.
  const isQuery = command === 'query' && afterwards === undefined && note === undefined
  return isQuery && served !== true
})

/** A question of a method that the market may have an answer to; optional parameters are given half the time. */
export function questionOf(name: string, desk: Desk, pick: Pick): RequestParams {
  const params: Record<string, RequestParams[string]> = {}
  for (const [key, schema] of Object.entries(methodOf(name).params.shape)) {
    // A message that is not the next one ends its session, which then answers nothing more.
    if (key === 'sequence_number') continue
    const isOptional = schema.safeParse(undefined).success
    if (isOptional && pick(2) === 0) continue
    // What the name does not tell is what the schema takes.
    const named = valuesOf(key, desk).filter((value) => schema.safeParse(value).success)
    const values =
      named.length > 0 ? named : anything.filter((value) => schema.safeParse(value).success)
    if (values.length > 0) params[key] = values[pick(values.length)]
  }
  return params
}

interface Asked {
  readonly command: string
  readonly params: z.ZodObject
  readonly afterwards?: string
  readonly note?: unknown
  readonly served?: true
}

function methodOf(name: string): Asked {
  return findMethod(name) ?? never()
}

function never(): never {
  throw new Error('a method of the table has a name')
}

const currencies = ['BTC', 'ETH', 'USDC', 'USDT', 'any']
const kinds = ['any', 'future', 'option', 'spot', 'option_combo', 'future_combo', 'combo']
const anything: readonly RequestParams[string][] = [
  ...[
    1,
    0,
    10,
    100,
    0.1,
    true,
    false,
    '1',
    'all',
    'any',
    'both',
    'asc',
    'desc',
    '1h',
    '8h',
    '24h',
    '1m',
    '1y',
    '60',
  ],
  ...[
    'default',
    'settlement',
    'delivery',
    'trade',
    'deposit',
    'transaction',
    'withdrawal',
    'active',
    'rfq',
    'limit',
    [],
  ],
]

function valuesOf(key: string, { exchange, history }: Desk): readonly RequestParams[string][] {
  const names = exchange.instruments.map(({ instrument }) => instrument.name)
  switch (key) {
    case 'instrument_name':
    case 'instrument_names':
      return [...names, names]
    case 'combo_id':
      return exchange.instruments
        .filter(({ legs }) => legs.length > 0)
        .map(({ instrument }) => instrument.name)
    case 'instrument_id':
      return exchange.instruments.map(({ instrument }) => instrumentIdOut(instrument.id))
    case 'index_name':
      return [...exchange.indices.keys()]
    case 'currency':
      return [...currencies, 'any', 'all']
    case 'currency_pair':
      return [...exchange.indices.keys()]
    case 'kind':
      return kinds
    case 'order_id':
      return [...history.orders.keys()].slice(-20).map((id) => orderNames(exchange, history, id))
    case 'ids':
      return [[...history.orders.keys()].slice(-3).map((id) => orderNames(exchange, history, id))]
    case 'label':
      return ['a', 'b', 'grid', '', '1']
    case 'start_timestamp':
      return [0, 1, Math.floor(exchange.now / 1000) - 1_800_000]
    case 'end_timestamp':
      return [Math.floor(exchange.now / 1000), Math.floor(exchange.now / 1000) + 1]
    case 'amount':
      return [10, 100, 1000, 0.1, 1, 5]
    case 'price':
      return [50_000, 3000, 0.01, 0.05, 200]
    case 'count':
      return [1, 3, 10, 20]
    case 'depth':
      return [1, 5, 20]
    case 'legs':
      return [
        names
          .slice(0, 2)
          .map((instrument_name) => ({ instrument_name, amount: 1, direction: 'buy' })),
      ]
    case 'trades':
      return [
        names.slice(0, 2).map((instrument_name) => ({
          ...{ instrument_name, amount: 200_000, price: 90_000, direction: 'buy' },
        })),
      ]
    case 'id':
    case 'start_id':
    case 'end_id':
      return [1, 2, 3].map((number) => `BLOCK-${number}`)
    case 'simulated_positions':
      return [Object.fromEntries(names.slice(0, 2).map((name) => [name, 1]))]
    case 'resolution':
      return ['1', '60', '3600', '1D']
    case 'session':
      return [...history.messages.sessions.keys()]
    case 'mmp_group_id':
      return exchange.mmpGroups.map(({ membership }) => membership.group)
    default:
      return []
  }
}

function orderNames(exchange: Desk['exchange'], history: Desk['history'], id: number): string {
  const order = [...history.orders.values()].find((each) => each.order === id)
  const row = order === undefined ? undefined : exchange.instruments[order.instrument]
  return row === undefined || order === undefined ? '1' : orderIdOut(row.instrument, order.order)
}
