/**
 * A channel: what happens to one part of the market or to one account, as notifications. It listens to events, and
 * when its interval is over it is asked what there is to tell.
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

/** How long changes are collected before they are told; `raw` tells them after each input of the exchange. */
export const intervals = ['raw', '100ms', 'agg2'] as const

/** An interval of notifications: one that a channel names, or the second of an account's figures. */
export type Interval = (typeof intervals)[number] | '1s'

/** In microseconds. */
const widths: { readonly [I in Exclude<Interval, 'raw'>]: number } = {
  '100ms': 100_000,
  '1s': 1_000_000,
  agg2: 2_000_000,
}

/** The first end of an interval after a time: intervals stand on the grid of the epoch. */
export function nextFlush(time: number, interval: Exclude<Interval, 'raw'>): number {
  const width = widths[interval]
  return (divFloor(time, width) + 1) * width
}

/** Sources that channels look at. */
export interface ChannelWorld {
  readonly exchange: Exchange
  readonly history: History
  /** The context in which methods answer that channels tell the results of. */
  readonly view: () => ReplyContext
}

/** The events that reach a channel: those about any of these, or all events if it names none. */
export interface ChannelSubject {
  readonly instruments?: readonly InstrumentId[]
  readonly index?: string
  readonly account?: AccountId
}

/** A channel that a connection has subscribed to. `Message` is the type of its messages, from which its schema is made. */
export interface Channel<Message = unknown> {
  readonly interval: Interval
  readonly subject: ChannelSubject
  /** The first messages of a new subscriber. */
  first?(): readonly Message[]
  /** Takes the events of these families that are about its subject. */
  readonly takes?: EventTakers
  /** Messages that came up since it was asked last. */
  collect(): readonly Message[]
}

/** Functions that tell something of events, by family. */
export type Tellers<Told> = { readonly [K in EventKind]?: (event: EventOf<K>) => Told }

/** Takers that hand on what events tell. */
export function takersOf<Told>(tellers: Tellers<Told>, take: (told: Told) => void): EventTakers {
  const takers = Object.entries(tellers).map(([kind, tell]) => [
    kind,
    // A teller stands under the name of its family.
    (event: Event) => take((tell as (event: Event) => Told)(event)),
  ])
  return Object.fromEntries(takers) as EventTakers
}

/** One taker of all families alike. */
export function takersOfAll(take: (event: Event) => void): TotalTakers {
  return Object.fromEntries(Object.keys(eventFamilies).map((kind) => [kind, take])) as TotalTakers
}

/** True if an instrument is of a kind and a currency as channels name them; a spot pair belongs to both of its currencies. */
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

/** The kinds that channels name. */
export const channelKinds: ReadonlySet<string> = new Set([...instrumentKinds, 'combo', 'any'])
