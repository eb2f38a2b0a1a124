/**
 * Random settings of an exchange, drawn from their declarations: their text in files and their values in the exchange.
 * This is a second reader of the declarations, independent of the first.
 */
import fc from 'fast-check'
import { formatIsoTime, formatScaled, micros } from '../../src/core/index.ts'
import {
  currencies,
  defaultConfig,
  type Fields,
  type Group,
  type Leaf,
  lspGroupName,
  lspGroups,
  type Setting,
} from '../../src/model/index.ts'

/** A value as JSON text of a file, and as a value of the exchange. */
export interface Drawn {
  readonly text: string
  readonly value: unknown
}

/** Values of settings by their names. */
export interface DrawnFields {
  readonly texts: { readonly [key: string]: string }
  readonly values: { readonly [field: string]: unknown }
}

/** Upper ends of ranges without a limit. */
const LARGE = 1_000_000_000_000

/** Some or all of the settings; `start` is the start of the run. */
export function drawnFields(
  fields: Fields,
  start: number,
  { isWhole = false, usual = {} }: { readonly isWhole?: boolean; readonly usual?: object } = {},
): fc.Arbitrary<DrawnFields> {
  const entries = Object.entries(fields).filter(([, { key }]) => key !== null)
  const needed = entries.filter(([, setting]) => 'unit' in setting && setting.default === undefined)
  const isNeeded = Object.keys(usual).length === 0 ? needed.map(([field]) => field) : []
  const drawn = fc.record(
    Object.fromEntries(entries.map(([field, setting]) => [field, drawnSetting(setting, start)])),
    { requiredKeys: isWhole ? entries.map(([field]) => field) : isNeeded },
  )
  return drawn
    .map((given) => {
      const texts: { [key: string]: string } = {}
      const values: { [field: string]: unknown } = { ...usual }
      for (const [field, one] of Object.entries(given)) {
        if (one === undefined) continue
        texts[String(fields[field]?.key)] = one.text
        values[field] = one.value
      }
      return { texts, values }
    })
    .filter(({ values }) => isOrdered(fields, values))
}

/** JSON text of a mapping. */
export function mappingText(texts: { readonly [key: string]: string }): string {
  const parts = Object.entries(texts).map(([key, text]) => `${JSON.stringify(key)}: ${text}`)
  return `{ ${parts.join(', ')} }`
}

/** The default values in the declarations. */
export function usualOf(fields: Fields): { readonly [field: string]: unknown } {
  const entries = Object.entries(fields).map(([field, setting]): [string, unknown] => [
    field,
    'fields' in setting ? usualOf(setting.fields) : setting.default,
  ])
  return Object.fromEntries(entries)
}

function isOrdered(fields: Fields, values: DrawnFields['values']): boolean {
  return Object.entries(fields).every(([field, setting]) => {
    const most = 'unit' in setting && setting.unit === 'count' ? setting.upTo : undefined
    if (most === undefined) return true
    const all = { ...usualOf(fields), ...values }
    return Number(all[field]) <= Number(all[most])
  })
}

function drawnSetting(setting: Setting, start: number): fc.Arbitrary<Drawn> {
  if ('fields' in setting) return drawnGroup(setting, start)
  if ('items' in setting) return drawnList(setting, start)
  if (!('each' in setting)) return drawnLeaf(setting)
  const keys = keysOf(setting)
  const records = fc.record(
    Object.fromEntries(keys.map(({ key }) => [key, drawnEach(setting, { key, start })] as const)),
    { requiredKeys: [] },
  )
  return records.map((given) => {
    const texts: { [key: string]: string } = {}
    const isBare = setting.by === 'index' || setting.by === 'name'
    const values: { [key: string]: unknown } = isBare ? {} : { ...setting.default }
    for (const { key, written } of keys) {
      const one = given[key]
      if (one === undefined) continue
      texts[written] = one.text
      values[key] = one.value
    }
    return { text: mappingText(texts), value: values }
  })
}

function drawnEach(
  { each, usual }: Extract<Setting, { readonly each: Setting }>,
  { key, start }: { readonly key: string; readonly start: number },
): fc.Arbitrary<Drawn> {
  if (!('fields' in each)) return drawnSetting(each, start)
  const stands = usual === undefined ? {} : usual(key)
  return drawnFields(each.fields, start, { usual: stands }).map(({ texts, values }) => ({
    text: mappingText(texts),
    value: usual === undefined ? { ...definedOf(usualOf(each.fields)), ...values } : values,
  }))
}

