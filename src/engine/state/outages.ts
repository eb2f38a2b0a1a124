/**
 * Outages of the venue: its maintenance, and indices that publish nothing.
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
  /** By the name of the index. */
  readonly indices: Map<string, IndexOutage>
}

/** No outages. */
export function freshOutages(): Outages {
  return { isInMaintenance: false, indices: new Map() }
}

/** True if there is no outage. */
export function isOutageFree({ isInMaintenance, indices }: Outages): boolean {
  return !isInMaintenance && indices.size === 0
}

/** True if an index has published nothing for so long that trading on it is locked. */
export function isIndexStale({ since }: IndexOutage, now: Micros): boolean {
  return now - since >= STALE_MICROS
}

const indicesUnit = mapOf(units.text, plainUnit<IndexOutage>('outage of an index'))

/** Outages as a section of a snapshot. */
export const outagesUnit: Unit<Outages> = {
  name: 'outages',
  save: ({ isInMaintenance, indices }) => ({ isInMaintenance, indices: indicesUnit.save(indices) }),
  load: (plain) => {
    // `save` wrote it.
    const saved = plain as { readonly isInMaintenance: boolean; readonly indices: never }
    return { isInMaintenance: saved.isInMaintenance, indices: indicesUnit.load(saved.indices) }
  },
}
