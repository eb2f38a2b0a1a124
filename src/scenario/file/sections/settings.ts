/** Formats of the exchange's settings in scenario files, with sentences and bounds, derived from their declarations. */

import { type DecimalInput, scaledToNumber, z } from '../../../core/index.ts'
import {
  accountSettings,
  currencies,
  type Fields,
  type Group,
  type Leaf,
  type List,
  leafBounds,
  leafPlaces,
  lspGroupName,
  lspGroups,
  type Setting,
  type Several,
  sentenceOf,
  venueSettings,
} from '../../../model/index.ts'
import { recordedSettings } from '../../run-terms.ts'

type Shape = { readonly [key: string]: z.ZodType }

/** Name of such a section. */
export type Section = (typeof settingSections)[number]

/** A count. */
export const limit = z
  .int()
  .min(0)
  .optional()
  .meta({ description: 'A whole number.', examples: [100] })

/** A number in the spelling of the file. */
export const decimal = z.custom<DecimalInput>(isDecimal, 'a number').meta({ type: 'number', examples: [1000, 99990.5] })

/**
 * A number from 0 to 1. The bounds are for editors; the functions in `checks` report violations, with the number of
 * digits allowed.
 */
export const fraction = decimal.meta({ type: 'number', minimum: 0, maximum: 1, examples: [0.5] })

/** Higher bounds are limits of the machine, which editors need not show. */
const PRINTED_MAX = 1_000_000_000

/** Sections of a file that contain settings of the exchange. */
export const settingSections = ['venue', 'record'] as const

/** The settings of the exchange in a section, by their names. */
export function settingsIn(section: Section): Fields {
  const all: readonly (readonly [string, Setting])[] = Object.entries(venueSettings)
  return Object.fromEntries(all.filter(([, setting]) => (setting.section ?? 'venue') === section))
}

/** All settings of files by section. `record` has terms of the run in addition to settings of the exchange. */
export const fileSettings: { readonly [S in Section | 'accounts.NAME']: Fields } = {
  venue: settingsIn('venue'),
  record: { ...settingsIn('record'), ...recordedSettings },
  'accounts.NAME': accountSettings,
}

/** The format of a setting with its sentence. A setting with a default is optional. */
export function settingFormat(setting: Setting): z.ZodType {
  const form = formOf(setting)
  const isNeeded = 'unit' in setting && setting.default === undefined
  const { examples = examplesOf(setting) } = setting
  return (isNeeded ? form : form.optional()).meta({
    description: sentenceOf(setting),
    ...(examples === undefined ? {} : { examples: [...examples] }),
    ...(isOfDistinct(setting) ? { uniqueItems: true } : {}),
  })
}

/** True for a list in which each item may occur only once. */
function isOfDistinct(setting: Setting): boolean {
  return 'items' in setting && setting.rising === undefined && setting.repeats === undefined
}

/** The formats of settings by key. */
export function shapeOf(fields: Fields): Shape {
  const shape: { [key: string]: z.ZodType } = {}
  for (const setting of Object.values(fields)) {
    if (setting.key !== null) shape[setting.key] = settingFormat(setting)
  }
  return shape
}

/** The format of a group; with `isPartial` all its fields are optional. */
function groupForm(group: Extract<Setting, Group>, isPartial: boolean): z.ZodObject {
  const { fields, inFiles = Object.keys(fields) } = group
  const ordered = Object.fromEntries(inFiles.map((field) => [field, fields[field]]))
  // The keys are the ones of the group, so the values are its fields.
  const form = z.strictObject(shapeOf(ordered as Fields))
  return isPartial ? form.partial() : form
}

function formOf(setting: Setting): z.ZodType {
  if ('fields' in setting) {
    const group = groupForm(setting, false)
    return setting.shorthand === undefined ? group : z.union([z.boolean(), group])
  }
  if ('each' in setting) {
    const each = elementOf(setting.each, setting.usual !== undefined)
    if (setting.by === 'index') return z.record(z.string(), each)
    if (setting.by === 'name') return z.record(nameForm(setting.names), each)
    const keys = setting.by === 'currency' ? (setting.currencies ?? currencies) : lspGroups.map(lspGroupName)
    return z.partialRecord(z.enum(keys), each)
  }
  if ('items' in setting) return listForm(setting)
  return leafForm(setting)
}

