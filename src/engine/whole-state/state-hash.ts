/**
 * The hash of an exchange's state: equal states have equal hashes on every machine.
 *
 * Folded in this order: clock, last sequence, event count; accounts (name, settings, orders that do not
 * rest, then each wallet's cash, session profit and margin totals); indices with their delivery averages; for
 * each instrument its name, states, prices, counters and funding, its resting orders, bids then asks in match
 * order (everything known about each), and the recorded book with the places of orders in it; series of
 * options; holdings (account, instrument, bases, funding, open orders); order, trade and rounding counters;
 * timers; currencies whose settlement waits or takes its time; liquidations (see `liquidation-state.ts`);
 * protections (see `protection-state.ts`).
 * What follows from these is left out, and so is the configuration: it belongs to the run, not to its state.
 */
import {
  aheadOf,
  hiddenOf,
  ownerOf,
  priceOf,
  recordedLevels,
  recordedOf,
  remainingOf,
  visitOrders,
} from '../../book/index.ts'
import {
  createStateHash,
  hashBig,
  hashBoolean,
  hashHex,
  hashInt,
  hashText,
  type StateHash,
  snapshotTimerQueue,
  wideToBigint,
} from '../../core/index.ts'
import { cashOf, profitOf, readHolding } from '../../ledger/index.ts'
import { readExposure, readTotals } from '../../margin/index.ts'
import { CURRENCY_SLOTS, type OrderExtras } from '../../model/index.ts'
import { type Exchange, type TimerTask, walletOf } from '../state/exchange.ts'
import { type FundingState, type InstrumentRow, NO_INSTRUMENT } from '../state/instrument-row.ts'
import {
  creationTimeAt,
  type OrderLink,
  type OrderTrigger,
  updateTimeAt,
} from '../state/order-records.ts'
import { orderAt, visitAccountOrders } from '../state/orders.ts'
import { hashLiquidations } from './liquidation-state.ts'
import { hashProtections } from './protection-state.ts'

/** 32 hex digits over everything that the future of the exchange depends on. */
export function stateHash(exchange: Exchange): string {
  const hash = createStateHash()
  for (const part of [exchange.now, exchange.lastSequence, exchange.eventCount]) hashInt(hash, part)
  hashAccounts(hash, exchange)
  for (const index of exchange.indices.values()) {
    hashText(hash, index.name)
    hashInt(hash, index.price)
    if (index.mid !== NO_INSTRUMENT) hashInt(hash, index.mid)
    const { end, next, sum, count } = index.average
    for (const part of [end, next, count]) hashInt(hash, part)
    hashBig(hash, sum)
  }
  for (const row of exchange.instruments) hashInstrument(hash, exchange, row)
  for (const series of exchange.series) {
    hashInt(hash, series.forward)
    hashBoolean(hash, series.sleeps)
  }
  hashHoldings(hash, exchange)
  for (let currency = 0; currency < CURRENCY_SLOTS; currency += 1) {
    hashInt(hash, exchange.orderNumbers[currency] as number)
    hashInt(hash, exchange.tradeNumbers[currency] as number)
    hashInt(hash, exchange.roundings[currency] as number)
  }
  for (const timer of snapshotTimerQueue(exchange.timers).timers) {
    hashInt(hash, timer.time)
    hashInt(hash, timer.rank)
    hashTask(hash, timer.payload)
  }
  for (const currency of exchange.unsettled) hashInt(hash, currency)
  for (const currency of exchange.settling) hashInt(hash, currency)
  hashLiquidations(hash, exchange)
  hashProtections(hash, exchange)
  return hashHex(hash)
}

function hashTask(hash: StateHash, task: TimerTask): void {
  hashText(hash, task.kind)
  if (task.kind === 'order_arrival' || task.kind === 'bump_release') hashInt(hash, task.order)
  else if (task.kind === 'delivery_window') hashInt(hash, task.instrument)
  else if (task.kind === 'funding_terms') hashInt(hash, task.instrument)
  else if (task.kind === 'settlement_over') hashInt(hash, task.currency)
  else if (task.kind === 'quotes_thaw') hashInt(hash, task.account)
  else if (task.kind === 'mmp_unfreeze') hashInt(hash, task.group)
  else if (task.kind === 'lsp_window') {
    hashInt(hash, task.account)
    hashText(hash, task.group)
  }
}

function hashAccounts(hash: StateHash, exchange: Exchange): void {
  for (const { account, selfMatch, selfMatchExtended } of exchange.accounts) {
    hashText(hash, account.name)
    hashText(hash, selfMatch)
    hashBoolean(hash, selfMatchExtended)
    visitAccountOrders(exchange, account.id, (slot) => {
      if (orderAt(exchange, slot).stage !== 'resting') hashOrder(hash, exchange, slot)
    })
    for (let currency = 0; currency < CURRENCY_SLOTS; currency += 1) {
      const wallet = walletOf(account.id, currency)
      const { initial, maintenance, reserve } = readTotals(exchange.margin, wallet)
      hashBig(hash, cashOf(exchange.ledger, wallet))
      hashBig(hash, profitOf(exchange.ledger, wallet))
      for (const total of [initial, maintenance, reserve]) hashBig(hash, total)
    }
  }
}

