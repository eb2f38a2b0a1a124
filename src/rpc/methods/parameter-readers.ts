/**
 * Readers of parameters, built from the schema that a method declares. They are closures that accept valid values and
 * leave all other values to the schema, which alone reports errors.
 *
 * A schema checks all of its fields, a reader only the given ones. Defaults of the other fields are in the prototype of
 * the parameters, because copying them costs more than everything besides. So parameters must never be spread, which a
 * check of the sources enforces; objects inside them have no such prototype. Readers do not know some parts of schemas
 * (patterns, records, pipes); there they call the schema of that part.
 */
import type { z } from '../../core/index.ts'

/** A reader returns it for a value that it leaves to the schema. */
export const unread: unique symbol = Symbol('unread')

/**
 * Returns the result of the schema, or `unread` if only the schema can decide. A `null` counts as an absent field,
 * except in an object whose place is `value`: there the reader of the field accepts or refuses it.
 */
export type ParamReader = (params: unknown) => object | typeof unread

type Reader = (value: unknown) => unknown
type Check = (value: unknown) => unknown

/** The parts of a schema and of its checks, as zod types them by kind. */
type Definition = z.core.$ZodTypes['_zod']['def']
type CheckDefinition = z.core.$ZodChecks['_zod']['def'] | z.core.$ZodCustomDef

interface FieldReader {
  readonly read: Reader
  readonly required: boolean
}

/** The position of an object. In the parameters and in entries of their lists, `null` means absent. */
type Place = 'params' | 'entry' | 'value'

/** The reader of a method's parameters, or of another object. It is built on first use. */
export function paramReader(schema: z.ZodObject, place: Place = 'params'): ParamReader {
  let read: ParamReader | undefined
  return (params) => {
    read ??= objectReader(schema, place)
    return read(params)
  }
}

function objectReader(schema: z.ZodObject, place: Place): ParamReader {
  const fields = new Map<string, FieldReader>()
  /** The defaults of missing fields. */
  const absent: { [name: string]: unknown } = {}
  let requiredCount = 0
  const inner = place === 'params' ? 'params' : 'value'
  for (const [name, field] of Object.entries(schema.shape as { [name: string]: z.ZodType })) {
    const none = field.safeParse(undefined)
    // A default that is an object must be new each time, so the schema makes it.
    if (typeof none.data === 'object' && none.data !== null) return () => unread
    if (!none.success) requiredCount += 1
    else if (none.data !== undefined) absent[name] = none.data
    fields.set(name, { read: fieldReader(field, inner), required: !none.success })
  }
  const checks = checksOf(schema)
  const others: z.core.$ZodType | undefined = schema.def.catchall
  const isStrict = others?._zod.def.type === 'never'
  if (checks === undefined || (others !== undefined && !isStrict)) return () => unread
  return (value) => {
    if (!isPlain(value)) return unread
    const read = place === 'params' ? inheriting(absent) : { ...absent }
    let missing = requiredCount
    for (const name of Object.keys(value)) {
      const given = value[name]
      const field = fields.get(name)
      if (field === undefined && isStrict) return unread
      if (field === undefined || given === undefined) continue
      if (given === null && place !== 'value') continue
      const found = field.read(given)
      if (found === unread) return unread
      read[name] = found
      if (field.required) missing -= 1
    }
    return missing === 0 && holdAll(checks, read) ? read : unread
  }
}

/** An object without own fields. */
function inheriting(presets: object): { [name: string]: unknown } {
  return Object.create(presets) as { [name: string]: unknown }
}

/** The reader of a given field; the reader of its object handles a missing one. */
function fieldReader(field: z.ZodType, place: Place): Reader {
  const def = definitionOf(field)
  const wraps = def.type === 'optional' || def.type === 'default'
  if (!wraps || def.checks !== undefined) return readerOf(field, place)
  return fieldReader(def.innerType as z.ZodType, place)
}

