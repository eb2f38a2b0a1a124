/**
 * A client of a server over a WebSocket, as plain as can be: frames out, frames in.
 */
import { WebSocket } from 'ws'

/** A frame that came in. */
export interface Heard {
  readonly id?: number | string | null
  readonly method?: string
  readonly result?: unknown
  readonly error?: {
    readonly code: number
    readonly message: string
    readonly data?: { readonly reason: string; readonly param?: string; readonly hint?: string }
  }
  readonly params?: {
    readonly channel?: string
    readonly data?: unknown
    readonly label?: string
    readonly type?: string
  }
  readonly usIn?: number
  readonly usOut?: number
}

/** A socket with all that it has heard. */
export class SocketClient {
  readonly heard: Heard[] = []
  readonly socket: WebSocket
  readonly #wanted = new Map<number, (frame: Heard) => void>()
  #waiting: (() => void)[] = []
  #id = 0
  /** The close code, once it is closed. */
  closed: number | null = null
  /** The reason of the close frame. */
  reason = ''

  private constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data)) as Heard
      this.heard.push(frame)
      if (typeof frame.id === 'number') this.#wanted.get(frame.id)?.(frame)
      this.#wake()
    })
    socket.on('close', (code, reason) => {
      this.closed = code
      this.reason = String(reason)
      this.#wake()
    })
  }

  /** Opens a socket. */
  static async open(url: string): Promise<SocketClient> {
    const socket = new WebSocket(url)
    const client = new SocketClient(socket)
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => resolve())
      socket.once('error', reject)
    })
    return client
  }

  /** Asks and waits for the frame of the same id. */
  async ask(method: string, params: object = {}): Promise<Heard> {
    this.#id += 1
    const id = this.#id
    const reply = new Promise<Heard>((resolve) => this.#wanted.set(id, resolve))
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    return await reply
  }

  /** Shows who it is. */
  async authenticate(account: string, scope?: string): Promise<Heard> {
    const words = scope === undefined ? {} : { scope }
    return await this.ask('public/auth', {
      grant_type: 'client_credentials',
      client_id: account,
      client_secret: `${account}-secret`,
      ...words,
    })
  }

  /** The data of the notifications of a channel, in their order. */
  reported(channel: string): readonly unknown[] {
    return this.heard.flatMap(({ params }) => (params?.channel === channel ? [params.data] : []))
  }

  /** Waits until something that was heard is so. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  /** Closes it and waits until it is. */
  async close(): Promise<void> {
    this.socket.close()
    await this.until(() => this.closed !== null)
  }

  #wake(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const wake of waiting) wake()
  }
}
