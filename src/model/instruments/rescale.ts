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
import { divFloor, err, lots, modFloor, ok, type Price9, price9, type Result } from '../../core/index.ts'
import type { InstrumentSpec, TickStep } from '../instrument.ts'
import { TICK9_MAX } from './price-grid.ts'

/** New steps of an instrument; null keeps a step. */
export interface Steps {
  /** Step of prices in 1e-9 quote units. */
  readonly tick9: number | null
  /** Step of sizes in 1e-9 of the amount unit. */
  readonly amountStep9: number | null
}

/** An invalid step. */
export interface StepFault {
  readonly field: 'tick_size' | 'amount_step'
  readonly expected: string
}

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

function tickWords({ detail }: InstrumentSpec): string {
  return detail.type === 'combo'
    ? 'nothing: combos keep the tick of their listing'
    : 'a multiple of the tick it was listed with that its coarser ticks are multiples of, up to 1000'
}
