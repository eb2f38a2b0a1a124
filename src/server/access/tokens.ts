/**
 * Tokens: issued for a key, checked with every request, and ended with their connection, their named session or their
 * lifetime.
 *
 * A token is random, so nothing known reveals it, and a replay of a journal does not need it. Times are milliseconds of
 * the machine since the process began, so a step of virtual time ends no token.
 *
 * Rule: token.narrower. A token pair that is issued for another pair has at most the rights of that pair: its areas,
 * account, address, connection and lifetime are the same or narrower.
 * Source: sessions document 2.1-2.4; coverage S274, S275, S278, S279.
 */

import { randomBytes } from 'node:crypto'
import { defined } from '../../core/index.ts'
import {
  type AccessArea,
  type AccessLevel,
  type AccessScope,
  accessAreas,
  accessLevels,
  accessScopes,
} from '../../model/index.ts'

/** A key of an account. */
export interface Key {
  /** The `client_id` of clients. */
  readonly id: string
  readonly secret: string
  /**
   * Number of the request that last changed it. Its tokens end with the next change, unless `sim/restore` undoes the
   * change.
   */
  readonly changed: number
  /** Name of the account; null for the key of the simulator's controls. */
  readonly account: string | null
  readonly isMain: boolean
  readonly areas: Areas
  /** Addresses from which the key can be used; empty for all. */
  readonly addresses: readonly string[]
}

/** A token pair and its rights. */
export interface Grant {
  readonly key: Key
  /** Name of the account; null for the key of the simulator's controls. */
  readonly account: string | null
  readonly isMain: boolean
  readonly areas: Areas
  /**
   * Number of the connection that it ends with; null for a named session, over HTTP, and once it outlives its
   * connection.
   */
  connection: number | null
  /** Number of the connection over which it was issued; null over HTTP. */
  readonly origin: number | null
  readonly session: string | null
  readonly sid: number | null
  readonly ip: string | null
  /** Requested lifetime in seconds; null without one. */
  readonly expires: number | null
  /** Lifetime in seconds. */
  readonly seconds: number
  /** End of its lifetime, in milliseconds of the machine; exclusive. */
  readonly until: number
  readonly access: string
  readonly refresh: string
  readonly scope: string
}

/** The rights of a new token pair, and its owner. */
type Granted = Pick<Grant, 'key' | 'account' | 'isMain' | 'areas' | 'session' | 'sid' | 'connection' | 'expires' | 'ip'>

/** When and over which connection a token pair is issued, and its latest end, in milliseconds of the machine. */
interface Giving {
  readonly now: number
  readonly until: number
  /** Number of the connection; null over HTTP. */
  readonly origin: number | null
}

/** When and from where a client uses a token. */
export interface Presented {
  /** Milliseconds of the machine. */
  readonly now: number
  /** Number of the connection; null over HTTP. */
  readonly connection: number | null
  /** Address of the client. */
  readonly address: string
}

/** The level of each area; omitted areas give no rights. */
type Areas = ReadonlyMap<AccessArea, AccessLevel>

/** The scope in a request for a token. */
interface AskedScope {
  /** Null if it names no area. */
  readonly areas: Areas | null
  readonly session: string | null
  /** Seconds; null if it names none. */
  readonly expires: number | null
  readonly ip: string | null
}

/** The longest lifetime of a token, which is also the default: clients misread shorter ones (R72). */
const TOKEN_SECONDS = 31_536_000

/** Every area with all rights. */
export const allAreas: Areas = new Map(accessAreas.map((area) => [area, 'read_write']))

const SESSIONS_MAX = 16

/**
 * Assumed: the largest number of token pairs of a key per connection, and over HTTP. A new pair replaces the oldest
 * one.
 */
const pairsMax = { connection: 100, http: 1000 } as const

const MILLIS_PER_SECOND = 1000

const TOKEN_BYTES = 32

const OPAQUE_START = 7

/** The account and the scope of a token. */
interface TokenTerms {
  readonly account: string
  readonly isMain: boolean
  readonly scope: string
  readonly now: number
  /** Number of the connection of the request; null over HTTP. */
  readonly origin: number | null
}

/** The tokens of a server. */
export class Tokens {
  readonly #byAccess = new Map<string, Grant>()
  readonly #byRefresh = new Map<string, Grant>()
  /** Token pairs outside of named sessions, by key and connection, oldest first. */
  readonly #byPlace = new Map<string, Set<Grant>>()
  readonly #isCurrent: (key: Key) => boolean
  #sessions = 0

  /** `isCurrent` returns true if a key is enabled and unchanged; otherwise its token pairs end. */
  constructor(isCurrent: (key: Key) => boolean) {
    this.#isCurrent = isCurrent
  }

  /** Number of token pairs, including ended ones that were not used since their end. */
  get size(): number {
    return this.#byAccess.size
  }

