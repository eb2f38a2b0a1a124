/**
 * Reads TypeScript text for the tidiness checks: imports, comments and lines of code. It uses the compiler's own
 * parser, so a string that looks like code or a comment does not mislead a check.
 */

import ts from 'typescript'

/** Repository-relative path with forward slashes → text of the file. */
export type Sources = ReadonlyMap<string, string>

export interface Import {
  readonly specifier: string
  readonly line: number
  /** True when the whole statement disappears in JavaScript. */
  readonly typeOnly: boolean
  /** True for `import('…')`, which loads the module at run time. */
  readonly isLazy: boolean
}

export interface Comment {
  readonly text: string
  readonly line: number
}

/** Parsed files by path; every check reads the same few hundred files. */
const parsedByPath = new Map<string, ts.SourceFile>()

/** Parses a file once for all checks. */
export function parseSource(path: string, text: string): ts.SourceFile {
  const known = parsedByPath.get(path)
  if (known?.text === text) return known
  const parsed = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true, ts.ScriptKind.TS)
  parsedByPath.set(path, parsed)
  return parsed
}

/** Line of a position, counted from 1. */
export function lineAt(file: ts.SourceFile, position: number): number {
  return file.getLineAndCharacterOfPosition(position).line + 1
}

/** Nodes by file, because almost every check walks through all of them. */
const nodesByFile = new WeakMap<ts.SourceFile, readonly ts.Node[]>()

/** Calls the visitor for every node of the file, in the order of the text, parents first. */
export function visitNodes(file: ts.SourceFile, visitor: (node: ts.Node) => void): void {
  const known = nodesByFile.get(file)
  const nodes = known ?? findNodes(file)
  if (known === undefined) nodesByFile.set(file, nodes)
  for (const node of nodes) visitor(node)
}

function findNodes(file: ts.SourceFile): readonly ts.Node[] {
  const found: ts.Node[] = []
  const pending: ts.Node[] = [file]
  const children: ts.Node[] = []
  const add = (child: ts.Node): void => void children.push(child)
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    found.push(node)
    ts.forEachChild(node, add)
    for (let child = children.pop(); child !== undefined; child = children.pop()) pending.push(child)
  }
  return found
}

/** Imports by file, because most checks need them. */
const importsByFile = new WeakMap<ts.SourceFile, readonly Import[]>()

/** Every module the file names: imports, re-exports, dynamic imports and `import('…')` types. */
export function importsOf(file: ts.SourceFile): readonly Import[] {
  const known = importsByFile.get(file)
  if (known !== undefined) return known
  const found = findImports(file)
  importsByFile.set(file, found)
  return found
}

function findImports(file: ts.SourceFile): Import[] {
  const found: Import[] = []
  visitNodes(file, (node) => {
    const source = moduleNamedBy(node)
    if (source === undefined || !ts.isStringLiteralLike(source)) return
    const line = lineAt(file, source.getStart(file))
    const isLazy = ts.isCallExpression(node)
    found.push({ specifier: source.text, line, typeOnly: isErased(node), isLazy })
  })
  return found
}

function moduleNamedBy(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier
  if (ts.isImportTypeNode(node)) {
    return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return node.arguments[0]
  }
  return undefined
}

function isErased(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node)) {
    return node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
  }
  return ts.isImportTypeNode(node) || (ts.isExportDeclaration(node) && node.isTypeOnly)
}

/** Every comment of the file, in order, docstrings included. */
export function commentsOf(file: ts.SourceFile): Comment[] {
  return commentRangesOf(file).map(({ pos, end }) => ({
    text: file.text.slice(pos, end),
    line: lineAt(file, pos),
  }))
}

/** A piece of a text. */
type Span = Pick<ts.TextRange, 'pos' | 'end'>

const commentsByFile = new WeakMap<ts.SourceFile, Span[]>()

function commentRangesOf(file: ts.SourceFile): Span[] {
  const known = commentsByFile.get(file)
  if (known !== undefined) return known
  const found = findCommentRanges(file)
  commentsByFile.set(file, found)
  return found
}

/**
 * Comments, found in the text: outside of literals, only a comment has a slash before another slash or a star. Asking
 * each token for its comments would create an object for every comma.
 */
function findCommentRanges(file: ts.SourceFile): Span[] {
  const { text } = file
  const literals = literalsOf(file)
  const found: Span[] = []
  let next = 0
  for (let pos = text.indexOf('/'); pos >= 0; pos = text.indexOf('/', pos)) {
    while ((literals[next]?.end ?? Number.POSITIVE_INFINITY) <= pos) next += 1
    const literal = literals[next]
    if (literal !== undefined && literal.pos <= pos) {
      pos = literal.end
      continue
    }
    const end = endOfComment(text, pos)
    if (end > pos) found.push({ pos, end })
    pos = Math.max(end, pos + 1)
  }
  return found
}

/** The end of the comment that begins here, or this position if none begins. */
function endOfComment(text: string, pos: number): number {
  const second = text[pos + 1]
  if (second !== '/' && second !== '*') return pos
  const end = second === '/' ? text.indexOf('\n', pos) : text.indexOf('*/', pos + 2) + 2
  return end < pos + 2 ? text.length : end
}

/** Strings, templates and regular expressions, which may contain comment signs, in the order of the file. */
function literalsOf(file: ts.SourceFile): Span[] {
  const found: Span[] = []
  visitNodes(file, (node) => {
    const isLiteral =
      ts.isStringLiteralLike(node) ||
      ts.isRegularExpressionLiteral(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node)
    if (isLiteral) found.push({ pos: node.getStart(file), end: node.end })
  })
  return found.sort((left, right) => left.pos - right.pos)
}
