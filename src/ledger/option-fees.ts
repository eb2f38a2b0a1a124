/**
 * Fees of options: a rate of the underlying, at most an eighth of the option's value.
 *
 * Inverse: min(rate x amount, 12.5 % of the premium); linear: min(rate x index x amount, 12.5 % of the premium).
 * Deliveries and liquidations have the same formula with their own rates; the cap of a delivery depends on the
 * delivered value. Rounded once to 1e-8.
 * Rule: fees.option. Source: market.md 4 (T43-T45, T51-T53).
 */
import { divHalfAwayBig } from '../core/index.ts'
import { WHOLE_FEE } from './fees.ts'
import type { ContractTerms } from './terms.ts'

const NANO = 1_000_000_000n

/** Inputs of an option's fee. */
export interface OptionFeeBase {
  readonly lots: number
  /** Price of the underlying in 1e-9 of the settlement currency: 1e9 for inverse options, the index for linear ones. */
  readonly underlying9: number
  /** Premium or delivered value in nano, without a sign. */
  readonly value: bigint
  /** Share of the fee that the account pays, in parts per million. */
  readonly ppm: number
}

/**
 * The fee in nano at a rate in 1e-9. A negative rate is a rebate, which has no cap and which the share does not reduce.
 */
export function optionFeeNano(
  { amountStep9 }: Pick<ContractTerms, 'amountStep9'>,
  rate9: number,
  of: OptionFeeBase,
): bigint {
  const amount9 = BigInt(of.lots) * BigInt(amountStep9)
  // In units of 1e-27, like eight times the cap: value / 8 / 1e9.
  const full = BigInt(rate9) * amount9 * BigInt(of.underlying9)
  const capped = full * 8n > of.value * NANO * NANO
  const ppm = BigInt(rate9 < 0 ? WHOLE_FEE : of.ppm)
  const whole = BigInt(WHOLE_FEE)
  const fee8 = capped
    ? divHalfAwayBig(of.value * ppm, 80n * whole)
    : divHalfAwayBig(full * ppm, 10_000_000_000_000_000_000n * whole)
  return fee8 * 10n
}
