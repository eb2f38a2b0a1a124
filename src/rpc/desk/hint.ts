/**
 * Hints for refused requests name the accepted values for people. The error keeps the venue's words, and each interface
 * shows the hint next to it.
 */
import { formatScaledNumber, nearest } from '../../core/index.ts'
import {
  allAccounts,
  allInstruments,
  type Exchange,
  findInstrument,
  keysOfAccount,
  viewMarket,
} from '../../engine/index.ts'
import { type Account, amountStepOf, type Instrument, type Refusal, tickOf } from '../../model/index.ts'
import { hiddenParams, type MethodSet, methodHint, secretsOf, unknownNamesIn } from '../methods/index.ts'
import type { RequestParams } from '../wire/index.ts'

/** A request that was refused. */
interface RefusedRequest {
  readonly refusal: Refusal
  readonly method: string
  readonly params: RequestParams
  /** The name of the account that sent it, if one was given. */
  readonly account?: string | null
}

/** Largest number of names in a hint. */
const NAMES_MAX = 20
/** Largest number of characters of a value that a hint repeats. */
const TEXT_LENGTH_MAX = 64

/** The exchange, the methods and the kept snapshots that a hint can name. */
interface HintSource {
  readonly exchange: Exchange
  readonly methods: MethodSet
  readonly kept: ReadonlyMap<string, unknown>
}

/**
 * The accepted values or names for a refused request; null if none are known.
 *
 * @example
 * const venue = openVenue({ start: '2026-01-05T09:00:00Z', accounts: { ann: { BTC: 1 } } })
 * const request = { method: 'public/get_tiem', params: {} }
 * const refused = { ...request, refusal: { reason: 'method_not_found' } } as const
 * console.log(hintFor(venue.desk, refused)) // did you mean public/get_time?
 */
export function hintFor(source: HintSource, request: RefusedRequest): string | null {
  const { exchange, methods } = source
  const { refusal, method, params } = request
  const name = typeof params['instrument_name'] === 'string' ? params['instrument_name'] : ''
  const instrument = findInstrument(exchange, name)
  switch (refusal.reason) {
    case 'method_not_found':
      return methodHint(method, methods.names)
    case 'unauthorized':
      return request.account === undefined || request.account === null
        ? null
        : unknownAccount(exchange, request.account)
    case 'retry':
      return instrument === undefined ? null : missingPrice(exchange, instrument)
    case 'not_found':
    case 'invalid_or_unsupported_instrument':
      return instrument === undefined && name !== '' ? unknownInstrument(exchange, name) : null
    case 'invalid_params':
      if (instrument === undefined && refusal.param === 'instrument_name' && name !== '') {
        return unknownInstrument(exchange, name)
      }
      return hintForParam(source, { ...request, refusal })
    case 'must_be_websocket_request':
      return `${method} needs a WebSocket connection`
    case 'price_wrong_tick':
    case 'trigger_price_wrong_tick':
    case 'invalid_price':
      if (isUnpriced(method, params)) return 'price: expected a number, found nothing'
      return instrument === undefined ? null : `tick ${ticksIn(instrument)}`
    case 'invalid_amount':
    case 'qty_too_low':
    case 'non_integer_contract_amount': {
      if (instrument === undefined) return null
      const least = decimal(instrument.minTradeLots * instrument.amountStep9)
      return `step ${decimal(amountStepOf(instrument))}, at least ${least}`
    }
    case 'price_too_high':
    case 'price_too_low':
      return `the price band ends at ${decimal(refusal.limit)}`
    case 'lock_time_exceeded':
      return 'the entry latency exceeds the longest possible wait of 5 s'
    case 'matching_engine_queue_full':
      return 'at most eight requests of a currency can wait; wait for a reply before you send more'
    default:
      return null
  }
}

function unknownAccount(exchange: Exchange, name: string): string | null {
  const accounts = allAccounts(exchange).filter(({ house }) => !house)
  const names = accounts.map((account) => account.name)
  if (names.includes(name)) return null
  const owner = accounts.find((account) => name.startsWith(`${account.name}/`))
  if (owner !== undefined) return unknownKey(exchange, owner, name)
  const close =
    meant(nearest(name, names)) ?? (names.length === 0 ? 'there are no accounts' : `the accounts are ${listed(names)}`)
  return `no account is named ${name}: ${close}`
}

/** The hint for a key that requests cannot use: it is disabled or does not exist. */
function unknownKey(exchange: Exchange, owner: Account, name: string): string {
  const keys = keysOfAccount(exchange, owner.id).filter((key) => key.name !== '')
  if (keys.some((key) => `${owner.name}/${key.name}` === name)) return `the key ${name} is disabled`
  const names = keys.map((key) => `${owner.name}/${key.name}`)
  return `no key is named ${name}: ${names.length === 0 ? `${owner.name} has none` : listed(names)}`
}

/** The hint for an instrument whose index has no price yet: the control that sets one. */
function missingPrice(exchange: Exchange, { id, priceIndex }: Instrument): string | null {
  if (viewMarket(exchange, id).index !== 0) return null
  return `the index ${priceIndex} has no price yet: sim/set_index with index_name ${priceIndex} and a price gives it one`
}

