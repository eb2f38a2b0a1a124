/**
 * Controls of the simulator: sim/create_account, list_instrument, deposit, give_position, set_instrument_state,
 * advance, stop_feeds, and for reference prices set_index and set_mark.
 * Source: coverage R24, R64; DESIGN 1, 6; market.md 3.1 (T22), 4 (fee factor).
 */
import {
  amount,
  type DecimalInput,
  decimalTextOf,
  defined,
  lots,
  type Micros,
  micros,
  parseDecimalInput,
  parseDuration,
  price9,
  z,
} from '../../../core/index.ts'
import { configOf, findAccount, findInstrument, indexTicks, timeOf, viewMarket } from '../../../engine/index.ts'
import {
  type Account,
  currencies,
  type Fault,
  instrumentStates,
  marginModels,
  overridableFields,
  overrideSpec,
  queueModels,
  specFromName,
  withVenueTerms,
} from '../../../model/index.ts'
import { indexOfConstituents } from '../../../pricing/index.ts'
import { priceOut, type RequestParams, timeOut, type WireInstrument } from '../../wire/index.ts'
import { instrumentOut } from '../market/instruments.ts'
import { defineMethod, queryOf, type ReadContext, type ReadRequest, unreadable, validRequest } from '../method.ts'
import {
  decimal,
  earlier,
  instrumentName,
  paramFault,
  type Read,
  readMoney,
  readPrice9,
  readSize,
  readTime,
  TIMESTAMP_MAX,
  timestamp,
  unknownAccount,
  unknownInstrument,
} from '../params.ts'

const accountName = z.string().describe('name of an account')

const currency = z.enum(currencies).describe('a currency that an account can hold')

const WHOLE_PPM = 1_000_000

const NOT_A_FACTOR = 'expected a fraction from 0 to 1 with up to 6 decimals'

/** Opens an account, or with `main` a subaccount. */
const createAccount = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'open_account',
  params: z.object({
    name: accountName.min(1),
    main: accountName.optional().describe('name of the main account; for subaccounts'),
    margin_model: z.enum(marginModels).default('segregated_sm').describe('margin model of the account'),
    fee_factor: decimal.optional().describe('share of the fees that the account pays, from 0 to 1'),
  }),
  read: (context, params) => {
    const named = params.main
    const main = named === undefined ? undefined : findAccount(context.exchange, named)
    const feePpm = readFactor(params.fee_factor ?? 1)
    return {
      body: {
        kind: 'open_account',
        name: params.name,
        marginModel: params.margin_model,
        main: main?.id ?? null,
        feePpm: feePpm ?? WHOLE_PPM,
      },
      fault: earlier(
        named === undefined ? null : mainFault(main),
        feePpm === undefined ? paramFault('fee_factor', NOT_A_FACTOR) : null,
      ),
    }
  },
  reply: () => 'ok',
})

/** Only a main account of the run can have subaccounts. */
function mainFault(main: Account | undefined): Fault | null {
  if (main === undefined || main.house) return paramFault('main', 'unknown_account')
  return main.main === main.id ? null : paramFault('main', 'is_a_subaccount')
}

/** Parts per million of a factor from 0 to 1 with at most six decimals. */
function readFactor(factor: DecimalInput): number | undefined {
  const ppm = parseDecimalInput(factor, 6)
  if (!ppm.ok || ppm.value < 0n || ppm.value > BigInt(WHOLE_PPM)) return undefined
  return Number(ppm.value)
}

const overrideValue = z.union([decimal, z.string()]).optional()

/** Fields of an instrument that a run may change, by their wire names. */
const overrides: { readonly [field: string]: typeof overrideValue } = Object.fromEntries(
  overridableFields.map((field) => {
    const words = field.replaceAll('_', ' ')
    return [field, overrideValue.describe(`${words}; replaces the value of the catalogue`)]
  }),
)

/**
 * Lists an instrument of the catalogue by name, with optional overrides of its fields. With `queue`, a recorded feed
 * provides its liquidity, and the value is the queue model.
 */
