/** Declared rows: their types, their saved fields, and their restored fields. */
import { describe, expect, test } from 'vitest'
import {
  cached,
  changing,
  decodeValue,
  derived,
  encodeValue,
  fixed,
  listOf,
  liveUnit,
  loadRow,
  mapOf,
  orderlessSetOf,
  orNull,
  type Plain,
  plainUnit,
  type RowOf,
  restoreRow,
  rowUnit,
  savedField,
  savedRows,
  saveRow,
  sectioned,
  setOf,
  units,
  wired,
  wiredUnit,
} from '../../../src/core/index.ts'

const legFields = { name: fixed(units.text), size: changing(units.count) }
type Leg = RowOf<typeof legFields>

const bookFields = {
  name: fixed(units.text),
  leg: wired(fixed(wiredUnit(legFields))),
  legs: wired(fixed(listOf(wiredUnit(legFields)))),
  total: changing(units.wide),
  halted: changing(orNull(units.micros)),
  owners: fixed(setOf(units.text)),
  byName: fixed(mapOf(units.text, rowUnit('leg', legFields))),
  notes: sectioned(fixed(setOf(units.text))),
  count: derived(changing(units.count)),
  seen: cached(changing(liveUnit<Map<string, Leg> | null>()), []),
}
type Book = RowOf<typeof bookFields>

function bookOf(): Book {
  const leg: Leg = { name: 'a', size: 1 }
  return {
    name: 'book',
    leg,
    legs: [leg, { name: 'b', size: 2 }],
    total: 12_345_678_901_234_567_890n,
    halted: null,
    owners: new Set(['bob', 'alice']),
    byName: new Map([['x', { name: 'x', size: 3 }]]),
    notes: new Set(['one']),
    count: 2,
    seen: null,
  }
}

/** Plain data after a snapshot's encoding. */
function carried(plain: Plain): Plain {
  const decoded = decodeValue(encodeValue(plain))
  if (!decoded.ok) throw new Error(decoded.error.expected)
  return decoded.value
}

describe('declared rows', () => {
  test('snapshots hold kept and wired fields, in the order of the declaration', () => {
    expect(saveRow(bookFields, bookOf())).toEqual({
      name: 'book',
      leg: { name: 'a', size: 1 },
      legs: [
        { name: 'a', size: 1 },
        { name: 'b', size: 2 },
      ],
      total: 12_345_678_901_234_567_890n,
      halted: null,
      owners: ['bob', 'alice'],
      byName: [['x', { name: 'x', size: 3 }]],
    })
    expect(Object.keys(saveRow(bookFields, bookOf()) as object)).toEqual(Object.keys(bookFields).slice(0, 7))
  })

  test('kept fields come back unchanged, in separate containers', () => {
    const book = bookOf()
    const saved = carried(saveRow(bookFields, book))
    const made: Book = { ...bookOf(), total: 0n, owners: new Set(), byName: new Map(), count: 9 }
    const { leg } = made
    restoreRow(bookFields, made, saved)
    expect(made).toEqual({ ...book, count: 9 })
    expect(made.byName.get('x')).not.toBe(book.byName.get('x'))
    // The owner of the row restores it by hand.
    expect(made.leg).toBe(leg)
    expect(loadRow(bookFields, saved)).not.toHaveProperty('leg')
    expect(savedRows(saved, 'legs').map((each) => loadRow(legFields, each).size)).toEqual([1, 2])
    expect(loadRow(legFields, savedField(saved, 'leg'))).toEqual({ name: 'a', size: 1 })
  })

  test('a field that a snapshot lacks is a defect', () => {
    expect(() => loadRow(legFields, { name: 'a' })).toThrow('a saved row has the field size')
    expect(() => liveUnit<null>().save(null)).toThrow('a value that snapshots cannot store')
  })

  test('fixed fields are readonly, changing ones are not', () => {
    const book = bookOf()
    book.total = 1n
    // @ts-expect-error a fixed field never changes
    book.name = 'other'
    // @ts-expect-error money is no count
    book.count = 2n
    // @ts-expect-error every field has a value
    const leg: Leg = { name: 'a' }
    expect([book.total, leg.name]).toEqual([1n, 'a'])
  })

  test('only rows that are kept as a whole are values of a field', () => {
    // @ts-expect-error its count follows from the rest
    rowUnit('book', { count: derived(changing(units.count)) })
    const word = plainUnit<'on' | 'off'>('switch')
    expect(word.load(word.save('on'))).toBe('on')
  })
})

test('a set without order is kept from the smallest up, and comes back the same', () => {
  const unit = orderlessSetOf(units.count)
  expect(unit.save(new Set([5, 40, 3]))).toEqual(unit.save(new Set([40, 3, 5])))
  expect([...unit.load(unit.save(new Set([5, 40, 3])))]).toEqual([3, 5, 40])
})
