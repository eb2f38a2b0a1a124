/**
 * Controls of the simulator: sim/create_account, list_instrument, deposit, give_position, set_index,
 * set_mark, advance. Source: coverage R64; DESIGN 1, 6.
 */
import { z } from 'zod'
import {
  accountId,
  amount,
  type DecimalInput,
  decimalTextOf,
  instrumentId,
  lots,
  micros,
  price9,
} from '../../../core/index.ts'
import { findAccount, findInstrument, viewMarket } from '../../../engine/index.ts'
import {
  currencies,
  type Fault,
  type InstrumentSpec,
  overridableFields,
  overrideSpec,
  queueModels,
  specFromName,
  validationStep,
} from '../../../model/index.ts'
import {
  type CommandBody,
  defineMethod,
  type ReadContext,
  type ReadRequest,
  type ReplyContext,
} from '../../method.ts'
import {
  decimal,
  instrumentName,
  paramFault,
  readMoney,
  readPrice9,
  readSize,
  readTime,
  timestamp,
} from '../../params.ts'
import { priceOut, timeOut } from '../../wire/numbers.ts'
import { instrumentOut } from '../market/instruments.ts'
import { earliest } from '../trading/place.ts'

const accountName = z.string().describe('name of an account')
const currency = z.enum(currencies)

/** Opens an account. */
export const createAccount = defineMethod({
  kind: 'open_account',
  params: z.object({ name: accountName.min(1) }),
  read: (_context, params) => ({
    body: { kind: 'open_account', name: params.name, marginModel: 'segregated_sm' },
    fault: null,
  }),
  reply: () => 'ok',
})

const overrideValue = z.union([decimal, z.string()]).optional()

/** Fields of an instrument that a run may change, by their names on the wire. */
const overrides: { readonly [field: string]: typeof overrideValue } = Object.fromEntries(
  overridableFields.map((field) => [field, overrideValue]),
)

/**
 * Lists an instrument of the catalogue by its name, with some of its fields replaced. With `queue`
 * its liquidity is that of a recorded feed, and the word says how places in its queues are modelled.
 */
export const listInstrument = defineMethod({
  kind: 'list_instrument',
  params: z
    .object({ instrument_name: instrumentName, queue: z.enum(queueModels).optional() })
    .extend(overrides as Record<never, never>),
  read: (context, params) => {
    // The overrides come from a list, so their names are not in the type.
    const { instrument_name: name, queue = null, ...fields } = params
    const listed = specFromName(name, { creation: context.exchange.now })
    if (!listed.ok) {
      const fault = paramFault('instrument_name', listed.error)
      return { body: { ...unreadInstrument }, fault }
    }
    const changed = overrideSpec(listed.value, textsOf(fields))
    const mistake = changed.ok ? undefined : changed.error[0]
    const fault =
      mistake === undefined
        ? null
        : paramFault(mistake.field, `expected ${mistake.expected}, found ${mistake.found}`)
    const spec = changed.ok ? changed.value : listed.value
    return { body: { kind: 'list_instrument', spec, queue }, fault }
  },
  reply: (context, params): object => {
    const instrument = findInstrument(context.exchange, params.instrument_name)
    return instrument === undefined ? {} : instrumentOut(instrument, 'open')
  },
})

/** Adds money to an account from outside; a negative amount takes it out. */
export const deposit = defineMethod({
  kind: 'deposit',
  params: z.object({ account: accountName, currency, amount: decimal }),
  read: (context, params) => {
    const target = findAccount(context.exchange, params.account)
    const money = readMoney(params.amount)
    const faults = [
      target === undefined ? paramFault('account', 'unknown_account') : undefined,
      money === undefined ? paramFault('amount', 'too_many_decimals') : undefined,
    ]
    return {
      body: {
        kind: 'deposit',
        target: target?.id ?? accountId(0),
        currency: params.currency,
        amount: money ?? amount(0n),
      },
      fault: earliest(faults),
    }
  },
  reply: () => 'ok',
})

/** Gives an account a position at a price, against the house; a negative amount is short. */
export const givePosition = defineMethod({
  kind: 'give_position',
  params: z.object({
    account: accountName,
    instrument_name: instrumentName,
    amount: decimal,
    price: decimal,
  }),
  read: (context, params) => {
    const target = findAccount(context.exchange, params.account)
    const instrument = findInstrument(context.exchange, params.instrument_name)
    if (instrument === undefined) return { body: { ...unreadPosition }, fault: unknownInstrument }
    const negative = isNegative(params.amount)
    const size = readSize(instrument, { amount: negated(params.amount, negative) })
    const price = readPrice9(params.price)
    const faults: (Fault | undefined)[] = [
      target === undefined ? paramFault('account', 'unknown_account') : undefined,
      size.ok ? undefined : size.fault,
      typeof price === 'number' ? undefined : paramFault('price', 'not_a_price'),
    ]
    return {
      body: {
        kind: 'give_position',
        target: target?.id ?? accountId(0),
        instrument: instrument.id,
        size: lots(size.ok ? (negative ? -size.value : size.value) : 0),
        price: price ?? price9(0),
      },
      fault: earliest(faults),
    }
  },
  reply: () => 'ok',
})

