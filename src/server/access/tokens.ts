/**
 * Tokens: given for a key, looked at with every request, ended with their connection, their session or their time.
 *
 * A token follows from the seed and from how many were given before it, so that a session that is driven in the same
 * way gives the same ones.
 * Source: sessions document 2.1-2.4; coverage S274, S275, S278, S279.
 */
import { createHmac } from 'node:crypto'
import type { Micros } from '../../core/index.ts'
import type { AccessScope } from '../../model/index.ts'
import { type Areas, allows, narrowed, readScope, scopeText, TOKEN_SECONDS } from './scopes.ts'

/** A key of an account. */
export interface Key {
  /** The `client_id` of clients. */
  readonly id: string
  readonly secret: string
  /** Name of the account; null for the key of the simulator's controls. */
  readonly account: string | null
  readonly isMain: boolean
  readonly areas: Areas
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
  /** Seconds that it lives. */
  readonly seconds: number
  readonly until: Micros
  readonly access: string
  readonly refresh: string
  readonly scope: string
}

/** When and from where a token is shown. */
export interface Presented {
  readonly now: Micros
  /** Number of the connection; null over HTTP. */
  readonly connection: number | null
  /** Address of the client. */
  readonly address: string
}

const SESSIONS_MAX = 16
/** Assumed: so many pairs of a key live with a connection, and so many given over HTTP; the oldest goes for a new one. */
const pairsMax = { connection: 100, http: 1000 } as const
const MICROS_PER_SECOND = 1_000_000
const MICROS_PER_MILLI = 1000
const OPAQUE_START = 7

/** The tokens of a server. */
export class Tokens {
  readonly #seed: string
  readonly #byAccess = new Map<string, Grant>()
  readonly #byRefresh = new Map<string, Grant>()
  /** Pairs outside of named sessions by the name of their key and their connection, oldest first. */
  readonly #byPlace = new Map<string, Set<Grant>>()
  #given = 0
  #sessions = 0

  constructor(seed: string) {
    this.#seed = `pitclock tokens ${seed}`
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
      readonly now: Micros
      /** Number of the connection; null over HTTP. */
      readonly connection: number | null
    },
  ): Grant {
    const asked = readScope(of.scope)
    return this.#grant({
      key,
      account: key.account,
      isMain: key.isMain,
      areas: narrowed(key.areas, asked.areas),
      session: asked.session,
      sid: null,
      connection: of.connection,
      origin: of.connection,
      expires: asked.expires,
      ip: asked.ip,
      now: of.now,
    })
  }

  /** Gives a new pair for an old one, which ends; `origin` is the connection that asks, null over HTTP. */
  refresh(old: Grant, now: Micros, origin: number | null): Grant {
    this.#end(old)
    const { key, account, isMain, areas, session, sid, connection, ip, seconds } = old
    const expires = seconds === TOKEN_SECONDS ? null : seconds
    const from = { key, account, isMain, areas, session, sid, connection, ip }
    return this.#grant({ ...from, origin, expires, now })
  }

  /** Gives a pair of another account of the same owner, which allows no more than the old one. */
  exchange(
    old: Grant,
    to: {
      readonly account: string
      readonly isMain: boolean
      readonly scope: string
      readonly now: Micros
      /** Number of the connection that asks; null over HTTP. */
      readonly origin: number | null
    },
  ): Grant {
    const asked = readScope(to.scope)
    const { account, isMain, now, origin } = to
    return this.#grant({
      key: old.key,
      account,
      isMain,
      areas: narrowed(old.areas, asked.areas),
      session: asked.session,
      sid: null,
      connection: old.connection,
      origin,
      expires: asked.expires,
      ip: asked.ip ?? old.ip,
      now,
    })
  }

  /** Gives a pair of a new named session with all that the old one allows. */
  fork(
    old: Grant,
    session: string,
    by: { readonly now: Micros; readonly origin: number | null },
  ): Grant {
    const { key, account, isMain, areas, ip } = old
    const { now, origin } = by
    const from = { key, account, isMain, areas, session, connection: null, origin, ip }
    return this.#grant({ ...from, sid: null, expires: null, now })
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
    return this.#byAccess.has(grant.access) && grant.until > now && isFrom(grant, address)
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
    if (grant.until <= now) {
      this.#end(grant)
      return undefined
    }
    // A token that lives with a connection is good for nothing on another one.
    return grant.connection === null || grant.connection === connection ? grant : undefined
  }

  #grant(of: {
    readonly key: Key
    readonly account: string | null
    readonly isMain: boolean
    readonly areas: Areas
    readonly session: string | null
    readonly sid: number | null
    readonly connection: number | null
    readonly origin: number | null
    readonly expires: number | null
    readonly ip: string | null
    readonly now: Micros
  }): Grant {
    const { key, account, isMain, areas, session, origin, expires, ip, now } = of
    const connection = session === null ? of.connection : null
    if (session !== null) this.#makeRoom(key, session)
    const seconds = Math.min(Math.max(expires ?? TOKEN_SECONDS, 1), TOKEN_SECONDS)
    const sid = session === null ? null : (of.sid ?? this.#nextSession())
    this.#given += 1
    const grant: Grant = {
      key,
      account,
      isMain,
      areas,
      connection,
      origin,
      session,
      sid,
      ip,
      seconds,
      until: (now + seconds * MICROS_PER_SECOND) as Micros,
      access: this.#token(now, ['a', 'b'], '1'),
      refresh: this.#token(now, ['r', 's'], '1'),
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

  #token(now: Micros, [short, long]: readonly [string, string], sort: string): string {
    const part = (letter: string): string =>
      createHmac('sha256', this.#seed).update(`${letter}${this.#given}`).digest('base64url')
    const millis = Math.floor(now / MICROS_PER_MILLI)
    return `${millis}.${sort}${part(short).slice(0, OPAQUE_START)}.${part(long)}`
  }
}

function placeOf({ key, connection }: Grant): string {
  return `${key.id} ${connection ?? ''}`
}

/** True if a pair may be shown from an address: it may have been asked for with one (`ip:ADDR`), `*` standing for any. */
function isFrom({ ip }: Grant, address: string): boolean {
  return ip === null || ip === '*' || ip === address
}

/** The name that requests of a pair ask under: that of its key, or of the account that it was exchanged for. */
export function askerOf({ key, account }: Grant): string | null {
  return account !== null && key.account === account ? key.id : account
}

/** True if a pair allows what a scope says. */
export function grantAllows({ areas }: Grant, scope: AccessScope): boolean {
  return allows(areas, scope)
}
