/**
 * Tokens: given for a key, looked at with every request, ended with their connection, their session or their time.
 *
 * A token is random, so that nothing that anybody knows tells it; a replay of a journal needs none. Times are those of
 * the machine, in milliseconds since its process began: a step of virtual time ends no token.
 *
 * Rule: token.narrower. A pair that is given for another pair allows no more than that one: areas, account, address,
 * connection and time are those of the source or less.
 * Source: sessions document 2.1-2.4; coverage S274, S275, S278, S279.
 */
import { randomBytes } from 'node:crypto'
import type { AccessScope } from '../../model/index.ts'
import { type Areas, allows, narrowed, readScope, scopeText, TOKEN_SECONDS } from './scopes.ts'

/** A key of an account. */
export interface Key {
  /** The `client_id` of clients. */
  readonly id: string
  readonly secret: string
  /** Number of the request that last changed it. Its tokens end with the next change, unless `sim/restore` undoes the change. */
  readonly changed: number
  /** Name of the account; null for the key of the simulator's controls. */
  readonly account: string | null
  readonly isMain: boolean
  readonly areas: Areas
  /** Addresses that it is taken from; none for all. */
  readonly addresses: readonly string[]
}

/** A pair of tokens and what it allows. */
export interface Grant {
  readonly key: Key
  /** Name of the account; null for the key of the simulator's controls. */
  readonly account: string | null
  readonly isMain: boolean
  readonly areas: Areas
  /** Number of the connection that it lives with; null for a named session, over HTTP, and once it outlives that. */
  connection: number | null
  /** Number of the connection over which it was given; null over HTTP. */
  readonly origin: number | null
  readonly session: string | null
  readonly sid: number | null
  readonly ip: string | null
  /** Seconds that were asked for; null for none. */
  readonly expires: number | null
  /** Seconds that it lives. */
  readonly seconds: number
  /** When it ends, in milliseconds of the machine: it is good until then, and not at that instant. */
  readonly until: number
  readonly access: string
  readonly refresh: string
  readonly scope: string
}

/** The rights of a new pair, and its owner. */
type Granted = Pick<Grant, 'key' | 'account' | 'isMain' | 'areas' | 'session' | 'sid' | 'connection' | 'expires' | 'ip'>

/** When and over which connection a pair is given, and when it ends at the latest, in milliseconds of the machine. */
interface Giving {
  readonly now: number
  readonly until: number
  /** Number of the connection; null over HTTP. */
  readonly origin: number | null
}

/** When and from where a token is shown. */
export interface Presented {
  /** Milliseconds of the machine. */
  readonly now: number
  /** Number of the connection; null over HTTP. */
  readonly connection: number | null
  /** Address of the client. */
  readonly address: string
}

const SESSIONS_MAX = 16
/** Assumed: so many pairs of a key live with a connection, and so many given over HTTP; the oldest goes for a new one. */
const pairsMax = { connection: 100, http: 1000 } as const
const MILLIS_PER_SECOND = 1000
const TOKEN_BYTES = 32
const OPAQUE_START = 7

/** The tokens of a server. */
export class Tokens {
  readonly #byAccess = new Map<string, Grant>()
  readonly #byRefresh = new Map<string, Grant>()
  /** Pairs outside of named sessions by the name of their key and their connection, oldest first. */
  readonly #byPlace = new Map<string, Set<Grant>>()
  readonly #isCurrent: (key: Key) => boolean
  #sessions = 0

  /** `isCurrent` returns true if a key is enabled and unchanged; otherwise its pairs end. */
  constructor(isCurrent: (key: Key) => boolean) {
    this.#isCurrent = isCurrent
  }

  /** How many pairs are alive or have not been looked at since they ended. */
  get size(): number {
    return this.#byAccess.size
  }

