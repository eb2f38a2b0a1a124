/** The entry points of the package: each name belongs to one entry point, except types that several of them mention. */
import { expect, test } from 'vitest'
import { countProse, docstringParagraphs, proseFaults, proseLimits } from '../lint/prose-checks.ts'
import { type EntryNames, entryFaults, entryNames } from '../support/entry-names.ts'

/** A name of a sample. */
function named(
  name: string,
  kind: 'function' | 'type',
  ...mentions: readonly string[]
): { name: string; kind: 'function' | 'type'; says: string; mentions: readonly string[] } {
  return { name, kind, says: 'A sample.', mentions }
}

test('a name in two entry points and a missing type are reported', () => {
  const bad: EntryNames = new Map([
    ['pitclock/engine', [named('apply', 'function', 'State', 'Hidden'), named('State', 'type')]],
    [
      'pitclock',
      [
        named('apply', 'function'),
        named('State', 'type'),
        named('Open', 'type', 'Kept', 'Hidden'),
        { ...named('open', 'function', 'Open'), says: '' },
      ],
    ],
    ['pitclock/wire', [named('Kept', 'type')]],
  ])
  expect(entryFaults(bad)).toEqual([
    'pitclock/engine: apply names Hidden, which is not here',
    'pitclock: apply is in pitclock/engine',
    'pitclock: State is in pitclock/engine, and nothing here names it',
    'pitclock: Open names Kept, which is not here',
    'pitclock: open has no docstring',
  ])
})

test('each name has one entry point, and each entry point exports the types that it mentions', () => {
  const names = entryNames()
  expect([...names.values()].flat().length).toBeGreaterThan(250)
  expect(entryFaults(names)).toEqual([])
})

test('public docstrings are plain English', () => {
  const declared = new Set([...entryNames().values()].flat().map((each) => each.declared))
  const paragraphs = [...declared].map((symbol) => {
    const [declaration] = symbol.declarations ?? []
    const path = `${declaration?.getSourceFile().fileName ?? ''} ${symbol.name}`
    return [path, docstringParagraphs(symbol)] as const
  })
  const count = countProse(new Map(paragraphs))
  expect(count.words).toBeGreaterThan(5_000)
  expect(proseFaults('docstrings', count, proseLimits.publicDocstrings)).toEqual([])
})
