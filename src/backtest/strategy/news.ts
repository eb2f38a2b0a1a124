/**
 * News: what everybody learns of the exchange besides recorded rows, on its way to strategies behind their feed
 * latency. Levels and trades of closed books, index, mark, funding rate, settlements.
 *
 * Levels of one book that change in one step of the run make one message, which follows the other news of that step.
 * A closed book is its public book, own orders included. What nobody calls back for is not put on its way.
 */
import { type AccountId, divFloor, type InstrumentId, type Lots, type Price9 } from '../../core/index.ts'
import type { EventOf, Side } from '../../model/index.ts'

/** A level of a closed book as it is now; size 0 removes it. */
export interface LevelNews {
  readonly side: Side
  /** In ticks of the book. */
  readonly price: number
  readonly size: Lots
}

/**
 * Something that happened; a recorded index is a message and an event, so that engine events are told from messages.
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

/** News that a callback tells; levels are told as the book that they change. */
export type Told = Exclude<News, { readonly kind: 'levels' }>

/** Which news somebody calls back for. */
export interface Wanted {
  trades: boolean
  index: boolean
  mark: boolean
  funding: boolean
}

/** Levels that changed in the step at work, and own parts of a settlement that is not over; only this file writes it. */
export interface OpenNews {
  readonly levels: Map<InstrumentId, LevelNews[]>
  own: EventOf<'settlement'>[]
  /** The time of those levels; -1 where there are none. */
  time: number
}

/** No news yet. */
export function createOpenNews(): OpenNews {
  return { levels: new Map(), own: [], time: -1 }
}

/** Notes a level of a book with ticks of a size. */
export function noteLevel(open: OpenNews, event: EventOf<'level'>, tick9: number): void {
  const { instrument, side, time, amount: size } = event
  const level = { side, price: divFloor(event.price, tick9), size }
  const known = open.levels.get(instrument)
  if (known === undefined) open.levels.set(instrument, [level])
  else known.push(level)
  open.time = time
}

/** Takes the levels that changed, a message for each book, in the order of their first change. */
export function takeLevels(open: OpenNews): readonly News[] {
  const found = [...open.levels].map(([instrument, levels]): News => ({ kind: 'levels', instrument, levels }))
  open.levels.clear()
  open.time = -1
  return found
}

/** Takes the own parts of a settlement that an instrument ends with. */
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
