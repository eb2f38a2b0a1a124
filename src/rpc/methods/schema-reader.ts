/**
 * Readers of values, derived from zod schemas: one for the parameters of each method, and one for the requests of a
 * journal. A reader returns the value that its schema would return, or the first mistake that the schema would report,
 * in the venue's words: the parameter, with its path inside other parameters, and the problem. It does not run the
 * schema; a property compares both for all methods.
 *
 * A schema reads all of its fields, a reader only the given ones. Defaults of the other fields are in the prototype of
 * the parameters, because copying them costs more than everything besides. So parameters must never be spread, which a
 * check of the sources enforces; objects inside them have no such prototype.
 *
 * Limits: a schema of another kind, or with another check, is a defect of the method, and its first request throws.
 * Source: sessions document 1.1 (`null` is absent), 1.2 (`data` of an error).
 */
import { assert, type z } from '../../core/index.ts'
import type { Fault } from '../../model/index.ts'
import { paramFault, type Read } from './params.ts'

/**
 * Returns the value of the schema, or the fault of the first mistake. A `null` counts as an absent field, except in an
 * object whose place is `value`: there the reader of the field accepts or refuses it.
 */
export type ParamReader<Params extends object = object> = (params: unknown) => Read<Params>

/** Returns the value of the schema, or a mistake. */
type Reader = (value: unknown) => unknown
/** Returns a mistake if the value does not satisfy the check. */
type Check = (value: unknown) => Mistake | null

/** The parts of a schema and of its checks, as zod types them by kind. */
type Definition = z.core.$ZodTypes['_zod']['def']
type CheckDefinition = z.core.$ZodChecks['_zod']['def'] | z.core.$ZodCustomDef

const mistaken: unique symbol = Symbol('mistake')

/** A mistake in a value. */
interface Mistake {
  readonly [mistaken]: true
  /** Its place in the value: names of fields, and indices in lists. */
  readonly path: readonly (string | number)[]
  readonly problem: string
  /** True if the value has the type of its schema, and only a check refused it. */
  readonly hasType: boolean
}

interface FieldReader {
  readonly read: Reader
  readonly isRequired: boolean
}

/** An object from JSON or from a program. */
interface Fields {
  readonly [name: string]: unknown
}

/** The position of an object. In the parameters and in entries of their lists, `null` means absent. */
type Place = 'params' | 'entry' | 'value'

/** The reader of a method's parameters, or of another object. It is built on first use. */
export function paramReader<Schema extends z.ZodObject>(
  schema: Schema,
  place: Place = 'params',
): ParamReader<z.output<Schema>> {
  let read: Reader | undefined
  return (params) => {
    read ??= readerOf(schema, place)
    const found = read(params)
    if (isMistake(found)) return { ok: false, fault: faultOf(found, params) }
    // The reader returns the value of its schema.
    return { ok: true, value: found as z.output<Schema> }
  }
}

function faultOf(mistake: Mistake, params: unknown): Fault {
  // A decimal text is one value, so the path ends at its parameter.
  const path = mistake.path.at(-1) === 'decimal' ? mistake.path.slice(0, -1) : mistake.path
  let value = params
  for (const step of path) value = (value as Fields | null | undefined)?.[step]
  return paramFault(
    path.length === 0 ? 'params' : path.join('.'),
    (value ?? null) === null ? 'required' : mistake.problem,
  )
}

function readerOf(schema: z.core.$ZodType, place: Place): Reader {
  const def = definitionOf(schema)
  const read = typeReader(def, place)
  const given = (def.checks ?? []).map((check) => check._zod.def as CheckDefinition)
  // An integer schema is its own first check.
  const checks = ('check' in def ? [def as CheckDefinition, ...given] : given).map(checkOf)
  if (checks.length === 0) return read
  return (value) => {
    const found = read(value)
    if (isMistake(found)) return found
    for (const check of checks) {
      const mistake = check(found)
      if (mistake !== null) return mistake
    }
    return found
  }
}

