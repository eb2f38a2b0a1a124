/** A valid file, with facts that the checks have collected. */
import type { InstrumentSpec } from '../../../model/index.ts'
import type { ScenarioShape } from '../format.ts'
import type { Located } from '../located.ts'
import type { Schedule } from '../schedule.ts'

/** A file without mistakes. */
export interface Sound {
  readonly file: string
  readonly root: Located
  readonly shape: ScenarioShape
  readonly schedule: Schedule
  /** Instruments in the order of the file. */
  readonly specs: readonly InstrumentSpec[]
}
