/**
 * Damaged run folders, and their target places: every file cut, edited, missing, and one too many; complete and missing
 * files and folders.
 */
import {
  appendFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAppendFile } from '../../../src/host/append-file.ts'
import { diffRuns, inspect, readManifest, runFile } from '../../../src/host/index.ts'
import { moduleSources } from '../../../src/host/module-sources.ts'
import { openPlace, writeJsonFile } from '../../../src/host/output-place.ts'
import { sampleOf } from '../../support/property-runs.ts'
import { repository } from '../../support/repository.ts'

const scenario = join(repository, 'scenarios/orders/market-sell-fills-resting-bid.yaml')

let home = ''
let whole = ''
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'pitclock-damaged-'))
  whole = join(home, 'whole')
  const ran = await runFile(scenario, { out: whole })
  if (!ran.ok) throw new Error(ran.error.lines.join('\n'))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** The complaints of each reader about a folder; empty without complaints. */
async function complaints(folder: string): Promise<readonly string[]> {
  const compared = await diffRuns(whole, folder)
  const options = { format: null, symbol: null, columns: null, sha256: null, head: 0 }
  const inspected = await inspect(folder, options)
  return [
    compared.ok ? '' : compared.error.lines.join('\n'),
    inspected.ok ? '' : `${inspected.error.kind} ${inspected.error.error.file}`,
  ]
}

describe('H02 a file of a run folder', () => {
  const damages: readonly (readonly [string, (file: string) => void])[] = [
    ['cut', (file) => truncateSync(file, readFileSync(file).length - 1)],
    ['emptied', (file) => truncateSync(file, 0)],
    ['longer', (file) => appendFileSync(file, '\n')],
    ['missing', (file) => rmSync(file)],
    [
      'edited',
      (file) => {
        const bytes = readFileSync(file)
        const at = bytes.length >> 1
        bytes[at] = (bytes[at] ?? 0) ^ 1
        writeFileSync(file, bytes)
      },
    ],
    [
      'a folder',
      (file) => {
        rmSync(file)
        mkdirSync(file)
      },
    ],
  ]

  test.each(damages)('that is %s is noticed by diff and inspect, whichever it is', async (_, damage) => {
    const names = readdirSync(whole)
    expect(names).toContain('journal.jsonl')
    expect(names.length).toBeGreaterThan(10)
    for (const name of sampleOf(names, 2)) {
      const folder = join(home, 'copy')
      cpSync(whole, folder, { recursive: true })
      expect(await complaints(folder)).toEqual(['', ''])
      damage(join(folder, name))
      // A manifest with another newline at its end has the same content.
      const isSame = name === 'manifest.json' && (await readManifest(folder)).ok
      const [compared, inspected] = await complaints(folder)
      if (!isSame) {
        expect(compared, name).toContain(join(folder, name))
        expect(inspected, name).toBe(`input ${join(folder, name)}`)
      }
      rmSync(folder, { recursive: true })
    }
  })

  test('that is unchanged is accepted', async () => {
    const folder = join(home, 'same')
    cpSync(whole, folder, { recursive: true })
    expect(await complaints(folder)).toEqual(['', ''])
  })

  test('that does not belong there is noticed', async () => {
    const folder = join(home, 'more')
    cpSync(whole, folder, { recursive: true })
    writeFileSync(join(folder, 'fills.csv'), 'a,b\n')
    const [compared, inspected] = await complaints(folder)
    expect(compared).toContain('fills.csv: expected only files of the run')
    expect(inspected).toBe(`input ${join(folder, 'fills.csv')}`)
  })

  test('that leads out of the folder does not belong to a run', async () => {
    const folder = join(home, 'leading')
    cpSync(whole, folder, { recursive: true })
    const file = join(folder, 'manifest.json')
    writeFileSync(file, readFileSync(file, 'utf8').replace('"fills.arrow"', '"../fills.arrow"'))
    expect((await readManifest(folder)).ok).toBe(false)
  })

  test('with any edit of its manifest is noticed', async () => {
    const folder = join(home, 'edited')
    cpSync(whole, folder, { recursive: true })
    const file = join(folder, 'manifest.json')
    const text = readFileSync(file, 'utf8')
    for (const [from, to] of [
      ['"seed": "7"', '"seed": "8"'],
      ['"complete"', '"interrupted"'],
      ['"events": ', '"events": 1'],
    ] as const) {
      expect(text).toContain(from)
      writeFileSync(file, text.replace(from, to))
      expect(await readManifest(folder)).toMatchObject({ error: { found: 'a changed manifest' } })
    }
  })

  test('is checked before a journal of it runs', async () => {
    const folder = join(home, 'journal')
    cpSync(whole, folder, { recursive: true })
    const journal = join(folder, 'journal.jsonl')
    expect((await runFile(journal)).ok).toBe(true)
    writeFileSync(journal, readFileSync(journal, 'utf8').replace('99990', '99980'))
    expect(await runFile(journal)).toMatchObject({ error: { kind: 'input' } })
    renameSync(journal, join(folder, 'mine.jsonl'))
    expect((await runFile(join(folder, 'mine.jsonl'))).ok).toBe(true)
  })
})

