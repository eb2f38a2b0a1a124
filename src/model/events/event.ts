/**
 * Events: everything the exchange does, as rows of families. They are immutable and complete: a reader
 * needs no state of the engine to understand one.
 */
import { blockFamilies } from './block-events.ts'
import type { FamilyRow } from './family.ts'
import { moneyFamilies } from './money-events.ts'
import { protectionFamilies } from './protection-events.ts'
import { rfqFamilies } from './rfq-events.ts'
import { riskFamilies } from './risk-events.ts'
import { standingFamilies } from './standing-events.ts'
import { tradingFamilies } from './trading-events.ts'
import { walletFamilies } from './wallet-events.ts'

/** The columns of each family by its name. The frequent ones stand first. */
export const eventFamilies = {
  ...tradingFamilies,
  ...standingFamilies,
  ...moneyFamilies,
  ...riskFamilies,
  ...protectionFamilies,
  ...blockFamilies,
  ...walletFamilies,
  ...rfqFamilies,
}

/** The name of a family of events. */
export type EventKind = keyof typeof eventFamilies

/** Everything the exchange does. */
export type Event = {
  [K in EventKind]: FamilyRow<K, (typeof eventFamilies)[K]>
}[EventKind]

/** An event of one family, or of one of several. */
export type EventOf<K extends EventKind> = Extract<Event, { readonly kind: K }>
