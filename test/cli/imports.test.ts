/**
 * The modules that an import of each entry point loads. Each file takes about a millisecond, and some packages a tenth
 * of a second, so the first call that needs a heavy module loads it.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { repository } from '../support/repository.ts'

/** Prints every loaded module on stderr. Loaders run in a separate thread, which shares the stream. */
const loader = `
import { writeSync } from 'node:fs'
export async function load(url, context, next) {
  writeSync(2, 'loaded ' + url + '\\n')
  return await next(url, context)
}`
const hook = `import { register } from 'node:module'
register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(loader)}`)})`

interface Loaded {
  /** Files of `dist/src`. */
  readonly own: readonly string[]
  readonly packages: readonly string[]
  readonly builtins: readonly string[]
}

/** The modules that a program loads. */
function loadedBy(program: string): Loaded {
  const hooked = `data:text/javascript,${encodeURIComponent(hook)}`
  const args = ['--import', hooked, '--input-type=module', '-e', program]
  const { status, stderr } = spawnSync(process.execPath, args, {
    ...{ cwd: repository, encoding: 'utf8' },
  })
  expect([status, stderr.replaceAll(/^loaded .*\n/gm, '')]).toEqual([0, ''])
  const urls = [...stderr.matchAll(/^loaded (.*)$/gm)].map(([, url = '']) => url)
  const library = `${pathToFileURL(join(repository, 'dist/src')).href}/`
  const packages = urls.flatMap((url) => url.match(/\/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1] ?? [])
  return {
    own: urls
      .filter((url) => url.startsWith(library))
      .map((url) => url.slice(library.length))
      .sort(),
    packages: [...new Set(packages)].sort(),
    builtins: urls.filter((url) => url.startsWith('node:')).sort(),
  }
}

test("import 'pitclock/node' loads a few files, no package and nothing of the exchange", () => {
  expect(loadedBy("import 'pitclock/node'")).toEqual({
    own: [
      'host/index.js',
      'host/later.js',
      'host/runs/digest-file.js',
      'host/runs/version.js',
      'host/scenario-reporter.js',
      'host/sha256.js',
      'host/system-words.js',
      'node.js',
    ],
    packages: [],
    builtins: ['node:crypto', 'node:fs', 'node:path'],
  })
})

test("import 'pitclock' loads the exchange: no files, Arrow or test generators; zod as a part in one file", () => {
  const { own, packages, builtins } = loadedBy("import 'pitclock'")
  expect([...new Set(own.map((file) => file.split('/')[0]))]).toEqual([
    ...[
      'backtest',
      'blocks',
      'book',
      'core',
      'engine',
      'faults',
      'feeds',
      'gateways',
      'index.js',
      'ledger',
      'margin',
      'model',
    ],
    ...['pricing', 'program', 'results', 'rpc', 'scenario', 'wallet'],
  ])
  expect(own.filter((file) => file.startsWith('results/arrow/'))).toEqual([])
  expect(packages).toEqual(['@noble/hashes', 'seedrandom', 'yaml'])
  expect(builtins).toEqual([])
})

test.each([
  [
    'pitclock/engine',
    ['blocks', 'book', 'core', 'engine.js', 'engine', 'ledger', 'margin', 'model', 'pricing', 'wallet'],
    ['@noble/hashes', 'seedrandom'],
  ],
  ['pitclock/feeds', ['core', 'feeds.js', 'feeds', 'model'], ['@noble/hashes', 'seedrandom']],
])('import %s loads its own folders and nothing above', (name, folders, needed) => {
  const { own, packages, builtins } = loadedBy(`import '${name}'`)
  expect([...new Set(own.map((file) => file.split('/')[0]))]).toEqual(folders)
  expect(packages).toEqual(needed)
  expect(builtins).toEqual([])
})

test('a scenario without tables loads neither Arrow nor the loader of strategies', () => {
  const file = 'scenarios/orders/market-sell-fills-resting-bid.yaml'
  const run = `import { runFile } from 'pitclock/node'\nawait runFile(${JSON.stringify(file)})`
  const { packages } = loadedBy(run)
  expect(packages).toContain('yaml')
  expect(packages.filter((name) => /zod|arrow|flatbuffers|jiti|fast-check|commander/.test(name))).toEqual([])
})

test('help of the program loads no package and nothing of the library', () => {
  const program = pathToFileURL(join(repository, 'dist/cli/pitclock.js')).href
  const text = `process.argv = ['node', 'pitclock', '--help']\nprocess.stdout.write = () => true
await import(${JSON.stringify(program)})`
  const { own, packages } = loadedBy(text)
  expect([own, packages]).toEqual([[], []])
})