describe('a place', () => {
  const replacement = { content: 'a run', isOwn: (name: string) => name === 'mine' }

  function place(path: string, force: boolean): ReturnType<typeof openPlace> {
    return openPlace(path, { force, ...replacement })
  }

  test('H01 has a private folder for each writer, and one of them takes it', () => {
    const path = join(home, 'free')
    const places = Array.from({ length: 4 }, () => place(path, false))
    const opened = places.flatMap((each) => (each.ok ? [each.value] : []))
    expect(new Set(opened.map(({ partialPath }) => partialPath)).size).toBe(4)
    for (const { partialPath } of opened) writeFileSync(join(partialPath, 'mine'), partialPath)
    const taken = opened.toReversed().map((each) => each.take())
    expect(taken.map((fault) => fault === null)).toEqual([true, false, false, false])
    expect(readFileSync(join(path, 'mine'), 'utf8')).toBe(opened[3]?.partialPath)
    for (const each of opened.slice(0, 3)) {
      expect(existsSync(each.partialPath)).toBe(true)
      each.discard()
      expect(existsSync(each.partialPath)).toBe(false)
    }
  })

  test('H01 is replaced by force only while it is still the same folder', () => {
    const path = join(home, 'forced')
    mkdirSync(path)
    writeFileSync(join(path, 'mine'), 'old')
    expect(place(path, false).ok).toBe(false)
    const [first, second, third] = [0, 1, 2].map(() => place(path, true))
    if (!(first?.ok && second?.ok && third?.ok)) throw new Error('a place opens by force')
    for (const { value } of [first, second, third]) {
      writeFileSync(join(value.partialPath, 'mine'), value.partialPath)
    }
    expect(second.value.take()).toBeNull()
    expect(first.value.take()).toMatchObject({ file: path, hint: /complete output is in/ })
    expect(readFileSync(join(path, 'mine'), 'utf8')).toBe(second.value.partialPath)
    const later = place(path, true)
    writeFileSync(join(path, 'thesis.txt'), 'years of work')
    expect(later.ok && later.value.take()).not.toBeNull()
    expect(readFileSync(join(path, 'thesis.txt'), 'utf8')).toBe('years of work')
    expect(readdirSync(home).filter((name) => name.endsWith('.replaced'))).toEqual([])
  })

  test('a JSON file is replaced as a whole: readers of the old one can continue', () => {
    const [file, old] = [join(home, 'a.json'), join(home, 'old.json')]
    writeJsonFile(file, { version: 1 })
    linkSync(file, old)
    writeJsonFile(file, { version: 2 })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ version: 2 })
    expect(JSON.parse(readFileSync(old, 'utf8'))).toEqual({ version: 1 })
  })

  test('the error names a file that cannot be written', () => {
    const file = createAppendFile('/dev/full', 'replace')
    file.write(new Uint8Array(10))
    expect(() => file.close()).toThrow(expect.objectContaining({ code: 'ENOSPC', path: '/dev/full' }))
    file.abandon()
  })
})

describe('the sources of a strategy', () => {
  test('P12 are its module and all that it imports, each once, packages by their manifest', async () => {
    const folder = join(home, 'strategies')
    mkdirSync(join(folder, 'node_modules', '@a', 'b'), { recursive: true })
    writeFileSync(join(folder, 'node_modules', '@a', 'b', 'package.json'), '{"version":"1.2.3"}')
    const texts = {
      'main.ts': [
        "import { defineStrategy } from 'pitclock'",
        "import { readFileSync } from 'node:fs'",
        "import { x } from '@a/b/deep'",
        "export * from './lib/sizes.js'",
        'const late = await import("../strategies/late.mjs")',
      ],
      'late.mjs': ["import './main.ts'", "import 'not-installed'"],
      'lib.ts': ["import table from './table.json'"],
      'table.json': ['{"from": "\'./none\'"}'],
    }
    for (const [name, lines] of Object.entries(texts)) {
      writeFileSync(join(folder, name), lines.join('\n'))
    }
    mkdirSync(join(folder, 'lib'))
    writeFileSync(join(folder, 'lib', 'sizes.ts'), "import '../lib.ts'")
    const files = moduleSources('./main.ts', folder)
    expect(files.map(({ file }) => file)).toEqual([
      ...['main.ts', '@a/b', 'late.mjs', 'lib.ts', 'lib/sizes.ts', 'table.json'],
    ])
    const before = files.find(({ file }) => file === 'lib.ts')?.sha256
    appendFileSync(join(folder, 'lib.ts'), '\n')
    const after = moduleSources('./main.ts', folder).find(({ file }) => file === 'lib.ts')?.sha256
    expect(after).not.toBe(before)
  })
})
