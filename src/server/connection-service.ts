/**
 * Methods that a server answers itself: tokens, subscriptions, heartbeats.
 *
 * Source: sessions document 2.1, 2.4, 2.5, 3.1; coverage R13, S274-S279, S285.
 */
import { type AccountId, AssertionFailure } from '../core/index.ts'
import { allAccounts, findAccount, isRemoved } from '../engine/index.ts'
import type { AccessEntry, AccessScope } from '../model/index.ts'
import { channelHint, errorOf, isRaw, type ServedReply, type VenueError } from '../rpc/index.ts'
import { type Grant, grantAllows, type Presented, type Tokens } from './access/index.ts'
import type { Asked, Client } from './client.ts'
import type { KeyRing } from './key-ring.ts'
import type { LiveMarket } from './live-market.ts'
import type { ServerMonitor } from './monitor.ts'

type Words = Readonly<Record<string, unknown>>

/** Opens a second market that continues from a market; `from` is the name of a snapshot. */
export type OpenFork = (market: LiveMarket, name: string, from: string | undefined) => ServedReply

/** Answers the methods that a connection serves. */
export class ConnectionService {
  readonly #market: LiveMarket
  readonly #keys: KeyRing
  readonly #tokens: Tokens
  readonly #monitor: ServerMonitor
  readonly #openFork: OpenFork

  constructor(market: LiveMarket, keys: KeyRing, tokens: Tokens, monitor: ServerMonitor, fork: OpenFork) {
    this.#market = market
    this.#keys = keys
    this.#tokens = tokens
    this.#monitor = monitor
    this.#openFork = fork
  }

  /** Answers a request that the server serves itself. */
  serve(client: Client, { method, params }: Asked, grant: Grant | null): ServedReply {
    const words = params as Words
    switch (method) {
      case 'public/auth':
        return this.#auth(client, words)
      case 'public/exchange_token':
        return this.#exchange(client, words)
      case 'public/fork_token':
        return this.#fork(client, words)
      case 'public/set_heartbeat':
        return done(() => this.#setHeartbeat(client, Number(words.interval)))
      case 'public/disable_heartbeat':
        return done(() => stopHeartbeat(client))
      case 'public/subscribe':
      case 'private/subscribe':
        return this.#subscribe(client, words, grant)
      case 'public/unsubscribe':
      case 'private/unsubscribe': {
        const ended = channelsOf(words).filter((name) => this.#market.subscriptions.unsubscribe(client.session, name))
        return { ok: true, result: ended }
      }
      case 'public/unsubscribe_all':
      case 'private/unsubscribe_all':
        return done(() => this.#market.subscriptions.leave(client.session))
      case 'sim/fork': {
        const from = words.from === undefined ? undefined : String(words.from)
        return this.#openFork(this.#market, String(words.name), from)
      }
      default:
        throw new AssertionFailure(`${method} has a service`)
    }
  }

  #auth(client: Client, words: Words): ServedReply {
    const now = performance.now()
    const grantType = words.grant_type
    if (grantType === 'refresh_token') {
      const missing = missingOf(words, ['refresh_token'])
      if (missing !== null) return missing
      const old = this.#tokens.findRefresh(String(words.refresh_token), this.#here(client))
      if (old === undefined) return badRefresh
      return this.#authenticated(client, this.#tokens.refresh(old, now, connectionOf(client)), words)
    }
    const isSignature = grantType === 'client_signature'
    const needed = isSignature ? ['client_id', 'timestamp', 'signature'] : ['client_id', 'client_secret']
    const missing = missingOf(words, needed)
    if (missing !== null) return missing
    const id = String(words.client_id)
    const key = isSignature
      ? this.#keys.bySignature(
          id,
          {
            timestamp: String(words.timestamp),
            nonce: textOf(words.nonce),
            rest: textOf(words.data),
            signature: String(words.signature),
          },
          client.address,
        )
      : this.#keys.bySecret(id, String(words.client_secret), client.address)
    this.#log(client, id, key === undefined ? 'failure' : 'success')
    if (key === undefined) {
      const hasNonce = !isSignature || textOf(words.nonce) !== ''
      return failed(hasNonce ? invalidCredentials : noNonce)
    }
    const connection = connectionOf(client)
    const grant = this.#tokens.give(key, textOf(words.scope), now, connection)
    return this.#authenticated(client, grant, words)
  }

  /**
   * Adds an attempt to log in to the access log of its account. An attempt with an unknown key has no account and no
   * entry.
   */
  #log(client: Client, id: string, log: AccessEntry): void {
    const account = this.#keys.accountOf(id)
    if (account === null) return
    const params = { account, log, ip: client.address }
    this.#market.ask({ method: 'sim/log_access', params, account: null, session: 0 })
  }