const listInstrument = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'list_instrument',
  params: z.object({
    instrument_name: instrumentName,
    queue: z.enum(queueModels).optional().describe('queue model of a recorded feed'),
    // The fields are computed from a list, so the type does not have their names.
    ...(overrides as Record<never, never>),
  }),
  read: (context, params) => {
    const { instrument_name: name, queue = null, ...fields } = params
    const listed = specFromName(name, { creation: timeOf(context.exchange) })
    if (!listed.ok) {
      const fault = paramFault('instrument_name', listed.error)
      return { body: unreadable('list_instrument'), fault }
    }
    const usual = withVenueTerms(listed.value, configOf(context.exchange))
    const changed = overrideSpec(usual, textsOf(fields))
    const mistake = changed.ok ? undefined : changed.error[0]
    const fault =
      mistake === undefined ? null : paramFault(mistake.field, `expected ${mistake.expected}, found ${mistake.found}`)
    const spec = changed.ok ? changed.value : usual
    return { body: { kind: 'list_instrument', spec, queue }, fault }
  },
  reply: (context, params): WireInstrument => {
    const listed = findInstrument(context.exchange, params.instrument_name)
    return instrumentOut(defined(listed, 'the instrument is listed'), 'open')
  },
})

/** Adds external money to an account; a negative amount removes it. */
const deposit = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'deposit',
  params: z.object({ account: accountName, currency, amount: decimal }),
  read: (context, params) => {
    const target = findAccount(context.exchange, params.account)
    const money = readMoney(params.amount)
    if (target === undefined) return { body: unreadable('deposit'), fault: unknownAccount }
    if (money === undefined) {
      return { body: unreadable('deposit'), fault: paramFault('amount', 'too_many_decimals') }
    }
    return validRequest({
      kind: 'deposit',
      target: target.id,
      currency: params.currency,
      amount: amount(money),
    })
  },
  reply: () => 'ok',
})

/** Gives an account a position at a price, against the house account; a negative amount is short. */
const givePosition = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'give_position',
  params: z.object({
    account: accountName,
    instrument_name: instrumentName,
    amount: decimal,
    price: decimal,
  }),
  read: (context, params) => {
    const target = findAccount(context.exchange, params.account)
    const instrument = findInstrument(context.exchange, params.instrument_name)
    if (instrument === undefined) return { body: unreadable('give_position'), fault: unknownInstrument }
    const negative = isNegative(params.amount)
    const size = readSize(instrument, { amount: negated(params.amount, negative) })
    const price = readPrice9(params.price)
    let fault = earlier(
      target === undefined ? unknownAccount : null,
      typeof price === 'number' ? null : paramFault('price', 'not_a_price'),
    )
    if (!size.ok) fault = earlier(fault, size.fault)
    if (target === undefined || typeof price !== 'number' || !size.ok) {
      return { body: unreadable('give_position', instrument.id), fault }
    }
    return {
      body: {
        kind: 'give_position',
        target: target.id,
        instrument: instrument.id,
        size: lots(negative ? -size.value : size.value),
        price,
      },
      fault,
    }
  },
  reply: () => 'ok',
})

// Source: trading.md 6.4.
/** Sets the state of an instrument's book, which can cancel orders. */
const setInstrumentState = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'set_instrument_state',
  params: z.object({
    instrument_name: instrumentName,
    state: z.enum(instrumentStates).describe('new state of the book'),
  }),
  read: (context, params) => {
    const instrument = findInstrument(context.exchange, params.instrument_name)
    if (instrument === undefined) {
      return { body: unreadable('set_instrument_state'), fault: unknownInstrument }
    }
    return validRequest({ kind: 'set_instrument_state', instrument: instrument.id, state: params.state })
  },
  reply: () => 'ok',
})

const advanceParams = z.object({
  to: timestamp.optional(),
  by: z
    .string()
    .optional()
    .describe('a duration after now, instead of to')
    .meta({ examples: ['1.5s'] }),
})

/**
 * Moves the clock to a later time, or by a duration, and runs the timers that are due until then. A request has either
 * `to` or `by`. The result is the new time.
 */
