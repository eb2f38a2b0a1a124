/**
 * Settings of subaccounts that main accounts can change: private/change_subaccount_name, set_email_for_subaccount,
 * toggle_subaccount_login, toggle_notifications_from_subaccount and remove_subaccount.
 *
 * Assumed: a change of the name changes only the username; requests, files and keys continue to use the `system_name`.
 * An email needs no confirmation. The simulator has no logins with a password, so disabling the login ends no session,
 * and keys of the subaccount stay valid. No second factor is required.
 * Source: the venue's page of each method; sessions document 6.1.
 */
import { type AccountId, accountId, z } from '../../../../core/index.ts'
import { accountOf } from '../../../../engine/index.ts'
import { type AccessEntry, type AccountProfile, accountTitle, validationStep } from '../../../../model/index.ts'
import type { AccessNote } from '../../../history/index.ts'
import { asker, defineMethod, type ReadContext, type ReadRequest, unreadable } from '../../method.ts'
import { paramFault } from '../../params.ts'
import { familyOf, mainFault, ownNote } from '../owner.ts'

const sid = z.int().min(0).describe('number of the subaccount')

/** The subaccount of the requesting account with a number, or undefined. */
function subaccountOf(context: ReadContext, number: number): AccountId | undefined {
  const own = asker(context)
  return familyOf(context.exchange, own).find(({ id }) => id === number && id !== own)?.id
}

/** The fault if the requesting account has no such subaccount, or null. */
function faultOf(context: ReadContext, number: number, param: string): ReadRequest['fault'] {
  const main = mainFault(context)
  if (main !== null) return main
  const isKnown = subaccountOf(context, number) !== undefined
  return isKnown ? null : paramFault(param, 'unknown_subaccount')
}

/** The request that changes parts of the profile of a subaccount. */
function readProfile(context: ReadContext, number: number, profile: Partial<AccountProfile>): ReadRequest {
  const target = subaccountOf(context, number)
  const fault = faultOf(context, number, 'sid')
  if (target === undefined) return { body: unreadable('set_profile'), fault }
  return { body: { kind: 'set_profile', target, profile }, fault }
}

/** Changes the username of a subaccount. */
const changeSubaccountName = defineMethod({
  scope: 'account:read_write',
  sessions: 'json_rpc',
  mainAccount: true,
  command: 'set_profile',
  params: z.object({
    sid,
    name: z.string().describe('letters, digits, _, - and dots, at most 32'),
  }),
  read: (context, { sid: number, name: username }): ReadRequest => {
    const change = readProfile(context, number, { username })
    if (change.fault !== null || accountTitle.test(username)) return change
    const step = validationStep.parameters
    return { ...change, fault: { step, refusal: { reason: 'wrong_subaccount_name' } } }
  },
  reply: () => 'ok' as const,
})

/** Changes the email address of a subaccount. The simulator sends no mail. */
const setEmailForSubaccount = defineMethod({
  scope: 'account:read_write',
  sessions: 'json_rpc',
  mainAccount: true,
  command: 'set_profile',
  params: z.object({ sid, email: z.string().min(1).max(128).describe('an address') }),
  read: (context, { sid: number, email }) => readProfile(context, number, { email }),
  reply: () => 'ok' as const,
})

/** Enables or disables the login to a subaccount. */
const toggleSubaccountLogin = defineMethod({
  scope: 'account:read_write',
  sessions: 'json_rpc',
  mainAccount: true,
  command: 'set_profile',
  params: z.object({
    sid,
    state: z.enum(['enable', 'disable']).describe('enable or disable the login'),
  }),
  note: (context, { sid: number, state }): AccessNote => {
    const log: AccessEntry = state === 'enable' ? 'enabled_subaccount_login' : 'disabled_subaccount_login'
    const data = accountOf(context.exchange, accountId(number)).name
    return ownNote(context, log, data)
  },
  read: (context, { sid: number, state }) => readProfile(context, number, { loginEnabled: state === 'enable' }),
  reply: () => 'ok' as const,
})

/** Enables or disables the notifications of a subaccount. */
const toggleNotifications = defineMethod({
  scope: 'account:read_write',
  sessions: 'json_rpc',
  mainAccount: true,
  command: 'set_profile',
  params: z.object({ sid, state: z.boolean().describe('true to enable notifications') }),
  read: (context, { sid: number, state }) => readProfile(context, number, { receivesNotifications: state }),
  reply: () => 'ok' as const,
})

/** Removes an empty subaccount permanently, with its keys. */
const removeSubaccount = defineMethod({
  scope: 'account:read_write',
  sessions: 'json_rpc',
  mainAccount: true,
  command: 'remove_account',
  params: z.object({ subaccount_id: sid }),
  read: (context, { subaccount_id: number }): ReadRequest => {
    const target = subaccountOf(context, number)
    const fault = faultOf(context, number, 'subaccount_id')
    if (target === undefined) return { body: unreadable('remove_account'), fault }
    return { body: { kind: 'remove_account', target }, fault }
  },
  reply: () => 'ok' as const,
})

/** Methods by their names; a part of the table. */
export const subaccountSettingMethods = {
  'private/change_subaccount_name': changeSubaccountName,
  'private/set_email_for_subaccount': setEmailForSubaccount,
  'private/toggle_subaccount_login': toggleSubaccountLogin,
  'private/toggle_notifications_from_subaccount': toggleNotifications,
  'private/remove_subaccount': removeSubaccount,
} as const
