/**
 * sim/direct/mass_cancel: MassCancelRequest (140), which cancels orders and quotes; and sim/direct/mass_quote_cancel:
 * MassQuoteCancelRequest (145), which cancels the quotes of one group. The answer to both is 240. A message 310 reports
 * the cancelled orders to the sessions that placed them.
 *
 * Source: sessions document 8.5, 8.6, 8.11.
 */
import { z } from '../core/index.ts'
import { allInstruments, findInstrument, mmpGroupsOf } from '../engine/index.ts'
import { anyOrder, anyQuote, type Fault, type InstrumentKind, sides, validationStep } from '../model/index.ts'
import {
  defineMethod,
  earlier,
  instrumentName,
  type ReadContext,
  type ReplyContext,
  unknownInstrument,
} from '../rpc/index.ts'
import { answerFields, type Correlated, type DirectAnswer, messageHead } from './answers.ts'
import { messageJson } from './message-json.ts'
import { currencyPair, groupNumber, pairNamed } from './order-arguments.ts'
import { versionOf } from './posting.ts'

/** The kinds of instruments of each product type; null for all. */
const products: { readonly [type: string]: readonly InstrumentKind[] | null } = {
  all: null,
  options: ['option'],
  futures: ['future'],
  combo_futures: ['future_combo'],
  combo_options: ['option_combo'],
  spot: ['spot'],
}

const side = z.enum(sides).optional().describe('both sides if omitted')

/** 240: orders were cancelled. */
export interface MassCancelResponse extends DirectAnswer {
  readonly message: 'MassCancelResponse'
  readonly total_order_count: number
}

/** Cancels direct access orders and quotes of the portfolio. */
const massCancel = defineMethod({
  scope: 'direct_access:read_write',
  sessions: 'direct_access',
  command: 'cancel_orders',
  charge: 'trading',
  direct: 'MassCancelRequest',
  params: z.object({
    currency_pair: currencyPair,
    instrument_name: instrumentName.optional(),
    product_type: z.enum(Object.keys(products)).default('all').describe('products to cancel'),
    side,
    ...messageHead,
  }),
  read: (context, params) => {
    const { instrument_name: name } = params
    const instrument = name === undefined ? undefined : findInstrument(context.exchange, name)
    const isUnlisted = name !== undefined && instrument === undefined
    const filter = {
      ...anyOrder,
      pair: pairNamed(context, params.currency_pair),
      instrument: instrument?.id ?? null,
      kinds: products[params.product_type] ?? null,
      side: params.side ?? null,
      origin: 'direct_access' as const,
    }
    return {
      body: { kind: 'cancel_orders', filter, freezesQuotes: false },
      fault: earlier(
        pairFault(context, pairNamed(context, params.currency_pair)),
        isUnlisted ? unknownInstrument : null,
      ),
    }
  },
  reply: confirmation,
})

/** Cancels the quotes of a group. */
const massQuoteCancel = defineMethod({
  scope: 'direct_access:read_write',
  sessions: 'direct_access',
  command: 'cancel_quotes',
  charge: 'trading',
  direct: 'MassQuoteCancelRequest',
  params: z.object({ mmp_group_id: groupNumber, side, ...messageHead }),
  read: (context, params) => ({
    body: {
      kind: 'cancel_quotes',
      filter: { ...anyQuote, group: params.mmp_group_id, side: params.side ?? null },
      freeze: false,
    },
    fault: groupFault(context, params.mmp_group_id),
  }),
  reply: confirmation,
})

/** The fault of a number that names no quote group of the requesting portfolio. */
export function groupFault({ exchange, account }: ReadContext, number: number): Fault | null {
  const groups = account === -1 ? [] : mmpGroupsOf(exchange, account)
  const isKnown = groups.some((group) => group.number === number && group.key.name !== null)
  return isKnown ? null : unknownGroup
}

/** The fault of a group that the portfolio does not have. */
export const unknownGroup: Fault = {
  step: validationStep.argumentCombination,
  refusal: { reason: 'other_reject unknown_mmp_group' },
}

function pairFault(context: ReadContext, pair: string): Fault | null {
  const isKnown = allInstruments(context.exchange).some(({ priceIndex }) => priceIndex === pair)
  return isKnown ? null : unknownInstrument
}

function confirmation(context: ReplyContext, asked: Correlated): MassCancelResponse {
  const record = { ...answerFields(context, asked), totalOrderCount: context.count }
  return messageJson<MassCancelResponse>('MassCancelResponse', record, versionOf(context.history, context.session))
}

/** Methods by their names; a part of the table. */
export const massCancelMethods = {
  'sim/direct/mass_cancel': massCancel,
  'sim/direct/mass_quote_cancel': massQuoteCancel,
} as const
