/**
 * Settings of a run that rules depend on. Plain data, part of the journal's head.
 */
import type { Micros } from '../core/index.ts'

/**
 * What happens when an incoming order would meet an order of its own account (C27). `off`, which lets
 * them trade, is a setting of the simulator and not of the venue.
 */
export type SelfMatchMode = 'reject_taker' | 'cancel_maker' | 'off'

/**
 * Limits on live orders of one account (C36): orders in a book or on their way to it, in all and by
 * kind; trigger orders of one source, secondaries of that sort included; dormant secondaries of
 * futures, and as many of spot (C31, C32).
 */
export interface OpenOrderLimits {
  readonly total: number
  readonly future: number
  readonly option: number
  readonly spot: number
  readonly triggers: number
  readonly secondaries: number
}

/** Settings of an exchange. */
export interface ExchangeConfig {
  /** The clock at creation. */
  readonly start: Micros
  /** Whether orders outside the price band are refused. */
  readonly priceBands: boolean
  /** What accounts start with. */
  readonly selfMatch: SelfMatchMode
  readonly openOrderLimits: OpenOrderLimits
  /** Whether each change of a visible price level is an event. */
  readonly bookEvents: boolean
  /** Whether each recorded trade is an event. */
  readonly printEvents: boolean
}

/** The venue's defaults. */
export function defaultConfig(start: Micros): ExchangeConfig {
  return {
    start,
    priceBands: true,
    selfMatch: 'reject_taker',
    openOrderLimits: {
      ...{ total: 10_000, future: 2_000, option: 8_000, spot: 200 },
      ...{ triggers: 100, secondaries: 100 },
    },
    bookEvents: false,
    printEvents: false,
  }
}
