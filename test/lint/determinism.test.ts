/**
 * Shows that the determinism plugin bites: each banned construct is reported on a pure floor, ordinary
 * code is not, and floors that may touch the machine are left alone. The tests run Biome with the
 * repository's own configuration over a copy of it in a temporary folder.
 */

import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { repository } from '../support/repository.ts'

const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome')

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
  ["use(Math['exp'](1))", 'Name the member of Math'],
  ['const { sin } = Math', 'Name the member of Math'],
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

interface Diagnostic {
  readonly category: string
  readonly message: string
  readonly location: { readonly path: string }
}

let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pitclock-lint-'))
  mkdirSync(join(folder, 'test', 'lint'), { recursive: true })
  const plugin = join('test', 'lint', 'determinism.grit')
  cpSync(join(repository, plugin), join(folder, plugin))
  cpSync(join(repository, 'biome.json'), join(folder, 'biome.json'))
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** Lints the given files in one run of Biome and returns each path's plugin reports. */
function reportsByPath(files: ReadonlyMap<string, string>): Map<string, string[]> {
  rmSync(join(folder, 'src'), { recursive: true, force: true })
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const run = spawnSync(
    process.execPath,
    [biome, 'lint', '--only=plugin', '--max-diagnostics=none', '--reporter=json', 'src'],
    { cwd: folder, encoding: 'utf8' },
  )
  expect(run.error).toBeUndefined()
  const { diagnostics } = JSON.parse(run.stdout) as { diagnostics: Diagnostic[] }
  const reports = new Map<string, string[]>([...files.keys()].map((path) => [path, []]))
  for (const { location, category, message } of diagnostics) {
    // Any other category means that the sample or the plugin itself is broken.
    expect([category, message]).toEqual(['plugin', message])
    reports.get(location.path)?.push(message)
  }
  return reports
}

describe('the determinism plugin', () => {
  test('reports each banned construct on a pure floor', () => {
    const samples = banned.map(([snippet], row) => [`src/engine/sample-${row}.ts`, snippet] as const)
    const reports = reportsByPath(new Map(samples))
    for (const [row, [snippet, words]] of banned.entries()) {
      const found = reports.get(`src/engine/sample-${row}.ts`)
      expect([snippet, found]).toEqual([snippet, [expect.stringContaining(words)]])
    }
  })

  test('leaves ordinary code alone', () => {
    const path = 'src/engine/clean.ts'
    expect(reportsByPath(new Map([[path, clean]])).get(path)).toEqual([])
  })

  test('lets the floors that touch the machine use it', () => {
    const paths = ['src/host/sample.ts', 'src/server/sample.ts', 'src/node.ts']
    const reports = reportsByPath(new Map(paths.map((path) => [path, 'use(Date.now())'])))
    expect([...reports.values()]).toEqual([[], [], []])
  })

  test('is switched on in the configuration that the gate uses', () => {
    const scripts = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')).scripts
    expect(scripts.lint).toBe('biome ci')
    expect(scripts.test).toContain('npm run lint')
  })
})
