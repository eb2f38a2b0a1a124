/**
 * Schemas of plain data: the parameters of methods and the rules of faults are declared with them.
 *
 * They are zod's own, made of its core: what is declared here is what `zod` itself makes of the same words, in the same
 * types, and whoever has `zod` (files of scenarios, JSON Schemas) takes them for its own, `instanceof` too. Its other
 * parts are left out: formats of texts, languages, JSON Schema and code that is made while a program runs are
 * three quarters of what a browser would load for them. A sort of schema that is not here is added here.
 *
 * Problems are told by code alone; the sentences of zod's languages are not loaded.
 */
import type * as zod from 'zod'
import * as core from 'zod/v4/core'

export type { core, infer, input, output, ZodError, ZodInt, ZodString } from 'zod'
export { globalRegistry, toJSONSchema } from 'zod/v4/core'
export type ZodArray<T extends core.SomeType = core.$ZodType> = zod.ZodArray<T>
export type ZodDefault<T extends core.SomeType = core.$ZodType> = zod.ZodDefault<T>
export type ZodEnum<T extends core.util.EnumLike = core.util.EnumLike> = zod.ZodEnum<T>
export type ZodUnion<T extends readonly core.SomeType[] = readonly core.$ZodType[]> =
  zod.ZodUnion<T>
export type ZodObject<
  Shape extends core.$ZodShape = core.$ZodLooseShape,
  Config extends core.$ZodObjectConfig = core.$strip,
> = zod.ZodObject<Shape, Config>
export type ZodOptional<T extends core.SomeType = core.$ZodType> = zod.ZodOptional<T>
export type ZodType<Output = unknown, Input = unknown> = zod.ZodType<Output, Input>

/** A schema of any sort, before it has the type that zod gives it. */
interface Bare extends core.$ZodType {
  def: core.$ZodTypeDef
}

/** Makes schemas of one sort. */
type Sort = (new (
  definition: object,
) => Bare) & {
  init(schema: Bare, definition: core.$ZodTypeDef): void
}

/** The methods of every schema, as zod has them. */
const common: ThisType<Bare> & object = {
  describe(description: string): Bare {
    return noted(this, { description })
  },
  meta(...notes: readonly [] | readonly [core.GlobalMeta]): Bare | core.GlobalMeta | undefined {
    return notes.length === 0 ? core.globalRegistry.get(this) : noted(this, notes[0])
  },
  optional(): Bare {
    return new Optional({ type: 'optional', innerType: this })
  },
  nullable(): Bare {
    return new Nullable({ type: 'nullable', innerType: this })
  },
  nullish(): Bare {
    const innerType = new Nullable({ type: 'nullable', innerType: this })
    return new Optional({ type: 'optional', innerType })
  },
  default(preset: unknown): Bare {
    // A preset that is an object is made anew each time.
    const defaultValue = { get: () => core.util.shallowClone(preset), enumerable: true }
    const definition = { type: 'default', innerType: this }
    return new Default(Object.defineProperty(definition, 'defaultValue', defaultValue))
  },
  refine(holds: (value: unknown) => boolean, problem: string): Bare {
    return checked(this, core._refine(Custom, holds, problem))
  },
  superRefine(report: (value: unknown, context: core.$RefinementCtx) => void): Bare {
    return checked(this, core._superRefine(report))
  },
  parse(value: unknown): unknown {
    return core.parse(this, value)
  },
  safeParse(value: unknown): core.util.SafeParseResult<unknown> {
    return core.safeParse(this, value)
  },
  transform(become: (value: unknown) => unknown): Bare {
    const out = new Transform({ type: 'transform', transform: become })
    return new Pipe({ type: 'pipe', in: this, out })
  },
  pipe(out: core.$ZodType): Bare {
    return new Pipe({ type: 'pipe', in: this, out })
  },
  get description(): string | undefined {
    return core.globalRegistry.get(this)?.description
  },
}

/** The methods of texts and lists. */
const lengths: ThisType<Bare> & object = {
  min(least: number): Bare {
    return checked(this, core._minLength(least))
  },
  max(most: number): Bare {
    return checked(this, core._maxLength(most))
  },
  length(exactly: number): Bare {
    return checked(this, core._length(exactly))
  },
  regex(pattern: RegExp, problem?: string): Bare {
    return checked(this, core._regex(pattern, problem))
  },
}