  /** Issues a token pair for a key, with the requested rights limited to those of the key. */
  give(
    key: Key,
    scope: string,
    now: number,
    /** Number of the connection; null over HTTP. */
    connection: number | null,
  ): Grant {
    const asked = readScope(scope)
    return this.#grant(
      {
        key,
        account: key.account,
        isMain: key.isMain,
        areas: narrowed(key.areas, asked.areas),
        session: asked.session,
        sid: null,
        connection,
        expires: asked.expires,
        ip: asked.ip,
      },
      { now, until: Number.POSITIVE_INFINITY, origin: connection },
    )
  }

  /** Issues a new token pair for an old one, which ends. `origin` is the connection of the request, null over HTTP. */
  refresh(old: Grant, now: number, origin: number | null): Grant {
    this.#end(old)
    return this.#grant(old, { now, until: Number.POSITIVE_INFINITY, origin })
  }

  /** Issues a token pair for another account of the same owner; null if the old pair has no access to that account. */
  exchange(old: Grant, to: TokenTerms): Grant | null {
    // A main account has access to its subaccounts, a subaccount only to itself.
    if (!old.isMain && old.account !== to.account) return null
    const asked = readScope(to.scope)
    // A named session would outlive the connection of its source.
    const session = old.connection === null ? (asked.session ?? old.session) : null
    return this.#grant(
      {
        key: old.key,
        account: to.account,
        isMain: old.isMain && to.isMain,
        areas: narrowed(old.areas, asked.areas),
        session,
        sid: session === old.session ? old.sid : null,
        connection: old.connection,
        expires: shorterOf(asked.expires, old.expires),
        ip: isAnyAddress(old.ip) ? (asked.ip ?? old.ip) : old.ip,
      },
      { now: to.now, until: old.until, origin: to.origin },
    )
  }

  /** Issues a token pair of a new named session with the rights and the remaining lifetime of the old pair. */
  fork(old: Grant, session: string, by: Pick<Giving, 'now' | 'origin'>): Grant {
    return this.#grant({ ...old, session, sid: null, connection: null }, { ...by, until: old.until })
  }

  /** The token pair of an access token, if a client can use it at this time over this connection (null over HTTP). */
  find(access: string, at: Presented): Grant | undefined {
    return this.#alive(this.#byAccess.get(access), at)
  }

  /** The token pair of a refresh token, with the same conditions. */
  findRefresh(refresh: string, at: Presented): Grant | undefined {
    return this.#alive(this.#byRefresh.get(refresh), at)
  }

  /** True if the token pair that a connection remembers is still valid. */
  isAlive(grant: Grant, { now, address }: Pick<Presented, 'now' | 'address'>): boolean {
    if (!this.#byAccess.has(grant.access) || !isFrom(grant, address)) return false
    return now < grant.until && this.#isCurrent(grant.key)
  }

  /** Ends the token pairs that are bound to a connection. */
  endConnection(connection: number): void {
    this.#endWhere((grant) => grant.connection === connection)
  }

  /**
   * Ends every token pair that was issued over a connection, the pair that it uses, and that pair's named session
   * (S275).
   */
  endSession(connection: number, { access, key, session }: Grant): void {
    this.#endWhere((grant) => {
      const isNamed = session !== null && grant.session === session && grant.key.id === key.id
      return grant.origin === connection || grant.access === access || isNamed
    })
  }

  /**
   * Releases the token pairs that are bound to a connection, so that the client can use them over its next one (S275).
   */
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
    if (grant === undefined || !isFrom(grant, at.address)) return undefined
    if (grant.until <= at.now || !this.#isCurrent(grant.key)) {
      this.#end(grant)
      return undefined
    }
    // A token that is bound to a connection cannot be used over another one.
    return grant.connection === null || grant.connection === at.connection ? grant : undefined
  }

  #grant(of: Granted, { now, until: most, origin }: Giving): Grant {
    const { key, account, isMain, areas, session, ip } = of
    const connection = session === null ? of.connection : null
    if (session !== null) this.#makeRoom(key, session)
    const asked = Math.min(Math.max(of.expires ?? TOKEN_SECONDS, 1), TOKEN_SECONDS)
    const until = Math.min(now + asked * MILLIS_PER_SECOND, most)
    // The machine's milliseconds have a fraction, so that the difference may exceed the asked time by a rounding error.
    const seconds = Math.min(asked, Math.ceil((until - now) / MILLIS_PER_SECOND))
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
      scope: scopeText(areas, session, isMain, expires, ip),
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

  /** Ends the oldest named session of a key that has the maximum number of them, to make room for a new one. */
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

