/**
 * News: public events of the exchange besides recorded rows, in transit to strategies with their feed latency. News are
 * levels and trades of closed books, index, mark, funding rate and settlements.
 *
 * Levels of one book that change in one step of the run form one message, which follows the other news of that step. A
 * closed book is its public book, including own orders. News without a callback is not put in transit.
 */
import { type AccountId, divFloor, type InstrumentId, type Lots, type Price9 } from '../../core/index.ts'
import type { EventOf, Side } from '../../model/index.ts'

/** The current size of a level of a closed book; size 0 removes it. */
export interface LevelNews {
  readonly side: Side
  /** In ticks of the book. */
  readonly price: number
  readonly size: Lots
}

/**
 * An item of news. A recorded index is both a message and an event, so the type distinguishes engine events from
 * messages.
 */
export type News =
  | {
      readonly kind: 'levels'
      readonly instrument: InstrumentId
      readonly levels: readonly LevelNews[]
    }
  | {
      readonly kind: 'closed_trade'
      readonly instrument: InstrumentId
      readonly price: Price9
      readonly amount: Lots
      readonly side: Side
    }
  | { readonly kind: 'event'; readonly event: EventOf<'index' | 'mark' | 'funding_rate'> }
  | {
      readonly kind: 'settled'
      readonly settled: EventOf<'instrument_settlement'>
      /** Settlements of the accounts of strategies. */
      readonly own: readonly EventOf<'settlement'>[]
    }

/** News that a callback receives. Levels are not included: they arrive as the changed book. */
export type DeliveredNews = Exclude<News, { readonly kind: 'levels' }>

/** The kinds of news for which a strategy of the run has a callback. */
export interface Wanted {
  trades: boolean
  index: boolean
  mark: boolean
  funding: boolean
}

/**
 * Levels that changed in the current step, and the accounts' parts of an unfinished settlement. Only this file writes
 * it.
 */
export interface OpenNews {
  readonly levels: Map<InstrumentId, LevelNews[]>
  own: EventOf<'settlement'>[]
  /** The time of those levels; -1 without levels. */
  time: number
}

/** The state without any news. */
export function createOpenNews(): OpenNews {
  return { levels: new Map(), own: [], time: -1 }
}

/** Adds a changed level; `tick9` is the tick size of the book. */
export function noteLevel(open: OpenNews, event: EventOf<'level'>, tick9: number): void {
  const level = { side: event.side, price: divFloor(event.price, tick9), size: event.amount }
  const known = open.levels.get(event.instrument)
  if (known === undefined) open.levels.set(event.instrument, [level])
  else known.push(level)
  open.time = event.time
}

/** Takes the changed levels: one message for each book, in the order of their first change. */
export function takeLevels(open: OpenNews): readonly News[] {
  const found = [...open.levels].map(([instrument, levels]): News => ({ kind: 'levels', instrument, levels }))
  open.levels.clear()
  open.time = -1
  return found
}

/** Takes the accounts' parts of a settlement, which the event of the instrument completes. */
export function takeSettled(open: OpenNews, settled: EventOf<'instrument_settlement'>): News {
  const { own } = open
  open.own = []
  return { kind: 'settled', settled, own }
}

/** The settlement of an account in these news, or undefined. */
export function ownOf(
  own: readonly EventOf<'settlement'>[],
  account: AccountId | -1,
): EventOf<'settlement'> | undefined {
  return own.find((each) => each.account === account)
}
