/**
 * JSON Schemas of what methods answer, from the types of the table of methods: the type of a reply is the one
 * declaration of it, docstrings are its descriptions.
 *
 * A library that reads declarations (`ts-json-schema-generator`) does not know types that are inferred, such as
 * `typeof methods`; the compiler itself does.
 */
import ts from 'typescript'

/** A JSON Schema (draft 7), as far as types become one. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly (string | number | boolean | null)[]
  readonly anyOf?: readonly JsonSchema[]
  readonly items?: JsonSchema | readonly JsonSchema[]
  readonly minItems?: number
  readonly maxItems?: number
  readonly additionalItems?: false
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly propertyNames?: JsonSchema
  readonly additionalProperties?: false | JsonSchema
}

/** What one table of methods answers. */
export interface ResultSchemas {
  /** By method: what it does, in the sentence of its declaration, and its result. */
  readonly methods: Readonly<
    Record<string, { readonly summary: string; readonly result: JsonSchema }>
  >
  /** Types that have a name, by it. */
  readonly types: Readonly<Record<string, JsonSchema>>
}

/** A place in a type that no schema says: `any`, `unknown`, a bare object. */
export class UntypedResult extends Error {}

/** Where the schemas of named types stand in a document. */
const TYPES = '#/components/schemas/'

/** The schemas of the tables of methods that a module exports under these names; later ones share the types. */
export function resultSchemas(
  file: string,
  options: ts.CompilerOptions,
): (table: string) => ResultSchemas {
  const program = ts.createProgram([file], options)
  const source = program.getSourceFile(file)
  if (source === undefined) throw new RangeError(`${file}: expected a module`)
  const checker = program.getTypeChecker()
  const module = checker.getSymbolAtLocation(source)
  const exported = module === undefined ? [] : checker.getExportsOfModule(module)
  const reader = new TypeReader(checker)
  return (table) => {
    const symbol = exported.find(({ name }) => name === table)
    if (symbol === undefined) throw new RangeError(`${file}: expected a table ${table}`)
    const methods = checker
      .getTypeOfSymbol(symbol)
      .getProperties()
      .map((property) => {
        const result = reader.resultOf(property)
        return [property.name, { summary: summaryOf(checker, property), result }] as const
      })
    return { methods: Object.fromEntries(methods), types: reader.types() }
  }
}

