/**
 * Seals of secrets: signatures of block trades, credentials of direct access, and secrets of keys.
 *
 * The exchange is reproducible, so that everybody who has its scenario can compute what it signs. Its secrets therefore
 * never leave the server bare, and those of clients never enter it: the seal is keyed with random bytes of this process.
 * The journal has the inside of a seal, which opens nothing, and gives the same replies when it is run again.
 *
 * Rule: server.sealed-secrets. Source: sessions document 4.4, 8.4; coverage R57.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { isSameSecret } from './credentials.ts'

const KEY_BYTES = 32
/** Letters of a SHA-256 in url-safe base64. */
const SEAL_LENGTH = 43
/** Stands for a signature that this server did not give. */
const HIDDEN = '***'
/** Begins what stands for a credential. */
const CREDENTIAL_MARK = '~'

/** The seals of a server, which all its markets share. */
export class Seals {
  readonly #key = randomBytes(KEY_BYTES)

  /** A signature of the exchange as clients see it. */
  signatureOut(signature: string): string {
    return `${signature}${this.#seal('signature', signature)}`
  }

  /** A signature of a client as the exchange knows it; one that this server did not give becomes one of nobody. */
  signatureIn(text: string): string {
    const signature = text.slice(0, -SEAL_LENGTH)
    const isOwn = isSameSecret(text.slice(-SEAL_LENGTH), this.#seal('signature', signature))
    return isOwn ? signature : HIDDEN
  }

  /** The secret of a key as clients see it, derived from the secret that the exchange gave the key. */
  keySecret(given: string): string {
    return this.#seal('key', given)
  }

  /**
   * The value that replaces the secret of a credential in the exchange. `known` is the value for its name now; the steps
   * of a scenario declare secrets bare, and these are shown as they are.
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
