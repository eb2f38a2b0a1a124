/**
 * The README tells the truth: its library example prints its number, its scenario holds, its commands
 * exist.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repository } from './support/repository.ts'

const readme = readFileSync(join(repository, 'README.md'), 'utf8')
const program = join(repository, 'dist/cli/pitclock.js')

/** The code blocks that follow marker comments of one sort. */
function blocksAfter(marker: string): readonly string[] {
  return readme
    .split(marker)
    .slice(1)
    .map((rest) => /```\w+\n([\s\S]*?)```/.exec(rest)?.[1] ?? '')
}

/** The code block that follows the only marker comment of its sort. */
function blockAfter(marker: string): string {
  const [block = '', ...others] = blocksAfter(marker)
  expect(block, `the README has a block marked ${marker}`).not.toBe('')
  expect(others).toEqual([])
  return block
}

test('the library example has at most 12 lines of code and prints its number', () => {
  const code = blockAfter('<!-- library')
  expect(code.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(12)
  // Inside the package, so that it imports `pitclock` by name as a user would.
  const file = join(repository, 'dist', 'readme-example.mjs')
  writeFileSync(file, code)
  const done = spawnSync(process.execPath, [file], { cwd: repository, encoding: 'utf8' })
  rmSync(file)
  expect(done.stderr).toBe('')
  expect(done.stdout).toBe('60010\n')
})

test('there are scenarios in the README', () => {
  expect(blocksAfter('<!-- scenario').length).toBeGreaterThanOrEqual(2)
})

test.each(blocksAfter('<!-- scenario'))('a scenario of the README holds: %#', (block) => {
  const file = join(mkdtempSync(join(tmpdir(), 'pitclock-readme-')), 'readme.yaml')
  writeFileSync(file, block)
  const done = spawnSync(process.execPath, [program, 'run', file], { encoding: 'utf8' })
  expect(done.stderr).toBe('')
  expect(done.status).toBe(0)
})

test('the backtest of the README fills, with its strategy', () => {
  const home = mkdtempSync(join(tmpdir(), 'pitclock-readme-'))
  const file = join(home, 'backtest.yaml')
  writeFileSync(
    file,
    blockAfter('<!-- backtest').replaceAll('data/', `${join(repository, 'data')}/`),
  )
  writeFileSync(join(home, 'quotes.ts'), blockAfter('<!-- strategy'))
  const args = [program, 'run', file, '--json']
  const done = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect(done.stderr).toBe('')
  const { runs } = JSON.parse(done.stdout) as { readonly runs: readonly { trades: number }[] }
  expect(runs[0]?.trades).toBeGreaterThan(10)
})

test('every option the README names is an option of a command', () => {
  const stdout = ['run', 'convert', 'inspect', 'compare']
    .map(
      (name) => spawnSync(process.execPath, [program, name, '--help'], { encoding: 'utf8' }).stdout,
    )
    .join('')
  const named = [...readme.matchAll(/`(--[a-z-]+)/g)].map((match) => match[1] ?? '')
  expect(named.length).toBeGreaterThan(5)
  for (const option of named) expect(stdout).toContain(option)
})

test('every scenario and command the README names exists', () => {
  const commands = [
    ...readme.matchAll(
      /npx pitclock (run|diff|compare|schema|doctor|convert|inspect) ?([\w./-]*\.yaml)?/g,
    ),
  ]
  expect(commands.length).toBeGreaterThan(3)
  for (const [, , file] of commands) {
    if (file !== undefined)
      expect(readFileSync(join(repository, file), 'utf8')).toContain('version: 1')
  }
})
