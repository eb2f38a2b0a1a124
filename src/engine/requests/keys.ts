/**
 * Keys of accounts, which a control declares.
 *
 * Source: sessions-blocks-gateways.md 2.3, 4.7. Assumed: a key that is declared again is replaced.
 */
import { assert } from '../../core/index.ts'
import type { CreateKey } from '../../model/index.ts'
import { type Exchange, keyOf, pass, type Turn, type Verdict } from '../state/index.ts'
import { badParam } from './argument-refusals.ts'
import { type Handlers, seal } from './handler.ts'

function checkCreateKey(exchange: Exchange, { target }: CreateKey): Verdict<null> {
  const row = exchange.accounts[target]
  if (row !== undefined && !row.account.house) return pass(null)
  return badParam('account', 'keys are of an account of a trader')
}

function commitCreateKey({ exchange }: Turn, command: CreateKey): number {
  const { target: account, name, terms } = command
  assert(exchange.accounts[account]?.account.house === false, 'a key belongs to a trader')
  exchange.keys.set(keyOf(account, name), { account, name, ...terms })
  return 1
}

export const keysHandlers: Handlers<'create_key'> = {
  create_key: seal({ check: checkCreateKey, commit: commitCreateKey }),
}
