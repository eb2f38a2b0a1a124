/**
 * Standing of accounts and of the venue, as it was set: permissions, locks, freezes, switches, limits.
 *
 * Source: sessions-blocks-gateways.md 8.2, 8.11, 8.14, 8.15; trading.md C12, C43; coverage R52, R58.
 */
import { changing, fixed, mapOf, plainUnit, type RowOf, setOf, units, wordUnit } from '../../core/index.ts'
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

const limitsByIndex = mapOf(units.text, plainUnit<RiskLimits>('limits'))

export const standingFields = {
  permissions: changing(plainUnit<Permissions>('permissions')),
  /** Direct access is locked. */
  isPortfolioLocked: changing(units.flag),
  locks: fixed(setOf(wordUnit('lock', accountLocks))),
  /** Products that its owner does not let it trade. */
  disabledProducts: fixed(setOf(wordUnit('product', tradingProducts))),
  /** Sessions that it opens start with cancel-on-disconnect. */
  cancelOnDisconnect: changing(units.flag),
  /** Until when it may place no quotes: of a currency, or under null of all. */
  quoteFreezes: fixed(mapOf(plainUnit<Currency | null>('currency or null'), units.micros)),
  /** Its own limits by price index. */
  riskLimits: fixed(limitsByIndex),
}

/** Settings of an account: permissions, locks, freezes, limits. */
export interface AccountStanding extends RowOf<typeof standingFields> {}

export const venueFields = {
  inactiveGateways: fixed(setOf(plainUnit<GatewayId>('gateway'))),
  disabledMessages: fixed(setOf(plainUnit<DirectMessage>('message'))),
  isAlgoCancelOnly: changing(units.flag),
  /** Limits of all portfolios by price index, where they have none of their own. */
  riskLimits: fixed(limitsByIndex),
}

/** Settings of the venue: switches and limits. */
export interface VenueStanding extends RowOf<typeof venueFields> {}

/** An account of which nothing was set. */
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

/** A venue of which nothing was set but the limits it starts with. */
export function freshVenue(limits: { readonly [priceIndex: string]: RiskLimits }): VenueStanding {
  return {
    inactiveGateways: new Set(),
    disabledMessages: new Set(),
    isAlgoCancelOnly: false,
    riskLimits: new Map(Object.entries(limits)),
  }
}
