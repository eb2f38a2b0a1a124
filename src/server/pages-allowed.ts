/**
 * The web pages that may use a server: those of this machine, and those of the origins in `cors`.
 *
 * A browser sends the requests of a page to any address that the page names, also to 127.0.0.1. It sends the origin of
 * the page (`Origin`) and the host name that the page used (`Host`), which can be a name that the page's owner has
 * pointed at this machine. Programs other than browsers send no origin.
 *
 * Rule: server.origins. A request is accepted if its host is allowed, and its origin if it has one. A request without
 * an origin that a browser marks as cross-site is refused.
 */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/** The web pages that may use a server. */
export interface PageTerms {
  /** The address or name that the server listens on. */
  readonly host: string
  /** True for pages of all origins; otherwise the allowed origins in addition to this machine. */
  readonly cors: boolean | readonly string[]
}

/** The host name of a URL, without its port; null without a valid one. */
function nameOf(url: string): string | null {
  const host = URL.canParse(url) ? new URL(url).hostname : ''
  return host === '' ? null : host.replace(/^\[|\]$/g, '')
}

/** True if an address or a name always means this machine. */
function isLoopback(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost') || name === '::1') return true
  return isIP(name) === 4 && name.startsWith('127.')
}

/** The reason to refuse a request, as text for its sender; null if it is accepted. */
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
  // No name can be pointed at a server whose clients use its address.
  if (!isLoopback(own) && isIP(name) !== 0) return true
  return Array.isArray(cors) && cors.some((origin) => nameOf(origin) === name)
}
