/**
 * The WebSocket endpoint: one JSON-RPC message per frame, and replies in the order of completion.
 *
 * A client that does not read is disconnected before its queue exceeds a limit, so nothing waits for a client.
 * Source: sessions document 1.4, 2.4, 2.6; coverage S006, S177, S277.
 */
import type { Duplex } from 'node:stream'
import { timeOf, viewSession } from '../engine/index.ts'
import { isHalfOpen } from '../faults/index.ts'
import type { SessionEnd } from '../model/index.ts'
import type { VenueError } from '../rpc/index.ts'
import type { Authorizer } from './authorizer.ts'
import { type Client, Silence } from './client.ts'
import { type EnvelopeId, errorText, FRAME_BYTES, readFrame, replyText, tooLarge } from './envelope.ts'
import type { EndpointParts } from './http-endpoint.ts'
import type { LiveMarket } from './live-market.ts'
import type { ServerMonitor } from './monitor.ts'
import type { WebSocket } from './ws.ts'

/** Largest number of bytes that wait for a slow client. */
const QUEUE_BYTES = 8_388_608
/** WebSocket close codes: normal, going away, a client that broke a rule, an internal fault. */
const closeCodes = { normal: 1000, away: 1001, policy: 1008, internal: 1011 } as const
/** Time for a client to answer a close frame, and for replies to leave once the port is closed, in milliseconds. */
export const CLOSE_WAIT = 500

interface SocketClient extends Client {
  readonly socket: WebSocket
  readonly silence: Silence
  /** True if the exchange knows that the session is over. */
  isOver: boolean
  /** Reason of the end, in words of the server. */
  ending: string
  /** True while its connection is half open: the server neither reads from it nor writes to it. */
  isHalfOpen: boolean
}

/** The WebSockets of a server. */
export class WebSocketEndpoint {
  readonly #market: LiveMarket
  readonly #authorizer: Authorizer
  readonly #monitor: ServerMonitor
  readonly #clients = new Map<number, SocketClient>()
  /** Number of half-open connections. */
  #halfOpen = 0

  constructor({ market, authorizer, monitor }: EndpointParts) {
    this.#market = market
    this.#authorizer = authorizer
    this.#monitor = monitor
  }

  /** Number of open sockets. */
  get size(): number {
    return this.#clients.size
  }

