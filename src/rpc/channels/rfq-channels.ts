/**
 * Block RFQs as channels. Takers receive each change of an RFQ as they see it. Makers receive the creation, each change
 * of state, their own quotes and the public tape.
 *
 * Source: sessions document 3.4, 5.9.
 */

import type { AccountId } from '../../core/index.ts'
import { blockRequestsOf, instrumentAt, type RfqView, viewFilledRfq, viewRfq } from '../../engine/index.ts'
import type { BlockChange, EventOf, RfqChange } from '../../model/index.ts'
import { blockRequestOut, isRfqOf, type WireBlockRequest } from '../methods/index.ts'
import {
  changedQuoteOut,
  publicRfqOut,
  rfqOut,
  type WireBlockRfq,
  type WirePublicRfq,
  type WireRfqQuote,
} from '../wire/index.ts'
import { type Channel, type ChannelWorld, collecting } from './channel.ts'

const states: ReadonlySet<RfqChange> = new Set(['created', 'filled', 'cancelled', 'expired'])

/** RFQs that an account created, at each change. */
export function takerRfqChannel(world: ChannelWorld, account: AccountId, currency: string): Channel<WireBlockRfq> {
  return collecting({
    block_rfq: ({ rfq, account: taker }) => (taker === account ? seen(world, rfq, account, currency) : undefined),
  })
}

/** RFQs that an account may quote, at their creation and at each change of state. */
export function makerRfqChannel(world: ChannelWorld, account: AccountId, currency: string): Channel<WireBlockRfq> {
  return collecting({
    block_rfq: ({ rfq, account: taker, change }) =>
      states.has(change) && taker !== account ? seen(world, rfq, account, currency) : undefined,
  })
}

/** Changed quotes of an account, in lists. */
export function rfqQuotesChannel(
  world: ChannelWorld,
  account: AccountId,
  currency: string,
): Channel<readonly WireRfqQuote[]> {
  const toMessage = (event: EventOf<'block_rfq_quote'>): WireRfqQuote | undefined => {
    if (event.account !== account) return undefined
    const view = viewRfq(world.exchange, event.rfq, account)
    return view !== undefined && isRfqOf(world.exchange, view, currency)
      ? changedQuoteOut(world.exchange, event)
      : undefined
  }
  const changes = collecting<WireRfqQuote>({ block_rfq_quote: toMessage })
  return {
    ...changes,
    collect: (): readonly (readonly WireRfqQuote[])[] => {
      const sent = changes.collect()
      return sent.length === 0 ? [] : [sent]
    },
  }
}

/** Filled RFQs in their public form. */
export function rfqTradesChannel({ exchange }: ChannelWorld, currency: string): Channel<WirePublicRfq> {
  const toMessage = ({ rfq, change }: EventOf<'block_rfq'>): WirePublicRfq | undefined => {
    const view = change === 'filled' ? viewFilledRfq(exchange, rfq) : undefined
    return view !== undefined && isRfqOf(exchange, view, currency) ? publicRfqOut(exchange, view) : undefined
  }
  return collecting({ block_rfq: toMessage })
}

function seen({ exchange }: ChannelWorld, rfq: number, account: AccountId, currency: string): WireBlockRfq | undefined {
  const view: RfqView | undefined = viewRfq(exchange, rfq, account)
  if (view === undefined || !isRfqOf(exchange, view, currency)) return undefined
  return rfqOut(exchange, view)
}

/**
 * Block trades that wait for approval, as a channel: both sides receive each change of state.
 *
 * Source: sessions document 3.4, 4.7.
 */

const blockStates: ReadonlySet<BlockChange> = new Set(['pending', 'accepted', 'rejected', 'executed'])

/**
 * Block trades of an account; `currency` is the settlement currency of one of their legs, or null for all block trades.
 */
export function confirmationsChannel(
  { exchange }: ChannelWorld,
  account: AccountId,
  currency: string | null,
): Channel<WireBlockRequest> {
  const toMessage = (event: EventOf<'block_trade'>): WireBlockRequest | undefined => {
    if (!blockStates.has(event.change)) return undefined
    if (event.account !== account && event.counterparty !== account) return undefined
    const isOf = event.legs.some(({ instrument }) => instrumentAt(exchange, instrument).settlementCurrency === currency)
    if (currency !== null && !isOf) return undefined
    const found = blockRequestsOf(exchange, account).findLast(
      (each) => each.timestamp === event.timestamp && each.nonce === event.nonce,
    )
    // A block trade that needed no approval was never pending.
    return found === undefined ? undefined : blockRequestOut(exchange, account, found)
  }
  return collecting({ block_trade: toMessage })
}