function listForm({ items, rising, most, isLone }: List): z.ZodType {
  const each = elementOf(items)
  const list = z.array(each)
  const needed = rising === undefined && most === undefined ? list : list.min(1)
  const bounded = most === undefined ? needed : needed.max(most)
  return isLone === true ? z.union([each, bounded]) : bounded
}

function nameForm(names: Several['names']): z.ZodString {
  return names === undefined ? z.string() : z.string().regex(names.pattern, names.expected)
}

/** The format of one element of several; with `isPartial` its key supplies missing fields. */
function elementOf(setting: Setting, isPartial = false): z.ZodType {
  if ('fields' in setting) {
    return groupForm(setting, isPartial).meta({ description: sentenceOf(setting) })
  }
  const { examples = examplesOf(setting) } = setting
  const form = formOf(setting)
  return examples === undefined ? form : form.meta({ examples: [...examples] })
}

function leafForm(leaf: Leaf): z.ZodType {
  switch (leaf.unit) {
    case 'flag':
      return z.boolean()
    case 'word':
      return z.enum(leaf.words)
    case 'text':
      return textForm(leaf)
    case 'count': {
      const count = z.int().min(leaf.min ?? 0)
      return leaf.max === undefined ? count : count.max(leaf.max)
    }
    case 'parts':
    case 'money':
    case 'double': {
      const { min, max } = leafBounds(leaf)
      return numberForm(min, max, leafPlaces(leaf))
    }
    case 'risk_limit':
      return decimal.meta({ type: 'number', minimum: -1 })
    default:
      return z.string()
  }
}

/** A setting that is a text. */
type TextLeaf = Extract<Leaf, { readonly unit: 'text' }>

function textForm({ min, max, form }: TextLeaf): z.ZodString {
  const text = form === undefined ? z.string() : z.string().regex(form.pattern, form.expected)
  const needed = min === undefined ? text : text.min(min)
  return max === undefined ? needed : needed.max(max)
}

/**
 * The format of a number whose bounds are counted in its last decimal place. The checks report violations, with the
 * decimal places allowed.
 */
function numberForm(min: bigint, max: bigint, places: number): z.ZodType<DecimalInput> {
  const least = scaledToNumber(min, places)
  const most = scaledToNumber(max, places)
  return decimal.meta({
    type: 'number',
    minimum: least,
    ...(most > PRINTED_MAX ? {} : { maximum: most }),
  })
}

/** Examples for a setting that declares none. */
function examplesOf(setting: Setting): readonly unknown[] | undefined {
  if (!('unit' in setting)) return undefined
  if (setting.unit === 'count') return setting.default === undefined ? undefined : [setting.default]
  if (setting.unit === 'micros') return ['5m']
  return setting.unit === 'parts' && setting.noun === undefined ? [0.5] : undefined
}

/** The sections of a scenario file that set up the exchange and define the recorded tables. */

/** Settings of the exchange. */
export const venueFormat = z
  .strictObject(shapeOf(fileSettings.venue))
  .meta({ description: 'Settings of the exchange. The defaults are those of the venue.' })

/** Format of the section `record`. */
export const recordFormat = z
  .strictObject(shapeOf(fileSettings.record))
  .meta({ description: 'Additional data to record.', examples: [{ book: true }] })

/** Formats of numbers, for all sections of a scenario file. */

/** True if a value is a number in the form that the document reader returns. */
export function isDecimal(value: unknown): value is DecimalInput {
  if (typeof value === 'number') return true
  if (typeof value !== 'object' || value === null || !('decimal' in value)) return false
  return Object.keys(value).length === 1 && typeof value.decimal === 'string'
}
