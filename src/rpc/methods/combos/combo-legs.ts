/**
 * Legs of combos in requests: instruments with amounts and directions.
 *
 * The legs of a combo have the ratios of the amounts in lowest terms. The ratio of a sold leg is negative.
 * Source: trading.md 4.9 (create_combo, get_leg_prices), 6.15.
 */

import { z } from '../../../core/index.ts'
import { type Exchange, findInstrument } from '../../../engine/index.ts'
import { amount9OfLots, type Fault, type Instrument, sides } from '../../../model/index.ts'
import { decimal, earlier, instrumentName, paramFault, readSize, unknownInstrument } from '../params.ts'

/** One leg of a request. */
export const legParam = z.object({
  instrument_name: instrumentName,
  amount: decimal,
  direction: z.enum(sides),
})

/** A leg that was read. */
export interface ReadLeg {
  readonly instrument: Instrument
  /** Signed ratio, in lowest terms with the ratios of the other legs. */
  readonly ratio: number
}

/** Legs with the amount of the combo, which is the greatest common divisor of their amounts; or the first fault. */
export type ReadLegs =
  | { readonly ok: true; readonly legs: readonly ReadLeg[]; readonly amount9: bigint }
  | { readonly ok: false; readonly fault: Fault }

/** Reads legs; `param` is the parameter that contains them. */
export function readComboLegs(
  exchange: Exchange,
  params: readonly z.output<typeof legParam>[],
  param: string,
): ReadLegs {
  let fault: Fault | null = params.length === 0 ? paramFault(param, 'required') : null
  const sized: { readonly instrument: Instrument; readonly amount9: bigint }[] = []
  const names = new Set<string>()
  for (const [at, leg] of params.entries()) {
    const instrument = findInstrument(exchange, leg.instrument_name)
    if (names.has(leg.instrument_name)) fault = earlier(fault, paramFault(param, 'named_twice'))
    names.add(leg.instrument_name)
    if (instrument === undefined) {
      fault = earlier(fault, unknownInstrument)
      continue
    }
    const size = readSize(instrument, leg)
    if (!size.ok) fault = earlier(fault, size.fault)
    else if (size.value <= 0) fault = earlier(fault, paramFault(`${param}.${at}.amount`, 'too_small'))
    else {
      const amount9 = amount9OfLots(instrument, size.value)
      sized.push({ instrument, amount9: leg.direction === 'buy' ? amount9 : -amount9 })
    }
  }
  if (fault !== null) return { ok: false, fault }
  const shared = sized.reduce((divisor, { amount9 }) => greatestDivisor(divisor, amount9), 0n)
  return {
    ok: true,
    legs: sized.map(({ instrument, amount9 }) => ({ instrument, ratio: Number(amount9 / shared) })),
    amount9: shared,
  }
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  let high = a < 0n ? -a : a
  let low = b < 0n ? -b : b
  while (low !== 0n) {
    const rest = high % low
    high = low
    low = rest
  }
  return high
}
