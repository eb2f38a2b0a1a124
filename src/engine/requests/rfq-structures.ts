/**
 * Structures of Block RFQs: the units, ratios and least sizes of legs, and the price of the whole structure.
 *
 * Rule: rfq.units. The amount is the greatest common divisor of the sizes of the legs. The price is the sum of the
 * prices of the legs times their ratios, where sold legs count negative.
 *
 * Assumed: the least amount of linear futures is in the quote currency, and is converted at the mark.
 * Source: sessions-blocks-gateways.md 4.3, 5.4, 5.5.
 */
import { minimumTradeAmount, structureOf, structurePrice } from '../../blocks/index.ts'
import { defined, divCeilBig, divFloorBig, type Price9, safeNumber } from '../../core/index.ts'
import { blockTermsOf, type RfqAsk, type RfqLeg } from '../../model/index.ts'
import { type Exchange, type InstrumentRow, type RfqRow, rowOfInstrument } from '../state/index.ts'

const NANO = 1_000_000_000n
const MOST = BigInt(Number.MAX_SAFE_INTEGER)

/** A structure in the form of an RFQ. */
export type Structure = Pick<RfqRow, 'sizeUnit9' | 'priceUnit9' | 'legs' | 'amount' | 'least' | 'step'>

/** The structure of legs whose sizes are on their steps; undefined if its amounts are too large to represent. */
export function readStructure(exchange: Exchange, asks: readonly RfqAsk[]): Structure | undefined {
  const rows = asks.map(({ instrument }) => rowOfInstrument(exchange, instrument))
  const sizeUnit9 = structureOf(rows.map(stepOf9)).amount
  const priceUnit9 = structureOf(rows.map(tickOf9)).amount
  const sizes9 = asks.map(({ amount }, at) => BigInt(amount) * BigInt(rowAt(rows, at).instrument.amountStep9))
  const unit = BigInt(sizeUnit9)
  if (sizes9.some((size9) => divFloorBig(size9, unit) > MOST)) return undefined
  const { amount, ratios } = structureOf(sizes9.map((size9) => Number(divFloorBig(size9, unit))))
  const legs = asks.map(({ instrument, side }, at): RfqLeg => {
    return { instrument, side, ratio: defined(ratios[at], 'each leg has a ratio') }
  })
  const hasOption = rows.some(({ instrument }) => instrument.kind === 'option')
  const sizesOf = (withLeast: boolean): bigint =>
    minimumTradeAmount(
      legs.map(({ ratio }, at) => {
        const row = rowAt(rows, at)
        const least9 = withLeast ? leastOf9(row, hasOption) : 0n
        return {
          ratio,
          minimum: divCeilBig(least9, unit),
          step: Number(divFloorBig(BigInt(stepOf9(row)), unit)),
        }
      }),
    )
  const [least, step] = [sizesOf(true), sizesOf(false)]
  if (least > MOST || step > MOST) return undefined
  return {
    sizeUnit9,
    priceUnit9,
    legs,
    amount,
    least: safeNumber(least),
    step: safeNumber(step),
  }
}

/** The price of a structure from the prices of its legs, in its unit; undefined if it cannot be represented. */
export function priceOfLegs(
  { legs, priceUnit9 }: Pick<RfqRow, 'legs' | 'priceUnit9'>,
  prices: readonly Price9[],
): number | undefined {
  const unit = BigInt(priceUnit9)
  const parts = legs.map(({ side, ratio }, at) => {
    const price9 = defined(prices[at], 'each leg has a price')
    return { buys: side === 'buy', ratio, price: Number(divFloorBig(BigInt(price9), unit)) }
  })
  const bound = parts.reduce((sum, { ratio, price }) => sum + BigInt(ratio) * BigInt(price), 0n)
  return bound > MOST ? undefined : structurePrice(parts)
}

/** A price of a structure in its unit; undefined if it is not a multiple of the unit or cannot be represented. */
export function structureUnits({ priceUnit9 }: Pick<RfqRow, 'priceUnit9'>, price9: bigint): number | undefined {
  return unitsOf(price9, priceUnit9)
}

/** A size of a structure in its unit; undefined if it is not a multiple of the unit or cannot be represented. */
export function sizeUnits({ sizeUnit9 }: Pick<RfqRow, 'sizeUnit9'>, amount9: bigint): number | undefined {
  return unitsOf(amount9, sizeUnit9)
}

/** The mark of a structure in 1e-9. */
export function structureMark9(exchange: Exchange, legs: readonly RfqLeg[]): bigint {
  let sum = 0n
  for (const { instrument, side, ratio } of legs) {
    const worth = BigInt(ratio) * BigInt(rowOfInstrument(exchange, instrument).mark)
    sum += side === 'buy' ? worth : -worth
  }
  return sum
}

function unitsOf(value9: bigint, unit9: number): number | undefined {
  const unit = BigInt(unit9)
  const whole = divFloorBig(value9, unit)
  if (whole * unit !== value9 || whole > MOST || whole < -MOST) return undefined
  return safeNumber(whole)
}

/** The step of sizes, in 1e-9. */
function stepOf9({ instrument }: InstrumentRow): number {
  return instrument.minTradeLots * instrument.amountStep9
}

/** The tick of blocks, in 1e-9. */
function tickOf9({ instrument }: InstrumentRow): number {
  return blockTermsOf(instrument)?.tick9 ?? instrument.tick9
}

/**
 * The least size of a leg, in 1e-9; 0 for a leg without options in a structure with options. While a mark is missing, a
 * size in the quote currency cannot be converted: the request is then refused for the missing mark, whatever its size.
 */
function leastOf9({ instrument, mark }: InstrumentRow, hasOption: boolean): bigint {
  const terms = blockTermsOf(instrument)
  if (terms === null || (hasOption && instrument.kind !== 'option')) return 0n
  const least9 = BigInt(terms.least) * NANO
  const isQuoted = instrument.kind === 'future' && instrument.payoff === 'linear'
  if (!isQuoted) return least9
  return mark <= 0 ? 0n : divCeilBig(least9 * NANO, BigInt(mark))
}

function rowAt(rows: readonly InstrumentRow[], at: number): InstrumentRow {
  return defined(rows[at], 'each leg has an instrument')
}
