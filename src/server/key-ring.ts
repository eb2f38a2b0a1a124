/**
 * The keys of a market: every open account has a key with its name, declared keys are `account/key`, and the controls
 * of the simulator have a key if they are served.
 *
 * The exchange gives a secret to each key that its owner makes or resets. Clients get a seal of that secret, made with
 * a random key of this process, so a secret cannot be computed from the scenario.
 *
 * Rule: access.key-ends. A key that is disabled, removed or reset, or gets other rights or addresses, loses its tokens
 * at once. Source: the venue's page of each method, for secrets, rights and disabled keys. Assumed: a changed whitelist
 * has the same effect.
 */
import { allAccounts, findAccount, findKey, isRemoved, type KeyView, keysOfAccount } from '../engine/index.ts'
import type { Account, KeyFeature } from '../model/index.ts'
import { keySecretOf } from '../rpc/index.ts'
import { allAreas, areasOf, isSameSecret, isTakenFrom, type Key, type Seals, type Signatures } from './access/index.ts'
import type { LiveMarket } from './live-market.ts'

/** Options of keys: which controls are served, and their secret. */
export interface KeyOptions {
  /** True if the simulator's controls are served to clients with their key. */
  readonly sim: boolean
  /** The secret of the key `sim`. */
  readonly simSecret: string
  /** Used signatures, shared by all markets of the server, because they have the same keys. */
  readonly signatures: Signatures
  /** Seals of secrets, shared by all markets of the server. */
  readonly seals: Seals
}

/** The name of the key of the simulator's controls. */
const SIM_KEY = 'sim'

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

  /** The key with this name and secret, if it can be used from the address; otherwise undefined. */
  bySecret(id: string, secret: string, address: string): Key | undefined {
    const key = this.#keyOf(id)
    if (key === undefined || !isTakenFrom(key, address)) return undefined
    return isSameSecret(secret, key.secret) ? key : undefined
  }

  /** The key with this name and a valid signature, if it can be used from the address; otherwise undefined. */
  bySignature(id: string, signed: Parameters<Signatures['accept']>[1], address: string): Key | undefined {
    const key = this.#keyOf(id)
    if (key === undefined || !isTakenFrom(key, address)) return undefined
    const clocks = { market: Math.floor(this.#market.now / 1000), machine: Date.now() }
    return this.#options.signatures.accept(key, signed, clocks) ? key : undefined
  }

  /** True if a key is enabled and unchanged. Requests and notifications call this often. */
  isCurrent({ id, changed }: Key): boolean {
    if (id === SIM_KEY && this.#options.sim) return true
    const key = this.#found(id)?.key
    return key?.enabled === true && key.changed === changed
  }

  /** The account of a key, also of a disabled one; null for unknown keys and for the key of the controls. */
  accountOf(id: string): string | null {
    return this.#found(id)?.account.name ?? null
  }

  /** Features of a key. */
  featuresOf(key: Key): readonly KeyFeature[] {
    return this.#found(key.id)?.key.features ?? []
  }

  /** The keys of the scenario whose secrets follow from their names. */
  get declared(): readonly { readonly client_id: string; readonly client_secret: string }[] {
    const { sim, simSecret } = this.#options
    const { exchange } = this.#market.desk
    const shown = allAccounts(exchange)
      .filter(({ id, house }) => !house && !isRemoved(exchange, id))
      .flatMap(({ id, name }) => {
        const known = keysOfAccount(exchange, id).filter(({ secret }) => secret === 0)
        return known.map((key) => clientOf(name, key))
      })
      .map((id) => ({ client_id: id, client_secret: knownSecret(id) }))
    return sim ? [...shown, { client_id: SIM_KEY, client_secret: simSecret }] : shown
  }

  /** The secret of a key; `given` is the number of the request that created the secret, 0 without one. */
  #secretOf(id: string, given: number): string {
    if (given === 0) return knownSecret(id)
    const { exchange } = this.#market.desk
    return this.#options.seals.keySecret(keySecretOf(exchange, id, given))
  }

  /** The key with this name, if it is enabled. */
  #keyOf(id: string): Key | undefined {
    const { sim, simSecret } = this.#options
    if (id === SIM_KEY && sim) {
      const own = { secret: simSecret, changed: 0, account: null, isMain: false }
      return { id, ...own, areas: new Map(), addresses: [] }
    }
    const found = this.#found(id)
    if (found?.key.enabled !== true) return undefined
    const { account, key } = found
    const areas = key.scopes === null ? allAreas : areasOf(key.scopes)
    const isMain = account.main === account.id
    const secret = this.#secretOf(id, key.secret)
    return { id, secret, changed: key.changed, account: account.name, isMain, areas, addresses: key.addresses }
  }

  /** The key with this name and its account, enabled or not. */
  #found(id: string): { readonly account: Account; readonly key: KeyView } | undefined {
    const { exchange } = this.#market.desk
    const whole = findAccount(exchange, id)
    const at = id.lastIndexOf('/')
    const account = whole ?? (at < 0 ? undefined : findAccount(exchange, id.slice(0, at)))
    if (account === undefined || account.house) return undefined
    // `account/` is not a second name of the account's default key.
    const name = whole === undefined ? id.slice(at + 1) : ''
    if (whole === undefined && name === '') return undefined
    const key = findKey(exchange, account.id, name)
    return key === undefined ? undefined : { account, key }
  }
}

/** The `client_id` of a key of an account. */
function clientOf(account: string, { name }: KeyView): string {
  return name === '' ? account : `${account}/${name}`
}

/** The secret of a key that no request has created, which follows from its `client_id`. */
function knownSecret(key: string): string {
  return `${key}-secret`
}
