/**
 * Sessions, which are the connections over which requests come, as far as they affect orders; the keys of accounts;
 * and the signatures and quotes that came over sessions of mobile devices.
 *
 * An account has its own key, which needs no row, and its declared keys. The orders of signatures of blocks and quotes
 * on Block RFQs that came over a mobile session carry this fact (S105). Most runs have none: a separate set, instead of
 * a field in each row, costs these runs nothing.
 *
 * Source: trading.md 5.1, 10 (C49, C50); sessions-blocks-gateways.md 2.6, 8.2, 8.10; interface document, Order;
 * coverage R12.
 */

import { type BlockApps, defaultsOf, type KeyTerms, keySettings, type Liquidity } from '../../model/index.ts'
import { type KeyRow, keyOf, type SessionRow } from './connection-rows.ts'
import type { Exchange } from './exchange.ts'

/** A signature by its text, or a quote on a Block RFQ by its number. */
type MobileAsk = { readonly signature: string } | { readonly quote: number }

/** An open session, or undefined. */
export function sessionAt(exchange: Exchange, session: number): SessionRow | undefined {
  return exchange.sessions.get(session)
}

/** True if an order came over this open session, and not over an earlier session with the same number. */
export function isOver(row: SessionRow, orderSession: number, created: number): boolean {
  return orderSession === row.session && created >= row.since
}

/** The session of orders that follow from an order: the order's own session if it is still open, otherwise 0 (C49). */
export function successorSession(exchange: Exchange, session: number, created: number): number {
  const row = session === 0 ? undefined : sessionAt(exchange, session)
  return row !== undefined && isOver(row, session, created) ? session : 0
}

/** True if a request came by direct access. */
export function isDirect(exchange: Exchange, session: number): boolean {
  return session !== 0 && sessionAt(exchange, session)?.type === 'direct_access'
}

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
function usualKey(exchange: Exchange, account: number, name: string): KeyRow | undefined {
  if (name !== OWN_KEY) return undefined
  const facts = { id: OWN_KEY_ID, createdAt: exchange.config.start, title: null, secret: 0, changed: 0 }
  return { account, name, ...usualTerms, ...facts }
}

/** True if a mobile device opened this session and it is still open. */
export function isMobileSession(exchange: Exchange, session: number): boolean {
  return exchange.mobile.sessions.has(session)
}

/** Remembers a signature or quote if it came over the session of a mobile device. */
export function noteMobile(exchange: Exchange, session: number, ask: MobileAsk): void {
  if (isMobileSession(exchange, session)) exchange.mobile.asks.add(nameOf(ask))
}

/** True if a signature or quote came over the session of a mobile device. */
export function isMobileAsk(exchange: Exchange, ask: MobileAsk): boolean {
  return exchange.mobile.asks.has(nameOf(ask))
}

/** Forgets a signature or quote that can no longer create orders. */
export function forgetMobile(exchange: Exchange, ask: MobileAsk): void {
  exchange.mobile.asks.delete(nameOf(ask))
}

/** Returns the applications of both sides of a block, together with the sides that used a mobile device. */
export function appsWith(apps: Pick<BlockApps, Liquidity>, mobile: { readonly [R in Liquidity]: boolean }): BlockApps {
  const sides = (['maker', 'taker'] as const).filter((role) => mobile[role])
  return sides.length === 0 ? apps : { ...apps, mobile: sides }
}

function nameOf(ask: MobileAsk): string {
  return 'quote' in ask ? `quote ${ask.quote}` : `signature ${ask.signature}`
}
