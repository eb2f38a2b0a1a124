/** Builds the settings of the exchange of a valid file, and the terms of recording. */
import { assert } from '../../../core/index.ts'
import { type ExchangeConfig, type Fields, readSettings } from '../../../model/index.ts'
import { type RunTerms, recordedSettings, runTermsOf } from '../../run-terms.ts'
import { nodeAt } from '../located.ts'
import { type Section, settingSections, settingsIn } from '../sections/settings.ts'
import type { Sound } from './sound.ts'

/** The settings of the exchange. Settings that the file omits have the venue's values. */
export function exchangeConfigOf(sound: Sound): ExchangeConfig {
  const { start } = sound.schedule
  const parts = settingSections.map((section) => valuesOf(sound, section, settingsIn(section)))
  // The declarations are the ones of the configuration, so the values have its type.
  return Object.assign({ start }, ...parts) as ExchangeConfig
}

/** Terms of the run: tables that are written only on request, and how its metrics are computed. */
export function runTerms(sound: Sound): RunTerms {
  // The declarations are the ones of the terms, so the values have their type.
  const values = valuesOf(sound, 'record', recordedSettings) as unknown
  return runTermsOf(values as Parameters<typeof runTermsOf>[0])
}

/** The settings of a section. The checks have already reported mistakes in them. */
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
