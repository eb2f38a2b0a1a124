/** The table of families in the guide of the source, and sinks that take some of them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { micros, price9, sequence } from '../../../src/core/index.ts'
import {
  blankOrder,
  borrowing,
  type Columns,
  columnOf,
  type Event,
  type EventKind,
  type EventSink,
  eventFamilies,
  fanOut,
  logOf,
  logStart,
  pageSink,
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

const ignore = (): void => undefined

describe('sinks', () => {
  const header = { time: micros(0), number: 1, cause: sequence(1) }
  const index: Event = { kind: 'index', ...header, index: 'btc_usd', price: price9(5) }
  const done: Event = { kind: 'request', ...header, outcome: 'done', count: 1 }

  test('hand an event only to the taker of its family', () => {
    const taken: string[] = []
    const sink = sinkOf({ index: ({ price }) => void taken.push(`index ${price}`) })
    sink.emit(index)
    sink.emit(done)
    expect(taken).toEqual(['index 5'])
  })

  test('share a fan-out in their order, whatever they take', () => {
    const taken: string[] = []
    const some = (name: string, kind: EventKind): ReturnType<typeof sinkOf> =>
      sinkOf({ [kind]: () => void taken.push(name) })
    const all = { emit: (event: Event): void => void taken.push(`all ${event.kind}`) }
    const one = fanOut([some('a', 'index'), all, some('b', 'index'), some('c', 'request'), fanOut([])])
    one.emit(index)
    one.emit(done)
    const nested = fanOut([one, some('d', 'index')])
    nested.emit(index)
    expect(taken).toEqual([...['a', 'all index', 'b', 'all request', 'c'], ...['a', 'all index', 'b', 'd']])
  })

  test('share one object of an event, and create none without a taker', () => {
    const order = { ...blankOrder(), number: 1 }
    const made: Event[] = []
    let pages = 0
    const count = pageSink(
      {
        place: logStart,
        begin: ignore,
        take: () => {
          pages += 1
        },
      },
      ignore,
    )
    const one = sinkOf({ request: (event) => void made.push(event) })
    const log = logOf(fanOut([count, one, one, sinkOf({ index: (event) => void made.push(event) })]))
    log.order(order, order, order, order)
    log.request({ ...header, number: 2 }, done)
    log.append(index)
    expect(made).toEqual([{ ...done, number: 2 }, made[0], index])
    expect(made[0]).toBe(made[1])
    expect(made[2]).toBe(index)
    log.flush()
    expect(pages).toBe(1)
  })

  test('get orders before the event behind them, at the latest when the log is read', () => {
    const taken: string[] = []
    const log = logOf({ emit: ({ kind, number }) => void taken.push(`${kind} ${number}`) })
    const order = blankOrder()
    log.order({ ...header, number: 1 }, order, order, order)
    expect(taken).toEqual([])
    log.append({ ...index, number: 2 })
    expect(taken).toEqual(['order 1', 'index 2'])
    log.order({ ...header, number: 3 }, order, order, order)
    log.read()
    expect(taken).toEqual(['order 1', 'index 2', 'order 3'])
  })

  test('that append while they read are read in their turn, and one that throws loses no later event', () => {
    const taken: number[] = []
    const sink = sinkOf({
      request: ({ number }) => {
        taken.push(number)
        if (number === 1) log.request({ ...header, number: 2 }, done)
        if (number === 3) throw new RangeError('expected')
      },
    })
    const log = logOf(sink)
    log.request({ ...header, number: 1 }, done)
    expect(taken).toEqual([1, 2])
    expect(() => log.request({ ...header, number: 3 }, done)).toThrow('expected')
    log.request({ ...header, number: 4 }, done)
    expect(taken).toEqual([1, 2, 3, 4])
  })

  test('whose emit is overridden by a caller take all events alike', () => {
    const taken: string[] = []
    const ours = sinkOf({ index: () => void taken.push('ours') })
    const wrapped = { ...ours, emit: (event: Event): void => void taken.push(event.kind) }
    const one = fanOut([wrapped, { ...ours }])
    one.emit(index)
    one.emit(done)
    expect(taken).toEqual(['index', 'ours', 'request'])
  })

  test('assert their invariants before each event that they take', () => {
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

  test('get one object for all events of a family that no sink keeps', () => {
    const objectsOf = (sinks: readonly EventSink[], seen: readonly Event[]): number => {
      const log = logOf(fanOut(sinks))
      for (const number of [1, 2]) log.append({ ...blankOrder(), number })
      log.read()
      return new Set(seen.slice(0, 2)).size
    }
    const taking = (seen: Event[]): EventSink => sinkOf({ order: (event) => void seen.push(event) })
    const [lent, kept] = [[] as Event[], [] as Event[]]
    expect(objectsOf([borrowing(taking(lent), ['order'])], lent)).toBe(1)
    expect(objectsOf([borrowing(taking(kept), ['order']), taking([])], kept)).toBe(2)
  })

  test('are skipped while they do not ask, in the named families', () => {
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
