/**
 * The keys of a market: every account that is open has one, and the controls of the simulator have one where they are
 * served.
 */
import { findAccount } from '../engine/index.ts'
import { allAreas, isSameSecret, type Key, Signatures } from './access/index.ts'
import type { LiveMarket } from './live-market.ts'

/** Which controls are served, and to whom. */
export interface KeyOptions {
  /** True if the simulator's controls are served to who has their key. */
  readonly sim: boolean
  /** The secret of the key `sim`. */
  readonly simSecret: string
}

/** The name of the key of the simulator's controls. */
export const SIM_KEY = 'sim'

/** The keys of a market. */
export class KeyRing {
  readonly #market: LiveMarket
  readonly #options: KeyOptions
  readonly #signatures = new Signatures()

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
    const clocks = { virtual: Math.floor(this.#market.now / 1000), machine: Date.now() }
    return this.#signatures.accept(key, signed, clocks) ? key : undefined
  }

  #keyOf(id: string): Key | undefined {
    const { sim, simSecret } = this.#options
    if (id === SIM_KEY && sim) {
      return { id, secret: simSecret, account: null, isMain: false, areas: new Map() }
    }
    const account = findAccount(this.#market.desk.exchange, id)
    if (account === undefined || account.house) return undefined
    const isMain = account.main === account.id
    return { id, secret: secretOf(id), account: id, isMain, areas: allAreas }
  }
}

/** The secret of an account's key. */
export function secretOf(account: string): string {
  return `${account}-secret`
}
