/** A server in a separate process. A test can measure its memory, close it, and kill it. */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { ServerOptions } from '../../src/node.ts'
import { repository } from './repository.ts'

/** The address that a server listens on. */
export interface Place {
  readonly port: number
  readonly url: string
  readonly socketUrl: string
  readonly gatewayUrl: string
}

/** Memory in use after collecting garbage, in bytes. */
export interface Memory {
  /** The JavaScript heap and the memory that it refers to. */
  readonly heap: number
  readonly rss: number
}

interface Message {
  readonly ready?: Place
  readonly heap?: Memory
  readonly closed?: string
}

/** A running server process. */
export class ForkedServer {
  readonly place: Place
  readonly #child: ChildProcess
  /** Resolves with the exit code when the process has ended; null if a signal ended it. */
  readonly ended: Promise<number | null>

  private constructor(child: ChildProcess, place: Place) {
    this.#child = child
    this.place = place
    this.ended = new Promise((resolve) => child.once('exit', resolve))
  }

  /** Starts a server and waits until it listens. */
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

  /** Closes it. Resolves with the digest of its run, or with the error. */
  async close(): Promise<string> {
    this.#child.send('close')
    const { closed } = await heardOf(this.#child)
    await this.ended
    return closed ?? 'it said nothing'
  }

  /** Kills it at once. */
  async kill(): Promise<void> {
    if (!this.isAlive) return
    this.#child.kill('SIGKILL')
    await this.ended
  }
}

/** The next message of a process; rejects if the process ends first. */
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
