/**
 * New orders: each takes the next number of its settlement currency and becomes live, in no book yet.
 * Source: coverage R08; trading.md C02 (ids), 5.1.
 */
import { addTrigger, fixedTrigger, trailingTrigger } from '../../book/index.ts'
import {
  type Lots,
  lots,
  type Micros,
  type OrderId,
  type Price9,
  sequence,
} from '../../core/index.ts'
import {
  entryTypeOf,
  isTrailing,
  makeOrderId,
  NO_ORDER,
  type OrderExtras,
  type OrderForm,
  type OrderTerms,
  type OrderType,
  type TriggerTerms,
} from '../../model/index.ts'
import {
  awaitDayEnd,
  type Exchange,
  emitOrder,
  holdingFor,
  type InstrumentRow,
  listOrder,
  newRecord,
  type OrderLink,
  type OrderStage,
  type OrderTrigger,
  orderAt,
  sourcePrice,
  stateOf,
  type Turn,
  takeOrderSlot,
} from '../state/index.ts'
import { price9Of } from './entry-price.ts'
import { followAdvanced } from './repricing.ts'
import { firesOnRise } from './trigger-checks.ts'

/** Terms that an order is made from. */
export interface Made {
  readonly row: InstrumentRow
  readonly account: number
  readonly terms: OrderTerms
  /** Limit price in ticks; 0 for what has none. */
  readonly price: number
  readonly display: Lots
  readonly stage: OrderStage
  readonly link: OrderLink | null
  readonly triggeredBy: OrderId
  /** True if a liquidation places it. */
  readonly liquidation?: boolean
  /** When its matching must have begun, as its request says; null for no end. */
  readonly validUntil?: Micros | null
  /** The session that it came over; what follows from an order has that of the order (C49). */
  readonly session: number
  readonly extras: OrderExtras | null
}

/**
 * Makes a live order and returns its slot; its first event is the caller's to emit. Only an order that
 * waits keeps a trigger: what it became once it fired does not.
 */
export function createOrder(exchange: Exchange, made: Made): number {
  const { row, account, terms, stage } = made
  const number = (exchange.orderNumbers[row.settlement] as number) + 1
  exchange.orderNumbers[row.settlement] = number
  const waits = stage === 'untriggered' || stage === 'dormant'
  const trigger = waits ? terms.trigger : null
  const id = makeOrderId(row.settlement, number, formOf(stage, terms))
  const remaining = terms.amount
  const slot = takeOrderSlot(exchange, { account, price: made.price, remaining })
  const order = newRecord(exchange, slot, exchange.now)
  order.id = id
  order.instrument = row.instrument.id
  order.side = terms.side
  order.type = waits ? terms.type : entryTypeOf(terms.type)
  order.timeInForce = terms.timeInForce
  order.label = terms.label
  order.postOnly = terms.postOnly
  order.reduceOnly = terms.reduceOnly
  order.amount = terms.amount
  order.display = made.display
  order.replaced = false
  order.autoReplaced = false
  order.advanced = terms.advanced
  order.liquidation = made.liquidation ?? false
  order.created = sequence(exchange.lastSequence)
  order.triggeredBy = made.triggeredBy
  order.session = made.session
  order.extras = made.extras
  order.holding = holdingFor(exchange, account, row).holding
  order.fills = null
  order.stage = stage
  order.validUntil = made.validUntil ?? null
  order.stood = false
  order.trigger = trigger === null ? null : triggerOf(row, { id, terms, trigger, stage })
  order.link = made.link
  listOrder(exchange, slot)
  if (terms.advanced !== null) followAdvanced(exchange, id)
  if (stage === 'untriggered' && order.trigger !== null) {
    addTrigger(row.triggers[order.trigger.source], order.trigger.waiting)
    if (terms.timeInForce === 'good_til_day') awaitDayEnd(exchange)
  }
  return slot
}

/** Tells that a new order is live. */
export function announce(turn: Turn, row: InstrumentRow, slot: number): void {
  const state = stateOf(orderAt(turn.exchange, slot))
  emitOrder(turn, row, slot, { change: 'opened', state, rested: false, reason: null })
}

/** The limit price of an order that waits; market types have none. */
export function waitingPrice(type: OrderType, price: number | null): number {
  return entryTypeOf(type) === 'limit' ? (price ?? 0) : 0
}

/** A link of an order that has none yet. */
export function newLink(of: Partial<OrderLink> & Pick<OrderLink, 'condition'>): OrderLink {
  return {
    pair: NO_ORDER,
    partner: NO_ORDER,
    cut: lots(0),
    primary: NO_ORDER,
    origin: NO_ORDER,
    secondaries: [],
    sibling: NO_ORDER,
    siblingTurn: lots(0),
    placed: lots(0),
    placedAs: NO_ORDER,
    turns: 0,
    ends: false,
    ...of,
  }
}

function formOf(stage: OrderStage, { trigger, side }: OrderTerms): OrderForm {
  if (stage === 'dormant') return 'secondary'
  return stage === 'untriggered' && trigger !== null ? `${trigger.source}_${side}` : 'ordinary'
}

/** A trailing order starts from what its source is now; a dormant one knows it once it is placed. */
function triggerOf(
  row: InstrumentRow,
  of: {
    readonly id: OrderId
    readonly terms: OrderTerms
    readonly trigger: TriggerTerms
    readonly stage: OrderStage
  },
): OrderTrigger {
  const { id: order, terms, trigger, stage } = of
  const { source } = trigger
  const rises = firesOnRise(terms.type, terms.side)
  const none = 0 as Price9
  if (!isTrailing(terms.type)) {
    const waiting = fixedTrigger({ order, rises, price: price9Of(row, trigger.price) })
    return { source, reference: none, waiting }
  }
  const reference = stage === 'dormant' ? none : sourcePrice(row, source)
  const offset = price9Of(row, trigger.offset)
  return {
    source,
    reference,
    waiting: trailingTrigger({ order, rises, offset, extreme: reference }),
  }
}