function definedOf(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

function drawnGroup(group: Group, start: number): fc.Arbitrary<Drawn> {
  const { fields, absent, shorthand } = group
  const usual = absent === 'partial' ? {} : definedOf(usualOf(fields))
  const mapping = drawnFields(fields, start).map(({ texts, values }) => {
    const on = shorthand === undefined ? {} : { [shorthand]: true }
    return { text: mappingText(texts), value: { ...usual, ...on, ...values } }
  })
  if (shorthand === undefined) return mapping
  const flag = fc.boolean().map((value) => ({
    text: String(value),
    value: { ...usual, [shorthand]: value },
  }))
  return fc.oneof(mapping, flag)
}

function drawnList(list: Extract<Setting, { readonly items: Setting }>, start: number): fc.Arbitrary<Drawn> {
  const { items, rising } = list
  if (list.repeats !== undefined) return drawnItems(list, start)
  if (rising === undefined) {
    return fc.subarray(['BTC', 'ETH']).map((pairs) => ({ text: JSON.stringify(pairs), value: pairs }))
  }
  if (!('fields' in items)) throw new Error('what rises is a field of a group')
  const time = fc.integer({ min: 0, max: start * 2 })
  const rates = fc.array(drawnFields(items.fields, start), { minLength: 1, maxLength: 4 })
  const times = fc.uniqueArray(time, { minLength: 4, maxLength: 4 })
  return fc.tuple(rates, times, fc.integer({ min: 0, max: start })).map(([parts, drawn, first]) => {
    const later = drawn.filter((each) => each > first).sort((left, right) => left - right)
    const risen = [first, ...later].slice(0, parts.length)
    const list = risen.map((at, index) => {
      const texts = { ...parts[index]?.texts, [rising]: JSON.stringify(formatIsoTime(micros(at))) }
      return { text: mappingText(texts), value: { ...parts[index]?.values, [rising]: at } }
    })
    const texts = list.map(({ text }) => text)
    return { text: `[${texts.join(', ')}]`, value: list.map(({ value }) => value) }
  })
}

/** A list whose items may repeat, or one item instead of a list. */
function drawnItems(
  { items, repeats, most, isLone }: Extract<Setting, { readonly items: Setting }>,
  start: number,
): fc.Arbitrary<Drawn> {
  const minLength = most === undefined ? 0 : 1
  const some = fc.array(drawnSetting(items, start), { minLength, maxLength: most ?? 4 })
  return fc.tuple(some, fc.boolean()).map(([drawn, isAlone]) => {
    const [first] = drawn
    const reported = isLone === true && isAlone && first !== undefined ? [first] : drawn
    const texts = reported.map(({ text }) => text)
    const values = reported.map(({ value }) => value)
    const text = reported === drawn ? `[${texts.join(', ')}]` : String(first?.text)
    if (repeats !== 'sorted') return { text, value: values }
    return { text, value: [...new Set(values.map(Number))].sort((a, b) => a - b) }
  })
}

function keysOf({ by, currencies: named = currencies }: Extract<Setting, { readonly each: Setting }>): readonly {
  readonly key: string
  readonly written: string
}[] {
  if (by === 'lsp_group') return lspGroups.map((key) => ({ key, written: lspGroupName(key) }))
  if (by === 'name') return [{ key: 'desk', written: 'desk' }]
  const keys = by === 'index' ? ['btc_usd', 'eth_usd'] : named
  return keys.map((key) => ({ key, written: key }))
}

function drawnLeaf(leaf: Leaf): fc.Arbitrary<Drawn> {
  switch (leaf.unit) {
    case 'flag':
      return fc.boolean().map((value) => ({ text: String(value), value }))
    case 'word':
      return fc.constantFrom(...leaf.words).map((value) => ({ text: JSON.stringify(value), value }))
    case 'count':
      return whole(leaf).map((value) => ({ text: String(value), value }))
    case 'micros':
      return whole(leaf).map((value) => ({ text: `${value}us`, value }))
    case 'moment':
      return fc.constant({ text: '"1970-01-01T00:00:00Z"', value: 0 })
    case 'parts': {
      const places = leaf.percent === true ? leaf.scale - 2 : leaf.scale
      return whole(leaf).map((value) => ({ text: formatScaled(BigInt(value), places), value }))
    }
    case 'money':
      return fc.bigInt({ min: 0n, max: leaf.max }).map((value) => ({
        text: formatScaled(value, 9),
        value,
      }))
    case 'double': {
      const max = leaf.max > BigInt(LARGE) ? BigInt(LARGE) : leaf.max
      return fc.bigInt({ min: leaf.min, max }).map((count) => {
        const text = formatScaled(count, leaf.scale)
        return { text, value: Number(text) }
      })
    }
    case 'risk_limit':
      return fc.integer({ min: -1, max: LARGE }).map((value) => ({
        text: value === -1 ? '-1' : formatScaled(BigInt(value), 9),
        value,
      }))
    case 'text': {
      const { form } = leaf
      const words = form === undefined ? ['btc_usd', 'eth_usd'] : ['btc_usd', '192.0.2.1']
      const fitting = words.filter((word) => form?.pattern.test(word) ?? true)
      return fc.constantFrom(...fitting).map((value) => ({ text: JSON.stringify(value), value }))
    }
    default:
      throw new Error(`files have no setting of the unit ${leaf.unit}`)
  }
}

function whole({ min = 0, max = LARGE }: { readonly min?: number; readonly max?: number }): fc.Arbitrary<number> {
  return fc.oneof(fc.integer({ min, max }), fc.constantFrom(min, max))
}

/** The settings of a file without settings, except the start. */
export function usualSettings(): { readonly [field: string]: unknown } {
  const { start: _start, ...settings } = defaultConfig(micros(0))
  return settings
}
