/**
 * Signatures of blocks and quotes on Block RFQs that came over the sessions of mobile devices: the orders that they make
 * later say so (S105).
 *
 * Most runs have none, so that a set beside the rows costs the others nothing.
 * Source: interface document, Order; trading.md 5.1.
 */
import type { BlockApps, Liquidity } from '../../model/index.ts'
import type { Exchange } from './exchange.ts'

/** A signature by its text, or a quote on a Block RFQ by its number. */
export type MobileAsk = { readonly signature: string } | { readonly quote: number }

/** True if a session is open that a mobile device opened. */
export function isMobileSession({ mobile }: Exchange, session: number): boolean {
  return mobile.sessions.has(session)
}

/** Notes what came over a session, where that is of a mobile device. */
export function noteMobile(exchange: Exchange, session: number, ask: MobileAsk): void {
  if (isMobileSession(exchange, session)) exchange.mobile.asks.add(nameOf(ask))
}

/** True if it came over the session of a mobile device. */
export function isMobileAsk({ mobile }: Exchange, ask: MobileAsk): boolean {
  return mobile.asks.has(nameOf(ask))
}

/** Forgets what makes no orders any more. */
export function forgetMobile({ mobile }: Exchange, ask: MobileAsk): void {
  mobile.asks.delete(nameOf(ask))
}

/** Applications of the sides of a block, with the sides that asked over sessions of mobile devices. */
export function appsWith(apps: Pick<BlockApps, Liquidity>, mobile: { readonly [R in Liquidity]: boolean }): BlockApps {
  const sides = (['maker', 'taker'] as const).filter((role) => mobile[role])
  return sides.length === 0 ? apps : { ...apps, mobile: sides }
}

function nameOf(ask: MobileAsk): string {
  return 'quote' in ask ? `quote ${ask.quote}` : `signature ${ask.signature}`
}
