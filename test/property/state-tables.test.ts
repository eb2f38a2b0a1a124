/**
 * Laws: two states that differ in one field of a declared row differ in hash and in snapshot, and still do after a
 * restore; a copy that differs in a required field is detected. Written over the declarations, so that they cover new
 * fields.
 */
import { expect, test } from 'vitest'
import type { Fields, Keeping } from '../../src/core/index.ts'
import { type Exchange, fork, restore, snapshot, stateHash } from '../../src/engine/index.ts'
import { auditAlike } from '../../src/engine/spine/audit/copy-audit.ts'
import { stateTables } from '../../src/engine/state/index.ts'
import { states } from '../support/exchange-states.ts'
import { declaredRows, filled, otherThan } from './declared-rows.ts'

type Rows = readonly Record<string, unknown>[]

function declared(exchange: Exchange, table: string, at: number): Record<string, unknown> {
  const row = declaredRows[table as keyof typeof declaredRows](exchange)[at]
  return (row ?? {}) as Record<string, unknown>
}

/** States that both tests do not change. */
const exchanges = [...states.map(([, make]) => make()), filled()]

/** Fields that other rows, or a table of models, must agree with: a restore fails with another value in one alone. */
const rewiring: ReadonlySet<string> = new Set([
  'indices.name',
  'instruments.queue',
  'mmpGroups.membership',
  'series.sleeps',
])

test('A1 a cached field names its inputs, which are fields of declared rows', () => {
  const registers = ['exchange.scratch']
  for (const [table, fields] of Object.entries(stateTables)) {
    for (const [name, { keeping, from = [] }] of Object.entries(fields as Fields)) {
      const place = `${table}.${name}`
      const isExpected = keeping === 'cached' && !registers.includes(place)
      expect(from.length > 0, place).toBe(isExpected)
      for (const input of from) {
        const [row = '', field = ''] = input.split('.')
        expect(Object.keys(stateTables[row as keyof typeof stateTables] ?? {}), place).toContain(field)
        expect(input, place).not.toBe(place)
      }
    }
  }
})

test('HA any field of a declared row that differs is detected, also after a restore', () => {
  const unmet = new Set<string>()
  for (const [table, fields] of Object.entries(stateTables)) {
    for (const [name, { keeping }] of Object.entries(fields as Fields)) {
      if (keeping === 'kept' || keeping === 'sectioned') unmet.add(`${table}.${name}`)
    }
  }
  for (const exchange of exchanges) {
    const hash = stateHash(exchange)
    for (const [table, rowsOf] of Object.entries(declaredRows)) {
      for (const name of Object.keys(stateTables[table as keyof typeof stateTables])) {
        const place = `${table}.${name}`
        if (!unmet.has(place)) continue
        const rows = rowsOf(exchange) as Rows
        const values = rows.map((row) => row[name])
        const at = values.findIndex((value) => otherThan(value, values) !== undefined)
        const row = rows[at]
        if (row === undefined) continue
        const before = row[name]
        row[name] = otherThan(before, values)
        expect(stateHash(exchange), place).not.toBe(hash)
        const bytes = snapshot(exchange)
        // Some values must agree with others, and a restore fails without them.
        const copy = rewiring.has(place) ? null : restore(bytes)
        if (copy?.ok === false) throw new Error(place)
        if (copy !== null) {
          expect(declared(copy.value, table, at)[name], place).toEqual(row[name])
          expect(stateHash(copy.value), place).toBe(stateHash(exchange))
        }
        row[name] = before
        unmet.delete(place)
      }
    }
    expect(stateHash(exchange)).toBe(hash)
  }
  expect([...unmet]).toEqual([])
})

/** A value of the same kind for an empty one; another value otherwise. */
function anyOther(value: unknown, others: readonly unknown[]): unknown {
  const other = otherThan(value, others)
  if (other !== undefined) return other
  if (value instanceof Map) return new Map([[1, 1]])
  if (value instanceof Set) return new Set([1])
  return Array.isArray(value) ? [1] : 1
}

test('HA a copy with any different field that its table does not excuse is detected', () => {
  const bound: ReadonlySet<Keeping> = new Set(['kept', 'wired', 'sectioned', 'derived'])
  const unmet = new Set<string>()
  for (const [table, fields] of Object.entries<Fields>(stateTables)) {
    for (const [name, { keeping }] of Object.entries(fields)) {
      if (bound.has(keeping)) unmet.add(`${table}.${name}`)
    }
  }
  for (const each of exchanges) {
    // The restore recomputes values that derive from the ones set by hand.
    const exchange = fork(each)
    const copy = fork(exchange)
    auditAlike(exchange, copy)
    for (const place of [...unmet]) {
      const [table = '', name = ''] = place.split('.')
      const rows = declaredRows[table as keyof typeof declaredRows](copy) as Rows
      const [row] = rows
      if (row === undefined) continue
      const before = row[name]
      row[name] = anyOther(
        before,
        rows.map((other) => other[name]),
      )
      // The audit names the place before the hash shows a difference; orders have a different form.
      const reported = table === 'orders' ? /^a copy has the state hash/ : /^a copy has (the same number of )?exchange/
      expect(() => auditAlike(exchange, copy), place).toThrow(reported)
      row[name] = before
      unmet.delete(place)
    }
    auditAlike(exchange, copy)
  }
  expect([...unmet]).toEqual([])
})
