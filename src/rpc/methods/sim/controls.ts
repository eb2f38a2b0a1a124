/**
 * Controls of the simulator: sim/create_account, list_instrument, deposit, give_position,
 * set_instrument_state, advance; those of prices are in `prices.ts`.
 * Source: coverage R64; DESIGN 1, 6; market.md 4 (fee factor).
 */
import {
  accountId,
  amount,
  type DecimalInput,
  decimalTextOf,
  defined,
  instrumentId,
  lots,
  micros,
  parseDecimalInput,
  price9,
  z,
} from '../../../core/index.ts'
import { configOf, findAccount, findInstrument, timeOf } from '../../../engine/index.ts'
import {
  type Account,
  currencies,
  type Fault,
  type InstrumentSpec,
  instrumentStates,
  marginModels,
  overridableFields,
  overrideSpec,
  queueModels,
  specFromName,
  withVenueTerms,
} from '../../../model/index.ts'
import { timeOut, type WireInstrument } from '../../wire/index.ts'
import { instrumentOut } from '../market/instruments.ts'
import { type CommandBody, defineMethod, queryOf, unreadQuery } from '../method.ts'
import {
  decimal,
  earlier,
  instrumentName,
  paramFault,
  readMoney,
  readPrice9,
  readSize,
  readTime,
  timestamp,
  unknownInstrument,
} from '../params.ts'

/** An instrument that no run lists, where none could be read. */
export const unlisted = instrumentId(Number.MAX_SAFE_INTEGER)

const accountName = z.string().describe('name of an account')
const currency = z.enum(currencies).describe('a currency that an account can hold')
const WHOLE_PPM = 1_000_000
const NOT_A_FACTOR = 'expected a fraction from 0 to 1 with up to 6 decimals'

/** An account for requests that cannot be read; its fault keeps it from being opened. */
export const unreadAccount: CommandBody & { readonly kind: 'open_account' } = {
  kind: 'open_account',
  name: '',
  marginModel: 'segregated_sm',
  main: null,
  feePpm: WHOLE_PPM,
}

