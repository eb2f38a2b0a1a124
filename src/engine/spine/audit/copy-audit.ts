/**
 * The audit of derived state, which is in no snapshot and in no hash, because a restored exchange recomputes it. The
 * audit compares an exchange with its restored copy, field by field over the whole graph. So it finds derived state
 * that is wrong, or that a restore does not recompute. It costs a snapshot and a restore: call `audit` after every
 * command and this audit occasionally.
 *
 * It skips the fields that their table excuses: those that the snapshot stores in another form, which the hash covers
 * and `audit` compares with the orders (slots, books, rows), and those that are recomputed on each request. Objects
 * that are not rows of a table have no exceptions.
 */
import { assert, defined, type Field, type Fields } from '../../../core/index.ts'
import { currencies } from '../../../model/index.ts'
import { type Exchange, stateTables } from '../../state/index.ts'
import { marginsOf, shownPremium } from '../../value/index.ts'
import { fork, stateHash } from '../snapshot/snapshot.ts'

/** The fields of a table that may differ in a copy. In all other objects everything must be equal. */
interface TableRules {
  /** Fields that another section of the snapshot stores, and fields that are recomputed on request. */
  readonly unlike: ReadonlySet<unknown>
  /** Fields whose members may have another order. */
  readonly orderless: ReadonlySet<unknown>
}

const noRules: TableRules = { unlike: new Set(), orderless: new Set() }

/** The rules of each table by the names of its fields: an object with exactly these fields is a row of the table. */
const rulesByNames = namedRules(stateTables)

function namedRules(tables: Readonly<Record<string, Fields>>): Map<string, TableRules> {
  const found = new Map<string, TableRules>()
  for (const [table, fields] of Object.entries(tables)) {
    const names = namesOf(partsOf(fields))
    assert(!found.has(names), `only the table ${table} has these fields`)
    found.set(names, {
      unlike: fieldsThat(fields, ({ keeping }) => keeping === 'apart' || keeping === 'cached'),
      orderless: fieldsThat(fields, ({ unit }) => unit.isOrderless === true),
    })
  }
  return found
}

function fieldsThat(fields: Fields, isMeant: (field: Field<unknown>) => boolean): ReadonlySet<unknown> {
  return new Set(Object.entries(fields).flatMap(([name, field]) => (isMeant(field) ? [name] : [])))
}

/**
 * Throws `AssertionFailure` at the first difference between an exchange and its copy.
 *
 * @throws AssertionFailure with the code `DEFECT` if a restored copy differs.
 *
 * @example
 * const venue = openVenue({ start: '2026-01-05T09:00:00Z', accounts: { ann: { BTC: 1 } } })
 * auditCopy(venue.exchange)
 */
export function auditCopy(exchange: Exchange): void {
  auditAlike(exchange, fork(exchange))
}

/** Throws `AssertionFailure` at the first difference between an exchange and an object that should be its copy. */
export function auditAlike(exchange: Exchange, copy: Exchange): void {
  compare(exchange, copy, { path: 'exchange', met: new Map() })
  assert(stateHash(copy) === stateHash(exchange), 'a copy has the state hash of its exchange')
  // Cached values must equal the values that the copy computes.
  for (const [at, row] of exchange.instruments.entries()) {
    const copied = defined(copy.instruments[at], 'a copy has every instrument')
    assert(shownPremium(row) === shownPremium(copied), 'the fair price equals the fair price of the book')
  }
  for (const { account } of exchange.accounts) {
    for (const currency of currencies) {
      const [own, copied] = [exchange, copy].map((each) => marginsOf(each, account.id, currency))
      compare(own, copied, { path: `margins of ${account.name} in ${currency}`, met: new Map() })
    }
  }
}

interface Place {
  readonly path: string
  /** Compared objects, each with the objects of the copy that it was compared with. */
  readonly met: Map<object, Set<object>>
}

function compare(own: unknown, copied: unknown, { path, met }: Place): void {
  if (!isObject(own) || !isObject(copied)) {
    if (!Object.is(own, copied)) assert(false, `a copy has ${path}`)
    return
  }
  // Objects that are never written may be shared here and separate there.
  const known = met.get(own) ?? new Set()
  if (known.has(copied)) return
  met.set(own, known.add(copied))
  const left = partsOf(own)
  const right = partsOf(copied)
  if (left.length !== right.length) assert(false, `a copy has the same number of ${path}`)
  const { unlike, orderless } = rulesOf(own, left)
  for (const [at, [key, value]] of left.entries()) {
    const [otherKey, otherValue] = right[at] ?? []
    const place = `${path}.${String(key)}`
    if (!isObject(key) && key !== otherKey) assert(false, `a copy has ${place} in the same place`)
    if (isObject(key)) compare(key, otherKey, { path: place, met })
    else if (unlike.has(key)) continue
    if (orderless.has(key)) compare(sorted(value), sorted(otherValue), { path: place, met })
    else compare(value, otherValue, { path: place, met })
  }
}

/** Keys and values in their order; for a record its fields, sorted by name. */
type Parts = readonly (readonly [unknown, unknown])[]

function partsOf(value: object): Parts {
  if (value instanceof Map || value instanceof Set) return [...value.entries()]
  return Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
}

/** The names of a record's fields, as one text. */
function namesOf(parts: Parts): string {
  return parts.map(([name]) => name).join(' ')
}

/** The rules of the table with an object as a row; lists, maps and sets are never rows. */
function rulesOf(value: object, parts: Parts): TableRules {
  const isList = Array.isArray(value) || ArrayBuffer.isView(value)
  if (isList || value instanceof Map || value instanceof Set) return noRules
  return rulesByNames.get(namesOf(parts)) ?? noRules
}

function sorted(set: unknown): unknown {
  return set instanceof Set ? [...set].sort((left, right) => left - right) : set
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
