/**
 * Kinds of commands that messages of direct access can become. The compiler requires that a message's kind is in this
 * list, and that the rate limits give each listed kind a price in tokens (`engine/requests/rate-limits.ts`).
 *
 * Source: sessions-blocks-gateways.md 8.12.
 */
import type { CommandKind } from './command.ts'

const directKinds = [
  'place_order',
  'edit_order',
  'cancel_order',
  'cancel_orders',
  'mass_quote',
  'cancel_quotes',
  'query',
] as const satisfies readonly CommandKind[]

/** A kind of command that a message of direct access can become. */
export type DirectKind = (typeof directKinds)[number]

/** True if messages of direct access can become commands of this kind. */
export function isDirectKind(kind: CommandKind): kind is DirectKind {
  return (directKinds as readonly CommandKind[]).includes(kind)
}