  /** Bytes that wait for clients to read. */
  get queuedBytes(): number {
    let bytes = 0
    for (const { socket } of this.#clients.values()) bytes += socket.bufferedAmount
    return bytes
  }

  /** Takes a new socket over a connection, with the remote address. */
  open(socket: WebSocket, connection: Duplex, address: string): void {
    const session = this.#market.nextSession()
    const gather = gatherer(connection)
    const client: SocketClient = {
      door: 'websocket',
      session,
      address,
      socket,
      grant: null,
      control: null,
      heartbeat: null,
      silence: new Silence(() => this.#endSilent(client)),
      isOpened: false,
      isOver: false,
      ending: 'the client disconnected',
      isHalfOpen: false,
      lose: () => undefined,
      send: (text) => {
        if (socket.readyState !== socket.OPEN || client.isHalfOpen) return
        if (!this.#checkQueue(client)) return
        gather()
        socket.send(text)
      },
      close: (reason) => {
        client.ending = reason
        end(client, closeCodes.normal)
        this.#leave(client)
      },
    }
    this.#clients.set(session, client)
    this.#monitor.opened(session)
    this.heedFaults()
    socket.on('message', (data, isBinary) => {
      client.silence.heard()
      this.#hear(client, data as Buffer, isBinary)
    })
    // Each ping is answered with a pong, which stays in the queue if the client does not read.
    socket.on('ping', () => {
      client.silence.heard()
      this.#checkQueue(client)
    })
    socket.on('pong', () => client.silence.heard())
    socket.on('close', () => this.#leave(client))
    // A frame that breaks the protocol ends the socket, and the event `close` follows.
    socket.on('error', () => undefined)
  }

  /** Closes a session that the exchange has closed: for silence, for its rate of requests, or by a control. */
  endSession(session: number, how: SessionEnd): void {
    const client = this.#clients.get(session)
    if (client === undefined || client.isOver) return
    client.isOver = true
    client.ending = how.replaceAll('_', ' ')
    // The reply with the reason is sent first.
    setImmediate(() => {
      end(client, closeCodes.normal)
      this.#leave(client)
    })
  }

  /** Called after a restore: the next request of a session that the exchange no longer knows opens it again. */
  reopenSessions(): void {
    const { exchange } = this.#market.desk
    for (const client of this.#clients.values()) {
      client.isOpened = viewSession(exchange, client.session) !== undefined
    }
  }

  /** True if the client of a session is connected. */
  isConnected(session: number): boolean {
    return this.#clients.has(session)
  }

  /**
   * Makes connections half open while a fault applies to them, and resets them afterwards, because the other end was
   * unreachable. A client with the token of the controls is never affected, so that it can end the fault.
   */
  heedFaults(): void {
    const { faults, exchange } = this.#market.desk
    if (faults.rules.length === 0 && this.#halfOpen === 0) return
    const time = timeOf(exchange)
    for (const client of [...this.#clients.values()]) {
      const account = client.grant?.account ?? null
      const isHalf = client.control === null && isHalfOpen(faults, { account, time })
      if (isHalf === client.isHalfOpen) continue
      client.isHalfOpen = isHalf
      this.#halfOpen += isHalf ? 1 : -1
      if (isHalf) client.socket.pause()
      else {
        client.ending = 'half open'
        client.socket.terminate()
        this.#leave(client)
      }
    }
  }

  /** Closes every socket. If the market has failed, clients receive its error first. */
  closeAll(): void {
    const { hasFailed, closedError, now } = this.#market
    for (const client of [...this.#clients.values()]) {
      client.isOver = true
      client.ending = hasFailed ? `${closedError.message} ${closedError.code}` : 'the server is shutting down'
      if (hasFailed) client.send(errorText(closedError, null, now))
      end(client, hasFailed ? closeCodes.internal : closeCodes.away)
      // A client that does not answer must not keep the process alive.
      setTimeout(() => client.socket.terminate(), CLOSE_WAIT).unref()
      this.#leave(client)
    }
  }

  /** True if the queue of a client has room; a client that does not read is disconnected. */
  #checkQueue(client: SocketClient): boolean {
    if (client.socket.bufferedAmount <= QUEUE_BYTES) return true
    this.#monitor.slow(client.session)
    client.ending = 'connection_too_slow'
    client.socket.close(closeCodes.policy, 'connection_too_slow')
    client.socket.terminate()
    return false
  }

  #hear(client: SocketClient, data: Buffer, isBinary: boolean): void {
    if (client.isOver) return
    if (data.length > FRAME_BYTES) {
      this.#refuse(client, tooLarge, null)
      return
    }
    const frame = readFrame(isBinary ? '' : data.toString('utf8'), this.#authorizer.isStrict)
    if (!frame.ok) {
      this.#refuse(client, frame.error, frame.id)
      return
    }
    if (!this.#market.isOpen) {
      this.#refuse(client, this.#market.closedError, frame.id)
      return
    }
    this.#authorizer.ask(client, frame.asked, (reply) => {
      // A logout gets no answer (S177).
      if (reply.ok && frame.asked.method === 'private/logout') return
      client.send(replyText(reply, frame.id))
    })
  }

  /** Answers a text that never reaches the market. */
  #refuse(client: SocketClient, error: VenueError, id: EnvelopeId): void {
    this.#monitor.failed(client, null, error)
    client.send(errorText(error, id, this.#market.now))
  }

  /**
   * Handles a client that was silent for too long. The journal contains the reaction of the exchange, at the time of
   * the market.
   */
  #endSilent(client: SocketClient): void {
    const type = this.#market.isOpen ? viewSession(this.#market.desk.exchange, client.session)?.type : undefined
    if (type !== undefined) {
      const method = type === 'web_socket' ? 'sim/inactivity' : 'sim/heartbeat_failure'
      this.#market.ask({ method, params: { session: client.session }, account: null, session: 0 })
    }
    // The exchange has ended the session before, or did not know it.
    if (!client.isOver) client.close('inactivity')
  }

  /** Handles a closed socket. With cancel-on-disconnect, its orders are cancelled. */
  #leave(client: SocketClient): void {
    if (!this.#clients.delete(client.session)) return
    client.silence.stop()
    if (client.isHalfOpen) this.#halfOpen -= 1
    this.#monitor.closed(client.session, client.ending)
    this.#authorizer.leave(client)
    if (!this.#market.isOpen) return
    const { exchange } = this.#market.desk
    if (client.isOver || viewSession(exchange, client.session) === undefined) return
    client.isOver = true
    const params = { session: client.session }
    this.#market.ask({ method: 'sim/disconnect', params, account: null, session: 0 })
  }
}

/** Ends the connection of a client. A half-open connection transfers nothing, so it is reset. */
function end({ socket, isHalfOpen, ending }: SocketClient, code: number): void {
  if (isHalfOpen) socket.terminate()
  else socket.close(code, ending)
}

/**
 * Collects the texts that are sent over a connection until the current work is done. Replies to frames that came
 * together are then sent together, because a separate write costs more than a request.
 */
function gatherer(connection: Duplex): () => void {
  let isGathering = false
  return () => {
    if (isGathering) return
    isGathering = true
    connection.cork()
    process.nextTick(() => {
      isGathering = false
      connection.uncork()
    })
  }
}
