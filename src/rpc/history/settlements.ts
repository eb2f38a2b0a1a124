/**
 * Records of settlements, deliveries and bankruptcies: for the public by currency, for each account
 * its own part; and delivery prices by index.
 *
 * The events are the records, and their numbers the order within one time.
 * Source: market.md 3.6, 3.7; coverage R39, R40.
 */
import type { AccountId } from '../../core/index.ts'
import type { Currency, DeliveryPriceFixed, EventOf } from '../../model/index.ts'
import { append } from './lists.ts'

/** What everybody may read: of an instrument, or of a currency where somebody was bankrupt. */
export type PublicSettlement = EventOf<'instrument_settlement' | 'currency_bankruptcy'>

/** What concerns one account. */
export type AccountSettlement = EventOf<'settlement' | 'bankruptcy' | 'shared_loss'>

/** All records, oldest first. */
export interface Settlements {
  readonly byCurrency: Map<Currency, PublicSettlement[]>
  readonly byAccount: Map<AccountId, AccountSettlement[]>
  readonly deliveries: Map<string, DeliveryPriceFixed[]>
}

/** No records. */
export function createSettlements(): Settlements {
  return { byCurrency: new Map(), byAccount: new Map(), deliveries: new Map() }
}

/** Keeps a record of everybody, or a delivery price; whether older ones went. */
export function recordSettlement(
  { byCurrency, deliveries }: Settlements,
  event: PublicSettlement | DeliveryPriceFixed,
  limit: number,
): boolean {
  if (event.kind === 'delivery_price') return append(deliveries, event.index, event, limit)
  return append(byCurrency, event.currency, event, limit)
}

/** Keeps a record of an account; whether older ones went. */
export function recordAccountSettlement(
  { byAccount }: Settlements,
  event: AccountSettlement,
  limit: number,
): boolean {
  return append(byAccount, event.account, event, limit)
}
