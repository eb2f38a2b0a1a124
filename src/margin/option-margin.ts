/**
 * Present margin of options and of combos of options, under standard margin.
 *
 * In addition to its row in `margin.ts`, a holding has the cost of its open buys in nano, their size in lots, and their
 * reserve. Its initial margin is the margin of the largest short size (the position with all open sells filled) plus
 * that reserve; its maintenance margin is the margin of the short position. For a combo only the cost counts, because
 * separate holdings have the margins of its legs.
 *
 * Source: market.md 6.2; R56 (what is reserved).
 */

import {
  addNano,
  addWide,
  assert,
  divHalfAwayBig,
  isNegativeWide,
  mulDivHalfAway,
  type Nano,
  nanoOf,
  subtractNano,
  wideToBigint,
} from '../core/index.ts'
import type { InstrumentSpec } from '../model/index.ts'
import { readExposure } from './margin.ts'
import {
  EXPOSURE_STRIDE,
  HELD,
  MARK,
  type Margin,
  type MarginOwner,
  PREMIUM_STRIDE,
  readReserved,
  setInitial,
  setMaintenance,
  setReserved,
  WORST,
} from './rows.ts'

/** The margin arithmetic of an option at one mark and one forward. */
export interface MarkedOption {
  readonly amountStep9: number
  /** Margin of one coin short, in nano of the settlement currency. */
  readonly initial9: number
  readonly maintenance9: number
  /** Taker fee of one coin before its cap, in nano. */
  readonly fee9: number
}

/** Inputs of the margin of an option; prices in 1e-9. */
interface OptionMarket {
  readonly mark9: number
  readonly forward9: number
  /** Price for the fees of linear options; 0 while it is unknown. */
  readonly index9: number
}

const COST = 0

const LOTS = 2

/** Inputs of the margin of an option, in addition to its open orders; null while its mark is unknown. */
export interface OptionInput {
  readonly marked: MarkedOption | null
  /** Signed position in lots. */
  readonly position: number
}

/** Adds to the cost of the open buys of a holding, wide in nano. Call `updateOptionMargin` afterwards. */
export function addPremium(
  margin: Margin,
  holding: number,
  source: Float64Array,
  from: number,
  changeLots: number,
): void {
  const at = holding * PREMIUM_STRIDE
  addWide(margin.premiums, at + COST, source, from)
  const lots = (margin.premiums[at + LOTS] as number) + changeLots
  assert(lots >= 0 && !isNegativeWide(margin.premiums, at + COST), 'open buys are not negative')
  margin.premiums[at + LOTS] = lots
}

/** Clears the margin of a holding and subtracts it from the totals of its wallet. Open orders and their cost stay. */
export function clearMargin(margin: Margin, owner: MarginOwner): void {
  const at = owner.holding * EXPOSURE_STRIDE
  margin.exposures[at + MARK] = 0
  margin.exposures[at + WORST] = 0
  margin.exposures[at + HELD] = 0
  setInitial(margin, owner, 0)
  setMaintenance(margin, owner, 0)
  setReserved(margin, owner, 0)
}

/** Recomputes the margin of a holding of an option, or of a combo of options. */
export function updateOptionMargin(margin: Margin, owner: MarginOwner, input: OptionInput): void {
  const { sells } = readExposure(margin, owner.holding)
  const reserve = reserveOf(margin, owner.holding, input.marked, 0n, 0)
  setReserved(margin, owner, reserve)
  setInitial(margin, owner, addNano(shortMargin(input.marked, sells - input.position), reserve))
  const held = input.marked === null ? 0 : input.marked.maintenance9
  setMaintenance(margin, owner, sized(input.marked, held, -input.position))
}

/** Additional open sizes. */
interface MoreOpen {
  readonly sells: number
  /** Buys in lots and their cost in nano, both minus the orders that they replace. */
  readonly buys: number
  readonly cost: bigint
}

/** The increase of the initial margin of such a holding; see `initialMarginIncrease`. */
export function optionMarginIncrease(margin: Margin, owner: MarginOwner, input: OptionInput, more: MoreOpen): Nano {
  const { sells, initial } = readExposure(margin, owner.holding)
  const reserve = reserveOf(margin, owner.holding, input.marked, more.cost, more.buys)
  const short = shortMargin(input.marked, sells + more.sells - input.position)
  return subtractNano(addNano(short, reserve), initial)
}

/** The initial margin of additional open sizes for an account without a holding in the instrument. */
export function firstOptionMargin(marked: MarkedOption | null, more: MoreOpen): Nano {
  const reserve = premiumReserve(marked, nanoOf(more.cost), more.buys)
  return addNano(shortMargin(marked, more.sells), reserve)
}

/** Cost of the open buys of a holding, their size and their reserve, for views and the audit. */
export function readPremium(
  margin: Margin,
  holding: number,
): { readonly cost: bigint; readonly lots: number; readonly reserve: Nano } {
  const at = holding * PREMIUM_STRIDE
  return {
    cost: wideToBigint(margin.premiums, at + COST),
    lots: margin.premiums[at + LOTS] as number,
    reserve: readReserved(margin, holding),
  }
}

function reserveOf(
  { premiums }: Margin,
  holding: number,
  marked: MarkedOption | null,
  addedCost: bigint,
  addedLots: number,
): Nano {
  const at = holding * PREMIUM_STRIDE
  const lots = (premiums[at + LOTS] as number) + addedLots
  const cost = wideToBigint(premiums, at + COST) + addedCost
  if (cost === 0n) return 0
  return premiumReserve(marked, nanoOf(cost), lots)
}

