/**
 * The keys of an account: its own, which it has without a row, and those that were declared.
 */
import { defaultsOf, type KeyTerms, keySettings } from '../../model/index.ts'
import type { Exchange } from './exchange.ts'
import { type KeyRow, keyOf } from './key-rows.ts'

/** The name of the key of an account itself. */
export const OWN_KEY = ''

/** The number of that key. The request that makes another one is never the first of a run: it has an account. */
const OWN_KEY_ID = 1

const usualTerms = defaultsOf<KeyTerms>(keySettings)

/** The key of an account by its name; undefined for none. */
export function namedKey(exchange: Exchange, account: number, name: string): KeyRow | undefined {
  return exchange.keys.get(keyOf(account, name)) ?? usualKey(exchange, account, name)
}

/** The keys of an account by their numbers. */
export function keysOf(exchange: Exchange, account: number): readonly KeyRow[] {
  const own = namedKey(exchange, account, OWN_KEY)
  const declared = [...exchange.keys.values()].filter((key) => key.account === account)
  const others = declared.filter(({ name }) => name !== OWN_KEY)
  return own === undefined ? others : [own, ...others]
}

/** The key of an account itself before it was changed. */
function usualKey({ config }: Exchange, account: number, name: string): KeyRow | undefined {
  if (name !== OWN_KEY) return undefined
  const facts = { id: OWN_KEY_ID, createdAt: config.start, title: null, secret: 0, changed: 0 }
  return { account, name, ...usualTerms, ...facts }
}
