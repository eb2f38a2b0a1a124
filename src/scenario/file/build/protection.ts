/**
 * Settings about engines and protections in a file in which nothing is wrong.
 */
import type { ExchangeConfig } from '../../../model/index.ts'
import type { ScenarioShape } from '../format.ts'

type Venue = NonNullable<ScenarioShape['venue']>

/** The settings of protections; what the file leaves out is the venue's own. */
export function protectionsOf(
  venue: Venue,
  preset: ExchangeConfig,
): Pick<ExchangeConfig, 'engines' | 'speedBumps' | 'bumpLimits'> {
  const { member, queue } = venue.bump_limits ?? {}
  return {
    engines: venue.engines ?? preset.engines,
    speedBumps: venue.speed_bump ?? preset.speedBumps,
    bumpLimits: {
      member: member ?? preset.bumpLimits.member,
      queue: queue ?? preset.bumpLimits.queue,
    },
  }
}
