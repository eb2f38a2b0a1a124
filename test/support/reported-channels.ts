/**
 * The messages of channels: `messagesOf` opens a market, subscribes and runs the actions of a test; `reportedIn` runs a
 * scenario with accounts that have subscribed.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { defined, formatInputError, micros, parseDuration } from '../../src/core/index.ts'
import { findAccount, timeOf } from '../../src/engine/index.ts'
import { defaultConfig, type Event } from '../../src/model/index.ts'
import { Venue } from '../../src/program/index.ts'
import {
  channelKind,
  createDesk,
  type Desk,
  ownMethods,
  type RequestParams,
  type Subscriber,
  Subscriptions,
  submit,
} from '../../src/rpc/index.ts'
import { advanceRun, createRun, parseScenario } from '../../src/scenario/index.ts'
import type { Json } from './desk-market.ts'
import { isShort } from './property-runs.ts'
import { checksOver, type ValueCheck } from './reply-checks.ts'
import { repository } from './repository.ts'
import { typesOfMessages } from './source-types.ts'

/** A notification, and the account that it was sent to; null for a connection without a token. */
export interface ChannelMessage {
  readonly account: string | null
  readonly channel: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The widest interval of channels, in microseconds: the narrower ones end with it. */
const WIDEST = 2_000_000

/**
 * All messages that accounts receive in a scenario. Each account subscribes when it is opened; a channel that does not
 * open fails the test.
 */
export function reportedIn(
  file: string,
  wanted: readonly (readonly [account: string, ...channels: string[]])[],
  edit: (text: string) => string = (text) => text,
): readonly ChannelMessage[] {
  const path = join(repository, 'scenarios', file)
  const parsed = parseScenario(edit(readFileSync(path, 'utf8')), file)
  if (!parsed.ok) throw new Error(parsed.error.map(formatInputError).join('\n'))
  const reported: ChannelMessage[] = []
  let subscriptions: Subscriptions | undefined
  const live = {
    nextTime: () => Number.POSITIVE_INFINITY,
    take: () => {
      throw new RangeError('nobody asks')
    },
    events: {
      emit: (event: Event): void => subscriptions?.events.emit(event),
    },
  }
  const run = createRun({ ...parsed.value, until: null }, {}, { market: null, seats: null, live })
  subscriptions = new Subscriptions(run.desk)
  const subscribed = new Set<string>()
  for (;;) {
    for (const [link, [account, ...channels]] of wanted.entries()) {
      const id = findAccount(run.desk.exchange, account)?.id
      if (id === undefined || subscribed.has(account)) continue
      subscribed.add(account)
      const subscriber: Subscriber = {
        link,
        account: id,
        allows: () => true,
        send: (text) => {
          const { channel, data } = JSON.parse(text).params
          reported.push({ account, channel, data })
        },
      }
      for (const channel of channels) {
        expect([channel, subscriptions.subscribe(subscriber, channel, null)]).toEqual([channel, true])
      }
    }
    const state = advanceRun(run, 1)
    subscriptions.flush()
    subscriptions.flushIntervals(Math.ceil(timeOf(run.desk.exchange) / WIDEST) * WIDEST)
    if (state !== 'more') break
  }
  return reported
}

/** An empty market with its channels. */
export interface ChannelWorld {
  readonly desk: Desk
  readonly venue: Venue
  readonly subscriptions: Subscriptions
}

/** An empty market with its channels at 2026-01-05T09:00:00Z. */
export function channelWorld(): ChannelWorld {
  let subscriptions: Subscriptions | undefined
  // Channels read the history, so they take each event after it.
  const watch = { emit: (event: Event): void => subscriptions?.events.emit(event) }
  const config = defaultConfig(micros(Date.parse('2026-01-05T09:00:00Z') * 1000))
  const options = { config, controls: true, methods: ownMethods, watch }
  const desk = createDesk(options, { emit: () => undefined })
  subscriptions = new Subscriptions(desk)
  return { desk, venue: new Venue(desk), subscriptions }
}

/** A market whose channels send their messages after each request and at the end of each interval. */
export interface ChannelMarket {
  /** The result of a request, for an account or for null; a refusal throws an error. */
  readonly ask: (account: string | null, method: string, params?: RequestParams) => Json
  /** Moves the clock by a duration such as `1s`. */
  readonly wait: (duration: string) => void
}

/** The market of `messagesOf`: a BTC perpetual at 50,000, and accounts with 10 BTC each. */
const setUp: readonly (readonly [method: string, params: RequestParams])[] = [
  ['sim/list_instrument', { instrument_name: 'BTC-PERPETUAL' }],
  ['sim/set_index', { index_name: 'btc_usd', price: 50_000 }],
  ...['alice', 'bob'].flatMap((name) => [
    ['sim/create_account', { name }] as const,
    ['sim/deposit', { account: name, currency: 'BTC', amount: 10 }] as const,
  ]),
]

/**
 * The messages that accounts (null for a connection without a token) receive on channels while `drive` sends requests
 * and waits. `prepare` sends requests before they subscribe. A channel that does not open fails the test, and so does a
 * message that does not fit the schema of its channel, which comes from the type of the channel's messages. The fast
 * check (`npm run check`) does not compare schemas.
 *
 * @example
 * const messages = messagesOf([['alice', 'user.orders.any.any.raw']], ({ ask }) => {
 *   ask('alice', 'private/buy', { instrument_name: 'BTC-PERPETUAL', amount: 10, price: 49_000 })
 * })
 * expect(messages).toMatchObject([{ account: 'alice', data: { order_state: 'open' } }])
 */
export function messagesOf(
  wanted: readonly (readonly [account: string | null, ...channels: string[]])[],
  drive: (market: ChannelMarket) => void,
  prepare: (market: ChannelMarket) => void = () => undefined,
): readonly ChannelMessage[] {
  const { desk, venue, subscriptions: channels } = channelWorld()
  const ask: ChannelMarket['ask'] = (account, method, params = {}) => {
    let reply: Json
    submit(desk, { time: venue.now, method, params, account, session: 0 }, (given) => {
      reply = given
    })
    channels.flush()
    if (!reply.ok) throw new Error(`${method}: ${JSON.stringify(reply.error)}`)
    return reply.result
  }
  const step = (to: number): void => {
    venue.wait(`${to - venue.now}us`)
    channels.flush()
    channels.flushIntervals(to)
  }
  const wait = (duration: string): void => {
    const parsed = parseDuration(duration)
    if (!parsed.ok) throw new Error(duration)
    const end = venue.now + parsed.value
    for (let next = channels.nextFlush(venue.now); next < end; next = channels.nextFlush(next)) {
      step(next)
    }
    step(end)
  }
  const market = { ask, wait }
  for (const [method, params] of setUp) ask(null, method, params)
  prepare(market)
  const reported: ChannelMessage[] = []
  for (const [link, [account, ...names]] of wanted.entries()) {
    const row = account === null ? undefined : findAccount(desk.exchange, account)
    const id = account === null ? -1 : defined(row, 'the account is open').id
    const send = (text: string): void => {
      const { channel, data } = JSON.parse(text).params
      reported.push({ account, channel, data })
    }
    for (const name of names) {
      const isOpen = channels.subscribe({ link, account: id, allows: () => true, send }, name, null)
      if (!isOpen) throw new Error(`${name}: expected a channel, found none`)
    }
  }
  channels.flush()
  drive(market)
  if (!isShort) expect(messageFaults(reported)).toEqual([])
  return reported
}

const checks = new Map<string, ValueCheck>()

/**
 * Lists the errors of messages; empty if each fits the schema of its channel. The schemas come from the types of the
 * sources, which take ten seconds to read, so `npm run check` does not ask for them.
 */
export function messageFaults(reported: readonly ChannelMessage[]): readonly string[] {
  if (checks.size === 0) {
    const { messages, types } = typesOfMessages()
    const checkOf = checksOver(types)
    for (const [form, schema] of Object.entries(messages)) checks.set(form, checkOf(schema))
  }
  return reported.flatMap(({ channel, data }) => {
    const check = checks.get(channelKind(channel)?.forms[0] ?? '')
    return defined(check, 'a channel that opens has a schema')(channel, data)
  })
}
