/**
 * Block trades that wait for approval, as a channel: both sides receive each change of state.
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

/**
 * Block trades of an account; `currency` is the settlement currency of one of their legs, or null for all block trades.
 */
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
    // A block trade that needed no approval was never pending.
    return found === undefined ? undefined : blockRequestOut(exchange, account, found)
  }
  return collecting({ block_trade: tell })
}
