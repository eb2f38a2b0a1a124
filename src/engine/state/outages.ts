/**
 * Outages of the venue: its maintenance, public methods that nobody may ask without a token, and indices that publish
 * nothing.
 */
import {
  type InstrumentId,
  type Micros,
  mapOf,
  plainUnit,
  type Unit,
  units,
} from '../../core/index.ts'

/** How old the value of an index may be before trading is locked. Source: market.md 3.1. */
export const STALE_MICROS = 180_000_000

/** An index that publishes nothing. */
export interface IndexOutage {
  readonly since: Micros
  /** Books whose trading was locked for want of it. */
  readonly locked: readonly InstrumentId[]
}

/** Outages; only `requests/switches.ts` and `day/outages.ts` write them. */
export interface Outages {
  isInMaintenance: boolean
  /** True while public methods need a token. */
  isPublicClosed: boolean
  /** By the name of the index. */
  readonly indices: Map<string, IndexOutage>
}

/** No outages. */
export function freshOutages(): Outages {
  return { isInMaintenance: false, isPublicClosed: false, indices: new Map() }
}

/** True if there is no outage. */
export function isOutageFree({ isInMaintenance, isPublicClosed, indices }: Outages): boolean {
  return !isInMaintenance && !isPublicClosed && indices.size === 0
}

/** True if an index has published nothing for so long that trading on it is locked. */
export function isIndexStale({ since }: IndexOutage, now: Micros): boolean {
  return now - since >= STALE_MICROS
}

const indicesUnit = mapOf(units.text, plainUnit<IndexOutage>('outage of an index'))

/** Outages as a section of a snapshot. */
export const outagesUnit: Unit<Outages> = {
  name: 'outages',
  save: ({ isInMaintenance, isPublicClosed, indices }) => ({
    isInMaintenance,
    isPublicClosed,
    indices: indicesUnit.save(indices),
  }),
  load: (plain) => {
    // `save` wrote it.
    const saved = plain as unknown as Omit<Outages, 'indices'> & { readonly indices: never }
    const { isInMaintenance, isPublicClosed } = saved
    return { isInMaintenance, isPublicClosed, indices: indicesUnit.load(saved.indices) }
  },
}
