/**
 * The average entry price of a position.
 */
import { divHalfAwayBig, type Price9, price9 } from '../../core/index.ts'
import { finerStep9 } from '../../pricing/index.ts'
import type { InstrumentRow } from '../state/index.ts'

const STEP_6_DIGITS = 1_000
const STEP_8_DIGITS = 10
const ONE9 = 1_000_000_000n
const ONE18 = 1_000_000_000_000_000_000n

/**
 * Average entry price: harmonic for inverse (6 decimals), weighted mean for linear (8 decimals); more where the tick
 * needs them.
 */
export function averagePriceOf(
  row: InstrumentRow,
  state: { readonly size: number; readonly entry: bigint },
): Price9 {
  if (state.size === 0) return price9(0)
  const amount9 = BigInt(Math.abs(state.size)) * BigInt(row.instrument.amountStep9)
  const entry = state.entry < 0n ? -state.entry : state.entry
  if (entry === 0n) return price9(0)
  const { tick9 } = row.instrument
  if (row.terms.payoff === 'inverse') {
    const step = BigInt(finerStep9(STEP_6_DIGITS, tick9))
    return price9(Number(divHalfAwayBig(amount9 * ONE18, entry * step) * step))
  }
  const step = BigInt(finerStep9(STEP_8_DIGITS, tick9))
  return price9(Number(divHalfAwayBig(entry * ONE9, amount9 * step) * step))
}
