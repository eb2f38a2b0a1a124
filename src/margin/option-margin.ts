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

/** Additional open sizes. */
export interface MoreOpen {
  readonly sells: number
  /** Buys in lots and their cost in nano, both minus the orders that they replace. */
  readonly buys: number
  readonly cost: bigint
}

/** The increase of the initial margin of such a holding; see `initialMarginIncrease`. */
export function optionMarginIncrease(margin: Margin, owner: MarginOwner, input: OptionInput, more: MoreOpen): Nano {
  const { marked, position } = input
  const { sells, initial } = readExposure(margin, owner.holding)
  const { cost, buys: lots } = more
  const reserve = reserveOf(margin, owner.holding, { marked, cost, lots })
  const short = shortMargin(marked, sells + more.sells - position)
  return subtractNano(addNano(short, reserve), initial)
}

/** The initial margin of additional open sizes for an account without a holding in the instrument. */
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

/** Initial margin of a short size; a size below zero is long. */
function shortMargin(marked: MarkedOption | null, short: number): Nano {
  return marked === null ? 0 : sized(marked, marked.initial9, short)
}

function sized(marked: MarkedOption | null, unit9: number, short: number): Nano {
  return marked === null || short <= 0 ? 0 : sizedMargin(unit9, short, marked.amountStep9)
}
