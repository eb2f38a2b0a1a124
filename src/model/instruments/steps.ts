/**
 * The steps that orders of an instrument keep to now: those of its listing, or those of a rescale.
 *
 * What a book counts in, the base tick and the amount step of a specification, stays under a rescale; nobody should be
 * told that, or take it for what an order may have.
 *
 * Rule: instruments.rescale. Source: sessions-blocks-gateways.md 8.7, 8.13; C09.
 */
import { divFloor, type Lots, lots, modFloor } from '../../core/index.ts'
import type { InstrumentSpec } from '../instrument.ts'

/** The part of a specification that says which sizes orders may have. */
type SizeSteps = Pick<InstrumentSpec, 'kind' | 'minTradeLots' | 'stepLots' | 'amountStep9'>

/** The tick of the lowest prices, in 1e-9 quote units. */
export function tickOf({ tick9, tickSteps: [first] }: InstrumentSpec): number {
  return first?.above === 0 ? first.tick9 : tick9
}

/** The step of sizes, in 1e-9 of the amount unit. */
export function amountStepOf({ amountStep9, stepLots = lots(1) }: SizeSteps): number {
  return amountStep9 * stepLots
}

/** True if a size is whole steps. */
export function isOnStep({ stepLots }: SizeSteps, size: number): boolean {
  return stepLots === undefined || stepLots === 1 || modFloor(size, stepLots) === 0
}

/** The most whole steps that are in a size. */
export function floorToStep({ stepLots = lots(1) }: SizeSteps, size: number): Lots {
  return lots(divFloor(size, stepLots) * stepLots)
}

/** The reason that keeps an order from having a size, or null: below the smallest, or off the step (C09). */
export function sizeReason(
  spec: SizeSteps,
  size: number,
): 'qty_too_low' | 'non_integer_contract_amount' | 'invalid_amount' | null {
  if (size < spec.minTradeLots) return 'qty_too_low'
  if (isOnStep(spec, size)) return null
  return spec.kind === 'future' ? 'non_integer_contract_amount' : 'invalid_amount'
}
