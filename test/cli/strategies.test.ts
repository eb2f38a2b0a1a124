/**
 * Strategy modules on the command line: modules that never end, that end the process or write to the output, and runs
 * with --twice.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { repository } from '../support/repository.ts'

const program = join(repository, 'dist/cli/pitclock.js')

let home = ''
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'pitclock-strategies-'))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** Runs a scenario with a strategy of this source. */
function run(module: string, ...flags: readonly string[]): ReturnType<typeof spawnSync> {
  const scenario = `version: 1
title: A strategy
start: 2026-01-05T09:00:00Z
until: 2026-01-05T09:00:05Z
instruments: [BTC-PERPETUAL]
index: { btc_usd: 50000 }
accounts: { ann: { deposit: { BTC: 1 } } }
strategies:
  - { account: ann, module: ./own.mjs }
`
  writeFileSync(join(home, 'own.mjs'), module)
  writeFileSync(join(home, 'own.yaml'), scenario)
  const args = [program, 'run', 'own.yaml', ...flags]
  return spawnSync(process.execPath, args, { cwd: home, encoding: 'utf8', timeout: 120_000 })
}

const begin = "import { defineStrategy } from 'pitclock'\n"

test('H06 an await at the top of a module that never settles', () => {
  const { status, stderr } = run('await new Promise(() => {})\nexport default 1\n')
  expect(status).toBe(3)
  expect(stderr).toContain('an await at its top level that never ends')
})

test('H06 process.exit at the top of a module', () => {
  const { status, stderr } = run('process.exit(0)\n')
  expect(status).toBe(3)
  expect(stderr).toContain('strategies cannot use process.exit')
})

test('H06 an unhandled rejection in a callback is a mistake of the strategy', () => {
  const { status, stderr } = run(`${begin}export default defineStrategy(() => ({
  onStart: () => { Promise.reject(new Error('left behind')) },
}))
`)
  expect(status).toBe(3)
  expect(stderr).toMatch(/own\.mjs:3:\d+: .*expected a promise that is not rejected, found Error: left/)
})

test('A5 an API that would act later is refused by name, in a callback and at the top of a module', () => {
  const late = "process.nextTick(() => { throw new Error('late') })"
  const inside = run(`${begin}export default defineStrategy(() => ({ onStart: () => { ${late} } }))\n`)
  const top = run(`${late}\nexport default { }\n`)
  for (const { status, stderr } of [inside, top]) {
    expect([status, stderr]).toEqual([
      3,
      expect.stringContaining('strategies cannot use process.nextTick; use venue.setTimer'),
    ])
  }
})

test('A5 a request in a promise is a mistake of the strategy', () => {
  const { status, stderr } = run(`${begin}export default defineStrategy(() => ({
  onStart: (venue) => { Promise.resolve().then(() => venue.request('private/cancel_all', {})) },
}))
`)
  expect(status).toBe(3)
  expect(stderr).toMatch(/own\.mjs:3:\d+: .*found private\/cancel_all after the callback/)
})

test('H06b a dry run loads no module unless a flag allows it', () => {
  const module = `${begin}console.log('loaded')
export default defineStrategy(() => ({}))
`
  const plain = run(module, '--dry-run')
  expect([plain.status, plain.stderr]).toEqual([0, ''])
  expect(plain.stdout).toContain('--allow-modules')
  const allowed = run(module, '--dry-run', '--allow-modules')
  expect([allowed.status, allowed.stderr]).toEqual([0, expect.stringContaining('loaded')])
})

test('P05 the output of a strategy leaves --json a single object', () => {
  const module = `${begin}console.log('loading')
process.stdout.write('still loading\\n')
export default defineStrategy(() => ({
  onStart: (venue) => {
    console.log('hello')
    venue.log('there')
    process.stdout.write('two\\nlines')
    process.stdout.write(Buffer.from('bytes\\n'))
  },
}))
`
  const { stdout, stderr } = run(module, '--json')
  expect(JSON.parse(String(stdout))).toMatchObject({ version: 1, runs: [{ status: 'complete' }] })
  expect(stderr).toContain('2026-01-05T09:00:00Z ./own.mjs: hello')
  expect(stderr).toContain('own.mjs: there')
  expect(stderr).toContain('own.mjs: still loading\n')
  for (const line of ['two', 'lines', 'bytes']) {
    expect(stderr).toContain(`2026-01-05T09:00:00Z ./own.mjs: ${line}\n`)
  }
})

test('U01 U05 an exception has line and column, and --twice finds differences', () => {
  const thrown = run(`${begin}export default defineStrategy(() => ({
  onStart: () => { throw new Error('boom') },
}))
`)
  expect(thrown.status).toBe(3)
  expect(thrown.stderr).toMatch(/^error: \.\/own\.mjs:3:\d+: onStart: .*Error: boom\n {4}at /)
  const order = "{ instrument_name: 'BTC-PERPETUAL', amount: 10, price: 40000, label: String(chance) }"
  const labelled = (where: string): string => `${begin}${where}
`
  // A function of the process makes code with its globals, a loophole that no honest strategy uses.
  const top = labelled(`const chance = URL.constructor('return process.env.TZ')()
export default defineStrategy(() => ({ onStart: (venue) => { venue.request('private/buy', ${order}) } }))`)
  const differs = run(top, '--twice')
  expect(differs.status).toBe(1)
  expect(differs.stderr).toContain('the first table that differs is orders')
  const seeded = top.replace("URL.constructor('return process.env.TZ')()", 'Math.random()')
  expect(run(seeded, '--twice').status).toBe(0)
  const inside = labelled(`export default defineStrategy(() => ({
  onStart: (venue) => { const chance = Math.random(); venue.request('private/buy', ${order}) },
}))`)
  expect(run(inside, '--twice').status).toBe(0)
})

describe('D25 --twice fails if the second run has no result', () => {
  const calm = `${begin}export default defineStrategy(() => ({}))\n`
  /** A preload that ends the second process when `when` comes; only the second run is asked for tables. */
  const ending = (code: number, when: string): void => {
    const text = `if (process.argv.includes('--tables')) ${when.replace('END', `process.exit(${code})`)}`
    writeFileSync(join(home, 'preload.mjs'), text)
    vi.stubEnv('NODE_OPTIONS', `--import ${pathToFileURL(join(home, 'preload.mjs')).href}`)
  }
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  test.each([
    ['at its start', 0, 'END'],
    ['at its start with a code', 70, 'END'],
    ['after it printed the digest', 70, "process.on('exit', () => END)"],
  ])('%s, exit code %i', (_, code, when) => {
    ending(code, when)
    const { status, stderr } = run(calm, '--twice')
    expect([status, stderr]).toEqual([1, expect.stringContaining('the second run failed')])
    expect(stderr).toContain(`exit code ${code}`)
  })

  test('stdin, which cannot be read twice, is refused at once', () => {
    const args = [program, 'run', '-', '--twice']
    const { status, stderr } = spawnSync(process.execPath, args, { input: '', encoding: 'utf8' })
    expect([status, stderr]).toEqual([2, expect.stringContaining('--twice: expected a file')])
  })
})
