/**
 * API keys: private/list_api_keys, create_api_key, edit_api_key, enable_api_key, disable_api_key, remove_api_key,
 * reset_api_key, change_api_key_name and change_scope_in_api_key.
 *
 * The `client_id` of a key that its owner creates is `account/key_NUMBER`. Requests of scenarios and programs use the
 * key by that name. A server checks the state of the key at each request.
 *
 * Rule: access.key-scope. A request cannot give a key rights that the requesting key and token lack, and cannot reset
 * the secret of a key with such rights (13403).
 *
 * Assumed: only `create_api_key` and `reset_api_key` show a secret, and other replies show `***`, because the venue
 * shows it once. A key with addresses or features may create or edit a key without them, since the rule names rights
 * only. No second factor is required. Unknown rights are refused by name. Keys that sign with a key pair, and the
 * feature `restricted_block_trades`, are refused, because the simulator enforces neither.
 * Source: the venue's page of each method; sessions document 2.3, 2.4, 4.7.
 */
import { defined, z } from '../../../core/index.ts'
import { accountOf, findKey, type KeyView, keysOfAccount } from '../../../engine/index.ts'
import {
  type AccessEntry,
  type AccessScope,
  accessAreas,
  accessLevels,
  accessScopes,
  clientAddress,
  defaultsOf,
  type Fault,
  type KeyChanges,
  type KeyTerms,
  keySettings,
  keyTitle,
} from '../../../model/index.ts'
import type { AccessNote } from '../../history/index.ts'
import { timeOut } from '../../wire/index.ts'
import {
  asker,
  defineMethod,
  type Method,
  queryOf,
  type ReadContext,
  type ReplyContext,
  validRequest,
} from '../method.ts'
import { earlier, paramFault } from '../params.ts'
import { keySecretOf } from '../secrets.ts'
import { ownNote } from './owner.ts'

/** An API key. */
export interface WireApiKey {
  /** Number of the key; the account's own key has number 1. */
  readonly id: number
  /** Milliseconds: when it was made. */
  readonly timestamp: number
  readonly client_id: string
  /** The secret in the replies that create or reset it, otherwise `***`. */
  readonly client_secret: string
  /** Largest rights of its tokens, separated by spaces. */
  readonly max_scope: string
  /** False while the key is disabled. */
  readonly enabled: boolean
  /** True for the key of the account itself. */
  readonly default: boolean
  /** Name of the key. */
  readonly name: string
  /** Features of the key. */
  readonly enabled_features: readonly string[]
  /** Addresses from which the key can be used; empty for all. */
  readonly ip_whitelist: readonly string[]
}

const HIDDEN = '***'
const ADDRESSES_MAX = 32

const id = z.int().min(1).describe('number of the key')
const name = z.string().regex(keyTitle).describe('name of the key: letters, digits and _, at most 16')
const maxScope = z
  .union([z.string(), z.array(z.string())])
  .describe('rights of its tokens at most, such as `account:read trade:read_write`')
const features = z
  .array(z.enum(['restricted_block_trades', 'block_trade_approval']))
  .describe('features of the key; restricted_block_trades is refused')
const addresses = z
  .array(z.string().regex(clientAddress))
  .max(ADDRESSES_MAX)
  .describe('addresses that a server takes it from; an empty list for all')

type ScopeText = z.output<typeof maxScope>

/** The rights in a text or list of words, and the first word that is not a right. */
function readScopes(text: ScopeText): {
  readonly scopes: readonly AccessScope[]
  readonly strange: string | null
} {
  const words = typeof text === 'string' ? text.split(/\s+/).filter((word) => word !== '') : text
  const levels = accessAreas.flatMap((area) => accessLevels.map((level) => `${area}:${level}`))
  const strange = words.find((word) => !levels.includes(word)) ?? null
  return { scopes: accessScopes.filter((scope) => words.includes(scope)), strange }
}

/** The named features that the simulator implements. */
function featuresOf(named: z.output<typeof features>): KeyTerms['features'] {
  return named.flatMap((feature) => (feature === 'block_trade_approval' ? [feature] : []))
}

/** The first mistake in rights and features, or null. */
function termsFault(text: ScopeText, named: readonly string[] = []): Fault | null {
  const { strange } = readScopes(text)
  const isRestricted = named.includes('restricted_block_trades')
  return earlier(
    strange === null ? null : paramFault('max_scope', `unknown right ${strange.slice(0, 64)}`),
    isRestricted ? paramFault('enabled_features', 'restricted_block_trades is not simulated') : null,
  )
}

/** The key of the requesting account with a number, or undefined. */
function keyOfAsker(context: ReadContext, number: number): KeyView | undefined {
  return keysOfAccount(context.exchange, asker(context)).find((key) => key.id === number)
}

