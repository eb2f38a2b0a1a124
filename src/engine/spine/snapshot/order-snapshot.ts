/**
 * Orders in a snapshot: live orders by account, and the queues of every book in match order. Lists of orders that wait
 * for a price or are on their way are restored from the orders and from the timers.
 */
import {
  addTrigger,
  aheadOf,
  cutOf,
  hiddenOf,
  ownerOf,
  priceOf,
  remainingOf,
  restOrder,
  setAhead,
  setCut,
  setHidden,
  visitOrders,
} from '../../../book/index.ts'
import { defined, type Plain, snapshotTimerQueue } from '../../../core/index.ts'
import type { Side } from '../../../model/index.ts'
import {
  bringTo,
  creationTimeAt,
  type Exchange,
  type InstrumentRow,
  listOrder,
  liveOrderUnit,
  newRecord,
  orderAt,
  restoreRareTerms,
  rowOfInstrument,
  setUpdateTime,
  takeOrderSlot,
  updateTimeAt,
  visitAccountOrders,
} from '../../state/index.ts'

/** A live order as plain data. */
type OrderState = {
  readonly order: Plain
  readonly account: number
  readonly price: number
  readonly remaining: number
  readonly hidden: number
  readonly ahead: number
  readonly cut: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** Orders and queues as plain data. */
type OrdersSection = {
  /** Every live order, by account in the order of creation. */
  readonly live: readonly OrderState[]
  /** Ids of resting orders, book by book, bids then asks, each in match order. */
  readonly queues: readonly (readonly [readonly number[], readonly number[]])[]
}

/** The live orders and the queues of an exchange. */
export function ordersSection(exchange: Exchange): OrdersSection {
  const live: OrderState[] = []
  for (const { account } of exchange.accounts) {
    visitAccountOrders(exchange, account.id, (slot) => {
      live.push({
        order: liveOrderUnit.save(orderAt(exchange, slot)),
        account: ownerOf(exchange.slots, slot),
        price: priceOf(exchange.slots, slot),
        remaining: remainingOf(exchange.slots, slot),
        hidden: hiddenOf(exchange.slots, slot),
        ahead: aheadOf(exchange.slots, slot),
        cut: cutOf(exchange.slots, slot),
        createdAt: creationTimeAt(exchange.orders, slot),
        updatedAt: updateTimeAt(exchange.orders, slot),
      })
    })
  }
  const queueOf = (row: InstrumentRow, side: Side): number[] => {
    const ids: number[] = []
    visitOrders(row.book, side, (slot) => ids.push(orderAt(exchange, slot).id))
    return ids
  }
  const queues = exchange.instruments.map((row) => [queueOf(row, 'buy'), queueOf(row, 'sell')] as const)
  return { live, queues }
}

/** Puts orders into an exchange whose instruments, holdings and timers are restored. */
export function restoreOrders(exchange: Exchange, orders: OrdersSection): void {
  const slots = new Map<number, number>()
  const restored: number[] = []
  for (const state of orders.live) {
    const order = liveOrderUnit.load(state.order)
    const row = rowOfInstrument(exchange, order.instrument)
    const slot = takeOrderSlot(exchange, state)
    newRecord(exchange, slot, order, {
      id: order.id,
      created: order.created,
      holding: order.holding,
      stage: order.stage,
      session: order.session,
      time: state.createdAt,
    })
    restoreRareTerms(exchange.orders, slot, order)
    bringTo(orderAt(exchange, slot), order)
    listOrder(exchange, slot)
    setHidden(exchange.slots, slot, state.hidden)
    setUpdateTime(exchange.orders, slot, state.updatedAt)
    slots.set(order.id, slot)
    restored.push(slot)
    if (order.stage === 'untriggered' && order.trigger !== null) {
      addTrigger(row.triggers[order.trigger.source], order.trigger.waiting)
    }
    if (order.stage === 'resting' && order.reduceOnly) {
      const { reducing, wanted } = defined(exchange.holdings[order.holding], 'an order has a holding')
      reducing.push(slot)
      wanted[order.side] += state.remaining
    }
  }
  orders.queues.forEach(([bids, asks], instrument) => {
    const { book } = defined(exchange.instruments[instrument], 'a queue belongs to a listed instrument')
    for (const id of bids) restOrder(book, 'buy', defined(slots.get(id), 'a queued order is live'))
    for (const id of asks) restOrder(book, 'sell', defined(slots.get(id), 'a queued order is live'))
  })
  // Resting the orders assigned new places in the recorded queues; set the saved ones.
  for (const [at, { ahead, cut }] of orders.live.entries()) {
    const slot = defined(restored[at], 'a live order has a slot')
    setAhead(exchange.slots, slot, ahead)
    setCut(exchange.slots, slot, cut)
  }
  for (const { id, payload } of snapshotTimerQueue(exchange.timers).timers) {
    if (payload.kind === 'order_arrival') exchange.arrivals.set(payload.order, id)
  }
}
