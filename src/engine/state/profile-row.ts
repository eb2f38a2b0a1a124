/**
 * Rows of profiles: settings that owners chose for their accounts. A change of a profile replaces its row. Source:
 * coverage R56.
 */
import { fixed, mapOf, rowUnit, units } from '../../core/index.ts'
import { type AccountProfile, profileSettings, settingFields } from '../../model/index.ts'

export const profileFields = settingFields<AccountProfile, true>(profileSettings, fixed)

/** Profiles by account, for accounts with any chosen setting. */
export const profilesUnit = mapOf(units.row, rowUnit('profile', profileFields))
