/**
 * Settings as fields of state, from their declarations.
 */
import { type Field, plainUnit, type Unit } from '../../core/index.ts'
import type { Setting, SettingsOf } from './declaration.ts'

/** Fields of a row that stores settings unchanged; `fieldOf` gives the kind of storage. */
export function settingFields<T, F extends boolean>(
  settings: SettingsOf<T>,
  fieldOf: <V>(unit: Unit<V>) => Field<V, 'kept', F>,
): { readonly [N in keyof T]: Field<T[N], 'kept', F> } {
  const entries = Object.entries<Setting>(settings).map(([field, { says }]) => [field, fieldOf(plainUnit(says))])
  // The object has a field for each setting of the interface.
  return Object.fromEntries(entries) as { readonly [N in keyof T]: Field<T[N], 'kept', F> }
}
