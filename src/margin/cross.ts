/**
 * Cross margin: all currencies of an account together, in USD at their index prices.
 *
 * margin balance = sum of (equity - [standard margin] value of options) * index; initial margin = sum of initial *
 * index + haircut of positive equity * index; maintenance likewise without haircuts. Each term is rounded once, halves
 * away from zero, to 1e-9 USD.
 *
 * Rule: margin.cross. Source: market.md 6.4 (T78-T80). Assumed: available funds are the difference of these two
 * figures, in one currency. The sample of T78 (margin balance 54.968258, available 53.868247) subtracts the haircut in
 * USDT, 1.100011, from a balance in USD, which contradicts the formula; in USD it is 1.099130991.
 */
import { divHalfAwayBig } from '../core/index.ts'

/** One currency of an account; money in nano of the currency. */
export interface CrossPart {
  /** The price of the currency in USD, 1e-9. */
  readonly index9: number
  readonly equity: bigint
  /** Part of the equity that does not count as margin: the value of options, under standard margin. */
  readonly excluded: bigint
  readonly haircutPpm: number
  /** Reserve of spot orders. */
  readonly spotReserve: bigint
  /** Margins in 1e-18 of the currency, so that they stay exact until the index is applied. */
  readonly initial18: bigint
  readonly maintenance18: bigint
}

/** Totals of an account in 1e-9 USD. */
export interface CrossTotals {
  readonly equity: bigint
  readonly marginBalance: bigint
  readonly initial: bigint
  /** The part of `initial` that haircuts cause. */
  readonly haircut: bigint
  readonly maintenance: bigint
  readonly spotReserve: bigint
}

const NANO = 1_000_000_000n
const ATTO = 1_000_000_000_000_000_000n
const MILLION = 1_000_000n

/** Sums the currencies of an account. */
export function crossTotals(parts: readonly CrossPart[]): CrossTotals {
  let equity = 0n
  let marginBalance = 0n
  let risk = 0n
  let haircut = 0n
  let maintenance = 0n
  let spotReserve = 0n
  for (const part of parts) {
    const index = BigInt(part.index9)
    equity += inUsd(part.equity, part.index9)
    marginBalance += inUsd(part.equity - part.excluded, part.index9)
    risk += divHalfAwayBig(part.initial18 * index, ATTO)
    maintenance += divHalfAwayBig(part.maintenance18 * index, ATTO)
    spotReserve += inUsd(part.spotReserve, part.index9)
    if (part.equity <= 0n || part.haircutPpm === 0) continue
    haircut += divHalfAwayBig(part.equity * index * BigInt(part.haircutPpm), NANO * MILLION)
  }
  return { equity, marginBalance, initial: risk + haircut, haircut, maintenance, spotReserve }
}

/** Money of a currency in 1e-9 USD. */
function inUsd(nano: bigint, index9: number): bigint {
  return divHalfAwayBig(nano * BigInt(index9), NANO)
}

/** USD converted to nano of a currency; 0 if its price is unknown. */
export function ofUsd(usd: bigint, index9: number): bigint {
  return index9 === 0 ? 0n : divHalfAwayBig(usd * NANO, BigInt(index9))
}
