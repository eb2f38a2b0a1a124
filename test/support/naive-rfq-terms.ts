/**
 * Terms of the twin of Block RFQs: who takes part, what is asked for, and what becomes of it. Times are milliseconds from
 * the start of a run, amounts whole units of a structure, prices whole ticks of its legs.
 */
import type { NaiveFill } from './naive-rfq-matching.ts'

export type Direction = 'buy' | 'sell'

/** An account and what it is to Block RFQs. */
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
  /** Coins of one step. */
  readonly coins: number
}

/** A structure that takers ask for. */
export interface NaiveStructure {
  readonly legs: readonly NaiveLeg[]
  /** In units. */
  readonly amount: number
  readonly least: number
  /** Coins of an amount of a leg at a price of the structure. */
  readonly coins: (of: { readonly leg: NaiveLeg; readonly amount: number; price: number }) => number
  /** True where its only leg moves coins against money: the price in ticks for each unit. */
  readonly isSpot: boolean
}

export type RfqEnd = 'filled' | 'cancelled' | 'expired'

/** A quote with what became of it. */
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

/** An RFQ with what became of it. */
export interface NaiveRfq {
  readonly id: number
  readonly taker: string
  readonly structure: NaiveStructure
  readonly hedge: NaiveHedge | null
  readonly disclosed: boolean
  /** Names of accounts; empty for all makers. */
  readonly targets: readonly string[]
  readonly label: string
  /** Who takes which part of the amount; empty where the taker takes all. */
  readonly shares: readonly { readonly account: string; readonly amount: number }[]
  readonly createdAt: number
  readonly triggers: NaiveTrigger[]
  state: 'open' | RfqEnd
  closedAt: number
  /** The taker's side of the fill. */
  side: Direction | null
  fills: readonly (NaiveFill & { readonly maker: string; readonly hedge: number })[]
  /** Since when the taker has seen a whole solution, and whether it ever was for long enough. */
  seenSince: number | null
  wasSeenLong: boolean
}

/** Answer of the twin: the codes of the rules that are broken; none where it is done. */
export type Broken = readonly number[]
