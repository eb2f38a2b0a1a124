/**
 * Subscriptions: the connections that subscribe to each channel, and their notifications. Each change is written once
 * for all subscribers.
 *
 * The owner of the connections calls `flush` after each input of the exchange, and `flushIntervals` at the end of each
 * interval. Order of notifications: connections by number; within a connection the account's orders, trades and
 * changes, then the other channels in the order of subscription (R17).
 * Source: sessions document 1.4, 3; coverage R17.
 */
import type { AccountId, InstrumentId } from '../../core/index.ts'
import type { AccessScope, Event, EventSink } from '../../model/index.ts'
import type { Desk } from '../desk/index.ts'
import { type ReplyContext, viewContext } from '../methods/index.ts'
import { type Channel, type ChannelSubject, type ChannelWorld, type Interval, nextFlush } from './channel.ts'
import { channelScope, openChannel } from './channel-names.ts'

/** Sends a notification to a connection: one line of JSON, with the name of its channel. */
type Send = (text: string, channel: string) => void

/** A connection that subscribes. */
export interface Subscriber {
  /** Number of the connection. */
  readonly link: number
  /** The account of its token; -1 without an account. */
  readonly account: AccountId | -1
  /** True if the token includes the scope. */
  readonly allows: (scope: AccessScope) => boolean
  readonly send: Send
}

interface Open {
  readonly name: string
  /** The account that the channel belongs to; -1 for a public channel. */
  readonly account: AccountId | -1
  /** A new channel replaces it when the venue is restored. */
  channel: Channel
  /** Subscribed connections by number, each with its label; null without a label. */
  readonly labels: Map<number, string | null>
}

interface Link {
  readonly send: Send
  readonly opens: Map<string, Open>
}

/** All open channels of a request router, with their subscribers. */
export class Subscriptions {
  readonly #world: ChannelWorld
  /** Public channels by name, and channels of an account by account number and name. */
  readonly #opens = new Map<string, Open>()
  readonly #links = new Map<number, Link>()
  /** First messages of new subscriptions. They are sent after the reply. */
  #first: { readonly link: Link; readonly name: string; readonly text: string }[] = []

  constructor(desk: Pick<Desk, 'exchange' | 'history' | 'kept' | 'faults' | 'methods'>) {
    const view = (): ReplyContext =>
      viewContext({
        exchange: desk.exchange,
        history: desk.history,
        account: -1,
        kept: desk.kept,
        faults: desk.faults,
        methods: desk.methods,
      })
    this.#world = { exchange: desk.exchange, history: desk.history, view }
  }