/** The `client_id` of a key. */
function clientOf(context: ReadContext, { name: own }: Pick<KeyView, 'name'>): string {
  const account = accountOf(context.exchange, asker(context)).name
  return own === '' ? account : `${account}/${own}`
}

function keyOut(context: ReadContext, key: KeyView, secret = HIDDEN): WireApiKey {
  const isOwn = key.name === ''
  return {
    id: key.id,
    timestamp: timeOut(key.createdAt),
    client_id: clientOf(context, key),
    client_secret: secret,
    max_scope: scopeWords(key.scopes ?? accessScopes),
    enabled: key.enabled,
    default: isOwn,
    name: key.title ?? (isOwn ? 'default' : key.name),
    enabled_features: key.features,
    ip_whitelist: key.addresses,
  }
}

/** Rights by their areas, each with its highest level. */
function scopeWords(scopes: readonly AccessScope[]): string {
  const words = accessAreas.flatMap((area) => {
    const level = accessLevels.findLast((each) => scopes.some((one) => one === `${area}:${each}`))
    return level === undefined ? [] : [`${area}:${level}`]
  })
  return words.join(' ')
}

/** The changed key, with its secret if the request created it. */
function changedOut(context: ReplyContext, number: number, isReported = false): WireApiKey {
  const key = defined(keyOfAsker(context, number), 'a key that was changed is there')
  const of = { client: clientOf(context, key), secret: key.secret }
  return isReported ? keyOut(context, key, keySecretOf(context.exchange, of.client, of.secret)) : keyOut(context, key)
}

/** The entry of the access log about a key. */
function noteOf(context: ReadContext, number: number, log: AccessEntry): AccessNote {
  const key = keyOfAsker(context, number)
  const data = key === undefined ? null : clientOf(context, key)
  return ownNote(context, log, data)
}

/** The name of the next key that the owner creates. */
function nextName(context: ReadContext): string {
  let number = keysOfAccount(context.exchange, asker(context)).length + 1
  while (findKey(context.exchange, asker(context), `key_${number}`) !== undefined) number += 1
  return `key_${number}`
}

/** The keys of the account, beginning with the account's own key. */
const listApiKeys = defineMethod({
  scope: 'account:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({}),
  read: () => queryOf(null),
  reply: (context): readonly WireApiKey[] =>
    keysOfAccount(context.exchange, asker(context)).map((key) => keyOut(context, key)),
})

/** Creates a key and shows its secret; an account can have at most 8 keys. */
const createApiKey = defineMethod({
  scope: 'account:read_write',
  sessions: 'json_rpc',
  command: 'create_key',
  params: z.object({
    max_scope: maxScope,
    name: name.optional(),
    public_key: z.string().optional().describe('refused: keys that sign with a key pair'),
    enabled_features: features.optional(),
  }),
  gives: (_context, params) => readScopes(params.max_scope).scopes,
  note: (context) => ownNote(context, 'new_api_key', clientOf(context, { name: nextName(context) })),
  read: (context, params) => {
    const handle = nextName(context)
    const { scopes } = readScopes(params.max_scope)
    const isPaired = params.public_key !== undefined
    const fault = earlier(
      termsFault(params.max_scope, params.enabled_features),
      isPaired ? paramFault('public_key', 'keys that sign with a key pair are not simulated') : null,
    )
    const own = featuresOf(params.enabled_features ?? [])
    const terms = { ...defaultsOf<KeyTerms>(keySettings), scopes, features: own }
    const title = params.name ?? handle
    return {
      body: { kind: 'create_key', target: asker(context), name: handle, terms, title },
      fault,
    }
  },
  reply: (context): WireApiKey => {
    const last = keysOfAccount(context.exchange, asker(context)).at(-1)
    return changedOut(context, last?.id ?? 0, true)
  },
})

const keyEdit = z.object({
  id,
  max_scope: maxScope,
  name: name.optional(),
  enabled: z.boolean().optional().describe('true to enable the key, false to disable it'),
  enabled_features: features.optional(),
  ip_whitelist: addresses.optional(),
})

/** Changes at least one part of a key. Its tokens end if its rights or addresses change, or if it is disabled. */
const editApiKey = defineMethod({
  scope: 'account:read_write',
  sessions: 'json_rpc',
  command: 'change_key',
  params: keyEdit,
  gives: (_context, params) => readScopes(params.max_scope).scopes,
  note: (context, params) => noteOf(context, params.id, entryOfEdit(context, params)),
  read: (_context, params) => {
    const changes: KeyChanges = {
      scopes: readScopes(params.max_scope).scopes,
      ...(params.name === undefined ? {} : { title: params.name }),
      ...(params.enabled === undefined ? {} : { enabled: params.enabled }),
      ...(params.enabled_features === undefined ? {} : { features: featuresOf(params.enabled_features) }),
      ...(params.ip_whitelist === undefined ? {} : { addresses: params.ip_whitelist }),
    }
    return {
      body: { kind: 'change_key', key: params.id, changes },
      fault: termsFault(params.max_scope, params.enabled_features),
    }
  },
  reply: (context, params): WireApiKey => changedOut(context, params.id),
})

