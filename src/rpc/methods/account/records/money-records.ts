/**
 * private/get_transaction_log: every change of the account's cash and every fill, newest first.
 * Source: market.md 5.4; coverage R38, R63.
 */

import { millisOf, z } from '../../../../core/index.ts'
import { accountOf, findInstrument } from '../../../../engine/index.ts'
import type { EventOf, Instrument } from '../../../../model/index.ts'
import {
  type AccountSettlement,
  type History,
  missingOf,
  rowsOf,
  type Transaction,
  type Truncation,
  truncation,
  whole,
} from '../../../history/index.ts'
import { accountSettlementOut, transactionOut, transactionWords, type WireTransaction } from '../../../wire/index.ts'
import {
  instrumentSettlements,
  isAsked,
  readInstrumentRecords,
  type SettlementPage,
  settlementParams,
  type settlementRange,
} from '../../market/settlements.ts'
import { asker, defineMethod, queryOf, type ReplyContext } from '../../method.ts'
import { earlier, requestCurrency, spanFault, timeSpan } from '../../params.ts'
import { newestPage, tokenFault } from '../../record-pages.ts'
import { ownerFault, ownerOfRecords, subaccountId } from '../owner.ts'

/** A page of the transaction log. */
export interface TransactionPage extends Truncation {
  readonly logs: readonly WireTransaction[]
  /** Continuation for the next page; null on the last page. */
  readonly continuation: number | null
}

const COUNT_MAX = 250

const COUNT = 100

/** Rows of one currency between two times, both inclusive. A row must contain all words of `query`. */
const getTransactionLog = defineMethod({
  scope: 'account:read',
  sessions: 'json_rpc',
  command: 'query',
  charge: 'get_transaction_log',
  params: z.object({
    currency: requestCurrency,
    ...timeSpan,
    query: z.string().optional().describe('words that a row must contain, such as trade, maker, open, settlement'),
    count: z.int().min(1).max(COUNT_MAX).default(COUNT).describe('maximum number of rows'),
    continuation: z.int().min(1).optional().describe('continuation of the previous page'),
    subaccount_id: subaccountId,
  }),
  read: (context, params) => {
    return queryOf(
      earlier(ownerFault(context, params.subaccount_id), spanFault(params.start_timestamp, params.end_timestamp)),
    )
  },
  reply: (context, params): TransactionPage => {
    const account = accountOf(context.exchange, ownerOfRecords(context, params.subaccount_id))
    const words = (params.query ?? '').toLowerCase().split(/[\s,]+/)
    const wanted = words.filter((word) => word !== '')
    const before = params.continuation ?? Number.POSITIVE_INFINITY
    const all = rowsOf(context.history.transactions.windows, account.id)
    const rows = all.filter((row) => {
      const at = millisOf(row.time)
      return (
        row.currency === params.currency &&
        at >= params.start_timestamp &&
        at <= params.end_timestamp &&
        row.id < before &&
        hasWords(context.history, row, wanted)
      )
    })
    const page = rows.slice(-params.count).reverse()
    const logs = page.map((row) =>
      transactionOut(
        row,
        account,
        instrumentOf(context.history, row),
        row.transfer === null ? undefined : accountOf(context.exchange, row.transfer.other),
      ),
    )
    const last = page.length === rows.length ? undefined : page.at(-1)
    // Rows of an account are numbered from 1.
    const isCut = (all[0]?.userSeq ?? 1) > 1
    const missing = isCut ? truncation(all[0], params.start_timestamp) : whole
    return { logs, continuation: last?.id ?? null, ...missing }
  },
})

function hasWords(history: History, row: Transaction, wanted: readonly string[]): boolean {
  if (wanted.length === 0) return true
  const words = transactionWords(row, instrumentOf(history, row))
  return wanted.every((word) => words.includes(word))
}

function instrumentOf(history: History, { instrument }: Transaction): Instrument | undefined {
  return instrument === null ? undefined : history.instruments.get(instrument)
}

/**
 * private/get_settlement_history_by_currency and _by_instrument: the account's part in settlements, deliveries and
 * bankruptcies. Source: market.md 3.6; coverage R38, R39, R63.
 */

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
  const account = asker(context)
  const own = rowsOf(context.history.ownSettlements, account)
  const asked = own.filter((record) => {
    const type = record.kind === 'settlement' ? record.type : 'bankruptcy'
    return isMeant(record) && isAsked({ type, time: record.time }, range)
  })
  const page = newestPage(asked, range.count, range.continuation)
  const settlements = page.records.map((record) =>
    accountSettlementOut(
      record,
      record.kind === 'settlement' ? context.history.instruments.get(record.instrument) : undefined,
      record.kind === 'settlement' ? undefined : bankruptcyOf(context, record),
    ),
  )
  const missing = missingOf(context.history.ownSettlements, account)
  return { settlements, continuation: page.continuation, ...missing }
}

/** The bankruptcy that a debt or a tax belongs to: the first one in its currency that follows it at the same time. */
function bankruptcyOf(
  context: ReplyContext,
  { currency, time, number }: AccountSettlement,
): EventOf<'currency_bankruptcy'> | undefined {
  const records = rowsOf(context.history.settlements, currency)
  for (const record of records) {
    if (record.kind !== 'currency_bankruptcy' || record.time !== time) continue
    if (record.number > number) return record
  }
  return undefined
}

/** Methods by their names; a part of the table. */
export const moneyRecordMethods = {
  'private/get_settlement_history_by_currency': getSettlementHistoryByCurrency,
  'private/get_settlement_history_by_instrument': getSettlementHistoryByInstrument,
  'private/get_transaction_log': getTransactionLog,
} as const
