/**
 * sim/set_lsp_participant: the accounts that take over positions of accounts in liquidation, and their limits. Source:
 * sessions document 7.1 (`group_limits`); coverage R54, R64.
 */
import { type DecimalInput, parseDecimalInput, z } from '../../../core/index.ts'
import { findAccount } from '../../../engine/index.ts'
import { type Fault, type LspGroup, lspGroupName, lspGroups } from '../../../model/index.ts'
import { defineMethod, unreadable } from '../method.ts'
import { decimal, earlier, paramFault } from '../params.ts'

const PERCENT_DECIMALS = 4
const NOT_A_LIMIT = 'expected a percentage of equity from 0 with up to 4 decimals'

/** Limits by the wire names of the groups. */
const limits: { readonly [group: string]: z.ZodOptional<typeof decimal> } = Object.fromEntries(
  lspGroups.map((group) => [lspGroupName(group), decimal.optional()]),
)

/**
 * Makes an account a participant, changes its limits (in percent of its equity; omitted groups have the venue's
 * limits), or with `enabled: false` removes it.
 */
const setLspParticipant = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'set_lsp_participant',
  params: z.object({
    account: z.string().describe('name of an account'),
    enabled: z.boolean().default(true).describe('true if the account is a participant'),
    group_limits: z
      .strictObject(limits)
      .default({})
      .describe('largest positions that the account takes over, by group, in percent of its equity'),
  }),
  read: (context, params) => {
    const target = findAccount(context.exchange, params.account)
    if (target === undefined || target.house) {
      const fault = paramFault('account', 'unknown_account')
      return { body: unreadable('set_lsp_participant'), fault }
    }
    let fault: Fault | null = null
    const limitsPpm: { [G in LspGroup]?: number } = {}
    for (const group of lspGroups) {
      const name = lspGroupName(group)
      const given = params.group_limits[name]
      if (given === undefined) continue
      const ppm = readLimit(given)
      if (ppm === undefined) fault = earlier(fault, paramFault(`group_limits.${name}`, NOT_A_LIMIT))
      else limitsPpm[group] = ppm
    }
    return {
      body: {
        kind: 'set_lsp_participant',
        target: target.id,
        enabled: params.enabled,
        limitsPpm,
      },
      fault,
    }
  },
  reply: () => 'ok',
})

/** Parts per million of a percentage. */
function readLimit(percent: DecimalInput): number | undefined {
  const ppm = parseDecimalInput(percent, PERCENT_DECIMALS)
  if (!ppm.ok || ppm.value < 0n || ppm.value > BigInt(Number.MAX_SAFE_INTEGER)) return undefined
  return Number(ppm.value)
}

/** Controls by their names; a part of the table. */
export const participantControls = {
  'sim/set_lsp_participant': setLspParticipant,
} as const
