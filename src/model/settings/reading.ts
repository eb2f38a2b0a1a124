/**
 * Reads settings from scenario files and heads of journals, and checks those of programs. One walk along the
 * declarations does all three.
 */
import { formatIsoTime, type Micros, type Result } from '../../core/index.ts'
import { lspGroupName } from '../risk-terms.ts'
import { currencies } from '../words/currencies.ts'
import { lspGroups } from '../words/liquidations.ts'
import type { Fields, Group, List, Said, Setting, Several, Values } from './declaration.ts'
import { defaultOf, defaultValues } from './defaults.ts'
import { type Place, readSettingLeaf } from './units.ts'

/** An invalid setting. */
export interface SettingFault {
  /** Keys and positions of the setting. */
  readonly path: readonly (string | number)[]
  readonly expected: string
  readonly found: unknown
  /** Text for the value found, if the value itself is not clear. */
  readonly words?: string
  /** True if the key at the end of the path is at fault. */
  readonly isKey?: boolean
  /** A suggestion. */
  readonly hint?: string | undefined
}

/** The kind of source, and facts about it. */
interface Reading {
  readonly place: Place
  /** The start of the run. */
  readonly start: Micros
  /** Expected text for an index that nothing follows, or undefined; only for files. */
  readonly unknownIndex?: (index: string) => Pick<SettingFault, 'expected' | 'hint'> | undefined
}

/** A walk along declarations. */
interface Walk extends Reading {
  readonly faults: SettingFault[]
}

type Path = SettingFault['path']

/** A reading of settings at a path. */
interface PathReading extends Reading {
  readonly path: Path
}

/** Reads settings. Returns their values, with defaults for omitted ones, and all faults. */
export function readSettings(
  fields: Fields,
  given: unknown,
  { path, ...reading }: PathReading,
): { readonly values: Values; readonly faults: readonly SettingFault[] } {
  const walk = { ...reading, faults: [] }
  const values = readFields(walk, { fields }, given, path, true)
  return { values, faults: walk.faults }
}

/** Key of a setting: in files, in journals, or the name of its field; null if files cannot set it. */
export function settingKey(setting: Setting, field: string, place: Place): string | null {
  if (place === 'config') return field
  if (place === 'file') return setting.key
  const key = setting.journal ?? setting.key ?? field
  if (setting.journal !== undefined || !('unit' in setting) || setting.unit !== 'micros') return key
  return `${key.replace(/_(time|window|wait)$/, '')}_micros`
}

/** Reads given settings; `isTop` is true at the top of a file. */
function readFields(walk: Walk, group: Group, given: unknown, path: Path, isTop = false): Values {
  const said = recordOf(walk, given, path)
  const { fields, inFiles = Object.keys(fields) } = group
  const isVerbatim = group.verbatim === true && walk.place === 'journal'
  const names = walk.place === 'file' ? inFiles : Object.keys(isVerbatim ? said : fields)
  const isOptional = group.absent === 'partial' || (group.absent === 'whole' && walk.place === 'config')
  const values: { [field: string]: unknown } = {}
  const known = new Set<string>()
  for (const field of new Set([...names, ...Object.keys(fields)])) {
    const setting = fields[field]
    if (setting === undefined) continue
    const key = isVerbatim ? field : settingKey(setting, field, walk.place)
    if (key !== null) known.add(key)
    const one = key === null ? undefined : said[key]
    if (one === undefined && isOptional) continue
    const value = readSetting(walk, setting, one, [...path, key ?? field], isTop)
    if (value !== undefined) values[field] = value
  }
  if (walk.place !== 'file' && !(isTop && walk.place === 'config')) {
    for (const key of Object.keys(said).filter((each) => !known.has(each))) {
      const expected = `one of ${[...known].join(', ')}`
      walk.faults.push({ path: [...path, key], expected, found: key, isKey: true })
    }
  }
  checkOrder(walk, fields, said, values, path)
  return values
}

