/**
 * Edits and cancels of the naive exchange (trading.md 6.10; C10, C12, C28).
 */

import type { CommandOf, Refusal } from '../../src/model/index.ts'
import {
  checkBand,
  checkLocks,
  checkOwner,
  checkParticipant,
  checkReduces,
  checkSize,
  checkState,
  checkTriggerNow,
  Findings,
  first,
  isPrice,
  slide,
} from './naive-checks.ts'
import type { NaiveMatching } from './naive-matching.ts'
import { smaller } from './naive-money.ts'
import {
  firesAt,
  freshTip,
  isInBook,
  isLive,
  isPriceless,
  type NaiveOrder,
  remainingOf,
  shownAtATime,
} from './naive-orders.ts'
import type { NaiveMarket } from './naive-state.ts'
import { checkFunds, meetsOwn } from './naive-trials.ts'

/** An edit in progress. */
interface Edit {
  readonly command: CommandOf<'edit_order'>
  readonly change: Change
  readonly found: Findings
}

/** The terms of a resting order after an edit, before its price is final. */
interface Change {
  readonly amount: bigint
  readonly display: bigint
  readonly postOnly: NaiveOrder['postOnly']
  readonly reduceOnly: boolean
}

export function edit(exchange: NaiveMatching, command: CommandOf<'edit_order'>): number | Refusal {
  const found = new Findings()
  const order = exchange.orders.live.find((live) => live.id === command.order)
  if (command.validUntil !== null && exchange.state.now >= command.validUntil) {
    found.add(6, { reason: 'timed_out' })
  }
  const owner = checkOwner(exchange, command.order, command.account, 'already_closed')
  if (owner !== null) found.add(owner.step, owner.refusal)
  if (order === undefined) return first(command.fault, found.first) ?? { reason: 'not_found' }
  const market = exchange.state.marketOf(order)
  checkState(exchange, market, false, found)
  checkLocks(exchange, command.account, found)
  const reduceOnly = command.reduceOnly ?? order.reduceOnly
  checkParticipant(exchange, { account: command.account, reduceOnly }, found)
  const amount = command.amount === null ? order.amount : BigInt(command.amount)
  const change: Change = {
    amount,
    display: shownAtATime(command.display === null ? order.display : BigInt(command.display), amount),
    postOnly: command.postOnly ?? order.postOnly,
    reduceOnly: command.reduceOnly ?? order.reduceOnly,
  }
  // If a secondary is placed in parts, the placed part counts as filled.
  if (amount <= order.filled + order.links.target) found.add(11, { reason: 'invalid_amount' })
  checkSize(market, change, found)
  return isInBook(order)
    ? editInBook(exchange, market, order, { command, change, found })
    : editWaiting(exchange, market, order, { command, change, found })
}

export function cancel(exchange: NaiveMatching, command: CommandOf<'cancel_order'>): number | Refusal {
  const found = new Findings()
  const order = exchange.orders.live.find((live) => live.id === command.order)
  const owner = checkOwner(exchange, command.order, command.account, 'not_open_order')
  if (owner !== null) found.add(owner.step, owner.refusal)
  if (order !== undefined) checkState(exchange, exchange.state.marketOf(order), true, found)
  checkLocks(exchange, command.account, found)
  const refusal = first(command.fault, found.first)
  if (refusal !== null || order === undefined) return refusal ?? { reason: 'not_found' }
  exchange.orders.end(order, 'user_request')
  return 1
}

/**
 * Cancels orders in the order in which they were opened. A book that allows no cancels keeps its orders. Orders that
 * end together with a cancelled order count too.
 */
export function cancelAll(exchange: NaiveMatching, command: CommandOf<'cancel_orders'>): number | Refusal {
  const found = new Findings()
  checkLocks(exchange, command.account, found)
  const refusal = first(command.fault, found.first)
  if (refusal !== null) return refusal
  const before = exchange.orders.live.length
  const matching = exchange.orders.of(command.account).filter((order) => isMeant(exchange, command, order))
  for (const order of matching) if (isLive(order)) exchange.orders.end(order, 'user_request')
  return before - exchange.orders.live.length
}

function isMeant(exchange: NaiveMatching, { filter }: CommandOf<'cancel_orders'>, order: NaiveOrder): boolean {
  const { label, currencies, instrument, kinds, pair, types } = filter
  const market = exchange.state.marketOf(order)
  const { spec } = market
  const found = new Findings()
  checkState(exchange, market, true, found)
  const held: string[] = [spec.settlementCurrency]
  const isLeg =
    filter.includeCombos && exchange.options.legsOf(market)?.some((leg) => leg.market.id === instrument) === true
  if (spec.payoff === 'spot') held.push(spec.baseCurrency)
  const isTyped =
    types === null ||
    (types === 'in_book' ? isInBook(order) : !isInBook(order) && types.some((type) => type === order.type))
  return (
    found.first === null &&
    (label === null || order.label === label) &&
    (currencies === null || currencies.some((currency) => held.includes(currency))) &&
    (instrument === null || order.instrument === instrument || isLeg) &&
    (kinds === null || kinds.includes(spec.kind)) &&
    (pair === null || spec.priceIndex === pair) &&
    isTyped
  )
}

