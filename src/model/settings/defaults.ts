/**
 * Defaults of settings, and settings as fields of state, from their declarations.
 */

import { type Field, plainUnit, type Unit } from '../../core/index.ts'
import type { Fields, Setting, SettingsOf, Values } from './declaration.ts'

/** Returns the default of each setting, without optional settings that have none. */
export function defaultsOf<T>(settings: SettingsOf<T>): T {
  // The object has the default of each setting of the interface, with its type.
  return defaultValues(settings) as T
}

/** Returns the defaults of any declarations. */
export function defaultValues(fields: Fields): Values {
  const values: { [field: string]: unknown } = {}
  for (const [field, setting] of Object.entries(fields)) {
    const value = defaultOf(setting)
    if (value !== undefined) values[field] = value
  }
  return values
}

/** The default of a setting; undefined for none. */
export function defaultOf(setting: Setting): unknown {
  if ('fields' in setting) {
    if (setting.absent === 'null') return null
    const isThere = setting.absent === undefined || setting.absent === 'usual'
    return isThere ? defaultValues(setting.fields) : undefined
  }
  return setting.default
}

/** Fields of a row that stores settings unchanged; `fieldOf` gives the kind of storage. */
export function settingFields<T, F extends boolean>(
  settings: SettingsOf<T>,
  fieldOf: <V>(unit: Unit<V>) => Field<V, 'kept', F>,
): { readonly [N in keyof T]: Field<T[N], 'kept', F> } {
  const entries = Object.entries<Setting>(settings).map(([field, { says }]) => [field, fieldOf(plainUnit(says))])
  // The object has a field for each setting of the interface.
  return Object.fromEntries(entries) as { readonly [N in keyof T]: Field<T[N], 'kept', F> }
}
