/**
 * The names that the entry points of the package export, with their docstrings, as the compiler sees them. The pages of
 * the entry points print them, and tests check which entry point exports which name.
 */
import { join } from 'node:path'
import ts from 'typescript'
import { sourceProgram } from '../../.ci/schemas/result-types.ts'
import { type EntryPoint, entryPoints } from './entry-points.ts'
import { repository } from './repository.ts'

/** A name that an entry point exports. */
export interface EntryName {
  readonly name: string
  /** Types leave no trace in a running program. */
  readonly kind: 'function' | 'class' | 'constant' | 'type'
  /** The first sentence of its docstring; empty without a docstring. */
  readonly says: string
  /** Names of Pitclock's types in its parameters, result, members or fields. */
  readonly mentions: readonly string[]
  /** The symbol of its declaration. */
  readonly declared: ts.Symbol
}

/** Names by entry point. */
export type EntryNames = ReadonlyMap<string, readonly Omit<EntryName, 'declared'>[]>

let read: ReadonlyMap<string, readonly EntryName[]> | undefined

/** The names of every entry point. The compiler needs seconds for this. */
export function entryNames(): ReadonlyMap<string, readonly EntryName[]> {
  read ??= namesIn(entryPoints())
  return read
}

function namesIn(entries: readonly EntryPoint[]): ReadonlyMap<string, readonly EntryName[]> {
  const program = sourceProgram()
  const checker = program.getTypeChecker()
  return new Map(
    entries.map(({ name, source }) => {
      const file = program.getSourceFile(join(repository, source))
      const module = file === undefined ? undefined : checker.getSymbolAtLocation(file)
      if (module === undefined) throw new RangeError(`${source}: expected a module`)
      const names = checker.getExportsOfModule(module).flatMap((each) => nameOf(checker, each))
      return [name, names.sort((a, b) => (a.name < b.name ? -1 : 1))]
    }),
  )
}

/** An exported name; empty for a value of which the module exports only the type. */
function nameOf(checker: ts.TypeChecker, exported: ts.Symbol): readonly EntryName[] {
  const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0
  const declared = isAlias ? checker.getAliasedSymbol(exported) : exported
  const isType = (declared.flags & ts.SymbolFlags.Type) !== 0
  const kind = isTypeAlone(checker, exported) ? 'type' : kindOf(checker, declared)
  if (kind === 'type' && !isType) return []
  // A name of another package has its docstring at the export.
  const [said, given] = [declared, exported].map((each) => each.getDocumentationComment(checker))
  const says = ts.displayPartsToString(said?.length === 0 ? given : said)
  const mentions = mentionsOf(checker, declared)
  return [{ name: exported.name, kind, says: firstSentence(says), mentions, declared }]
}

function kindOf(checker: ts.TypeChecker, declared: ts.Symbol): EntryName['kind'] {
  if ((declared.flags & ts.SymbolFlags.Class) !== 0) return 'class'
  if ((declared.flags & ts.SymbolFlags.Value) === 0) return 'type'
  return checker.getTypeOfSymbol(declared).getCallSignatures().length > 0 ? 'function' : 'constant'
}

/** True if the name is exported only as a type, either alone or by `export type *`. */
function isTypeAlone(checker: ts.TypeChecker, exported: ts.Symbol): boolean {
  const { declarations = [] } = exported
  if (declarations.some((each) => ts.isTypeOnlyExportDeclaration(each))) return true
  // Names of `export type *` belong to the files behind it, which the entry point does not list.
  const [declaration] = declarations
  if (declaration === undefined || ts.isExportSpecifier(declaration)) return false
  return checker.getSymbolAtLocation(declaration.getSourceFile()) !== undefined && !isEntry(declaration)
}

function isEntry(declaration: ts.Declaration): boolean {
  const { fileName } = declaration.getSourceFile()
  return entryPoints().some(({ source }) => fileName === join(repository, source))
}

