/**
 * The row of mobile devices: their open sessions, and what came over these and may still make orders (`mobile.ts`).
 */
import { fixed, orderlessSetOf, type RowOf, rowUnit, setOf, units } from '../../core/index.ts'

export const mobileFields = {
  /** Open sessions, by number. */
  sessions: fixed(orderlessSetOf(units.count)),
  /** Names of signatures and quotes, as long as they may make orders. */
  asks: fixed(setOf(units.text)),
}

/** Mobile devices of an exchange. */
export interface MobileState extends RowOf<typeof mobileFields> {}

export const mobileUnit = rowUnit('mobile devices', mobileFields)

/** No session yet. */
export function freshMobile(): MobileState {
  return { sessions: new Set(), asks: new Set() }
}
