/**
 * The reference of the package. TypeDoc takes some 10 seconds to write it, and no other test would notice a failure or
 * a missing name.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { entryNames } from '../support/entry-names.ts'
import { referencePages } from '../support/entry-points.ts'
import { guides, guideText } from '../support/guides.ts'
import { repository } from '../support/repository.ts'

const folder = mkdtempSync(join(tmpdir(), 'pitclock-reference-'))

beforeAll(() => {
  const args = [join(repository, '.ci/reference.mjs'), folder]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect([status, stdout, stderr]).toEqual([0, '', ''])
}, 300_000)

afterAll(() => rmSync(folder, { recursive: true }))

test.each([...entryNames()])('the page of %s has every exported name', (entry, names) => {
  // Markdown escapes the underscore of a name.
  const page = readFileSync(join(folder, `${entry}.md`), 'utf8').replaceAll('\\_', '_')
  const headings = new Set([...page.matchAll(/^### (\w+)/gm)].map(([, name]) => name))
  // fast-check has its own documentation.
  const expected = names.map(({ name }) => name).filter((name) => name !== 'fc')
  expect(expected.filter((name) => !headings.has(name))).toEqual([])
})

test('each link of a guide to the reference leads to a written page, and each page has a link', () => {
  const written = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md'))
  expect(written.map((path) => `reference/${path}`).toSorted()).toEqual([...referencePages()].toSorted())
  const linked = guides.flatMap((guide) =>
    [...guideText(guide).matchAll(/\]\(([^)#\s]*\breference\/[^)#\s]*)/g)].map(([, path = '']) =>
      join(dirname(guide), path),
    ),
  )
  expect([...new Set(linked)].toSorted()).toEqual([...referencePages()].toSorted())
})

test('a page describes members of classes and fields of results', () => {
  const page = readFileSync(join(folder, 'pitclock.md'), 'utf8')
  expect(page).toContain('Listed instruments, in the order of listing.')
  expect(page).toContain('average price of the fills')
})

test('no page and no guide names a source that the package does not contain', () => {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md'))
  const texts = [...pages.map((page) => readFileSync(join(folder, page), 'utf8')), ...guides.map(guideText)]
  const internal = /\((?:[CR]\d\d\b|[a-z]+\.md [\d.]+)[^)]*\)|\b(?:market|trading)\.md\b|\bsessions document\b/g
  expect(texts.flatMap((text) => text.match(internal) ?? [])).toEqual([])
})