  #authenticated(client: Client, grant: Grant, words: Words): ServedReply {
    remember(client, grant)
    const state = words.state === undefined ? {} : { state: words.state }
    const result = {
      ...pairOut(grant),
      ...state,
      enabled_features: this.#keys.featuresOf(grant.key),
      mandatory_tfa_status: 'inactive',
      google_login: false,
    }
    return { ok: true, result }
  }

  #exchange(client: Client, words: Words): ServedReply {
    const old = this.#tokens.findRefresh(String(words.refresh_token), this.#here(client))
    if (old === undefined || old.account === null) return badRefresh
    const { exchange } = this.#market.desk
    const subject = allAccounts(exchange).find(({ id }) => {
      return id === words.subject_id && !isRemoved(exchange, id)
    })
    const own = findAccount(exchange, old.account)
    if (subject === undefined || subject.house || subject.main !== own?.main) {
      return failed(notOfThisOwner)
    }
    const grant = this.#tokens.exchange(old, {
      account: subject.name,
      isMain: subject.main === subject.id,
      scope: textOf(words.scope),
      now: performance.now(),
      origin: connectionOf(client),
    })
    if (grant === null) return failed(notOfThisOwner)
    remember(client, grant)
    return { ok: true, result: pairOut(grant) }
  }

  #fork(client: Client, words: Words): ServedReply {
    const old = this.#tokens.findRefresh(String(words.refresh_token), this.#here(client))
    if (old === undefined) return badRefresh
    if (old.session === null) {
      const data = { reason: 'session_scope_required', param: 'refresh_token' }
      return failed({ ...errorOf({ reason: 'unauthorized' }), data })
    }
    const by = { now: performance.now(), origin: connectionOf(client) }
    const grant = this.#tokens.fork(old, String(words.session_name), by)
    return { ok: true, result: pairOut(grant) }
  }

  #subscribe(client: Client, words: Words, grant: Grant | null): ServedReply {
    const names = [...new Set(channelsOf(words))]
    if (grant === null && names.some(isRaw)) {
      return failed({ code: 13778, message: 'raw_subscriptions_not_available_for_unauthorized' })
    }
    const { desk, subscriptions } = this.#market
    const account: AccountId | -1 = grant?.account == null ? -1 : (findAccount(desk.exchange, grant.account)?.id ?? -1)
    const label = typeof words.label === 'string' ? words.label : null
    const subscriber = {
      link: client.session,
      account,
      allows: (scope: AccessScope) => grant !== null && grantAllows(grant, scope),
      send: (text: string, channel: string) => {
        // Assumed: the subscriptions of a key end with the key.
        if (grant !== null && !this.#keys.isCurrent(grant.key)) return
        const send = (): void => {
          this.#monitor.notified()
          client.send(text)
        }
        const to = { account: grant?.account ?? null, receiver: client }
        this.#market.wire.carry({ of: 'notifications', name: channel, ...to, send })
      },
    }
    const accepted = names.filter((name) => subscriptions.subscribe(subscriber, name, label))
    if (names.length > 0 && accepted.length === 0) {
      return failed({
        code: 11052,
        message: 'subscribe_error_unsubscribed',
        data: noneOpened(names),
      })
    }
    return { ok: true, result: accepted }
  }

  /**
   * Heartbeats use the clock of the machine, because a client needs real time to answer, whatever virtual time does.
   */
  #setHeartbeat(client: Client, seconds: number): void {
    stopHeartbeat(client)
    const every = seconds * 1000
    const beat = (): void => {
      const { heartbeat } = client
      if (heartbeat === null) return
      if (!heartbeat.isAnswered) {
        const params = { session: client.session }
        this.#market.ask({ method: 'sim/heartbeat_failure', params, account: null, session: 0 })
        client.close('heartbeat failure')
        return
      }
      heartbeat.isAnswered = false
      for (const type of ['heartbeat', 'test_request']) {
        client.send(JSON.stringify({ jsonrpc: '2.0', method: 'heartbeat', params: { type } }))
      }
    }
    const timer = setInterval(beat, every)
    client.heartbeat = { every, timer, isAnswered: true }
  }

  #here(client: Client): Presented {
    return { now: performance.now(), connection: connectionOf(client), address: client.address }
  }
}

