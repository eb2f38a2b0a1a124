/**
 * Settings of the exchange in scenario files: their shapes, with sentences and bounds, from their declarations.
 */
import { type DecimalInput, scaledToNumber, z } from '../../../core/index.ts'
import {
  boundsOf,
  currencies,
  type Group,
  type Leaf,
  lspGroupName,
  lspGroups,
  placesOf,
  type Setting,
  sentenceOf,
  venueSettings,
} from '../../../model/index.ts'
import { decimal } from './decimals.ts'

type Shape = { readonly [key: string]: z.ZodType }

/** Larger bounds are those of the machine, which editors need not know. */
const TOLD_MAX = 1_000_000_000

/** Sections of a file that settings of the exchange stand in. */
export const settingSections = ['venue', 'record'] as const
/** One of them. */
export type Section = (typeof settingSections)[number]

/** The settings of a section by their names. */
export function settingsIn(section: Section): { readonly [field: string]: Setting } {
  const all: readonly (readonly [string, Setting])[] = Object.entries(venueSettings)
  return Object.fromEntries(all.filter(([, setting]) => (setting.section ?? 'venue') === section))
}

/** The forms of the settings of a section by their keys. */
export function sectionShape(section: Section): Shape {
  return shapeOf(Object.values(settingsIn(section)))
}

/** The form of a setting with its sentence; it may be left out where it has a default. */
export function settingFormat(setting: Setting): z.ZodType {
  const form = formOf(setting)
  const isNeeded = 'unit' in setting && setting.default === undefined
  const { examples = examplesOf(setting) } = setting
  return (isNeeded ? form : form.optional()).meta({
    description: sentenceOf(setting),
    ...(examples === undefined ? {} : { examples: [...examples] }),
    ...('items' in setting && setting.rising === undefined ? { uniqueItems: true } : {}),
  })
}

function shapeOf(settings: readonly Setting[]): Shape {
  const shape: { [key: string]: z.ZodType } = {}
  for (const setting of settings) {
    if (setting.key !== null) shape[setting.key] = settingFormat(setting)
  }
  return shape
}

/** A group; with `isPartial` all of it may be left out. */
function groupForm(group: Extract<Setting, Group>, isPartial: boolean): z.ZodObject {
  const { fields, inFiles = Object.keys(fields) } = group
  const settings = inFiles.map((field) => fields[field]).filter((each) => each !== undefined)
  const form = z.strictObject(shapeOf(settings))
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
    const keys =
      setting.by === 'currency' ? (setting.currencies ?? currencies) : lspGroups.map(lspGroupName)
    return z.partialRecord(z.enum(keys), each)
  }
  if ('items' in setting) {
    const list = z.array(elementOf(setting.items))
    return setting.rising === undefined ? list : list.min(1)
  }
  return leafForm(setting)
}

/** One of several; with `isPartial` what is left out of it follows from its key. */
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
    case 'count': {
      const count = z.int().min(leaf.min ?? 0)
      return leaf.max === undefined ? count : count.max(leaf.max)
    }
    case 'parts':
    case 'money':
    case 'double': {
      const { min, max } = boundsOf(leaf)
      return numberForm(min, max, placesOf(leaf))
    }
    case 'risk_limit':
      return decimal.meta({ type: 'number', minimum: -1 })
    default:
      return z.string()
  }
}

/** A number whose bounds are counts of its last place; the checks tell them with the places allowed. */
function numberForm(min: bigint, max: bigint, places: number): z.ZodType<DecimalInput> {
  const least = scaledToNumber(min, places)
  const most = scaledToNumber(max, places)
  return decimal.meta({
    type: 'number',
    minimum: least,
    ...(most > TOLD_MAX ? {} : { maximum: most }),
  })
}

/** Examples of a value that has none of its own. */
function examplesOf(setting: Setting): readonly unknown[] | undefined {
  if (!('unit' in setting)) return undefined
  const { unit, default: usual } = setting
  if (unit === 'count') return usual === undefined ? undefined : [usual]
  if (unit === 'micros') return ['5m']
  return unit === 'parts' && setting.noun === undefined ? [0.5] : undefined
}
