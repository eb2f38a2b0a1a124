/**
 * Law: a sink that is declared `borrowing` reads events of its families only during its call. A build of the sources
 * gives each declaration events that end with the call: a later read of any field throws. It takes 10 s, because a
 * build is needed and each declaration must receive events.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { afterAll, expect, test } from 'vitest'
import type { borrowing, Event, EventSink } from '../../src/model/index.ts'
import type { BuiltLibrary } from '../support/built-library.ts'
import { assertPublished } from '../support/published-digests.ts'
import { repository } from '../support/repository.ts'

const files = [
  'scenarios/backtest/taker.yaml',
  'scenarios/population/put-back.yaml',
  'scenarios/protections/bump-amends.yaml',
]

// Inside the repository, where packages are found.
mkdirSync(join(repository, 'dist-test'), { recursive: true })
const home = mkdtempSync(join(repository, 'dist-test/borrowed-'))
afterAll(() => rmSync(home, { recursive: true }))

/** Number of events that each declaration has borrowed, by file and line. */
const borrowed = new Map<string, number>()

/** Declares a sink like `borrowing`, with events that cannot be read after the call. */
const lending =
  (place: string): typeof borrowing =>
  (sink, of) => ({
    emit: (event): void => {
      if (!of.includes(event.kind)) {
        sink.emit(event)
        return
      }
      borrowed.set(place, (borrowed.get(place) ?? 0) + 1)
      const lent = Proxy.revocable(event, {})
      sink.emit(lent.proxy)
      lent.revoke()
    },
  })

/** Builds the library with `lending` in place of each call of `borrowing`, which it finds in the sources. */
async function buildLending(): Promise<BuiltLibrary> {
  const plugin = {
    name: 'lending',
    transform(code: string, id: string): string {
      const file = relative(repository, id)
      const lines = code.split('\n').map((line, at) =>
        line.replace(/(?<!function )\bborrowing\(/, () => {
          const place = `${file}:${at + 1}`
          borrowed.set(place, 0)
          return `lendingOfTest('${place}')(`
        }),
      )
      return lines.join('\n')
    },
  }
  const build = await rolldown({
    input: join(repository, 'src/node.ts'),
    platform: 'node',
    logLevel: 'silent',
    external: (id) => !/^[./]/.test(id),
    plugins: [plugin],
  })
  await build.write({ dir: home, format: 'esm', entryFileNames: 'node.mjs' })
  await build.close()
  Object.assign(globalThis, { lendingOfTest: lending })
  return (await import(pathToFileURL(join(home, 'node.mjs')).href)) as BuiltLibrary
}

test('43 an event that a sink keeps cannot be read', () => {
  const kept: Event[] = []
  const keeping: EventSink = { emit: (event) => void kept.push(event) }
  lending('a test')(keeping, ['request']).emit({ kind: 'request' } as Event)
  expect(() => kept[0]?.time).toThrow(TypeError)
  borrowed.clear()
})

test('43 no sink reads an event that it has borrowed after its call', async () => {
  const { runFile } = await buildLending()
  for (const [at, file] of files.entries()) {
    const out = join(home, `run-${at}`)
    const run = await runFile(join(repository, file), { out, events: join(home, `events-${at}.jsonl`), tables: true })
    if (!run.ok) throw new Error(run.error.lines.join('\n'))
    assertPublished({ [file]: run.value })
  }
  expect(borrowed.size).toBeGreaterThan(5)
  expect([...borrowed].filter(([, events]) => events === 0)).toEqual([])
})
