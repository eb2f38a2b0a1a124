/**
 * private/cancel_quotes: cancels quotes by the criterion `cancel_type`, and returns their number, or with `detailed`
 * the quotes. Only the parameter of that criterion is required, and all others are ignored (C35).
 *
 * Source: trading.md 6.16 (C35), C12.
 */
import { type DecimalInput, parseDecimalInput, z } from '../../../../core/index.ts'
import { findInstrument } from '../../../../engine/index.ts'
import { anyQuote, type Fault, type QuoteFilter } from '../../../../model/index.ts'
import { defineMethod, type ReadContext } from '../../method.ts'
import {
  anyInstrumentKind,
  decimal,
  instrumentName,
  kindsOf,
  paramFault,
  requestCurrency,
  unknownInstrument,
} from '../../params.ts'
import { cancelReport } from '../cancels/bulk-cancel.ts'

const SCALE = 9

const params = z.object({
  cancel_type: z
    .enum(['delta', 'quote_set_id', 'instrument', 'instrument_kind', 'currency', 'currency_pair', 'all'])
    .describe('criterion of the cancelled quotes'),
  min_delta: decimal.optional().describe('of the size of the delta, included'),
  max_delta: decimal.optional().describe('of the size of the delta, included'),
  quote_set_id: z.string().optional().describe('id of a set of quotes'),
  instrument_name: instrumentName.optional(),
  kind: anyInstrumentKind.optional(),
  currency: requestCurrency.optional(),
  currency_pair: z.string().optional().describe('a price index such as btc_usd'),
  detailed: z.boolean().default(false).describe('true to list the quotes in the result'),
  freeze_quotes: z.boolean().default(false).describe('true to refuse new quotes for a second'),
})

/** Cancels quotes of the account. */
const cancelQuotes = defineMethod({
  scope: 'trade:read_write',
  sessions: 'json_rpc',
  command: 'cancel_quotes',
  queue: 'cancel',
  params,
  read: (context, request) => {
    const { part, fault } = filterOf(context, request)
    return {
      body: {
        kind: 'cancel_quotes',
        filter: { ...anyQuote, ...part },
        freeze: request.freeze_quotes,
      },
      fault,
    }
  },
  reply: cancelReport,
})

interface ReadFilter {
  readonly part: Partial<QuoteFilter>
  readonly fault: Fault | null
}

function filterOf(context: ReadContext, request: z.output<typeof params>): ReadFilter {
  switch (request.cancel_type) {
    case 'all':
      return { part: {}, fault: null }
    case 'delta':
      return deltaFilter(request)
    case 'quote_set_id':
      return given(request.quote_set_id, 'quote_set_id', (quoteSetId) => ({ quoteSetId }))
    case 'instrument':
      return instrumentFilter(context, request.instrument_name)
    case 'instrument_kind':
      return given(request.kind, 'kind', (kind) => ({ kinds: kindsOf(kind) }))
    case 'currency':
      return given(request.currency, 'currency', (currency) => ({ currencies: [currency] }))
    case 'currency_pair':
      return given(request.currency_pair, 'currency_pair', (pair) => ({ pair }))
  }
}

function given<T>(value: T | undefined, param: string, part: (value: T) => Partial<QuoteFilter>): ReadFilter {
  if (value === undefined) return { part: {}, fault: paramFault(param, 'required') }
  return { part: part(value), fault: null }
}

function instrumentFilter(context: ReadContext, name: string | undefined): ReadFilter {
  if (name === undefined) return { part: {}, fault: paramFault('instrument_name', 'required') }
  const instrument = findInstrument(context.exchange, name)
  if (instrument === undefined) return { part: {}, fault: unknownInstrument }
  return { part: { instrument: instrument.id }, fault: null }
}

/** The filter by a range of delta sizes; the lower end must not be above the upper one. */
function deltaFilter(request: z.output<typeof params>): ReadFilter {
  const { min_delta: least, max_delta: most } = request
  if (least === undefined || most === undefined) {
    const param = least === undefined ? 'min_delta' : 'max_delta'
    return { part: {}, fault: paramFault(param, 'required') }
  }
  const min9 = readDelta(least)
  const max9 = readDelta(most)
  if (min9 === undefined || max9 === undefined) {
    const param = min9 === undefined ? 'min_delta' : 'max_delta'
    return { part: {}, fault: paramFault(param, 'invalid') }
  }
  const part = { delta: { min9, max9 } }
  return { part, fault: min9 > max9 ? paramFault('min_delta', 'above_max_delta') : null }
}

function readDelta(input: DecimalInput): number | undefined {
  const read = parseDecimalInput(input, SCALE)
  if (!read.ok || read.value < 0n || read.value > BigInt(Number.MAX_SAFE_INTEGER)) return undefined
  return Number(read.value)
}

/** Methods by their names; a part of the table. */
export const cancelQuoteMethods = {
  'private/cancel_quotes': cancelQuotes,
} as const
