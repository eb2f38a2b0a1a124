/** The instruments that the venue of a file lists by schedule. */
import { dayBoundaryAfter, labelOfExpiry, type Micros, micros } from '../../../core/index.ts'
import { listedExpiries } from '../../../engine/index.ts'
import { hasListedOptions, isListedPair, specFromName } from '../../../model/index.ts'
import { itemsOf, type Located, nodeAt, type Path } from '../located.ts'
import type { Schedule } from '../schedule.ts'

/** The names of scheduled futures are known for this number of days. */
const DAYS_MAX = 1_000
const DAY_MICROS = 86_400_000_000

/**
 * Kinds of instruments that the venue lists by schedule: a test of their pairs, their description, the end of a sample
 * name.
 */
const scheduleSorts = {
  listed_futures: { isListed: isListedPair, what: 'dated futures', one: '5JUN26' },
  listed_options: { isListed: hasListedOptions, what: 'options', one: '5JUN26-1-C' },
} as const
type ScheduleSort = keyof typeof scheduleSorts
const schedules = ['listed_futures', 'listed_options'] as const

/** The pairs of one kind in the schedule, in the spelling of the file. */
function listedPairs(root: Located, sort: ScheduleSort): readonly string[] {
  return itemsOf(nodeAt(root, ['venue', sort])).map(({ value }) => (typeof value === 'string' ? value : ''))
}

/** The indices of those pairs, each with the path of its pair. */
export function listedIndices(root: Located): readonly {
  readonly index: string
  readonly what: string
  readonly path: Path
}[] {
  return schedules.flatMap((sort) => {
    const { isListed, what, one } = scheduleSorts[sort]
    return listedPairs(root, sort).flatMap((pair, at) => {
      const spec = specFromName(`${pair}-${one}`, { creation: micros(0) })
      if (!spec.ok || !isListed(pair)) return []
      const path = ['venue', sort, at]
      return [{ index: spec.value.priceIndex, what: `the ${what} of ${pair}`, path }]
    })
  })
}

/** Instruments that a file may name. */
export interface InstrumentNames extends Iterable<string> {
  has(name: string): boolean
  add(name: string): unknown
}

/** Names that a file lists; further ones may be added. Options of the schedule are recognized by their pair only. */
export function instrumentNames(root: Located, listed: Iterable<string>): InstrumentNames {
  const names = new Set(listed)
  const pairs = new Set(listedPairs(root, 'listed_options').filter(hasListedOptions))
  const isScheduled = (name: string): boolean => {
    if (!pairs.has(name.split('-')[0] ?? '')) return false
    const spec = specFromName(name, { creation: micros(0) })
    return spec.ok && spec.value.detail.type === 'option'
  }
  return {
    has: (name) => names.has(name) || isScheduled(name),
    add: (name) => names.add(name),
    [Symbol.iterator]: () => names[Symbol.iterator](),
  }
}

/** Names of the futures that the schedule lists from the start to the end of the file. */
export function scheduledNames(root: Located, { start, until, steps }: Schedule): Set<string> {
  const pairs = listedPairs(root, 'listed_futures').filter(isListedPair)
  const names = new Set<string>()
  if (pairs.length === 0) return names
  const end = until ?? steps.at(-1) ?? start
  const last = Math.min(end, start + DAYS_MAX * DAY_MICROS)
  for (let time: Micros = start; time <= last; time = dayBoundaryAfter(time)) {
    for (const expiry of listedExpiries(time)) {
      for (const pair of pairs) names.add(`${pair}-${labelOfExpiry(expiry)}`)
    }
  }
  return names
}
