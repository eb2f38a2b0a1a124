/**
 * Types of the Block RFQ oracle: participants, requests and their results. Times are milliseconds from the start of a
 * run, amounts whole units of a structure, prices whole ticks of its legs.
 */
import type { NaiveFill } from './naive-rfq-matching.ts'

export type Direction = 'buy' | 'sell'

/** An account and its roles in Block RFQs. */
export interface NaiveParty {
  readonly name: string
  /** Its number on the wire. */
  readonly number: number
  /** Its main account. */
  readonly owner: string
  readonly isMaker: boolean
  readonly makerAlias: string
  readonly takerAlias: string
}

/** A leg of a structure; its size is the ratio times the amount. */
export interface NaiveLeg {
  readonly instrument: string
  readonly direction: Direction
  readonly ratio: number
}

/** A hedge in steps of its instrument. */
export interface NaiveHedge {
  readonly instrument: string
  readonly direction: Direction
  readonly amount: number
  /** Coins per step. */
  readonly coins: number
}

/** A structure that takers request quotes for. */
export interface NaiveStructure {
  readonly legs: readonly NaiveLeg[]
  /** In units. */
  readonly amount: number
  readonly least: number
  /** Coins of an amount of a leg at a price of the structure. */
  readonly coins: (of: { readonly leg: NaiveLeg; readonly amount: number; price: number }) => number
  /** True for a single spot leg, whose price in ticks applies to each unit. */
  readonly isSpot: boolean
}

export type RfqEnd = 'filled' | 'cancelled' | 'expired'

/** A quote and its result. */
export interface NaiveRfqQuote {
  readonly id: number
  readonly maker: string
  readonly rfq: number
  /** The maker's side. */
  readonly direction: Direction
  readonly label: string
  readonly allOrNone: boolean
  readonly expiresAt: number
  price: number
  amount: number
  updatedAt: number
  filled: number
  replaced: boolean
  state: 'open' | RfqEnd
}

/** A trigger of one side. */
export interface NaiveTrigger {
  readonly direction: Direction
  readonly price: number
  state: 'untriggered' | 'triggered' | 'cancelled'
  reason: string
}

/** An RFQ and its result. */
export interface NaiveRfq {
  readonly id: number
  readonly taker: string
  readonly structure: NaiveStructure
  readonly hedge: NaiveHedge | null
  readonly disclosed: boolean
  /** Names of accounts; empty for all makers. */
  readonly targets: readonly string[]
  readonly label: string
  /** The accounts that share the amount; empty if the taker takes all. */
  readonly shares: readonly { readonly account: string; readonly amount: number }[]
  readonly createdAt: number
  readonly triggers: NaiveTrigger[]
  state: 'open' | RfqEnd
  closedAt: number
  /** The taker's side of the fill. */
  side: Direction | null
  fills: readonly (NaiveFill & { readonly maker: string; readonly hedge: number })[]
  /** The time since which the taker has seen a complete solution, and whether one was ever visible long enough. */
  seenSince: number | null
  wasSeenLong: boolean
}

/** The oracle's answer: codes of the broken rules; empty if the request was done. */
export type Broken = readonly number[]