function done(act: () => void): ServedReply {
  act()
  return { ok: true, result: 'ok' }
}

/** Number of the connection of a client; null over HTTP. */
function connectionOf({ session }: Client): number | null {
  return session === 0 ? null : session
}

/** Remembers the newest token pair of a client, separately for accounts and for controls. */
export function remember(client: Client, grant: Grant): void {
  if (grant.account === null) client.control = grant
  else client.grant = grant
}

/** Stops the heartbeats of a client. */
export function stopHeartbeat(client: Client): void {
  if (client.heartbeat === null) return
  clearInterval(client.heartbeat.timer)
  client.heartbeat = null
}

/** Largest number of channel names that an error repeats, and their largest length. */
const NAMES_MAX = 20
const NAME_LENGTH_MAX = 100

const invalidCredentials: VenueError = { code: 13004, message: 'invalid_credentials' }

const noNonce: VenueError = {
  ...invalidCredentials,
  data: { reason: 'nonce_required', param: 'nonce' },
}

const notOfThisOwner: VenueError = {
  ...errorOf({ reason: 'forbidden' }),
  data: { reason: 'not_of_this_owner', param: 'subject_id' },
}

const badRefresh: ServedReply = failed({
  ...errorOf({ reason: 'unauthorized' }),
  data: { reason: 'invalid_token', param: 'refresh_token' },
})

/** The error details if no channel of a subscription could be opened; the hint is about the first one. */
function noneOpened(names: readonly string[]): NonNullable<VenueError['data']> {
  const found = names.slice(0, NAMES_MAX).map((name) => name.slice(0, NAME_LENGTH_MAX))
  return {
    reason: 'unknown_value',
    param: 'channels',
    detail: `no channel for this connection: ${found.join(', ')}`,
    hint: channelHint(found[0] ?? ''),
  }
}

function failed(error: VenueError): ServedReply {
  return { ok: false, error }
}

/** The error for required parameters that are missing. */
function missingOf(words: Words, needed: readonly string[]): ServedReply | null {
  const param = needed.find((name) => (words[name] ?? null) === null)
  if (param === undefined) return null
  return failed(errorOf({ reason: 'invalid_params', param, problem: 'required' }))
}

function pairOut({ access, refresh, scope, seconds, sid }: Grant): object {
  const pair = {
    access_token: access,
    token_type: 'bearer',
    expires_in: seconds,
    refresh_token: refresh,
    scope,
  }
  return sid === null ? pair : { ...pair, sid: String(sid) }
}

function channelsOf({ channels }: Words): readonly string[] {
  // The parameters were checked before.
  return channels as readonly string[]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