/** Types that a declaration mentions in parameters, results, members and fields, but not in function bodies. */
function mentionsOf(checker: ts.TypeChecker, declared: ts.Symbol): readonly string[] {
  const found = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isBlock(node) || isHidden(node)) return
    const named = ts.isTypeReferenceNode(node)
      ? node.typeName
      : ts.isExpressionWithTypeArguments(node)
        ? node.expression
        : null
    const symbol = named === null ? undefined : checker.getSymbolAtLocation(named)
    if (symbol !== undefined) {
      const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0
      const meant = isAlias ? checker.getAliasedSymbol(symbol) : symbol
      if (isOwn(meant)) found.add(meant.name)
    }
    ts.forEachChild(node, visit)
  }
  for (const declaration of declared.declarations ?? []) visit(declaration)
  // A function that is loaded on its first call declares its signature elsewhere.
  if ((declared.flags & ts.SymbolFlags.Variable) !== 0) {
    for (const { declaration } of checker.getTypeOfSymbol(declared).getCallSignatures()) {
      if (declaration !== undefined) visit(declaration)
    }
  }
  return [...found].sort()
}

/** True for a type that Pitclock declares, except type parameters. */
function isOwn({ flags, declarations = [] }: ts.Symbol): boolean {
  if ((flags & ts.SymbolFlags.TypeParameter) !== 0) return false
  return declarations.some((each) => each.getSourceFile().fileName.startsWith(join(repository, 'src/')))
}

/** True for members that programs do not see, and for the value of a constant. */
function isHidden(node: ts.Node): boolean {
  if (ts.isClassElement(node) && node.name !== undefined && ts.isPrivateIdentifier(node.name)) return true
  return ts.isCallExpression(node)
}

/** The first sentence of a docstring, on one line. */
function firstSentence(text: string): string {
  const line =
    text
      .split(/\n\s*\n/)[0]
      ?.replaceAll(/\s+/g, ' ')
      .trim() ?? ''
  const [sentence = line] = /^.*?(?:[.](?= [A-Z`]|$)|:(?= - |$))/.exec(line) ?? []
  return sentence.replace(/:$/, '.')
}

/** Entry points from the lowest to the highest. A name that several export belongs to the lowest of them. */
const order = ['engine', 'feeds', 'wire', '', 'node', 'testing'].map((name) =>
  name === '' ? 'pitclock' : `pitclock/${name}`,
)

/** The entry point that a name belongs to. */
export function homeOf(entries: EntryNames, name: string): string | undefined {
  return order.find((entry) => entries.get(entry)?.some((each) => each.name === name))
}

/**
 * Faults in the exports. Functions, classes and constants have one entry point. A type may have several: each entry
 * point exports every type that its own declarations mention, so that a program needs one import. Functions and classes
 * mention no type that no entry point exports.
 */
export function entryFaults(entries: EntryNames): readonly string[] {
  const faults: string[] = []
  for (const [entry, names] of entries) {
    const known = new Set(names.map(({ name }) => name))
    const own = names.filter(({ name }) => homeOf(entries, name) === entry)
    const named = new Set(own.flatMap(({ mentions }) => mentions))
    for (const { name, kind } of names) {
      const home = homeOf(entries, name)
      if (home === undefined) faults.push(`${entry} is not in the order of entry points`)
      else if (home !== entry && kind !== 'type') faults.push(`${entry}: ${name} is in ${home}`)
      else if (home !== entry && !named.has(name)) {
        faults.push(`${entry}: ${name} is in ${home}, and nothing here names it`)
      }
    }
    for (const { name, kind, says, mentions } of own) {
      if (says === '') faults.push(`${entry}: ${name} has no docstring`)
      for (const type of mentions) {
        const isNeeded = kind !== 'type' || homeOf(entries, type) !== undefined
        if (isNeeded && !known.has(type)) faults.push(`${entry}: ${name} names ${type}, which is not here`)
      }
    }
  }
  return faults
}
