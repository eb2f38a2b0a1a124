/**
 * New orders: each takes the next number of its settlement currency and becomes live, in no book yet.
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
  const { row, terms, stage } = made
  const trigger = keepsTrigger(stage) ? terms.trigger : null
  const id = makeOrderId(row.settlement, nextNumber(exchange, row), formOf(stage, terms))
  const waiting = trigger === null ? null : triggerOf(row, { id, terms, trigger, stage })
  const slot = openSlot(exchange, made, { id, stage })
  if (mayBeRare(made, waiting)) noteRareTerms(exchange, slot, made, waiting)
  listOrder(exchange, slot)
  if (terms.advanced !== null) followAdvanced(exchange, id)
  if (stage === 'untriggered' && waiting !== null) {
    addTrigger(row.triggers[waiting.source], waiting.waiting)
    if (terms.timeInForce === 'good_til_day') awaitDayEnd(exchange)
  }
  return slot
}

/** The same of an order that enters now, and has no terms that few orders have. */
export function createPlainOrder(
  exchange: Exchange,
  made: Pick<Made, 'row' | 'account' | 'terms' | 'price' | 'session'>,
): number {
  const { row } = made
  const id = makeOrderId(row.settlement, nextNumber(exchange, row), 'ordinary')
  const slot = openSlot(exchange, made, { id, stage: 'entering' })
  listOrder(exchange, slot)
  return slot
}

/** True if a new order keeps its trigger and its type: it waits for a price, or for its primary. */
function keepsTrigger(stage: OrderStage): boolean {
  return stage === 'untriggered' || stage === 'dormant'
}

/** Takes a slot for an order and fills its record. */
function openSlot(
  exchange: Exchange,
  made: Pick<Made, 'row' | 'account' | 'terms' | 'price' | 'session'>,
  { id, stage }: { readonly id: OrderId; readonly stage: OrderStage },
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

/** The next number of orders of a settlement currency. */
function nextNumber({ orderNumbers }: Exchange, { settlement }: InstrumentRow): number {
  const number = (orderNumbers[settlement] as number) + 1
  orderNumbers[settlement] = number
  return number
}

/** Terms of an order that enters a book now: its type is that which it enters with. */
function enteringTerms(terms: OrderTerms): OrderTerms {
  const type = entryTypeOf(terms.type)
  return type === terms.type ? terms : { ...terms, type }
}

function noteRareTerms(exchange: Exchange, slot: number, made: Made, trigger: OrderTrigger | null): void {
  const { terms, display, triggeredBy, extras, link } = made
  setRareTerms(exchange.orders, slot, {
    display,
    autoReplaced: false,
    advanced: terms.advanced,
    liquidation: made.liquidation ?? false,
    triggeredBy,
    extras,
    validUntil: made.validUntil ?? null,
    trigger,
    link,
  })
}

/** True if a new order has, or may have, terms that few orders have. */
function mayBeRare(made: Made, trigger: OrderTrigger | null): boolean {
  const { terms, display, liquidation, triggeredBy, extras, validUntil, link } = made
  if (terms.advanced !== null || display > 0 || extras !== null) return true
  if (trigger !== null || link !== null) return true
  return triggeredBy !== NO_ORDER || liquidation === true || (validUntil ?? null) !== null
}

/** Tells that a new order is live. */
export function announce(turn: Turn, row: InstrumentRow, slot: number): void {
  const state = stateOfStage(stageAt(turn.exchange.orders, slot))
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
