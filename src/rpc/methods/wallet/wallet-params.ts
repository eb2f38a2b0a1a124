/**
 * Parameters that methods of the wallet share, and the records that a request selects.
 *
 * Source: sessions document 6.2-6.4. Assumed: a sum has at most nine decimals and is above zero.
 */
import { type AccountId, type Amount, amount, type DecimalInput, z } from '../../../core/index.ts'
import type { EventOf, Fault, PaymentType } from '../../../model/index.ts'
import { rowsOf } from '../../history/index.ts'
import { asker, type ReadContext } from '../method.ts'
import { count, paramFault, readMoney, requestCurrency } from '../params.ts'

const NONCE_MIN = 8
const NONCE_MAX = 128

/** The client's id of a request. */
export const nonce = z
  .string()
  .min(NONCE_MIN)
  .max(NONCE_MAX)
  .optional()
  .describe('id of the request; a repeated request with the same id has no effect')

/** Parameters of a page of records of a currency. */
export const pageParams = {
  currency: requestCurrency,
  count: count(10),
  offset: z.int().min(0).default(0).describe('number of records to skip'),
}

/** A page of records, newest first. */
export interface WalletPage<T> {
  readonly data: readonly T[]
  /** Total number of records. */
  readonly count: number
}

/** The requested page of records, from a list that begins with the oldest. */
export function pageOldestFirst<Row, T>(
  rows: readonly Row[],
  params: { readonly count: number; readonly offset: number },
  out: (row: Row) => T,
): WalletPage<T> {
  const { offset } = params
  const data = rows.toReversed().slice(offset, offset + params.count)
  return { data: data.map(out), count: rows.length }
}

type Payment = EventOf<'payment'>

/** Payments of one type that an account sees, oldest first. */
export function paymentsOf(
  { history }: Pick<ReadContext, 'history'>,
  account: AccountId,
  type: PaymentType,
): readonly Payment[] {
  return rowsOf(history.payments, account).filter((each) => each.type === type)
}

/** The requesting account's payment with this nonce, or undefined. */
export function namedPayment(context: ReadContext, type: PaymentType, name: string | undefined): Payment | undefined {
  if (name === undefined) return undefined
  const own = asker(context)
  return paymentsOf(context, own, type).find((each) => each.account === own && each.nonce === name)
}

/** A sum, with the fault of one that is not above zero. */
export function readSum(input: DecimalInput): {
  readonly sum: Amount
  readonly fault: Fault | null
} {
  const sum = readMoney(input)
  if (sum === undefined) return { sum: amount(0n), fault: paramFault('amount', 'too_many_decimals') }
  return { sum, fault: sum > 0n ? null : paramFault('amount', 'not_above_zero') }
}
