/**
 * Checks of triggers: their allowed prices, and the number of trigger orders.
 *
 * Source: trading.md 6.13 (C31), C36.
 */
import { firesAt } from '../../book/index.ts'
import { type Price9, ticks } from '../../core/index.ts'
import {
  isOnGrid,
  type OrderType,
  type Refusal,
  type Side,
  type TriggerTerms,
  triggerSortOf,
} from '../../model/index.ts'
import {
  accountRow,
  type Exchange,
  type InstrumentRow,
  isSourceKnown,
  type LiveOrder,
  orderAt,
  sourcePrice,
} from '../state/index.ts'
import type { Candidate } from './candidate.ts'
import { price9Of } from './entry-price.ts'
import { mayBePrice } from './order-checks.ts'

/**
 * The reason why the trigger of an order cannot be set, or null. The trigger of a dormant secondary may already have
 * fired when the secondary is placed.
 */
export function triggerRefusal(exchange: Exchange, candidate: Candidate): Refusal | null {
  const { way, row, trigger } = candidate
  if (trigger !== null && !isTriggerOnGrid(row, trigger)) {
    return { reason: 'trigger_price_wrong_tick' }
  }
  if (way === 'sleep') return null
  if (way === 'edit_waiting') {
    return trigger === null ? null : changeRefusal(row, orderAt(exchange, candidate.slot), trigger)
  }
  return trigger === null ? { reason: 'invalid_trigger_price' } : firingRefusal(row, candidate, trigger)
}

/**
 * The reason why a waiting trigger cannot have another price or distance, or null: it must not fire at the current
 * price of its source.
 */
function changeRefusal(
  row: InstrumentRow,
  { stage, trigger }: LiveOrder,
  { price, offset }: TriggerTerms,
): { readonly reason: FiringReason } | null {
  if (trigger === null || stage === 'dormant') return null
  const { rises, extreme } = trigger.waiting
  const away = price9Of(row, offset ?? ticks(0))
  const at = price === null ? extreme + (rises ? away : -away) : price9Of(row, price)
  return firedRefusal(sourcePrice(row, trigger.source), { rises, price: at })
}

/** The reason why an account may have no more trigger orders of a source, or null (C36). */
export function triggersRefusal(exchange: Exchange, { account, trigger, after, isCounted }: Candidate): Refusal | null {
  if (trigger === null || isCounted) return null
  const { openTriggers } = accountRow(exchange, account)
  const { triggers: limit } = exchange.config.openOrderLimits
  const before = after?.trigger?.source === trigger.source ? 1 : 0
  return openTriggers[trigger.source] + before < limit ? null : { reason: 'no_more_triggers', limit }
}

/** Trigger prices are on the price grid; a distance is a whole number of ticks (C31b). */
function isTriggerOnGrid(row: InstrumentRow, { price, offset }: Pick<TriggerTerms, 'price' | 'offset'>): boolean {
  if (offset !== null) return offset > 0
  return price !== null && mayBePrice(row, price) && isOnGrid(row.instrument, price)
}

/** True if an order of a type fires on a rise of its source (C31). */
export function firesOnRise(type: OrderType, side: Side): boolean {
  return (side === 'buy') !== (triggerSortOf(type) === 'take')
}

/** The price of a trigger's source must be known, and must not have reached the trigger price yet (C31a). */
function firingRefusal(
  row: InstrumentRow,
  candidate: Candidate,
  { source, price }: TriggerTerms,
): { readonly reason: FiringReason } | null {
  const value = sourcePrice(row, source)
  if (!isSourceKnown(row, source)) return { reason: 'invalid_trigger_price' }
  if (price === null) return null
  const rises = firesOnRise(candidate.type, candidate.side)
  return firedRefusal(value, { rises, price: price * row.instrument.tick9 })
}

type FiringReason = 'invalid_trigger_price' | 'trigger_price_too_high' | 'trigger_price_too_low'

/** A trigger: its price in ticks and the direction in which the price reaches it. */
interface FiredTrigger {
  readonly rises: boolean
  readonly price: number
}

/** The reason why a trigger cannot wait at the current price of its source, or null: it would fire at once. */
function firedRefusal(value: Price9, trigger: FiredTrigger): { readonly reason: FiringReason } | null {
  if (!firesAt(trigger, value)) return null
  return { reason: trigger.rises ? 'trigger_price_too_low' : 'trigger_price_too_high' }
}