/** The methods of numbers. */
const bounds: ThisType<Bare> & object = {
  min(least: number): Bare {
    return checked(this, core._gte(least))
  },
  max(most: number): Bare {
    return checked(this, core._lte(most))
  },
  gt(bound: number): Bare {
    return checked(this, core._gt(bound))
  },
  positive(): Bare {
    return checked(this, core._gt(0))
  },
}

/** The part of a definition that schemas of some sorts show under a name of zod's. */
interface Parts {
  readonly def: {
    readonly entries: core.util.EnumLike
    readonly element: core.$ZodType
    readonly shape: core.$ZodShape
    readonly options: readonly core.$ZodType[]
    readonly keyType: core.$ZodType
    readonly valueType: core.$ZodType
    readonly innerType: core.$ZodType
  }
}

const words: ThisType<Parts> & object = {
  get options(): readonly (string | number)[] {
    return Object.values(this.def.entries)
  },
}
const list: ThisType<Parts> & object = {
  ...lengths,
  get element(): core.$ZodType {
    return this.def.element
  },
}
const fields: ThisType<Parts & core.$ZodObject> & object = {
  get shape(): core.$ZodShape {
    return this.def.shape
  },
  partial(): core.$ZodType {
    return core.util.partial(Optional as never, this, undefined)
  },
}
const named: ThisType<Parts> & object = {
  get keyType(): core.$ZodType {
    return this.def.keyType
  },
  get valueType(): core.$ZodType {
    return this.def.valueType
  },
}
const choice: ThisType<Parts> & object = {
  get options(): readonly core.$ZodType[] {
    return this.def.options
  },
}
const around: ThisType<Parts> & object = {
  unwrap(): core.$ZodType {
    return this.def.innerType
  },
}

/** A copy of a schema with notes. */
function noted(schema: Bare, notes: core.GlobalMeta): Bare {
  const copy = core.clone(schema)
  core.globalRegistry.add(copy, notes)
  return copy
}

/** A copy of a schema with one more check. */
function checked(schema: Bare, check: core.$ZodCheck): Bare {
  const checks = [...(schema.def.checks ?? []), check]
  return core.clone(schema, core.util.mergeDefs(schema.def, { checks }), { parent: true })
}

/** Makes a sort of schemas under the name that zod has for it, by which `instanceof` knows them. */
function sort(name: string, base: unknown, methods: object = {}): Sort {
  // The sorts of zod's core take their own definitions; what is made here has what each of them wants.
  const { init } = base as Sort
  const initialize = (schema: Bare, definition: core.$ZodTypeDef): void => {
    init(schema, definition)
    if (name === 'ZodType') schema.def = definition
    else Type.init(schema, definition)
  }
  return core.$constructor<Bare>(name, initialize, methods) as unknown as Sort
}

const Type = /* @__PURE__ */ sort('ZodType', core.$ZodType, common)

const Text = /* @__PURE__ */ sort('ZodString', core.$ZodString, lengths)
const Numeric = /* @__PURE__ */ sort('ZodNumber', core.$ZodNumber, bounds)
const Whole = /* @__PURE__ */ sort('ZodNumber', core.$ZodNumberFormat, bounds)
const Flag = /* @__PURE__ */ sort('ZodBoolean', core.$ZodBoolean)
const Words = /* @__PURE__ */ sort('ZodEnum', core.$ZodEnum, words)
const Literal = /* @__PURE__ */ sort('ZodLiteral', core.$ZodLiteral)
const Named = /* @__PURE__ */ sort('ZodRecord', core.$ZodRecord, named)
const List = /* @__PURE__ */ sort('ZodArray', core.$ZodArray, list)
const Fields = /* @__PURE__ */ sort('ZodObject', core.$ZodObject, fields)
const Union = /* @__PURE__ */ sort('ZodUnion', core.$ZodUnion, choice)
const Optional = /* @__PURE__ */ sort('ZodOptional', core.$ZodOptional, around)
const Nullable = /* @__PURE__ */ sort('ZodNullable', core.$ZodNullable, around)
const Default = /* @__PURE__ */ sort('ZodDefault', core.$ZodDefault, around)
const Unknown = /* @__PURE__ */ sort('ZodUnknown', core.$ZodUnknown)
const Tuple = /* @__PURE__ */ sort('ZodTuple', core.$ZodTuple)
const Never = /* @__PURE__ */ sort('ZodNever', core.$ZodNever)
const Transform = /* @__PURE__ */ sort('ZodTransform', core.$ZodTransform)
const Pipe = /* @__PURE__ */ sort('ZodPipe', core.$ZodPipe)
const Own = /* @__PURE__ */ sort('ZodCustom', core.$ZodCustom)
// As a check it is no sort that anybody is asked to be.
const Custom = core.$ZodCustom as core.util.SchemaClass<core.$ZodCustom>

