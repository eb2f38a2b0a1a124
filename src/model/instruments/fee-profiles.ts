/**
 * Fee profiles: named sets of rates that replace those of the catalogue. Plain data.
 *
 * `default` is the catalogue itself: the venue's table before August 2026, the only one that is completely readable.
 * `aug_2026` contains the readable part of the next table: liquidations cost 1 % for all products, and a linear
 * perpetual shows maker 0.015 %, taker 0.035 %; all other rates stay.
 * Assumed: the rates shown for one linear perpetual hold for all of them.
 * Source: market.md 1.3 and 4, section 10.
 */
import type { InstrumentDetail, InstrumentSpec } from '../instrument.ts'
import type { FeeProfile, Payoff } from '../words/instruments.ts'

type Rates = Pick<InstrumentSpec, 'makerFee9' | 'takerFee9' | 'blockFee9' | 'liquidationFee9' | 'deliveryFee9'>

/** Rates of the instruments of some types; with `payoff` only of instruments with that payoff. */
interface FeeRule {
  readonly types: readonly InstrumentDetail['type'][]
  readonly payoff?: Payoff
  readonly rates: Partial<Rates>
}

/** Later rules override earlier ones. */
const rulesByProfile: Readonly<Record<FeeProfile, readonly FeeRule[]>> = {
  default: [],
  aug_2026: [
    { types: ['perpetual', 'future', 'option'], rates: { liquidationFee9: 10_000_000 } },
    {
      types: ['perpetual'],
      payoff: 'linear',
      rates: { makerFee9: 150_000, takerFee9: 350_000 },
    },
  ],
}

/** A specification of the catalogue with the rates of a profile. Overrides of the user apply afterwards. */
export function withFeeProfile(spec: InstrumentSpec, profile: FeeProfile): InstrumentSpec {
  let changed = spec
  for (const { types, payoff, rates } of rulesByProfile[profile]) {
    const isMeant = payoff === undefined || payoff === spec.payoff
    if (isMeant && types.includes(spec.detail.type)) changed = { ...changed, ...rates }
  }
  return changed
}
