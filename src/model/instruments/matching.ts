/**
 * Selects the engine that matches an instrument and the delay of takers there.
 *
 * Rule: instruments.engine. Source: sessions-blocks-gateways.md 8.1, 8.8; coverage R09; S318.
 */
import { type Micros, micros } from '../../core/index.ts'
import type { InstrumentSpec } from '../instrument.ts'
import type { MatchingEngine } from '../words/instruments.ts'

/** Bases of perpetuals without a speed bump. */
const unbumpedPerpetuals: ReadonlySet<string> = new Set(['BTC', 'ETH', 'SOL', 'XRP', 'HYPE'])

/**
 * Default bases on the gateway pair of real-world assets: metals, oil, stock indices and stocks. PAXG is not among them
 * and keeps its tier (R21). Assumed: the venue publishes no list.
 */
export const defaultRwaBases: readonly string[] =
  'XAUT XAU XAG XPT XPD WTI BRENT SPX NDX SPY QQQ AAPL AMZN COIN GOOGL META MSFT MSTR NVDA TSLA'.split(' ')

/** Names of bases: capital letters and digits. */
export const baseName: RegExp = /^[A-Z0-9]{1,16}$/

const SPEED_BUMP: Micros = micros(10_000)
const NO_BUMP: Micros = micros(0)

/**
 * The engine that the venue uses for an instrument: the main one for BTC and spot, the alternative one for all others.
 */
export function engineOf(kind: string, base: string): MatchingEngine {
  return kind === 'spot' || base === 'BTC' ? 'main' : 'alt'
}

/** Delay of takers of an instrument on an engine. */
export function speedBumpOf(spec: Pick<InstrumentSpec, 'detail' | 'baseCurrency'>, engine: MatchingEngine): Micros {
  if (engine === 'main') return NO_BUMP
  return spec.detail.type === 'perpetual' && unbumpedPerpetuals.has(spec.baseCurrency) ? NO_BUMP : SPEED_BUMP
}
