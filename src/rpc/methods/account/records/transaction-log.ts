/**
 * private/get_transaction_log: every change of the account's cash and every fill, newest first.
 * Source: market.md 5.4; coverage R38, R63.
 */
import { millisOf, z } from '../../../../core/index.ts'
import { accountOf } from '../../../../engine/index.ts'
import type { Instrument } from '../../../../model/index.ts'
import { type History, rowsOf, type Transaction, type Truncation, truncation, whole } from '../../../history/index.ts'
import { transactionOut, transactionWords, type WireTransaction } from '../../../wire/index.ts'
import { defineMethod, queryOf } from '../../method.ts'
import { earlier, requestCurrency, spanFault, timeSpan } from '../../params.ts'
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
    return queryOf(earlier(ownerFault(context, params), spanFault(params)))
  },
  reply: (context, params): TransactionPage => {
    const { history } = context
    const account = accountOf(context.exchange, ownerOfRecords(context, params))
    const words = (params.query ?? '').toLowerCase().split(/[\s,]+/)
    const wanted = words.filter((word) => word !== '')
    const before = params.continuation ?? Number.POSITIVE_INFINITY
    const all = rowsOf(history.transactions.windows, account.id)
    const rows = all.filter((row) => {
      const at = millisOf(row.time)
      return (
        row.currency === params.currency &&
        at >= params.start_timestamp &&
        at <= params.end_timestamp &&
        row.id < before &&
        hasWords(history, row, wanted)
      )
    })
    const page = rows.slice(-params.count).reverse()
    const logs = page.map((row) =>
      transactionOut(row, {
        account,
        instrument: instrumentOf(history, row),
        other: row.transfer === null ? undefined : accountOf(context.exchange, row.transfer.other),
      }),
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

/** Methods by their names; a part of the table. */
export const transactionLogMethods = {
  'private/get_transaction_log': getTransactionLog,
} as const
