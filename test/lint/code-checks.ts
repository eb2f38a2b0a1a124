/**
 * Checks inside files: bare division, default exports, unfinished work, and the pairing of venue rules with their
 * tests. Every check is a pure function over texts and returns one line per mistake.
 */

import ts from 'typescript'
import { commentsOf, importsOf, lineAt, parseSource, type Sources, visitNodes } from './sources.ts'

const ruleId = /[a-z][\w-]*(?:\.[a-z0-9][\w-]*)+/
const ruleList = new RegExp(`\\bRule: (${ruleId.source}(?:,[\\s*]+${ruleId.source})*)`, 'g')
const ruleTitle = new RegExp(`\\brule (${ruleId.source})`, 'g')

/** Every division operator; the caller passes only files that must not divide. */
export function bareDivisions(sources: Sources): string[] {
  const mistakes: string[] = []
  for (const [path, text] of sources) {
    const file = parseSource(path, text)
    visitNodes(file, (node) => {
      if (!ts.isBinaryExpression(node)) return
      const { kind } = node.operatorToken
      if (kind !== ts.SyntaxKind.SlashToken && kind !== ts.SyntaxKind.SlashEqualsToken) return
      const line = lineAt(file, node.operatorToken.getStart(file))
      mistakes.push(`${path}:${line}: a bare division; expected a division of src/core/integer.ts`)
    })
  }
  return mistakes
}

export function defaultExports(sources: Sources): string[] {
  const mistakes: string[] = []
  for (const [path, text] of sources) {
    const file = parseSource(path, text)
    visitNodes(file, (node) => {
      if (!isDefaultExport(node)) return
      mistakes.push(`${path}:${lineAt(file, node.getStart(file))}: a default export`)
    })
  }
  return mistakes
}

/** Functions of different files that are exported under one name; a reader or a search cannot distinguish them. */
export function duplicateFunctions(sources: Sources): string[] {
  const places = new Map<string, Map<string, number>>()
  for (const [path, text] of sources) {
    const file = parseSource(path, text)
    for (const statement of file.statements) {
      if (!ts.isFunctionDeclaration(statement) || statement.name === undefined) continue
      if (!statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue
      const lines = places.get(statement.name.text) ?? new Map<string, number>()
      // The first line of several overloads.
      lines.set(path, lines.get(path) ?? lineAt(file, statement.name.getStart(file)))
      places.set(statement.name.text, lines)
    }
  }
  return [...places].flatMap(([name, lines]) => {
    const [first, ...others] = [...lines].map(([path, line]) => `${path}:${line}`)
    return others.map((place) => `${place}: ${name} is also the name of a function in ${first}`)
  })
}

function isDefaultExport(node: ts.Node): boolean {
  if (ts.isExportAssignment(node)) return true
  if (ts.isExportSpecifier(node)) return node.name.text === 'default'
  return (
    ts.canHaveModifiers(node) &&
    ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword) === true
  )
}

/** Every parameter whose type contains an object literal; a named type, or parameters of their own, say what it is. */
export function literalParameterTypes(sources: Sources): string[] {
  const mistakes: string[] = []
  const hasLiteral = (node: ts.Node): boolean =>
    !ts.isFunctionTypeNode(node) &&
    (ts.isTypeLiteralNode(node) || ts.forEachChild(node, (child) => hasLiteral(child) || undefined) === true)
  for (const [path, text] of sources) {
    const file = parseSource(path, text)
    visitNodes(file, (node) => {
      if (!ts.isParameter(node) || node.type === undefined || !hasLiteral(node.type)) return
      if (!('body' in node.parent) || node.parent.body === undefined) return
      const line = lineAt(file, node.getStart(file))
      mistakes.push(`${path}:${line}: an object type inside a parameter list; use parameters or a named type`)
    })
  }
  return mistakes
}

/**
 * Every inline literal spread inside a literal, `{ ...{ a, b }, c }` or `[...[a, b], c]`. On Node 20
 * such an object costs microseconds instead of a tenth of one.
 */
export function spreadLiterals(sources: Sources): string[] {
  const mistakes: string[] = []
  for (const [path, text] of sources) {
    const file = parseSource(path, text)
    visitNodes(file, (node) => {
      if (!ts.isSpreadAssignment(node) && !ts.isSpreadElement(node)) return
      const { kind } = node.expression
      if (kind !== ts.SyntaxKind.ObjectLiteralExpression && kind !== ts.SyntaxKind.ArrayLiteralExpression) return
      const line = lineAt(file, node.getStart(file))
      mistakes.push(`${path}:${line}: a literal spread inside a literal; write its members in place`)
    })
  }
  return mistakes
}

/**
 * Every literal of a result row that begins with a spread and then adds fields, `{ ...a, b }`. On Node 20 each of these
 * fields costs a microsecond; `{ b, ...a }` costs a tenth of one.
 */
export function leadingSpreads(sources: Sources): string[] {
  const mistakes: string[] = []
  for (const [path, text] of sources) {
    if (!path.startsWith('src/results/rows/')) continue
    const file = parseSource(path, text)
    visitNodes(file, (node) => {
      if (!ts.isObjectLiteralExpression(node)) return
      const [first, ...others] = node.properties
      if (first === undefined || !ts.isSpreadAssignment(first) || others.every(ts.isSpreadAssignment)) return
      mistakes.push(`${path}:${lineAt(file, first.getStart(file))}: a literal begins with a spread; write it last`)
    })
  }
  return mistakes
}

/**
 * Every spread of a request's parameters in a method. It would lose the omitted parameters, whose values are in the
 * prototype (`rpc/methods/schema-reader.ts`).
 */
