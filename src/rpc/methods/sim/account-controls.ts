/**
 * Controls of an account by the venue's staff: its keys, settings, locks and limits. Requests name a key after its
 * account: `maker/desk`.
 *
 * Source: sessions document 2.3, 4.7; coverage R52.
 */
import { accountId, assert, type DecimalInput, micros, parseDecimalInput, z } from '../../../core/index.ts'
import { findAccount, findKey } from '../../../engine/index.ts'
import {
  type AccountLock,
  type AccountProfile,
  defaultsOf,
  defaultWords,
  type Fault,
  type Fields,
  type KeyTerms,
  keyName,
  keySettings,
  type Leaf,
  type LspGroup,
  lspGroupName,
  lspGroups,
  profileSettings,
  type RfqRole,
  type RiskLimits,
  readSettings,
  rfqRoleSettings,
  type Setting,
  type SettingsOf,
} from '../../../model/index.ts'
import { LOCAL_ADDRESS } from '../../history/index.ts'
import { defineMethod, type Method, type ReadRequest, unreadable, validRequest } from '../method.ts'
import { decimal, earlier, paramFault, traderNamed, unknownAccount } from '../params.ts'

/** The key of a setting in files; never for a setting that files cannot contain. */
type KeyOf<S> = S extends { readonly key: infer K extends string } ? K : never

/** The value of a setting as a file or request writes it. */
type Given<S> = S extends { readonly unit: 'flag' }
  ? boolean
  : S extends { readonly unit: 'word'; readonly words: readonly (infer W)[] }
    ? W
    : S extends { readonly unit: 'text' }
      ? string
      : S extends { readonly unit: 'parts' }
        ? DecimalInput
        : S extends { readonly items: infer I }
          ? Given<I>[]
          : S extends { readonly fields: infer F }
            ? { [N in keyof F as KeyOf<F[N]>]: Given<F[N]> }
            : never

/** An optional parameter for each setting, by its key. */
type SettingParams<F> = {
  readonly [N in keyof F as KeyOf<F[N]>]: z.ZodOptional<z.ZodType<Given<F[N]>>>
}

/** Declares a key, or replaces the key with that name; the access log of the account records which. */
const createKey = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'create_key',
  params: z.object({
    account: z.string().describe('name of an account'),
    name: z.string().regex(keyName).describe('name of the key: up to 32 letters, digits, _ and -'),
    ...settingParams(keySettings),
  }),
  // Assumed: the client that declares keys is on the machine of the venue.
  note: ({ exchange }, { account, name }) => {
    const target = findAccount(exchange, account)?.id ?? accountId(0)
    const log = findKey(exchange, target, name) === undefined ? 'new_api_key' : 'changed_scope'
    return { account: target, log, ip: LOCAL_ADDRESS, data: `${account}/${name}` }
  },
  read: (context, params) => {
    const target = traderNamed(context.exchange, params.account)
    if (target === undefined) return { body: unreadable('create_key'), fault: unknownAccount }
    const { values, fault } = givenSettings<KeyTerms>(keySettings, params)
    const terms = { ...defaultsOf<KeyTerms>(keySettings), ...values }
    return { body: { kind: 'create_key', target, name: params.name, terms, title: null }, fault }
  },
  reply: () => 'ok',
})

/**
 * sim/set_profile: choices of an account's owner, which get_subaccounts and get_account_summary return. Source:
 * coverage R56.
 */

/** Sets parts of a profile. Omitted parts stay unchanged. */
const setProfile = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'set_profile',
  params: z.object({
    account: z.string().describe('name of an account'),
    ...settingParams(profileSettings),
  }),
  read: (context, params) => {
    const target = traderNamed(context.exchange, params.account)
    if (target === undefined) return { body: unreadable('set_profile'), fault: unknownAccount }
    const { values: profile, fault } = givenSettings<AccountProfile>(profileSettings, params)
    return { body: { kind: 'set_profile', target, profile }, fault }
  },
  reply: () => 'ok',
})

/**
 * sim/set_block_rfq_role: the role of an account in Block RFQs, which staff of the venue decide: maker, aliases, its
 * broker if it is a broker's client, size limits of its quotes. Source: sessions document 5.4, 5.5.
 */

