/**
 * Kinds of commands that messages of direct access are. A message that becomes another kind does not compile before the
 * kind stands here, and the kind not before the rate limits say how many tokens it costs
 * (`engine/requests/rate-limits.ts`).
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

/** A kind of command that messages of direct access are. */
export type DirectKind = (typeof directKinds)[number]

/** True if messages of direct access are commands of a kind. */
export function isDirectKind(kind: CommandKind): kind is DirectKind {
  return (directKinds as readonly CommandKind[]).includes(kind)
}
