/** Option contracts by name, and decimals as counts of 1e-9, for tests of option values. */
import { micros } from '../../src/core/index.ts'
import { type Instrument, specFromName } from '../../src/model/index.ts'
import { type OptionContract, optionContract } from '../../src/pricing/index.ts'

export const ONE9 = 1_000_000_000

/** The contract of an option by its name. */
export function contractOf(name: string): OptionContract {
  const spec = specFromName(name, { creation: micros(0) })
  if (!spec.ok) throw new Error(spec.error)
  const contract = optionContract(spec.value as Instrument)
  if (contract === null) throw new Error(`${name} is an option`)
  return contract
}

export function count9(decimal: number): number {
  return Math.round(decimal * ONE9)
}
