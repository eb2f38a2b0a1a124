/**
 * Reads types of TypeScript as JSON Schemas. Objects are closed. A type that no schema can express is a fault: `any`,
 * `unknown`, a bare `object`, an object without fields, a function.
 */
import ts from 'typescript'
import { fieldWords, wholeNumbers } from './field-words.ts'
import { type JsonSchema, type JsonWord, SCHEMAS } from './json-schema.ts'

const FULL_NAME = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseFullyQualifiedType

/** A named type: its declaration, and its schema after reading. */
interface Named {
  readonly full: string
  readonly declared: string
  schema: JsonSchema
}

/** Reads results, with the named types that they refer to. */
export class TypeReader {
  readonly #checker: ts.TypeChecker
  readonly #named = new Map<string, Named>()
  readonly #faults: string[] = []
  readonly #bigints: 'text' | 'none'

  /** `bigints` decides whether 64-bit integers are written as text or are an error. */
  constructor(checker: ts.TypeChecker, bigints: 'text' | 'none' = 'none') {
    this.#checker = checker
    this.#bigints = bigints
  }

  /** Named types met so far, by name. */
  types(): Readonly<Record<string, JsonSchema>> {
    const entries = [...this.#named].map(([name, { schema }]) => [name, schema] as const)
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** Names of the types in their declarations. */
  declared(): readonly string[] {
    return [...new Set([...this.#named.values()].map(({ declared }) => declared))].sort()
  }

  /** Throws if a read type does not describe JSON values. */
  check(): void {
    if (this.#faults.length > 0) {
      throw new RangeError(`results are not typed:\n${this.#faults.join('\n')}`)
    }
  }

  /** The result of a method, a property of a table. */
  resultOf(method: ts.Symbol): JsonSchema {
    const reply = this.#checker.getTypeOfSymbol(method).getProperty('reply')
    const type = reply === undefined ? undefined : this.#checker.getTypeOfSymbol(reply)
    const [signature] = type?.getCallSignatures() ?? []
    if (signature === undefined) return this.#fault(method.name, 'a method with a reply', type)
    return this.#read(signature.getReturnType(), method.name)
  }

  /** The schema of any type; `at` names its place in faults. */
  read(type: ts.Type, at: string): JsonSchema {
    return this.#read(type, at)
  }

  #fault(at: string, expected: string, found: ts.Type | undefined): JsonSchema {
    const text = found === undefined ? 'nothing' : this.#checker.typeToString(found)
    this.#faults.push(`${at}: expected ${expected}, found ${text}`)
    return {}
  }

  #read(type: ts.Type, at: string): JsonSchema {
    const symbol = this.#symbolOf(type)
    if (symbol === undefined) return this.#shape(type, at)
    const name = this.#nameOf(type, symbol)
    const full = this.#checker.typeToString(type, undefined, FULL_NAME)
    const known = this.#named.get(name)
    if (known === undefined) {
      // The entry comes first, because a type may refer to itself.
      const entry: Named = { full, declared: symbol.name, schema: {} }
      this.#named.set(name, entry)
      entry.schema = withText(this.#shape(type, name), textOf(this.#checker, symbol))
    } else if (known.full !== full) {
      return this.#fault(at, `one type of the name ${name}, ${known.full}`, type)
    }
    return { $ref: `${SCHEMAS}${name}` }
  }

  /** The declaration that names a type of objects; words and units are described in place. */
  #symbolOf(type: ts.Type): ts.Symbol | undefined {
    if (!isOfObjects(type) || this.#checker.isArrayLikeType(type)) return undefined
    const symbol = type.aliasSymbol ?? type.getSymbol()
    if (symbol === undefined || !isOurs(symbol)) return undefined
    const isNamed = (symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias)) !== 0
    return isNamed ? symbol : undefined
  }

  /** The name of a type, with those of its arguments: `WalletPageOfWireDeposit`. */
  #nameOf(type: ts.Type, symbol: ts.Symbol): string {
    const parts = this.#argumentsOf(type).map((argument) => {
      const of = this.#symbolOf(argument)
      return of === undefined ? this.#checker.typeToString(argument) : this.#nameOf(argument, of)
    })
    return [symbol.name, ...parts].join('Of')
  }

