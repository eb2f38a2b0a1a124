/**
 * Rows of profiles: what owners of accounts chose. A profile that changes is another row. Source: coverage R56.
 */
import { fixed, mapOf, rowUnit, units } from '../../core/index.ts'
import { type AccountProfile, profileSettings, settingFields } from '../../model/index.ts'

export const profileFields = settingFields<AccountProfile, true>(profileSettings, fixed)

/** Profiles by account, of those that chose anything. */
export const profilesUnit = mapOf(units.row, rowUnit('profile', profileFields))
