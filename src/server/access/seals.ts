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
import { createHmac, randomBytes } from 'node:crypto'
import { isSameSecret } from './credentials.ts'

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
  credential(of: { readonly clientId: string; readonly secret: string; readonly known: string | undefined }): string {
    const { clientId, secret, known } = of
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