/** A refused request whose refusal names a parameter. */
type ParamRefusal = RefusedRequest & { readonly refusal: { readonly param: string } }

/** The words and names that a parameter accepts, or its description if there is no such list. */
function hintForParam(
  { exchange, methods, kept }: HintSource,
  { refusal, method, params }: ParamRefusal,
): string | null {
  const { param } = refusal
  const [strange] = unknownNamesIn(methods, method, params)
  if (strange !== undefined) {
    const close = meant(nearest(strange.name, strange.known)) ?? `${method} accepts ${listed(strange.known)}`
    return `${strange.path.join('.')} is not a parameter; ${close}`
  }
  const known = methods.find(method)
  const schema = schemaAt(known?.params, param.split('.'))
  if (known === undefined || schema === undefined) return null
  let accepted = wordsOf(schema)
  if (param === 'index_name') accepted = indexNames(exchange)
  else if (method === 'sim/restore') accepted = [...kept.keys()]
  // Only the secrets of this method: a small bundle does not contain the table of all methods.
  const written = hiddenParams(params, new Set(secretsOf(known.params)))
  const value = valueAt(written, param.split('.'))
  const found = `found ${shown(value)}`
  if (accepted.length > 0) {
    const close = typeof value === 'string' ? meant(nearest(value, accepted)) : null
    return `${param}: ${close === null ? `expected one of ${listed(accepted)}, ${found}` : `${found}; ${close}`}`
  }
  const examples: unknown = schema.meta?.()?.['examples']
  const example: unknown = Array.isArray(examples) ? examples[0] : undefined
  const such = example === undefined ? [] : [`such as ${JSON.stringify(example)}`]
  const reported = [...(schema.description === undefined ? [] : [schema.description]), ...such, found]
  return `${param}: ${reported.join('; ')}`
}

/** A value as hints show it: numbers and short text in full, other values by their type. */
function shown(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  if (typeof value !== 'string') return String(value)
  return value.length > TEXT_LENGTH_MAX ? `text of ${value.length} letters` : JSON.stringify(value)
}

/** The schema of a parameter, also inside lists and objects. */
function schemaAt(schema: SchemaPart | undefined, path: readonly string[]): SchemaPart | undefined {
  let at = schema
  for (const name of path) {
    at = inner(at)
    at = at?.shape?.[name] ?? (/^\d+$/.test(name) ? at?.element : undefined)
  }
  return at
}

/** The parts of a zod schema that hints look at. */
interface SchemaPart {
  readonly description?: string | undefined
  readonly shape?: { readonly [name: string]: SchemaPart }
  readonly element?: SchemaPart
  readonly options?: readonly unknown[]
  readonly values?: ReadonlySet<unknown>
  unwrap?(): SchemaPart
  meta?(): { readonly [name: string]: unknown } | undefined
}

/** The inner schema of an optional parameter. */
function inner(schema: SchemaPart | undefined): SchemaPart | undefined {
  let at = schema
  while (at?.unwrap !== undefined && at.element === undefined) at = at.unwrap()
  return at
}

/** The words that a parameter accepts; empty if it also accepts other values. */
function wordsOf(schema: SchemaPart): readonly string[] {
  const found = inner(schema)
  const values = found?.values === undefined ? (found?.options ?? []) : [...found.values]
  return values.every((value) => typeof value === 'string') ? values : []
}

function valueAt(params: unknown, path: readonly string[]): unknown {
  let value = params
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}

function indexNames(exchange: Exchange): readonly string[] {
  return [...new Set(allInstruments(exchange).map(({ priceIndex }) => priceIndex))]
}

/** The ticks of an instrument, each with the price above which it applies. */
function ticksIn(instrument: Instrument): string {
  const steps = instrument.tickSteps.filter(({ above }) => above > 0)
  const rest = steps.map(({ above, tick9 }) => `, ${decimal(tick9)} above ${decimal(above)}`)
  return `${decimal(tickOf(instrument))}${rest.join('')}`
}

/** True for an order request without a price and without a trigger price. */
function isUnpriced(method: string, params: RequestParams): boolean {
  const isOrder = method === 'private/buy' || method === 'private/sell'
  return isOrder && params['price'] === undefined && params['trigger_price'] === undefined
}

function unknownInstrument(exchange: Exchange, name: string): string {
  return `instrument_name: found ${shown(name)}; ${meantInstrument(exchange, name)}`
}

/** The listed name that is most similar to an unknown one, or the first listed instruments. */
export function meantInstrument(exchange: Exchange, name: string): string {
  const names = allInstruments(exchange).map((each) => each.name)
  return meant(nearest(name, names)) ?? `listed instruments: ${listed(names)}`
}

function meant(word: string | undefined): string | null {
  return word === undefined ? null : `did you mean ${word}?`
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_MAX).join(', ')
  return names.length > NAMES_MAX ? `${shown} and ${names.length - NAMES_MAX} more` : shown
}

function decimal(nano: number): string {
  return formatScaledNumber(nano, 9)
}
