/**
 * Pairs: the underlyings on which the venue lists derivatives, and the currencies and sizes of these.
 *
 * Inverse derivatives exist on BTC and ETH only, and settle in the coin; linear futures on every base, in USDC or USDT;
 * linear options on the bases of their table, in USDC.
 * Source: market.md 1.1, 1.2 (base, quote, counter and settlement currency), 1.3.
 */
import { err, ok, type Result } from '../../core/index.ts'
import type { InstrumentSpec } from '../instrument.ts'
import { type Currency, isCurrency } from '../words/currencies.ts'
import {
  type FamilySizes,
  inverseFutures,
  inverseOptions,
  inversePerpetuals,
  linearFutures,
  linearOptions,
  otherLinearFuture,
} from './families.ts'
import type { Pair } from './names/instrument-names.ts'

/** The currencies of a specification. */
export type Currencies = Pick<
  InstrumentSpec,
  'baseCurrency' | 'quoteCurrency' | 'counterCurrency' | 'settlementCurrency'
>

/** The currencies of futures and future spreads on a pair, or the reason why the venue lists none. */
export function futureCurrencies({ base, quote }: Pair): Result<Currencies, string> {
  if (quote === null) {
    if (!isCurrency(base) || !inversePerpetuals.has(base)) return notInverse(base)
    return ok(currenciesOf({ base, quote: 'USD', counter: 'USD', settlement: base }))
  }
  if (quote !== 'USDC' && quote !== 'USDT') {
    return err(`expected a future settled in USDC or USDT, found ${base}_${quote}`)
  }
  return ok(currenciesOf({ base, quote, counter: quote, settlement: quote }))
}

/** The currencies of options and option combos on a pair, or the reason why the venue lists none. */
export function optionCurrencies({ base, quote }: Pair): Result<Currencies, string> {
  if (quote === null) {
    if (!isCurrency(base) || !inverseOptions.has(base)) return notInverse(base)
    return ok(currenciesOf({ base, quote: base, counter: 'USD', settlement: base }))
  }
  if (quote !== 'USDC') return err(`expected an option settled in USDC, found ${base}_${quote}`)
  return ok(currenciesOf({ base, quote, counter: quote, settlement: quote }))
}

/** Sizes and tick of futures on a pair. */
export function futureSizes({ base, quote }: Pair, type: 'perpetual' | 'future'): Result<FamilySizes, string> {
  if (quote !== null) return ok(linearFutures.get(base) ?? otherLinearFuture)
  const found = (type === 'perpetual' ? inversePerpetuals : inverseFutures).get(base)
  return found === undefined ? notInverse(base) : ok(found)
}

/** Sizes and tick of options on a pair. */
export function optionSizes({ base, quote }: Pair): Result<FamilySizes, string> {
  if (quote === null) {
    const found = inverseOptions.get(base)
    return found === undefined ? notInverse(base) : ok(found)
  }
  const found = linearOptions.get(base)
  const known = [...linearOptions.keys()].join(' ')
  return found === undefined ? err(`expected a linear option on one of ${known}, found ${base}`) : ok(found)
}

function currenciesOf(found: {
  readonly base: string
  readonly quote: string
  readonly counter: string
  readonly settlement: Currency
}): Currencies {
  return {
    baseCurrency: found.base,
    quoteCurrency: found.quote,
    counterCurrency: found.counter,
    settlementCurrency: found.settlement,
  }
}

function notInverse(base: string): { readonly ok: false; readonly error: string } {
  const known = [...inversePerpetuals.keys()].join(' or ')
  return err(`expected ${known}, or a linear pair such as ${base}_USDC, found ${base}`)
}
