/** The package as users get it: its files, the types against which they compile, and the bytes that a browser loads. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import ts from 'typescript'
import { beforeAll, expect, test } from 'vitest'
import { scratch } from '../support/built-program.ts'
import { referencePages } from '../support/entry-points.ts'
import { guides } from '../support/guides.ts'
import { packedPackage } from '../support/packed-package.ts'
import { inTurn } from '../support/property-runs.ts'
import { repository } from '../support/repository.ts'

let tarball = ''
let paths: readonly string[] = []
beforeAll(() => {
  const packed = packedPackage()
  tarball = packed.tarball
  paths = packed.paths
}, 120_000)

const {
  exports: entryPoints,
  files,
  scripts,
} = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, unknown>>
  readonly files: readonly string[]
  readonly scripts: Readonly<Record<string, string>>
}
const typed = Object.keys(entryPoints).filter((name) => !name.endsWith('.json'))

// attw compiles the declarations four times.
const entries = inTurn('attw', typed)

test.each([
  ['publint', ['--strict']],
  ...(entries.length === 0 ? [] : [['attw', ['--profile', 'esm-only', '--entrypoints', ...entries]] as const]),
] as const)('%s accepts the built package (npm run check:package)', (name, args) => {
  const tool = join(repository, 'node_modules/.bin', name)
  const { status, stdout, stderr } = spawnSync(tool, [tarball, ...args], {
    ...{ cwd: repository, encoding: 'utf8' },
  })
  expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, ''])
})

test('P13 each source map of the package contains its sources', () => {
  const maps = paths.filter((path) => path.endsWith('.map'))
  expect(maps.length).toBeGreaterThan(100)
  // Maps of declarations cannot contain sources.
  expect(maps.filter((path) => path.endsWith('.d.ts.map'))).toEqual([])
  // U12: the maps of the program would be half of all maps, so the package leaves them out.
  expect(maps.filter((path) => path.startsWith('dist/cli/'))).toEqual([])
  const empty = maps.filter((path) => {
    const { sources, sourcesContent } = JSON.parse(readFileSync(join(repository, path), 'utf8')) as {
      readonly sources: readonly string[]
      readonly sourcesContent?: readonly (string | null)[]
    }
    return sources.some((_, at) => typeof sourcesContent?.[at] !== 'string')
  })
  expect(empty).toEqual([])
})

test('U12 the package installs only packages that the library imports', () => {
  const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>
  }
  const importsOf = (ending: string): ReadonlySet<string> => {
    const files = paths.filter((path) => path.startsWith('dist/src/') && path.endsWith(ending))
    const names = files.flatMap((path) => {
      const { importedFiles } = ts.preProcessFile(readFileSync(join(repository, path), 'utf8'))
      return importedFiles.map(({ fileName }) => fileName)
    })
    const packages = names.map((name) => /^(?:@[^/]+\/)?[^./][^/]*/.exec(name)?.[0] ?? '')
    return new Set(packages.filter((name) => name !== '' && !/^(?:node:|pitclock$)/.test(name)))
  }
  const imported = importsOf('.js')
  const installed = Object.keys(manifest.dependencies)
  expect([...imported].filter((name) => !installed.includes(name))).toEqual([])
  // Declarations name the types of zod; its code is in a file of the library.
  const declared = importsOf('.d.ts')
  expect(installed.filter((name) => !imported.has(name) && !declared.has(name))).toEqual([])
  expect(installed.filter((name) => !imported.has(name))).toEqual(['zod'])
})

test('the package leaves out digests that only our tests read', () => {
  expect(paths).not.toContain('scenarios/digests.json')
})

test('the package contains every guide that it links to', () => {
  expect(guides.filter((guide) => !paths.includes(guide))).toEqual([])
})

test('npm pack writes the reference into the package', () => {
  expect(scripts['prepack']).toBe('npm run reference')
  expect(files).toContain('reference')
})