function editInBook(exchange: NaiveMatching, market: NaiveMarket, order: NaiveOrder, how: Edit): number | Refusal {
  const { command, change, found } = how
  const { side } = order
  const { amount, postOnly, reduceOnly } = change
  const wanted = command.price === null ? order.price : BigInt(command.price) * BigInt(market.spec.tick9)
  if (command.price !== null && !isPrice(exchange, market, wanted)) found.add(12, { reason: 'price_wrong_tick' })
  const slid = slide(exchange, market, { side, price: wanted, postOnly })
  const ends = typeof slid !== 'bigint' && slid.reason === 'post_only_reject'
  if (typeof slid !== 'bigint' && !ends) found.add(14, slid)
  const price = typeof slid === 'bigint' ? slid : order.price
  if (!ends) {
    if (price !== order.price) checkBand(exchange, market, { side, price }, found)
    if (reduceOnly && !order.reduceOnly) checkReduces(exchange, market, order, found)
    const terms = { ...order, reduceOnly }
    const old = { lots: order.reduceOnly ? 0n : remainingOf(order), price: order.price }
    const lots = amount - order.filled
    if (found.first === null) checkFunds(exchange, market, [{ terms, price, lots, old }], found)
    if (found.first === null && meetsOwn(exchange, order, { amount, price, reduceOnly })) {
      found.add(20, { reason: 'order_overlap' })
    }
  }
  const refusal = first(command.fault, found.first)
  if (refusal !== null) return refusal
  if (ends) {
    exchange.orders.end(order, 'edit_post_only_reject')
    return 1
  }
  const stays = keepsPlace(order, { change, price, display: command.display })
  assign(order, change)
  order.price = price
  const rested = order.stage !== 'routed'
  if (stays) {
    const shows = freshTip(order)
    order.tip = order.display === 0n ? shows : smaller(order.tip, shows)
  } else {
    exchange.orders.leave(order)
    order.stage = rested ? 'entering' : 'routed'
  }
  exchange.orders.report('edited', order, { rested })
  exchange.orders.deadline = command.validUntil
  if (!stays) exchange.submit(order)
  else if (order.reduceOnly) exchange.orders.allocate(market, order.account)
  exchange.orders.deadline = null
  return 1
}

/** An edit of a waiting order changes its terms; only its trigger is checked. */
function editWaiting(exchange: NaiveMatching, market: NaiveMarket, order: NaiveOrder, how: Edit): number | Refusal {
  const { command, change, found } = how
  const tick = BigInt(market.spec.tick9)
  const isPriced = !isPriceless(order.type) && command.price !== null
  const price = isPriced ? BigInt(command.price ?? 0) * tick : order.price
  if (isPriced && !isPrice(exchange, market, price)) found.add(12, { reason: 'price_wrong_tick' })
  const trails = order.type === 'trailing_stop'
  const asked = trails ? command.triggerOffset : command.triggerPrice
  const at = asked === null ? null : BigInt(asked) * tick
  const changed = order.trigger && {
    ...order.trigger,
    ...(at === null ? {} : { [trails ? 'offset' : 'price']: at }),
  }
  if (changed !== null && at !== null) {
    if (trails ? at <= 0n : !isPrice(exchange, market, at)) found.add(13, { reason: 'trigger_price_wrong_tick' })
    if (order.stage === 'untriggered') {
      const { type, side } = order
      const fires = firesAt({ ...order, trigger: changed })
      checkTriggerNow({ type, side, at: fires }, exchange.state.sourceOf(market, changed.source), found)
    }
  }
  const refusal = first(command.fault, found.first)
  if (refusal !== null) return refusal
  assign(order, change)
  order.price = price
  order.trigger = changed
  exchange.orders.report('edited', order, { rested: false })
  return 1
}

function assign(order: NaiveOrder, change: Change): void {
  order.amount = change.amount
  order.display = change.display
  order.postOnly = change.postOnly
  order.reduceOnly = change.reduceOnly
  order.replaced = true
}

/** A smaller amount at the same price keeps the place; a larger displayed amount loses it (C25, C28). */
function keepsPlace(
  order: NaiveOrder,
  how: { readonly change: Change; readonly price: bigint; readonly display: number | null },
): boolean {
  if (order.stage === 'routed') return false
  if (how.price !== order.price || how.change.amount > order.amount) return false
  if (order.display === 0n || how.change.display === order.display) return true
  if (how.change.display > 0n) return how.change.display < order.display
  // The edit asks to display the whole iceberg. That is a larger display, unless its new amount left nothing to hide.
  const asked = how.display === 0 || BigInt(how.display ?? 0) > order.display
  return !asked && order.tip >= how.change.amount - order.filled
}
