/**
 * Journals on disk: lines come back as they were written, and damage is reported with its line.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { formatInputError } from '../../../src/core/index.ts'
import { createJournal, type JsonObject, readJournal } from '../../../src/host/index.ts'

let home = ''
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'pitclock-journal-'))
})
afterEach(async () => {
  await rm(home, { recursive: true, force: true })
})

/** Each line as its number and its value, or as the printed error. */
function linesOf(path: string): unknown[] {
  return [...readJournal(path)].map((line) =>
    line.ok ? [line.value.line, line.value.value] : formatInputError(line.error),
  )
}

test('lines come back as they were written', () => {
  let number = 0
  const values = fc.array(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()))
  fc.assert(
    fc.property(values, (written) => {
      number += 1
      const path = join(home, `${number}.jsonl`)
      const journal = createJournal(path)
      for (const value of written) journal.write(value)
      journal.close()
      const plain: JsonObject[] = written.map((value) => JSON.parse(JSON.stringify(value)))
      expect(linesOf(path)).toEqual(plain.map((value, at) => [at + 1, value]))
    }),
    { numRuns: 60 },
  )
})

test('lines longer than a piece of the file come back whole', () => {
  const path = join(home, 'long.jsonl')
  const journal = createJournal(path)
  const values = [70_000, 3, 200_000, 65_535].map((length) => ({ text: 'é'.repeat(length) }))
  for (const value of values) journal.write(value)
  journal.close()
  expect(linesOf(path)).toEqual(values.map((value, at) => [at + 1, value]))
})

test('a last line without its newline counts where it is complete', async () => {
  const path = join(home, 'run.jsonl')
  await writeFile(path, '{"a":1}\n\n{"a":2}')
  expect(linesOf(path)).toEqual([
    [1, { a: 1 }],
    [3, { a: 2 }],
  ])
})

test('a last line that was cut off is reported with its number', async () => {
  const path = join(home, 'run.jsonl')
  await writeFile(path, '{"a":1}\n{"a":2')
  expect(linesOf(path)).toEqual([
    [1, { a: 1 }],
    `${path}:2: expected a JSON object on one line, found a last line that is cut off`,
  ])
})

test('a line that is not an object is reported, and the next one is read', async () => {
  const path = join(home, 'run.jsonl')
  await writeFile(path, Buffer.from('[1]\nnull\n{"a":}\n{"a":"\xff"}\n{"a":1}\n', 'latin1'))
  expect(linesOf(path)).toEqual([
    `${path}:1: expected a JSON object on one line, found [1]`,
    `${path}:2: expected a JSON object on one line, found null`,
    `${path}:3: expected a JSON object on one line, found {"a":}`,
    `${path}:4: expected a JSON object on one line, found {"a":"\ufffd"}`,
    [5, { a: 1 }],
  ])
})

test('a line without end is refused', async () => {
  const path = join(home, 'run.jsonl')
  await writeFile(path, '{"a":1}\n'.concat(' '.repeat(17_000_000)))
  expect(linesOf(path)).toEqual([
    [1, { a: 1 }],
    `${path}:2: expected a line of at most 16777216 bytes, found a longer line`,
  ])
})

test('a journal that is not there is reported', () => {
  const path = join(home, 'none.jsonl')
  expect(linesOf(path)).toHaveLength(1)
  expect(linesOf(path)[0]).toContain('no such file')
})
