/**
 * Checks conventions of the code by machine: the floors, names of files, where division is allowed, and that every
 * venue rule has its test. The checks themselves are in `test/lint`; each first catches a bad sample here, then finds
 * nothing in the repository.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as code from './lint/code-checks.ts'
import { usesOfTheMachine } from './lint/determinism-checks.ts'
import * as reach from './lint/face-checks.ts'
import * as files from './lint/file-checks.ts'
import * as floors from './lint/floor-checks.ts'
import * as prose from './lint/prose-checks.ts'
import { idioms } from './lint/prose-idioms.ts'
import type { Sources } from './lint/sources.ts'
import { repository } from './support/repository.ts'

/** The floors of the design, and those inside a folder: an import points to a lower one or stays in its own. */
const floorTable: readonly (readonly [floor: number, places: readonly string[]])[] = [
  [10, ['cli']],
  [9, [...floors.entryPoints]],
  [8.5, ['src/fuzz']],
  [8, ['src/server', 'src/report', 'src/sweep', 'src/testing']],
  [7, ['src/host']],
  [6, ['src/scenario', 'src/program']],
  [5, ['src/backtest', 'src/gateways']],
  [4.9, ['src/rpc']],
  [4.5, ['src/rpc/channels']],
  [4.4, ['src/rpc/desk']],
  [4.3, ['src/rpc/methods']],
  // Histories know no JSON, so `wire`, which has the JSON of their rows too, is above them.
  [4.2, ['src/rpc/wire']],
  [4.1, ['src/rpc/history']],
  [4, ['src/feeds', 'src/results']],
  [3.9, ['src/engine']],
  [3.6, ['src/engine/spine']],
  [3.5, ['src/engine/requests']],
  [3.4, ['src/engine/day']],
  [3.3, ['src/engine/market']],
  [3.2, ['src/engine/value']],
  [3.1, ['src/engine/state']],
  [2, ['src/book', 'src/pricing', 'src/ledger', 'src/margin']],
  [2, ['src/blocks']],
  [2, ['src/wallet']],
  [2, ['src/faults']],
  [1, ['src/model']],
  [0, ['src/core']],
]

/** Pure above floor 6, because property tests run in a browser too. */
const purePlacesAbove = ['src/testing']

/** Files on floors 0–3 that may divide, in addition to `src/core/integer.ts` and `src/pricing`, and why. */
const divisionAllowed: Readonly<Record<string, string>> = {}

const table: floors.FloorTable = {
  floorByPlace: new Map(floorTable.flatMap(([floor, places]) => places.map((at) => [at, floor]))),
  purePlaces: new Set([...placesUpTo(6), ...purePlacesAbove]),
}

const sources = readSources('src', 'cli')
const tests = readSources('test')
const everything: Sources = new Map([...sources, ...tests, ...readSources('scenarios')])

function placesUpTo(highest: number): string[] {
  return floorTable.flatMap(([floor, places]) => (floor <= highest ? places : []))
}

function readSources(...folders: string[]): Sources {
  return readTexts('.ts', folders)
}

/** All files of some folders with this ending. */
function readTexts(ending: string, folders: readonly string[]): Sources {
  const found = new Map<string, string>()
  for (const folder of folders.filter((name) => existsSync(join(repository, name)))) {
    for (const name of readdirSync(join(repository, folder), {
      recursive: true,
      encoding: 'utf8',
    })) {
      const path = `${folder}/${name.replaceAll('\\', '/')}`
      if (path.endsWith(ending)) found.set(path, readFileSync(join(repository, path), 'utf8'))
    }
  }
  return new Map([...found].sort(([left], [right]) => (left < right ? -1 : 1)))
}

/** Parameters of `src` and `cli` whose types are still object literals: most are public or take an object as it comes. */
const LITERAL_PARAMETERS = 40

/** A bad sample: the named files with one line of text each. */
function sample(texts: Readonly<Record<string, string>>): Sources {
  return new Map(Object.entries(texts))
}

