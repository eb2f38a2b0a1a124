/** Docstrings of exported functions list the errors that they throw, with existing codes. */
import ts from 'typescript'
import { expect, test } from 'vitest'
import { sourceProgram } from '../../.ci/schemas/result-types.ts'
import { errorCodes } from '../../src/index.ts'
import { throwsFaults } from '../lint/throws-checks.ts'
import { entryNames } from '../support/entry-names.ts'

const codes: ReadonlySet<string> = new Set(Object.keys(errorCodes))

/** Faults of the exports of a file. */
function faultsOf(text: string): readonly string[] {
  const file = 'sample.ts'
  const options: ts.CompilerOptions = { noLib: true, types: [] }
  const usual = ts.createCompilerHost(options)
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true)
  const program = ts.createProgram([file], options, {
    ...usual,
    getSourceFile: (name) => (name === file ? source : undefined),
  })
  const checker = program.getTypeChecker()
  const module = checker.getSymbolAtLocation(source)
  const exported = module === undefined ? [] : checker.getExportsOfModule(module)
  return throwsFaults(
    checker,
    exported.map((symbol) => ({ name: symbol.name, symbol })),
    codes,
  )
}

test('a function that throws without a docstring for it, or lists an unknown code, is reported', () => {
  expect(
    faultsOf(`
export function silent() { throw coded(new RangeError('x'), 'TIME') }
export function bare() { throw new RangeError('x') }
/** @throws RangeError with the code \`NOTHING\`. */
export function invented() { return 1 }
/** @throws RangeError where it is none. */
export function vague() { throw coded(new RangeError('x'), 'TIME') }
/** @throws RangeError with the code \`OPTION\`. */
export function other() { throw coded(new RangeError('x'), 'TIME') }
function deep() { throw coded(new RangeError('x'), 'START') }
export function near() { return () => deep() }
export function asserting(a) { assert(a > 0, 'a is positive') }
export const arrow = () => deep()
export class Clock {
  move() { deep() }
  #hidden() { throw new RangeError('x') }
}
`),
  ).toEqual([
    'silent: throws TIME; expected @throws with `TIME`',
    'bare: throws an error without a code',
    'invented: @throws names no code of errorCodes',
    'vague: @throws names no code of errorCodes',
    'vague: throws TIME; expected @throws with `TIME`',
    'other: throws TIME; expected @throws with `TIME`',
    'near: throws START; expected @throws with `START`',
    'asserting: throws DEFECT; expected @throws with `DEFECT`',
    'arrow: throws START; expected @throws with `START`',
    'Clock.move: throws START; expected @throws with `START`',
  ])
})

test('caught errors, assertions and documented errors are not reported', () => {
  expect(
    faultsOf(`
function deep() { throw coded(new RangeError('x'), 'START') }
export function careful() { try { deep() } catch { return 1 } }
export function again() { try { deep() } catch (error) { throw error } }
export function sure(a) { return defined(a, 'there is one') }
function held(a) { assert(a > 0, 'a is positive') }
export function helped() { held(1) }
/** @throws RangeError with the code \`START\` where it cannot. */
export function honest() { deep() }
`),
  ).toEqual([])
})

test('every function of the package documents the errors that it throws', () => {
  const names = [...entryNames().values()].flat().filter(({ kind }) => kind !== 'type')
  const exported = names.map(({ name, declared }) => ({ name, symbol: declared }))
  expect(exported.length).toBeGreaterThan(90)
  expect(throwsFaults(sourceProgram().getTypeChecker(), exported, codes)).toEqual([])
})
