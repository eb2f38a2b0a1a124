/**
 * Margins of the standard model in bigint: short options (market.md 6.2), and futures to 1e-18 for accounts
 * whose currencies share their margin (6.4). The oracle of `src/margin`.
 */
import type { InstrumentSpec } from '../../src/model/index.ts'
import { larger, type MarginAt, marginRatio, rdiv } from './naive-money.ts'
import { isInverseOption } from './naive-options.ts'

const NANO = 1_000_000_000n

/** Margin of one coin of a short option, in 1e-9 of its currency (T70 to T75). */
export function shortMargin(
  spec: InstrumentSpec,
  at: { readonly forward: bigint; readonly mark: bigint },
  which: 'initial' | 'maintenance',
): bigint {
  const { forward, mark } = at
  const { detail } = spec
  if (detail.type !== 'option') throw new Error('an option is asked for its margin')
  const strike = BigInt(detail.strike)
  const isCall = detail.right === 'call'
  const out = larger(isCall ? strike - forward : forward - strike, 0n)
  // Thousandths of the forward, in the unit of the price; an option in coin has a forward of one.
  const inUnits = (thousandths: bigint): bigint =>
    isInverseOption(spec) ? rdiv(thousandths * NANO, forward * 1000n) : rdiv(thousandths, 1000n)
  const initial = inUnits(larger(150n * forward - 1000n * out, 100n * forward)) + mark
  const base = inUnits(75n * forward)
  const maintenance = (isCall ? base : larger(base, rdiv(75n * mark, 1000n))) + mark
  if (which === 'maintenance') return maintenance
  return isCall ? initial : larger(initial, maintenance)
}

/** Standard margin of a future in 1e-18 of its currency, rounded once (T79). */
export function fineMargin(spec: InstrumentSpec, lots: bigint, at: MarginAt): bigint {
  const [top, bottom] = marginRatio(spec, lots, at)
  return rdiv(top * NANO * NANO, bottom)
}