function mayDivide(path: string): boolean {
  if (path === 'src/core/integer.ts' || path.startsWith('src/pricing/')) return true
  return path in divisionAllowed || !placesUpTo(3.9).includes(floors.placeOf(path))
}

describe('floors', () => {
  const faces = { 'src/core/index.ts': '', 'src/book/index.ts': '', 'src/margin/index.ts': '' }

  test('a folder that the table does not know is reported', () => {
    const bad = sample({ 'src/purse/index.ts': '', 'src/extra.ts': '' })
    expect(floors.unknownPlaces(bad, table)).toEqual([
      'src/purse/index.ts: src/purse is not in the floor table',
      'src/extra.ts: src/extra.ts is not in the floor table',
    ])
    expect(floors.unknownPlaces(sources, table)).toEqual([])
  })

  test('an import that leads nowhere, to JavaScript or to the package itself is reported', () => {
    const bad = sample({ 'src/core/a.ts': "import './b.js'\nimport './b'\nimport 'pitclock/node'" })
    expect(floors.brokenImports(bad)).toEqual([
      'src/core/a.ts:1: expected the .ts path of a file, found ./b.js',
      'src/core/a.ts:2: expected the .ts path of a file, found ./b',
      'src/core/a.ts:3: the package imports itself; expected a relative path',
    ])
    const lazy = "await import('pitclock')"
    const faces = sample({
      'src/host/strategy-module.ts': `import 'pitclock'\n${lazy}`,
      'src/host/other.ts': lazy,
    })
    expect(floors.brokenImports(faces)).toEqual([
      'src/host/strategy-module.ts:1: the package imports itself; expected a relative path',
      'src/host/other.ts:1: the package imports itself; expected a relative path',
    ])
    expect(floors.brokenImports(sources)).toEqual([])
  })

  test('an import upwards or sideways is reported', () => {
    const bad = sample({
      ...faces,
      'src/core/up.ts': "export type { Book } from '../book/index.ts'",
      'src/book/side.ts': "const margin = await import('../margin/index.ts')",
      'src/margin/down.ts': "import { add } from '../core/index.ts'\nimport { a } from './index.ts'",
    })
    expect(floors.importsAgainstFloors(bad, table)).toEqual([
      'src/core/up.ts:1: src/core (floor 0) imports src/book (floor 2)',
      'src/book/side.ts:1: src/book (floor 2) imports src/margin (floor 2)',
    ])
    expect(floors.importsAgainstFloors(sources, table)).toEqual([])
  })

  test('an import behind the face of another folder is reported', () => {
    const bad = sample({
      ...faces,
      'src/core/hash.ts': '',
      'src/index.ts': "export { Book } from './book/index.ts'",
      'src/book/level.ts': "import { hash } from '../core/hash.ts'\nimport { a } from './index.ts'",
      'cli/pitclock.ts': "import { a } from '../src/core/index.ts'\nimport '../src/index.ts'",
      'src/engine/state/index.ts': '',
      'src/engine/value/index.ts': "import { row } from '../state/index.ts'",
      'src/rpc/wire/index.ts': "import { row } from '../../engine/state/index.ts'",
      'src/rpc/results.ts': "export type * from './methods/results.ts'",
      'src/rpc/methods/results.ts': '',
      'src/wire.ts': "export * from './rpc/results.ts'\nexport type * from './rpc/results.ts'",
      'test/support/naive-book.ts': "import '../../src/core/hash.ts'\nimport './laws.ts'",
      'test/support/laws.ts': "import type { Book } from '../../src/book/index.ts'",
    })
    expect(floors.importsBehindFaces(bad)).toEqual([
      'src/book/level.ts:1: expected the face src/core/index.ts, found src/core/hash.ts',
      'cli/pitclock.ts:1: cli imports entry points of the package only, found src/core/index.ts',
      'src/rpc/wire/index.ts:1: expected the face src/engine/index.ts, found src/engine/state/index.ts',
      'src/wire.ts:1: src/rpc/results.ts is a face of types; expected export type',
      'test/support/naive-book.ts:1: expected the face src/core/index.ts, found src/core/hash.ts',
    ])
    // Oracles and laws use only public knowledge; tests of a single file import that file.
    const twins = [...tests].filter(([path]) => path.startsWith('test/support/'))
    expect(floors.importsBehindFaces(new Map([...sources, ...twins]))).toEqual([])
  })

  test('a name that leaves its folder for no user is reported', () => {
    const bad = sample({
      'src/book/index.ts': "export * from './book.ts'\nexport { level } from './level.ts'",
      'src/book/book.ts': 'export const book = 1\nexport interface Row {}\nconst own = 2',
      'src/book/level.ts': "import type { Row } from './book.ts'\nexport const level = 1",
      'src/model/index.ts': "export * from './words/index.ts'",
      'src/model/words/index.ts': 'export const word = 1\nexport const code = 2',
      'src/engine/match.ts': "import { book } from '../book/index.ts'\nimport { word } from '../model/index.ts'",
    })
    expect(reach.idleNames(bad, new Map())).toEqual([
      'src/book/index.ts: Row',
      'src/book/index.ts: level',
      'src/model/index.ts: code',
      'src/model/words/index.ts: code',
    ])
    const test = sample({ 'test/unit/book.test.ts': "import * as all from '../../src/book/index.ts'\nuse(all.level)" })
    expect(reach.idleNames(bad, test)).not.toContain('src/book/index.ts: level')
    const idle = reach.idleNames(sources, tests)
    expect(idle.length, idle.join('\n')).toBeLessThanOrEqual(reach.idleNamesMax)
  })

  test('files that import each other in a circle are reported', () => {
    const bad: Sources = new Map([
      ['src/core/time.ts', "import type { Word } from './word.ts'"],
      ['src/core/word.ts', "import { a } from './text.ts'\nimport { b } from './deep.ts'"],
      ['src/core/text.ts', "export { now } from './time.ts'"],
      ['src/core/deep.ts', 'export const b = 1'],
    ])
    expect(floors.importCircles(bad)).toEqual([
      'src/core/time.ts -> src/core/word.ts -> src/core/text.ts -> src/core/time.ts',
    ])
    expect(floors.importCircles(sources)).toEqual([])
  })

  test('a module of Node on a pure floor is reported', () => {
    const bad = sample({
      'src/core/read.ts': "import { readFileSync } from 'node:fs'",
      'src/testing/path.ts': "type Path = import('path').PlatformPath",
      'src/host/read.ts': "import { readFileSync } from 'node:fs'",
    })
    expect(floors.nodeModulesOnPureFloors(bad, table)).toEqual([
      'src/core/read.ts:1: a pure folder imports node:fs',
      'src/testing/path.ts:1: a pure folder imports path',
    ])
    expect(floors.nodeModulesOnPureFloors(sources, table)).toEqual([])
  })

  test('a module of Node behind the face for browsers is reported', () => {
    const bad = sample({
      'src/index.ts': "export { read } from './host/index.ts'",
      'src/host/index.ts': "import 'node:fs'\nimport type { Stats } from 'node:fs'",
    })
    const mistakes = ['src/host/index.ts:1: src/index.ts reaches node:fs']
    expect(floors.nodeModulesReachedFrom('src/index.ts', bad)).toEqual(mistakes)
    const browser = floors.entryPoints.filter((entry) => entry !== 'src/node.ts')
    expect(browser.flatMap((entry) => floors.nodeModulesReachedFrom(entry, sources))).toEqual([])
  })

  test('the pure floors use nothing that depends on the machine', () => {
    const pure = new Map([...sources].filter(([path]) => table.purePlaces.has(floors.placeOf(path))))
    expect(usesOfTheMachine(pure)).toEqual([])
    const others = new Map([...sources].filter(([path]) => !pure.has(path)))
    expect(usesOfTheMachine(others)).not.toEqual([])
  })
})

