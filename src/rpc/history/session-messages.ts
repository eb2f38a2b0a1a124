/**
 * Messages that sessions of direct access were told without having asked, in order: also while they are closed, as
 * the gateway keeps them (sessions document 8.6). `direct/session-messages.ts` writes it.
 */
import {
  type AccountId,
  changing,
  fixed,
  type Micros,
  mapOf,
  type OrderId,
  plainUnit,
  type RowOf,
  units,
} from '../../core/index.ts'
import type { GatewayId } from '../../model/index.ts'
import type { SessionMessage } from './direct-messages.ts'
import { createWindows, windowsUnit } from './windows.ts'

/** A session of direct access that was opened. */
export interface KnownSession {
  readonly account: AccountId | -1
  readonly gateway: GatewayId | null
  readonly schemaVersion: number
  /** True if it is the last of its portfolio on its gateway. */
  readonly isLast: boolean
}

/** A request for the cancel of an order that waits, which is answered once the order is released. */
export interface Canceller {
  readonly session: number
  readonly receivedAt: Micros
  /** Number that it gave itself; null for none. */
  readonly correlationId: string | null
}

/** An order that left the speed bump, while it is told what became of it. */
export interface ReleasedOrder {
  readonly order: OrderId
  readonly session: number
  /** The number of the message that tells; 0 while there is none. */
  readonly sequence: number
}

export const sessionMessagesFields = {
  sessions: fixed(mapOf(units.count, plainUnit<KnownSession>('session'))),
  received: fixed(windowsUnit<number, SessionMessage>(units.count, 'messages')),
  counts: fixed(mapOf(units.count, units.count)),
  /** Waiting orders that became immediate-or-cancel, with the request that asked for it; null for none. */
  converted: fixed(mapOf(units.orderId, plainUnit<Canceller | null>('canceller or null'))),
  /** Subject of the last message of a session, where more of the same may join it. */
  batches: fixed(mapOf(units.count, units.text)),
  released: changing(plainUnit<ReleasedOrder | null>('released order or null')),
}

/** Messages by session, and what is needed to write them. */
export interface SessionMessages extends RowOf<typeof sessionMessagesFields> {}

/** No messages. */
export function createSessionMessages(): SessionMessages {
  return {
    sessions: new Map(),
    received: createWindows(),
    counts: new Map(),
    converted: new Map(),
    batches: new Map(),
    released: null,
  }
}
