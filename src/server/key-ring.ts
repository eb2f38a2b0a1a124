/**
 * The keys of a market: every account that is open has one of its own name, those that it declares are `account/key`, and
 * the controls of the simulator have one where they are served.
 */
import { findAccount, findKey } from '../engine/index.ts'
import {
  allAreas,
  areasOf,
  isSameAreas,
  isSameSecret,
  type Key,
  type Signatures,
} from './access/index.ts'
import type { LiveMarket } from './live-market.ts'

/** Which controls are served, and to whom. */
export interface KeyOptions {
  /** True if the simulator's controls are served to who has their key. */
  readonly sim: boolean
  /** The secret of the key `sim`. */
  readonly simSecret: string
  /** Signatures that were used, in all markets of the server, because they have the same keys. */
  readonly signatures: Signatures
}

/** The name of the key of the simulator's controls. */
export const SIM_KEY = 'sim'

/** The keys of a market. */
export class KeyRing {
  readonly #market: LiveMarket
  readonly #options: KeyOptions

  constructor(market: LiveMarket, options: KeyOptions) {
    this.#market = market
    this.#options = options
  }

  /** True if the simulator's controls are served at all. */
  get servesControls(): boolean {
    return this.#options.sim
  }

  /** The key of a name and a secret, or undefined. */
  bySecret(id: string, secret: string): Key | undefined {
    const key = this.#keyOf(id)
    return key !== undefined && isSameSecret(secret, key.secret) ? key : undefined
  }

  /** The key of a name that a signature was made with, or undefined. */
  bySignature(id: string, signed: Parameters<Signatures['accept']>[1]): Key | undefined {
    const key = this.#keyOf(id)
    if (key === undefined) return undefined
    const clocks = { market: Math.floor(this.#market.now / 1000), machine: Date.now() }
    return this.#options.signatures.accept(key, signed, clocks) ? key : undefined
  }

  /** True if a key is still there with the same secret and the same rights. */
  isCurrent({ id, secret, areas }: Key): boolean {
    const key = this.#keyOf(id)
    return key !== undefined && key.secret === secret && isSameAreas(key.areas, areas)
  }

  /** The account of a key, whoever asks; null where there is no such key, and for that of the controls. */
  accountOf(id: string): string | null {
    return this.#keyOf(id)?.account ?? null
  }

  #keyOf(id: string): Key | undefined {
    const { sim, simSecret } = this.#options
    if (id === SIM_KEY && sim) {
      return { id, secret: simSecret, account: null, isMain: false, areas: new Map() }
    }
    const { exchange } = this.#market.desk
    const whole = findAccount(exchange, id)
    const at = id.lastIndexOf('/')
    const account = whole ?? (at < 0 ? undefined : findAccount(exchange, id.slice(0, at)))
    if (account === undefined || account.house) return undefined
    const declared = whole === undefined ? findKey(exchange, account.id, id.slice(at + 1)) : null
    if (declared === undefined) return undefined
    const isMain = account.main === account.id
    const areas = declared?.scopes == null ? allAreas : areasOf(declared.scopes)
    return { id, secret: secretOf(id), account: account.name, isMain, areas }
  }
}

/** The secret of a key: of an account by its name, of one that it declared by `account/key`. */
export function secretOf(key: string): string {
  return `${key}-secret`
}
