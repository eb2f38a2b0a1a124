/**
 * Signatures of blocks and quotes on Block RFQs that came over sessions of mobile devices. The orders that they create
 * later carry this fact (S105).
 *
 * Most runs have none. A separate set, instead of a field in each row, costs these runs nothing.
 * Source: interface document, Order; trading.md 5.1.
 */
import type { BlockApps, Liquidity } from '../../model/index.ts'
import type { Exchange } from './exchange.ts'

/** A signature by its text, or a quote on a Block RFQ by its number. */
export type MobileAsk = { readonly signature: string } | { readonly quote: number }

/** True if a mobile device opened this session and it is still open. */
export function isMobileSession({ mobile }: Exchange, session: number): boolean {
  return mobile.sessions.has(session)
}

/** Remembers a signature or quote if it came over the session of a mobile device. */
export function noteMobile(exchange: Exchange, session: number, ask: MobileAsk): void {
  if (isMobileSession(exchange, session)) exchange.mobile.asks.add(nameOf(ask))
}

/** True if a signature or quote came over the session of a mobile device. */
export function isMobileAsk({ mobile }: Exchange, ask: MobileAsk): boolean {
  return mobile.asks.has(nameOf(ask))
}

/** Forgets a signature or quote that can no longer create orders. */
export function forgetMobile({ mobile }: Exchange, ask: MobileAsk): void {
  mobile.asks.delete(nameOf(ask))
}

/** Returns the applications of both sides of a block, together with the sides that used a mobile device. */
export function appsWith(apps: Pick<BlockApps, Liquidity>, mobile: { readonly [R in Liquidity]: boolean }): BlockApps {
  const sides = (['maker', 'taker'] as const).filter((role) => mobile[role])
  return sides.length === 0 ? apps : { ...apps, mobile: sides }
}

function nameOf(ask: MobileAsk): string {
  return 'quote' in ask ? `quote ${ask.quote}` : `signature ${ask.signature}`
}
