/**
 * The message of direct access at work. Source: sessions-blocks-gateways.md 8.5.
 */
import type { Command, DirectMessage } from '../../model/index.ts'

/** A message of direct access at work. */
export interface Asking {
  readonly message: DirectMessage
  readonly session: number
  /** Number that it gave itself; null for none. */
  readonly correlationId: string | null
}

/** The message of direct access that a command is; null of all others. */
export function askingOf({ message, session, correlationId }: Command): Asking | null {
  if (message === undefined) return null
  return { message, session, correlationId: correlationId ?? null }
}
