/**
 * Plausible parameters for any method. They derive from the name of the parameter, its schema and the market, so that
 * new methods of the table are covered too.
 */
import { checkArgument, coded, defined, foundWord, randomStream, type z } from '../core/index.ts'
import {
  allAccounts,
  allIndices,
  allInstruments,
  awaitedSignatures,
  type Exchange,
  instrumentAt,
  mmpGroupsOf,
  openSessions,
  rfqQuotesOf,
  rfqsOf,
  timeOf,
} from '../engine/index.ts'
import { findMethod, methodNames } from '../gateways/index.ts'
import { gatewayPairs, instrumentStates } from '../model/index.ts'
import { type Desk, instrumentIdOut, orderIdOut, type RequestParams, type VenueRequest } from '../rpc/index.ts'

type Param = RequestParams[string]

/**
 * Draws parameters of a method that the venue may accept: they fit the schema of the method and name instruments, orders
 * and accounts that exist. `pick` chooses a number below its argument; each optional parameter is given with probability
 * 1 / `rarity`.
 *
 * @throws RangeError with the code `PARAMETER` if no method has this name, `OPTION` if an argument has another kind.
 *
 * @example
 * const venue = openVenue({ start: '2026-01-05T09:00:00Z', instruments: ['BTC-PERPETUAL'], index: { btc_usd: 50_000 } })
 * console.log(methodParams('public/ticker', venue.desk, () => 0).instrument_name) // BTC-PERPETUAL
 */
export function methodParams(
  method: string,
  desk: Desk,
  pick: (count: number) => number,
  rarity = 2,
): VenueRequest['params'] {
  checkArgument('methodParams: method', method, 'string')
  checkArgument('methodParams: desk', desk, 'object')
  checkArgument('methodParams: pick', pick, 'function')
  const found = findMethod(method)
  if (found === undefined) {
    throw coded(new RangeError(`methodParams: expected a method, ${foundWord(method, methodNames)}`), 'PARAMETER')
  }
  return fieldsOf(found.params.shape, { desk, pick, rarity })
}

/** Parameters that a number draws: the same number and state give the same parameters. */
export function drawParams(method: string, desk: Desk, draw: number): RequestParams {
  const chance = randomStream(draw, 'parameters')
  return methodParams(method, desk, (count) => chance.int(0, count - 1), chance.pick(rarities))
}

/** Most requests have few optional parameters, because each one is a further reason for a refusal. */
const rarities = [3, 8, 30, 30] as const

