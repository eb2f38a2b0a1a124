/**
 * JSON Schemas of the results of methods, from the types of their tables: the type of a reply is its only declaration,
 * and docstrings are its descriptions.
 *
 * A library that reads declarations (`ts-json-schema-generator` was tried) does not know types that are inferred, such
 * as `typeof methods`; the compiler itself does.
 */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import type { JsonSchema } from './json-schema.ts'
import { TypeReader, textOf } from './type-reader.ts'

/** A method, read from its type and its docstring. */
export interface TypedMethod {
  /** The docstring of its declaration. */
  readonly summary: string
  readonly result: JsonSchema
}

/** The methods of a table, by name. */
export type TypedMethods = Readonly<Record<string, TypedMethod>>

/** The results of all methods. */
export interface ResultTypes {
  /** Methods of JSON-RPC, and of the simulator. */
  readonly methods: TypedMethods
  /** Methods of the REST interface of a gateway. */
  readonly gatewayMethods: TypedMethods
  /** Named types, by name. */
  readonly types: Readonly<Record<string, JsonSchema>>
  /** Names of the declarations of these types in the code. */
  readonly declared: readonly string[]
}

const root = repository()
const tableFile = join(root, 'src/rpc/methods/table.ts')
const directFile = join(root, 'src/gateways/method-table.ts')
const channelFile = join(root, 'src/rpc/channels/channel-names.ts')
const gatewayFile = join(root, 'src/rpc/methods/account/gateway/gateway-methods.ts')
const outputFile = 'cli/json-outputs.ts'

let read: ResultTypes | undefined
let compiled: ts.Program | undefined

/**
 * Reads the tables of methods once in a process, because that takes ten seconds. Throws if a result is not typed to its
 * last field, with every such place.
 */
export function resultTypes(): ResultTypes {
  read ??= readResultTypes()
  return read
}

function readResultTypes(): ResultTypes {
  const program = sourceProgram()
  const reader = new TypeReader(program.getTypeChecker())
  const own = typedMethods(program, reader, { file: tableFile, table: 'methods' })
  const direct = typedMethods(program, reader, { file: directFile, table: 'directMethods' })
  const methods = { ...own, ...direct }
  const gateway = { file: gatewayFile, table: 'gatewayTable' }
  const gatewayMethods = typedMethods(program, reader, gateway)
  reader.check()
  return { methods, gatewayMethods, types: reader.types(), declared: reader.declared() }
}

/** Schemas of the messages of channels. */
export interface ChannelTypes {
  /** The schema of the messages of each kind of channel, by the first of its forms. */
  readonly messages: Readonly<Record<string, JsonSchema>>
  /** Named types, by name. */
  readonly types: ResultTypes['types']
}

/**
 * Reads the messages of channels from the list of channels: each kind has a function that opens a `Channel<Message>`.
 * Throws if a message is not typed to its last field, with every such place.
 */
export function channelTypes(): ChannelTypes {
  const program = sourceProgram()
  const checker = program.getTypeChecker()
  const list = exportsOf(program, channelFile).find(({ name }) => name === 'channelList')
  if (list === undefined) throw new RangeError(`${channelFile}: expected channelList, found none`)
  const reader = new TypeReader(checker)
  const kinds = checker.getTypeArguments(checker.getTypeOfSymbol(list) as ts.TypeReference)
  const messages = kinds.map((kind): readonly [string, JsonSchema] => {
    const [form] = checker.getTypeArguments(propertyOf(checker, kind, 'forms') as ts.TypeReference)
    const name = form?.isStringLiteral() ? form.value : ''
    const opened = returnOf(propertyOf(checker, kind, 'open'))
    const channel = opened && checker.getNonNullableType(opened)
    const collected = channel && returnOf(propertyOf(checker, channel, 'collect'))
    const [message] = checker.getTypeArguments(collected as ts.TypeReference)
    if (message === undefined) throw new RangeError(`${name}: expected a Channel<Message>`)
    return [name, reader.read(message, name)]
  })
  reader.check()
  return { messages: Object.fromEntries(messages), types: reader.types() }
}