describe('files', () => {
  test('a name that is not kebab-case, or names no noun, is reported', () => {
    const bad = sample({ 'src/book/priceLevel.ts': '', 'src/core/time-utils.ts': '' })
    expect(files.badFileNames(bad)).toEqual([
      'src/book/priceLevel.ts: expected kebab-case, found priceLevel',
      'src/core/time-utils.ts: expected a noun of the exchange, found utils',
    ])
    expect(files.badFileNames(everything)).toEqual([])
  })

  test('a file without a docstring is reported', () => {
    const bad = sample({
      'src/core/a.ts': '// A remark.\nexport const a = 1',
      'cli/b.ts': '#!/usr/bin/env node\n/** What it is. */',
    })
    expect(files.filesWithoutDocstring(bad)).toEqual(['src/core/a.ts: expected a docstring at the top'])
    expect(files.filesWithoutDocstring(everything)).toEqual([])
  })

  test('a file that a guide for contributors names and that does not exist is reported', () => {
    const paths = ['src/ledger/fees.ts']
    const bad = sample({ 'src/README.md': '`fees.ts`, `ledger/fees.ts`, `book/fees.ts`, `rates.ts`' })
    expect(files.missingFilesOfGuides(bad, paths)).toEqual([
      'src/README.md: expected a file that exists, found `book/fees.ts`',
      'src/README.md: expected a file that exists, found `rates.ts`',
    ])
    const names = ['CONTRIBUTING.md', 'src/README.md', 'test/README.md']
    const guides = sample(Object.fromEntries(names.map((name) => [name, readFileSync(join(repository, name), 'utf8')])))
    expect(files.missingFilesOfGuides(guides, [...everything.keys(), ...readSources('.ci').keys()])).toEqual([])
  })

  test('a comment that names a file that does not exist, or its own file, is reported', () => {
    const bad = sample({
      'src/ledger/fees.ts': '/**\n * Fees of options are in `fees.ts`, see `ledger/terms.ts`.\n */',
      'src/ledger/terms.ts': '// `fees.ts`, `ledger/fees.ts`, `test/unit/a.test.ts`\n// `book/fees.ts`, `a.test.ts`',
    })
    expect(files.staleFileNames(bad, sample({ 'test/unit/a.test.ts': '' }))).toEqual([
      'src/ledger/fees.ts:2: expected another file, found `fees.ts`, the file itself',
      'src/ledger/terms.ts:2: expected another file, found `book/fees.ts`, a file that does not exist',
      'src/ledger/terms.ts:2: expected another file, found `a.test.ts`, a file that does not exist',
    ])
    expect(files.staleFileNames(sources, tests)).toEqual([])
  })
})

