/**
 * Terms that a run sets for all instruments: rates of a fee profile, dampers of funding, engines, bases on the gateway
 * pair of real-world assets; and the pairs whose futures and options the venue can list.
 *
 * Rule: instruments.rwa. Source: sessions-blocks-gateways.md 8.1, 8.3; R21; S338.
 */
import { micros } from '../../core/index.ts'
import type { ExchangeConfig } from '../config.ts'
import type { InstrumentSpec } from '../instrument.ts'
import { specFromName } from './catalogue.ts'
import { withFeeProfile } from './fee-profiles.ts'
import { speedBumpOf } from './matching.ts'

/** A specification of the catalogue with the terms of the run's venue. Overrides of the user apply afterwards. */
export function withVenueTerms(
  spec: InstrumentSpec,
  config: Pick<ExchangeConfig, 'feeProfile' | 'fundingDampers' | 'engines' | 'rwaBases'>,
): InstrumentSpec {
  const { engines, fundingDampers, rwaBases } = config
  const priced = withFeeProfile(spec, config.feeProfile)
  // Spot is never on the alternative engine.
  const engine = priced.kind === 'spot' ? 'main' : (engines[priced.priceIndex] ?? priced.engine)
  const gateway = rwaBases.includes(priced.baseCurrency) ? 'RWA' : priced.gateway
  const matched = { ...priced, engine, gateway, speedBump: speedBumpOf(priced, engine) }
  const { funding } = matched
  if (fundingDampers === null || funding === null) return matched
  return { ...matched, funding: { ...funding, dampers: fundingDampers } }
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
