/**
 * Keys of accounts. A control declares them, or their owners create, change and remove them.
 *
 * Rule: access.keys. An account has at most 8 keys, including the key of the account itself; the control may declare
 * more.
 * Source: sessions-blocks-gateways.md 2.3, 2.4, 4.7; the venue's page of each method. Assumed: declaring a key again
 * replaces it; the account's default key cannot have features and cannot be removed.
 */
import { assert } from '../../core/index.ts'
import { type ChangeKey, type CreateKey, KEYS_MAX, type KeyTerms, type RemoveKey } from '../../model/index.ts'
import {
  type CheckResult,
  type Exchange,
  type KeyRow,
  keyOf,
  keysOf,
  OWN_KEY,
  pass,
  type Turn,
} from '../state/index.ts'
import { badParam, type Handlers, seal } from './handler.ts'

function checkCreateKey(exchange: Exchange, { target, title }: CreateKey): CheckResult<null> {
  const row = exchange.accounts[target]
  if (row === undefined || row.account.house) {
    return badParam('account', 'expected the account of a trader')
  }
  const isFull = title !== null && keysOf(exchange, target).length >= KEYS_MAX
  return isFull ? badParam('name', `an account can have at most ${KEYS_MAX} keys`) : pass(null)
}

function commitCreateKey({ exchange }: Turn, command: CreateKey): number {
  const { target: account, name, terms, title, sequence } = command
  assert(exchange.accounts[account]?.account.house === false, 'a key belongs to a trader')
  const place = keyOf(account, name)
  const before = exchange.keys.get(place)
  const id = before?.id ?? sequence
  const createdAt = before?.createdAt ?? exchange.now
  const secret = title === null ? 0 : sequence
  const isSame = before?.secret === secret && givesSame(before, terms)
  const changed = isSame ? before.changed : sequence
  exchange.keys.set(place, { account, name, ...terms, id, createdAt, title, secret, changed })
  return 1
}

function checkChangeKey(exchange: Exchange, command: ChangeKey): CheckResult<KeyRow> {
  const row = keyAsked(exchange, command)
  if (row === undefined) return badParam('id', 'unknown_key')
  const { features = [] } = command.changes
  const isOwn = row.name === OWN_KEY
  if (isOwn && features.length > 0) {
    return badParam('enabled_features', "the account's default key cannot have features")
  }
  return pass(row)
}

function commitChangeKey(turn: Turn, command: ChangeKey, row: KeyRow): number {
  const { renews, ...terms } = command.changes
  const secret = renews === true ? command.sequence : row.secret
  const isSame = renews !== true && givesSame(row, { ...row, ...terms })
  const changed = isSame ? row.changed : command.sequence
  turn.exchange.keys.set(keyOf(row.account, row.name), { ...row, ...terms, secret, changed })
  return 1
}

/** True if new terms would change neither the rights, the addresses nor `enabled`. */
function givesSame(row: KeyRow, terms: KeyTerms): boolean {
  const [before, after] = [row, terms].map(({ enabled, scopes, addresses }) =>
    JSON.stringify([enabled, scopes, addresses]),
  )
  return before === after
}

function checkRemoveKey(exchange: Exchange, command: RemoveKey): CheckResult<KeyRow> {
  const row = keyAsked(exchange, command)
  if (row === undefined) return badParam('id', 'unknown_key')
  if (row.name === OWN_KEY) {
    return badParam('id', "the account's default key can be disabled but not removed")
  }
  return pass(row)
}

function commitRemoveKey(turn: Turn, _command: RemoveKey, row: KeyRow): number {
  const isGone = turn.exchange.keys.delete(keyOf(row.account, row.name))
  assert(isGone, 'a key that was found is removed')
  return 1
}

/** The key with the requested number of the account that sends the request. */
function keyAsked(exchange: Exchange, { account, key }: Pick<ChangeKey, 'account' | 'key'>): KeyRow | undefined {
  return keysOf(exchange, account).find(({ id }) => id === key)
}

export const keysHandlers: Handlers<'create_key' | 'change_key' | 'remove_key'> = {
  create_key: seal({ check: checkCreateKey, commit: commitCreateKey }),
  change_key: seal({ check: checkChangeKey, commit: commitChangeKey }),
  remove_key: seal({ check: checkRemoveKey, commit: commitRemoveKey }),
}