export function spreadParams(sources: Sources): string[] {
  const mistakes: string[] = []
  for (const [path, text] of sources) {
    if (!path.startsWith('src/rpc/methods/')) continue
    const file = parseSource(path, text)
    visitNodes(file, (node) => {
      if (!ts.isSpreadAssignment(node) || !/^(params|request)$/.test(node.expression.getText(file))) return
      const line = lineAt(file, node.getStart(file))
      mistakes.push(`${path}:${line}: parameters are spread; name those that are meant`)
    })
  }
  return mistakes
}

/**
 * Every test that reads recorded feeds, which are outside the repository. Only tests in `test/recorded` and benchmarks
 * may read them, because all other tests must pass in a bare clone.
 */
export function testsThatLeaveTheRepository(tests: Sources): string[] {
  const mistakes: string[] = []
  for (const [path, text] of tests) {
    if (/^test\/(recorded|bench|lint)\//.test(path)) continue
    const file = parseSource(path, text)
    for (const { specifier, line } of importsOf(file)) {
      if (/\/support\/(recorded-feeds|golden)\.ts$/.test(specifier)) {
        mistakes.push(`${path}:${line}: needs recorded feeds`)
      }
    }
    visitNodes(file, (node) => {
      if (!ts.isStringLiteralLike(node) || !/(^|\/)shared\/(data|spec)/.test(node.text)) return
      mistakes.push(`${path}:${lineAt(file, node.getStart(file))}: a path outside the repository`)
    })
  }
  return mistakes
}

/**
 * Every property that runs a sample from a fixed seed. It would run the same cases at every commit, and other cases
 * would run only in `npm run test:whole`.
 */
export function samplesWithFixedSeed(tests: Sources): string[] {
  const mistakes: string[] = []
  for (const [path, text] of tests) {
    if (!text.includes('askedRuns')) continue
    const file = parseSource(path, text)
    visitNodes(file, (node) => {
      if (!ts.isObjectLiteralExpression(node)) return
      const initialOf = (name: string): string => {
        const found = node.properties.find((property) => property.name?.getText(file) === name)
        if (found === undefined) return ''
        return ts.isPropertyAssignment(found) ? found.initializer.getText(file) : name
      }
      if (!/askedRuns\(|\b(?:numRuns|runs)\b/.test(initialOf('numRuns'))) return
      if (!/^-?\d/.test(initialOf('seed'))) return
      const where = `${path}:${lineAt(file, node.getStart(file))}`
      mistakes.push(`${where}: a sample with a fixed seed; use askedSeed`)
    })
  }
  return mistakes
}

export function unfinishedWork(sources: Sources): string[] {
  const mistakes: string[] = []
  for (const [path, text] of sources) {
    for (const comment of commentsOf(parseSource(path, text))) {
      const where = `${path}:${comment.line}`
      if (/\bFIXME\b/.test(comment.text)) mistakes.push(`${where}: FIXME`)
      if (/\bTODO\b(?!.*#\d)/.test(comment.text)) {
        mistakes.push(`${where}: TODO without the number of an issue`)
      }
    }
  }
  return mistakes
}

/** STYLE 11: a docstring is a statement; these first words make a riddle of it. */
export function docstringRiddles(sources: Sources): string[] {
  const mistakes: string[] = []
  for (const [path, text] of sources) {
    for (const comment of commentsOf(parseSource(path, text))) {
      const word = /^\/\*\*[\s*]*(What|Whether|Of)\b/.exec(comment.text)?.[1]
      if (word !== undefined) {
        mistakes.push(`${path}:${comment.line}: a docstring that begins with ${word}`)
      }
    }
  }
  return mistakes
}

/** A comment `Rule: some.id` in the code needs a test whose title contains `some.id`. */
export function rulesWithoutTest(sources: Sources, tests: Sources): string[] {
  const proved = new Set(titlesOf(tests).flatMap(({ title }) => title.match(new RegExp(ruleId, 'g')) ?? []))
  return rulesOf(sources)
    .filter(({ id }) => !proved.has(id))
    .map(({ id, where }) => `${where}: no test title contains ${id}`)
}

/** A test title `rule some.id` needs a comment `Rule: some.id` in the code. */
export function testsWithoutRule(sources: Sources, tests: Sources): string[] {
  const enforced = new Set(rulesOf(sources).map(({ id }) => id))
  return titlesOf(tests).flatMap(({ title, where }) =>
    [...title.matchAll(ruleTitle)]
      .map(([, id = '']) => id)
      .filter((id) => !enforced.has(id))
      .map((id) => `${where}: no comment "Rule: ${id}" in the code`),
  )
}

function rulesOf(sources: Sources): { id: string; where: string }[] {
  const rules: { id: string; where: string }[] = []
  for (const [path, text] of sources) {
    for (const comment of commentsOf(parseSource(path, text))) {
      for (const [, list = ''] of comment.text.matchAll(ruleList)) {
        for (const id of list.split(/,[\s*]+/)) rules.push({ id, where: `${path}:${comment.line}` })
      }
    }
  }
  return rules
}

/** Titles of suites and tests, except skipped or planned ones, which prove nothing. */
function titlesOf(tests: Sources): { title: string; where: string }[] {
  const titles: { title: string; where: string }[] = []
  for (const [path, text] of tests) {
    const file = parseSource(path, text)
    visitNodes(file, (node) => {
      if (!ts.isCallExpression(node)) return
      const callee = node.expression.getText(file)
      if (!/^(?:test|it|describe)\b/.test(callee) || /\.(?:skip|todo)\b/.test(callee)) return
      const first = node.arguments[0]
      if (first === undefined || !(ts.isStringLiteralLike(first) || ts.isTemplateExpression(first))) {
        return
      }
      titles.push({
        title: first.getText(file),
        where: `${path}:${lineAt(file, node.getStart(file))}`,
      })
    })
  }
  return titles
}