/** Reads types as schemas. */
class TypeReader {
  readonly #checker: ts.TypeChecker
  /** Named types with the symbols that have the names; null while one is read. */
  readonly #named = new Map<string, { readonly key: string; schema: JsonSchema | null }>()

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker
  }

  /** All named types, by name. */
  types(): Readonly<Record<string, JsonSchema>> {
    const entries = [...this.#named].map(([name, { schema }]) => [name, schema ?? {}] as const)
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** The result of a method, a property of the table. */
  resultOf(method: ts.Symbol): JsonSchema {
    const reply = this.#checker.getTypeOfSymbol(method).getProperty('reply')
    const signature =
      reply === undefined ? undefined : this.#checker.getTypeOfSymbol(reply).getCallSignatures()[0]
    if (signature === undefined) throw new UntypedResult(`${method.name}: expected a reply`)
    return this.#read(signature.getReturnType(), method.name)
  }

  #read(type: ts.Type, at: string): JsonSchema {
    const named = this.#nameOf(type)
    if (named === null) return this.#shape(type, at)
    const { name, symbol } = named
    const known = this.#named.get(name)
    const key = this.#checker.typeToString(type, undefined, FULL_NAME)
    if (known === undefined) {
      const entry: { readonly key: string; schema: JsonSchema | null } = { key, schema: null }
      this.#named.set(name, entry)
      entry.schema = { ...described(this.#checker, symbol), ...this.#shape(type, name) }
    } else if (known.key !== key) {
      console.log("TWICE", `${at}: expected one type ${name}, found ${known.key} and ${key}`)
    }
    return { $ref: `${TYPES}${name}` }
  }

  /** The name of an object's type, with those of its arguments; null where it has none. */
  #nameOf(type: ts.Type): { readonly name: string; readonly symbol: ts.Symbol } | null {
    const isObject = (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.UnionOrIntersection)) !== 0
    if (!isObject || this.#checker.isArrayLikeType(type)) return null
    const symbol = type.aliasSymbol ?? (isInterface(type) ? type.symbol : undefined)
    if (symbol === undefined || isWords(type)) return null
    const args = type.aliasSymbol === undefined ? argumentsOf(this.#checker, type) : (type.aliasTypeArguments ?? [])
    const parts = args.map((each) => this.#nameOf(each)?.name ?? 'Plain')
    return { name: [symbol.name, ...parts].join('Of'), symbol }
  }

  #shape(type: ts.Type, at: string): JsonSchema {
    const { flags } = type
    if (type.isUnion()) return this.#union(type, at)
    if (type.isStringLiteral() || type.isNumberLiteral()) {
      return { type: typeof type.value, enum: [type.value] }
    }
    if ((flags & ts.TypeFlags.BooleanLiteral) !== 0) {
      return { type: 'boolean', enum: [this.#checker.typeToString(type) === 'true'] }
    }
    if ((flags & ts.TypeFlags.String) !== 0) return { type: 'string' }
    if ((flags & ts.TypeFlags.Number) !== 0) return { type: 'number' }
    if ((flags & ts.TypeFlags.Boolean) !== 0) return { type: 'boolean' }
    if ((flags & ts.TypeFlags.Null) !== 0) return { type: 'null' }
    if (type.isIntersection() && type.types.some(({ flags: of }) => (of & ts.TypeFlags.Number) !== 0)) {
      // A branded unit: every one of them is a whole number.
      return { type: 'integer' }
    }
    if ((flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0) return this.#object(type, at)
    { console.log("UNTYPED", at, this.#checker.typeToString(type)); return {} }
  }

  #union(type: ts.UnionType, at: string): JsonSchema {
    const parts = type.types.filter(({ flags }) => (flags & ts.TypeFlags.Undefined) === 0)
    const shapes = parts.map((part) => this.#read(part, at))
    return joined(shapes)
  }

  #object(type: ts.Type, at: string): JsonSchema {
    if (this.#checker.isTupleType(type)) {
      const items = this.#checker
        .getTypeArguments(type as ts.TypeReference)
        .map((each, place) => this.#read(each, `${at}.${place}`))
      return {
        type: 'array',
        items,
        minItems: items.length,
        maxItems: items.length,
        additionalItems: false,
      }
    }
    if (this.#checker.isArrayType(type)) {
      const [item] = this.#checker.getTypeArguments(type as ts.TypeReference)
      if (item === undefined) throw new UntypedResult(`${at}: expected a list of something`)
      return { type: 'array', items: this.#read(item, `${at}[]`) }
    }
    return this.#record(type, at)
  }

  #record(type: ts.Type, at: string): JsonSchema {
    if (type.getCallSignatures().length > 0) throw new UntypedResult(`${at}: expected a value, found a function`)
    const index = this.#checker.getIndexInfoOfType(type, ts.IndexKind.String)
    const properties = type.getProperties()
    if (index === undefined && properties.length === 0) {
      console.log("EMPTY", at)
    }
    const fields = properties.map((property) => {
      const place = `${at}.${property.name}`
      const schema = this.#read(this.#checker.getTypeOfSymbol(property), place)
      const told = described(this.#checker, property)
      return [property.name, withText(schema, told)] as const
    })
    const required = properties
      .filter(({ flags }) => (flags & ts.SymbolFlags.Optional) === 0)
      .map(({ name }) => name)
    return {
      type: 'object',
      ...(fields.length === 0 ? {} : { properties: Object.fromEntries(fields) }),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: index === undefined ? false : this.#read(index.type, `${at}{}`),
    }
  }
}

const FULL_NAME =
  ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseFullyQualifiedType

/** A schema with a text of its own; beside a reference no word counts in draft 7, so that it is wrapped. */
function withText(schema: JsonSchema, told: { readonly description?: string }): JsonSchema {
  if (told.description === undefined) return schema
  return schema.$ref === undefined ? { ...schema, ...told } : { allOf: [schema], ...told } as JsonSchema
}

/** Schemas as one: words of one sort become one list. */
function joined(shapes: readonly JsonSchema[]): JsonSchema {
  const words = shapes.filter(({ enum: listed }) => listed !== undefined)
  const others = shapes.filter(({ enum: listed }) => listed === undefined)
  const lists: JsonSchema[] = []
  for (const sort of new Set(words.map(({ type }) => type))) {
    const listed = words.filter(({ type }) => type === sort).flatMap(({ enum: each = [] }) => each)
    const isBoolean = sort === 'boolean' && listed.length === 2
    lists.push(isBoolean ? { type: 'boolean' } : { ...(sort === undefined ? {} : { type: sort }), enum: listed })
  }
  const all = [...lists, ...others]
  const [only] = all
  return all.length === 1 && only !== undefined ? only : { anyOf: all }
}

function isInterface(type: ts.Type): boolean {
  const symbol = type.getSymbol()
  return symbol !== undefined && (symbol.flags & ts.SymbolFlags.Interface) !== 0
}

/** True for unions of words, which are told where they stand. */
function isWords(type: ts.Type): boolean {
  return type.isUnion() && type.types.every(({ flags }) => (flags & ts.TypeFlags.Object) === 0)
}

function argumentsOf(checker: ts.TypeChecker, type: ts.Type): readonly ts.Type[] {
  return (type.flags & ts.TypeFlags.Object) !== 0 && ((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference) !== 0
    ? checker.getTypeArguments(type as ts.TypeReference).filter((each) => !(each as { isThisType?: boolean }).isThisType)
    : []
}

/** The docstring of a symbol as a description. */
function described(checker: ts.TypeChecker, symbol: ts.Symbol): { readonly description?: string } {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker)).replaceAll(/\s*\n\s*/g, ' ').trim()
  return text === '' ? {} : { description: text }
}

/** What the declaration of a method says of it. */
function summaryOf(checker: ts.TypeChecker, property: ts.Symbol): string {
  const declaration = property.valueDeclaration
  const named =
    declaration !== undefined && ts.isPropertyAssignment(declaration)
      ? checker.getSymbolAtLocation(declaration.initializer)
      : undefined
  const symbol =
    named !== undefined && (named.flags & ts.SymbolFlags.Alias) !== 0
      ? checker.getAliasedSymbol(named)
      : named
  return symbol === undefined ? '' : (described(checker, symbol).description ?? '')
}
