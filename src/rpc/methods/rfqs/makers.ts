/**
 * Quotes of makers on Block RFQs: private/add_block_rfq_quote, private/edit_block_rfq_quote,
 * private/cancel_block_rfq_quote, private/cancel_all_block_rfq_quotes and private/get_block_rfq_quotes.
 *
 * Source: sessions-blocks-gateways.md 5.1, 5.5.
 */
import { defined, z } from '../../../core/index.ts'
import { rfqPartyOf, rfqQuotesOf } from '../../../engine/index.ts'
import {
  executionInstructions,
  type Fault,
  type RfqQuoteName,
  type RfqQuoteTerms,
  sides,
} from '../../../model/index.ts'
import { changedQuoteOut, openQuoteOut, type WireRfqQuote } from '../../wire/index.ts'
import { asker, defineMethod, queryOf, type ReadContext, type ReplyContext, validRequest } from '../method.ts'
import { decimal, earlier, label, paramFault, readTime, timestamp } from '../params.ts'
import {
  hedgeParam,
  notForYou,
  quotedLegs,
  quoteId,
  readHedge,
  readQuotedLegs,
  readRfqPrice,
  readSize9,
  rfqId,
  structureAmount,
} from './rfq-params.ts'

const terms = {
  amount: structureAmount,
  legs: quotedLegs,
  hedge: hedgeParam,
  price: decimal.optional().describe('price of the structure; for future spreads, it can replace the leg prices'),
}

/** Quotes one side of an RFQ. */
const addBlockRfqQuote = defineMethod({
  scope: 'block_rfq:read_write',
  sessions: 'json_rpc',
  command: 'add_rfq_quote',
  charge: 'trading',
  params: z.object({
    block_rfq_id: rfqId,
    ...terms,
    direction: z.enum(sides).describe('the side of the maker'),
    label: label.default(''),
    execution_instruction: z
      .enum(executionInstructions)
      .default('any_part_of')
      .describe('any_part_of allows partial fills; all_or_none has the whole amount of the RFQ'),
    expires_at: timestamp
      .optional()
      .describe('milliseconds since the epoch; if omitted, the quote expires with the RFQ'),
  }),
  read: (context, params) => {
    const read = readTerms(context, params)
    const expires = params.expires_at
    return {
      body: {
        kind: 'add_rfq_quote',
        ...read.value,
        rfq: params.block_rfq_id,
        side: params.direction,
        label: params.label,
        allOrNone: params.execution_instruction === 'all_or_none',
        expiresAt: expires === undefined ? null : readTime(expires),
        appName: context.key?.appName ?? null,
      },
      fault: read.fault,
    }
  },
  reply: (context): WireRfqQuote => changedQuote(context),
})

const name = {
  block_rfq_quote_id: quoteId.optional(),
  block_rfq_id: rfqId.optional().describe('number of a Block RFQ, to select a quote by its label'),
  label: label.optional().describe('label of a quote on the Block RFQ'),
}

/** Replaces the size and prices of a quote. */
const editBlockRfqQuote = defineMethod({
  scope: 'block_rfq:read_write',
  sessions: 'json_rpc',
  command: 'edit_rfq_quote',
  charge: 'trading',
  params: z.object({ ...terms, ...name }),
  read: (context, params) => {
    const read = readTerms(context, params)
    const named = readName(params)
    return {
      body: { kind: 'edit_rfq_quote', ...read.value, named: named.name },
      fault: earlier(named.fault, read.fault),
    }
  },
  reply: (context): WireRfqQuote => changedQuote(context),
})

/** Cancels a quote. */
const cancelBlockRfqQuote = defineMethod({
  scope: 'block_rfq:read_write',
  sessions: 'json_rpc',
  command: 'cancel_rfq_quote',
  charge: 'trading',
  params: z.object(name),
  read: (_, params) => {
    const { name: named, fault } = readName(params)
    return { body: { kind: 'cancel_rfq_quote', named }, fault }
  },
  reply: (context): WireRfqQuote => changedQuote(context),
})

/** Cancels all quotes of the requesting account, or its quotes on one RFQ. */
const cancelAllBlockRfqQuotes = defineMethod({
  scope: 'block_rfq:read_write',
  sessions: 'json_rpc',
  command: 'cancel_rfq_quotes',
  charge: 'trading',
  params: z.object({
    block_rfq_id: rfqId.optional(),
    detailed: z.boolean().default(false).describe('true to return the quotes instead of their number'),
  }),
  read: (_, params) => validRequest({ kind: 'cancel_rfq_quotes', rfq: params.block_rfq_id ?? null }),
  reply: (context, params): number | readonly WireRfqQuote[] => {
    if (!params.detailed) return context.count
    return context.rfqQuotes.map((event) => changedQuoteOut(context.exchange, event))
  },
})

/** Open quotes of the requesting account, oldest first. */
const getBlockRfqQuotes = defineMethod({
  scope: 'block_rfq:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    block_rfq_id: rfqId.optional(),
    label: label.optional(),
    block_rfq_quote_id: quoteId.optional(),
  }),
  read: (context) => queryOf(rfqPartyOf(context.exchange, asker(context)).isMaker ? null : notForYou),
  reply: (context, params): readonly WireRfqQuote[] =>
    rfqQuotesOf(context.exchange, asker(context))
      .filter(
        (quote) =>
          (params.block_rfq_id ?? quote.rfq) === quote.rfq &&
          (params.label ?? quote.label) === quote.label &&
          (params.block_rfq_quote_id ?? quote.quote) === quote.quote,
      )
      .map((quote) => openQuoteOut(context.exchange, quote)),
})

/** The current state of the quote that a request named or created. */
function changedQuote(context: ReplyContext): WireRfqQuote {
  const last = context.rfqQuotes.findLast(({ quote }) => quote === context.count)
  return changedQuoteOut(context.exchange, defined(last, 'a changed quote is in the event log'))
}

function readTerms(
  context: ReadContext,
  params: z.output<z.ZodObject<typeof terms>>,
): { readonly value: RfqQuoteTerms; readonly fault: Fault | null } {
  const legs = readQuotedLegs(context, params.legs)
  const hedge = readHedge(context, params.hedge)
  const amount = readSize9(params.amount)
  const price = readRfqPrice(params.price)
  return {
    value: {
      amount9: amount.value,
      legs: legs.value,
      price9: price.value === null ? null : BigInt(price.value),
      hedge: hedge.value,
    },
    fault: earlier(legs.fault, earlier(hedge.fault, earlier(amount.fault, price.fault))),
  }
}

function readName(params: z.output<z.ZodObject<typeof name>>): {
  readonly name: RfqQuoteName
  readonly fault: Fault | null
} {
  const { block_rfq_quote_id: quote, block_rfq_id: rfq, label: text } = params
  if (quote !== undefined) return { name: { quote }, fault: null }
  if (rfq !== undefined && text !== undefined) return { name: { rfq, label: text }, fault: null }
  const missing = rfq === undefined ? 'block_rfq_quote_id' : 'label'
  return { name: { quote: 0 }, fault: paramFault(missing, 'required') }
}

/** Methods by their names; a part of the table. */
export const rfqMakerMethods = {
  'private/add_block_rfq_quote': addBlockRfqQuote,
  'private/edit_block_rfq_quote': editBlockRfqQuote,
  'private/cancel_block_rfq_quote': cancelBlockRfqQuote,
  'private/cancel_all_block_rfq_quotes': cancelAllBlockRfqQuotes,
  'private/get_block_rfq_quotes': getBlockRfqQuotes,
} as const
