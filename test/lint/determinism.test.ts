/**
 * Each banned construct is reported on a pure floor, and ordinary code is not. `tidy.test.ts` runs the check over the
 * pure floors of the repository.
 */

import { expect, test } from 'vitest'
import { usesOfTheMachine } from './determinism-checks.ts'

const bannedMathFunctions = [
  ...['pow', 'exp', 'expm1', 'log', 'log2', 'log10', 'log1p', 'cbrt', 'hypot'],
  ...['sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'atan2', 'sinh', 'cosh', 'tanh'],
  ...['asinh', 'acosh', 'atanh'],
]

/** One snippet per banned construct, with the words its report contains. */
const banned: readonly (readonly [snippet: string, report: string])[] = [
  ['use(Math.random())', 'named stream'],
  ["Math.seedrandom('x')", 'named stream'],
  ...bannedMathFunctions.map((name) => [`use(Math.${name}(2))`, 'last bit'] as const),
  ['use([1].map(Math.log))', 'last bit'],
  ["use(Math['exp'](1))", 'name the member of Math'],
  ['const { sin } = Math', 'name the member of Math'],
  ['use(2 ** 3)', 'power operator'],
  ['use(1 + list[0] ** 2)', 'power operator'],
  ['size **= 2', 'power operator'],
  ['list[size === 2 ? 0 : 1] **= 2', 'power operator'],
  ['use(new Date())', 'command.time'],
  ['use(Date.now())', 'command.time'],
  ['use(Date.UTC(2026))', 'command.time'],
  ['use(performance.now())', 'command.time'],
  ['setTimeout(use, 1)', 'virtual clock'],
  ['setInterval(use, 1)', 'virtual clock'],
  ['setImmediate(use)', 'virtual clock'],
  ['queueMicrotask(use)', 'virtual clock'],
  ['use(process.env)', 'no environment'],
  ['use(globalThis)', 'no environment'],
  ['use(crypto.randomUUID())', 'no environment'],
  ['use(new Intl.NumberFormat())', 'locale'],
  ['use(size.toLocaleString())', 'locale'],
  ["use('a'.toLocaleUpperCase())", 'locale'],
  ["use('a'.localeCompare('b'))", 'locale'],
  ['for (const key in list) use(key)', 'for...in'],
  ['list.sort()', 'comparator'],
  ['list?.sort()', 'comparator'],
  ['use(list.toSorted())', 'comparator'],
  ['use(list.map((size) => size + 1).sort())', 'comparator'],
  ["import { readFileSync } from 'node:fs'", 'node: module'],
  ["export { readFileSync } from 'node:fs'", 'node: module'],
  ["use(import('node:fs'))", 'node: module'],
]

const clean = `
import { process } from './process.ts'

interface Row {
  readonly performance: number
  readonly crypto: string
}

export function cleanRow(row: Row, list: number[]): number {
  list.sort((left, right) => left - right)
  const root = Math.floor(Math.sqrt(row.performance) * Math.PI)
  for (const key of Object.keys(row)) list.push(root + key.length)
  return Math.max(...list.toSorted((left, right) => right - left), Math.abs(list.length))
}
`

test.each(banned)('%s is reported', (snippet, words) => {
  const path = 'src/engine/sample.ts'
  expect(usesOfTheMachine(new Map([[path, snippet]]))).toEqual([expect.stringContaining(words)])
})

test('ordinary code is not reported', () => {
  expect(usesOfTheMachine(new Map([['src/engine/clean.ts', clean]]))).toEqual([])
})
