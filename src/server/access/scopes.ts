/**
 * The scope text of a token: its rights, its account and its lifetime.
 *
 * Source: sessions document 2.3; coverage R72.
 */
import { defined } from '../../core/index.ts'
import {
  type AccessArea,
  type AccessLevel,
  type AccessScope,
  accessAreas,
  accessLevels,
  accessScopes,
} from '../../model/index.ts'

/** The level of each area; omitted areas give no rights. */
export type Areas = ReadonlyMap<AccessArea, AccessLevel>

/** The scope in a request for a token. */
export interface AskedScope {
  /** Null if it names no area. */
  readonly areas: Areas | null
  readonly session: string | null
  /** Seconds; null if it names none. */
  readonly expires: number | null
  readonly ip: string | null
}

/** The longest lifetime of a token, which is also the default: clients misread shorter ones (R72). */
export const TOKEN_SECONDS = 31_536_000

/** Every area with all rights. */
export const allAreas: Areas = new Map(accessAreas.map((area) => [area, 'read_write']))

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
export function readScope(text: string): AskedScope {
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
export function narrowed(allowed: Areas, asked: Areas | null): Areas {
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
export function allows(areas: Areas, scope: AccessScope): boolean {
  const { area, rank } = defined(needed.get(scope), 'the scope is a known scope')
  return rankOf(areas.get(area)) >= rank
}

/** The scope text of a token, in the published order. */
export function scopeText(grant: {
  readonly areas: Areas
  readonly session: string | null
  readonly isMain: boolean
  readonly expires: number | null
  readonly ip: string | null
}): string {
  const { areas, session, isMain, expires, ip } = grant
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
