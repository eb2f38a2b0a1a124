/**
 * `pitclock init` for a new user: the project that it writes runs, and its tests pass, with only the package installed.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pitclock, scratch } from '../support/built-program.ts'
import { repository } from '../support/repository.ts'

const files = [
  ...['.gitignore', 'README.md', 'backtest.yaml', 'market.test.ts', 'package.json'],
  ...['quoter.ts', 'scenario.yaml', 'vitest.config.ts'],
]

test('U11 a new project installs the package from its place, runs unchanged, and its tests pass', () => {
  const home = join(scratch(), 'My Market')
  const begun = pitclock(['init', home])
  expect([begun.code, begun.err]).toEqual([0, ''])
  expect(begun.out).toContain('npm install && npm start')
  expect(readdirSync(home).sort()).toEqual(files)
  const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
    readonly name: string
    readonly dependencies: Record<string, string>
  }
  expect(manifest.name).toBe('my-market')
  // The package is not published.
  expect(manifest.dependencies['pitclock']).toBe(`file:${repository}`)
  // The folder that npm install would make.
  const modules = join(home, 'node_modules')
  mkdirSync(modules)
  symlinkSync(repository, join(modules, 'pitclock'))
  for (const name of ['vitest', 'fast-check']) {
    symlinkSync(join(repository, 'node_modules', name), join(modules, name))
  }
  const scenario = pitclock(['run', join(home, 'scenario.yaml'), '--json'])
  expect([scenario.code, scenario.err]).toEqual([0, ''])
  const out = join(home, 'runs/first')
  const backtest = pitclock(['run', join(home, 'backtest.yaml'), '--out', out, '--json'])
  expect([backtest.code, backtest.err]).toEqual([0, ''])
  const { runs } = JSON.parse(backtest.out) as {
    readonly runs: readonly { readonly accounts: readonly { readonly account: string }[] }[]
  }
  expect(runs[0]?.accounts.some(({ account }) => account === 'quoter')).toBe(true)
  expect(existsSync(join(out, 'fills.arrow'))).toBe(true)
  const vitest = join(repository, 'node_modules/vitest/vitest.mjs')
  const tested = spawnSync(process.execPath, [vitest, 'run'], { cwd: home, encoding: 'utf8' })
  expect(tested.stdout).toMatch(/2 passed/)
  expect(tested.status).toBe(0)
})

test('existing files are replaced only with --force, and nothing is written without it', () => {
  const home = scratch()
  writeFileSync(join(home, 'quoter.ts'), 'mine')
  const refused = pitclock(['init', home])
  expect(refused.code).toBe(4)
  expect(refused.err).toContain('quoter.ts: expected no file with this name, found a file')
  expect(refused.err).toContain('--force')
  expect(readdirSync(home)).toEqual(['quoter.ts'])
  expect(pitclock(['init', home, '--force']).code).toBe(0)
  expect(readFileSync(join(home, 'quoter.ts'), 'utf8')).toContain('defineStrategy')
  expect(pitclock(['init', join(home, 'quoter.ts/x')]).code).toBe(4)
})
