/**
 * Every single change of a state: a walk over the whole object graph of an exchange that changes one value at a time,
 * and restores it.
 */
import type { Records } from '../../src/core/index.ts'

/** A place in a state whose value can change. */
export interface Change {
  /** Its path, with `*` for list positions, keys and members. */
  readonly pattern: string
  /** Its path. */
  readonly path: string
  /** Makes the change and returns a function that undoes it. */
  readonly make: () => () => void
}

/** All changes of values that are reachable from a root; each object is visited on the shortest path. */
export function changesOf(root: object): readonly Change[] {
  const found: Found = {
    changes: [],
    seen: new Set(),
    next: [{ value: root, path: '', pattern: '' }],
  }
  for (const place of found.next) visit(place, found)
  return found.changes
}

/** At most `most` changes of each pattern: the last one, and others spread before it. */
export function sampled(changes: readonly Change[], most: number): readonly Change[] {
  const byPattern = new Map<string, Change[]>()
  for (const change of changes) {
    const list = byPattern.get(change.pattern) ?? []
    byPattern.set(change.pattern, list)
    list.push(change)
  }
  return [...byPattern.values()].flatMap((list) => {
    if (list.length <= most) return list
    const picked = Array.from({ length: most }, (_, at) => {
      return list.length - 1 - Math.floor((at * (list.length - 1)) / Math.max(1, most - 1))
    })
    return picked.flatMap((at) => list[at] ?? [])
  })
}

interface Place {
  readonly value: object
  readonly path: string
  readonly pattern: string
}

interface Found {
  readonly changes: Change[]
  readonly seen: Set<object>
  /** Objects to visit, the nearest first. */
  readonly next: Place[]
}

function walkInto(place: Place, { next }: Found): void {
  next.push(place)
}

function visit({ value, path, pattern }: Place, found: Found): void {
  if (found.seen.has(value)) return
  found.seen.add(value)
  if (value instanceof Map) walkMap({ value, path, pattern }, value, found)
  else if (value instanceof Set) walkSet({ value, path, pattern }, value, found)
  else if (isRecords(value)) walkRecords({ value, path, pattern }, value, found)
  else if (value instanceof Float64Array || value instanceof Int32Array) {
    walkNumbers({ value, path, pattern }, value, found)
  } else if (Array.isArray(value)) walkList({ value, path, pattern }, value as unknown[], found)
  else walkRecord({ value, path, pattern }, value as Record<string, unknown>, found)
}

function isRecords(value: object): value is Records {
  return 'layout' in value && 'doubles' in value && 'words' in value
}

/** Each value of each record has the name in the layout, like a column. */
function walkRecords(at: Place, records: Records, found: Found): void {
  const { layout, doubles, words } = records
  const places = [
    { numbers: doubles, length: layout.lengths.doubles, names: layout.doubles },
    { numbers: words, length: layout.lengths.words, names: layout.words },
  ]
  for (const { numbers, length, names } of places) {
    for (const [name, offset] of Object.entries(names)) {
      const column = { path: `${at.path}.${name}`, pattern: `${at.pattern}.${name}` }
      for (let record = 0; record * length < numbers.length; record += 1) {
        addNumber(column, { numbers, index: record * length + offset, shown: record }, found)
      }
    }
  }
  const own = new Set<string>(['layout', 'doubles', 'words'])
  walkRecord(at, records as object as Record<string, unknown>, found, own)
}

function walkRecord(
  at: Place,
  record: Record<string, unknown>,
  found: Found,
  without: ReadonlySet<string> = new Set(),
): void {
  for (const [key, item] of fieldsOf(record)) {
    if (without.has(key)) continue
    const path = at.path === '' ? key : `${at.path}.${key}`
    const pattern = at.pattern === '' ? key : `${at.pattern}.${key}`
    if (typeof item === 'object' && item !== null) walkInto({ value: item, path, pattern }, found)
    else addLeaf({ path, pattern }, { read: () => item, write: (other) => set(record, key, other) }, found)
  }
}

/** Fields by name; a record with accessors gives these, and not the underlying cells. */
function fieldsOf(record: Record<string, unknown>): [string, unknown][] {
  const described = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(record) as object)
  const accessors = Object.entries(described)
    .filter(([name, { set: write }]) => write !== undefined && name !== '__proto__')
    .map(([name]): [string, unknown] => [name, record[name]])
  if (accessors.length === 0) return Object.entries(record)
  const cells = new Set(['rare', 'flags'])
  return [...Object.entries(record).filter(([name]) => !cells.has(name)), ...accessors]
}

