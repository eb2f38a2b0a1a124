/** Views of orders of direct access and of risk limits. Views only read. */
import { type AccountId, defined, type OrderId } from '../../../core/index.ts'
import type { Instrument, RiskLimits } from '../../../model/index.ts'
import { riskLimitsOf } from '../../market/index.ts'
import { accountRow, type Exchange, instrumentOf, orderSlotOf } from '../../state/index.ts'
import { type OrderView, viewOrder } from './order-views.ts'

/** The live order of a portfolio with a client order id, or undefined. */
export function orderOfClient(
  exchange: Exchange,
  account: AccountId,
  clientOrderId: string,
): { readonly order: OrderId; readonly instrument: Instrument } | undefined {
  const order = accountRow(exchange, account).clientOrders.get(clientOrderId)
  if (order === undefined) return undefined
  return { order, instrument: instrumentOf(exchange, orderSlotOf(exchange, order)).instrument }
}

/** The limits of a portfolio by price index, in alphabetical order. Indices without a limit are omitted. */
export function viewRiskLimits(
  exchange: Exchange,
  account: AccountId,
): readonly (readonly [index: string, limits: RiskLimits])[] {
  const own = accountRow(exchange, account).standing.riskLimits
  const names = new Set([...own.keys(), ...exchange.venue.riskLimits.keys()])
  return [...names]
    .sort((left, right) => (left < right ? -1 : left > right ? 1 : 0))
    .map((name) => [name, riskLimitsOf(exchange, account, name)] as const)
}

/** The open quotes of the group with a number; none if the group does not exist. */
export function standingQuotes(exchange: Exchange, group: number): readonly OrderView[] {
  const quotes = exchange.mmpGroups[group - 1]?.quotes.values() ?? []
  return [...quotes].map((order) => defined(viewOrder(exchange, order), 'the open quotes of a group are live'))
}
