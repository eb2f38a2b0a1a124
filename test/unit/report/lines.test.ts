/** Lines of a report: the points that thinning keeps, the curve of returns, and the packing of columns. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pageText } from '../../../src/report/html.ts'
import { packed, unpacked } from '../../../src/report/packing.ts'
import { Growth } from '../../../src/report/read/growth.ts'
import { LineBuilder } from '../../../src/report/read/line-builder.ts'

describe('packing', () => {
  const numbers = fc.oneof(
    fc.double(),
    fc.integer({ min: -1e9, max: 1e9 }).map((value) => value / 1e4),
    fc.integer({ min: 0, max: 5e15 }).map((micros) => micros / 1e6),
    fc.constant(Number.NaN),
  )

  test('every column comes back, value by value', () => {
    fc.assert(
      fc.property(fc.array(fc.array(numbers)), (columns) => {
        const report = { columns: columns.map((values) => Float64Array.from(values)), text: 'ü' }
        const back = unpacked(packed(report)) as typeof report
        expect(back.text).toBe('ü')
        expect(back.columns.length).toBe(columns.length)
        for (const [at, values] of columns.entries()) {
          const plain = values.map((value) => (value === 0 ? 0 : value))
          expect([...(back.columns[at] ?? [])].map((value) => (value === 0 ? 0 : value))).toEqual(plain)
        }
      }),
    )
  })

  test('prices and times take few bytes', () => {
    const time = Float64Array.from({ length: 10_000 }, (_, at) => 1_767_603_600 + at / 4)
    const price = Float64Array.from({ length: 10_000 }, (_, at) => 60_000 + (at % 7) / 2)
    expect(packed({ time, price }).length).toBeLessThan(10_000 * 4)
  })
})

describe('a line', () => {
  const walk = fc.array(fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: -99, max: 99 })), {
    maxLength: 600,
  })

  test('has all points up to its limit; beyond it the first, last, lowest and highest of each span', () => {
    fc.assert(
      fc.property(walk, fc.integer({ min: 4, max: 80 }), (steps, limit) => {
        const points = new Map<number, number>()
        let time = 0
        for (const [step, value] of steps) {
          time += step
          points.set(time, value)
        }
        const span = { from: 0, until: time, limit }
        const line = new LineBuilder(span)
        for (const [at, value] of points) line.add(at, value)
        const built = line.finish()
        const naive = [...points]
        expect(built.points).toBe(naive.length)
        if (naive.length <= limit) {
          expect([...built.time].map((at, row) => [at, built.value[row]])).toEqual(naive)
          return
        }
        expect(built.time.length).toBeLessThanOrEqual(limit)
        expect([...built.time]).toEqual([...built.time].toSorted((left, right) => left - right))
        const spans = Math.floor(limit / 4)
        const spanOf = (at: number): number => Math.min(spans - 1, Math.floor((time > 0 ? at / time : 0) * spans))
        for (let nth = 0; nth < spans; nth += 1) {
          const inside = naive.filter(([at]) => spanOf(at) === nth).map(([, value]) => value)
          const kept = [...built.value].filter((_, row) => spanOf(built.time[row] ?? 0) === nth)
          expect([kept[0], kept.at(-1)]).toEqual([inside[0], inside.at(-1)])
          expect(Math.min(...kept)).toBe(Math.min(...inside))
          expect(Math.max(...kept)).toBe(Math.max(...inside))
        }
      }),
    )
  })

  test('keeps simultaneous events', () => {
    const line = new LineBuilder({ from: 0, until: 9, limit: 10 })
    line.mark(1, 5)
    line.mark(1, 6)
    expect(line.finish()).toEqual({
      time: Float64Array.of(1, 1),
      value: Float64Array.of(5, 6),
      points: 2,
    })
  })
})

describe('the curve of returns', () => {
  const span = { from: 0, until: 400, limit: 100 }
  const terms = { every: '100s', seconds: 100, start: 0 }

  test('is not moved by deposits and withdrawals', () => {
    const growth = new Growth(span, terms)
    growth.rebase(0, 10)
    growth.move(50, 11)
    growth.rebase(60, 111)
    growth.move(90, 99.9)
    growth.rebase(95, 1)
    growth.move(99, 1.1)
    const { line, falls } = growth.finish(99)
    expect([...line.value]).toEqual([1, 1.1, 0.99, 1.089])
    expect(falls).toEqual([{ start: 50, valley: 90, recovery: null, depth: expect.closeTo(-0.1) }])
  })

  test('d11 its returns cover all of its time, by periods that begin with the run', () => {
    const returnsUntil = (until: number): readonly (readonly [number, number])[] => {
      const growth = new Growth(span, { ...terms, start: 10 })
      growth.rebase(30, 10)
      growth.move(90, 20)
      growth.move(150, 30)
      growth.move(250, 15)
      growth.move(300, 60)
      const { time, value } = growth.finish(until).returns
      return [...time].map((end, at) => [end, value[at] ?? 0])
    }
    const whole = [
      [110, 1],
      [210, 0.5],
    ]
    expect(returnsUntil(310)).toEqual([...whole, [310, 1]])
    expect(returnsUntil(399)).toEqual([...whole, [310, 1], [399, 0]])
    expect(returnsUntil(330)).toEqual([...whole, [330, 1]])
  })

  test('D4 it has recovered when it reaches its old peak exactly', () => {
    const growth = new Growth(span, terms)
    growth.rebase(0, 10)
    growth.move(50, 8)
    growth.move(90, 10)
    expect(growth.finish(99).falls).toEqual([{ start: 0, valley: 50, recovery: 90, depth: expect.closeTo(-0.2) }])
  })
})

test('texts of a run can neither end the page nor its data', () => {
  const page = pageText({
    title: '<b>"&</b>',
    style: 'a{}</style><i>',
    script: "const text = '</script><i>'",
    data: Uint8Array.of(1, 2, 3),
  })
  expect(page).toContain('<title>&lt;b>&quot;&amp;&lt;/b></title>')
  expect(page.match(/<\/style/g)).toHaveLength(1)
  expect(page.match(/<\/script/g)).toHaveLength(2)
})
