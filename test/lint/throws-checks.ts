/**
 * Checks that exported functions document the errors that they throw. A function can throw in its body, or in a called
 * helper that throws: a function of the same file, one that never returns, or one that documents an error itself.
 *
 * Deeper calls are not followed. An assertion counts only in the exported function, if it checks an argument; in
 * helpers it checks our own bookkeeping, which a program cannot break.
 */
import ts from 'typescript'

/** An exported function under its public name. */
export interface Exported {
  readonly name: string
  readonly symbol: ts.Symbol
}

/** The errors of a body: codes, and whether it throws errors without a code. */
interface Thrown {
  readonly codes: Set<string>
  isBare: boolean
}

type Body = ts.FunctionLikeDeclaration & { readonly body: ts.Node }

/** Helpers that check arguments, with the code of their error. Calls from our own code pass the checks. */
const asserting: ReadonlyMap<string, string> = new Map([
  ['assert', 'DEFECT'],
  ['checkTime', 'TIME'],
  ['checkSequence', 'OPTION'],
  ['checkArgument', 'OPTION'],
])
/** Helpers that assert our own invariants, which a program cannot break. */
const promised: ReadonlySet<string> = new Set(['defined', 'unreachable', 'coded'])

/** Faults of exported functions by name; `codes` are all existing codes. */
export function throwsFaults(
  checker: ts.TypeChecker,
  exported: readonly Exported[],
  codes: ReadonlySet<string>,
): readonly string[] {
  return exported.flatMap(({ name, symbol }) => {
    const own = faultsOf(checker, { name, symbol }, codes)
    return (symbol.flags & ts.SymbolFlags.Class) === 0
      ? own
      : methodsOf(checker, symbol).flatMap((method) =>
          faultsOf(checker, { name: `${name}.${method.name}`, symbol: method }, codes),
        )
  })
}

/** The public methods of a class. */
function methodsOf(checker: ts.TypeChecker, symbol: ts.Symbol): readonly ts.Symbol[] {
  return checker
    .getDeclaredTypeOfSymbol(symbol)
    .getProperties()
    .filter(({ name }) => !name.startsWith('#'))
}

function faultsOf(checker: ts.TypeChecker, { name, symbol }: Exported, codes: ReadonlySet<string>): readonly string[] {
  const thrown: Thrown = { codes: new Set(), isBare: false }
  const followed = new Set<ts.Node>()
  for (const body of bodiesOf(checker, symbol)) follow(checker, body, { thrown, followed, isFirst: true })
  const said = symbol
    .getJsDocTags(checker)
    .filter((tag) => tag.name === 'throws')
    .map((tag) => ts.displayPartsToString(tag.text))
  const named = new Set(said.flatMap((text) => [...text.matchAll(/`(\w+)`/g)].map(([, c = '']) => c)))
  const faults: string[] = []
  if (thrown.isBare) faults.push(`${name}: throws an error without a code`)
  for (const text of said) {
    if (![...named].some((code) => codes.has(code) && text.includes(`\`${code}\``))) {
      faults.push(`${name}: @throws names no code of errorCodes`)
    }
  }
  for (const code of thrown.codes) {
    if (!named.has(code)) faults.push(`${name}: throws ${code}; expected @throws with \`${code}\``)
  }
  return faults
}

/** The bodies of a function; also of a constant with a function, and of a function that is loaded on its first call. */
function bodiesOf(checker: ts.TypeChecker, symbol: ts.Symbol): readonly Body[] {
  const meant = (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol)
  const { declarations = [] } = meant
  const own = declarations.flatMap((declaration) => {
    const value = ts.isVariableDeclaration(declaration) ? declaration.initializer : declaration
    return value !== undefined && isBody(value) ? [value] : []
  })
  const behind = declarations.some(ts.isVariableDeclaration) ? checker.getTypeOfSymbol(meant).getCallSignatures() : []
  return [...own, ...behind.flatMap(({ declaration: at }) => (at !== undefined && isBody(at) ? [at] : []))]
}

function isBody(node: ts.Node): node is Body {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined
}

interface Following {
  readonly thrown: Thrown
  /** True in the exported function itself. */
  readonly isFirst: boolean
  readonly followed: Set<ts.Node>
}

/** Adds the errors of a body. An error inside a `try` does not count, unless the handler throws. */
function follow(checker: ts.TypeChecker, body: Body, following: Following): void {
  if (following.followed.has(body)) return
  following.followed.add(body)
  const visit = (node: ts.Node): void => {
    if (ts.isTryStatement(node) && node.catchClause !== undefined) {
      visit(node.catchClause)
      if (node.finallyBlock !== undefined) visit(node.finallyBlock)
      return
    }
    if (ts.isThrowStatement(node)) note(node, following)
    if (ts.isCallExpression(node)) call(checker, node, { body, following })
    ts.forEachChild(node, visit)
  }
  visit(body.body)
}

/** Adds the error of a `throw`; a rethrown error belongs to other code. */
function note({ expression }: ts.ThrowStatement, { thrown, isFirst }: Following): void {
  if (ts.isIdentifier(expression)) return
  const isCoded = ts.isCallExpression(expression) && expression.expression.getText() === 'coded'
  if (isGivenCode(expression)) return
  const code = isCoded ? expression.arguments[1] : undefined
  if (code !== undefined && ts.isStringLiteral(code)) thrown.codes.add(code.text)
  else if (!isFailure(expression)) thrown.isBare = true
  else if (isFirst) thrown.codes.add('DEFECT')
}

/**
 * True for an error whose code is assigned by hand, because `core` is not loaded there; the type of the code checks it.
 */
function isGivenCode(thrown: ts.Expression): boolean {
  return ts.isCallExpression(thrown) && /^Object\.assign\(new .*\{ code \}\)$/.test(thrown.getText())
}

/** True for an assertion that fails. */
function isFailure(thrown: ts.Expression): boolean {
  return ts.isNewExpression(thrown) && thrown.expression.getText() === 'AssertionFailure'
}

/** Adds the errors of a called helper. */
function call(
  checker: ts.TypeChecker,
  node: ts.CallExpression,
  { body, following }: { readonly body: Body; readonly following: Following },
): void {
  const name = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression
  const own = asserting.get(name.getText())
  if (own !== undefined && following.isFirst) following.thrown.codes.add(own)
  if (own !== undefined || promised.has(name.getText())) return
  const symbol = checker.getSymbolAtLocation(name)
  if (symbol === undefined) return
  const isHere = (at: Body): boolean => at.getSourceFile() === body.getSourceFile()
  for (const helper of bodiesOf(checker, symbol)) {
    const says = ts.getJSDocTags(helper).some((tag) => tag.tagName.text === 'throws')
    const never = helper.type?.kind === ts.SyntaxKind.NeverKeyword
    if (isHere(helper) || says || never) follow(checker, helper, { ...following, isFirst: false })
  }
}
