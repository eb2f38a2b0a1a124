/**
 * Outages of the venue: maintenance, closed public methods that require a token, and indices that publish nothing.
 */
import {
  changing,
  fixed,
  type InstrumentId,
  type Micros,
  mapOf,
  orNull,
  plainUnit,
  type RowOf,
  rowUnit,
  units,
} from '../../core/index.ts'

/** Maximum age of an index value. At this age trading is locked. Source: market.md 3.1. */
export const STALE_MICROS = 180_000_000

export const indexOutageFields = {
  since: fixed(units.micros),
  /** The timer that locks its books; null after it ran. */
  timer: fixed(orNull(units.timerId)),
  /** Books whose trading was locked because of this outage. */
  locked: fixed(plainUnit<readonly InstrumentId[]>('instruments')),
}

/** An index that publishes nothing. */
export interface IndexOutage extends RowOf<typeof indexOutageFields> {}

export const outageFields = {
  isInMaintenance: changing(units.flag),
  /** True while public methods require a token. */
  isPublicClosed: changing(units.flag),
  /** Outages by the name of the index. */
  indices: fixed(mapOf(units.text, rowUnit('outage of an index', indexOutageFields))),
}

/** Outages; only `requests/switches.ts` and `day/outages.ts` write them. */
export interface Outages extends RowOf<typeof outageFields> {}

export const outagesUnit = rowUnit('outages', outageFields)

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