/** Initial margin of a short size; a size below zero is long. */
function shortMargin(marked: MarkedOption | null, short: number): Nano {
  return marked === null ? 0 : sized(marked, marked.initial9, short)
}

function sized(marked: MarkedOption | null, unit9: number, short: number): Nano {
  return marked === null || short <= 0 ? 0 : sizedMargin(unit9, short, marked.amountStep9)
}

/**
 * Standard margin of options: only short options need margin, and legs do not offset each other.
 *
 * For one coin, with F the forward, OTM the amount out of the money, mark in the currency of the price:
 * - call: initial max(0.15 - OTM/F, 0.10) + mark, maintenance 0.075 + mark;
 * - put: initial max(max(0.15 - OTM/F, 0.10) + mark, maintenance), maintenance max(0.075, 0.075 mark) + mark.
 *
 * For linear options the fractions are multiplied with F. The margin of one coin is rounded to 1e-9, and then the
 * margin of the size, halves away from zero.
 *
 * Open buys reserve their cost at their limit prices, and the taker fee of a trade. For linear options that fee depends
 * on the index, so the reserve follows the index too.
 *
 * Rule: margin.option. Source: market.md 6.2 (T70-T75), 4 (fees). Assumed: open orders need the reserve of all buys
 * plus the margin of all sells; the source could also mean the worse of both.
 */

/** Fractions in 1e-9. */
const MOST9 = 150_000_000

const LEAST9 = 100_000_000

const MAINTENANCE9 = 75_000_000

const ONE9 = 1_000_000_000

const SAFE_MAX = Number.MAX_SAFE_INTEGER

/** Products of sizes and units below this are safe integers with enough distance. */
const PRODUCT_MAX = SAFE_MAX * ONE9 * 0.999

/** The margin arithmetic of an option at a known mark and forward. */
export function markedOption(spec: InstrumentSpec, market: OptionMarket): MarkedOption {
  const isCoin = spec.quoteCurrency === spec.baseCurrency
  const fee9 = isCoin ? spec.takerFee9 : mulDivHalfAway(spec.takerFee9, market.index9, ONE9)
  const initial9 = optionInitial9(spec, { mark9: market.mark9, forward9: market.forward9, isCoin })
  const maintenance9 = optionMaintenance9(spec, { mark9: market.mark9, forward9: market.forward9, isCoin })
  return { amountStep9: spec.amountStep9, initial9, maintenance9, fee9: Math.max(0, fee9) }
}

interface Priced {
  readonly mark9: number
  readonly forward9: number
  readonly isCoin: boolean
}

/** Initial margin of one coin short. */
function optionInitial9(spec: InstrumentSpec, priced: Priced): number {
  if (spec.detail.type !== 'option') return 0
  const { mark9, forward9, isCoin } = priced
  const isCall = spec.detail.right === 'call'
  const otm9 = Math.max(0, isCall ? spec.detail.strike - forward9 : forward9 - spec.detail.strike)
  const fraction = (part9: number): number => (isCoin ? part9 : mulDivHalfAway(part9, forward9, ONE9))
  // From a twentieth on the smaller fraction applies, whatever the quotient.
  const isFar = otm9 >= forward9
  const distance9 = isFar ? MOST9 : isCoin ? mulDivHalfAway(otm9, ONE9, forward9) : otm9
  const most = isFar ? 0 : fraction(MOST9) - distance9
  const initial = Math.max(most, fraction(LEAST9)) + mark9
  return isCall ? initial : Math.max(initial, optionMaintenance9(spec, priced))
}

/** Maintenance margin of one coin short. */
function optionMaintenance9(spec: InstrumentSpec, priced: Priced): number {
  if (spec.detail.type !== 'option') return 0
  const base = priced.isCoin ? MAINTENANCE9 : mulDivHalfAway(MAINTENANCE9, priced.forward9, ONE9)
  if (spec.detail.right === 'call') return base + priced.mark9
  return Math.max(base, mulDivHalfAway(MAINTENANCE9, priced.mark9, ONE9)) + priced.mark9
}

/** Margin of a size in lots, from the margin of one coin. */
export function sizedMargin(unit9: number, lots: number, amountStep9: number): Nano {
  if (lots === 0 || unit9 === 0) return 0
  const amount9 = lots * amountStep9
  if (amount9 <= SAFE_MAX && unit9 * amount9 < PRODUCT_MAX) {
    return mulDivHalfAway(unit9, amount9, ONE9)
  }
  const exact = BigInt(unit9) * BigInt(lots) * BigInt(amountStep9)
  return nanoOf(divHalfAwayBig(exact, BigInt(ONE9)))
}

/** Fees are never more than an eighth of the premium. */
const CAP_SHARE = 8

/**
 * Reserve of open buys: their cost, in nano, and one taker fee for all of them. The fee depends on the sum of their
 * sizes and is capped by the sum of their costs, so that these two determine it; it is never less than the sum of the
 * separate fees.
 */
export function premiumReserve(marked: MarkedOption | null, cost: Nano, lots: number): Nano {
  if (marked === null || cost === 0) return cost
  const fee = sizedMargin(marked.fee9, lots, marked.amountStep9)
  const cap =
    typeof cost === 'number' ? mulDivHalfAway(cost, 1, CAP_SHARE) : nanoOf(divHalfAwayBig(cost, BigInt(CAP_SHARE)))
  return addNano(cost, fee < cap ? fee : cap)
}
