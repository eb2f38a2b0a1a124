/**
 * public/get_last_settlements_by_currency and _by_instrument.
 * Source: S188-S193; market.md 3.6; coverage R38, R39.
 */
import { millisOf, z } from '../../../core/index.ts'
import { findInstrument } from '../../../engine/index.ts'
import { isCurrency, settlementTypes } from '../../../model/index.ts'
import { missingOf, type PublicSettlement, rowsOf, type Truncation, whole } from '../../history/index.ts'
import { settlementOut, type WireSettlement } from '../../wire/index.ts'
import { defineMethod, queryOf, type ReadContext, type ReadRequest, type ReplyContext } from '../method.ts'
import { count, earlier, instrumentName, requestCurrency, timestamp, unknownInstrument } from '../params.ts'
import { newestPage, tokenFault } from '../record-pages.ts'

/** A page of records, newest first. */
export interface SettlementPage extends Truncation {
  readonly settlements: readonly WireSettlement[]
  /** Continuation for the next page; `none` on the last page. */
  readonly continuation: string
}

/** Parameters of the methods that list settlements. */
export const settlementParams = {
  type: z.enum(settlementTypes).optional().describe('only records of this type'),
  count: count(20),
  continuation: z.string().optional().describe('continuation of the previous page'),
  search_start_timestamp: timestamp.optional().describe('the latest time to return'),
}

/** The parameters of every list of records. */
export const settlementRange = z.object(settlementParams)

/** Parameters of a list of records of one instrument. */
export const instrumentSettlements = z.object({
  instrument_name: instrumentName,
  ...settlementParams,
})

/** The same parameters, after they were read. */
type SettlementRange = z.output<typeof settlementRange>

/** Settlement records of a settlement currency. */
const getLastSettlementsByCurrency = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ currency: requestCurrency, ...settlementParams }),
  read: (_context, params) => queryOf(tokenFault(params.continuation)),
  reply: (context, params): SettlementPage => pageOf(context, recordsOf(context, params.currency), params),
})

/** Settlement records of an instrument; bankruptcies belong to no instrument. */
const getLastSettlementsByInstrument = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: instrumentSettlements,
  read: readInstrumentRecords,
  reply: (context, params): SettlementPage => {
    const instrument = findInstrument(context.exchange, params.instrument_name)
    const records = recordsOf(context, instrument?.settlementCurrency ?? '')
    return pageOf(
      context,
      records,
      params,
      (record) => record.kind === 'instrument_settlement' && record.instrument === instrument?.id,
    )
  },
})

/** Reads a request for records of an instrument, which must be listed. */
export function readInstrumentRecords(
  context: ReadContext,
  { instrument_name: name, continuation }: z.output<typeof instrumentSettlements>,
): ReadRequest {
  const listed = findInstrument(context.exchange, name) !== undefined
  return queryOf(earlier(tokenFault(continuation), listed ? null : unknownInstrument))
}

/** True if a record has the requested type and is not too late. */
export function isAsked(
  record: { readonly type: WireSettlement['type']; readonly time: PublicSettlement['time'] },
  { type, search_start_timestamp: latest }: SettlementRange,
): boolean {
  if (type !== undefined && record.type !== type) return false
  return latest === undefined || millisOf(record.time) <= latest
}

function recordsOf(context: ReplyContext, currency: string): readonly PublicSettlement[] {
  return isCurrency(currency) ? rowsOf(context.history.settlements, currency) : []
}

function pageOf(
  { history }: ReplyContext,
  records: readonly PublicSettlement[],
  range: SettlementRange,
  isMeant: (record: PublicSettlement) => boolean = () => true,
): SettlementPage {
  const asked = records.filter(isMeant).filter((record) => {
    const type = record.kind === 'currency_bankruptcy' ? 'bankruptcy' : record.type
    return isAsked({ type, time: record.time }, range)
  })
  const page = newestPage(asked, range.count, range.continuation)
  const settlements = page.records.map((record) =>
    settlementOut(
      record,
      record.kind === 'instrument_settlement' ? history.instruments.get(record.instrument) : undefined,
    ),
  )
  const [first] = records
  const missing = first === undefined ? whole : missingOf(history.settlements, first.currency)
  return { settlements, continuation: page.continuation, ...missing }
}

/** Methods by their names; a part of the table. */
export const settlementMethods = {
  'public/get_last_settlements_by_currency': getLastSettlementsByCurrency,
  'public/get_last_settlements_by_instrument': getLastSettlementsByInstrument,
} as const
