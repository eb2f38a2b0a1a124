/**
 * The audit of derived state: it is in no snapshot and in no hash, because a restored exchange finds it again. Here
 * the two are compared, field by field over the whole graph, so that what follows wrongly, or is forgotten when it is
 * found again, is seen. It costs a snapshot and a restore: `audit` is for every command, this for now and then.
 *
 * Left out are what the snapshot holds by itself and `audit` holds against the orders (slots, books, rows), and
 * what is found anew whenever it is asked for.
 */
import { assert, defined, type Field, type Fields } from '../../../core/index.ts'
import { currencies } from '../../../model/index.ts'
import { type Exchange, stateTables } from '../../state/index.ts'
import { marginsOf, shownPremium } from '../../value/index.ts'
import { fork } from './snapshot.ts'

/**
 * Fields that may differ between an exchange and its copy, by name: those that another section of the snapshot
 * holds, and those that are found again when they are asked for.
 */
const unlike = namesOf(({ keeping }) => keeping === 'apart' || keeping === 'cached')

/** Fields whose members may stand in another order. */
const orderless = namesOf(({ unit }) => unit.isOrderless === true)

function namesOf(isMeant: (field: Field<unknown>) => boolean): ReadonlySet<string> {
  return new Set(
    Object.values(stateTables).flatMap((fields: Fields) =>
      Object.entries(fields).flatMap(([name, field]) => (isMeant(field) ? [name] : [])),
    ),
  )
}

/**
 * Throws `AssertionFailure` at the first thing that a copy of an exchange has otherwise.
 *
 * @throws AssertionFailure with the code `DEFECT` where a restored copy differs.
 *
 * @example
 * const venue = openVenue({ start: '2026-01-05T09:00:00Z', accounts: { ann: { BTC: 1 } } })
 * auditCopy(venue.exchange)
 */
export function auditCopy(exchange: Exchange): void {
  const copy = fork(exchange)
  compare(exchange, copy, { path: 'exchange', met: new Map() })
  // What is kept until something moves is the same as what the copy has to find.
  for (const [at, row] of exchange.instruments.entries()) {
    const copied = defined(copy.instruments[at], 'a copy has every instrument')
    assert(shownPremium(row) === shownPremium(copied), 'the fair price is that of the book')
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
  if (left.length !== right.length) assert(false, `a copy has as much of ${path}`)
  for (const [at, [key, value]] of left.entries()) {
    const [otherKey, otherValue] = right[at] ?? []
    const place = `${path}.${String(key)}`
    if (!isObject(key) && key !== otherKey) assert(false, `a copy has ${place} in its place`)
    if (isObject(key)) compare(key, otherKey, { path: place, met })
    else if (unlike.has(String(key))) continue
    if (orderless.has(String(key))) compare(sorted(value), sorted(otherValue), { path: place, met })
    else compare(value, otherValue, { path: place, met })
  }
}

/** Keys and values, or members, in their order; of a record by the names of its fields. */
function partsOf(value: object): readonly (readonly [unknown, unknown])[] {
  if (value instanceof Map || value instanceof Set) return [...value.entries()]
  return Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
}

function sorted(set: unknown): unknown {
  return set instanceof Set ? [...set].sort((left, right) => left - right) : set
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
