/**
 * Which pages of the web may use a server: those of this machine, and those that `cors` names.
 *
 * A browser sends a page's requests to any address that the page names, also to 127.0.0.1. It tells where the page comes
 * from (`Origin`), and the name under which it found the server (`Host`), which may be a name of the page's own that was
 * pointed at this machine. Programs that are no browser send no origin.
 *
 * Rule: server.origins. A request is taken if its host and its origin, where it has one, are allowed; a request that a
 * browser marks as sent by a page of another site without telling which is refused.
 */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/** Which pages may use a server. */
export interface PageTerms {
  /** The address or name that it listens on. */
  readonly host: string
  /** True for pages of all origins; else the origins whose pages may, beside those of this machine. */
  readonly cors: boolean | readonly string[]
}

/** The name that a request calls the server by, without the port; null where that is none. */
function nameOf(url: string): string | null {
  const host = URL.canParse(url) ? new URL(url).hostname : ''
  return host === '' ? null : host.replace(/^\[|\]$/g, '')
}

/** True if an address or a name is of this machine alone. */
function isLoopback(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost') || name === '::1') return true
  return isIP(name) === 4 && name.startsWith('127.')
}

/** Why a request is refused, in words for whoever sent it; null where it is taken. */
export function pageRefusal({ headers }: IncomingMessage, terms: PageTerms): string | null {
  const { host, origin, 'sec-fetch-site': site } = headers
  if (terms.cors === true) return null
  if (host !== undefined && !isKnownHost(host, terms)) {
    return `Host ${host}: expected localhost, a loopback address, or the host of an origin from --cors`
  }
  if (origin !== undefined) {
    return isAllowedOrigin(origin, terms)
      ? null
      : `Origin ${origin}: expected a page on this machine, or an origin from --cors`
  }
  return site === 'cross-site'
    ? 'Sec-Fetch-Site cross-site: expected a request from a program, or a request with its Origin'
    : null
}

/** True if pages of an origin may use the server. */
export function isAllowedOrigin(origin: string, { cors }: PageTerms): boolean {
  if (typeof cors === 'boolean') return cors || isOfThisMachine(origin)
  return cors.includes(origin) || isOfThisMachine(origin)
}

function isOfThisMachine(origin: string): boolean {
  const name = nameOf(origin)
  return name !== null && isLoopback(name)
}

function isKnownHost(host: string, { host: own, cors }: PageTerms): boolean {
  const name = nameOf(`http://${host}`)
  if (name === null) return false
  if (isLoopback(name) || name === own) return true
  // No name can be pointed at a server that is called by its address.
  if (!isLoopback(own) && isIP(name) !== 0) return true
  return Array.isArray(cors) && cors.some((origin) => nameOf(origin) === name)
}