/** Checks settings that may not exceed another setting. */
function checkOrder({ place, faults }: Walk, fields: Fields, said: Values, values: Values, path: Path): void {
  for (const [field, setting] of Object.entries(fields)) {
    if (!('unit' in setting) || setting.unit !== 'count' || setting.upTo === undefined) continue
    const other = fields[setting.upTo]
    const [least, most] = [Number(values[field]), Number(values[setting.upTo])]
    if (other === undefined || !(least > most)) continue
    const key = settingKey(setting, field, place) ?? field
    const otherKey = settingKey(other, setting.upTo, place) ?? setting.upTo
    const isSaid = said[key] !== undefined
    const expected = isSaid
      ? `a limit up to the ${otherKey} limit, ${most}`
      : `a limit of at least the ${key} limit, ${least}`
    faults.push({
      path: [...path, isSaid ? key : otherKey],
      expected,
      found: isSaid ? least : most,
    })
  }
}

/** Reads a given setting; `isTop` is true at the top of a file. */
function readSetting(walk: Walk, setting: Setting, given: unknown, path: Path, isTop: boolean): unknown {
  const isLeft = given === undefined && walk.place !== 'config'
  if ('fields' in setting) {
    const isThere = setting.absent === undefined || setting.absent === 'usual'
    if (given === null && setting.absent === 'null' && walk.place !== 'file') return null
    if (isLeft && (isTop || !isThere)) return defaultOf(setting)
    if (given === undefined && !isThere) return undefined
    return readGroup(walk, setting, isLeft ? {} : given, path)
  }
  if (isLeft && setting.default !== undefined) return setting.default
  if ('each' in setting) return readSeveral(walk, setting, given, path)
  if ('items' in setting) return readList(walk, setting, given, path)
  return taken(walk, readSettingLeaf(setting, given, walk.place), given, path)
}

function readGroup(walk: Walk, group: Group & Said, given: unknown, path: Path): unknown {
  if (group.shorthand === undefined || walk.place !== 'file') {
    return readFields(walk, group, given, path)
  }
  const usual = defaultValues(group.fields)
  if (typeof given === 'boolean') return { ...usual, [group.shorthand]: given }
  const values = readFields(walk, group, given, path)
  const key = group.fields[group.shorthand]?.key ?? group.shorthand
  const isSaid = recordOf(walk, given, path)[key] !== undefined
  return isSaid ? values : { ...values, [group.shorthand]: true }
}

function readSeveral(walk: Walk, several: Several, given: unknown, path: Path): unknown {
  const said = recordOf(walk, given, path)
  const { each, default: usual = {} } = several
  // Files change some of the default values. In journals and programs, the given currencies are complete.
  const isAdded = several.by === 'lsp_group' || (several.by === 'currency' && walk.place === 'file')
  const values: { [key: string]: unknown } = isAdded ? { ...usual } : {}
  for (const { key, written } of keysOf(walk, several, said, path)) {
    const at = [...path, written]
    const one = said[written]
    values[key] =
      several.usual === undefined
        ? readSetting(walk, each, one, at, false)
        : { ...several.usual(key), ...readGiven(walk, each, one, at) }
  }
  return values
}

/** The given fields of a group. The defaults of the others depend on its key. */
function readGiven(walk: Walk, each: Setting, given: unknown, path: Path): Values {
  if (!('fields' in each)) return {}
  const absent = walk.place === 'file' ? { absent: 'partial' as const } : {}
  return readFields(walk, { ...each, ...absent }, given, path)
}

/** The keys of the given values, as field names and as written. */
function keysOf(
  walk: Walk,
  { by, anyIndex, currencies: named = currencies }: Several,
  said: Values,
  path: Path,
): readonly { readonly key: string; readonly written: string }[] {
  if (by === 'index') {
    for (const index of Object.keys(said)) {
      const unknown = anyIndex === true ? undefined : walk.unknownIndex?.(index)
      if (unknown !== undefined) {
        walk.faults.push({ path: [...path, index], found: index, isKey: true, ...unknown })
      }
    }
  }
  if (by === 'index' || by === 'name') {
    return Object.keys(said).map((key) => ({ key, written: key }))
  }
  const all: readonly { readonly key: string; readonly written: string }[] =
    by === 'lsp_group'
      ? lspGroups.map((key) => ({ key, written: walk.place === 'file' ? lspGroupName(key) : key }))
      : (walk.place === 'file' ? named : currencies).map((key) => ({ key, written: key }))
  for (const key of Object.keys(said)) {
    if (walk.place === 'file' || all.some(({ written }) => written === key)) continue
    const expected =
      by === 'currency' ? 'a currency that accounts hold' : `one of ${all.map(({ written }) => written).join(', ')}`
    walk.faults.push({ path: [...path, key], expected, found: key, isKey: true })
  }
  // Programs must give the limit of each group of the programme.
  const isWhole = by === 'lsp_group' && walk.place === 'config'
  return all.filter(({ written }) => isWhole || said[written] !== undefined)
}

