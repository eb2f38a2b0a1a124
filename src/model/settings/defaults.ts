/**
 * Defaults of settings, from their declarations.
 */
import type { Fields, Setting, SettingsOf, Values } from './declaration.ts'

/** Gives each setting its default; those that need not be there are left out. */
export function defaultsOf<T>(settings: SettingsOf<T>): T {
  // Each setting of the interface has its default, of its type.
  return defaultValues(settings) as T
}

/** Gives defaults of any declarations. */
export function defaultValues(fields: Fields): Values {
  const values: { [field: string]: unknown } = {}
  for (const [field, setting] of Object.entries(fields)) {
    const value = defaultOf(setting)
    if (value !== undefined) values[field] = value
  }
  return values
}

/** The default of a setting; undefined where there is none. */
export function defaultOf(setting: Setting): unknown {
  if ('fields' in setting) {
    if (setting.absent === 'null') return null
    const isThere = setting.absent === undefined || setting.absent === 'usual'
    return isThere ? defaultValues(setting.fields) : undefined
  }
  return setting.default
}
