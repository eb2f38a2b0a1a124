/**
 * Block trades that wait for approval as a channel: each side is told at each change of their state.
 *
 * Source: sessions document 3.4, 4.7.
 */
import type { AccountId } from '../../core/index.ts'
import { blockRequestsOf, instrumentAt } from '../../engine/index.ts'
import type { BlockChange, EventOf } from '../../model/index.ts'
import { blockRequestOut, type WireBlockRequest } from '../methods/index.ts'
import type { Channel, ChannelWorld } from './channel.ts'
import { collecting } from './collecting-channel.ts'

const states: ReadonlySet<BlockChange> = new Set(['pending', 'accepted', 'rejected', 'executed'])

/** Those of an account; `currency` is that of a leg's settlement, or null for all. */
export function confirmationsChannel(
  { exchange }: ChannelWorld,
  account: AccountId,
  currency: string | null,
): Channel<WireBlockRequest> {
  const tell = (event: EventOf<'block_trade'>): WireBlockRequest | undefined => {
    if (!states.has(event.change)) return undefined
    const { account: side, counterparty, timestamp, nonce } = event
    if (side !== account && counterparty !== account) return undefined
    const isOf = event.legs.some(({ instrument }) => instrumentAt(exchange, instrument).settlementCurrency === currency)
    if (currency !== null && !isOf) return undefined
    const found = blockRequestsOf(exchange, account).findLast(
      (each) => each.timestamp === timestamp && each.nonce === nonce,
    )
    // What nobody had to approve never waited.
    return found === undefined ? undefined : blockRequestOut(exchange, account, found)
  }
  return collecting({ block_trade: tell })
}
