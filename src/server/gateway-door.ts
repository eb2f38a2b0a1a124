/**
 * The door of the second REST gateway: `GET /gateways/ETH_A/api/v2/private/get_open_orders` and its like, for each
 * gateway of the alternative engine. Who asks shows a token as `Bearer`, and no other way.
 *
 * A portfolio has a session of its own on each gateway, opened by its first request, so that limits of gateways A and
 * B count apart. The session is that of the run: the journal has its opening as it has the requests.
 *
 * Assumed: an address has no id, so that the envelope tells null.
 * Source: sessions document 1.5, 8.15; coverage R59; S008, S281, S293, S314.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { viewSession } from '../engine/index.ts'
import { type GatewayId, gatewayIds } from '../model/index.ts'
import { findGatewayMethod, statusOf, type VenueError, type VenueReply } from '../rpc/index.ts'
import type { Gate } from './gate.ts'
import { API_PATH, type DoorParts, newClient, send } from './http-door.ts'
import type { LiveMarket } from './live-market.ts'
import { readQuery } from './query-params.ts'
import type { Watch } from './watch.ts'

/** The address under which each gateway has its own. */
export const GATEWAYS_PATH = '/gateways'

/** Answers the requests of gateways over HTTP. */
export class GatewayDoor {
  readonly #market: LiveMarket
  readonly #gate: Gate
  readonly #watch: Watch
  /** Sessions by gateway and account. */
  readonly #sessions = new Map<string, number>()

  constructor({ market, gate, watch }: DoorParts) {
    this.#market = market
    this.#gate = gate
    this.#watch = watch
  }

  /** Answers one request whose address begins with that of gateways. */
  answer(request: IncomingMessage, response: ServerResponse): void {
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
    if (!this.#market.isOpen) {
      const { closedError } = this.#market
      this.#watch.failed(client, method, closedError)
      send(response, statusOf(closedError), errorText(closedError))
      return
    }
    const { authorization } = request.headers
    if (authorization !== undefined && /^bearer /i.test(authorization)) {
      const uri = request.url ?? '/'
      this.#gate.show(client, { authorization, verb: 'GET', uri, whole: uri, body: '' })
    }
    const params = readQuery(findGatewayMethod(method), url.searchParams)
    this.#gate.askGateway(client, {
      asked: { method, params },
      sessionOf: (account) => this.#sessionOf(gateway, account),
      onReply: (reply) => tell(response, reply),
    })
  }

  /** The session of an account on a gateway; that of nobody for null. */
  #sessionOf(gateway: GatewayId, account: string | null): number {
    const key = `${gateway} ${account ?? ''}`
    const known = this.#sessions.get(key)
    // A market that was put back may have been before its opening.
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

/** The gateway and the method that an address names. */
function targetOf(path: string): readonly [gateway?: GatewayId, method?: string] {
  const [name, ...rest] = path.slice(GATEWAYS_PATH.length + 1).split('/')
  const gateway = gatewayIds.find((id) => id === name)
  const under = `/${rest.join('/')}`
  if (gateway === undefined || !under.startsWith(`${API_PATH}/`)) return []
  return [gateway, under.slice(API_PATH.length + 1)]
}

function tell(response: ServerResponse, reply: VenueReply): void {
  if (reply.ok)
    send(response, 200, JSON.stringify({ jsonrpc: '2.0', result: reply.result, id: null }))
  else send(response, statusOf(reply.error), errorText(reply.error))
}

/** The envelope of an error: without the times and marks of JSON-RPC (S293). */
function errorText(error: VenueError): string {
  return JSON.stringify({ jsonrpc: '2.0', error, id: null })
}
