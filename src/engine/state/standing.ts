/**
 * What was set about an account and about the venue: permissions, locks, freezes, switches, limits.
 *
 * Source: sessions-blocks-gateways.md 8.2, 8.11, 8.14, 8.15; trading.md C12, C43; coverage R52, R58.
 */
import type { Micros } from '../../core/index.ts'
import {
  type AccountLock,
  type Currency,
  type DirectMessage,
  defaultPermissions,
  type GatewayId,
  type Permissions,
  type RiskLimits,
  type TradingProduct,
} from '../../model/index.ts'

/** What was set about an account. */
export interface AccountStanding {
  permissions: Permissions
  /** Whether direct access is locked. */
  isPortfolioLocked: boolean
  readonly locks: Set<AccountLock>
  /** What its owner does not let it trade. */
  readonly disabledProducts: Set<TradingProduct>
  /** Whether sessions that it opens start with cancel-on-disconnect. */
  cancelOnDisconnect: boolean
  /** Until when it may place no quotes: of a currency, or under null of all. */
  readonly quoteFreezes: Map<Currency | null, Micros>
  /** Its own limits by price index. */
  readonly riskLimits: Map<string, RiskLimits>
}

/** What was set about the venue. */
export interface VenueStanding {
  readonly inactiveGateways: Set<GatewayId>
  readonly disabledMessages: Set<DirectMessage>
  isAlgoCancelOnly: boolean
  /** Limits of all portfolios by price index, where they have none of their own. */
  readonly riskLimits: Map<string, RiskLimits>
}

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
