/**
 * The row of mobile devices: their open sessions, and the signatures and quotes from these sessions that may still
 * create orders (`mobile.ts`).
 */
import { fixed, orderlessSetOf, type RowOf, rowUnit, setOf, units } from '../../core/index.ts'

export const mobileFields = {
  /** Open sessions, by number. */
  sessions: fixed(orderlessSetOf(units.count)),
  /** Keys of signatures and quotes that may still create orders. */
  asks: fixed(setOf(units.text)),
}

/** Mobile devices of an exchange. */
export interface MobileState extends RowOf<typeof mobileFields> {}

export const mobileUnit = rowUnit('mobile devices', mobileFields)

/** Mobile devices of a new exchange. */
export function freshMobile(): MobileState {
  return { sessions: new Set(), asks: new Set() }
}
