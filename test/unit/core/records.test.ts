/** Layouts: no two values share memory, words come after doubles, and a record ends at a double. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRecords, recordLayout } from '../../../src/core/index.ts'

const names = fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 9 })

describe('records', () => {
  test('hold each value apart from all others', () => {
    fc.assert(
      fc.property(names, names, fc.integer({ min: 1, max: 4 }), (doubles, words, count) => {
        const layout = recordLayout(doubles, words)
        const records = createRecords(layout, count)
        const places: (readonly [Float64Array | Int32Array, number])[] = []
        for (let record = 0; record < count; record += 1) {
          for (const place of Object.values(layout.doubles)) {
            places.push([records.doubles, record * layout.lengths.doubles + place])
          }
          for (const place of Object.values(layout.words)) {
            places.push([records.words, record * layout.lengths.words + place])
          }
        }
        places.forEach(([values, at], index) => {
          values[at] = index + 1
        })
        expect(places.map(([values, at]) => values[at])).toEqual(places.map((_, at) => at + 1))
        expect(places).toHaveLength(count * (doubles.length + words.length))
      }),
    )
  })
})