  /** Gives a pair for a key, with what is asked for as far as the key allows it. */
  give(
    key: Key,
    of: {
      readonly scope: string
      readonly now: number
      /** Number of the connection; null over HTTP. */
      readonly connection: number | null
    },
  ): Grant {
    const asked = readScope(of.scope)
    const { areas, session, expires, ip } = asked
    const { account, isMain } = key
    return this.#grant(
      {
        key,
        account,
        isMain,
        areas: narrowed(key.areas, areas),
        session,
        sid: null,
        connection: of.connection,
        expires,
        ip,
      },
      { now: of.now, until: Number.POSITIVE_INFINITY, origin: of.connection },
    )
  }

  /** Gives a new pair for an old one, which ends; `origin` is the connection that asks, null over HTTP. */
  refresh(old: Grant, now: number, origin: number | null): Grant {
    this.#end(old)
    return this.#grant(old, { now, until: Number.POSITIVE_INFINITY, origin })
  }

  /** Gives a pair of another account of the same owner; null where the old one does not reach that account. */
  exchange(
    old: Grant,
    to: {
      readonly account: string
      readonly isMain: boolean
      readonly scope: string
      readonly now: number
      /** Number of the connection that asks; null over HTTP. */
      readonly origin: number | null
    },
  ): Grant | null {
    // The main account has its subaccounts, and a subaccount itself alone.
    if (!old.isMain && old.account !== to.account) return null
    const asked = readScope(to.scope)
    const { key, connection, until } = old
    // A named session would outlive the connection of its source.
    const session = connection === null ? (asked.session ?? old.session) : null
    return this.#grant(
      {
        key,
        account: to.account,
        isMain: old.isMain && to.isMain,
        areas: narrowed(old.areas, asked.areas),
        session,
        sid: session === old.session ? old.sid : null,
        connection,
        expires: shorterOf(asked.expires, old.expires),
        ip: isAnyAddress(old.ip) ? (asked.ip ?? old.ip) : old.ip,
      },
      { now: to.now, until, origin: to.origin },
    )
  }

  /** Gives a pair of a new named session with all that the old one allows, for as long as that lives. */
  fork(old: Grant, session: string, by: Pick<Giving, 'now' | 'origin'>): Grant {
    const { until } = old
    return this.#grant({ ...old, session, sid: null, connection: null }, { ...by, until })
  }

  /** The pair of an access token, if it may be used at a time over a connection; null over HTTP. */
  find(access: string, at: Presented): Grant | undefined {
    return this.#alive(this.#byAccess.get(access), at)
  }

  /** The pair of a refresh token. */
  findRefresh(refresh: string, at: Presented): Grant | undefined {
    return this.#alive(this.#byRefresh.get(refresh), at)
  }

  /** True if a pair that a connection remembers is still good. */
  isAlive(grant: Grant, { now, address }: Pick<Presented, 'now' | 'address'>): boolean {
    if (!this.#byAccess.has(grant.access) || !isFrom(grant, address)) return false
    return now < grant.until && this.#isCurrent(grant.key)
  }

  /** Ends the pairs that live with a connection. */
  endConnection(connection: number): void {
    this.#endWhere((grant) => grant.connection === connection)
  }

  /** Ends every pair that was given over a connection, and a pair that it shows with its named session (S275). */
  endSession(connection: number, { access, key, session }: Grant): void {
    this.#endWhere((grant) => {
      const isNamed = session !== null && grant.session === session && grant.key.id === key.id
      return grant.origin === connection || grant.access === access || isNamed
    })
  }

  /** Lets the pairs that live with a connection outlive it, for the next connection of their client (S275). */
  keepSession(connection: number): void {
    for (const grant of [...this.#byAccess.values()]) {
      if (grant.connection !== connection) continue
      this.#leavePlace(grant)
      grant.connection = null
      this.#keepCount(grant)
    }
  }

  #endWhere(isOver: (grant: Grant) => boolean): void {
    for (const grant of [...this.#byAccess.values()]) if (isOver(grant)) this.#end(grant)
  }

  #keepCount(grant: Grant): void {
    const place = placeOf(grant)
    const own = this.#byPlace.get(place) ?? new Set<Grant>()
    this.#byPlace.set(place, own.add(grant))
    const [oldest] = own
    const most = grant.connection === null ? pairsMax.http : pairsMax.connection
    if (own.size > most && oldest !== undefined) this.#end(oldest)
  }

  #end(grant: Grant): void {
    this.#byAccess.delete(grant.access)
    this.#byRefresh.delete(grant.refresh)
    this.#leavePlace(grant)
  }

  #leavePlace(grant: Grant): void {
    const place = placeOf(grant)
    const own = this.#byPlace.get(place)
    own?.delete(grant)
    if (own?.size === 0) this.#byPlace.delete(place)
  }

  #alive(grant: Grant | undefined, at: Presented): Grant | undefined {
    const { now, connection, address } = at
    if (grant === undefined || !isFrom(grant, address)) return undefined
    if (grant.until <= now || !this.#isCurrent(grant.key)) {
      this.#end(grant)
      return undefined
    }
    // A token that lives with a connection is good for nothing on another one.
    return grant.connection === null || grant.connection === connection ? grant : undefined
  }

  #grant(of: Granted, { now, until: most, origin }: Giving): Grant {
    const { key, account, isMain, areas, session, ip } = of
    const connection = session === null ? of.connection : null
    if (session !== null) this.#makeRoom(key, session)
    const asked = Math.min(Math.max(of.expires ?? TOKEN_SECONDS, 1), TOKEN_SECONDS)
    const until = Math.min(now + asked * MILLIS_PER_SECOND, most)
    const seconds = Math.ceil((until - now) / MILLIS_PER_SECOND)
    const expires = of.expires === null ? null : seconds
    const grant: Grant = {
      key,
      account,
      isMain,
      areas,
      connection,
      origin,
      session,
      sid: session === null ? null : (of.sid ?? this.#nextSession()),
      ip,
      expires: of.expires,
      seconds,
      until,
      access: newToken(),
      refresh: newToken(),
      scope: scopeText({ areas, session, isMain, expires, ip }),
    }
    this.#byAccess.set(grant.access, grant)
    this.#byRefresh.set(grant.refresh, grant)
    if (session === null) this.#keepCount(grant)
    return grant
  }

  #nextSession(): number {
    this.#sessions += 1
    return this.#sessions
  }

  /** A key has so many named sessions; the oldest goes for a new one. */
  #makeRoom(key: Key, session: string): void {
    const names = new Set<string>()
    for (const grant of this.#byAccess.values()) {
      if (grant.key.id === key.id && grant.session !== null) names.add(grant.session)
    }
    const [oldest] = names
    if (names.has(session) || names.size < SESSIONS_MAX || oldest === undefined) return
    this.#endWhere((grant) => grant.key.id === key.id && grant.session === oldest)
  }
}

