/** A minimal client of a server over a WebSocket: it sends frames and stores the received ones. */
import { WebSocket } from 'ws'

/** A received frame. */
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

/** A socket with all of its received frames. */
export class SocketClient {
  readonly heard: Heard[] = []
  readonly socket: WebSocket
  readonly #wanted = new Map<number, (frame: Heard) => void>()
  #waiting: (() => void)[] = []
  #id = 0
  /** The close code after closing. */
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

  /** Sends a request and waits for the frame with the same id. */
  async ask(method: string, params: object = {}): Promise<Heard> {
    this.#id += 1
    const id = this.#id
    const reply = new Promise<Heard>((resolve) => this.#wanted.set(id, resolve))
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    return await reply
  }

  /** Authenticates with the key of an account. */
  async authenticate(account: string, scope?: string): Promise<Heard> {
    const words = scope === undefined ? {} : { scope }
    return await this.ask('public/auth', {
      grant_type: 'client_credentials',
      client_id: account,
      client_secret: `${account}-secret`,
      ...words,
    })
  }

  /** The data of the notifications of a channel, in order. */
  reported(channel: string): readonly unknown[] {
    return this.heard.flatMap(({ params }) => (params?.channel === channel ? [params.data] : []))
  }

  /** Waits until a condition on the received frames holds. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  /** Closes it and waits for the close. */
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
