/**
 * The exchange of a file in which nothing is wrong: its settings, and what is recorded of it.
 */
import { assert } from '../../../core/index.ts'
import { type ExchangeConfig, type Fields, readSettings } from '../../../model/index.ts'
import { type RunTerms, recordedSettings, runTermsOf } from '../../run-terms.ts'
import { nodeAt } from '../located.ts'
import { type Section, settingSections, settingsIn } from '../sections/settings.ts'
import type { Sound } from './sound.ts'

/** The settings of the exchange; what the file leaves out is the venue's own. */
export function exchangeConfigOf(sound: Sound): ExchangeConfig {
  const { start } = sound.schedule
  const parts = settingSections.map((section) => valuesOf(sound, section, settingsIn(section)))
  // The declarations are those of the configuration.
  return Object.assign({ start }, ...parts) as ExchangeConfig
}

/** Terms of the run: its tables beside the usual, and how its metrics are computed. */
export function runTerms(sound: Sound): RunTerms {
  // The declarations are those of the terms.
  const values = valuesOf(sound, 'record', recordedSettings) as unknown
  return runTermsOf(values as Parameters<typeof runTermsOf>[0])
}

/** Settings of a section, whose mistakes have been reported. */
function valuesOf(
  { root, schedule: { start } }: Sound,
  section: Section,
  fields: Fields,
): { readonly [field: string]: unknown } {
  const given = nodeAt(root, [section])?.value
  const reading = { place: 'file', start, path: [section] } as const
  const { values, faults } = readSettings(fields, given, reading)
  assert(faults.length === 0, 'an invalid setting has been reported')
  return values
}
