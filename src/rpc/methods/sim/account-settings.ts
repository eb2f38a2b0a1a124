/**
 * sim/create_key: a key of an account, with its rights and features. Requests name the key after its account:
 * `maker/desk`. Source: sessions document 2.3, 4.7.
 */

import { accountId, assert, type DecimalInput, micros, z } from '../../../core/index.ts'
import { findAccount, findKey } from '../../../engine/index.ts'
import {
  type AccountProfile,
  defaultsOf,
  defaultWords,
  type Fault,
  type Fields,
  type KeyTerms,
  keyName,
  keySettings,
  type Leaf,
  profileSettings,
  type RfqRole,
  readSettings,
  rfqRoleSettings,
  type Setting,
  type SettingsOf,
} from '../../../model/index.ts'
import { LOCAL_ADDRESS } from '../../history/index.ts'
import { defineMethod, unreadable, validRequest } from '../method.ts'
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
