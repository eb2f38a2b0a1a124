/**
 * The program in its packed package: strategies with the package in their own `node_modules`, worker threads, the
 * schema, and stack traces with source positions. The program is bundled and the library is not, so a strategy may load
 * a second copy of both.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Ran, scratch } from '../support/built-program.ts'
import { packedPackage } from '../support/packed-package.ts'
import { repository } from '../support/repository.ts'

let home = ''
let installed = ''

beforeAll(() => {
  home = scratch()
  const modules = join(home, 'node_modules')
  installed = join(modules, 'pitclock')
  mkdirSync(installed, { recursive: true })
  const unpack = ['-xzf', packedPackage().tarball, '-C', installed, '--strip-components=1']
  expect(spawnSync('tar', unpack).status).toBe(0)
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>
  }
  for (const name of Object.keys(manifest.dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(repository, 'node_modules', name), join(modules, name))
  }
  writeFileSync(join(home, 'package.json'), '{ "type": "module" }')
}, 120_000)
afterAll(() => rmSync(home, { recursive: true, force: true }))

function node(...args: readonly string[]): Ran {
  const options = { cwd: home, encoding: 'utf8', maxBuffer: 1 << 28, timeout: 120_000 } as const
  const done = spawnSync(process.execPath, args, options)
  return { code: done.status, out: done.stdout, err: done.stderr }
}

const program = 'node_modules/pitclock/dist/cli/pitclock.js'

function write(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), text)
}

/** Writes a scenario whose strategy is a module of the project; returns its name. */
function scenarioOf(module: string): string {
  write(
    `${module}.yaml`,
    `version: 1
title: A strategy of its own
start: 2026-01-05T09:00:00Z
until: 2026-01-05T09:00:05Z
instruments: [BTC-PERPETUAL]
index: { btc_usd: 50000 }
accounts: { ann: { deposit: { BTC: 1 } } }
strategies:
  - { account: ann, module: ./${module} }
`,
  )
  return `${module}.yaml`
}

/** The digest that the program prints for a strategy. */
function digestOf(module: string): string {
  const { code, out, err } = node(program, 'run', scenarioOf(module), '--json')
  expect([code, err]).toEqual([0, ''])
  const { runs } = JSON.parse(out) as { readonly runs: readonly { readonly digest: string }[] }
  return runs[0]?.digest ?? ''
}

const strategy = `import { defineStrategy, openVenue } from 'pitclock'
import { micros } from 'pitclock/engine'
import { defaultPolicies } from 'pitclock/feeds'
import { engineVersion } from 'pitclock/node'
import { methodNames } from 'pitclock/wire'
export default defineStrategy(() => ({
  onStart: (venue) => {
    venue.request('private/buy', { instrument_name: 'BTC-PERPETUAL', amount: 10, price: 49_000, label: [engineVersion(), methodNames.length, defaultPolicies.crossed].join(' ') })
    venue.setTimer('soon', micros(1_000_000))
    openVenue({ start: '2026-01-05T09:00:00Z' })
  },
  onOrder: ({ order_id, amount }, venue) => {
    if (amount === 10) venue.request('private/edit', { order_id, amount: 20, price: 49_500 })
  },
}))
`

test('a strategy in a package runs like a file, with the library of the program', () => {
  write('own.ts', strategy)
  const own = digestOf('own.ts')
  expect(own).toMatch(/^[0-9a-f]{64}$/)
  write('node_modules/kit/package.json', '{ "type": "module", "exports": "./kit.js" }')
  write('node_modules/kit/kit.js', `${strategy}export const library = import.meta.resolve('pitclock')\n`)
  write('kit.mjs', "export { default } from 'kit'\n")
  expect(digestOf('kit.mjs')).toBe(own)
  write('said.mjs', "import { library } from 'kit'\nexport { default } from 'kit'\nconsole.log(library)\n")
  expect(node(program, 'run', scenarioOf('said.mjs')).err).toMatch(/: pitclock\n$/)
})

test('a worker thread runs the library', () => {
  write('own.ts', strategy)
  write(
    'worker.mjs',
    `import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { runFile } from 'pitclock/node'
if (isMainThread) new Worker(new URL(import.meta.url)).on('message', (digest) => console.log(digest))
else parentPort.postMessage((await runFile('${scenarioOf('own.ts')}')).value.digest)
`,
  )
  const { code, out } = node('worker.mjs')
  expect([code, out.trim()]).toEqual([0, digestOf('own.ts')])
})

test('the program prints the schema of the package, and writes and reads tables', () => {
  const { code, out } = node(program, 'schema')
  expect(code).toBe(0)
  expect(out).toBe(readFileSync(join(installed, 'dist/schema/scenario.json'), 'utf8'))
  const scenario = 'node_modules/pitclock/scenarios/orders/market-sell-fills-resting-bid.yaml'
  expect(node(program, 'run', scenario, '--out', 'run', '--quiet').code).toBe(0)
  expect(node(program, 'inspect', 'run').out).toContain('digest')
})

test('the commands and files of the README work in a separate project, as described', () => {
  const guide = readFileSync(join(installed, 'README.md'), 'utf8')
  const [, named = ''] = /\$ npx pitclock run (scenarios\/orders\/\S+)/.exec(guide) ?? []
  const missing = node(program, 'run', named)
  expect(missing.code).toBe(4)
  expect(missing.err).toContain(`hint: the package contains this file: node_modules/pitclock/${named}\n`)
  expect(node(program, 'run', `node_modules/pitclock/${named}`).out).toMatch(/digest +[0-9a-f]{64}/)
  expect(node(program, 'run', 'scenarios/none.yaml').err).not.toContain('hint')
  const blockAfter = (mark: string): string => guide.slice(guide.indexOf(mark)).split(/```\w+\n|```\n/)[1] ?? ''
  write('maker.yaml', blockAfter('<!-- backtest'))
  write('quotes.ts', blockAfter('<!-- strategy'))
  const lost = node(program, 'run', 'maker.yaml')
  expect(lost.code).toBe(4)
  expect(lost.err).toContain('hint: the package contains this file: node_modules/pitclock/data/recorded-market/')
  const found = node(program, 'run', 'maker.yaml', '--feeds', 'node_modules/pitclock')
  expect([found.code, found.err]).toEqual([0, ''])
})

test('the licences of the bundled packages are next to the program', () => {
  const text = readFileSync(join(installed, 'dist/cli/licences.txt'), 'utf8')
  for (const name of ['apache-arrow', 'commander', 'yaml', 'zod']) {
    expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'))
  }
  // Licences of modules whose authors differ from those of their packages.
  expect(text).toMatch(/Copyright .* Zhipeng Jia/)
  expect(text).toMatch(/Copyright .* Baagøe/)
})
