/**
 * Proofs that a client has the secret of a key: the secret itself, or a signature made with it.
 *
 * Rule: signature.once. A signature needs a nonce and can be used once. It is valid for 60 seconds before and after its
 * timestamp, by the clock of the machine or the clock of the market. Nonces are remembered for at least as long as one
 * of the clocks accepts their signature. The clock of the market can stop or be set back, so no fixed time is long
 * enough.
 *
 * Assumed: the timestamp may be of either clock, because clients sign with the clock that they have. The venue lets
 * clients omit the nonce, but then anyone who reads a request could repeat it.
 * Source: sessions document 2.1, 1.3; coverage S278, S280.
 */

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Key } from './tokens.ts'

/** The parts of a signature. */
interface Signed {
  /** Milliseconds since the epoch. */
  readonly timestamp: string
  readonly nonce: string
  /** The text that follows the first two lines. */
  readonly rest: string
  readonly signature: string
}

/** The parts of a request over HTTP that its signature covers. */
interface SignedRequest {
  readonly verb: string
  /** Path with its query. */
  readonly uri: string
  readonly body: string
}

/**
 * Seals of secrets: signatures of block trades, credentials of direct access, and secrets of keys.
 *
 * The exchange is reproducible, so anyone with its scenario can compute its secrets. They therefore never leave the
 * server without a seal, and secrets of clients never enter the exchange. The seal is keyed with random bytes of this
 * process. The journal contains the value inside a seal, which gives no access, and a replay of the journal gives the
 * same replies.
 *
 * Rule: server.sealed-secrets. Source: sessions document 4.4, 8.4; coverage R57.
 */

const KEY_BYTES = 32

/** Length of a SHA-256 hash in url-safe base64. */
const SEAL_LENGTH = 43

/** Replaces a signature that this server did not issue. */
const HIDDEN = '***'

/** The prefix of a value that replaces a credential. */
const CREDENTIAL_MARK = '~'

/** The seals of a server, which all its markets share. */
export class Seals {
  readonly #key = randomBytes(KEY_BYTES)

  /** The sealed form of a signature of the exchange, for clients. */
  signatureOut(signature: string): string {
    return `${signature}${this.#seal('signature', signature)}`
  }

  /**
   * The signature of the exchange in a client's text; a signature that this server did not issue becomes one that
   * matches nothing.
   */
  signatureIn(text: string): string {
    const signature = text.slice(0, -SEAL_LENGTH)
    const isOwn = isSameSecret(text.slice(-SEAL_LENGTH), this.#seal('signature', signature))
    return isOwn ? signature : HIDDEN
  }

  /** The secret of a key for clients, derived from the secret that the exchange gave the key. */
  keySecret(given: string): string {
    return this.#seal('key', given)
  }

  /**
   * The value that replaces the secret of a credential in the exchange. `known` is the current value for its name.
   * Steps of a scenario declare secrets without a seal; such a secret stays unchanged.
   */
  credential(clientId: string, secret: string, known: string | undefined): string {
    const isBare = known === secret && !isSealed(secret)
    return isBare ? secret : `${CREDENTIAL_MARK}${this.#seal('credential', JSON.stringify([clientId, secret]))}`
  }

  #seal(kind: string, text: string): string {
    return createHmac('sha256', this.#key).update(`${kind}\n${text}`).digest('base64url')
  }
}

function isSealed(secret: string): boolean {
  return secret.startsWith(CREDENTIAL_MARK) && secret.length === SEAL_LENGTH + 1
}

const SIGNATURE_MILLIS = 60_000

/** Largest number of remembered nonces of a key: 1,600 signatures per second for as long as they are valid. */
const NONCES_MAX = 100_000

/** Largest length of a nonce, in characters. */
const NONCE_LENGTH = 128

/** True if two secrets are equal. The time of the comparison does not reveal how many characters agree. */
export function isSameSecret(given: string, known: string): boolean {
  return timingSafeEqual(digestOf(given), digestOf(known))
}

/** The signature of a text with a secret, in hexadecimal. */
export function signatureOf(secret: string, { timestamp, nonce, rest }: Omit<Signed, 'signature'>): string {
  return createHmac('sha256', secret).update(`${timestamp}\n${nonce}\n${rest}`).digest('hex')
}

/** The signed text of a request over HTTP, without timestamp and nonce. */
export function requestText({ verb, uri, body }: SignedRequest): string {
  return `${verb.toUpperCase()}\n${uri}\n${body}\n`
}

/** The clocks of a server, in milliseconds since the epoch. */
interface Clocks {
  readonly market: number
  readonly machine: number
}

/** Names of the clocks. The machine comes first, because its time always passes. */
const clockNames = ['machine', 'market'] as const

/** A used signature: its timestamp, and the clock by which it was valid. */
interface Used {
  readonly stamped: number
  readonly clock: keyof Clocks
}

interface Span {
  from: number
  to: number
}

/** The used signatures of a key. */
interface Memory {
  /** By nonce, in the order of use. */
  readonly used: Map<string, Used>
  /** Ranges of the timestamps of forgotten signatures, by clock. No timestamp in them is accepted again. */
  readonly forgotten: { readonly [C in keyof Clocks]: Span }
}

/** Used signatures, so that no signature can be used twice. */
export class Signatures {
  /** By name of the key. */
  readonly #memories = new Map<string, Memory>()
  readonly #most: number

  /** `most` is the largest number of remembered nonces per key. */
  constructor(most = NONCES_MAX) {
    this.#most = most
  }

  /** Returns true if a signature is valid now, and marks it as used. */
  accept(key: Key, signed: Signed, clocks: Clocks): boolean {
    const { timestamp, nonce, signature } = signed
    if (nonce === '' || nonce.length > NONCE_LENGTH || !/^\d{1,15}$/.test(timestamp)) return false
    const stamped = Number(timestamp)
    const clock = clockOf(stamped, clocks)
    if (clock === undefined) return false
    if (!isSameSecret(signature, signatureOf(key.secret, signed))) return false
    const memory = this.#memories.get(key.id) ?? freshMemory()
    this.#memories.set(key.id, memory)
    if (memory.used.has(nonce) || clockNames.some((name) => isWithin(memory.forgotten[name], stamped))) return false
    if (memory.used.size >= this.#most && !forgetOldest(memory, clocks)) return false
    memory.used.set(nonce, { stamped, clock })
    return true
  }
}

/** The clock by which a timestamp is valid now. */
function clockOf(stamped: number, clocks: Clocks): keyof Clocks | undefined {
  return clockNames.find((name) => Math.abs(clocks[name] - stamped) <= SIGNATURE_MILLIS)
}

/** Forgets the oldest used signature, unless it is still valid; returns true if there is room afterwards. */
function forgetOldest({ used, forgotten }: Memory, clocks: Clocks): boolean {
  for (const [nonce, { stamped, clock }] of used) {
    if (clockOf(stamped, clocks) !== undefined) return false
    used.delete(nonce)
    const span = forgotten[clock]
    span.from = Math.min(span.from, stamped)
    span.to = Math.max(span.to, stamped)
    return true
  }
  return true
}

function freshMemory(): Memory {
  const none = (): Span => ({ from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY })
  return { used: new Map(), forgotten: { market: none(), machine: none() } }
}

function isWithin(span: Span, stamped: number): boolean {
  return span.from <= stamped && stamped <= span.to
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
