/**
 * The law of families: an event has exactly the columns that its family declares, and each is printed in the form of
 * its unit.
 */
import { assert } from '../../src/core/index.ts'
import type { Exchange } from '../../src/engine/index.ts'
import { type Columns, columnOf, type Event, eventFamilies } from '../../src/model/index.ts'
import { eventOut } from '../../src/rpc/index.ts'

const header = ['kind', 'time', 'number', 'cause']

/** Checks that an event has the columns of its family. */
export function assertColumns(event: Event): void {
  assertRow(event.kind, eventFamilies[event.kind], event, header)
}

/** Checks the printed line of an event: it has the words of the wire, and only values that JSON can express. */
export function assertPrinted(exchange: Exchange, event: Event): void {
  const line = eventOut(exchange, event)
  const read: unknown = JSON.parse(JSON.stringify(line))
  assert(JSON.stringify(read) === JSON.stringify(line), `the line of ${event.kind} is JSON`)
  for (const [name, declared] of Object.entries<Columns[string]>(eventFamilies[event.kind])) {
    const column = columnOf(declared)
    const printed = name.replace(/9$|8$|Ppm$/, '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const isAlways = column.quiet === undefined && column.unit !== null && name !== 'links'
    assert(!isAlways || printed in line, `the line of ${event.kind} tells ${printed}`)
  }
  for (const name of Object.keys(line)) assert(/^[a-z_]+$/.test(name), `${name} is a word of the wire`)
}

function assertRow(place: string, columns: Columns, row: object, more: readonly string[]): void {
  const declared = [...more, ...Object.keys(columns)].toSorted().join(' ')
  const found = Object.keys(row).toSorted().join(' ')
  assert(declared === found, `${place} has the columns ${declared}, found ${found}`)
  for (const [name, declared] of Object.entries(columns)) {
    const { columns: inner, unit } = columnOf(declared)
    const value = (row as { readonly [name: string]: unknown })[name]
    assert(value !== undefined, `${place}.${name} has a value`)
    if (inner === null) {
      const isMoney = unit?.name === 'money in 1e-9' || unit?.name === 'accumulated funding'
      assert(!isMoney || typeof value === 'bigint', `${place}.${name} is a wide integer`)
    } else if (value !== null) {
      const rows: readonly object[] = Array.isArray(value) ? value : [value]
      for (const each of rows) assertRow(`${place}.${name}`, inner, each, [])
    }
  }
}