function propertyOf(checker: ts.TypeChecker, type: ts.Type, name: string): ts.Type | undefined {
  const property = type.getProperty(name)
  return property && checker.getTypeOfSymbol(property)
}

function returnOf(type: ts.Type | undefined): ts.Type | undefined {
  return type?.getCallSignatures()[0]?.getReturnType()
}

/** Schemas of what `--json` prints, by command, and of the types that they lead to. */
export interface OutputTypes {
  readonly outputs: Readonly<Record<string, JsonSchema>>
  readonly types: ResultTypes['types']
}

/** Reads the outputs of the command line from the fields of `JsonOutputs`. */
export function outputTypes(): OutputTypes {
  const program = sourceProgram()
  const checker = program.getTypeChecker()
  const names = exportsOf(program, join(root, outputFile))
  const symbol = names.find(({ name }) => name === 'JsonOutputs')
  if (symbol === undefined) throw new RangeError(`${outputFile}: expected JsonOutputs, found none`)
  const reader = new TypeReader(checker, 'text')
  const outputs = checker
    .getDeclaredTypeOfSymbol(symbol)
    .getProperties()
    .map((field) => [field.name, reader.read(checker.getTypeOfSymbol(field), field.name)] as const)
  reader.check()
  return { outputs: Object.fromEntries(outputs), types: reader.types() }
}

/** Names that a module exports, types among them. */
export function exportedNames(file: string): ReadonlySet<string> {
  const path = join(root, file)
  const program = sourceProgram()
  return new Set(exportsOf(program, path).map(({ name }) => name))
}

/**
 * The sources of the library and the outputs of the command line as one program. Reading it takes seconds, so a process
 * reads it once.
 */
export function sourceProgram(): ts.Program {
  if (compiled === undefined) {
    const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
    const { options, fileNames } = ts.parseJsonConfigFileContent(
      { ...config.config, include: ['src/**/*.ts', outputFile] },
      ts.sys,
      root,
    )
    compiled = ts.createProgram(fileNames, options)
  }
  return compiled
}

function exportsOf(program: ts.Program, file: string): readonly ts.Symbol[] {
  const source = program.getSourceFile(file)
  const checker = program.getTypeChecker()
  const module = source === undefined ? undefined : checker.getSymbolAtLocation(source)
  if (module === undefined) throw new RangeError(`${file}: expected a module`)
  return checker.getExportsOfModule(module)
}

function typedMethods(
  program: ts.Program,
  reader: TypeReader,
  { file, table }: { readonly file: string; readonly table: string },
): TypedMethods {
  const checker = program.getTypeChecker()
  const symbol = exportsOf(program, file).find(({ name }) => name === table)
  if (symbol === undefined) throw new RangeError(`${file}: expected a table ${table}`)
  const entries = checker
    .getTypeOfSymbol(symbol)
    .getProperties()
    .map((method) => [method.name, { summary: summaryOf(checker, method), result: reader.resultOf(method) }])
  return Object.fromEntries(entries)
}

/** The docstring of the declaration of a method, which its row in a table names; empty without one. */
function summaryOf(checker: ts.TypeChecker, method: ts.Symbol): string {
  const { valueDeclaration: row } = method
  if (row === undefined || !ts.isPropertyAssignment(row)) return ''
  const named = checker.getSymbolAtLocation(row.initializer)
  if (named === undefined) return ''
  const isImported = (named.flags & ts.SymbolFlags.Alias) !== 0
  return textOf(checker, isImported ? checker.getAliasedSymbol(named) : named)
}

/** The folder of the repository; tests compile this file to another depth of it. */
function repository(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'tsconfig.json'))) folder = dirname(folder)
  return folder
}
