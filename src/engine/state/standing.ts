/**
 * Settings of accounts and of the venue: permissions, locks, freezes, switches and limits.
 *
 * Source: sessions-blocks-gateways.md 8.2, 8.11, 8.14, 8.15; trading.md C12, C43; coverage R52, R58.
 */

import {
  changing,
  fixed,
  type InstrumentId,
  type Micros,
  mapOf,
  orNull,
  plainUnit,
  type RowOf,
  rowUnit,
  setOf,
  units,
  wordUnit,
} from '../../core/index.ts'
import {
  accountLocks,
  type Currency,
  type DirectMessage,
  defaultPermissions,
  type GatewayId,
  type Permissions,
  type RiskLimits,
  tradingProducts,
} from '../../model/index.ts'

/** An index that publishes nothing. */
interface IndexOutage extends RowOf<typeof indexOutageFields> {}

/** Outages; only `requests/switches.ts` and `day/outages.ts` write them. */
interface Outages extends RowOf<typeof outageFields> {}

const limitsByIndex = mapOf(units.text, plainUnit<RiskLimits>('limits'))

export const standingFields = {
  permissions: changing(plainUnit<Permissions>('permissions')),
  /** True if direct access is locked. */
  isPortfolioLocked: changing(units.flag),
  locks: fixed(setOf(wordUnit('lock', accountLocks))),
  /** Products that the account may not trade, as its owner set. */
  disabledProducts: fixed(setOf(wordUnit('product', tradingProducts))),
  /** True if sessions that the account opens start with cancel-on-disconnect. */
  cancelOnDisconnect: changing(units.flag),
  /** Times until which the account may place no quotes: by currency, or under null for all currencies. */
  quoteFreezes: fixed(mapOf(plainUnit<Currency | null>('currency or null'), units.micros)),
  /** The account's own limits by price index. */
  riskLimits: fixed(limitsByIndex),
}

/** Settings of an account: permissions, locks, freezes, limits. */
export interface AccountStanding extends RowOf<typeof standingFields> {}

export const venueFields = {
  inactiveGateways: fixed(setOf(plainUnit<GatewayId>('gateway'))),
  disabledMessages: fixed(setOf(plainUnit<DirectMessage>('message'))),
  isAlgoCancelOnly: changing(units.flag),
  /** Limits by price index for portfolios without their own limits. */
  riskLimits: fixed(limitsByIndex),
}

/** Settings of the venue: switches and limits. */
interface VenueStanding extends RowOf<typeof venueFields> {}

/** The settings of a new account. */
export function freshStanding(): AccountStanding {
  return {
    permissions: defaultPermissions,
    isPortfolioLocked: false,
    locks: new Set(),
    disabledProducts: new Set(),
    cancelOnDisconnect: false,
    quoteFreezes: new Map(),
    riskLimits: new Map(),
  }
}

/** The settings of a new venue, with its initial limits. */
export function freshVenue(limits: Readonly<Record<string, RiskLimits>>): VenueStanding {
  return {
    inactiveGateways: new Set(),
    disabledMessages: new Set(),
    isAlgoCancelOnly: false,
    riskLimits: new Map(Object.entries(limits)),
  }
}

/**
 * Outages of the venue: maintenance, closed public methods that require a token, and indices that publish nothing.
 */

/** Maximum age of an index value. At this age trading is locked. Source: market.md 3.1. */
export const STALE_MICROS = 180_000_000

export const indexOutageFields = {
  since: fixed(units.micros),
  /** The timer that locks its books; null after it ran. */
  timer: fixed(orNull(units.timerId)),
  /** Books whose trading was locked because of this outage. */
  locked: fixed(plainUnit<readonly InstrumentId[]>('instruments')),
}

export const outageFields = {
  isInMaintenance: changing(units.flag),
  /** True while public methods require a token. */
  isPublicClosed: changing(units.flag),
  /** Outages by the name of the index. */
  indices: fixed(mapOf(units.text, rowUnit('outage of an index', indexOutageFields))),
}

export const outagesUnit = rowUnit('outages', outageFields)

/** No outages. */
export function freshOutages(): Outages {
  return { isInMaintenance: false, isPublicClosed: false, indices: new Map() }
}

/** True if there is no outage. */
export function isOutageFree({ isInMaintenance, isPublicClosed, indices }: Outages): boolean {
  return !isInMaintenance && !isPublicClosed && indices.size === 0
}

/** True if an index has published nothing for so long that trading on it is locked. */
export function isIndexStale({ since }: IndexOutage, now: Micros): boolean {
  return now - since >= STALE_MICROS
}