function walkList(at: Place, list: unknown[], found: Found): void {
  list.forEach((item, index) => {
    const place = { path: `${at.path}[${index}]`, pattern: `${at.pattern}[*]` }
    if (typeof item === 'object' && item !== null) walkInto({ value: item, ...place }, found)
    else {
      const write = (other: unknown): void => {
        list[index] = other
      }
      addLeaf(place, { read: () => item, write }, found)
    }
  })
  if (list.length === 0) return
  const shorter = (): (() => void) => {
    const last = list.pop()
    return () => list.push(last)
  }
  const longer = (): (() => void) => {
    list.push(list.at(-1))
    return () => list.pop()
  }
  found.changes.push(
    { path: `${at.path} shorter`, pattern: `${at.pattern} shorter`, make: shorter },
    { path: `${at.path} longer`, pattern: `${at.pattern} longer`, make: longer },
  )
}

function walkNumbers(at: Place, numbers: Float64Array | Int32Array, found: Found): void {
  for (let index = 0; index < numbers.length; index += 1) {
    addNumber(at, { numbers, index, shown: index }, found)
  }
}

function addNumber(
  at: Pick<Place, 'path' | 'pattern'>,
  of: {
    readonly numbers: Float64Array | Int32Array
    readonly index: number
    readonly shown: number
  },
  found: Found,
): void {
  const { numbers, index, shown } = of
  const item = numbers[index] ?? 0
  const write = (other: unknown): void => {
    numbers[index] = Number(other)
  }
  const place = { path: `${at.path}[${shown}]`, pattern: `${at.pattern}[*]` }
  if (numbers instanceof Float64Array) addLeaf(place, { read: () => item, write }, found)
  else addLink(place, { item, write }, found)
}

/** The no-neighbour value in a linked list, because a walk over a circular list would not end. */
function addLink(
  place: { readonly path: string; readonly pattern: string },
  { item, write }: { readonly item: number; readonly write: (other: number) => void },
  { changes }: Found,
): void {
  const make = (): (() => void) => {
    write(item === -1 ? -2 : -1)
    return () => write(item)
  }
  changes.push({ ...place, make })
}

function walkMap(at: Place, map: Map<unknown, unknown>, found: Found): void {
  for (const [key, item] of map) {
    const place = { path: `${at.path}<${String(key)}>`, pattern: `${at.pattern}<*>` }
    if (typeof item === 'object' && item !== null) walkInto({ value: item, ...place }, found)
    else {
      const write = (other: unknown): void => {
        map.set(key, other)
      }
      addLeaf(place, { read: () => item, write }, found)
    }
  }
  const entries = [...map]
  if (entries.length === 0) return
  const shorter = (): (() => void) => {
    map.delete(entries.at(-1)?.[0])
    return () => map.set(...(entries.at(-1) as [unknown, unknown]))
  }
  found.changes.push({
    path: `${at.path} shorter`,
    pattern: `${at.pattern} shorter`,
    make: shorter,
  })
}

function walkSet(at: Place, members: Set<unknown>, found: Found): void {
  const all = [...members]
  const more = (): (() => void) => {
    const other = typeof all[0] === 'number' ? Math.max(...(all as number[])) + 1 : 'another'
    members.add(other)
    return () => members.delete(other)
  }
  if (all.every((item) => typeof item !== 'object')) {
    found.changes.push({ path: `${at.path} longer`, pattern: `${at.pattern} longer`, make: more })
  }
  if (all.length === 0) return
  const shorter = (): (() => void) => {
    members.delete(all.at(-1))
    return () => members.add(all.at(-1))
  }
  found.changes.push({
    path: `${at.path} shorter`,
    pattern: `${at.pattern} shorter`,
    make: shorter,
  })
  all.forEach((item, index) => {
    if (typeof item !== 'object' || item === null) return
    walkInto({ value: item, path: `${at.path}{${index}}`, pattern: `${at.pattern}{*}` }, found)
  })
}

function addLeaf(
  place: { readonly path: string; readonly pattern: string },
  leaf: { readonly read: () => unknown; readonly write: (other: unknown) => void },
  { changes }: Found,
): void {
  const before = leaf.read()
  if (typeof before === 'function' || before === undefined) return
  const make = (): (() => void) => {
    leaf.write(another(before))
    return () => leaf.write(before)
  }
  changes.push({ ...place, make })
}

/** Another value of the same type; a value for an empty one. */
function another(value: unknown): unknown {
  switch (typeof value) {
    case 'number':
      return Number.isSafeInteger(value) ? value + 1 : 7
    case 'bigint':
      return value + 1n
    case 'string':
      // Sides are stored as bits, which can hold only two words.
      return value === 'buy' ? 'sell' : value === 'sell' ? 'buy' : `${value}x`
    case 'boolean':
      return !value
    default:
      return 1
  }
}

function set(record: Record<string, unknown>, key: string, value: unknown): void {
  record[key] = value
}
