/**
 * Faults of messages on demand: sim/set_faults, sim/get_faults. The carriers of messages apply them: servers and
 * strategies.
 */
import { divCeil, formatDuration, micros, microsOfMillis, millisOf, z } from '../../../core/index.ts'
import { findAccount } from '../../../engine/index.ts'
import {
  type FaultCount,
  type FaultRule,
  faultCounts,
  faultFields,
  faultKinds,
  ruleMistakes,
  ruleOf,
} from '../../../faults/index.ts'
import type { Fault } from '../../../model/index.ts'
import { defineMethod, queryOf, type ReadContext } from '../method.ts'
import { paramFault, timestamp } from '../params.ts'

/** Largest number of rules. No person writes more. */
const RULES_MAX = 100

const faultsParams = z.object({
  faults: z
    .array(
      z.strictObject({
        kind: z.enum(faultKinds).describe('effect of the fault'),
        ...faultFields,
        from: timestamp.optional(),
        until: timestamp.optional(),
      }),
    )
    .max(RULES_MAX)
    .describe('rules for faults; the first rule that matches a message applies; an empty list ends all faults'),
})

type FaultsParams = z.output<typeof faultsParams>

/** A fault rule as JSON, in a form that `sim/set_faults` accepts. */
export interface WireFaultRule extends Omit<FaultRule, 'kind' | 'probability' | 'every' | 'by' | 'from' | 'until'> {
  /** Effect of the fault. */
  readonly kind: FaultRule['kind']
  /** Probability that a message is affected; null for always. */
  readonly probability: number | null
  /** Affects one in this number of messages; null for all. */
  readonly every: number | null
  /** Delay of a message, such as `250ms`; null for kinds without a delay. */
  readonly by: string | null
  /** Milliseconds since the epoch. */
  readonly from: number
  /** Milliseconds since the epoch, exclusive; null for no end. */
  readonly until: number | null
}

/** The current fault rules, and the number of faults so far. */
export interface WireFaults {
  /** Rules in the order of their evaluation. */
  readonly faults: readonly WireFaultRule[]
  /** Number of faults by kind. */
  readonly counts: readonly FaultCount[]
}

/** Replaces all fault rules; the new rules use new random streams. */
const setFaults = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'query',
  params: faultsParams,
  afterwards: 'set_faults',
  read: (context, params) => queryOf(mistakeOf(context, params)),
  reply: () => 'ok',
})

/** Returns the current fault rules and the number of faults of each kind. */
const getFaults = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'query',
  params: z.object({}),
  read: () => queryOf(null),
  reply: ({ faults }): WireFaults => ({
    faults: faults.rules.map(ruleOut),
    counts: faultCounts(faults),
  }),
})

/** The rules of a valid request; rules without a beginning begin now. */
export function rulesOf({ faults }: FaultsParams, now: number): readonly FaultRule[] {
  return faults.map((said) =>
    ruleOf(
      said,
      said.from === undefined ? now : microsOfMillis(said.from),
      said.until === undefined ? null : microsOfMillis(said.until),
    ),
  )
}

function mistakeOf({ exchange, methods }: ReadContext, { faults }: FaultsParams): Fault | null {
  for (const [at, said] of faults.entries()) {
    const place = `faults.${at}`
    for (const { field, index, expected, meant } of ruleMistakes(said, methods.names)) {
      const path = index === undefined ? `${place}.${field}` : `${place}.${field}.${index}`
      const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`
      return paramFault(path, `expected ${expected}${hint}`)
    }
    if (said.account !== undefined && findAccount(exchange, said.account) === undefined) {
      return paramFault(`${place}.account`, 'unknown_account')
    }
    if (said.from !== undefined && said.until !== undefined && said.until <= said.from) {
      return paramFault(`${place}.until`, 'expected a time after from')
    }
  }
  return null
}

function ruleOut(rule: FaultRule): WireFaultRule {
  return {
    ...rule,
    probability: rule.probability === 1 ? null : rule.probability,
    every: rule.every === 1 ? null : rule.every,
    by: rule.by === 0 ? null : formatDuration(rule.by),
    from: millisOf(micros(rule.from)),
    // Rounded up, so that it stays later than `from`.
    until: rule.until === null ? null : divCeil(rule.until, MICROS_PER_MILLI),
  }
}

const MICROS_PER_MILLI = 1000

/** Controls by their names; a part of the table. */
export const faultControls = {
  'sim/set_faults': setFaults,
  'sim/get_faults': getFaults,
} as const