/** The access log entry of an edit, for its first change. */
function entryOfEdit(context: ReadContext, params: z.output<typeof keyEdit>): AccessEntry {
  const key = keyOfAsker(context, params.id)
  const { enabled, ip_whitelist: list } = params
  const before = scopeWords(key?.scopes ?? accessScopes)
  if (scopeWords(readScopes(params.max_scope).scopes) !== before) return 'changed_scope'
  if (list !== undefined && list.join() !== key?.addresses.join()) return 'changed_whitelist'
  if (enabled === undefined || enabled === key?.enabled) return 'changed_scope'
  return enabled ? 'enabled_api_key' : 'disabled_api_key'
}

const keyNumber = z.object({ id })

function switchingKey(enabled: boolean): Method<typeof keyNumber, WireApiKey> {
  return defineMethod({
    scope: 'account:read_write',
    sessions: 'json_rpc',
    command: 'change_key',
    params: keyNumber,
    note: (context, params) => noteOf(context, params.id, enabled ? 'enabled_api_key' : 'disabled_api_key'),
    read: (_context, params) => validRequest({ kind: 'change_key', key: params.id, changes: { enabled } }),
    reply: (context, params) => changedOut(context, params.id),
  })
}

/** Enables a key again. */
const enableApiKey = switchingKey(true)

/** Disables a key and ends its tokens, until it is enabled again. */
const disableApiKey = switchingKey(false)

/** Removes a key permanently and ends its tokens. The key of the account itself can only be disabled. */
const removeApiKey = defineMethod({
  scope: 'account:read_write',
  sessions: 'json_rpc',
  command: 'remove_key',
  params: z.object({ id }),
  note: (context, params) => noteOf(context, params.id, 'removed_api_key'),
  read: (_context, params) => validRequest({ kind: 'remove_key', key: params.id }),
  reply: () => 'ok' as const,
})

/** Gives a key a new secret, shows it, and ends its tokens; the old secret is refused. */
const resetApiKey = defineMethod({
  scope: 'account:read_write',
  sessions: 'json_rpc',
  command: 'change_key',
  params: z.object({ id }),
  gives: (context, params) => {
    const key = keyOfAsker(context, params.id)
    return key === undefined ? [] : (key.scopes ?? accessScopes)
  },
  note: (context, params) => noteOf(context, params.id, 'reset_api_key'),
  read: (_context, params) => validRequest({ kind: 'change_key', key: params.id, changes: { renews: true } }),
  reply: (context, params): WireApiKey => changedOut(context, params.id, true),
})

/** Changes the name of a key; its `client_id` stays the same. */
const changeApiKeyName = defineMethod({
  scope: 'account:read_write',
  sessions: 'json_rpc',
  command: 'change_key',
  params: z.object({ id, name }),
  read: (_context, params) => validRequest({ kind: 'change_key', key: params.id, changes: { title: params.name } }),
  reply: (context, params): WireApiKey => changedOut(context, params.id),
})

/** Changes the rights of a key and ends its tokens. */
const changeScopeInApiKey = defineMethod({
  scope: 'account:read_write',
  sessions: 'json_rpc',
  command: 'change_key',
  params: z.object({ id, max_scope: maxScope }),
  gives: (_context, params) => readScopes(params.max_scope).scopes,
  note: (context, params) => noteOf(context, params.id, 'changed_scope'),
  read: (_context, params) => {
    const { scopes } = readScopes(params.max_scope)
    const body = { kind: 'change_key', key: params.id, changes: { scopes } } as const
    return { body, fault: termsFault(params.max_scope) }
  },
  reply: (context, params): WireApiKey => changedOut(context, params.id),
})

/** Methods by their names; a part of the table. */
export const apiKeyMethods = {
  'private/list_api_keys': listApiKeys,
  'private/create_api_key': createApiKey,
  'private/edit_api_key': editApiKey,
  'private/enable_api_key': enableApiKey,
  'private/disable_api_key': disableApiKey,
  'private/remove_api_key': removeApiKey,
  'private/reset_api_key': resetApiKey,
  'private/change_api_key_name': changeApiKeyName,
  'private/change_scope_in_api_key': changeScopeInApiKey,
} as const
