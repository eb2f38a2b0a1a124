/**
 * The audit of derived state: it is in no snapshot and in no hash, because a restored exchange finds it again. Here
 * the two are compared, field by field over the whole graph, so that what follows wrongly, or is forgotten when it is
 * found again, is seen. It costs a snapshot and a restore: `audit` is for every command, this for now and then.
 *
 * Left out are the fields that their own table excuses: those that the snapshot holds in another form, which the hash
 * tells of and `audit` holds against the orders (slots, books, rows), and those that are found anew whenever they are
 * asked for. An object that is no row of a table is excused nothing.
 */
import { assert, defined, type Field, type Fields } from '../../../core/index.ts'
import { currencies } from '../../../model/index.ts'
import { type Exchange, stateTables } from '../../state/index.ts'
import { marginsOf, shownPremium } from '../../value/index.ts'
import { fork } from './snapshot.ts'
import { stateHash } from './state-hash.ts'

/** The fields of a table that a copy may have otherwise; of all other objects it has everything the same. */
interface TableRules {
  /** Those that another section of the snapshot holds, and those that are found again when they are asked for. */
  readonly unlike: ReadonlySet<unknown>
  /** Those whose members may stand in another order. */
  readonly orderless: ReadonlySet<unknown>
}

const noRules: TableRules = { unlike: new Set(), orderless: new Set() }

/** The rules of each table by the names of its fields: its rows are known by having these and no others. */
const rulesByNames = namedRules(stateTables)

function namedRules(tables: { readonly [table: string]: Fields }): Map<string, TableRules> {
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
 * @throws AssertionFailure with the code `DEFECT` where a restored copy differs.
 *
 * @example
 * const venue = openVenue({ start: '2026-01-05T09:00:00Z', accounts: { ann: { BTC: 1 } } })
 * auditCopy(venue.exchange)
 */
export function auditCopy(exchange: Exchange): void {
  auditAlike(exchange, fork(exchange))
}

/** Throws `AssertionFailure` at the first thing that an exchange, which is to be a copy, has otherwise. */
export function auditAlike(exchange: Exchange, copy: Exchange): void {
  compare(exchange, copy, { path: 'exchange', met: new Map() })
  assert(stateHash(copy) === stateHash(exchange), 'a copy has the state hash of its exchange')
  // What is kept until something moves is the same as what the copy has to find.
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
  /** Objects that were compared, with those of the copy that they met. */
  readonly met: Map<object, Set<object>>
}

function compare(own: unknown, copied: unknown, { path, met }: Place): void {
  if (!isObject(own) || !isObject(copied)) {
    if (!Object.is(own, copied)) assert(false, `a copy has ${path}`)
    return
  }
  // What nobody writes may be one object here and two there.
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

/** Keys and values in their order; of a record its fields, by their names. */
type Parts = readonly (readonly [unknown, unknown])[]

function partsOf(value: object): Parts {
  if (value instanceof Map || value instanceof Set) return [...value.entries()]
  return Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
}

/** The names of a record's fields, as one text. */
function namesOf(parts: Parts): string {
  return parts.map(([name]) => name).join(' ')
}

/** The rules of the table that an object is a row of; no list, map or set is one. */
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
