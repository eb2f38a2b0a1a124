/**
 * Reads TypeScript text for the tidiness checks: imports, comments and lines of code, by the
 * compiler's own parser, so that a string that looks like code or a comment deceives no check.
 */

import ts from 'typescript'

/** Repository-relative path with forward slashes → text of the file. */
export type Sources = ReadonlyMap<string, string>

export interface Import {
  readonly specifier: string
  readonly line: number
  /** True when the whole statement disappears in JavaScript. */
  readonly typeOnly: boolean
  /** True for `import('…')`, which loads the module when it is reached. */
  readonly isLazy: boolean
}

export interface Comment {
  readonly text: string
  readonly line: number
}

/** Files that were parsed before, by path; every check reads the same few hundred files. */
const parsedByPath = new Map<string, ts.SourceFile>()

/** A file parsed once, however many checks read it. */
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

/** Calls the visitor for every node of the file, in the order of the text, parents first. */
export function visitNodes(file: ts.SourceFile, visitor: (node: ts.Node) => void): void {
  const pending: ts.Node[] = [file]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    visitor(node)
    const children: ts.Node[] = []
    ts.forEachChild(node, (child) => void children.push(child))
    pending.push(...children.reverse())
  }
}

/** Imports by the file that names them; most checks ask for them. */
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

/** Lines that hold anything but blanks and comments. */
export function codeLineCount(file: ts.SourceFile): number {
  let code = file.text
  for (const { pos, end } of commentRangesOf(file)) {
    const blank = code.slice(pos, end).replaceAll(/[^\n]/g, ' ')
    code = code.slice(0, pos) + blank + code.slice(end)
  }
  return code.split('\n').filter((line) => line.trim() !== '').length
}

const commentsByFile = new WeakMap<ts.SourceFile, ts.CommentRange[]>()

function commentRangesOf(file: ts.SourceFile): ts.CommentRange[] {
  const known = commentsByFile.get(file)
  if (known !== undefined) return known
  const found = findCommentRanges(file)
  commentsByFile.set(file, found)
  return found
}

function findCommentRanges(file: ts.SourceFile): ts.CommentRange[] {
  const ranges = new Map<number, ts.CommentRange>()
  const pending: ts.Node[] = [file]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    // Comments belong to tokens, and only `getChildren` gives those of punctuation as well.
    const children = node.getChildren(file)
    pending.push(...children.filter((child) => !ts.isJSDoc(child)))
    if (children.length > 0) continue
    for (const range of [
      ...(ts.getLeadingCommentRanges(file.text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(file.text, node.end) ?? []),
    ]) {
      ranges.set(range.pos, range)
    }
  }
  return [...ranges.values()].sort((left, right) => left.pos - right.pos)
}
