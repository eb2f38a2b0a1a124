/**
 * The port of a server: the routing of paths, and the limit of connections per address.
 *
 * Source: sessions document 1.3, 1.4; coverage S004-S006, S321.
 */

import {
  createServer as createHttpServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { isIP, type Socket } from 'node:net'
import { formatInputError, formatIsoTime, type Result } from '../core/index.ts'
import { type InterfaceDocument, type RunFault, readInterfaceDocument, schemasOf } from '../host/index.ts'
import { VENUE_VERSION } from '../rpc/index.ts'
import { remoteAddressOf } from './client.ts'
import type { ClockMode } from './clock.ts'
import { PAYLOAD_BYTES } from './envelope.ts'
import type { Forks } from './forks.ts'
import { GATEWAYS_PATH } from './gateway-endpoint.ts'
import { API_PATH, send } from './http-endpoint.ts'
import type { MarketEndpoints } from './market-endpoints.ts'
import type { Metrics } from './metrics.ts'
import type { ServerMonitor } from './monitor.ts'
import { CLOSE_WAIT } from './web-socket-endpoint.ts'
import { WebSocketServer } from './ws.ts'

/** The server whose document is shown. */
interface InterfaceTerms {
  readonly sim: boolean
  /** The path prefix of its addresses; omitted for the root. */
  readonly place?: string
  readonly options: { readonly tls?: object }
}

/** The web pages that may use a server. */
interface PageTerms {
  /** The address or name that the server listens on. */
  readonly host: string
  /** True for pages of all origins; otherwise the allowed origins in addition to this machine. */
  readonly cors: boolean | readonly string[]
}

/** The document of a server. */
class InterfacePage {
  readonly #sim: boolean
  readonly #scheme: string
  readonly #place: string
  #document: ReturnType<typeof readInterfaceDocument> | undefined

  constructor({ sim, place = '', options }: InterfaceTerms) {
    this.#sim = sim
    this.#place = place
    this.#scheme = options.tls === undefined ? 'http' : 'https'
  }

  /** Answers with the document, or with 503 if the package was not built. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#document ??= readInterfaceDocument()
    const read = await this.#document
    if (!read.ok) {
      send(response, 503, JSON.stringify({ error: formatInputError(read.error) }))
      return
    }
    const { localAddress, localPort } = request.socket
    const host = request.headers.host ?? `${localAddress}:${localPort}`
    const origin = `${this.#scheme}://${host}${this.#place}`
    const served = await servedDocument(read.value, origin, this.#sim)
    send(response, 200, JSON.stringify(served))
  }
}

/** The path of WebSockets. */
export const SOCKET_PATH = '/ws/api/v2'

/** Largest number of connections of one address at a time (sessions document 1.3). */
const CONNECTIONS_MAX = 32

/** A request that is not complete after this time is answered with 408 and its connection closed. */
const SLOW_MILLIS = 15_000

/** The number of checks for slow requests during that time. */
const LOOKS = 15

/** The objects that a port routes to. */
interface ListenerParts extends MarketEndpoints {
  readonly options: {
    readonly port?: number
    readonly host?: string
    readonly tls?: { readonly key: string; readonly cert: string }
    readonly cors?: boolean | readonly string[]
    readonly strict?: boolean
  }
  readonly mode: ClockMode
  /** True if the simulator's controls are served. */
  readonly sim: boolean
  readonly forks: Forks
  /** The path prefix of a fork; omitted for the market of the server. */
  readonly place?: string
}

/** An open port. */
export interface Listener {
  readonly http: HttpServer
  /** Closes the port and its connections; those with a pending reply close once it was sent. */
  close(): void
}

/** Opens the requested port. */
export async function listen(parts: ListenerParts): Promise<Result<Listener, RunFault>> {
  const pages = new Pages(parts)
  const forked = new Map<MarketEndpoints, Pages>()
  const pagesOf = (endpoints: MarketEndpoints, place: string): Pages => {
    const known = forked.get(endpoints)
    if (known !== undefined) return known
    for (const [each, ended] of forked) {
      if (each.market.isOpen) continue
      ended.close()
      forked.delete(each)
    }
    const found = new Pages({ ...parts, ...endpoints, place })
    forked.set(endpoints, found)
    return found
  }
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    if (pages.limit?.isTurnedAway(request.socket) === true) return
    const refusal = pageRefusal(request, { host, cors })
    if (refusal !== null) {
      parts.monitor.pageRefused()
      send(response, 403, JSON.stringify({ error: refusal }))
      return
    }
    allowPage(request, response, { host, cors })
    const isOfFork = parts.forks.route(
      request,
      (endpoints, place) => pagesOf(endpoints, place).answer(request, response),
      () => send(response, 503, JSON.stringify({ error: 'expected an open fork' })),
    )
    if (!isOfFork) pages.answer(request, response)
  }
  const { port = 0, host = '127.0.0.1', cors = false } = parts.options
  const http = openHttp(answer, parts.options.tls)
  const limit = limitConnections(http, parts.monitor)
  pages.limit = limit
  const upgrades = new WebSocketServer({ noServer: true, maxPayload: PAYLOAD_BYTES })
  http.on('upgrade', (request, socket, head) => {
    // A client that disconnects during the answer is no fault.
    socket.on('error', () => socket.destroy())
    if (limit.isTurnedAway(request.socket)) return
    const refuse = (status = '404 Not Found', words = ''): void => {
      const length = Buffer.byteLength(words)
      const head = `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: ${length}`
      socket.end(`${head}\r\n\r\n${words}`, () => socket.destroy())
    }
    const refusal = pageRefusal(request, { host, cors })
    if (refusal !== null) {
      parts.monitor.pageRefused()
      refuse('403 Forbidden', JSON.stringify({ error: refusal }))
      return
    }
    const open = ({ market, sockets }: MarketEndpoints): void => {
      const path = (request.url ?? '').split('?')[0] ?? ''
      const named = parts.options.strict === true ? path : path.replace(/\/$/, '')
      if (named !== SOCKET_PATH || !market.isOpen) {
        refuse()
        return
      }
      upgrades.handleUpgrade(request, socket, head, (opened) => {
        sockets.open(opened, socket, remoteAddressOf(request.socket.remoteAddress))
      })
    }
    if (!parts.forks.route(request, open, () => refuse())) open(parts)
  })
  const close = (): void => {
    http.close()
    http.closeIdleConnections()
    setTimeout(() => limit.closeAll(), CLOSE_WAIT).unref()
    for (const each of [pages, ...forked.values()]) each.close()
  }
  return await new Promise((resolve) => {
    http.once('error', (error) => {
      const words = { expected: 'a port to listen on', found: error.message }
      const fault = { code: 'OPTION' as const, file: `${host}:${port}`, ...words }
      const lines = [formatInputError(fault)]
      resolve({ ok: false, error: { kind: 'io', lines, errors: [fault] } })
    })
    http.listen(port, host, () => resolve({ ok: true, value: { http, close } }))
  })
}

/**
 * A server for HTTP, or for HTTPS with a key. A handshake or a request that is not complete after `slowMillis` ends its
 * connection.
 */
export function openHttp(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  tls: ListenerParts['options']['tls'],
  slowMillis = SLOW_MILLIS,
): HttpServer {
  const times = {
    headersTimeout: slowMillis,
    requestTimeout: slowMillis,
    connectionsCheckingInterval: slowMillis / LOOKS,
  }
  return tls === undefined
    ? createHttpServer(times, answer)
    : createHttpsServer({ ...times, handshakeTimeout: slowMillis, ...tls }, answer)
}

/** Answers over HTTP: the interface and additional pages. */
class Pages {
  readonly #parts: ListenerParts
  readonly #interface: InterfacePage
  /** The open connections. */
  limit: ConnectionLimit | undefined
  #metrics: Promise<Metrics> | undefined
  #isClosed = false

  constructor(parts: ListenerParts) {
    this.#parts = parts
    this.#interface = new InterfacePage(parts)
  }

  /** Answers one request. */
  answer(request: IncomingMessage, response: ServerResponse): void {
    const { options, http, gateways, market, monitor } = this.#parts
    const path = (request.url ?? '/').split('?')[0] ?? '/'
    const fail = (error: unknown): void => {
      // A client that disconnects during its request is no fault.
      if (request.complete) monitor.fault(error)
      response.destroy()
    }
    if (isPreflight(request, options.cors)) response.writeHead(204).end()
    else if (path === API_PATH || path.startsWith(`${API_PATH}/`)) {
      http.answer(request, response).catch(fail)
    } else if (path.startsWith(`${GATEWAYS_PATH}/`)) {
      gateways.answer(request, response).catch(fail)
    } else if (path === '/healthz') send(response, 200, healthText(this.#parts))
    else if (path === '/openrpc.json') this.#interface.answer(request, response).catch(fail)
    else if (path === '/metrics' && market.isOpen) this.#sendMetrics(response).catch(fail)
    else send(response, 404, JSON.stringify({ error: `expected ${API_PATH} or ${SOCKET_PATH}` }))
  }

  /** Stops the measurements. */
  close(): void {
    this.#isClosed = true
    // If the metrics could not be loaded, nothing has to be closed.
    this.#metrics?.then((metrics) => metrics.close()).catch(() => undefined)
  }

  async #sendMetrics(response: ServerResponse): Promise<void> {
    this.#metrics ??= this.#openMetrics()
    const metrics = await this.#metrics
    const text = await metrics.text()
    if (this.#isClosed) return
    response.writeHead(200, { 'content-type': metrics.contentType }).end(text)
  }

  /** Loads the packages that metrics need. */
  async #openMetrics(): Promise<Metrics> {
    const { openMetrics } = await import('./metrics.ts')
    const { market, monitor, sockets } = this.#parts
    return await openMetrics({
      market,
      monitor,
      connections: () => {
        const websocket = sockets.size
        return { http: Math.max(0, (this.limit?.count() ?? 0) - websocket), websocket }
      },
      queuedBytes: () => sockets.queuedBytes,
    })
  }
}

/** The connections of a port. */
interface ConnectionLimit {
  /** Number of open connections. */
  count(): number
  /** True for a connection that was answered with 429; its requests are ignored. */
  isTurnedAway(socket: Socket): boolean
  /** Closes all connections, also those before the end of their handshake, which HTTP does not know. */
  closeAll(): void
}

/** Answers the 33rd connection of an address with 429 and closes it. */
function limitConnections(http: HttpServer, monitor: ServerMonitor): ConnectionLimit {
  const open = new Map<string, number>()
  const sockets = new Set<Socket>()
  const turnedAway = new WeakSet<Socket>()
  http.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    const count = (open.get(address) ?? 0) + 1
    open.set(address, count)
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      const left = (open.get(address) ?? 1) - 1
      if (left === 0) open.delete(address)
      else open.set(address, left)
    })
    if (count > CONNECTIONS_MAX) {
      monitor.turnedAway()
      turnedAway.add(socket)
      socket.end('HTTP/1.1 429 Too Many Requests\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
      // A client that does not close its end would use up a connection forever.
      const held = setTimeout(() => socket.destroy(), SLOW_MILLIS)
      socket.once('close', () => clearTimeout(held))
    }
  })
  return {
    count: () => sockets.size,
    isTurnedAway: (socket) => turnedAway.has(socket),
    closeAll: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Allows the browser to show the answer to an accepted page. */
function allowPage({ headers: { origin } }: IncomingMessage, response: ServerResponse, terms: PageTerms): void {
  response.setHeader('vary', 'origin')
  if (terms.cors === true) response.setHeader('access-control-allow-origin', '*')
  else if (origin !== undefined && isAllowedOrigin(origin, terms)) {
    response.setHeader('access-control-allow-origin', origin)
  } else return
  response.setHeader('access-control-allow-headers', 'authorization, content-type')
}

/** True if a browser asks whether a page may send a request. Requests of forbidden pages were refused before. */
function isPreflight({ method, headers }: IncomingMessage, cors: ListenerParts['options']['cors']): boolean {
  return method === 'OPTIONS' && (headers.origin !== undefined || cors === true)
}

function healthText({ market, mode, sockets }: ListenerParts): string {
  return JSON.stringify({
    status: market.isOpen ? 'open' : 'closed',
    version: VENUE_VERSION,
    clock: mode.kind,
    time: formatIsoTime(market.now),
    connections: sockets.size,
  })
}

/**
 * The page `/openrpc.json`: the OpenRPC document of the methods that this server serves, with its addresses.
 */

/** The document without methods that are not served, and without schemas that only these methods need. */
async function servedDocument(document: InterfaceDocument, origin: string, sim: boolean): Promise<InterfaceDocument> {
  const methods = document.methods.filter(({ name }) => sim || !name.startsWith('sim/'))
  const gateways = document['x-pitclock-gateways']
  const { errors } = document.components
  const schemas = await schemasOf([...methods, ...gateways.methods], document)
  return {
    ...document,
    servers: [{ name: 'this server', url: `${origin}${API_PATH}` }],
    methods,
    components: { schemas, errors },
    'x-pitclock-gateways': {
      ...gateways,
      url: `${origin}${GATEWAYS_PATH}/{gateway}${API_PATH}`,
    },
  }
}

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
function pageRefusal({ headers }: IncomingMessage, terms: PageTerms): string | null {
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
function isAllowedOrigin(origin: string, { cors }: PageTerms): boolean {
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
  // A host that is an IP address cannot be a name that the owner of a page has pointed at this server.
  if (!isLoopback(own) && isIP(name) !== 0) return true
  return Array.isArray(cors) && cors.some((origin) => nameOf(origin) === name)
}
