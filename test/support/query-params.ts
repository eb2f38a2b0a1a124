/**
 * Plausible parameters for any method. They derive from the name of the parameter, its schema and the market, so that
 * new methods of the table are covered too.
 */
import type * as z from 'zod'
import { findMethod, methodNames } from '../../src/gateways/index.ts'
import { gatewayPairs, instrumentStates } from '../../src/model/index.ts'
import { type Desk, instrumentIdOut, orderIdOut, type RequestParams } from '../../src/rpc/index.ts'

/** Chooses a number below `count`. */
export type Pick = (count: number) => number

type Param = RequestParams[string]

/** The methods that only read, by their name. */
export const queryNames: readonly string[] = methodNames.filter((name) => {
  const { command, afterwards, note, served } = methodOf(name)
  // A desk has no connection for methods that a connection answers.
  const isQuery = command === 'query' && afterwards === undefined && note === undefined
  return isQuery && served !== true
})

/** A request of a method that the market may accept; each optional parameter is given with probability 1 / `rarity`. */
export function questionOf(name: string, desk: Desk, pick: Pick, rarity = 2): RequestParams {
  return fieldsOf(methodOf(name).params.shape, { desk, pick, rarity })
}

/** Inputs for choosing parameters. */
interface Choice {
  readonly desk: Desk
  readonly pick: Pick
  readonly rarity: number
}

/** Without these parameters an order has no size or no price; the schema does not require them. */
const usual = new Set(['amount', 'price'])

function fieldsOf(shape: Record<string, z.ZodType>, choice: Choice): RequestParams {
  const { pick, rarity } = choice
  const params: Record<string, Param> = {}
  for (const [key, schema] of Object.entries(shape)) {
    // A message with a wrong number ends its session, which then answers no further request.
    if (key === 'sequence_number') continue
    const isOptional = schema.safeParse(undefined).success
    const isLeft = usual.has(key) ? pick(rarity) === 0 : pick(rarity) > 0
    if (isOptional && isLeft) continue
    const value = paramValue(key, schema, choice)
    if (value !== undefined) params[key] = value
  }
  return params
}

/** A value that the schema accepts: from the values that fit the name in this market, or from those of its type. */
function paramValue(key: string, schema: z.ZodType, choice: Choice): Param {
  const { desk, pick } = choice
  const named = valuesOf(key, desk).filter((value) => schema.safeParse(value).success)
  if (named.length > 0) return named[pick(named.length)]
  const { def } = schema as unknown as { readonly def: FormOf }
  const form = def.innerType ?? def.in
  if (form !== undefined) return paramValue(key, form, choice)
  if (def.options !== undefined) {
    return paramValue(key, def.options[pick(def.options.length)] ?? never(), choice)
  }
  if (def.shape !== undefined) return fieldsOf(def.shape, choice) as Param
  const { element } = def
  if (element !== undefined) {
    return Array.from({ length: 1 + pick(3) }, () => paramValue(key, element, choice)) as Param
  }
  const words = def.entries === undefined ? (def.values ?? []) : Object.values(def.entries)
  const values = [...words, ...anything].filter((value) => schema.safeParse(value).success)
  return values[pick(values.length)]
}

/** The parts of a zod schema. */
interface FormOf {
  readonly innerType?: z.ZodType
  readonly in?: z.ZodType
  readonly options?: readonly z.ZodType[]
  readonly shape?: Record<string, z.ZodType>
  readonly element?: z.ZodType
  readonly entries?: Record<string, string>
  readonly values?: readonly Param[]
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
  throw new Error('a method of the table has a name, and a choice an option')
}

const currencies = ['BTC', 'ETH', 'USDC', 'USDT', 'any']
const kinds = ['any', 'future', 'option', 'spot', 'option_combo', 'future_combo', 'combo']
const anything: readonly Param[] = [
  ...[1, 0, 10, 100, 0.1, true, false, '1', 'all', 'any', 'both', 'asc', 'desc', '1h', '8h'],
  ...['24h', '1m', '1y', '60', 'default', 'settlement', 'delivery', 'trade', 'deposit'],
  ...['transaction', 'withdrawal', 'active', 'rfq', 'limit', []],
]