/**
 * Sets a price index, which acts at once (R24): to `price`, or with `from: mid` to the middle of the
 * recorded book of `instrument_name`, which it follows from then on.
 */
export const setIndex = defineMethod({
  kind: 'set_index',
  params: z.object({
    index_name: z.string().regex(/^[a-z0-9]+_[a-z0-9]+$/, 'an index such as btc_usd'),
    price: decimal.optional(),
    from: z.enum(['mid']).optional(),
    instrument_name: instrumentName.optional(),
  }),
  read: (context, params) => {
    if (params.from === 'mid') return readFollowMid(context, params)
    const price = params.price === undefined ? undefined : readPrice9(params.price)
    const missing = params.price === undefined ? 'required' : 'not_a_price'
    return {
      body: { kind: 'set_index', index: params.index_name, price: price ?? price9(0) },
      fault: typeof price === 'number' ? null : paramFault('price', missing),
    }
  },
  reply: () => 'ok',
})

function readFollowMid(
  context: ReadContext,
  params: {
    readonly index_name: string
    readonly price?: DecimalInput | undefined
    readonly instrument_name?: string | undefined
  },
): ReadRequest {
  const name = params.instrument_name
  const instrument = name === undefined ? undefined : findInstrument(context.exchange, name)
  const faults = [
    params.price === undefined ? undefined : paramFault('price', 'not_with_from'),
    name === undefined ? paramFault('instrument_name', 'required') : undefined,
    name !== undefined && instrument === undefined ? unknownInstrument : undefined,
  ]
  return {
    body: {
      kind: 'follow_mid',
      index: params.index_name,
      instrument: instrument?.id ?? instrumentId(Number.MAX_SAFE_INTEGER),
    },
    fault: earliest(faults),
  }
}

/** Pins the mark price of an instrument; without a price it follows its index again. */
export const setMark = defineMethod({
  kind: 'set_mark',
  params: z.object({ instrument_name: instrumentName, price: decimal.optional() }),
  read: (context, params) => {
    const instrument = findInstrument(context.exchange, params.instrument_name)
    const price = params.price === undefined ? null : readPrice9(params.price)
    const faults = [
      instrument === undefined ? unknownInstrument : undefined,
      params.price !== undefined && typeof price !== 'number'
        ? paramFault('price', 'not_a_price')
        : undefined,
    ]
    return {
      body: {
        kind: 'set_mark',
        instrument: instrument?.id ?? instrumentId(Number.MAX_SAFE_INTEGER),
        price: price ?? null,
      },
      fault: earliest(faults),
    }
  },
  reply: (context, params): object => markOut(context, params.instrument_name),
})

/** Moves the clock to a later time; timers due until then run. The result is the new time. */
export const advance = defineMethod({
  kind: 'advance_time',
  params: z.object({ to: timestamp }),
  read: (_context, params) => ({
    body: { kind: 'advance_time', to: readTime(params.to) },
    fault: null,
  }),
  reply: (context): number => timeOut(context.exchange.now),
})

const unknownInstrument: Fault = {
  step: validationStep.instrument,
  refusal: { reason: 'not_found' },
}

/** A listing for requests that cannot be read; its fault keeps it from being used. */
export const unreadInstrument: CommandBody & { readonly kind: 'list_instrument' } = {
  kind: 'list_instrument',
  spec: defaultSpec(),
  queue: null,
}

/** A given position for requests that cannot be read. */
export const unreadPosition: CommandBody & { readonly kind: 'give_position' } = {
  kind: 'give_position',
  target: accountId(0),
  instrument: instrumentId(Number.MAX_SAFE_INTEGER),
  size: lots(0),
  price: price9(0),
}

function defaultSpec(): InstrumentSpec {
  const spec = specFromName('BTC-PERPETUAL', { creation: micros(0) })
  if (!spec.ok) throw new RangeError('the catalogue has BTC-PERPETUAL')
  return spec.value
}

function markOut(context: ReplyContext, name: string): object {
  const instrument = findInstrument(context.exchange, name)
  if (instrument === undefined) return {}
  return { mark_price: priceOut(viewMarket(context.exchange, instrument.id).mark) }
}

/** Overrides as decimal text; texts, such as the name of an index, pass as they are. */
function textsOf(fields: { readonly [field: string]: unknown }): Record<string, string> {
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