const advance = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'advance_time',
  params: advanceParams,
  read: (context, params) => {
    const to = readAdvance(params, timeOf(context.exchange))
    return to.ok
      ? validRequest({ kind: 'advance_time', to: to.value })
      : { body: unreadable('advance_time'), fault: to.fault }
  },
  reply: (context): number => timeOut(timeOf(context.exchange)),
})

function readAdvance({ to, by }: z.output<typeof advanceParams>, now: Micros): Read<Micros> {
  const refused = (param: string, problem: string): Read<Micros> => ({ ok: false, fault: paramFault(param, problem) })
  if (to !== undefined) return by === undefined ? { ok: true, value: readTime(to) } : refused('by', 'not_with_to')
  if (by === undefined) return refused('to', 'required')
  const duration = parseDuration(by)
  if (!duration.ok) return refused('by', `expected ${duration.error.expected}`)
  if (duration.value > readTime(TIMESTAMP_MAX) - now) return refused('by', 'too_large')
  return { ok: true, value: micros(now + duration.value) }
}

/** The time to which parameters of `sim/advance` move a clock; undefined if the request will be refused. */
export function advanceTarget(params: RequestParams, now: Micros): Micros | undefined {
  const read = advance.reader(params)
  const to = read.ok ? readAdvance(read.value, now) : read
  return to.ok ? to.value : undefined
}

/**
 * Stops the recorded market: the remaining rows of its feeds are not applied. The book stays unchanged and stale until
 * own orders change it. A server sends this when it closes, so that its journal ends at the same point as the market.
 */
const stopFeeds = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'query',
  params: z.object({}),
  afterwards: 'stop_feeds',
  read: () => queryOf(null),
  reply: () => 'ok',
})

/** Overrides as decimal text; texts, such as the name of an index, pass unchanged. */
function textsOf(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [field, value] of Object.entries(fields)) {
    if (value === undefined) continue
    texts[field] = typeof value === 'string' ? value : textOf(value as DecimalInput)
  }
  return texts
}

function textOf(value: DecimalInput): string {
  return typeof value === 'number' ? decimalTextOf(value) : value.decimal
}

function isNegative(value: DecimalInput): boolean {
  return textOf(value).startsWith('-')
}

function negated(value: DecimalInput, negative: boolean): DecimalInput {
  return negative ? { decimal: textOf(value).slice(1) } : value
}

const constituent = z.object({ price: decimal, weight: decimal })

/** Largest number of constituents, more than any index has. */
const CONSTITUENTS_MAX = 100

/**
 * Sets a price index immediately: to `price`; to the weighted mean of `constituents`, each limited to half a percent from
 * their median; or, with `from: mid`, to the mid price of the recorded book of `instrument_name`, which it then follows.
 */
const setIndex = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'set_index',
  params: z.object({
    index_name: z
      .string()
      .regex(/^[a-z0-9]+_[a-z0-9]+$/, 'an index such as btc_usd')
      .describe('an index such as btc_usd'),
    price: decimal.optional(),
    constituents: z
      .array(constituent)
      .min(1)
      .max(CONSTITUENTS_MAX)
      .optional()
      .describe('prices of the exchanges that make up the index'),
    from: z.enum(['mid']).optional().describe('mid uses the mid price of the spot book'),
    instrument_name: instrumentName.optional(),
  }),
  read: (context, params) => {
    if (params.from === 'mid') return readFollowMid(context, params)
    const { body, fault } =
      params.constituents === undefined ? readIndexPrice(params) : readConstituents(context, params)
    const named = params.instrument_name !== undefined
    return { body, fault: earlier(fault, named ? NOT_WITHOUT_FROM : null) }
  },
  reply: () => 'ok',
})

/** A request names a book only if the index follows it. */
const NOT_WITHOUT_FROM = paramFault('instrument_name', 'not_without_from')

interface IndexParams {
  readonly index_name: string
  readonly price?: DecimalInput | undefined
  readonly constituents?: readonly z.output<typeof constituent>[] | undefined
  readonly instrument_name?: string | undefined
}

