/** The unit of sums that are doubles. */
import { plainUnit, type Unit } from '../../core/index.ts'

/** A double that is not NaN. Zero has no sign, because snapshots do not contain one. */
export const double: Unit<number> = {
  ...plainUnit<number>('double', 'number'),
  save: (value) => value + 0,
}
