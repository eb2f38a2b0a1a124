/**
 * Terms that a run sets for all instruments: rates of a fee profile, dampers of funding, engines, bases on the gateway
 * pair of real-world assets; and the pairs whose futures and options the venue can list.
 *
 * Rule: instruments.rwa. Source: sessions-blocks-gateways.md 8.1, 8.3; R21; S338.
 */

import { micros } from '../../core/index.ts'
import type { ExchangeConfig } from '../config.ts'
import type { InstrumentDetail, InstrumentSpec } from '../instrument.ts'
import type { FeeProfile, Payoff } from '../words/instruments.ts'
import { specFromName } from './catalogue.ts'
import { speedBumpOf } from './matching.ts'

type Rates = Pick<InstrumentSpec, 'makerFee9' | 'takerFee9' | 'blockFee9' | 'liquidationFee9' | 'deliveryFee9'>

/** Rates of the instruments of some types; with `payoff` only of instruments with that payoff. */
interface FeeRule {
  readonly types: readonly InstrumentDetail['type'][]
  readonly payoff?: Payoff
  readonly rates: Partial<Rates>
}

/** A specification of the catalogue with the terms of the run's venue. Overrides of the user apply afterwards. */
export function withVenueTerms(
  spec: InstrumentSpec,
  config: Pick<ExchangeConfig, 'feeProfile' | 'fundingDampers' | 'engines' | 'rwaBases'>,
): InstrumentSpec {
  const priced = withFeeProfile(spec, config.feeProfile)
  // Spot is never on the alternative engine.
  const engine = priced.kind === 'spot' ? 'main' : (config.engines[priced.priceIndex] ?? priced.engine)
  const gateway = config.rwaBases.includes(priced.baseCurrency) ? 'RWA' : priced.gateway
  const matched = { ...priced, engine, gateway, speedBump: speedBumpOf(priced, engine) }
  if (config.fundingDampers === null || matched.funding === null) return matched
  return { ...matched, funding: { ...matched.funding, dampers: config.fundingDampers } }
}

/** True if the venue could list dated futures of a pair, written as in names: `BTC`, `BTC_USDC`. */
export function isListedPair(pair: string): boolean {
  const spec = specFromName(`${pair}-5JUN26`, { creation: micros(0) })
  return spec.ok && spec.value.detail.type === 'future'
}

/** True if the venue could list options of a pair, written as in names: `BTC`, `SOL_USDC`. */
export function hasListedOptions(pair: string): boolean {
  const spec = specFromName(`${pair}-5JUN26-1-C`, { creation: micros(0) })
  return spec.ok && spec.value.detail.type === 'option'
}

/**
 * Fee profiles: named sets of rates that replace those of the catalogue. Plain data.
 *
 * `default` is the catalogue itself: the venue's table before August 2026, the only one that is completely readable.
 * `aug_2026` contains the readable part of the next table: liquidations cost 1 % for all products, and a linear
 * perpetual shows maker 0.015 %, taker 0.035 %; all other rates stay.
 * Assumed: the rates shown for one linear perpetual hold for all of them.
 * Source: market.md 1.3 and 4, section 10.
 */

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