function hashInstrument(hash: StateHash, exchange: Exchange, row: InstrumentRow): void {
  hashText(hash, row.instrument.name)
  hashText(hash, row.state)
  hashText(hash, row.lastMove)
  hashText(hash, row.markRule)
  const { bookPrice } = row
  if (bookPrice !== null) hashInt(hash, bookPrice)
  for (const claim of [row.sleeps, row.hasMark, row.hasBand, row.hasLastPrice]) {
    hashBoolean(hash, claim)
  }
  hashText(hash, row.stateBefore ?? '')
  const { mark, bandMin, bandMax, lastPrice, tradeSeq, changeId, ema9 } = row
  for (const part of [mark, bandMin, bandMax, lastPrice, tradeSeq, changeId, ema9]) {
    hashInt(hash, part)
  }
  const { settlementPrice, deliveryPrice, deliveredAt, stateSince, usedAt } = row
  for (const part of [settlementPrice, deliveryPrice, deliveredAt ?? -1, stateSince, usedAt]) {
    hashInt(hash, part)
  }
  hashFunding(hash, row.funding)
  if (row.option !== null) hashInt(hash, row.option.volatility9)
  for (const side of ['buy', 'sell'] as const) {
    visitOrders(row.book, side, (slot) => hashOrder(hash, exchange, slot))
  }
  hashRecorded(hash, exchange, row)
}

function hashFunding(hash: StateHash, funding: FundingState | null): void {
  if (funding === null) return
  hashBig(hash, funding.accumulated)
  hashBig(hash, funding.paidByLongs)
  hashBig(hash, funding.excess)
  hashInt(hash, funding.rate8)
  hashInt(hash, funding.since)
}

/** What a feed shows and has been taken of it, and the places of orders in it. */
function hashRecorded(hash: StateHash, exchange: Exchange, row: InstrumentRow): void {
  const { recorded } = row.book
  if (recorded === null) return
  for (const side of ['buy', 'sell'] as const) {
    const levels = recordedLevels(recordedOf(recorded, side))
    // The count keeps bids and asks apart, and levels from the places that follow.
    hashInt(hash, levels.length)
    for (const level of levels) {
      for (const part of [level.price, level.size, level.taken, level.source]) hashInt(hash, part)
    }
    visitOrders(row.book, side, (slot) => hashInt(hash, aheadOf(exchange.slots, slot)))
  }
}

function hashOrder(hash: StateHash, exchange: Exchange, slot: number): void {
  const { orders, slots } = exchange
  const order = orderAt(exchange, slot)
  hashInt(hash, order.id)
  hashInt(hash, ownerOf(slots, slot))
  hashInt(hash, priceOf(slots, slot))
  hashInt(hash, remainingOf(slots, slot))
  hashInt(hash, hiddenOf(slots, slot))
  hashInt(hash, order.amount)
  hashInt(hash, order.display)
  hashInt(hash, order.validUntil ?? -1)
  hashInt(hash, order.triggeredBy)
  const { label, type, timeInForce, postOnly, stage } = order
  for (const word of [label, type, timeInForce, postOnly, stage]) hashText(hash, word)
  hashBoolean(hash, order.reduceOnly)
  hashBoolean(hash, order.replaced)
  hashBoolean(hash, order.autoReplaced)
  hashBoolean(hash, order.liquidation)
  if (order.advanced !== null) {
    hashText(hash, order.advanced.type)
    hashInt(hash, order.advanced.value9)
  }
  hashBoolean(hash, order.stood)
  for (const part of [order.created, creationTimeAt(orders, slot), updateTimeAt(orders, slot)]) {
    hashInt(hash, part)
  }
  if (typeof order.fills === 'object') {
    hashBig(hash, order.fills === null ? -1n : wideToBigint(order.fills, 0))
  } else {
    hashInt(hash, order.fills)
  }
  if (order.trigger !== null) hashTrigger(hash, order.trigger)
  if (order.link !== null) hashLink(hash, order.link)
  if (order.extras !== null) hashExtras(hash, order.extras)
}

function hashExtras(hash: StateHash, { mmp, quote, direct }: OrderExtras): void {
  hashInt(hash, mmp?.group ?? 0)
  if (quote !== null) for (const word of [quote.quoteId, quote.quoteSetId]) hashText(hash, word)
  if (direct === null) return
  hashText(hash, direct.clientOrderId ?? '')
  hashBoolean(hash, direct.cancelOnDisconnect)
}

function hashTrigger(hash: StateHash, { source, reference, waiting }: OrderTrigger): void {
  hashText(hash, source)
  const { price, offset, extreme } = waiting
  for (const part of [reference, price, offset, extreme]) hashInt(hash, part)
}

function hashLink(hash: StateHash, link: OrderLink): void {
  hashText(hash, link.condition)
  const { pair, partner, cut, primary, origin, sibling, siblingTurn, placed, placedAs } = link
  for (const part of [
    pair,
    partner,
    cut,
    primary,
    origin,
    sibling,
    siblingTurn,
    placed,
    placedAs,
  ]) {
    hashInt(hash, part)
  }
  hashInt(hash, link.secondaries.length)
  for (const id of link.secondaries) hashInt(hash, id)
}

function hashHoldings(hash: StateHash, exchange: Exchange): void {
  exchange.holdings.forEach(({ account, row, funded }, holding) => {
    const state = readHolding(exchange.ledger, holding)
    const { buys, sells } = readExposure(exchange.margin, holding)
    hashInt(hash, account)
    hashInt(hash, row.instrument.id)
    hashInt(hash, state.size)
    const { entry, session, realized, funding } = state
    for (const money of [entry, session, realized, funding, funded]) hashBig(hash, money)
    hashInt(hash, buys)
    hashInt(hash, sells)
  })
}
