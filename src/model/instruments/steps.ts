/**
 * The current steps for orders of an instrument: the steps at listing, or those of a rescale.
 *
 * A rescale does not change the units of the book, the base tick and the amount step of a specification. They are not
 * valid steps for orders after a rescale, so replies must not show them as such.
 *
 * Rule: instruments.rescale. Source: sessions-blocks-gateways.md 8.7, 8.13; C09.
 */

import { divFloor, err, type Lots, lots, modFloor, ok, type Price9, price9, type Result } from '../../core/index.ts'
import type { InstrumentSpec, TickStep } from '../instrument.ts'
import { TICK9_MAX } from './price-grid.ts'

/** The part of a specification that determines the valid sizes of orders. */
type SizeSteps = Pick<InstrumentSpec, 'kind' | 'minTradeLots' | 'stepLots' | 'amountStep9'>

/** New steps of an instrument; null keeps a step. */
interface Steps {
  /** Step of prices in 1e-9 quote units. */
  readonly tick9: number | null
  /** Step of sizes in 1e-9 of the amount unit. */
  readonly amountStep9: number | null
}

/** An invalid step. */
interface StepFault {
  readonly field: 'tick_size' | 'amount_step'
  readonly expected: string
}

/** The tick of the lowest prices, in 1e-9 quote units. */
export function tickOf({ tick9, tickSteps: [first] }: InstrumentSpec): number {
  return first?.above === 0 ? first.tick9 : tick9
}

/** The step of sizes, in 1e-9 of the amount unit. */
export function amountStepOf({ amountStep9, stepLots = lots(1) }: SizeSteps): number {
  return amountStep9 * stepLots
}

/** True if a size is a whole number of steps. */
export function isOnStep({ stepLots }: SizeSteps, size: number): boolean {
  return stepLots === undefined || stepLots === 1 || modFloor(size, stepLots) === 0
}

/** Rounds a size down to a whole number of steps. */
export function floorToStep({ stepLots = lots(1) }: SizeSteps, size: number): Lots {
  return lots(divFloor(size, stepLots) * stepLots)
}

/** The reason to refuse an order of a size, or null: below the minimum, or not a whole number of steps (C09). */
export function sizeReason(
  spec: SizeSteps,
  size: number,
): 'qty_too_low' | 'non_integer_contract_amount' | 'invalid_amount' | null {
  if (size < spec.minTradeLots) return 'qty_too_low'
  if (isOnStep(spec, size)) return null
  return spec.kind === 'future' ? 'non_integer_contract_amount' : 'invalid_amount'
}

/**
 * Changes the steps of an instrument that already trades: prices and sizes of orders become multiples of a coarser
 * step, or later of a finer one again.
 *
 * The base tick and the amount step, which the book counts in, stay as listed, so that no price and no position
 * changes. Known limit: no step can be finer than these.
 *
 * Rule: instruments.rescale. Source: sessions-blocks-gateways.md 8.7 (cancel reason 17), 8.13. Assumed: the venue
 * documents only that orders end because of it.
 */

const amountWords = 'a multiple of the amount step it was listed with'

/** A step without a lower bound holds from this price on. */
const FIRST: Price9 = price9(0)

/** The specification with the new steps, or the first invalid step. */
export function rescaled(spec: InstrumentSpec, { tick9, amountStep9 }: Steps): Result<InstrumentSpec, StepFault> {
  const listed = spec.listedSteps ?? {
    tickSteps: spec.tickSteps,
    minTradeLots: spec.minTradeLots,
  }
  let changed: InstrumentSpec = { ...spec, listedSteps: listed }
  if (tick9 !== null) {
    const tickSteps = stepsFrom(spec, listed.tickSteps, tick9)
    if (tickSteps === undefined) return err({ field: 'tick_size', expected: tickWords(spec) })
    changed = { ...changed, tickSteps }
  }
  if (amountStep9 !== null) {
    const step = wholeOf(amountStep9, spec.amountStep9)
    if (step === undefined) return err({ field: 'amount_step', expected: amountWords })
    const least = Math.max(listed.minTradeLots, step)
    const minTradeLots = lots(least + modFloor(-least, step))
    changed = { ...changed, stepLots: lots(step), minTradeLots }
  }
  return ok(changed)
}

/** The steps of the grid with a new tick; undefined if the tick does not fit the listed steps. */
function stepsFrom(
  { tick9: base, detail }: InstrumentSpec,
  listed: readonly TickStep[],
  tick9: number,
): readonly TickStep[] | undefined {
  // Combos may have prices below zero, so a step cannot begin at zero.
  if (detail.type === 'combo' || tick9 > TICK9_MAX) return undefined
  if (wholeOf(tick9, base) === undefined) return undefined
  if (tick9 === base) return listed
  const coarser = listed.filter((step) => step.tick9 > tick9)
  const fits = coarser.every((step) => modFloor(step.tick9, tick9) === 0 && modFloor(step.above, tick9) === 0)
  return fits ? [{ above: FIRST, tick9 }, ...coarser] : undefined
}

/** The quotient of two integers; undefined if it is not a positive whole number. */
function wholeOf(value: number, part: number): number | undefined {
  if (value < part || modFloor(value, part) !== 0) return undefined
  return divFloor(value, part)
}

function tickWords(spec: InstrumentSpec): string {
  return spec.detail.type === 'combo'
    ? 'nothing: combos keep the tick of their listing'
    : 'a multiple of the tick it was listed with that its coarser ticks are multiples of, up to 1000'
}