/** Inputs for choosing parameters. */
interface Choice {
  readonly desk: Desk
  /** Chooses a number below `count`. */
  readonly pick: (count: number) => number
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
    return paramValue(key, defined(def.options[pick(def.options.length)], 'a choice has options'), choice)
  }
  if (def.shape !== undefined) return fieldsOf(def.shape, choice) as Param
  const item = def.element
  if (item !== undefined) {
    return Array.from({ length: 1 + pick(3) }, () => paramValue(key, item, choice)) as Param
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

const currencies = ['BTC', 'ETH', 'USDC', 'USDT', 'any']
const kinds = ['any', 'future', 'option', 'spot', 'option_combo', 'future_combo', 'combo']
const anything: readonly Param[] = [
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
]

/** Sizes of contracts and coins, and values at the limits of the number range. */
const amounts = [10, 100, 1000, 0.1, 1, 5, 200_000, 0.001, 9_000_000_000]
const prices = [50_000, 3000, 0.01, 0.05, 200, 1, 0.0001, 9_007_199]
/** Prices around perpetuals at 50,000 and at 3,000, and a wide range of other values. */
const decimals = [...amounts, ...prices, -1, 0].map((decimal) => ({ decimal: String(decimal) }))

/** The values that fit a parameter of this name in the market; empty for other names. */
function valuesOf(key: string, desk: Desk): readonly Param[] {
  return valuesByName.get(key)?.(desk) ?? []
}

const valuesByName: ReadonlyMap<string, Values> = new Map(
  named([
    [['instrument_name', 'instrument_names'], ({ exchange }) => [...namesIn(exchange), namesIn(exchange)]],
    [
      ['combo_id'],
      ({ exchange }) => allInstruments(exchange).flatMap(({ name, detail }) => (detail.type === 'combo' ? name : [])),
    ],
    [['instrument_id'], ({ exchange }) => allInstruments(exchange).map(({ id }) => instrumentIdOut(id))],
    [['index_name', 'index'], ({ exchange }) => [...allIndices(exchange)]],
    [['currency'], () => [...currencies, 'any', 'all']],
    [['currency_pair'], ({ exchange }) => [...allIndices(exchange)]],
    [['kind'], () => kinds],
    [
      ['order_id'],
      ({ exchange, history }) =>
        history.orders
          .values()
          .slice(-20)
          .map(({ order: id }) => orderNames(exchange, history, id)),
    ],
    [
      ['ids'],
      ({ exchange, history }) => [
        history.orders
          .values()
          .slice(-3)
          .map(({ order: id }) => orderNames(exchange, history, id)),
      ],
    ],
    [['label'], () => ['a', 'b', 'grid', '', '1']],
    [['start_timestamp'], ({ exchange }) => [0, 1, millisOf(exchange) - 1_800_000]],
    [['end_timestamp'], ({ exchange }) => [millisOf(exchange), millisOf(exchange) + 1]],
    [
      ['valid_until', 'expires_at'],
      ({ exchange }) => [millisOf(exchange) + 1, millisOf(exchange) + 10, millisOf(exchange) + 60_000],
    ],
    [['timestamp'], ({ exchange }) => [millisOf(exchange)]],
    [['decimal'], () => decimals.map(({ decimal }) => decimal)],
    [['amount', 'contracts', 'display_amount'], () => [...amounts, ...decimals]],
    [['price', 'trigger_price', 'bid', 'ask'], () => [...prices, ...decimals]],
    [['bid_price', 'ask_price'], () => prices],
    [['count'], () => [1, 3, 10, 20]],
    [['depth'], () => [1, 5, 20]],
    [
      ['simulated_positions'],
      ({ exchange }) => [
        Object.fromEntries(
          namesIn(exchange)
            .slice(0, 2)
            .map((name) => [name, 1]),
        ),
      ],
    ],
    [['resolution'], () => ['1', '60', '3600', '1D']],
    [['state'], () => [...instrumentStates]],
    [['session'], ({ exchange, history }) => [...history.messages.sessions.keys(), ...openSessions(exchange)]],
    [['mmp_group_id'], ({ exchange }) => groupsIn(exchange).map(({ number }) => number)],
    [['mmp_group'], ({ exchange }) => groupsIn(exchange).flatMap(({ key }) => key.name ?? [])],
    [
      ['block_rfq_id'],
      ({ exchange }) => allAccounts(exchange).flatMap(({ id }) => rfqsOf(exchange, id).map(({ rfq }) => rfq)),
    ],
    [
      ['block_rfq_quote_id'],
      ({ exchange }) => allAccounts(exchange).flatMap(({ id }) => rfqQuotesOf(exchange, id).map(({ quote }) => quote)),
    ],
    [['id', 'start_id', 'end_id'], () => [1, 2, 3].map((number) => `BLOCK-${number}`)],
    [['role'], () => ['maker', 'taker']],
    [['gateway'], () => gatewayPairs.flatMap((pair) => [`${pair}_A`, `${pair}_B`])],
    [
      ['account', 'client_id'],
      ({ exchange }) => allAccounts(exchange).flatMap(({ name, house }) => (house ? name : [name, name, name])),
    ],
    [
      ['source_uid', 'target_uid', 'subaccount_id', 'destination', 'source'],
      ({ exchange }) => [...subaccounts(exchange), ...subaccounts(exchange).map(String)],
    ],
    [['signature', 'counterparty_signature'], ({ exchange }) => [...awaitedSignatures(exchange)]],
  ]),
)

type Values = (desk: Desk) => readonly Param[]

/** One entry for each name. */
function named(
  rows: readonly (readonly [names: readonly string[], values: Values])[],
): readonly (readonly [name: string, values: Values])[] {
  return rows.flatMap(([names, values]) => names.map((name) => [name, values] as const))
}

function namesIn(exchange: Exchange): readonly string[] {
  return allInstruments(exchange).map(({ name }) => name)
}

function groupsIn(exchange: Exchange): ReturnType<typeof mmpGroupsOf> {
  return allAccounts(exchange).flatMap(({ id }) => mmpGroupsOf(exchange, id))
}

function millisOf(exchange: Exchange): number {
  return Math.floor(timeOf(exchange) / 1000)
}

function subaccounts(exchange: Exchange): readonly number[] {
  return allAccounts(exchange).flatMap(({ id, house }) => (house ? [] : id))
}

function orderNames(exchange: Exchange, history: Desk['history'], id: number): string {
  const order = [...history.orders.values()].find((each) => each.order === id)
  return order === undefined ? '1' : orderIdOut(instrumentAt(exchange, order.instrument), order.order)
}
