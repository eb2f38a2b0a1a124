/**
 * The direct-access message that the engine currently handles. Source: sessions-blocks-gateways.md 8.5.
 */
import type { Command, DirectMessage } from '../../model/index.ts'

/** The direct-access message that the engine currently handles. */
export interface Asking {
  readonly message: DirectMessage
  readonly session: number
  /** The correlation id of the message, or null. */
  readonly correlationId: string | null
}

/** Returns the direct-access message behind a command; null if the command came another way. */
export function askingOf({ message, session, correlationId }: Command): Asking | null {
  if (message === undefined) return null
  return { message, session, correlationId: correlationId ?? null }
}