/** Sets parts of a Block RFQ role. Omitted parts stay unchanged. */
const setBlockRfqRole = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'set_rfq_party',
  params: z.object({
    account: z.string().describe('name of an account'),
    ...settingParams(rfqRoleSettings),
  }),
  read: (context, params) => {
    const target = traderNamed(context.exchange, params.account)
    if (target === undefined) return { body: unreadable('set_rfq_party'), fault: unknownAccount }
    const { values, fault } = givenSettings<RfqRole<string>>(rfqRoleSettings, params)
    const { broker: name = null, ...role } = values
    if (name === null) return { body: { kind: 'set_rfq_party', target, role }, fault }
    const broker = traderNamed(context.exchange, name)
    if (broker === undefined) {
      const unknown = earlier(paramFault('broker', 'unknown_account'), fault)
      return { body: unreadable('set_rfq_party'), fault: unknown }
    }
    return { body: { kind: 'set_rfq_party', target, role: { ...role, broker } }, fault }
  },
  reply: () => 'ok',
})

/**
 * sim/set_permissions: permissions of an account in addition to placing orders, which staff of the venue decide.
 * Source: sessions document 8.2 (Members); trading.md 6.16, C43.
 */

/** Sets permissions of an account. Omitted permissions stay unchanged. */
const setPermissions = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'set_permissions',
  params: z.object({
    account: z.string().describe('name of an account'),
    member: z
      .boolean()
      .optional()
      .describe('true if a main account and its subaccounts may use direct access; default false'),
    mmp: z.boolean().optional().describe('true if it may have market-maker protection; default true'),
    mass_quotes: z.boolean().optional().describe('true if it may send mass quotes; default true'),
  }),
  read: (context, params) => {
    const target = traderNamed(context.exchange, params.account)
    if (target === undefined) return { body: unreadable('set_permissions'), fault: unknownAccount }
    return validRequest({
      kind: 'set_permissions',
      target,
      member: params.member ?? null,
      mmp: params.mmp ?? null,
      massQuotes: params.mass_quotes ?? null,
    })
  },
  reply: () => 'ok',
})

/**
 * Parameters of controls that set settings. Their schemas, sentences and values derive from the same declarations as
 * those of scenario files.
 */

/** The parameters for these settings. */
function settingParams<F extends Fields>(fields: F): SettingParams<F> {
  const params = Object.values(fields).flatMap((setting) =>
    setting.key === null ? [] : [[setting.key, formOf(setting).optional().describe(wordsOf(setting))]],
  )
  // Each schema is made from its setting.
  return Object.fromEntries(params) as SettingParams<F>
}

/** The settings that the parameters set, and the first fault. */
function givenSettings<T>(
  fields: SettingsOf<T>,
  params: object,
): { readonly values: Partial<T>; readonly fault: Fault | null } {
  const group = { key: 'params', fields, absent: 'partial', says: 'Parameters' } as const
  const reading = { place: 'file', start: micros(0), path: [] } as const
  const { values, faults } = readSettings({ group }, { params }, reading)
  const [first] = faults
  const fault = first === undefined ? null : paramFault(String(first.path[1]), `expected ${first.expected}`)
  // The declaration describes these settings.
  return { values: values['group'] as Partial<T>, fault }
}

function formOf(setting: Setting): z.ZodType {
  if ('items' in setting) return z.array(formOf(setting.items))
  if ('fields' in setting) {
    const parts = Object.values(setting.fields).map((part) => [String(part.key), formOf(part)])
    return z.object(Object.fromEntries(parts))
  }
  // A parameter is a value, a list or a group.
  return leafForm(setting as Leaf)
}

function leafForm(leaf: Leaf): z.ZodType {
  if (leaf.unit === 'flag') return z.boolean()
  if (leaf.unit === 'word') return z.enum(leaf.words)
  if (leaf.unit === 'parts') return decimal
  assert(leaf.unit === 'text', 'a setting has a parameter type')
  const text = leaf.form === undefined ? z.string() : z.string().regex(leaf.form.pattern)
  const needed = leaf.min === undefined ? text : text.min(leaf.min)
  return leaf.max === undefined ? needed : needed.max(leaf.max)
}

/** The description of a parameter. */
function wordsOf(setting: Setting): string {
  const words = `${setting.says.charAt(0).toLowerCase()}${setting.says.slice(1)}`
  const usual = defaultWords(setting)
  return usual === null ? words : `${words}; default: ${usual}`
}

/** Controls by their names; a part of the table. */
export const accountSettingControls = {
  'sim/set_permissions': setPermissions,
  'sim/create_key': createKey,
  'sim/set_block_rfq_role': setBlockRfqRole,
  'sim/set_profile': setProfile,
} as const

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
