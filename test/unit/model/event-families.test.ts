/**
 * The table of families in the guide of the source, and sinks that take some of them.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { micros, price9, sequence } from '../../../src/core/index.ts'
import {
  type Columns,
  columnOf,
  type Event,
  type EventKind,
  eventFamilies,
  fanOut,
  logsOf,
  sinkOf,
  whileAsked,
} from '../../../src/model/index.ts'
import { repository } from '../../support/repository.ts'

function columnsOf(columns: Columns): string {
  return Object.entries(columns)
    .map(([name, declared]) => {
      const { columns: inner } = columnOf(declared)
      return inner === null ? `\`${name}\`` : `\`${name}\` (${columnsOf(inner)})`
    })
    .join(' ')
}

test('the guide names every family with its columns', () => {
  const guide = readFileSync(join(repository, 'src', 'README.md'), 'utf8')
  const lines = guide.split('\n').filter((line) => line.startsWith('| `'))
  const listed = lines.map((line) => line.replace(/ \| [^|]* \| /, ' | '))
  for (const [kind, columns] of Object.entries<Columns>(eventFamilies)) {
    expect(listed).toContain(`| \`${kind}\` | ${columnsOf(columns)} |`)
  }
})

describe('sinks', () => {
  const header = { time: micros(0), number: 1, cause: sequence(1) }
  const index: Event = { kind: 'index', ...header, index: 'btc_usd', price: price9(5) }
  const done: Event = { kind: 'request', ...header, outcome: 'done', count: 1 }

  test('hand an event to the taker of its family, and others to nobody', () => {
    const taken: string[] = []
    const sink = sinkOf({ index: ({ price }) => void taken.push(`index ${price}`) })
    sink.emit(index)
    sink.emit(done)
    expect(taken).toEqual(['index 5'])
  })

  test('of several are called in their order, whatever they take', () => {
    const taken: string[] = []
    const some = (name: string, kind: EventKind): ReturnType<typeof sinkOf> =>
      sinkOf({ [kind]: () => void taken.push(name) })
    const all = { emit: (event: Event): void => void taken.push(`all ${event.kind}`) }
    const one = fanOut([
      some('a', 'index'),
      all,
      some('b', 'index'),
      some('c', 'request'),
      fanOut([]),
    ])
    one.emit(index)
    one.emit(done)
    const nested = fanOut([one, some('d', 'index')])
    nested.emit(index)
    expect(taken).toEqual([
      ...['a', 'all index', 'b', 'all request', 'c'],
      ...['a', 'all index', 'b', 'd'],
    ])
  })

  test('that leave a frequent family alone have it written nowhere, and no object made of it', () => {
    const own = logsOf(sinkOf({ trade: () => undefined }))
    expect(own.trade).toBeNull()
    expect([own.order, own.request].every((log) => log !== null)).toBe(true)
    const both = logsOf(
      fanOut([sinkOf({ trade: () => undefined }), sinkOf({ order: () => undefined })]),
    )
    expect([both.trade, both.order, both.request === null]).toEqual([null, null, false])
    expect(logsOf({ emit: () => undefined })).toEqual({ order: null, trade: null, request: null })
  })

  test('with an emit that somebody wrote over ours take all events alike', () => {
    const taken: string[] = []
    const ours = sinkOf({ index: () => void taken.push('ours') })
    const wrapped = { ...ours, emit: (event: Event): void => void taken.push(event.kind) }
    const one = fanOut([wrapped, { ...ours }])
    one.emit(index)
    one.emit(done)
    expect(taken).toEqual(['index', 'ours', 'request'])
  })

  test('assert what must hold before each event that they take', () => {
    let isOver = false
    const taken: string[] = []
    const sink = sinkOf({ index: () => void taken.push('index') }, () => {
      if (isOver) throw new Error('over')
    })
    sink.emit(index)
    isOver = true
    expect(() => fanOut([sink]).emit(index)).toThrow('over')
    expect(() => sink.emit(done)).not.toThrow()
    expect(taken).toEqual(['index'])
  })

  test('are left alone while nobody asks, in the families that are named', () => {
    let isAsked = false
    const taken: string[] = []
    const all = { emit: (event: Event): void => void taken.push(event.kind) }
    const some = whileAsked(all, () => isAsked, ['index'])
    const none = whileAsked(all, () => isAsked)
    for (const sink of [some, none]) {
      for (const event of [index, done]) sink.emit(event)
    }
    isAsked = true
    for (const sink of [some, none]) {
      for (const event of [index, done]) sink.emit(event)
    }
    expect(taken).toEqual(['request', 'index', 'request', 'index', 'request'])
  })
})
