/**
 * private/get_settlement_history_by_currency and _by_instrument: the account's part in settlements, deliveries and
 * bankruptcies. Source: market.md 3.6; coverage R38, R39, R63.
 */
import { z } from '../../../../core/index.ts'
import { findInstrument } from '../../../../engine/index.ts'
import type { EventOf } from '../../../../model/index.ts'
import { type AccountSettlement, missingOf, rowsOf } from '../../../history/index.ts'
import { accountSettlementOut } from '../../../wire/index.ts'
import {
  instrumentSettlements,
  isAsked,
  readInstrumentRecords,
  type SettlementPage,
  settlementParams,
  type settlementRange,
} from '../../market/settlements.ts'
import { asker, defineMethod, queryOf, type ReplyContext } from '../../method.ts'
import { requestCurrency } from '../../params.ts'
import { newestPage, tokenFault } from '../../record-pages.ts'

/** Settlement records of a settlement currency. */
const getSettlementHistoryByCurrency = defineMethod({
  scope: 'trade:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ currency: requestCurrency, ...settlementParams }),
  read: (_context, params) => queryOf(tokenFault(params.continuation)),
  reply: (context, params): SettlementPage => pageOf(context, params, ({ currency }) => currency === params.currency),
})

/** Settlement records of an instrument. */
const getSettlementHistoryByInstrument = defineMethod({
  scope: 'trade:read',
  sessions: 'json_rpc',
  command: 'query',
  params: instrumentSettlements,
  read: readInstrumentRecords,
  reply: (context, params): SettlementPage => {
    const id = findInstrument(context.exchange, params.instrument_name)?.id
    return pageOf(context, params, (record) => record.kind === 'settlement' && record.instrument === id)
  },
})

function pageOf(
  context: ReplyContext,
  range: z.output<typeof settlementRange>,
  isMeant: (record: AccountSettlement) => boolean,
): SettlementPage {
  const { history } = context
  const account = asker(context)
  const own = rowsOf(history.ownSettlements, account)
  const asked = own.filter((record) => {
    const type = record.kind === 'settlement' ? record.type : 'bankruptcy'
    return isMeant(record) && isAsked({ type, time: record.time }, range)
  })
  const page = newestPage(asked, range)
  const settlements = page.records.map((record) =>
    accountSettlementOut(record, {
      instrument: record.kind === 'settlement' ? history.instruments.get(record.instrument) : undefined,
      bankruptcy: record.kind === 'settlement' ? undefined : bankruptcyOf(context, record),
    }),
  )
  const missing = missingOf(history.ownSettlements, account)
  return { settlements, continuation: page.continuation, ...missing }
}

/** The bankruptcy that a debt or a tax belongs to: the first one in its currency that follows it at the same time. */
function bankruptcyOf(
  { history }: ReplyContext,
  { currency, time, number }: AccountSettlement,
): EventOf<'currency_bankruptcy'> | undefined {
  const records = rowsOf(history.settlements, currency)
  for (const record of records) {
    if (record.kind !== 'currency_bankruptcy' || record.time !== time) continue
    if (record.number > number) return record
  }
  return undefined
}

/** Methods by their names; a part of the table. */
export const settlementHistoryMethods = {
  'private/get_settlement_history_by_currency': getSettlementHistoryByCurrency,
  'private/get_settlement_history_by_instrument': getSettlementHistoryByInstrument,
} as const
