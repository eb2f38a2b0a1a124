/**
 * A server in a process of its own: how much memory it has in use, its end, and what it is like to be killed.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { ServerOptions } from '../../src/node.ts'
import { repository } from './repository.ts'

/** Where a server listens. */
export interface Place {
  readonly port: number
  readonly url: string
  readonly socketUrl: string
  readonly gatewayUrl: string
}

/** Memory in use after collecting garbage, in bytes. */
export interface Memory {
  /** JavaScript and what hangs on it. */
  readonly heap: number
  readonly rss: number
}

interface Message {
  readonly ready?: Place
  readonly heap?: Memory
  readonly closed?: string
}

/** A server that was begun. */
export class ForkedServer {
  readonly place: Place
  readonly #child: ChildProcess
  /** Resolves with the exit code once it has ended; a signal is none. */
  readonly ended: Promise<number | null>

  private constructor(child: ChildProcess, place: Place) {
    this.#child = child
    this.place = place
    this.ended = new Promise((resolve) => child.once('exit', resolve))
  }

  /** Begins one and waits until it listens. */
  static async begin(options: ServerOptions): Promise<ForkedServer> {
    const file = join(repository, 'test/support/served-market.mjs')
    const execArgv = ['--expose-gc']
    const child = fork(file, [JSON.stringify(options)], { execArgv, cwd: repository })
    const { ready } = await heardOf(child)
    if (ready === undefined) throw new Error('a server says first that it is ready')
    return new ForkedServer(child, ready)
  }

  /** True until it has ended. */
  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Its memory after collecting garbage. */
  async memory(): Promise<Memory> {
    this.#child.send('heap')
    const { heap } = await heardOf(this.#child)
    if (heap === undefined) throw new Error('a server that is asked for its heap tells it')
    return heap
  }

  /** Closes it; resolves with the digest of its run, or what went wrong. */
  async close(): Promise<string> {
    this.#child.send('close')
    const { closed } = await heardOf(this.#child)
    await this.ended
    return closed ?? 'it said nothing'
  }

  /** Ends it at once, without a word. */
  async kill(): Promise<void> {
    if (!this.isAlive) return
    this.#child.kill('SIGKILL')
    await this.ended
  }
}

/** The next message of a process; one that ends instead is an error. */
async function heardOf(child: ChildProcess): Promise<Message> {
  return await new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`the server ended with ${code}`))
    child.once('exit', onExit)
    child.once('message', (message) => {
      child.off('exit', onExit)
      resolve(message as Message)
    })
  })
}
