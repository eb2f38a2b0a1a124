/**
 * The average entry price of a position.
 */
import type { Price9 } from '../../core/index.ts'
import { averagePrice9 } from '../../ledger/index.ts'
import { finerStep9 } from '../../pricing/index.ts'
import type { InstrumentRow } from '../state/index.ts'

const STEP_6_DIGITS = 1_000
const STEP_8_DIGITS = 10

/**
 * Average entry price: harmonic for inverse contracts (6 decimals), weighted mean for linear contracts (8 decimals);
 * with more decimals if the tick needs them.
 */
export function averagePriceOf(row: InstrumentRow, size: number, entry: bigint): Price9 {
  const usual9 = row.terms.payoff === 'inverse' ? STEP_6_DIGITS : STEP_8_DIGITS
  const held = { lots: Math.abs(size), basis: entry < 0n ? -entry : entry }
  return averagePrice9(row.terms, held, finerStep9(usual9, row.instrument.tick9))
}
