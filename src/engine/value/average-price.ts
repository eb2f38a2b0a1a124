/**
 * The average entry price of a position.
 */
import { divHalfAwayBig, type Price9, price9 } from '../../core/index.ts'
import type { InstrumentRow } from '../state/index.ts'

/** Average entry price: harmonic for inverse (6 decimals), weighted mean for linear (8 decimals). */
export function averagePriceOf(
  row: InstrumentRow,
  state: { readonly size: number; readonly entry: bigint },
): Price9 {
  if (state.size === 0) return price9(0)
  const amount9 = BigInt(Math.abs(state.size)) * BigInt(row.instrument.amountStep9)
  const entry = state.entry < 0n ? -state.entry : state.entry
  if (entry === 0n) return price9(0)
  if (row.terms.payoff === 'inverse') {
    return price9(Number(divHalfAwayBig(amount9 * 1_000_000_000_000_000n, entry) * 1_000n))
  }
  return price9(Number(divHalfAwayBig(entry * 100_000_000n, amount9) * 10n))
}
