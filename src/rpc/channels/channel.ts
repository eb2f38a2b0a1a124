/**
 * A channel sends notifications about one part of the market or about one account. It listens to events, and at the end
 * of its interval the subscriptions collect its messages.
 *
 * Source: sessions document 3; coverage R17, S285, S286.
 */
import { type AccountId, divFloor, type InstrumentId } from '../../core/index.ts'
import type { Exchange } from '../../engine/index.ts'
import {
  type Event,
  type EventKind,
  type EventOf,
  type EventTakers,
  eventFamilies,
  type Instrument,
  instrumentKinds,
  type TotalTakers,
} from '../../model/index.ts'
import type { History } from '../history/index.ts'
import type { ReplyContext } from '../methods/index.ts'

/** How long changes are collected before they are sent; `raw` sends them after each input of the exchange. */
export const intervals = ['raw', '100ms', 'agg2'] as const

/** An interval of notifications: one that a channel name can contain, or the second between summaries of an account. */
export type Interval = (typeof intervals)[number] | '1s'

/** In microseconds. */
const widths: { readonly [I in Exclude<Interval, 'raw'>]: number } = {
  '100ms': 100_000,
  '1s': 1_000_000,
  agg2: 2_000_000,
}

/** The first end of an interval after a time. Intervals are aligned to the epoch. */
export function nextFlush(time: number, interval: Exclude<Interval, 'raw'>): number {
  const width = widths[interval]
  return (divFloor(time, width) + 1) * width
}

/** The sources that channels read. */
export interface ChannelWorld {
  readonly exchange: Exchange
  readonly history: History
  /** The context of a reply, for channels that send results of methods. */
  readonly view: () => ReplyContext
}

/** The events that reach a channel: events about any of these, or all events if no field is set. */
export interface ChannelSubject {
  readonly instruments?: readonly InstrumentId[]
  readonly index?: string
  readonly account?: AccountId
}

/**
 * A channel that a connection has subscribed to. `Message` is the type of its messages, from which its schema is made.
 */
export interface Channel<Message = unknown> {
  readonly interval: Interval
  readonly subject: ChannelSubject
  /** The first messages of a new subscriber. */
  first?(): readonly Message[]
  /** Takes the events of these families that concern its subject. */
  readonly takes?: EventTakers
  /** The messages since the last call. */
  collect(): readonly Message[]
}

/** Functions that make a value from an event, by family. */
export type Tellers<Told> = { readonly [K in EventKind]?: (event: EventOf<K>) => Told }

/** Takers that pass on the value of each event. */
export function takersOf<Told>(tellers: Tellers<Told>, take: (told: Told) => void): EventTakers {
  const takers = Object.entries(tellers).map(([kind, tell]) => [
    kind,
    // The key of each function is the family of its events.
    (event: Event) => take((tell as (event: Event) => Told)(event)),
  ])
  return Object.fromEntries(takers) as EventTakers
}

/** Takers that pass the events of all families to one function. */
export function takersOfAll(take: (event: Event) => void): TotalTakers {
  return Object.fromEntries(Object.keys(eventFamilies).map((kind) => [kind, take])) as TotalTakers
}

/**
 * True if an instrument belongs to a kind and a currency of a channel name; a spot pair belongs to both of its
 * currencies.
 */
export function isOf(
  { kind, settlementCurrency, baseCurrency, quoteCurrency }: Instrument,
  wanted: { readonly kind: string; readonly currency: string },
): boolean {
  const isKind =
    wanted.kind === 'any' ||
    wanted.kind === kind ||
    (wanted.kind === 'combo' && (kind === 'future_combo' || kind === 'option_combo'))
  if (!isKind || wanted.currency === 'any') return isKind
  if (kind === 'spot') return baseCurrency === wanted.currency || quoteCurrency === wanted.currency
  return settlementCurrency === wanted.currency
}

/** The kinds of instruments that channel names can contain. */
export const channelKinds: ReadonlySet<string> = new Set([...instrumentKinds, 'combo', 'any'])
