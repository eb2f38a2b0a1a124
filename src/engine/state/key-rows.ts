/**
 * Keys of accounts: rights, features, and the name of the application that sends requests with the key. Requests name a
 * key after its account: `maker/desk`. The account's own key has the empty name, and has a row only if it was changed.
 *
 * Source: sessions-blocks-gateways.md 2.3, 4.7.
 */
import { fixed, mapOf, plainUnit, type RowOf, rowUnit, units } from '../../core/index.ts'
import { type KeyTerms, keySettings, settingFields } from '../../model/index.ts'

export const keyFields = {
  account: fixed(units.row),
  name: fixed(units.text),
  ...settingFields<KeyTerms, true>(keySettings, fixed),
  /** Number of the request that created it, unique among the keys of a run. */
  id: fixed(units.count),
  createdAt: fixed(units.micros),
  title: fixed(plainUnit<string | null>('text or null')),
  /** Number of the request that set its secret; 0 for the secret that follows from its name. */
  secret: fixed(units.count),
  /** Number of the last request that changed its secret, rights, addresses or `enabled`; 0 before the first. */
  changed: fixed(units.count),
}

/** A key of an account. */
export interface KeyRow extends RowOf<typeof keyFields> {}

/** Keys by account and name (`keyOf`). */
export const keysUnit = mapOf(units.text, rowUnit('key', keyFields))

/** The map key of a key among the keys of all accounts. */
export function keyOf(account: number, name: string): string {
  return `${account}/${name}`
}
