/**
 * Messages about groups of market-maker protection: that one tripped, and that it is free again (320-326).
 *
 * Source: sessions document 8.6, 8.9; R11.
 */
import { scaledToNumber } from '../core/index.ts'
import { type EventOf, gatewayPairOf, leastFreezeMicros, mmpTriggers } from '../model/index.ts'
import { type MessageBody, type MessageHistory, type MmpLevels, timeOut } from '../rpc/index.ts'
import { correlationOut } from './answers.ts'
import { send } from './posting.ts'

/** Notes when a group trips, which decides from when on a reset frees direct access. */
export function noteTrip(
  { messages }: MessageHistory,
  { change, group, time }: EventOf<'mmp'>,
): void {
  if (change === 'triggered') messages.trips.set(group, time)
}

/**
 * A group is told of to all sessions of its portfolio that reach its books. A reset by JSON-RPC in the first second
 * ends nothing for them yet (R11).
 */
export function noteGroup(history: MessageHistory, event: EventOf<'mmp'>): void {
  const { change, index, group, name, time } = event
  const isTrigger = change === 'triggered'
  if (!isTrigger && change !== 'unfrozen' && change !== 'reset') return
  // Groups of Block RFQs are none of direct access.
  if (event.blockRfq) return
  const { messages, instruments } = history
  const trippedAt = messages.trips.get(group)
  const isHeld = trippedAt !== undefined && time < trippedAt + leastFreezeMicros
  if (change === 'reset' && isHeld) return
  const gatewayPair = [...instruments.values()].find(
    ({ priceIndex }) => priceIndex === index,
  )?.gateway
  const isOrders = name === null
  const sort = isOrders ? 'Orders' : 'MassQuote'
  const fields: MessageBody = {
    message: `${sort}${isTrigger ? 'MmpTriggered' : 'MmpUnfrozen'}`,
    ...(isOrders ? { currency_pair: index } : { mmp_group_id: group }),
    ...(isTrigger ? levelsOf(event) : correlationOut(event.correlationId)),
  }
  for (const [session, { account, gateway, isLast }] of messages.sessions) {
    const reaches = gateway !== null && gatewayPairOf(gateway) === gatewayPair
    if (isLast && account === event.account && reaches) send(history, session, event, fields)
  }
}

function levelsOf({ frozenUntil, quantity9, vega9, delta9, trigger }: EventOf<'mmp'>): MmpLevels {
  return {
    frozen_until: frozenUntil === null ? null : timeOut(frozenUntil),
    quantity_level: nano(quantity9),
    vega_level: nano(vega9),
    delta_level: nano(delta9),
    trigger: trigger === null ? null : { code: mmpTriggers.indexOf(trigger), name: trigger },
  }
}

/** A count of 1e-9 as a number. */
function nano(value9: number): number {
  return scaledToNumber(BigInt(value9), 9)
}
