/**
 * The keys of an account: its own key, which needs no row, and its declared keys.
 */
import { defaultsOf, type KeyTerms, keySettings } from '../../model/index.ts'
import type { Exchange } from './exchange.ts'
import { type KeyRow, keyOf } from './key-rows.ts'

/** The name of the account's own key. */
export const OWN_KEY = ''

/** The id of that key. No request that creates a key is the first of a run, because its account must exist before. */
const OWN_KEY_ID = 1

const usualTerms = defaultsOf<KeyTerms>(keySettings)

/** The key of an account by its name; undefined if there is no such key. */
export function namedKey(exchange: Exchange, account: number, name: string): KeyRow | undefined {
  return exchange.keys.get(keyOf(account, name)) ?? usualKey(exchange, account, name)
}

/** The keys of an account in the order of their ids. */
export function keysOf(exchange: Exchange, account: number): readonly KeyRow[] {
  const own = namedKey(exchange, account, OWN_KEY)
  const declared = [...exchange.keys.values()].filter((key) => key.account === account)
  const others = declared.filter(({ name }) => name !== OWN_KEY)
  return own === undefined ? others : [own, ...others]
}

/** The account's own key before its first change; undefined for other names. */
function usualKey({ config }: Exchange, account: number, name: string): KeyRow | undefined {
  if (name !== OWN_KEY) return undefined
  const facts = { id: OWN_KEY_ID, createdAt: config.start, title: null, secret: 0, changed: 0 }
  return { account, name, ...usualTerms, ...facts }
}
