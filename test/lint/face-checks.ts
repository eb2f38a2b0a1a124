/**
 * Checks how far the names of a folder reach. A face (`index.ts`) that exports all of a file also hands on names that
 * only its own folder uses; these checks find them. They read imports, and follow `export *` from face to face.
 */

import { posix } from 'node:path'
import ts from 'typescript'
import { parseSource, type Sources, visitNodes } from './sources.ts'

/** Most names that faces may hand on although only their own folders use them. */
export const idleNamesMax = 50

/** Names that one file asks of another; `*` stands for all of them, and `export *` for a face that hands on all. */
interface Asked {
  readonly target: string
  readonly name: string
}

/** Names that a face hands on and no file outside its folder imports, as `face: name`. */
export function idleNames(sources: Sources, users: Sources): string[] {
  const all: Sources = new Map([...sources, ...users])
  const importersByName = new Map<string, Map<string, string[]>>()
  for (const [path, text] of all) {
    for (const { target, name } of namesAsked(path, text)) {
      const byName = importersByName.get(target) ?? new Map<string, string[]>()
      importersByName.set(target, byName)
      byName.set(name, [...(byName.get(name) ?? []), path])
    }
  }
  const faces = [...sources.keys()].filter((path) => isFace(path))
  return faces.flatMap((face) => {
    const used = namesUsedOutside(face, importersByName)
    if (used.has('*')) return []
    return [...namesExported(face, sources)].filter((name) => !used.has(name)).map((name) => `${face}: ${name}`)
  })
}

/** The face of a folder below `src`. `pitclock/testing` is an entry point: programs import its names. */
function isFace(path: string): boolean {
  return /^src\/.*\/index\.ts$/.test(path) && path !== 'src/testing/index.ts'
}

function namesUsedOutside(
  face: string,
  importersByName: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>,
): Set<string> {
  const used = new Set<string>()
  for (const [name, importers] of importersByName.get(face) ?? []) {
    const outside = importers.filter((path) => !path.startsWith(`${posix.dirname(face)}/`))
    if (outside.length === 0) continue
    if (name !== 'export *') {
      used.add(name)
      continue
    }
    for (const importer of outside) {
      const above = isFace(importer) ? namesUsedOutside(importer, importersByName) : ['*']
      for (const one of above) used.add(one)
    }
  }
  return used
}

/** Names that importers of a file can ask for, those of its `export *` included. */
function namesExported(path: string, sources: Sources): Set<string> {
  const names = new Set<string>()
  for (const statement of parseSource(path, sources.get(path) ?? '').statements) {
    if (ts.isExportDeclaration(statement)) {
      const clause = statement.exportClause
      if (clause === undefined) {
        const target = targetOf(path, statement.moduleSpecifier)
        for (const name of target === null ? [] : namesExported(target, sources)) names.add(name)
      } else if (ts.isNamedExports(clause)) for (const { name } of clause.elements) names.add(name.text)
      else names.add(clause.name.text)
    } else if (isExported(statement)) for (const name of namesDeclared(statement)) names.add(name)
  }
  return names
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
}

function namesDeclared(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    const names = statement.declarationList.declarations.map(({ name }) => name)
    return names.flatMap((name) => (ts.isIdentifier(name) ? [name.text] : namesBound(name)))
  }
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement)
  return isNamed && statement.name !== undefined ? [statement.name.text] : []
}

function namesBound(pattern: ts.BindingPattern): string[] {
  return pattern.elements.flatMap((element) =>
    ts.isBindingElement(element) && ts.isIdentifier(element.name) ? [element.name.text] : [],
  )
}

function namesAsked(path: string, text: string): Asked[] {
  const asked: Asked[] = []
  const file = parseSource(path, text)
  visitNodes(file, (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
      const target = targetOf(path, node.moduleSpecifier)
      if (target !== null) for (const name of namesInClause(node, file)) asked.push({ target, name })
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const target = targetOf(path, node.arguments[0])
      if (target !== null) asked.push({ target, name: '*' })
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      const target = targetOf(path, node.argument.literal)
      if (target !== null) asked.push({ target, name: node.qualifier?.getText(file) ?? '*' })
    }
  })
  return asked
}

function namesInClause(node: ts.ImportDeclaration | ts.ExportDeclaration, file: ts.SourceFile): string[] {
  const clause = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause
  if (clause === undefined) return ts.isExportDeclaration(node) ? ['export *'] : []
  if (ts.isNamedImports(clause)) return clause.elements.map(({ propertyName, name }) => (propertyName ?? name).text)
  if (ts.isNamedExports(clause)) return clause.elements.map(({ propertyName, name }) => (propertyName ?? name).text)
  return ts.isNamespaceImport(clause) ? membersOf(clause.name.text, file) : ['*']
}

/** Members that a file takes of a namespace: `wire` of `wire.decimalOf(…)`. */
function membersOf(namespace: string, file: ts.SourceFile): string[] {
  const members: string[] = []
  visitNodes(file, (node) => {
    if (ts.isPropertyAccessExpression(node) && node.expression.getText(file) === namespace) members.push(node.name.text)
    if (ts.isQualifiedName(node) && node.left.getText(file) === namespace) members.push(node.right.text)
  })
  return members.length === 0 ? ['*'] : members
}

/** The file that a specifier leads to, or null for a package. */
function targetOf(path: string, specifier: ts.Node | undefined): string | null {
  if (specifier === undefined || !ts.isStringLiteral(specifier) || !specifier.text.startsWith('.')) return null
  return posix.join(posix.dirname(path), specifier.text)
}
