/**
 * The HTTP endpoint: `GET` and `POST` of a method's URL, or of a request in a body.
 *
 * Source: sessions document 1.3; coverage R14, R30, S004, S005, S273, S280.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { findMethod } from '../gateways/index.ts'
import { statusOf, type VenueError, type VenueReply } from '../rpc/index.ts'
import type { Authorizer } from './authorizer.ts'
import { type Client, remoteAddressOf } from './client.ts'
import {
  type EnvelopeId,
  errorText,
  FRAME_BYTES,
  type Frame,
  flatErrorText,
  PAYLOAD_BYTES,
  readFrame,
  readQuery,
  replyText,
  tooLarge,
} from './envelope.ts'
import type { LiveMarket } from './live-market.ts'
import type { Door, ServerMonitor } from './monitor.ts'

/** The path of the interface. */
export const API_PATH = '/api/v2'

/** The whole URLs of requests to forks, which signatures cover too. */
export const wholeUrls = new WeakMap<IncomingMessage, string>()

/** The objects that an endpoint uses. */
export interface EndpointParts {
  readonly market: LiveMarket
  readonly authorizer: Authorizer
  readonly monitor: ServerMonitor
}

/** Answers the requests of the interface over HTTP. */
export class HttpEndpoint {
  readonly #market: LiveMarket
  readonly #authorizer: Authorizer
  readonly #monitor: ServerMonitor

  constructor({ market, authorizer, monitor }: EndpointParts) {
    this.#market = market
    this.#authorizer = authorizer
    this.#monitor = monitor
  }

  /** Answers one request whose path begins with that of the interface. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const verb = request.method ?? 'GET'
    if (verb !== 'GET' && verb !== 'POST') {
      response.writeHead(405, { allow: 'GET, POST' }).end()
      return
    }
    const body = await bodyOf(request)
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (body === null) {
      this.#refuse(response, tooLarge, null, 400)
      return
    }
    const { isStrict } = this.#authorizer
    const path = url.pathname.slice(API_PATH.length + 1)
    const named = isStrict ? path : path.replace(/\/$/, '')
    const isQuery = body === '' && named !== ''
    const frame: Frame = isQuery
      ? readQuery(named, findMethod(named), url.searchParams)
      : readFrame(body, isStrict, named === '' ? null : named)
    if (!frame.ok) {
      this.#refuse(response, frame.error, frame.id, 400)
      return
    }
    if (!this.#market.isOpen) {
      const { closedError: error } = this.#market
      this.#refuse(response, error, frame.id, statusOf(error))
      return
    }
    const client = newClient('http', response)
    const { authorization } = request.headers
    if (authorization !== undefined) {
      const uri = request.url ?? '/'
      const whole = wholeUrls.get(request) ?? uri
      this.#authorizer.show(client, { authorization, verb, uri, whole, body })
    }
    const id = isQuery ? (frame.id ?? undefined) : frame.id
    const { method } = frame.asked
    this.#authorizer.ask(client, frame.asked, (reply) => {
      send(response, statusOfReply(method, reply), textOf(method, reply, id))
    })
  }

  /** Answers a request that never reaches the market. */
  #refuse(response: ServerResponse, error: VenueError, id: EnvelopeId, status: number): void {
    this.#monitor.failed({ door: 'http', session: 0 }, null, error)
    send(response, status, errorText(error, id, this.#market.now))
  }
}

/** Sends an answer with JSON over HTTP. */
export function send(response: ServerResponse, status: number, text: string): void {
  if (response.writableEnded) return
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}

function statusOfReply(method: string, reply: VenueReply): number {
  if (reply.ok) return 200
  // An unknown method is an unknown URL, which stays 400 (R14).
  return findMethod(method) === undefined ? 400 : statusOf(reply.error)
}

function textOf(method: string, reply: VenueReply, id: EnvelopeId | undefined): string {
  const isFlat = method === 'private/get_subaccounts' && !reply.ok && reply.error.code === 13009
  return isFlat ? flatErrorText(reply.error, id) : replyText(reply, id)
}

/** A client for one request. */
export function newClient(door: Door, response: ServerResponse): Client {
  return {
    door,
    session: 0,
    address: remoteAddressOf(response.req.socket.remoteAddress),
    grant: null,
    control: null,
    heartbeat: null,
    silence: null,
    isOpened: false,
    send: () => undefined,
    // To the client it looks like a server that broke down.
    lose: () => response.destroy(),
    close: () => undefined,
  }
}

/**
 * The body of a request; null if it is longer than a request may be. Such a body is read to its end, so that the sender
 * can read the answer, up to the limit of payloads.
 */
export async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request) {
    const bytes = part as Buffer
    length += bytes.length
    if (length > PAYLOAD_BYTES) throw new RangeError('a request body above the size limit')
    if (length <= FRAME_BYTES) parts.push(bytes)
  }
  return length > FRAME_BYTES ? null : Buffer.concat(parts).toString('utf8')
}