describe('code', () => {
  test('a bare division is reported', () => {
    const bad = sample({
      'src/book/level.ts': "// a / b\nconst half = '1 / 2'.match(/x/)\nhalf = sum / 2n\nhalf /= 2",
    })
    expect(code.bareDivisions(bad)).toEqual([
      'src/book/level.ts:3: a bare division; expected a division of src/core/integer.ts',
      'src/book/level.ts:4: a bare division; expected a division of src/core/integer.ts',
    ])
    expect(['src/book/level.ts', 'src/engine/a.ts', 'src/core/b.ts'].some(mayDivide)).toBe(false)
    expect(['src/core/integer.ts', 'src/pricing/a.ts', 'cli/b.ts'].every(mayDivide)).toBe(true)
    const held = new Map([...sources].filter(([path]) => !mayDivide(path)))
    expect(code.bareDivisions(held)).toEqual([])
  })

  test('a permission to divide that no file uses is reported', () => {
    const permitted = new Map([...sources].filter(([path]) => path in divisionAllowed))
    const used = new Set(code.bareDivisions(permitted).map((mistake) => mistake.split(':')[0]))
    expect(Object.keys(divisionAllowed).filter((path) => !used.has(path))).toEqual([])
  })

  test('a default export is reported', () => {
    const bad = sample({
      'src/core/a.ts': 'export default 1',
      'src/core/b.ts': 'export default function b() {}',
      'src/core/c.ts': 'const c = 1\nexport { c as default }',
      'src/core/d.ts': 'export function d(kind) { switch (kind) { default: } }',
    })
    expect(code.defaultExports(bad)).toEqual([
      'src/core/a.ts:1: a default export',
      'src/core/b.ts:1: a default export',
      'src/core/c.ts:2: a default export',
    ])
    expect(code.defaultExports(sources)).toEqual([])
  })

  test('functions that are exported under one name are reported', () => {
    const bad = sample({
      'src/core/a.ts': 'export function sizeOf(): void {}\nfunction own(): void {}',
      'src/book/b.ts': 'export function own(): void {}\nexport async function sizeOf(): void {}',
      'src/book/c.ts': 'export function f(a: 1): 1\nexport function f(a: 2): 2\nexport function f(): void {}',
    })
    expect(code.duplicateFunctions(bad)).toEqual([
      'src/book/b.ts:2: sizeOf is also the name of a function in src/core/a.ts:1',
    ])
    expect(code.duplicateFunctions(sources)).toEqual([])
  })

  test('a literal spread inside a literal is reported', () => {
    const bad = sample({
      'src/core/a.ts': 'const a = {\n  ...{ b, c },\n  ...d,\n  ...(e ? { f } : {}),\n}',
      'src/core/b.ts': 'use([...[1, 2], 3], ...list)',
    })
    expect(code.spreadLiterals(bad)).toEqual([
      'src/core/a.ts:2: a literal spread inside a literal; write its members in place',
      'src/core/b.ts:1: a literal spread inside a literal; write its members in place',
    ])
    expect(code.spreadLiterals(sources)).toEqual([])
  })

  test('a literal of a row that begins with a spread is reported', () => {
    const bad = sample({
      'src/results/rows/a.ts': 'const a = {\n  ...b,\n  c,\n}\nconst d = { c, ...b }\nconst e = { ...b, ...c }',
      'src/core/b.ts': 'const a = { ...b, c }',
    })
    expect(code.leadingSpreads(bad)).toEqual(['src/results/rows/a.ts:2: a literal begins with a spread; write it last'])
    expect(code.leadingSpreads(sources)).toEqual([])
  })

  test('an object type inside a parameter list is reported', () => {
    const bad = sample({
      'src/core/a.ts': 'function a(of: { readonly b: number }): void {}\nconst c = (d: E & { f: 1 }): void => {}',
      'src/core/b.ts':
        'function a(b: B, visit: (of: { c: 1 }) => void): void {}\ninterface D {\n  e(of: { f: 1 }): void\n}',
    })
    expect(code.literalParameterTypes(bad)).toEqual([
      'src/core/a.ts:1: an object type inside a parameter list; use parameters or a named type',
      'src/core/a.ts:2: an object type inside a parameter list; use parameters or a named type',
    ])
    expect(code.literalParameterTypes(sources).length).toBeLessThanOrEqual(LITERAL_PARAMETERS)
  })

  test('parameters that are spread are reported', () => {
    const bad = sample({
      'src/rpc/methods/a.ts': 'const asked = {\n  ...params,\n  ...rest,\n}',
      'src/rpc/desk/b.ts': 'use({ ...params })',
    })
    expect(code.spreadParams(bad)).toEqual(['src/rpc/methods/a.ts:2: parameters are spread; name those that are meant'])
    expect(code.spreadParams(sources)).toEqual([])
  })

  test('B01 a test that needs files outside the repository is reported', () => {
    const bad = sample({
      'test/unit/a.test.ts': "import { feeds } from '../support/recorded-feeds.ts'",
      'test/unit/b.test.ts': "use(a)\nread('../shared/data/x.csv')",
      'test/recorded/c.test.ts': "import { feeds } from '../support/recorded-feeds.ts'",
    })
    expect(code.testsThatLeaveTheRepository(bad)).toEqual([
      'test/unit/a.test.ts:1: needs recorded feeds',
      'test/unit/b.test.ts:2: a path outside the repository',
    ])
    const kept = new Map([...tests].filter(([path]) => path !== 'test/tidy.test.ts'))
    expect(code.testsThatLeaveTheRepository(kept)).toEqual([])
  })

  test('a sample with a fixed seed is reported', () => {
    const bad = sample({
      'test/property/a.test.ts':
        'fc.assert(law, { seed: 5, numRuns: askedRuns(9) })\nfc.assert(law, {\n  numRuns: runs,\n  seed: 7,\n})\nfc.assert(law, { seed: -5, numRuns })',
      'test/property/b.test.ts':
        'fc.assert(law, { ...askedSeed(5), numRuns: askedRuns(9) })\nfc.sample(law, { seed: 5, numRuns: 9 })',
    })
    expect(code.samplesWithFixedSeed(bad)).toEqual([
      'test/property/a.test.ts:1: a sample with a fixed seed; use askedSeed',
      'test/property/a.test.ts:2: a sample with a fixed seed; use askedSeed',
      'test/property/a.test.ts:6: a sample with a fixed seed; use askedSeed',
    ])
    expect(code.samplesWithFixedSeed(tests)).toEqual([])
  })

  test('unfinished work without an issue is reported', () => {
    const bad = sample({
      'src/core/a.ts': '// TODO: later\n// TODO(#12): later\nconst a = "TODO"\nuse(a) /* FIXME */',
    })
    expect(code.unfinishedWork(bad)).toEqual([
      'src/core/a.ts:1: TODO without the number of an issue',
      'src/core/a.ts:4: FIXME',
    ])
    expect(code.unfinishedWork(everything)).toEqual([])
  })

  test('a docstring that begins as a riddle is reported', () => {
    const bad = sample({
      'src/core/a.ts': '/** What a is. */\nexport const a = 1\n/**\n * Whether it is b.\n */\nuse(b)',
      'src/core/b.ts': '/** The price of it. What it costs. */\n// Whether or not.\n/** Offset. */',
    })
    expect(code.docstringRiddles(bad)).toEqual([
      'src/core/a.ts:1: a docstring that begins with What',
      'src/core/a.ts:3: a docstring that begins with Whether',
    ])
    expect(code.docstringRiddles(sources)).toEqual([])
  })

  test('a venue rule without a test, and a test without its rule, are reported', () => {
    const ruled = sample({
      'src/engine/mmp.ts': '/**\n * Rule: mmp.freeze, mmp.reset,\n * mmp.limit. More.\n */\n// Rule: a.b',
    })
    const proving = sample({
      'test/conformance/mmp.test.ts': [
        "test('rule mmp.freeze: a frozen group refuses', () => {})",
        "test.skip('rule mmp.reset: thaws', () => {})",
        'test.each([1])(`rule mmp.limits: %i`, () => {})',
        "describe('of a.b and more', () => {})",
      ].join('\n'),
    })
    expect(code.rulesWithoutTest(ruled, proving)).toEqual([
      'src/engine/mmp.ts:1: no test title contains mmp.reset',
      'src/engine/mmp.ts:1: no test title contains mmp.limit',
    ])
    expect(code.testsWithoutRule(ruled, proving)).toEqual([
      'test/conformance/mmp.test.ts:3: no comment "Rule: mmp.limits" in the code',
    ])
    expect(code.rulesWithoutTest(sources, tests)).toEqual([])
    expect(code.testsWithoutRule(sources, tests)).toEqual([])
  })
})

