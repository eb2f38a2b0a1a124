/**
 * The current steps for orders of an instrument: the steps at listing, or those of a rescale.
 *
 * A rescale does not change the units of the book, the base tick and the amount step of a specification. They are not
 * valid steps for orders after a rescale, so replies must not show them as such.
 *
 * Rule: instruments.rescale. Source: sessions-blocks-gateways.md 8.7, 8.13; C09.
 */
import { divFloor, type Lots, lots, modFloor } from '../../core/index.ts'
import type { InstrumentSpec } from '../instrument.ts'

/** The part of a specification that determines the valid sizes of orders. */
type SizeSteps = Pick<InstrumentSpec, 'kind' | 'minTradeLots' | 'stepLots' | 'amountStep9'>

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
