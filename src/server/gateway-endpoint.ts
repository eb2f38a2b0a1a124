/**
 * The endpoint of the second REST gateway: `GET /gateways/ETH_A/api/v2/private/get_open_orders` and similar requests,
 * for each gateway of the alternative engine. Clients can authenticate only with a `Bearer` token.
 *
 * A portfolio has a separate session on each gateway, which its first request opens, so limits of gateways A and B are
 * counted separately. The session belongs to the run: the journal contains its opening as well as the requests.
 *
 * The envelope repeats the id of the body or the query, or has null without one.
 * Source: sessions document 1.5, 8.15; coverage R59; S008, S281, S293, S314.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { viewSession } from '../engine/index.ts'
import { type GatewayId, gatewayIds } from '../model/index.ts'
import { findGatewayMethod, statusOf, type VenueError, type VenueReply } from '../rpc/index.ts'
import type { Authorizer } from './authorizer.ts'
import { type EnvelopeId, type Frame, readFrame, readQuery, tooLarge } from './envelope.ts'
import { API_PATH, bodyOf, type EndpointParts, newClient, send } from './http-endpoint.ts'
import type { LiveMarket } from './live-market.ts'
import type { ServerMonitor } from './monitor.ts'

/** The path of all gateways; the name of a gateway follows. */
export const GATEWAYS_PATH = '/gateways'

/** Answers the requests of gateways over HTTP. */
export class GatewayEndpoint {
  readonly #market: LiveMarket
  readonly #authorizer: Authorizer
  readonly #monitor: ServerMonitor
  /** Session numbers by gateway and account. */
  readonly #sessions = new Map<string, number>()

  constructor({ market, authorizer, monitor }: EndpointParts) {
    this.#market = market
    this.#authorizer = authorizer
    this.#monitor = monitor
  }

  /** Answers one request whose path begins with that of the gateways. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const [gateway, method] = targetOf(url.pathname)
    if (gateway === undefined || method === undefined) {
      const expected = `expected ${GATEWAYS_PATH}/GATEWAY${API_PATH}/METHOD of ${gatewayIds.join(', ')}`
      send(response, 404, JSON.stringify({ error: expected }))
      return
    }
    if (request.method !== 'GET') {
      response.writeHead(405, { allow: 'GET' }).end()
      return
    }
    const client = newClient('gateway', response)
    const body = await bodyOf(request)
    const frame = frameOf(body, method, url.searchParams, this.#authorizer.isStrict)
    if (!frame.ok) {
      this.#monitor.failed(client, method, frame.error)
      send(response, statusOf(frame.error), errorText(frame.error, frame.id))
      return
    }
    if (!this.#market.isOpen) {
      const { closedError } = this.#market
      this.#monitor.failed(client, method, closedError)
      send(response, statusOf(closedError), errorText(closedError, frame.id))
      return
    }
    const { authorization } = request.headers
    if (authorization !== undefined && /^bearer /i.test(authorization)) {
      const uri = request.url ?? '/'
      this.#authorizer.show(client, { authorization, verb: 'GET', uri, whole: uri, body: '' })
    }
    this.#authorizer.askGateway(
      client,
      frame.asked,
      (account) => this.#sessionOf(gateway, account),
      (reply) => sendReply(response, reply, frame.id),
    )
  }

  /**
   * The session of an account on a gateway. A null `account` stands for requests without an account, which share one
   * session.
   */
  #sessionOf(gateway: GatewayId, account: string | null): number {
    const key = `${gateway} ${account ?? ''}`
    const known = this.#sessions.get(key)
    // A restore can go back to a time before the session was opened.
    if (known !== undefined && viewSession(this.#market.desk.exchange, known) !== undefined) {
      return known
    }
    const session = this.#market.nextSession()
    const params = { session, type: 'rest_gateway', gateway }
    this.#market.ask({
      method: 'sim/connect',
      params: account === null ? params : { ...params, account },
      account: null,
      session: 0,
    })
    this.#sessions.set(key, session)
    return session
  }
}

/** The gateway and the method in a path. */
function targetOf(path: string): readonly [gateway?: GatewayId, method?: string] {
  const [name, ...rest] = path.slice(GATEWAYS_PATH.length + 1).split('/')
  const gateway = gatewayIds.find((id) => id === name)
  const under = `/${rest.join('/')}`
  if (gateway === undefined || !under.startsWith(`${API_PATH}/`)) return []
  return [gateway, under.slice(API_PATH.length + 1)]
}

/** The request in a URL or in its body; null stands for a body that is too long. */
function frameOf(body: string | null, method: string, query: URLSearchParams, isStrict: boolean): Frame {
  if (body === null) return { ok: false, id: null, error: tooLarge }
  if (body !== '') return readFrame(body, isStrict, method)
  return readQuery(method, findGatewayMethod(method), query)
}

function sendReply(response: ServerResponse, reply: VenueReply, id: EnvelopeId): void {
  if (reply.ok) {
    send(response, 200, JSON.stringify({ jsonrpc: '2.0', result: reply.result, id }))
  } else send(response, statusOf(reply.error), errorText(reply.error, id))
}

/**
 * The envelope of an error: without the times and marks of JSON-RPC, and always with `data` (S293). Assumed: an error
 * without data has its message as the reason.
 */
function errorText({ code, message, data }: VenueError, id: EnvelopeId): string {
  const reason = message.toLowerCase().replaceAll(' ', '_')
  return JSON.stringify({ jsonrpc: '2.0', error: { code, message, data: data ?? { reason } }, id })
}