/** A schema of a sort, under the type that zod gives it. */
function made<T>(Of: Sort, definition: object): T {
  return new Of(definition) as unknown as T
}

/** Returns the schema of a text. */
export function string(): zod.ZodString {
  return made(Text, { type: 'string' })
}

/** Returns the schema of a finite number. */
export function number(): zod.ZodNumber {
  return made(Numeric, { type: 'number' })
}

/** Returns the schema of a whole number that a double holds exactly. */
export function int(): zod.ZodInt {
  return made(Whole, { type: 'number', check: 'number_format', abort: false, format: 'safeint' })
}

/** Returns the schema of `true` and `false`. */
export function boolean(): zod.ZodBoolean {
  return made(Flag, { type: 'boolean' })
}

function enumOf<const T extends readonly string[]>(
  options: T,
): zod.ZodEnum<core.util.ToEnum<T[number]>> {
  const entries = Object.fromEntries(options.map((word) => [word, word]))
  return made(Words, { type: 'enum', entries })
}

export { enumOf as enum }

/** Returns the schema of one value, or of one of several numbers or words. */
export function literal<const T extends core.util.Literal>(
  values: T | readonly T[],
): zod.ZodLiteral<T> {
  return made(Literal, { type: 'literal', values: Array.isArray(values) ? values : [values] })
}

/** Returns the schema of a value that holds; else `problem` says what it should have been. */
export function custom<T>(
  holds: (value: unknown) => boolean,
  problem: string,
): zod.ZodCustom<T, T> {
  const error = (): string => problem
  return made(Own, { type: 'custom', check: 'custom', fn: holds, abort: true, error })
}

/** Returns the schema of any value. */
export function unknown(): zod.ZodUnknown {
  return made(Unknown, { type: 'unknown' })
}

/** Returns the schema of a list of so many values, each with its own. */
export function tuple<const T extends readonly [core.SomeType, ...core.SomeType[]]>(
  items: T,
): zod.ZodTuple<T, null> {
  return made(Tuple, { type: 'tuple', items, rest: null })
}

/** Returns the schema of an object with any names. */
export function record<Key extends core.$ZodRecordKey, Value extends core.SomeType>(
  keyType: Key,
  valueType: Value,
): zod.ZodRecord<Key, Value> {
  return made(Named, { type: 'record', keyType, valueType })
}

/** Returns the schema of an object with some of the names that its keys may be. */
export function partialRecord<Key extends core.$ZodRecordKey, Value extends core.SomeType>(
  keyType: Key,
  valueType: Value,
): zod.ZodRecord<Key & core.$partial, Value> {
  return made(Named, { type: 'record', keyType, valueType, partial: true })
}

/** Returns the schema of a list. */
export function array<T extends core.SomeType>(element: T): zod.ZodArray<T> {
  return made(List, { type: 'array', element })
}

/** Returns the schema of an object, whose other fields are dropped. */
export function object<T extends core.$ZodLooseShape>(
  shape: T,
): zod.ZodObject<core.util.Writeable<T>, core.$strip> {
  return made(Fields, { type: 'object', shape })
}

/** Returns the schema of an object that has no other fields. */
export function strictObject<T extends core.$ZodLooseShape>(
  shape: T,
): zod.ZodObject<core.util.Writeable<T>, core.$strict> {
  return made(Fields, { type: 'object', shape, catchall: new Never({ type: 'never' }) })
}

/** Returns the schema of a value of one of several schemas. */
export function union<const T extends readonly core.SomeType[]>(options: T): zod.ZodUnion<T> {
  return made(Union, { type: 'union', options })
}

// The sorts that schemas are asked for by `instanceof`, each under zod's type.
export const ZodType = Type as unknown as typeof zod.ZodType
export const ZodArray = List as unknown as typeof zod.ZodArray
export const ZodDefault = Default as unknown as typeof zod.ZodDefault
export const ZodObject = Fields as unknown as typeof zod.ZodObject
export const ZodOptional = Optional as unknown as typeof zod.ZodOptional
export const ZodEnum = Words as unknown as typeof zod.ZodEnum
export const ZodNullable = Nullable as unknown as typeof zod.ZodNullable
export const ZodRecord = Named as unknown as typeof zod.ZodRecord
export const ZodTuple = Tuple as unknown as typeof zod.ZodTuple
export const ZodUnion = Union as unknown as typeof zod.ZodUnion