  #argumentsOf(type: ts.Type): readonly ts.Type[] {
    return type.aliasSymbol === undefined ? this.#itemsOf(type) : (type.aliasTypeArguments ?? [])
  }

  /** Arguments of an interface, an array or a tuple. */
  #itemsOf(type: ts.Type): readonly ts.Type[] {
    const { objectFlags = 0, target } = type as ts.TypeReference
    if ((objectFlags & ts.ObjectFlags.Reference) === 0) return []
    const count = target.typeParameters?.length ?? 0
    return this.#checker.getTypeArguments(type as ts.TypeReference).slice(0, count)
  }

  #shape(type: ts.Type, at: string): JsonSchema {
    if (type.isUnion()) return this.#union(type, at)
    if (type.isStringLiteral() || type.isNumberLiteral()) {
      return { type: typeof type.value, enum: [type.value] }
    }
    const { flags } = type
    if ((flags & ts.TypeFlags.BooleanLiteral) !== 0) {
      return { type: 'boolean', enum: [this.#checker.typeToString(type) === 'true'] }
    }
    if ((flags & ts.TypeFlags.BigInt) !== 0 && this.#bigints === 'text') return { type: 'string' }
    for (const [flag, name] of plainTypes) if ((flags & flag) !== 0) return { type: name }
    if (isUnit(type)) return { type: 'integer' }
    const isObject = (flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0
    return isObject ? this.#object(type, at) : this.#fault(at, 'a type of values', type)
  }

  #union(type: ts.UnionType, at: string): JsonSchema {
    const parts = type.types.filter(({ flags }) => (flags & ts.TypeFlags.Undefined) === 0)
    return joined(parts.map((part) => this.#read(part, at)))
  }

  #object(type: ts.Type, at: string): JsonSchema {
    if (this.#checker.isTupleType(type)) {
      const items = this.#itemsOf(type).map((each, place) => this.#read(each, `${at}.${place}`))
      const { length } = items
      return { type: 'array', items, minItems: length, maxItems: length, additionalItems: false }
    }
    const [item] = this.#checker.isArrayType(type) ? this.#itemsOf(type) : []
    if (item !== undefined) return { type: 'array', items: this.#read(item, `${at}[]`) }
    return this.#record(type, at)
  }

  #record(type: ts.Type, at: string): JsonSchema {
    const index = this.#checker.getIndexInfoOfType(type, ts.IndexKind.String)
    const fields = inSourceOrder(type.getProperties())
    const isCalled = type.getCallSignatures().length > 0
    if (isCalled || (index === undefined && fields.length === 0)) {
      return this.#fault(at, 'an object with fields', type)
    }
    const properties = fields.map((field) => {
      const read = this.#read(this.#checker.getTypeOfSymbol(field), `${at}.${field.name}`)
      const schema = wholeNumbers.has(field.name) ? whole(read) : read
      const text = textOf(this.#checker, field) || (fieldWords[field.name] ?? '')
      return [field.name, withText(schema, text)] as const
    })
    const required = fields.filter(({ flags }) => (flags & ts.SymbolFlags.Optional) === 0)
    const values = index === undefined ? false : this.#read(index.type, `${at}{}`)
    return {
      type: 'object',
      ...(fields.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
      ...(required.length === 0 ? {} : { required: required.map(({ name }) => name) }),
      additionalProperties: values,
    }
  }
}

const plainTypes = [
  [ts.TypeFlags.String, 'string'],
  [ts.TypeFlags.TemplateLiteral, 'string'],
  [ts.TypeFlags.Number, 'number'],
  [ts.TypeFlags.Boolean, 'boolean'],
  [ts.TypeFlags.Null, 'null'],
] as const

/** The docstring of a symbol in one line; empty without a docstring. */
export function textOf(checker: ts.TypeChecker, symbol: ts.Symbol): string {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker))
  return text.replaceAll(/\s*\n\s*/g, ' ').trim()
}

/** A number, or a union with a number, with integers instead. */
function whole(schema: JsonSchema): JsonSchema {
  if (schema.anyOf !== undefined) return { ...schema, anyOf: schema.anyOf.map(whole) }
  return schema.type === 'number' && schema.enum === undefined ? { ...schema, type: 'integer' } : schema
}

/** A schema with its own text. Draft 7 ignores everything next to a reference, so a reference is wrapped. */
function withText(schema: JsonSchema, description: string): JsonSchema {
  if (description === '') return schema
  return schema.$ref === undefined ? { description, ...schema } : { description, allOf: [schema] }
}

/** Combines schemas; words of one type become one list. */
function joined(shapes: readonly JsonSchema[]): JsonSchema {
  const lists = new Map<string, JsonWord[]>()
  const all: JsonSchema[] = []
  for (const shape of shapes) {
    const { type = '', enum: words } = shape
    const list = lists.get(type) ?? []
    if (words === undefined) all.push(shape)
    else {
      if (list.length === 0) all.push({ type, enum: list })
      list.push(...words)
      lists.set(type, list)
    }
  }
  // The order of the compiler depends on the files that it has read before.
  for (const list of lists.values()) list.sort(byText)
  const told = all
    .map((each) => (each.type === 'boolean' && each.enum?.length === 2 ? { type: 'boolean' } : each))
    .sort((a, b) => byText(a.type === 'null', b.type === 'null') || byText(keyOf(a), keyOf(b)))
  const [only] = told
  return told.length === 1 && only !== undefined ? only : { anyOf: told }
}

/** Fields in the order of declaration; the compiler orders the fields of composed types differently. */
function inSourceOrder(fields: readonly ts.Symbol[]): readonly ts.Symbol[] {
  const placed = fields.map((field) => {
    const [declaration] = field.declarations ?? []
    const file = declaration?.getSourceFile().fileName ?? ''
    return { field, file, at: declaration?.pos ?? 0 }
  })
  const sorted = placed.sort((a, b) => byText(a.file, b.file) || a.at - b.at)
  return sorted.map(({ field }) => field)
}

function byText(a: JsonWord, b: JsonWord): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const [left, right] = [`${a}`, `${b}`]
  return left < right ? -1 : Number(left > right)
}

/** The sort key of a schema among alternatives. */
function keyOf({ type = '', $ref = '' }: JsonSchema): string {
  return `${type} ${$ref}`
}

/** True for types of objects, and for unions of some. */
function isOfObjects(type: ts.Type): boolean {
  if (type.isUnion()) return type.types.some(isOfObjects)
  if (type.isIntersection()) return !isUnit(type)
  return (type.flags & ts.TypeFlags.Object) !== 0
}

/** True for a branded number, which is always an integer. */
function isUnit(type: ts.Type): boolean {
  return type.isIntersection() && type.types.some(({ flags }) => (flags & ts.TypeFlags.Number) !== 0)
}

/** True for a symbol that is declared here, and not by the language, like `Readonly`. */
function isOurs(symbol: ts.Symbol): boolean {
  const files = (symbol.declarations ?? []).map((each) => each.getSourceFile().fileName)
  return files.length > 0 && !files.some((file) => /\/typescript\/lib\/lib\./.test(file))
}