  /** True if any subscribed channel collects changes over an interval. */
  get hasIntervals(): boolean {
    for (const { channel } of this.#opens.values()) if (channel.interval !== 'raw') return true
    return false
  }

  /**
   * Subscribes to a channel and queues its first message. Returns false if the channel does not exist or the token
   * lacks its scope. A second subscription to the same channel changes nothing.
   */
  subscribe(who: Subscriber, name: string, label: string | null): boolean {
    const scope = channelScope(name)
    if (scope !== null && !who.allows(scope)) return false
    const key = keyOf(name, who.account)
    let open = this.#opens.get(key)
    const isNew = open === undefined
    if (open === undefined) {
      const channel = openChannel(this.#world, name, who.account)
      if (channel === undefined) return false
      open = { name, account: scope === null ? -1 : who.account, channel, labels: new Map() }
    }
    const { channel, labels } = open
    if (isNew) this.#opens.set(key, open)
    if (labels.has(who.link)) return true
    const link = this.#links.get(who.link) ?? { send: who.send, opens: new Map<string, Open>() }
    this.#links.set(who.link, link)
    link.opens.set(key, open)
    labels.set(who.link, label)
    for (const first of channel.first?.() ?? []) {
      this.#first.push({ link, name, text: notification(name, first, label) })
    }
    return true
  }

  /** Ends a subscription; returns false if it did not exist. */
  unsubscribe(link: number, name: string): boolean {
    const own = this.#links.get(link)
    for (const [key, open] of own?.opens ?? []) {
      if (open.name !== name) continue
      own?.opens.delete(key)
      this.#drop(key, open, link)
      return true
    }
    return false
  }

  /** Ends all subscriptions of a connection. */
  leave(link: number): void {
    const own = this.#links.get(link)
    this.#links.delete(link)
    for (const [key, open] of own?.opens ?? []) this.#drop(key, open, link)
  }

  #drop(key: string, open: Open, link: number): void {
    open.labels.delete(link)
    if (open.labels.size === 0) this.#opens.delete(key)
  }

  /**
   * Restarts every subscription after the venue was restored: sends its first message again, in the order of `flush`,
   * and drops the changes collected before.
   */
  restart(): void {
    this.#first = []
    const texts = new Map<Open, TextOf>()
    for (const open of this.#opens.values()) {
      open.channel = openChannel(this.#world, open.name, open.account) ?? open.channel
      const first = open.channel.first?.() ?? []
      if (first.length > 0) texts.set(open, textOf(open.name, first))
    }
    this.#sendAll(texts)
  }

  /** Takes the events of the exchange, after the history has taken them. */
  readonly events: EventSink = {
    emit: (event) => {
      if (this.#opens.size > 0) this.#take(event)
    },
  }

  #take(event: Event): void {
    const instrument = instrumentOf(event)
    for (const { channel } of this.#opens.values()) {
      // `take` is registered for the family of the event.
      const take = channel.takes?.[event.kind] as ((event: Event) => void) | undefined
      if (take !== undefined && isAbout(event, instrument, channel.subject)) take(event)
    }
  }

  /** Sends the changes of the last input of the exchange. */
  flush(): void {
    if (this.#first.length > 0) {
      const first = this.#first
      this.#first = []
      for (const { link, name, text } of first) link.send(text, name)
    }
    this.#send('raw')
  }

  /**
   * The next end of an interval after a time, among the subscribed channels; infinite if no channel has an interval.
   */
  nextFlush(time: number): number {
    let next = Number.POSITIVE_INFINITY
    for (const { channel } of this.#opens.values()) {
      if (channel.interval !== 'raw') next = Math.min(next, nextFlush(time, channel.interval))
    }
    return next
  }

  /** Sends the changes of the intervals that end at a time. */
  flushIntervals(time: number): void {
    for (const interval of ['100ms', '1s', 'agg2'] as const) {
      if (nextFlush(time - 1, interval) === time) this.#send(interval)
    }
  }

  #send(interval: Interval): void {
    // This runs after every input, and most inputs change no channel.
    if (this.#opens.size === 0) return
    const texts = new Map<Open, TextOf>()
    for (const open of this.#opens.values()) {
      if (open.channel.interval !== interval) continue
      const sent = open.channel.collect()
      if (sent.length > 0) texts.set(open, textOf(open.name, sent))
    }
    if (texts.size > 0) this.#sendAll(texts)
  }

  /** Sends the notifications to all subscribed connections, in the order of their numbers. */
  #sendAll(texts: ReadonlyMap<Open, TextOf>): void {
    const links = new Set<number>()
    for (const { labels } of texts.keys()) for (const link of labels.keys()) links.add(link)
    for (const number of [...links].sort((left, right) => left - right)) {
      this.#sendTo(number, texts)
    }
  }

  /** Sends the notifications of its channels to one connection. */
  #sendTo(number: number, texts: ReadonlyMap<Open, TextOf>): void {
    const link = this.#links.get(number)
    if (link === undefined) return
    const opens = [...link.opens.values()]
    const own = firstNames.flatMap((first) => opens.filter(({ name }) => name.startsWith(first)))
    const others = opens.filter(({ name }) => !firstNames.some((first) => name.startsWith(first)))
    for (const open of [...own, ...others]) {
      const text = texts.get(open)
      if (text === undefined) continue
      for (const line of text(open.labels.get(number) ?? null)) link.send(line, open.name)
    }
  }
}

/** Channels whose notifications come first (R17). */
const firstNames = ['user.orders.', 'user.trades.', 'user.changes.']

/** The notifications of a channel with a label, or null without one. */
type TextOf = (label: string | null) => readonly string[]

/** Writes the notifications of a channel once for each label. */
function textOf(name: string, sent: readonly unknown[]): TextOf {
  const written = new Map<string | null, readonly string[]>()
  return (label) => {
    const known = written.get(label)
    if (known !== undefined) return known
    const lines = sent.map((data) => notification(name, data, label))
    written.set(label, lines)
    return lines
  }
}

function notification(channel: string, data: unknown, label: string | null): string {
  const params = label === null ? { channel, data } : { channel, data, label }
  return JSON.stringify({ jsonrpc: '2.0', method: 'subscription', params })
}

/** Channels of different accounts are separate, although their names are equal. */
function keyOf(name: string, account: AccountId | -1): string {
  return channelScope(name) === null ? name : `${account} ${name}`
}

/**
 * True if an event concerns the subject of a channel. The columns of its family name its instrument, index and
 * accounts.
 */
function isAbout(
  event: Event,
  instrument: InstrumentId | -1,
  { instruments, index, account }: ChannelSubject,
): boolean {
  if (instruments === undefined && index === undefined && account === undefined) return true
  return (
    (instruments?.some((id) => id === instrument) ?? false) ||
    (index !== undefined && 'index' in event && event.index === index) ||
    (account !== undefined && isOfAccount(event, account))
  )
}

function instrumentOf(event: Event): InstrumentId | -1 {
  if (!('instrument' in event) || event.instrument === null) return -1
  return typeof event.instrument === 'number' ? event.instrument : event.instrument.id
}

/** True if an event concerns an account; a trade and a position transfer concern two. */
function isOfAccount(event: Event, account: AccountId): boolean {
  if (event.kind === 'trade') return event.maker.account === account || event.taker.account === account
  if (event.kind === 'position_transfer') return event.from.account === account || event.to.account === account
  return 'account' in event && event.account === account
}
