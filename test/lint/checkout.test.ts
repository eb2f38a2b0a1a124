/** Checks of a checkout as a whole: nothing in it is unused, and its tests test its own sources. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repository } from '../support/repository.ts'

test('no file, export or dependency is unused (npm run knip)', () => {
  const tool = join(repository, 'node_modules/.bin/knip')
  const { status, stdout } = spawnSync(tool, [], { cwd: repository, encoding: 'utf8' })
  expect([status, stdout]).toEqual([0, ''])
})

test('a checkout that links to the node_modules of another one tests its own sources', () => {
  const checkout = mkdtempSync(join(tmpdir(), 'pitclock-checkout-'))
  const write = (name: string, text: string): void => writeFileSync(join(checkout, name), text)
  for (const folder of ['src', '.ci/schemas', 'test/support', 'test/lint', 'test/unit', 'test/recorded']) {
    mkdirSync(join(checkout, folder), { recursive: true })
  }
  const copied = ['package.json', 'vitest.config.ts', 'test/native-modules.ts', 'test/closing-line.ts']
  const supports = ['repository', 'planted-edit', 'property-runs', 'seeded'].map((name) => `test/support/${name}.ts`)
  for (const name of [...copied, ...supports]) cpSync(join(repository, name), join(checkout, name))
  symlinkSync(join(repository, 'node_modules'), join(checkout, 'node_modules'), 'dir')
  write('src/place.ts', "export const place = 'the other checkout'\n")
  write(
    'test/unit/place.test.ts',
    `import { expect, test } from 'vitest'
import { place } from '../../src/place.ts'
import { repository } from '../support/repository.ts'

test('place', () => {
  expect([place, repository]).toEqual(['the other checkout', ${JSON.stringify(checkout)}])
})
`,
  )
  const vitest = join(repository, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--maxWorkers=1', 'test/unit/place.test.ts']
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: checkout, encoding: 'utf8' })
  rmSync(checkout, { recursive: true })
  expect(stdout + stderr).toContain('1 passed, 0 failed, 0 skipped')
})
