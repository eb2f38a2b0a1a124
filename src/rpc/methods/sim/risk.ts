/**
 * Controls of risk: sim/set_lsp_participant.
 * Source: sessions-blocks-gateways.md 7; DESIGN 1.
 */
import { z } from 'zod'
import { accountId, type DecimalInput, parseDecimalInput } from '../../../core/index.ts'
import { findAccount } from '../../../engine/index.ts'
import { type LspGroup, lspGroups } from '../../../model/index.ts'
import { type CommandBody, defineMethod } from '../../method.ts'
import { decimal, earlier, paramFault } from '../../params.ts'
import { accountName, unknownAccount } from './controls.ts'

/** The engine takes limits above the whole equity and caps them (7.1). */
const LIMIT_PPM_MAX = 1_000_000_000

/** A participant for requests that cannot be read; its fault keeps it from being set. */
export const unreadParticipant: CommandBody & { readonly kind: 'set_lsp_participant' } = {
  kind: 'set_lsp_participant',
  target: accountId(0),
  enabled: false,
  limitsPpm: {},
}

/** Admits an account to the liquidity support programme with limits of its own, or removes it. */
export const setLspParticipant = defineMethod({
  kind: 'set_lsp_participant',
  params: z.object({
    account: accountName,
    enabled: z.boolean().default(true),
    limits: z
      .partialRecord(z.enum(lspGroups), decimal)
      .default({})
      .describe('parts of its equity by group; the others have the default'),
  }),
  read: (context, params) => {
    const target = findAccount(context.exchange, params.account)
    const limitsPpm = readLimits(params.limits)
    return {
      body: {
        ...{ kind: 'set_lsp_participant', target: target?.id ?? accountId(0) },
        ...{ enabled: params.enabled, limitsPpm: limitsPpm ?? {} },
      },
      fault: earlier(
        target === undefined || target.house ? unknownAccount : null,
        limitsPpm === undefined
          ? paramFault('limits', 'expected parts of equity from 0 with up to 6 decimals')
          : null,
      ),
    }
  },
  reply: () => 'ok',
})

function readLimits(
  limits: { readonly [G in LspGroup]?: DecimalInput | undefined },
): { readonly [G in LspGroup]?: number } | undefined {
  const found: { [G in LspGroup]?: number } = {}
  for (const group of lspGroups) {
    const limit = limits[group]
    if (limit === undefined) continue
    const ppm = parseDecimalInput(limit, 6)
    if (!ppm.ok || ppm.value < 0n || ppm.value > BigInt(LIMIT_PPM_MAX)) return undefined
    found[group] = Number(ppm.value)
  }
  return found
}
