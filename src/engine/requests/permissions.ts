/**
 * Staff set the permissions of an account: direct access as a Member, market-maker protection, mass quotes.
 *
 * Only main accounts can be Members; their subaccounts are portfolios of the same Member. Open orders of an account
 * remain when it loses the permission to place more.
 *
 * Rule: protection.permissions. Source: sessions-blocks-gateways.md 8.2; trading.md 6.16, C43.
 */
import { assert } from '../../core/index.ts'
import type { Permissions, SetPermissions } from '../../model/index.ts'
import { type AccountRow, type Exchange, emitStanding, pass, type Turn, type Verdict } from '../state/index.ts'
import { badParam } from './argument-refusals.ts'
import { type Handlers, seal } from './handler.ts'

const words = {
  member: 'member',
  mmp: 'mmp_permission',
  massQuotes: 'mass_quote_permission',
} as const

/** The account must belong to a trader; `member` can be set only for main accounts. */
function checkSetPermissions(exchange: Exchange, { target, member }: SetPermissions): Verdict<AccountRow> {
  const row = exchange.accounts[target]
  if (row === undefined || row.account.house) {
    return badParam('account', 'expected the account of a trader')
  }
  if (member !== null && row.account.main !== row.account.id) {
    return badParam('member', 'a subaccount has the membership of its main account')
  }
  return pass(row)
}

/** Events: `standing` of each permission that changed. */
function commitSetPermissions(turn: Turn, command: SetPermissions, row: AccountRow): number {
  const { standing } = row
  const before = standing.permissions
  assert(!row.account.house, 'permissions belong to a trader')
  standing.permissions = {
    member: command.member ?? before.member,
    mmp: command.mmp ?? before.mmp,
    massQuotes: command.massQuotes ?? before.massQuotes,
  }
  for (const name of ['member', 'mmp', 'massQuotes'] satisfies (keyof Permissions)[]) {
    const may = standing.permissions[name]
    if (may === before[name]) continue
    emitStanding(turn, {
      protection: words[name],
      change: may ? 'on' : 'off',
      account: command.target,
      session: command.session,
    })
  }
  return 1
}

export const permissionsHandlers: Handlers<'set_permissions'> = {
  set_permissions: seal({ check: checkSetPermissions, commit: commitSetPermissions }),
}