/** The reader of a type, without its checks. */
function typeReader(def: Definition, place: Place): Reader {
  switch (def.type) {
    case 'string':
    case 'boolean': {
      const { type } = def
      return (value) => (typeof value === type ? value : wrongType)
    }
    case 'number':
      return (value) => (Number.isFinite(value) ? value : wrongType)
    case 'enum':
      return wordReader(Object.values(def.entries))
    case 'literal':
      return wordReader(def.values)
    case 'unknown':
      return (value) => value
    case 'optional':
    case 'default':
      // The reader of the object skips absent fields.
      return readerOf(def.innerType, place)
    case 'nullable': {
      const read = readerOf(def.innerType, place)
      return (value) => (value === null ? null : read(value))
    }
    case 'pipe':
      return pipeReader(def, place)
    case 'transform':
      return (value) => def.transform(value, { value, issues: [] })
    case 'union':
      return unionReader(def.options, place)
    case 'array':
      return listReader(readerOf(def.element, place === 'params' ? 'entry' : 'value'))
    case 'record':
      return recordReader(def)
    case 'object':
      return objectReader(def, place === 'entry' || place === 'params' ? place : 'value')
    default:
      return unknownPart(def.type)
  }
}

function wordReader(words: readonly unknown[]): Reader {
  const known = new Set(words)
  return (value) => (known.has(value) ? value : unknownWord)
}

function pipeReader(def: z.core.$ZodPipeDef, place: Place): Reader {
  const [first, second] = [readerOf(def.in, place), readerOf(def.out, place)]
  return (value) => {
    const found = first(value)
    return isMistake(found) ? { ...found, hasType: false } : second(found)
  }
}

/** Reads by the first alternative that accepts the value. */
function unionReader(options: readonly z.core.$ZodType[], place: Place): Reader {
  const readers = options.map((option) => readerOf(option, place))
  return (value) => {
    for (const read of readers) {
      const found = read(value)
      if (!isMistake(found)) return found
    }
    const mistakes = readers.map((read) => read(value)).filter(isMistake)
    const [own, other] = mistakes.filter(({ hasType }) => hasType)
    if (own !== undefined && other === undefined) return own
    // Otherwise report the problem of an alternative that says more than a wrong type.
    const found = mistakes.find(({ problem }) => problem !== wrongType.problem)
    return { ...(found ?? wrongType), path: [], hasType: false }
  }
}

function listReader(read: Reader): Reader {
  return (value) => {
    if (!Array.isArray(value)) return wrongType
    const items: unknown[] = []
    for (const item of value) {
      const found = read(item)
      if (isMistake(found)) return within(items.length, found)
      items.push(found)
    }
    return items
  }
}

/** Reads an object with arbitrary names. */
function recordReader(def: z.core.$ZodRecordDef): Reader {
  const keys = definitionOf(def.keyType)
  if (keys.type !== 'string' || keys.checks !== undefined) return unknownPart('record with limited names')
  const read = readerOf(def.valueType, 'value')
  return (value) => {
    if (!isObject(value) || !isOfNoClass(value)) return wrongType
    const entries: [string, unknown][] = []
    for (const name of Object.keys(value)) {
      if (name === '__proto__') continue
      const found = read(value[name])
      if (isMistake(found)) return within(name, found)
      entries.push([name, found])
    }
    return Object.fromEntries(entries)
  }
}

function objectReader(def: z.core.$ZodObjectDef, place: Place): Reader {
  const others = def.catchall?._zod.def.type
  if (others !== undefined && others !== 'never') return unknownPart('object with other fields')
  const isStrict = others === 'never'
  const fields = new Map<string, FieldReader>()
  /** The defaults of absent fields. */
  const absent: { [name: string]: unknown } = {}
  /** Fields whose default is an object, which must be new each time. */
  const made = new Map<string, z.core.$ZodDefaultDef>()
  for (const [name, field] of Object.entries(def.shape)) {
    const own = definitionOf(field)
    if (own.type === 'default') {
      if (typeof own.defaultValue === 'object') made.set(name, own)
      else absent[name] = own.defaultValue
    }
    const isRequired = own.type !== 'default' && own.type !== 'optional' && own.type !== 'unknown'
    fields.set(name, { read: readerOf(field, place === 'params' ? 'params' : 'value'), isRequired })
  }
  const requiredCount = [...fields.values()].filter(({ isRequired }) => isRequired).length
  const isAbsent = (given: unknown): boolean => given === undefined || (given === null && place !== 'value')
  return (value) => {
    if (!isObject(value)) return wrongType
    const read = place === 'params' ? inheriting(absent) : { ...absent }
    let missing = requiredCount
    for (const name of namesOf(value, fields)) {
      const given = value[name]
      const field = fields.get(name)
      if (field === undefined) {
        if (isStrict && (given !== null || place === 'value')) return firstMistake(fields, value, isAbsent)
      } else if (!isAbsent(given)) {
        const found = field.read(given)
        if (isMistake(found)) return firstMistake(fields, value, isAbsent)
        read[name] = found
        if (field.isRequired) missing -= 1
      }
    }
    if (missing > 0) return firstMistake(fields, value, isAbsent)
    for (const [name, own] of made) if (isAbsent(value[name])) read[name] = own.defaultValue
    return read
  }
}

