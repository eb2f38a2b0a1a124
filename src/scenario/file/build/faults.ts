/** Builds the faults of a valid file: rules for messages, and control requests for faults of the market itself. */

import { assert, divCeil, type Micros, micros, parseDuration } from '../../../core/index.ts'
import { type FaultRule, ruleOf } from '../../../faults/index.ts'
import type { RequestParams } from '../../../rpc/index.ts'
import type { FaultRequest } from '../../scenario.ts'
import { type FaultShape, isMarketFault } from '../sections/faults.ts'
import type { Sound } from './setup.ts'

const MICROS_PER_MILLI = 1000

/** The rules in the order of the file. A rule without a beginning applies from the start. */
export function faultsOf(sound: Sound): readonly FaultRule[] {
  return windowsOf(sound).flatMap(({ said, from, until }) => {
    return isMarketFault(said.kind) ? [] : [ruleOf({ ...said, kind: said.kind }, from, until)]
  })
}

/** The requests that begin and end the faults of the market, in time order. */
export function faultRequestsOf(sound: Sound): readonly FaultRequest[] {
  return windowsOf(sound)
    .flatMap(({ said, from, until }) => {
      const begun = requestOf(said, from, true)
      const ended = until === null ? null : requestOf(said, until, false)
      return [begun, ended].filter((each) => each !== null)
    })
    .toSorted((left, right) => left.time - right.time)
}

function windowsOf({ shape, schedule }: Sound): readonly {
  readonly said: FaultShape
  readonly from: Micros
  readonly until: Micros | null
}[] {
  return (shape.faults ?? []).map((said, index) => {
    const { from, to } = schedule.faults[index] ?? { from: null, to: null }
    return { said, from: from ?? schedule.start, until: to }
  })
}

/** The request that begins or ends a fault of the market; null for a fault of messages. */
function requestOf({ kind, index, gateway, by }: FaultShape, time: Micros, active: boolean): FaultRequest | null {
  const asked = (method: string, params: RequestParams): FaultRequest => ({ time, method, params })
  switch (kind) {
    case 'maintenance':
      return asked('sim/set_maintenance', { active })
    case 'index_outage':
      return asked('sim/set_index_outage', { index_name: index, active })
    case 'gateway_outage':
      return asked('sim/set_gateway_active', { gateway, active: !active })
    case 'clock_jump': {
      const to = micros(time + (durationOf(by) ?? 0))
      return asked('sim/advance', { to: divCeil(to, MICROS_PER_MILLI) })
    }
    default:
      return null
  }
}

/** Converts values of a valid file. */

/** A duration in microseconds; undefined for an absent one. */
function durationOf(text: string | undefined): Micros | undefined {
  if (text === undefined) return undefined
  const parsed = parseDuration(text)
  assert(parsed.ok, 'an invalid duration has been reported')
  return micros(parsed.value)
}