/** A token in the format of the venue: milliseconds, a word, a long word. */
function newToken(): string {
  const word = randomBytes(TOKEN_BYTES).toString('base64url').slice(0, OPAQUE_START)
  return `${Date.now()}.1${word}.${randomBytes(TOKEN_BYTES).toString('base64url')}`
}

function placeOf(grant: Grant): string {
  return `${grant.key.id} ${grant.connection ?? ''}`
}

/**
 * True if a token pair can be used from an address. Its key can be limited to some addresses, and its request to one
 * (`ip:ADDR`); `*` means any address.
 */
function isFrom({ ip, key }: Grant, address: string): boolean {
  return (isAnyAddress(ip) || ip === address) && isTakenFrom(key, address)
}

/** True if a key may be used from an address. */
export function isTakenFrom({ addresses }: Pick<Key, 'addresses'>, address: string): boolean {
  return addresses.length === 0 || addresses.includes(address)
}

/** The shorter of two lifetimes; null is the longest. */
function shorterOf(left: number | null, right: number | null): number | null {
  return left === null || right === null ? (left ?? right) : Math.min(left, right)
}

function isAnyAddress(ip: string | null): boolean {
  return ip === null || ip === '*'
}

/** The account name of requests with a token pair: the name of its key, or the account that it was exchanged for. */
export function askerOf({ key, account }: Grant): string | null {
  return account !== null && key.account === account ? key.id : account
}

/** True if a token pair includes a scope. */
export function grantAllows(grant: Grant, scope: AccessScope): boolean {
  return allows(grant.areas, scope)
}

/**
 * The scope text of a token: its rights, its account and its lifetime.
 *
 * Source: sessions document 2.3; coverage R72.
 */

/** The areas of a key with these rights, each with its highest level. */
export function areasOf(scopes: readonly AccessScope[]): Areas {
  const areas = new Map<AccessArea, AccessLevel>()
  const asked = new Set<string>(scopes)
  for (const area of accessAreas) {
    // Levels are listed from the lowest to the highest.
    const level = accessLevels.findLast((each) => asked.has(`${area}:${each}`))
    if (level !== undefined) areas.set(area, level)
  }
  return areas
}

/** Reads the requested scope. Unknown words are ignored, as by the venue. */
function readScope(text: string): AskedScope {
  const areas = new Map<AccessArea, AccessLevel>()
  let session: string | null = null
  let expires: number | null = null
  let ip: string | null = null
  for (const word of text.split(/\s+/)) {
    const [name = '', ...rest] = word.split(':')
    const value = rest.join(':')
    const area = accessAreas.find((each) => each === name)
    const level = accessLevels.find((each) => each === value)
    if (area !== undefined && level !== undefined) areas.set(area, level)
    else if (name === 'session' && value !== '') session = value
    else if (name === 'expires' && /^\d{1,9}$/.test(value)) expires = Number(value)
    else if (name === 'ip' && value !== '') ip = value
  }
  return { areas: areas.size === 0 ? null : areas, session, expires, ip }
}

/** The requested areas, limited to the allowed levels; all allowed areas if the request names none. */
function narrowed(allowed: Areas, asked: Areas | null): Areas {
  if (asked === null) return allowed
  const granted = new Map<AccessArea, AccessLevel>()
  for (const [area, level] of asked) {
    const most = rankOf(allowed.get(area))
    const least = Math.min(rankOf(level), most)
    const found = accessLevels[least]
    if (least > 0 && found !== undefined) granted.set(area, found)
  }
  return granted
}

interface Needed {
  readonly area: AccessArea
  readonly rank: number
}

/** The required area and rank of each scope, computed once because every request needs them. */
const needed: ReadonlyMap<AccessScope, Needed> = new Map(
  accessScopes.map((scope) => {
    // A scope consists of an area and a level.
    const [area, level] = scope.split(':') as [AccessArea, AccessLevel]
    return [scope, { area, rank: rankOf(level) }]
  }),
)

/** True if areas include a scope. */
function allows(areas: Areas, scope: AccessScope): boolean {
  const { area, rank } = defined(needed.get(scope), 'the scope is a known scope')
  return rankOf(areas.get(area)) >= rank
}

/** The scope text of a token, in the published order. */
function scopeText(
  areas: Areas,
  session: string | null,
  isMain: boolean,
  expires: number | null,
  ip: string | null,
): string {
  const words = accessAreas.flatMap((area) => {
    const level = areas.get(area)
    return level === undefined || level === 'none' ? [] : [`${area}:${level}`]
  })
  words.push(session === null ? 'connection' : `session:${session}`)
  if (isMain) words.push('mainaccount')
  if (expires !== null) words.push(`expires:${expires}`)
  if (ip !== null) words.push(`ip:${ip}`)
  return words.join(' ')
}

function rankOf(level: AccessLevel | undefined): number {
  return level === undefined ? 0 : accessLevels.indexOf(level)
}