function readList(walk: Walk, list: List, given: unknown, path: Path): unknown {
  if (given === null && list.default === null && walk.place !== 'file') return null
  const isList = Array.isArray(given)
  const isLone = !isList && list.isLone === true && walk.place === 'file'
  if (!isList && !isLone) {
    if (walk.place !== 'file') walk.faults.push({ path, expected: 'a list', found: given })
    return []
  }
  const items: readonly unknown[] = isList ? given : [given]
  checkCount(walk, list, items, path)
  if (items.length === 0 && list.rising !== undefined && walk.place === 'config') {
    walk.faults.push({ path, expected: 'an entry that applies at the start', found: undefined })
  }
  const values = items.map((item, index) =>
    readSetting(walk, list.items, item, isLone ? path : [...path, index], false),
  )
  if (list.rising !== undefined) checkRising(walk, list, items, values, path)
  else if (list.repeats === undefined) checkOnce(walk, list, items, path)
  // Lists with `sorted` contain numbers.
  return list.repeats === 'sorted' ? inOrder(values as readonly number[]) : values
}

/** Each number once, in ascending order. */
function inOrder(values: readonly number[]): readonly number[] {
  return [...new Set(values)].sort((left, right) => left - right)
}

/**
 * The schema of files checks the number of items. Programs may give an empty list, which is the same as the default.
 */
function checkCount({ place, faults }: Walk, { most }: List, items: readonly unknown[], path: Path): void {
  if (most === undefined || place === 'file') return
  if (items.length <= most && (items.length > 0 || place === 'config')) return
  faults.push({ path, expected: `a list of 1 to ${most}`, found: items })
}

function checkOnce({ faults }: Walk, { items: each }: List, items: readonly unknown[], path: Path): void {
  const noun = 'unit' in each ? each.unit : 'item'
  for (const [index, item] of items.entries()) {
    if (items.indexOf(item) === index || typeof item !== 'string') continue
    const words = `a second ${item}`
    faults.push({ path: [...path, index], expected: `each ${noun} once`, found: item, words })
  }
}

/** Checks that times rise and that the first is not after the start. */
function checkRising(
  { faults, start, place }: Walk,
  { rising = '', items: each }: List,
  items: readonly unknown[],
  values: readonly unknown[],
  path: Path,
): void {
  const field = 'fields' in each ? each.fields[rising] : undefined
  if (field === undefined) return
  const key = settingKey(field, rising, place) ?? rising
  let before = -1
  for (const [index, value] of values.entries()) {
    const time = (value as Values)[rising]
    if (typeof time !== 'number') continue
    const found = (items[index] as Values)[key]
    const at = [...path, index, key]
    if (index === 0 && time > start) {
      const expected = `a time up to the start, ${formatIsoTime(start)}, because the first entry applies from the start`
      faults.push({ path: at, expected, found })
    } else if (time <= before) {
      faults.push({ path: at, expected: 'a later time than in the previous entry', found })
    }
    before = time
  }
}

/**
 * The fields of a value that should be a mapping; no fields if it is not a mapping. For files the schema reports that
 * fault.
 */
function recordOf(walk: Walk, given: unknown, path: Path): Values {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given as Values
  if (walk.place !== 'file') walk.faults.push({ path, expected: 'a mapping', found: given })
  return {}
}

function taken(walk: Walk, read: Result<unknown, string>, given: unknown, path: Path): unknown {
  if (read.ok) return read.value
  if (read.error !== '') walk.faults.push({ path, expected: read.error, found: given })
  return undefined
}
