/**
 * Finds uses of machine-dependent features in files of the pure floors: clock, locale, environment, randomness, and
 * mathematics whose last bit depends on the JavaScript engine. Names are compared as text, so a local variable with the
 * name `process` is reported too.
 */

import ts from 'typescript'
import { lineAt, parseSource, type Sources, visitNodes } from './sources.ts'

const clock = 'time enters as command.time, in microseconds'
const timer = 'later work is a timer of the virtual clock'
const environment = 'the pure floors know no environment; pass the value in'
const locale = 'results must not depend on a locale'
const chance = 'random numbers come from a named stream of src/core'
const lastBit = 'engines differ in the last bit of this function; use the one of src/pricing'
const power = 'engines differ in the last bit of the power operator; multiply, or use src/core/integer.ts'
const memberOfMath = 'name the member of Math, so that this check sees it'

const globals = new Map([
  ...['Date', 'Temporal', 'performance'].map((name) => [name, clock] as const),
  ...['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'].map((name) => [name, timer] as const),
  ...['process', 'crypto', 'globalThis'].map((name) => [name, environment] as const),
  ['Intl', locale],
])
const inexact = /^(?:pow|exp|expm1|log|log2|log10|log1p|a?(?:sin|cos|tan)h?|atan2|cbrt|hypot)$/

/** One line for each use of the machine; the caller passes the files of the pure floors. */
export function usesOfTheMachine(sources: Sources): string[] {
  const mistakes: string[] = []
  for (const [path, text] of sources) {
    const file = parseSource(path, text)
    visitNodes(file, (node) => {
      const mistake = useOfTheMachine(node)
      if (mistake !== undefined) mistakes.push(`${path}:${lineAt(file, node.getStart(file))}: ${mistake}`)
    })
  }
  return mistakes
}

function useOfTheMachine(node: ts.Node): string | undefined {
  if (ts.isIdentifier(node)) return isReference(node) ? globals.get(node.text) : undefined
  if (ts.isPropertyAccessExpression(node)) return useOfMember(node)
  if (ts.isElementAccessExpression(node)) return isMath(node.expression) ? memberOfMath : undefined
  if (ts.isVariableDeclaration(node)) return isMath(node.initializer) ? memberOfMath : undefined
  if (ts.isBinaryExpression(node)) return isPower(node.operatorToken) ? power : undefined
  if (ts.isForInStatement(node))
    return 'for...in orders number-like keys by value; iterate an array, a Map or Object.keys'
  if (ts.isCallExpression(node)) return isUnordered(node) ? 'sorting needs a total comparator' : undefined
  if (ts.isStringLiteralLike(node) && /^node:[a-z]/.test(node.text)) return 'the pure floors use no node: module'
  return undefined
}

function useOfMember({ expression, name }: ts.PropertyAccessExpression): string | undefined {
  if (/^(?:toLocale\w*|localeCompare)$/.test(name.text)) return locale
  if (!isMath(expression)) return undefined
  if (/^(?:random|seedrandom)$/.test(name.text)) return chance
  return inexact.test(name.text) ? lastBit : undefined
}

function isMath(node: ts.Node | undefined): boolean {
  return node !== undefined && ts.isIdentifier(node) && node.text === 'Math'
}

function isPower({ kind }: ts.Node): boolean {
  return kind === ts.SyntaxKind.AsteriskAsteriskToken || kind === ts.SyntaxKind.AsteriskAsteriskEqualsToken
}

/** True for `sort()` and `toSorted()`, which compare texts. */
function isUnordered({ expression, arguments: given }: ts.CallExpression): boolean {
  if (given.length > 0 || !ts.isPropertyAccessExpression(expression)) return false
  return /^(?:sort|toSorted)$/.test(expression.name.text)
}

/** True if an identifier is a value that the code reads, not the name of a member, an import or a declaration. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node
  if (ts.isPropertyAssignment(parent) || ts.isVariableDeclaration(parent) || ts.isParameter(parent)) {
    return parent.initializer === node
  }
  if (ts.isBindingElement(parent)) return parent.initializer === node
  return !(
    ts.isImportSpecifier(parent) ||
    ts.isExportSpecifier(parent) ||
    ts.isTypeElement(parent) ||
    ts.isClassElement(parent) ||
    ts.isQualifiedName(parent) ||
    ts.isTypeReferenceNode(parent) ||
    ts.isFunctionDeclaration(parent) ||
    ts.isInterfaceDeclaration(parent) ||
    ts.isTypeAliasDeclaration(parent) ||
    ts.isNamedTupleMember(parent)
  )
}