function readIndexPrice(params: IndexParams): ReadRequest {
  const price = params.price === undefined ? undefined : readPrice9(params.price)
  const missing = params.price === undefined ? 'required' : 'not_a_price'
  return {
    body: { kind: 'set_index', index: params.index_name, price: price ?? price9(0) },
    fault: typeof price === 'number' ? null : paramFault('price', missing),
  }
}

function readConstituents(context: ReadContext, params: IndexParams): ReadRequest {
  const given = params.constituents ?? []
  let fault = params.price === undefined ? null : paramFault('price', 'not_with_constituents')
  const list: { price9: number; weight9: number }[] = []
  for (const [at, entry] of given.entries()) {
    for (const field of ['price', 'weight'] as const) {
      const problem = problemOf(readPrice9(entry[field]))
      if (problem === null) continue
      fault = earlier(fault, paramFault(`constituents.${at}.${field}`, problem))
    }
    list.push({
      price9: readPrice9(entry.price) ?? 0,
      weight9: readPrice9(entry.weight) ?? 0,
    })
  }
  const ticks = indexTicks(context.exchange, params.index_name)
  const price = fault === null ? indexOfConstituents(list, params.index_name, ticks) : 0
  // A price below half a step of the index rounds to zero.
  if (fault === null && price === 0) fault = paramFault('constituents', 'too_small')
  return { body: { kind: 'set_index', index: params.index_name, price: price9(price) }, fault }
}

/** The mistake in a price or weight of a constituent, or null. */
function problemOf(read: number | undefined | null): string | null {
  if (read === undefined) return 'too_many_decimals'
  if (read === null) return 'too_large'
  return read > 0 ? null : 'not_above_zero'
}

function readFollowMid(context: ReadContext, params: IndexParams): ReadRequest {
  const name = params.instrument_name
  const instrument = name === undefined ? undefined : findInstrument(context.exchange, name)
  const missing = name === undefined ? paramFault('instrument_name', 'required') : unknownInstrument
  const isPriced = params.price !== undefined || params.constituents !== undefined
  const priced = paramFault(params.price === undefined ? 'constituents' : 'price', 'not_with_from')
  const fault = earlier(isPriced ? priced : null, instrument === undefined ? missing : null)
  if (instrument === undefined) return { body: unreadable('follow_mid'), fault }
  return {
    body: { kind: 'follow_mid', index: params.index_name, instrument: instrument.id },
    fault,
  }
}

/** Pins the mark price of an instrument; without a price, the mark price follows the index again. */
const setMark = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'set_mark',
  params: z.object({ instrument_name: instrumentName, price: decimal.optional() }),
  read: (context, params) => {
    const instrument = findInstrument(context.exchange, params.instrument_name)
    const price = params.price === undefined ? null : readPrice9(params.price)
    const wrong = params.price !== undefined && typeof price !== 'number'
    const fault = earlier(
      instrument === undefined ? unknownInstrument : null,
      wrong ? paramFault('price', 'not_a_price') : null,
    )
    if (instrument === undefined) return { body: unreadable('set_mark'), fault }
    return { body: { kind: 'set_mark', instrument: instrument.id, price: price ?? null }, fault }
  },
  reply: (context, params): { readonly mark_price: number } => {
    const instrument = defined(findInstrument(context.exchange, params.instrument_name), 'the instrument exists')
    return { mark_price: priceOut(viewMarket(context.exchange, instrument.id).mark) }
  },
})

/** Controls by their names; a part of the table. */
const priceControls = {
  'sim/set_index': setIndex,
  'sim/set_mark': setMark,
} as const

/** Controls by their names; a part of the table. */
const marketControls = {
  'sim/create_account': createAccount,
  'sim/list_instrument': listInstrument,
  'sim/deposit': deposit,
  'sim/give_position': givePosition,
  'sim/set_instrument_state': setInstrumentState,
  'sim/advance': advance,
  'sim/stop_feeds': stopFeeds,
} as const

/**
 * The controls that open a market: instruments, accounts, deposits, prices, for a `methodSet`.
 *
 * @example
 * console.log(Object.keys(openingControls).includes('sim/set_index')) // true
 */
export const openingControls = {
  ...marketControls,
  ...priceControls,
} as const