/** Sizes of contracts and coins, and values at the limits of the number range. */
const amounts = [10, 100, 1000, 0.1, 1, 5, 200_000, 0.001, 9_000_000_000]
const prices = [50_000, 3000, 0.01, 0.05, 200, 1, 0.0001, 9_007_199]
/** Prices around perpetuals at 50,000 and at 3,000, and a wide range of other values. */
const decimals = [...amounts, ...prices, -1, 0].map((decimal) => ({ decimal: String(decimal) }))

function valuesOf(key: string, { exchange, history }: Desk): readonly Param[] {
  const names = exchange.instruments.map(({ instrument }) => instrument.name)
  const now = Math.floor(exchange.now / 1000)
  switch (key) {
    case 'instrument_name':
    case 'instrument_names':
      return [...names, names]
    case 'combo_id':
      return exchange.instruments.filter(({ legs }) => legs.length > 0).map(({ instrument }) => instrument.name)
    case 'instrument_id':
      return exchange.instruments.map(({ instrument }) => instrumentIdOut(instrument.id))
    case 'index_name':
    case 'index':
      return [...exchange.indices.keys()]
    case 'currency':
      return [...currencies, 'any', 'all']
    case 'currency_pair':
      return [...exchange.indices.keys()]
    case 'kind':
      return kinds
    case 'order_id':
      return history.orders
        .values()
        .slice(-20)
        .map(({ order: id }) => orderNames(exchange, history, id))
    case 'ids':
      return [
        history.orders
          .values()
          .slice(-3)
          .map(({ order: id }) => orderNames(exchange, history, id)),
      ]
    case 'label':
      return ['a', 'b', 'grid', '', '1']
    case 'start_timestamp':
      return [0, 1, now - 1_800_000]
    case 'end_timestamp':
      return [now, now + 1]
    case 'valid_until':
    case 'expires_at':
      return [now + 1, now + 10, now + 60_000]
    case 'timestamp':
      return [now]
    case 'decimal':
      return decimals.map(({ decimal }) => decimal)
    case 'amount':
    case 'contracts':
    case 'display_amount':
      return [...amounts, ...decimals]
    case 'price':
    case 'trigger_price':
    case 'bid':
    case 'ask':
      return [...prices, ...decimals]
    case 'bid_price':
    case 'ask_price':
      return prices
    case 'count':
      return [1, 3, 10, 20]
    case 'depth':
      return [1, 5, 20]
    case 'simulated_positions':
      return [Object.fromEntries(names.slice(0, 2).map((name) => [name, 1]))]
    case 'resolution':
      return ['1', '60', '3600', '1D']
    case 'state':
      return [...instrumentStates]
    case 'session':
      return [...history.messages.sessions.keys(), ...exchange.sessions.keys()]
    case 'mmp_group_id':
      return exchange.mmpGroups.map(({ membership }) => membership.group)
    case 'mmp_group':
      return exchange.mmpGroups.flatMap(({ membership: { name } }) => name ?? [])
    case 'block_rfq_id':
      return [...exchange.rfqs.rfqs.keys()]
    case 'block_rfq_quote_id':
      return [...exchange.rfqs.rfqs.values()].flatMap(({ quotes }) => [...quotes.keys()])
    case 'id':
    case 'start_id':
    case 'end_id':
      return [1, 2, 3].map((number) => `BLOCK-${number}`)
    case 'role':
      return ['maker', 'taker']
    case 'gateway':
      return gatewayPairs.flatMap((pair) => [`${pair}_A`, `${pair}_B`])
    case 'account':
    case 'client_id':
      return exchange.accounts.flatMap(({ account: { name, house } }) => (house ? name : [name, name, name]))
    case 'source_uid':
    case 'target_uid':
    case 'subaccount_id':
    case 'destination':
    case 'source':
      return [...subaccounts(exchange), ...subaccounts(exchange).map(String)]
    case 'signature':
    case 'counterparty_signature':
      return [...exchange.blocks.signatures.keys()]
    default:
      return []
  }
}

function subaccounts(exchange: Desk['exchange']): readonly number[] {
  return exchange.accounts.flatMap(({ account: { id, house } }) => (house ? [] : id))
}

function orderNames(exchange: Desk['exchange'], history: Desk['history'], id: number): string {
  const order = [...history.orders.values()].find((each) => each.order === id)
  const row = order === undefined ? undefined : exchange.instruments[order.instrument]
  return row === undefined || order === undefined ? '1' : orderIdOut(row.instrument, order.order)
}
