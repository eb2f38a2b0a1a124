/**
 * The least block trade of an instrument, and the tick of its price.
 *
 * Source: market.md 1.4. Assumed: minimums that are told in contracts are as many contract sizes in `amount`. What
 * the table does not name has its own tick, and its own least amount where it is an option.
 */
import { divNearest } from '../../core/index.ts'
import type { InstrumentSpec } from '../instrument.ts'

/** Terms of block trades. */
interface BlockTerms {
  /** In `amount`; of futures in USD or the quote currency. */
  readonly least: number
  /** In 1e-9. */
  readonly tick9: number
}

const NANO = 1_000_000_000
const futureTick9 = 10_000_000
const futures: { readonly [base: string]: BlockTerms } = {
  BTC: { least: 200_000, tick9: futureTick9 },
  ETH: { least: 100_000, tick9: futureTick9 },
}
const otherFutures = 50_000

/** Contracts, and the tick of options in coin and of those in USDC. */
interface OptionTerms {
  readonly contracts: number
  readonly coinTick9?: number
  readonly usdcTick9?: number
}

const options: { readonly [base: string]: OptionTerms } = {
  BTC: { contracts: 25, coinTick9: 100_000, usdcTick9: 5 * NANO },
  ETH: { contracts: 250, coinTick9: 100_000, usdcTick9: 200_000_000 },
  SOL: { contracts: 150, usdcTick9: 100_000_000 },
  XRP: { contracts: 75 },
  AVAX: { contracts: 25, usdcTick9: 500_000 },
  TRX: { contracts: 25, usdcTick9: 50_000 },
}

/** The terms of futures and options; null for spot and combos, whose blocks are those of their legs. */
export function blockTermsOf(spec: InstrumentSpec): BlockTerms | null {
  const { kind, baseCurrency, quoteCurrency, tick9, contractSize9 } = spec
  if (kind === 'future') return futures[baseCurrency] ?? { least: otherFutures, tick9 }
  if (kind !== 'option') return null
  const known = options[baseCurrency]
  const isCoin = quoteCurrency === baseCurrency
  const ownTick9 = isCoin ? known?.coinTick9 : known?.usdcTick9
  const ownLeast9 = spec.minTradeLots * spec.amountStep9
  const least9 = known === undefined ? ownLeast9 : known.contracts * contractSize9
  return { least: divNearest(least9, NANO), tick9: ownTick9 ?? tick9 }
}
