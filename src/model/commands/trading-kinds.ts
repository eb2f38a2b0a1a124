/**
 * Kinds of commands that requests of trading are: those of messages of direct access, and all that are paid from the
 * bucket of trading. A method of another kind does not compile before the kind stands here, and the kind not before the
 * rate limits say what it costs (`engine/requests/rate-limits.ts`).
 *
 * Source: sessions-blocks-gateways.md 8.12; trading.md 8 (C47).
 */
import type { Command, CommandKind } from './command.ts'

const directKinds = [
  'place_order',
  'edit_order',
  'cancel_order',
  'cancel_orders',
  'mass_quote',
  'cancel_quotes',
  'query',
] as const satisfies readonly CommandKind[]

const tradingKinds = [
  ...directKinds,
  'sign_block_trade',
  'execute_block_trade',
  'add_rfq_quote',
  'edit_rfq_quote',
  'cancel_rfq_quote',
  'cancel_rfq_quotes',
] as const satisfies readonly CommandKind[]

/** A kind of command that messages of direct access are. */
export type DirectKind = (typeof directKinds)[number]

/** A kind of command that is paid from the bucket of trading. */
export type TradingKind = (typeof tradingKinds)[number]

/** True if messages of direct access are commands of a kind. */
export function isDirectKind(kind: CommandKind): kind is DirectKind {
  return (directKinds as readonly CommandKind[]).includes(kind)
}

/** True if commands of a kind are paid from the bucket of trading. */
export function isTradingKind(kind: Command['kind']): kind is TradingKind {
  return (tradingKinds as readonly Command['kind'][]).includes(kind)
}