test('links of the guides in the package lead to files of the package', () => {
  const broken = paths
    .filter((path) => path.endsWith('.md'))
    .flatMap((path) => {
      const text = readFileSync(join(repository, path), 'utf8')
      const links = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link)
      return links
        .filter((link) => !/^[a-z]+:/.test(link))
        .map((link) => ({ path, link, target: join(dirname(path), link) }))
    })
    // Packing writes the reference first; the tests pack without scripts.
    .filter(({ target }) => ![...paths, ...referencePages()].some((path) => `${path}/`.startsWith(`${target}/`)))
  expect(broken.map(({ path, link }) => `${path}: ${link}`)).toEqual([])
})

/** A folder with a program that has the package installed. */
function homeOf(program: string): string {
  const home = scratch()
  const modules = join(home, 'node_modules')
  mkdirSync(modules)
  symlinkSync(repository, join(modules, 'pitclock'))
  symlinkSync(join(repository, 'node_modules/vitest'), join(modules, 'vitest'))
  writeFileSync(join(home, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(home, 'program.ts'), program)
  const compilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, exactOptionalPropertyTypes: true },
    ...{ module: 'nodenext', target: 'es2023', types: [] },
  }
  writeFileSync(join(home, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  return home
}

/** The output of the compiler for a program. */
function compile(program: string): string {
  const home = homeOf(program)
  const compiler = join(repository, 'node_modules/typescript-7/bin/tsc')
  return spawnSync(process.execPath, [compiler, '-p', home], {
    ...{ cwd: home, encoding: 'utf8' },
  }).stdout
}

test('P14 a program with commands compiles against the declarations of the package, without casts', () => {
  const text = readFileSync(join(repository, 'test/unit/engine-commands.test.ts'), 'utf8')
  const program = text
    .replaceAll('../../src/engine.ts', 'pitclock/engine')
    .replaceAll('../../src/testing/index.ts', 'pitclock/testing')
  expect(program).not.toMatch(/ as (?:[A-Z]|never|unknown)|src\//)
  expect(compile(program)).toBe('')
  // A plain number is still not a time.
  expect(compile(program.replace('micros(start + nth * 1_000)', 'start + nth * 1_000'))).toContain(
    "is not assignable to type 'Micros'",
  )
})

test('the declarations of the package hide the fields of an exchange', () => {
  const program = `import { type Exchange, timeOf } from 'pitclock/engine'
export const clock = (exchange: Exchange): number => timeOf(exchange)
export const bare = (exchange: Exchange): number => exchange.now
`
  expect(compile(program)).toMatch(
    /^program\.ts\(3,\d+\): error TS2339: Property 'now' does not exist on type 'Exchange'\.\n$/,
  )
})

/** Files that several programs read are parsed once. */
const parsed = ts.createDocumentRegistry()

/** The texts that an editor shows for the words after `^` in a program. */
function shown(marked: string): readonly string[] {
  const places = [...marked.matchAll(/\^/g)].map(({ index }, nth) => index - nth)
  const file = join(homeOf(marked.replaceAll('^', '')), 'program.ts')
  const options: ts.CompilerOptions = {
    ...{ strict: true, module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, types: [] },
  }
  const host: ts.LanguageServiceHost = {
    getCurrentDirectory: () => join(file, '..'),
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    realpath: (path) => ts.sys.realpath?.(path) ?? path,
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) => {
      const text = ts.sys.readFile(path)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  }
  const service = ts.createLanguageService(host, parsed)
  return places.map((at) => {
    const info = service.getQuickInfoAtPosition(file, at)
    return ts.displayPartsToString(info?.documentation)
  })
}

test('an editor shows the meaning of the fields of a result', () => {
  const program = `import type { WireOrder, WireTicker } from 'pitclock/wire'
export const price = (order: WireOrder): number => order.^average_price
export const size = (ticker: WireTicker): number => ticker.^best_bid_amount + ticker.stats.^volume
`
  expect(shown(program)).toEqual([
    'average price of the fills',
    'size of the best bid; 0 without bids',
    'traded size in 24 hours',
  ])
})

test('P10 an editor shows the meaning of the parameters of a request', () => {
  const program = `import { openVenue } from 'pitclock'
const venue = openVenue({ start: '2026-01-05T09:00:00Z' })
const perpetual = 'BTC-PERPETUAL'
venue.as('a').request('private/buy', { instrument_name: perpetual, ^amount: 10, ^post_only: true })
venue.request('public/get_order_book', { ^instrument_name: perpetual, ^depth: 5 })
`
  expect(shown(program)).toEqual([
    'size in the unit of the instrument; contracts can replace it',
    'post-only: if the price would trade, it is moved away from the book',
    'instrument name, such as BTC-PERPETUAL',
    'number of price levels of each side',
  ])
})

interface Bundle {
  readonly bytes: number
  readonly modules: readonly string[]
}

/** Bundles a program for a browser, minified. */
async function bundle(program: string): Promise<Bundle> {
  const input = join(repository, 'dist/src/program.js')
  const build = await rolldown({
    ...{ input, platform: 'browser', logLevel: 'silent' },
    plugins: [
      {
        name: 'program',
        resolveId: (id) => (id === input ? id : undefined),
        load: (id) => (id === input ? program : undefined),
      },
    ],
  })
  const { output } = await build.generate({ format: 'esm', minify: true })
  await build.close()
  const chunks = output.filter((piece) => piece.type === 'chunk')
  return {
    bytes: chunks.reduce((sum, { code }) => sum + Buffer.byteLength(code), 0),
    modules: chunks.flatMap(({ moduleIds }) => moduleIds),
  }
}

test('P16 a browser loads no unused parts: no parser of files, one part of zod, and little for a unit', async () => {
  const unit = await bundle("export { micros } from './engine.js'")
  expect(unit.bytes).toBeLessThan(1_000)
  const venue = await bundle("export { openVenue } from './index.js'")
  // 25 kB of it are the channels, which `venue.subscribe` needs; 2 kB check the kinds of arguments (U5), 4 kB below.
  expect(venue.bytes).toBeLessThan(925_600)
  expect(venue.modules.filter((id) => /node_modules\/(?:yaml|zod)\/|src\/scenario\//.test(id))).toEqual([])
  const whole = await bundle("export * from './index.js'")
  expect(whole.bytes).toBeLessThan(1_282_000)
  expect(whole.modules.filter((id) => id.includes('node_modules/zod/'))).toEqual([])
})

test('a lower entry point loads nothing of those above it', async () => {
  const engine = await bundle("export * from './engine.js'")
  expect(engine.bytes).toBeLessThan(527_500)
  expect(engine.modules.filter((id) => /src\/(?:rpc|gateways|feeds|scenario)\//.test(id))).toEqual([])
  const simulation = await bundle("export { simulate } from './engine.js'")
  expect(simulation.bytes).toBeLessThan(462_500)
  const feeds = await bundle("export * from './feeds.js'")
  expect(feeds.bytes).toBeLessThan(121_000)
  expect(feeds.modules.filter((id) => /src\/(?:rpc|engine|scenario)\//.test(id))).toEqual([])
})

test('a desk with the methods of a page fits into 648 kB', async () => {
  const desk = await bundle(
    "export { Venue } from './index.js'; export { createDesk, methodSet, openingControls, orderMethods, submit } from './wire.js'",
  )
  // 0.4 kB of it are checks of the kinds of arguments (U5).
  expect(desk.bytes).toBeLessThan(648_900)
  expect(desk.modules.filter((id) => /methods\/(?:blocks|rfqs|wallet)\/|src\/gateways\//.test(id))).toEqual([])
})

test('the descriptions of parameters are in the declarations, and in no module of methods', async () => {
  const { modules } = await bundle("export { openVenue } from './index.js'")
  const methods = modules.filter((id) => /src\/(?:rpc\/methods|gateways)\//.test(id))
  expect(methods.length).toBeGreaterThan(90)
  const described = methods.filter((id) => readFileSync(id, 'utf8').includes('.describe('))
  expect(described).toEqual([])
})
