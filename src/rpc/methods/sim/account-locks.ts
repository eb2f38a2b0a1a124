/**
 * Actions of the venue's staff on an account: sim/lock_positions, sim/lock_portfolio_margin, sim/trim_orders.
 *
 * Source: coverage R52.
 */

import { type DecimalInput, parseDecimalInput, z } from '../../../core/index.ts'
import { findAccount } from '../../../engine/index.ts'
import {
  type AccountLock,
  type Fault,
  type LspGroup,
  lspGroupName,
  lspGroups,
  type RiskLimits,
} from '../../../model/index.ts'
import { defineMethod, type Method, type ReadRequest, unreadable, validRequest } from '../method.ts'
import { decimal, earlier, paramFault, traderNamed, unknownAccount } from '../params.ts'

const PERCENT_DECIMALS = 4

const NOT_A_SHARE = 'expected a percentage of equity from 0 with up to 4 decimals'

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
    const target = traderNamed(context.exchange, params.account)
    if (target === undefined) return { body: unreadable('set_lsp_participant'), fault: unknownAccount }
    let fault: Fault | null = null
    const limitsPpm: { [G in LspGroup]?: number } = {}
    for (const group of lspGroups) {
      const name = lspGroupName(group)
      const given = params.group_limits[name]
      if (given === undefined) continue
      const ppm = readShare(given)
      if (ppm === undefined) fault = earlier(fault, paramFault(`group_limits.${name}`, NOT_A_SHARE))
      else limitsPpm[group] = ppm
    }
    return {
      body: {
        kind: 'set_lsp_participant',
        target,
        enabled: params.enabled,
        limitsPpm,
      },
      fault,
    }
  },
  reply: () => 'ok',
})

const account = z.string().describe('name of an account')

const lockParams = z.object({
  account,
  locked: z.boolean().default(true).describe('true locks the account, false unlocks it'),
})

function locking(lock: AccountLock): Method<typeof lockParams, 'ok'> {
  return defineMethod({
    scope: 'sim',
    sessions: 'any',
    command: 'lock_account',
    params: lockParams,
    read: (context, params) => {
      const target = findAccount(context.exchange, params.account)
      if (target === undefined) return { body: unreadable('lock_account'), fault: unknownAccount }
      return validRequest({ kind: 'lock_account', target: target.id, lock, locked: params.locked })
    },
    reply: () => 'ok',
  })
}

/** Cancels the orders of an account. Until it is unlocked, it can only place reduce-only orders, and no spot orders. */
const lockPositions = locking('positions')

/** Cancels the orders of an account with portfolio margin. Until it is unlocked, it cannot place orders. */
const lockPortfolioMargin = locking('portfolio_margin')

/**
 * Cancels orders that increase the initial margin of an account with portfolio margin, newest first, until its margin
 * balance is sufficient. The result is the number of cancelled orders.
 */
const trimOrders = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'trim_orders',
  params: z.object({ account }),
  read: (context, params): ReadRequest => {
    const target = findAccount(context.exchange, params.account)
    if (target === undefined) return { body: unreadable('trim_orders'), fault: unknownAccount }
    return validRequest({ kind: 'trim_orders', target: target.id })
  },
  reply: (context): number => context.count,
})

/** Controls by their names; a part of the table. */
export const accountLockControls = {
  'sim/lock_positions': lockPositions,
  'sim/lock_portfolio_margin': lockPortfolioMargin,
  'sim/trim_orders': trimOrders,
} as const

/**
 * sim/set_risk_limits: limits on the instruments of one price index, for one portfolio or for all.
 *
 * Source: sessions document 8.15 (get_alt_risk_limits); coverage R58; S249, S250.
 */

const UNLIMITED = -1

const NOT_A_LIMIT = 'expected -1 for no limit or an amount from 0 with up to 9 decimals'

/** Sets the given limits and removes all others; without an account, the limits for all portfolios. */
const setRiskLimits = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'set_risk_limits',
  params: z.object({
    account: z.string().optional().describe('name of an account'),
    index_name: z.string().min(1).describe('a price index such as eth_usd'),
    max_future_position: decimal.optional(),
    max_option_position: decimal.optional(),
    max_future_open_order_size: decimal.optional(),
    max_option_open_order_size: decimal.optional(),
  }),
  read: (context, params) => {
    const target = params.account === undefined ? null : traderNamed(context.exchange, params.account)
    let fault: Fault | null = target === undefined ? unknownAccount : null
    const limitOf = (name: keyof typeof params & `max_${string}`): number | null => {
      const given = params[name]
      if (given === undefined) return null
      const limit9 = readLimit(given)
      if (limit9 === undefined) fault = earlier(fault, paramFault(name, NOT_A_LIMIT))
      return limit9 ?? null
    }
    const limits: RiskLimits = {
      futurePosition9: limitOf('max_future_position'),
      optionPosition9: limitOf('max_option_position'),
      futureOrder9: limitOf('max_future_open_order_size'),
      optionOrder9: limitOf('max_option_open_order_size'),
    }
    const index = params.index_name
    return { body: { kind: 'set_risk_limits', target: target ?? null, index, limits }, fault }
  },
  reply: () => 'ok',
})

/** A limit in 1e-9, or undefined if it is invalid. */
function readLimit(input: DecimalInput): number | undefined {
  const limit = parseDecimalInput(input, 9)
  if (!limit.ok) return undefined
  if (limit.value === -1_000_000_000n) return UNLIMITED
  const isLimit = limit.value >= 0n && limit.value <= BigInt(Number.MAX_SAFE_INTEGER)
  return isLimit ? Number(limit.value) : undefined
}

/** Controls by their names; a part of the table. */
export const riskLimitControls = {
  'sim/set_risk_limits': setRiskLimits,
} as const

/**
 * sim/set_lsp_participant: the accounts that take over positions of accounts in liquidation, and their limits. Source:
 * sessions document 7.1 (`group_limits`); coverage R54, R64.
 */

/** Parts per million of a percentage. */
function readShare(percent: DecimalInput): number | undefined {
  const ppm = parseDecimalInput(percent, PERCENT_DECIMALS)
  if (!ppm.ok || ppm.value < 0n || ppm.value > BigInt(Number.MAX_SAFE_INTEGER)) return undefined
  return Number(ppm.value)
}

/** Controls by their names; a part of the table. */
export const participantControls = {
  'sim/set_lsp_participant': setLspParticipant,
} as const
