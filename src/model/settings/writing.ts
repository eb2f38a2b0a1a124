/** Writes settings in the form of the heads of journals. */
import { currencies } from '../words/currencies.ts'
import type { Fields, Group, Setting, Several, Values } from './declaration.ts'
import { defaultValues } from './defaults.ts'
import { settingKey } from './reading.ts'
import { writeSettingLeaf } from './units.ts'

/** The settings as JSON. */
export function writeSettings(fields: Fields, values: Values): Values {
  const written: { [key: string]: unknown } = {}
  for (const [field, setting] of Object.entries(fields)) {
    const value = values[field]
    const preset = 'default' in setting ? setting.default : undefined
    const isLeft = setting.isLean === true && isSame(value, preset)
    const one = value === undefined || isLeft ? undefined : writeSetting(setting, value)
    if (one !== undefined) written[settingKey(setting, field, 'journal') ?? field] = one
  }
  return written
}

/** True for equal values, and for lists of equal values. */
function isSame(value: unknown, preset: unknown): boolean {
  if (!Array.isArray(value) || !Array.isArray(preset)) return value === preset
  return value.length === preset.length && value.every((item, at) => item === preset[at])
}

function writeSetting(setting: Setting, value: unknown): unknown {
  if ('fields' in setting && value === null) return undefined
  // The kind of a declaration determines the type of its values.
  if ('fields' in setting) return writeGroup(setting, value as Values)
  if ('each' in setting) return writeSeveral(setting, value as Values)
  if (!('items' in setting)) return writeSettingLeaf(setting, value)
  if (value === null) return null
  return (value as readonly unknown[]).map((item) => writeSetting(setting.items, item))
}

/** Writes a group; undefined if the journal omits it. */
function writeGroup(group: Group, values: Values): unknown {
  if (group.verbatim === true) return values
  const usual = defaultValues(group.fields)
  const isUsual = Object.keys(group.fields).every((field) => isSame(values[field], usual[field]))
  if (group.absent === 'usual' && isUsual) return undefined
  return writeSettings(group.fields, group.absent === 'whole' ? { ...usual, ...values } : values)
}

function writeSeveral({ by, each }: Several, values: Values): unknown {
  const keys = by === 'currency' ? currencies : Object.keys(values)
  const written: { [key: string]: unknown } = {}
  for (const key of keys) {
    if (values[key] !== undefined) written[key] = writeSetting(each, values[key])
  }
  return written
}