/** Opens an account, or with `main` a subaccount. */
export const createAccount = defineMethod({
  scope: 'sim',
  unread: unreadAccount,
  params: z.object({
    name: accountName.min(1),
    main: accountName.optional().describe('name of its main account, for a subaccount'),
    margin_model: z.enum(marginModels).default('segregated_sm').describe('how margin is counted'),
    fee_factor: decimal.optional().describe('what of its fees it pays, from 0 to 1'),
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

/** Only a main account of the run has subaccounts. */
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

/** Fields of an instrument that a run may change, by their names on the wire. */
const overrides: { readonly [field: string]: typeof overrideValue } = Object.fromEntries(
  overridableFields.map((field) => {
    const words = field.replaceAll('_', ' ')
    return [field, overrideValue.describe(`its ${words}, in place of that of the catalogue`)]
  }),
)

/** A listing for requests that cannot be read; its fault keeps it from being used. */
export const unreadInstrument: CommandBody & { readonly kind: 'list_instrument' } = {
  kind: 'list_instrument',
  spec: defaultSpec(),
  queue: null,
}

/**
 * Lists an instrument of the catalogue by its name, with some of its fields replaced. With `queue`
 * its liquidity is that of a recorded feed, and the word says how places in its queues are modelled.
 */
export const listInstrument = defineMethod({
  scope: 'sim',
  unread: unreadInstrument,
  params: z.object({
    instrument_name: instrumentName,
    queue: z.enum(queueModels).optional().describe('how queues of a recorded feed are modelled'),
    // The overrides come from a list, so their names are not in the type.
    ...(overrides as Record<never, never>),
  }),
  read: (context, params) => {
    const { instrument_name: name, queue = null, ...fields } = params
    const listed = specFromName(name, { creation: timeOf(context.exchange) })
    if (!listed.ok) {
      const fault = paramFault('instrument_name', listed.error)
      return { body: { ...unreadInstrument }, fault }
    }
    const usual = withVenueTerms(listed.value, configOf(context.exchange))
    const changed = overrideSpec(usual, textsOf(fields))
    const mistake = changed.ok ? undefined : changed.error[0]
    const fault =
      mistake === undefined
        ? null
        : paramFault(mistake.field, `expected ${mistake.expected}, found ${mistake.found}`)
    const spec = changed.ok ? changed.value : usual
    return { body: { kind: 'list_instrument', spec, queue }, fault }
  },
  reply: (context, params): WireInstrument => {
    const listed = findInstrument(context.exchange, params.instrument_name)
    return instrumentOut(defined(listed, 'it is listed now'), 'open')
  },
})

/** A deposit with nothing in it, for requests that cannot be read. */
const unreadDeposit: CommandBody & { readonly kind: 'deposit' } = {
  kind: 'deposit',
  target: accountId(0),
  currency: 'BTC',
  amount: amount(0n),
}

/** Adds money to an account from outside; a negative amount takes it out. */
export const deposit = defineMethod({
  scope: 'sim',
  unread: unreadDeposit,
  params: z.object({ account: accountName, currency, amount: decimal }),
  read: (context, params) => {
    const target = findAccount(context.exchange, params.account)
    const money = readMoney(params.amount)
    return {
      body: {
        kind: 'deposit',
        target: target?.id ?? accountId(0),
        currency: params.currency,
        amount: money ?? amount(0n),
      },
      fault: earlier(
        target === undefined ? unknownAccount : null,
        money === undefined ? paramFault('amount', 'too_many_decimals') : null,
      ),
    }
  },
  reply: () => 'ok',
})

/** A given position for requests that cannot be read. */
const unreadPosition: CommandBody & { readonly kind: 'give_position' } = {
  kind: 'give_position',
  target: accountId(0),
  instrument: unlisted,
  size: lots(0),
  price: price9(0),
}

/** Gives an account a position at a price, against the house; a negative amount is short. */
export const givePosition = defineMethod({
  scope: 'sim',
  unread: unreadPosition,
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
    let fault = earlier(
      target === undefined ? unknownAccount : null,
      typeof price === 'number' ? null : paramFault('price', 'not_a_price'),
    )
    if (!size.ok) fault = earlier(fault, size.fault)
    return {
      body: {
        kind: 'give_position',
        target: target?.id ?? accountId(0),
        instrument: instrument.id,
        size: lots(size.ok ? (negative ? -size.value : size.value) : 0),
        price: price ?? price9(0),
      },
      fault,
    }
  },
  reply: () => 'ok',
})

/** A state for requests that cannot be read; its fault keeps it from being set. */
const unreadState: CommandBody & { readonly kind: 'set_instrument_state' } = {
  kind: 'set_instrument_state',
  instrument: unlisted,
  state: 'open',
}

/** Sets the state of an instrument's book, which may end orders (trading.md 6.4). */
export const setInstrumentState = defineMethod({
  scope: 'sim',
  unread: unreadState,
  params: z.object({
    instrument_name: instrumentName,
    state: z.enum(instrumentStates).describe('what the book does from now on'),
  }),
  read: (context, params) => {
    const instrument = findInstrument(context.exchange, params.instrument_name)
    return {
      body: {
        kind: 'set_instrument_state',
        instrument: instrument?.id ?? unlisted,
        state: params.state,
      },
      fault: instrument === undefined ? unknownInstrument : null,
    }
  },
  reply: () => 'ok',
})

/** A step of the clock with nothing in it, for requests that cannot be read. */
const unreadAdvance: CommandBody & { readonly kind: 'advance_time' } = {
  kind: 'advance_time',
  to: micros(0),
}

/** Moves the clock to a later time; timers due until then run. The result is the new time. */
export const advance = defineMethod({
  scope: 'sim',
  unread: unreadAdvance,
  params: z.object({ to: timestamp }),
  read: (_context, params) => ({
    body: { kind: 'advance_time', to: readTime(params.to) },
    fault: null,
  }),
  reply: (context): number => timeOut(timeOf(context.exchange)),
})

/**
 * Ends the recorded market: what its feeds still have is not applied. The book stays as it is, and stale, until own
 * orders change it. A server says so when it closes, so that its journal ends where the market did.
 */
export const stopFeeds = defineMethod({
  scope: 'sim',
  unread: unreadQuery,
  params: z.object({}),
  afterwards: 'stop_feeds',
  read: () => queryOf(null),
  reply: () => 'ok',
})

const unknownAccount = paramFault('account', 'unknown_account')

function defaultSpec(): InstrumentSpec {
  const spec = specFromName('BTC-PERPETUAL', { creation: micros(0) })
  if (!spec.ok) throw new RangeError('the catalogue has BTC-PERPETUAL')
  return spec.value
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
