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

/** An interval of notifications: one that a channel name can contain, or the second between summaries of an account. */
export type Interval = (typeof intervals)[number] | '1s'

/** The source of such a channel. */
export interface ViewSource<View extends object, Change extends object = never> {
  readonly interval: Interval
  readonly subject: ChannelSubject
  /** The current view, or undefined. */
  look(): View | undefined
  /** Values that can change without an event, such as the number of changes of a recorded book. */
  inputs?(): readonly (number | string)[]
  /**
   * Families of events that may change the view, each with a function that says whether an event did. Without it, every
   * event that reaches the channel may change the view.
   */
  readonly touchedBy?: MessageReaders<boolean>
  /** The part of a view that the channel compares; the view without its `timestamp` if omitted. */
  content?(view: View): unknown
  /** Makes the message of a change since the previous message; without it the whole view is sent. */
  change?(before: View, now: View): Change
}

/**
 * Channels that send a view whenever it has changed: tickers, indices, summaries of an account.
 */

/**
 * A channel of such a source.
 *
 * Rule: channels.time. A message follows each change of an input. Time alone sends none: figures that also change as
 * time passes, such as greeks, are sent with the next message, and queries compute them anew. Assumed: the sessions
 * document (3.4) sends tickers when marks and indices are recomputed, and here they are recomputed when an input changes.
 */
export function viewChannel<View extends object, Change extends object = never>(
  source: ViewSource<View, Change>,
): Channel<View | Change> {
  const { interval, subject } = source
  let isTouched = false
  let inputs: readonly (number | string)[] = []
  let isOpen = false
  let sent: { readonly view: View; readonly text: string } | undefined
  /** True if a new subscriber has seen a change that the other subscribers have not received yet. */
  let isShown = false
  const toMessage = (view: View): void => {
    const content = source.content?.(view) ?? { ...view, timestamp: 0 }
    sent = { view, text: JSON.stringify(content) }
    inputs = source.inputs?.() ?? inputs
    isTouched = false
    isShown = false
  }
  const isPending = (): boolean => isTouched || (source.inputs?.().some((value, at) => value !== inputs[at]) ?? false)
  return {
    interval,
    subject,
    first: () => {
      const view = source.look()
      // Only the channel's first subscription sets the last sent view. A later first message does not reach the
      // other subscribers.
      if (isOpen) isShown ||= isPending()
      else if (view !== undefined) toMessage(view)
      isOpen = true
      return view === undefined ? [] : [view]
    },
    takes:
      source.touchedBy === undefined
        ? takersOfAll(() => {
            isTouched = true
          })
        : takersOf(source.touchedBy, (touches) => {
            isTouched ||= touches
          }),
    collect: () => {
      if (!isPending()) return []
      const before = sent
      const wasShown = isShown
      const view = source.look()
      if (view === undefined) return []
      toMessage(view)
      // Some subscribers have seen a later view than the one sent last, so the message must be whole.
      if (before === undefined || wasShown) return [view]
      if (before.text === sent?.text) return []
      return [source.change?.(before.view, view) ?? view]
    },
  }
}

/**
 * Channels whose messages come from single events.
 */

/**
 * A channel that makes at most one message from each event of some families, with the state at the time of the event.
 */
export function collecting<Message>(readers: MessageReaders<Message | undefined>): Omit<Channel<Message>, 'first'> {
  let pending: Message[] = []
  return {
    interval: 'raw',
    subject: {},
    takes: takersOf(readers, (message) => {
      if (message !== undefined) pending.push(message)
    }),
    collect: () => {
      const messages = pending
      pending = []
      return messages
    },
  }
}

/** How long changes are collected before they are sent; `raw` sends them after each input of the exchange. */
export const intervals = ['raw', '100ms', 'agg2'] as const

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
export type MessageReaders<Message> = { readonly [K in EventKind]?: (event: EventOf<K>) => Message }

/** Takers that pass on the value of each event. */
export function takersOf<Message>(readers: MessageReaders<Message>, take: (sent: Message) => void): EventTakers {
  const takers = Object.entries(readers).map(([kind, toMessage]) => [
    kind,
    // The key of each function is the family of its events.
    (event: Event) => take((toMessage as (event: Event) => Message)(event)),
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
  wantedKind: string,
  currency: string,
): boolean {
  const isKind =
    wantedKind === 'any' ||
    wantedKind === kind ||
    (wantedKind === 'combo' && (kind === 'future_combo' || kind === 'option_combo'))
  if (!isKind || currency === 'any') return isKind
  if (kind === 'spot') return baseCurrency === currency || quoteCurrency === currency
  return settlementCurrency === currency
}

/** The kinds of instruments that channel names can contain. */
export const channelKinds: ReadonlySet<string> = new Set([...instrumentKinds, 'combo', 'any'])
