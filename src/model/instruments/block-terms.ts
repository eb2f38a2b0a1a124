/**
 * Minimum size of a block trade of an instrument, and the tick of its price.
 *
 * Source: market.md 1.4. Assumed: the table gives some minimums as a number of contracts; their `amount` is that number
 * of contract sizes. Instruments outside the table use the tick of their book, and options outside the table also the
 * smallest amount of their book.
 */
import { divNearest } from '../../core/index.ts'
import type { InstrumentSpec } from '../instrument.ts'

/** Terms of block trades. */
interface BlockTerms {
  /** Minimum `amount`; for futures in USD or the quote currency. */
  readonly least: number
  /** Price tick in 1e-9. */
  readonly tick9: number
}

const NANO = 1_000_000_000
const futureTick9 = 10_000_000
const futures: { readonly [base: string]: BlockTerms } = {
  BTC: { least: 200_000, tick9: futureTick9 },
  ETH: { least: 100_000, tick9: futureTick9 },
}
const otherFutures = 50_000

/** Minimum in contracts, and the tick of options in coin and of those in USDC. */
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

/** The terms of futures and options; null for spot and combos. Blocks of combos follow the terms of their legs. */
export function blockTermsOf(spec: InstrumentSpec): BlockTerms | null {
  if (spec.kind === 'future') return futures[spec.baseCurrency] ?? { least: otherFutures, tick9: spec.tick9 }
  if (spec.kind !== 'option') return null
  const known = options[spec.baseCurrency]
  const isCoin = spec.quoteCurrency === spec.baseCurrency
  const ownTick9 = isCoin ? known?.coinTick9 : known?.usdcTick9
  const ownLeast9 = spec.minTradeLots * spec.amountStep9
  const least9 = known === undefined ? ownLeast9 : known.contracts * spec.contractSize9
  return { least: divNearest(least9, NANO), tick9: ownTick9 ?? spec.tick9 }
}
