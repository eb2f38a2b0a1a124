/**
 * New orders: each takes the next number of its settlement currency and becomes live, but is in no book yet.
 * Source: coverage R08; trading.md C02 (ids), 5.1.
 */
import { addTrigger, fixedTrigger, trailingTrigger } from '../../book/index.ts'
import { type Lots, lots, type Micros, type OrderId, type Price9, sequence } from '../../core/index.ts'
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
  setRareTerms,
  sourcePrice,
  stageAt,
  stateOfStage,
  type Turn,
  takeOrderSlot,
} from '../state/index.ts'
import { price9Of } from './entry-price.ts'
import { followAdvanced } from './repricing.ts'
import { firesOnRise } from './trigger-checks.ts'

/** The terms of a new order. */
interface Made {
  readonly row: InstrumentRow
  readonly account: number
  readonly terms: OrderTerms
  /** Limit price in ticks; 0 without one. */
  readonly price: number
  readonly display: Lots
  readonly stage: OrderStage
  readonly link: OrderLink | null
  readonly triggeredBy: OrderId
  /** True if a liquidation places it. */
  readonly liquidation?: boolean
  /** Time before which its matching must begin, as its request says; null without a limit. */
  readonly validUntil?: Micros | null
  /** The session that it came over. Orders that follow from an order have that order's session (C49). */
  readonly session: number
  readonly extras: OrderExtras | null
}

/**
 * Creates a live order and returns its slot. The caller emits its first event. Only a waiting order keeps a trigger;
 * the order that a fired order becomes has no trigger.
 */
export function createOrder(exchange: Exchange, made: Made): number {
  const { row, terms, stage } = made
  const trigger = keepsTrigger(stage) ? terms.trigger : null
  const id = makeOrderId(row.settlement, nextNumber(exchange, row), formOf(stage, terms))
  const waiting = trigger === null ? null : triggerOf(row, id, terms, trigger, stage)
  const slot = openSlot(exchange, made, id, stage)
  if (mayBeRare(made, waiting)) noteRareTerms(exchange, slot, made, waiting)
  listOrder(exchange, slot)
  if (terms.advanced !== null) followAdvanced(exchange, id)
  if (stage === 'untriggered' && waiting !== null) {
    addTrigger(row.triggers[waiting.source], waiting.waiting)
    if (terms.timeInForce === 'good_til_day') awaitDayEnd(exchange)
  }
  return slot
}

/** Creates an order that enters now and has no rare terms, and returns its slot. */
export function createPlainOrder(
  exchange: Exchange,
  made: Pick<Made, 'row' | 'account' | 'terms' | 'price' | 'session'>,
): number {
  const id = makeOrderId(made.row.settlement, nextNumber(exchange, made.row), 'ordinary')
  const slot = openSlot(exchange, made, id, 'entering')
  listOrder(exchange, slot)
  return slot
}

/** True if a new order keeps its trigger and its type, because it waits for a price or for its primary. */
function keepsTrigger(stage: OrderStage): boolean {
  return stage === 'untriggered' || stage === 'dormant'
}

/** Takes a slot for an order and fills its record. */
function openSlot(
  exchange: Exchange,
  made: Pick<Made, 'row' | 'account' | 'terms' | 'price' | 'session'>,
  id: OrderId,
  stage: OrderStage,
): number {
  const { row, account, terms, price, session } = made
  const slot = takeOrderSlot(exchange, { account, price, remaining: terms.amount })
  newRecord(exchange, slot, keepsTrigger(stage) ? terms : enteringTerms(terms), {
    id,
    created: sequence(exchange.lastSequence),
    holding: holdingFor(exchange, account, row).holding,
    stage,
    session,
    time: exchange.now,
  })
  return slot
}

/** The next order number of a settlement currency. */
function nextNumber({ orderNumbers }: Exchange, { settlement }: InstrumentRow): number {
  const number = (orderNumbers[settlement] as number) + 1
  orderNumbers[settlement] = number
  return number
}

/** Terms of an order that enters a book now. Its type becomes the one with which it enters. */
function enteringTerms(terms: OrderTerms): OrderTerms {
  const type = entryTypeOf(terms.type)
  return type === terms.type ? terms : { ...terms, type }
}

function noteRareTerms(exchange: Exchange, slot: number, made: Made, trigger: OrderTrigger | null): void {
  setRareTerms(exchange.orders, slot, {
    display: made.display,
    autoReplaced: false,
    advanced: made.terms.advanced,
    liquidation: made.liquidation ?? false,
    triggeredBy: made.triggeredBy,
    extras: made.extras,
    validUntil: made.validUntil ?? null,
    trigger,
    link: made.link,
  })
}

/** True if a new order has, or may have, terms that few orders have. */
function mayBeRare(made: Made, trigger: OrderTrigger | null): boolean {
  if (made.terms.advanced !== null || made.display > 0 || made.extras !== null) return true
  if (trigger !== null || made.link !== null) return true
  return made.triggeredBy !== NO_ORDER || made.liquidation === true || (made.validUntil ?? null) !== null
}

/** Emits the event that a new order is live. */
export function announce(turn: Turn, row: InstrumentRow, slot: number): void {
  const state = stateOfStage(stageAt(turn.exchange.orders, slot))
  emitOrder(turn, row, slot, { change: 'opened', state, rested: false, reason: null })
}

/** The limit price of a waiting order; 0 for market types. */
export function waitingPrice(type: OrderType, price: number | null): number {
  return entryTypeOf(type) === 'limit' ? (price ?? 0) : 0
}

/** A link of a new order. */
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

/**
 * The trigger of a waiting order. A trailing order starts from the current price of its source; a dormant one gets this
 * price when it is placed.
 */
function triggerOf(
  row: InstrumentRow,
  order: OrderId,
  terms: OrderTerms,
  trigger: TriggerTerms,
  stage: OrderStage,
): OrderTrigger {
  const rises = firesOnRise(terms.type, terms.side)
  const none = 0 as Price9
  if (!isTrailing(terms.type)) {
    const waiting = fixedTrigger({ order, rises, price: price9Of(row, trigger.price) })
    return { source: trigger.source, reference: none, waiting }
  }
  const reference = stage === 'dormant' ? none : sourcePrice(row, trigger.source)
  const offset = price9Of(row, trigger.offset)
  return {
    source: trigger.source,
    reference,
    waiting: trailingTrigger({ order, rises, offset, extreme: reference }),
  }
}