/** A token in the look of the venue: milliseconds, a word, a long word. */
function newToken(): string {
  const word = randomBytes(TOKEN_BYTES).toString('base64url').slice(0, OPAQUE_START)
  return `${Date.now()}.1${word}.${randomBytes(TOKEN_BYTES).toString('base64url')}`
}

function placeOf({ key, connection }: Grant): string {
  return `${key.id} ${connection ?? ''}`
}

/**
 * True if a pair may be shown from an address: its key may be bound to some, and it may have been asked for with one
 * (`ip:ADDR`), `*` standing for any.
 */
function isFrom({ ip, key }: Grant, address: string): boolean {
  return (isAnyAddress(ip) || ip === address) && isTakenFrom(key, address)
}

/** True if a key may be used from an address. */
export function isTakenFrom({ addresses }: Pick<Key, 'addresses'>, address: string): boolean {
  return addresses.length === 0 || addresses.includes(address)
}

/** The shorter one of two lifetimes, null being the longest. */
function shorterOf(left: number | null, right: number | null): number | null {
  return left === null || right === null ? (left ?? right) : Math.min(left, right)
}

function isAnyAddress(ip: string | null): boolean {
  return ip === null || ip === '*'
}

/** The name that requests of a pair ask under: that of its key, or of the account that it was exchanged for. */
export function askerOf({ key, account }: Grant): string | null {
  return account !== null && key.account === account ? key.id : account
}

/** True if a pair allows what a scope says. */
export function grantAllows({ areas }: Grant, scope: AccessScope): boolean {
  return allows(areas, scope)
}
