/**
 * How clients show that they have the secret of a key: the secret itself, or a signature with it.
 *
 * Assumed: the time of a signature may be that of the virtual clock or that of the machine, because clients sign with
 * the clock that they have; either way it is good for 60 seconds.
 * Source: sessions document 2.1, 1.3; coverage S278, S280.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Key } from './tokens.ts'

/** The parts of a signature. */
export interface Signed {
  /** Milliseconds since the epoch. */
  readonly timestamp: string
  readonly nonce: string
  /** The text that follows the first two lines. */
  readonly rest: string
  readonly signature: string
}

/** The line of a request over HTTP that its signature covers. */
export interface SignedRequest {
  readonly verb: string
  /** Path with its query. */
  readonly uri: string
  readonly body: string
}

const SIGNATURE_MILLIS = 60_000
const NONCE_MILLIS = 120_000

/** True if two secrets are the same, in a time that does not tell how far they agree. */
export function isSameSecret(given: string, known: string): boolean {
  return timingSafeEqual(digestOf(given), digestOf(known))
}

/** The signature of some text under a secret, in hexadecimal. */
export function signatureOf(
  secret: string,
  { timestamp, nonce, rest }: Omit<Signed, 'signature'>,
): string {
  return createHmac('sha256', secret).update(`${timestamp}\n${nonce}\n${rest}`).digest('hex')
}

/** The text of a signed request over HTTP beside time and nonce. */
export function requestText({ verb, uri, body }: SignedRequest): string {
  return `${verb.toUpperCase()}\n${uri}\n${body}\n`
}

/** Signatures that were used, so that none is used twice. */
export class Signatures {
  /** When each nonce of a key was used, in milliseconds of the machine. */
  readonly #used = new Map<string, number>()

  /** True if a signature is good now; a good one is used up where it has a nonce. `clocks` are in milliseconds. */
  accept(
    key: Key,
    signed: Signed,
    clocks: { readonly virtual: number; readonly machine: number },
  ): boolean {
    const { timestamp, nonce, signature } = signed
    if (!/^\d{1,15}$/.test(timestamp)) return false
    const stamped = Number(timestamp)
    const isTimely = [clocks.virtual, clocks.machine].some(
      (now) => Math.abs(now - stamped) <= SIGNATURE_MILLIS,
    )
    if (!isTimely || !isSameSecret(signature, signatureOf(key.secret, signed))) return false
    if (nonce === '') return true
    const name = `${key.id} ${nonce}`
    const last = this.#used.get(name)
    if (last !== undefined && clocks.machine - last < NONCE_MILLIS) return false
    this.#used.set(name, clocks.machine)
    this.#forget(clocks.machine)
    return true
  }

  /** Nonces stand in the order of their use. */
  #forget(now: number): void {
    for (const [name, used] of this.#used) {
      if (now - used < NONCE_MILLIS) return
      this.#used.delete(name)
    }
  }
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
