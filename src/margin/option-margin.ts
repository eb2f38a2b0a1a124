/**
 * Margin in force of options and of combos of options, under standard margin.
 *
 * Beside its row of `margin.ts`, a holding has the cost of its open buys in nano, their size in lots, and what
 * they reserve of it. Its initial margin is what the largest short size needs (the position with all open
 * sells filled) and that reserve; its maintenance margin is what the short position needs. Of a combo only
 * the cost counts: its legs' margins have holdings of their own.
 *
 * Source: market.md 6.2; R56 (what is reserved).
 */
import {
  addNano,
  addWide,
  assert,
  isNegativeWide,
  type Nano,
  nanoOf,
  subtractNano,
  wideToBigint,
} from '../core/index.ts'
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
import { type MarkedOption, premiumReserve, sizedMargin } from './standard-option.ts'

const COST = 0
const LOTS = 2
const RESERVE = 3

/** Inputs of the margin of an option, beside its open orders; null while its mark is unknown. */
export interface OptionInput {
  readonly marked: MarkedOption | null
  /** Signed position in lots. */
  readonly position: number
}

/** Adds to what the open buys of a holding cost, wide in nano; margin follows by `updateOptionMargin`. */
export function addPremium(
  margin: Margin,
  holding: number,
  change: { readonly source: Float64Array; readonly from: number; readonly lots: number },
): void {
  const { premiums } = margin
  const at = holding * PREMIUM_STRIDE
  addWide(premiums, at + COST, change.source, change.from)
  const lots = (premiums[at + LOTS] as number) + change.lots
  assert(lots >= 0 && !isNegativeWide(premiums, at + COST), 'open buys are not negative')
  premiums[at + LOTS] = lots
}

/** Clears the margin of a holding and subtracts it from the totals of its wallet. Open orders and their cost stay. */
export function clearMargin(margin: Margin, owner: MarginOwner): void {
  const { exposures } = margin
  const at = owner.holding * EXPOSURE_STRIDE
  exposures[at + MARK] = 0
  exposures[at + WORST] = 0
  exposures[at + HELD] = 0
  setInitial(margin, owner, 0)
  setMaintenance(margin, owner, 0)
  setReserved(margin, { at: owner.holding * PREMIUM_STRIDE + RESERVE, wallet: owner.wallet }, 0)
}

/** Recomputes the margin of a holding of an option, or of a combo of options. */
export function updateOptionMargin(margin: Margin, owner: MarginOwner, input: OptionInput): void {
  const { marked, position } = input
  const { sells } = readExposure(margin, owner.holding)
  const reserve = reserveOf(margin, owner.holding, { marked, cost: 0n, lots: 0 })
  const at = owner.holding * PREMIUM_STRIDE + RESERVE
  setReserved(margin, { at, wallet: owner.wallet }, reserve)
  setInitial(margin, owner, addNano(shortMargin(marked, sells - position), reserve))
  const held = marked === null ? 0 : marked.maintenance9
  setMaintenance(margin, owner, sized(marked, held, -position))
}

/** How much more would be open. */
export interface MoreOpen {
  readonly sells: number
  /** Buys in lots and their cost in nano, both less what they replace. */
  readonly buys: number
  readonly cost: bigint
}

/** By how much the initial margin of such a holding would rise; see `initialMarginIncrease`. */
export function optionMarginIncrease(margin: Margin, owner: MarginOwner, input: OptionInput, more: MoreOpen): Nano {
  const { marked, position } = input
  const { sells, initial } = readExposure(margin, owner.holding)
  const { cost, buys: lots } = more
  const reserve = reserveOf(margin, owner.holding, { marked, cost, lots })
  const short = shortMargin(marked, sells + more.sells - position)
  return subtractNano(addNano(short, reserve), initial)
}

/** The same for an account that holds nothing of the instrument yet. */
export function firstOptionMargin(marked: MarkedOption | null, more: MoreOpen): Nano {
  const { cost, buys: lots } = more
  const reserve = premiumReserve(marked, { cost: nanoOf(cost), lots })
  return addNano(shortMargin(marked, more.sells), reserve)
}

/** Cost of the open buys of a holding, their size and their reserve, for views and the audit. */
export function readPremium(
  margin: Margin,
  holding: number,
): { readonly cost: bigint; readonly lots: number; readonly reserve: Nano } {
  const { premiums } = margin
  const at = holding * PREMIUM_STRIDE
  return {
    cost: wideToBigint(premiums, at + COST),
    lots: premiums[at + LOTS] as number,
    reserve: readReserved(margin, at + RESERVE),
  }
}

function reserveOf(
  { premiums }: Margin,
  holding: number,
  more: { readonly marked: MarkedOption | null; readonly cost: bigint; readonly lots: number },
): Nano {
  const at = holding * PREMIUM_STRIDE
  const lots = (premiums[at + LOTS] as number) + more.lots
  const cost = wideToBigint(premiums, at + COST) + more.cost
  if (cost === 0n) return 0
  return premiumReserve(more.marked, { cost: nanoOf(cost), lots })
}

/** Margin that a short size needs to be opened; a size below zero is long. */
function shortMargin(marked: MarkedOption | null, short: number): Nano {
  return marked === null ? 0 : sized(marked, marked.initial9, short)
}

function sized(marked: MarkedOption | null, unit9: number, short: number): Nano {
  return marked === null || short <= 0 ? 0 : sizedMargin(unit9, short, marked.amountStep9)
}
