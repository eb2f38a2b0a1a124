/**
 * Keys of accounts: rights, features, and the name of the application that asks with them. Requests name one behind
 * its account: `maker/desk`.
 *
 * Source: sessions-blocks-gateways.md 2.3, 4.7.
 */
import { fixed, mapOf, type RowOf, rowUnit, units } from '../../core/index.ts'
import { type KeyTerms, keySettings, settingFields } from '../../model/index.ts'

export const keyFields = {
  account: fixed(units.row),
  name: fixed(units.text),
  ...settingFields<KeyTerms, true>(keySettings, fixed),
}

/** A key of an account. */
export interface KeyRow extends RowOf<typeof keyFields> {}

/** Keys by account and name (`keyOf`). */
export const keysUnit = mapOf(units.text, rowUnit('key', keyFields))

/** The place of a key among all. */
export function keyOf(account: number, name: string): string {
  return `${account}/${name}`
}
