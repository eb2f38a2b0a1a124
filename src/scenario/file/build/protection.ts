/**
 * Settings about engines and protections in a file in which nothing is wrong.
 */
import { type DecimalInput, defined, parseDecimalInput } from '../../../core/index.ts'
import type { ExchangeConfig, RiskLimits } from '../../../model/index.ts'
import type { ScenarioShape } from '../format.ts'

type Venue = NonNullable<ScenarioShape['venue']>

/** The settings of protections; what the file leaves out is the venue's own. */
export function protectionsOf(
  venue: Venue,
  preset: ExchangeConfig,
): Pick<ExchangeConfig, 'engines' | 'rwaBases' | 'speedBumps' | 'bumpLimits' | 'riskLimits'> {
  const { member, queue } = venue.bump_limits ?? {}
  return {
    engines: venue.engines ?? preset.engines,
    ...(venue.rwa_bases === undefined ? {} : { rwaBases: venue.rwa_bases }),
    speedBumps: venue.speed_bump ?? preset.speedBumps,
    bumpLimits: {
      member: member ?? preset.bumpLimits.member,
      queue: queue ?? preset.bumpLimits.queue,
    },
    riskLimits: riskLimitsOf(venue.risk_limits),
  }
}

function riskLimitsOf(limits: Venue['risk_limits'] = {}): ExchangeConfig['riskLimits'] {
  return Object.fromEntries(
    Object.entries(limits).map(([index, of]): [string, RiskLimits] => [
      index,
      {
        futurePosition9: limitOf(of.max_future_position),
        optionPosition9: limitOf(of.max_option_position),
        futureOrder9: limitOf(of.max_future_open_order_size),
        optionOrder9: limitOf(of.max_option_open_order_size),
      },
    ]),
  )
}

/** Null where none is set, -1 for one that is none. */
function limitOf(input: DecimalInput | undefined): number | null {
  if (input === undefined) return null
  const limit = parseDecimalInput(input, 9)
  const value = defined(limit.ok ? limit.value : undefined, 'what is checked is a limit')
  return value < 0n ? -1 : Number(value)
}