describe('prose', () => {
  /** The idioms that a sample of a guide has, by their words. */
  const idiomsIn = (text: string): readonly string[] => {
    const paragraphs = new Map([['README.md', prose.guideParagraphs('README.md', text)]])
    return prose.countProse(paragraphs).hits.map(({ found }) => found.trim())
  }

  test.each(idioms)('$pattern catches an idiom and spares a similar sentence', (idiom) => {
    expect(idiom.caught.match(idiom.pattern)).toHaveLength(1)
    expect(idiom.spared.match(idiom.pattern)).toBeNull()
  })

  test('a guide is read without code, targets of links and generated parts', () => {
    const code = '```\nWhat rests\n```\n`What rests` [order](beside.md)'
    const generated = '<!-- generated: names -->\nWhat rests\n<!-- end -->'
    const text = `- One item\n- What rests\n\n| What stays | a\n${code}\n${generated}\nWhat\nfills`
    expect(idiomsIn(text)).toEqual(['What rests', 'What stays', 'What fills'])
  })

  test('a scenario is read in its comments and title, code in its comments and texts', () => {
    const scenario = 'title: What rests\nsteps: # What fills\n  # once\n  - { at: What ends }'
    expect(prose.scenarioParagraphs('a.yaml', scenario)).toEqual([
      { line: 1, text: 'What rests' },
      { line: 2, text: 'What fills once' },
    ])
    const source = [
      ...['/**', ' * What rests', ' * and fills. @throws What', ' *', ' * - One'],
      ...[' * @example', ' * use(a)', ' */', '// Two', "use('a word', `no $" + '{price} here`)'],
    ].join('\n')
    expect(prose.commentParagraphs('a.ts', source)).toEqual([
      { line: 2, text: 'What rests and fills. . What' },
      { line: 5, text: 'One' },
      { line: 9, text: 'Two' },
    ])
    expect(prose.messageParagraphs('a.ts', source)).toEqual([{ line: 10, text: 'no x here' }])
  })

  test('more idioms than the limit are reported, each with its place', () => {
    const bad = new Map([['a.md', prose.guideParagraphs('a.md', 'What rests.\n\nWhat fills.')]])
    expect(prose.proseFaults('guides', prose.countProse(bad), 2)).toEqual([
      'guides: expected at most 2 idioms per 1,000 words, found 500.00',
      'a.md:1: "What rests"; write begin with the subject: "The size that …", "Orders that …"',
      'a.md:3: "What fills"; write begin with the subject: "The size that …", "Orders that …"',
    ])
    const one = new Map([['a.md', prose.guideParagraphs('a.md', 'What rests.')]])
    expect(prose.proseFaults('guides', prose.countProse(one), 2)).toEqual([])
  })

  const inFolders = readTexts('.md', ['cli', 'data', 'scenarios', 'src', 'template', 'test'])
  const atTop = ['README.md', 'CONTRIBUTING.md'].map(
    (path) => [path, readFileSync(join(repository, path), 'utf8')] as const,
  )
  const samples = 'test/lint/prose-idioms.ts'
  const testCode = new Map([...tests].filter(([path]) => path !== samples))
  const scenarios = readTexts('.yaml', ['scenarios', 'template'])
  const bothOf = (path: string, text: string): readonly prose.Paragraph[] => [
    ...prose.commentParagraphs(path, text),
    ...prose.messageParagraphs(path, text),
  ]
  const kinds = {
    guides: () => prose.paragraphsIn(new Map([...atTop, ...inFolders]), prose.guideParagraphs),
    scenarios: () => prose.paragraphsIn(scenarios, prose.scenarioParagraphs),
    messages: () => prose.paragraphsIn(sources, prose.messageParagraphs),
    comments: () => prose.paragraphsIn(sources, prose.commentParagraphs),
    tests: () => prose.paragraphsIn(testCode, bothOf),
  }

  test.each(['guides', 'scenarios', 'messages', 'comments', 'tests'] as const)(
    'the %s keep to their limit of idioms',
    (kind) => {
      const count = prose.countProse(kinds[kind]())
      expect(count.words).toBeGreaterThan(10_000)
      expect(prose.proseFaults(kind, count, prose.proseLimits[kind])).toEqual([])
    },
  )
})