/** The first mistake of an object in the order of its schema, whatever the order of the given fields. */
function firstMistake(
  fields: ReadonlyMap<string, FieldReader>,
  value: Fields,
  isAbsent: (given: unknown) => boolean,
): Mistake {
  for (const [name, { read, isRequired }] of fields) {
    const given = value[name]
    if (!isAbsent(given)) {
      const found = read(given)
      if (isMistake(found)) return within(name, found)
    } else if (isRequired) return within(name, wrongType)
  }
  return unknownField
}

/** An object without own fields. */
function inheriting(presets: object): { [name: string]: unknown } {
  return Object.create(presets) as { [name: string]: unknown }
}

/** The names of given fields; an object of another prototype can inherit them. */
function namesOf(value: object, fields: ReadonlyMap<string, unknown>): Iterable<string> {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === null) return Object.keys(value)
  const names = new Set(fields.keys())
  let owner: unknown = value
  while (typeof owner === 'object' && owner !== null) {
    for (const name of Object.keys(owner)) names.add(name)
    owner = Object.getPrototypeOf(owner)
  }
  return names
}

const wrongType = mistakeOf('wrong_type', false)
const unknownWord = mistakeOf('unknown_value', false)
const unknownField = mistakeOf('invalid', true)

function mistakeOf(problem: string, hasType: boolean): Mistake {
  return { [mistaken]: true, path: [], problem, hasType }
}

function within(step: string | number, mistake: Mistake): Mistake {
  return { ...mistake, path: [step, ...mistake.path] }
}

function isMistake(value: unknown): value is Mistake {
  return typeof value === 'object' && value !== null && mistaken in value
}

function checkOf(def: CheckDefinition): Check {
  switch (def.check) {
    case 'number_format':
      return def.format === 'safeint' ? integerMistake : unknownPart(def.format)
    case 'greater_than':
      return boundCheck(def, 1, 'too_small')
    case 'less_than':
      return boundCheck(def, -1, 'too_large')
    case 'min_length':
      return checkThat((value) => lengthOf(value) >= def.minimum, 'too_small')
    case 'max_length':
      return checkThat((value) => lengthOf(value) <= def.maximum, 'too_large')
    case 'string_format': {
      const { format, pattern } = def
      if (format !== 'regex' || pattern === undefined) return unknownPart(format)
      // Strings have this check.
      return checkThat((value) => pattern.test(value as string), 'invalid')
    }
    case 'custom': {
      // Checks of this library use the word of the problem as their message.
      const problem: unknown = def.error?.({} as never)
      return typeof problem === 'string' ? checkThat(def.fn, problem) : unknownPart('check without a word')
    }
    default:
      return unknownPart(def.check)
  }
}

function checkThat(holds: (value: never) => unknown, problem: string): Check {
  const mistake = mistakeOf(problem, true)
  return (value) => (holds(value as never) ? null : mistake)
}

const [tooSmall, tooLarge] = [mistakeOf('too_small', true), mistakeOf('too_large', true)]

function integerMistake(value: unknown): Mistake | null {
  if (Number.isSafeInteger(value)) return null
  if (!Number.isInteger(value)) return wrongType
  return Number(value) < 0 ? tooSmall : tooLarge
}

function boundCheck(
  { value: bound, inclusive }: z.core.$ZodCheckLessThanDef | z.core.$ZodCheckGreaterThanDef,
  sign: 1 | -1,
  problem: string,
): Check {
  if (typeof bound !== 'number') return unknownPart('bound of another type')
  return checkThat((value) => {
    const beyond = (Number(value) - bound) * sign
    return inclusive ? beyond >= 0 : beyond > 0
  }, problem)
}

function lengthOf(value: unknown): number {
  // Only texts and lists have such checks.
  return (value as string | readonly unknown[]).length
}

function definitionOf(schema: z.core.$ZodType): Definition {
  // Every schema is of one of zod's kinds.
  return (schema as z.core.$ZodTypes)._zod.def
}

function unknownPart(name: string): never {
  assert(false, `readers know the parts of a schema, and not: ${name}`)
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** False for an instance of a class. */
function isOfNoClass({ constructor: of }: Fields): boolean {
  // Each realm has its own `Object`.
  return typeof of !== 'function' || Object.hasOwn(of.prototype as object, 'isPrototypeOf')
}
