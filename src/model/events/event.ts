/**
 * Events: everything the exchange does, as rows of families. They are immutable and complete: a reader
 * needs no state of the engine to understand one.
 */

import { protectionCodes, protectionFamilies, standingCodes, standingFamilies } from './account-events.ts'
import { blockCodes, blockFamilies, rfqCodes, rfqFamilies } from './block-events.ts'
import type { EventHeader, FamilyRow } from './family.ts'
import { moneyCodes, moneyFamilies, walletCodes, walletFamilies } from './money-events.ts'
import { riskCodes, riskFamilies } from './risk-events.ts'
import { tradingCodes, tradingFamilies } from './trading-events.ts'

/** The columns of each family by its name. Frequent families come first. */
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

/**
 * The codes of the families in records of the log; null for a family that the log does not have. New codes come last.
 */
export const eventCodes: { readonly [K in EventKind]: number | null } = {
  ...tradingCodes,
  ...standingCodes,
  ...moneyCodes,
  ...riskCodes,
  ...protectionCodes,
  ...blockCodes,
  ...walletCodes,
  ...rfqCodes,
}

/** All outputs of the exchange. */
export type Event = {
  [K in EventKind]: FamilyRow<K, (typeof eventFamilies)[K]>
}[EventKind]

/** An event of one family, or of one of several. */
export type EventOf<K extends EventKind> = Extract<Event, { readonly kind: K }>

/** The columns of a family's events. */
export type EventRow<K extends EventKind> = Omit<EventOf<K>, keyof EventHeader | 'kind'>

/** Functions that receive events, by family. The log calls each one during the command, in the order of events. */
export type EventTakers = { readonly [K in EventKind]?: ((event: EventOf<K>) => void) | undefined }

/** Functions that receive events, with an entry for every family; undefined ignores the family. */
export type TotalTakers = { readonly [K in EventKind]: ((event: EventOf<K>) => void) | undefined }
