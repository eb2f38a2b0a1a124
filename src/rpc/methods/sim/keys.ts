/**
 * sim/create_key: a key of an account, with its rights and features. Requests name the key after its account:
 * `maker/desk`. Source: sessions document 2.3, 4.7.
 */
import { accountId, z } from '../../../core/index.ts'
import { findAccount, findKey } from '../../../engine/index.ts'
import { defaultsOf, type KeyTerms, keyName, keySettings } from '../../../model/index.ts'
import { LOCAL_ADDRESS } from '../../history/index.ts'
import { defineMethod, unreadable } from '../method.ts'
import { paramFault } from '../params.ts'
import { givenSettings, settingParams } from '../setting-params.ts'

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
    const target = findAccount(context.exchange, params.account)
    if (target === undefined || target.house) {
      return { body: unreadable('create_key'), fault: paramFault('account', 'unknown_account') }
    }
    const { values, fault } = givenSettings<KeyTerms>(keySettings, params)
    const terms = { ...defaultsOf<KeyTerms>(keySettings), ...values }
    const { name } = params
    return { body: { kind: 'create_key', target: target.id, name, terms, title: null }, fault }
  },
  reply: () => 'ok',
})

/** Controls by their names; a part of the table. */
export const keyControls = {
  'sim/create_key': createKey,
} as const
