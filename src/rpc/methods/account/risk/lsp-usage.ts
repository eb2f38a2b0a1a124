/**
 * private/get_lsp_usage and get_lsp_participant_config: the used limits and the configuration of a participant of the
 * liquidity support programme.
 *
 * The end of a window does not belong to it: from that instant on, a group shows no usage and no times.
 * Source: interface document, LSP usage record (S156-S164, S264-S266); sessions document 7.1, 7.2, 7.4.
 */

import { defined, millisOf, z } from '../../../../core/index.ts'
import { configOf, type LspConfig, viewLspConfig, viewLspUsage } from '../../../../engine/index.ts'
import { type Fault, type LspGroup, lspGroupName, lspGroups, validationStep } from '../../../../model/index.ts'
import { moneyOut, percentOfPpm, timeOut } from '../../../wire/index.ts'
import { asker, defineMethod, queryOf } from '../../method.ts'

/** Usage of a group. */
export interface WireLspUsage {
  /** Current limit as a percentage of the participant's equity. */
  readonly pct: number
  /** USD used in the current window. */
  readonly used: number
  readonly cooldown_start: number | null
  readonly cooldown_end: number | null
}

/** A group in the words of the venue: the number of a tier, or `rwa`. */
type GroupName = LspGroup extends infer G ? (G extends `tier_${infer N}` ? N : G) : never

/** Usage of every group, and the length of the windows. */
export interface WireLspUsages {
  readonly cooldown_period_ms: number
  readonly groups: { readonly [G in GroupName & string]?: WireLspUsage }
}

/** The participant's own usage; other accounts are rejected (11030). */
const getLspUsage = defineMethod({
  scope: 'account:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({}),
  read: (context) => {
    const isParticipant = viewLspUsage(context.exchange, asker(context)) !== undefined
    return queryOf(isParticipant ? null : notParticipant)
  },
  reply: (context): WireLspUsages => {
    const found = viewLspUsage(context.exchange, asker(context))
    const usages = defined(found, 'other accounts are refused')
    const groups = usages.map(({ group, limitPpm, used, windowStart, windowEnd }) => {
      const usage: WireLspUsage = {
        pct: percentOfPpm(limitPpm),
        used: moneyOut(used),
        cooldown_start: windowStart === null ? null : timeOut(windowStart),
        cooldown_end: windowEnd === null ? null : timeOut(windowEnd),
      }
      return [lspGroupName(group), usage] as const
    })
    return {
      cooldown_period_ms: millisOf(configOf(context.exchange).lsp.cooldown),
      groups: Object.fromEntries(groups),
    }
  },
})

/** Configuration of a participant. */
export interface WireLspConfig {
  readonly config: {
    /** False while it is disabled after failures. */
    readonly enabled: boolean
    /** Its own limits as percentages of its equity; groups that are not named have the venue's. */
    readonly group_limits: { readonly [G in GroupName & string]?: number }
  }
}

/** The participant's own configuration; other accounts are rejected (11030). */
const getLspParticipantConfig = defineMethod({
  scope: 'account:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({}),
  read: (context) => {
    const isParticipant = viewLspConfig(context.exchange, asker(context)) !== undefined
    return queryOf(isParticipant ? null : notParticipant)
  },
  reply: (context): WireLspConfig => {
    const found = viewLspConfig(context.exchange, asker(context))
    return lspConfigOut(defined(found, 'other accounts are refused'))
  },
})

/** The configuration of a participant as JSON. */
export function lspConfigOut({ enabled, limitsPpm }: LspConfig): WireLspConfig {
  const limits = lspGroups.flatMap((group) => {
    const ppm = limitsPpm[group]
    return ppm === undefined ? [] : [[lspGroupName(group), percentOfPpm(ppm)] as const]
  })
  return { config: { enabled, group_limits: Object.fromEntries(limits) } }
}

const notParticipant: Fault = {
  step: validationStep.scope,
  refusal: { reason: 'other_reject not_lsp_participant' },
}

/** Methods by their names; a part of the table. */
export const lspUsageMethods = {
  'private/get_lsp_usage': getLspUsage,
  'private/get_lsp_participant_config': getLspParticipantConfig,
} as const
