/**
 * Messages about groups of market-maker protection: a group triggered, or its freeze ended (320-326).
 *
 * Source: sessions document 8.6, 8.9; R11.
 */
import { type EventOf, gatewayPairOf, leastFreezeMicros, mmpTriggers } from '../model/index.ts'
import type { MessageHistory, MmpMessage } from '../rpc/index.ts'
import type { MessageRecord } from './message-json.ts'
import { postMessage } from './posting.ts'

/** Notes the time when a group triggers, which decides when a reset ends the freeze for direct access. */
export function noteTrip({ messages }: MessageHistory, { change, group, time }: EventOf<'mmp'>): void {
  if (change === 'triggered') messages.trips.set(group, time)
}

/**
 * Notifies all sessions of the portfolio that can trade the books of the group. A reset by JSON-RPC within the first
 * second does not end the freeze for them yet (R11).
 */
export function noteGroup(history: MessageHistory, event: EventOf<'mmp'>): void {
  const { change, index, group, time } = event
  const isTrigger = change === 'triggered'
  if (!isTrigger && change !== 'unfrozen' && change !== 'reset') return
  // Groups of Block RFQs do not concern direct access.
  if (event.blockRfq) return
  const { messages, instruments } = history
  const trippedAt = messages.trips.get(group)
  const isHeld = trippedAt !== undefined && time < trippedAt + leastFreezeMicros
  if (change === 'reset' && isHeld) return
  const gatewayPair = [...instruments.values()].find(({ priceIndex }) => priceIndex === index)?.gateway
  const isOrders = event.name === null
  const sort = isOrders ? 'Orders' : 'MassQuote'
  const name: MmpMessage['message'] = `${sort}${isTrigger ? 'MmpTriggered' : 'MmpUnfrozen'}`
  const record = {
    ...(isOrders ? { currencyPairId: index } : { mmpGroupId: group }),
    ...(isTrigger ? levelsOf(event) : { correlationId: event.correlationId ?? undefined }),
  }
  for (const [session, { account, gateway, isLast }] of messages.sessions) {
    const reaches = gateway !== null && gatewayPairOf(gateway) === gatewayPair
    if (isLast && account === event.account && reaches) {
      postMessage<MmpMessage>(history, { session, event }, name, record)
    }
  }
}

function levelsOf(
  event: EventOf<'mmp'>,
): Pick<MessageRecord<'OrdersMmpTriggered'>, 'frozenUntil' | 'quantityLevel' | 'vegaLevel' | 'deltaLevel' | 'trigger'> {
  const { frozenUntil, quantity9, vega9, delta9, trigger } = event
  return {
    frozenUntil,
    quantityLevel: quantity9,
    vegaLevel: vega9,
    deltaLevel: delta9,
    trigger: trigger === null ? null : { code: mmpTriggers.indexOf(trigger), name: trigger },
  }
}