function readerOf(schema: z.ZodType, place: Place): Reader {
  const def = definitionOf(schema)
  const checks = checksOf(schema)
  if (checks === undefined) return bySchema(schema)
  switch (def.type) {
    case 'string':
      return (value) => (typeof value === 'string' && holdAll(checks, value) ? value : unread)
    case 'boolean':
      return (value) => (typeof value === 'boolean' ? value : unread)
    case 'number':
      return (value) => (Number.isFinite(value) && holdAll(checks, value) ? value : unread)
    case 'enum': {
      const words: ReadonlySet<unknown> = new Set(Object.values(def.entries))
      return (value) => (words.has(value) ? value : unread)
    }
    case 'unknown':
      return (value) => value
    case 'nullable': {
      const read = readerOf(def.innerType as z.ZodType, place)
      return (value) => (value === null ? null : read(value))
    }
    case 'union':
      return unionReader(schema, def.options as readonly z.ZodType[], place)
    case 'array':
      return listReader(readerOf(def.element as z.ZodType, place === 'params' ? 'entry' : 'value'), checks)
    case 'object':
      // The type of the definition says that this is an object schema.
      return objectReader(schema as z.ZodObject, place === 'entry' ? 'entry' : 'value')
    default:
      return bySchema(schema)
  }
}

/**
 * Tries the alternatives in order. At most one of them may be an object or a list, so that no alternative is skipped.
 */
function unionReader(schema: z.ZodType, options: readonly z.ZodType[], place: Place): Reader {
  const deep = options.filter((option) => option.def.type === 'object' || option.def.type === 'array')
  if (deep.length > 1) return bySchema(schema)
  const readers = options.map((option) => readerOf(option, place))
  return (value) => {
    for (const read of readers) {
      const found = read(value)
      if (found !== unread) return found
    }
    return unread
  }
}

function listReader(read: Reader, checks: readonly Check[]): Reader {
  return (value) => {
    if (!Array.isArray(value)) return unread
    const items: unknown[] = []
    for (const item of value) {
      const found = read(item)
      if (found === unread) return unread
      items.push(found)
    }
    return holdAll(checks, items) ? items : unread
  }
}

/** Uses the schema itself for a part that readers do not know. */
function bySchema(schema: z.ZodType): Reader {
  return (value) => {
    const parsed = schema.safeParse(value)
    return parsed.success ? parsed.data : unread
  }
}

function definitionOf(schema: z.ZodType): Definition {
  // Every schema is of one of zod's kinds.
  return (schema as unknown as z.core.$ZodTypes)._zod.def
}

/** The checks of a schema; undefined if readers do not know one of them. */
function checksOf(schema: z.ZodType): readonly Check[] | undefined {
  const def = definitionOf(schema)
  const checks: Check[] = []
  const given = (def.checks ?? []).map((check) => check._zod.def as CheckDefinition)
  // An integer schema is its own first check.
  for (const each of 'check' in def ? [def as CheckDefinition, ...given] : given) {
    const known = checkOf(each)
    if (known === undefined) return undefined
    checks.push(known)
  }
  return checks
}

function checkOf(def: CheckDefinition): Check | undefined {
  switch (def.check) {
    case 'number_format':
      return def.format === 'safeint' ? Number.isSafeInteger : undefined
    case 'greater_than':
    case 'less_than': {
      const { check, value: bound, inclusive } = def
      if (typeof bound !== 'number') return undefined
      const sign = check === 'less_than' ? -1 : 1
      return (value) => {
        const beyond = (Number(value) - bound) * sign
        return inclusive ? beyond >= 0 : beyond > 0
      }
    }
    case 'min_length':
      return (value) => lengthOf(value) >= def.minimum
    case 'max_length':
      return (value) => lengthOf(value) <= def.maximum
    case 'custom':
      return def.fn
    default:
      return undefined
  }
}

function lengthOf(value: unknown): number {
  // Only texts and lists have such checks.
  return (value as string | readonly unknown[]).length
}

function holdAll(checks: readonly Check[], value: unknown): boolean {
  for (const holds of checks) {
    if (!holds(value)) return false
  }
  return true
}

/** True for a plain object of JSON. A schema also reads inherited fields, which a reader does not see. */
function isPlain(value: unknown): value is { readonly [name: string]: unknown } {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
