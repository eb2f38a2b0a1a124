/**
 * Trials of the naive exchange: the cost of orders, and the orders that they would match. Cases without a simple
 * formula are tried in a copy of everything (C26, C27, C31, C32; steps 19 and 20 of C07).
 */

import type { SelfMatchMode, Side } from '../../src/model/index.ts'
import type { Findings } from './naive-checks.ts'
import { costOf } from './naive-margins.ts'
import type { NaiveMatching } from './naive-matching.ts'
import { smaller } from './naive-money.ts'
import { bookTypeOf, type NaiveOrder, type NaiveTerms, remainingOf } from './naive-orders.ts'
import { copyOf, given, givenCurrency, type NaiveMarket, otherSide, takes } from './naive-state.ts'

/** The effect of an order for the checks of money. `old` is the order that it replaces. */
export interface Wish {
  readonly terms: NaiveTerms
  readonly price: bigint
  readonly lots: bigint
  readonly old?: { readonly lots: bigint; readonly price: bigint }
}

/** Orders are tried without regard to fill-or-kill, which is checked later. */
const takesWhatItCan = { timeInForce: 'immediate_or_cancel' } as const

/**
 * The order that a trigger order or a dormant secondary becomes: it takes the place of a trigger order among other
 * orders, and represents a dormant one until the next part.
 */
export function become(
  exchange: NaiveMatching,
  from: NaiveOrder,
  terms: NaiveTerms,
  birth: { readonly stage: 'entering' | 'untriggered'; readonly price: bigint },
): NaiveOrder {
  const { links, created } = from
  if (from.stage === 'dormant') {
    const { condition, pair, primary } = links
    const fresh = { condition, pair, primary, origin: from }
    const placed = exchange.orders.create(terms, { ...birth, created, links: fresh })
    links.placed = placed
    return placed
  }
  const successor = exchange.orders.create(terms, {
    ...birth,
    ...{ created, triggeredBy: from.id, links: { ...links } },
  })
  if (links.partner !== null) links.partner.links.partner = successor
  for (const secondary of links.secondaries) secondary.links.primary = successor
  if (links.origin !== null) links.origin.links.placed = successor
  return successor
}

/** Step 19: the total need of new orders of one account on one instrument. */
export function checkFunds(
  exchange: NaiveMatching,
  market: NaiveMarket,
  wishes: readonly Wish[],
  found: Findings,
): void {
  const account = wishes[0]?.terms.account ?? -1
  if (market.spec.payoff === 'spot') {
    const costs = new Map<ReturnType<typeof givenCurrency>, bigint>()
    for (const wish of wishes) {
      const currency = givenCurrency(market.spec, wish.terms.side)
      costs.set(currency, (costs.get(currency) ?? 0n) + spotCostOf(exchange, market, wish))
    }
    for (const [currency, more] of costs) {
      if (more > 0n && exchange.margins.spendable(account, currency) < more) {
        found.add(19, { reason: 'not_enough_funds_in_currency', currency })
      }
    }
    return
  }
  const more = { buy: 0n, sell: 0n }
  let premium = 0n
  for (const { terms, price, lots, old } of wishes) {
    more[terms.side] += (terms.reduceOnly ? 0n : lots) - (old?.lots ?? 0n)
    if (!terms.reduceOnly) premium += premiumOf(exchange, market, { terms, price, lots })
    if (old !== undefined) premium -= costOf(market, { side: terms.side, price: old.price }, old.lots)
  }
  const trial = { account, market, more, premium, bought: more.buy }
  const currency = exchange.margins.isCross(account) ? null : market.spec.settlementCurrency
  const before = exchange.margins.poolOf(account, currency)
  const after = exchange.margins.tried(trial, () => exchange.margins.poolOf(account, currency))
  const rise = after.initial - before.initial
  const available = before.marginBalance - before.initial - before.spotReserve
  const isOption = market.spec.kind === 'option'
  const bought = exchange.margins.tried(trial, () => exchange.margins.sizesOf(market, account))[1]
  // A short option may always be bought back, whatever the premium.
  if (isOption && !exchange.margins.isPortfolio(account) && more.sell <= 0n && bought <= 0n) return
  if (rise > 0n && available < rise) {
    found.add(19, { reason: 'not_enough_funds' })
  }
}

/** The premium of an order at its price, or without a price the premium of its fills in the book (B03). */
function premiumOf(exchange: NaiveMatching, market: NaiveMarket, { terms, price, lots }: Wish): bigint {
  const { account, side, type } = terms
  const isBounded = bookTypeOf(type) !== 'market' || exchange.options.band(market) !== undefined
  if (isBounded || side === 'sell') return costOf(market, { side, price }, lots)
  let left = lots
  let cost = 0n
  const makers = exchange.orders
    .queue(market, 'sell')
    .filter(
      (maker) =>
        exchange.state.token(maker.account) !== exchange.state.token(account) ||
        exchange.state.modeOf(account) === 'off',
    )
  for (const maker of makers) {
    const taken = smaller(left, remainingOf(maker))
    cost += costOf(market, { side, price: maker.price }, taken)
    left -= taken
  }
  return cost
}

/** Step 20 for a new order: tries it in a copy of everything. `from` is the order that it came from. */
export function checkSelf(
  exchange: NaiveMatching,
  { terms, price }: { readonly terms: NaiveTerms; readonly price: bigint },
  found: Findings,
  from?: NaiveOrder,
): void {
  if (!mayMeetOwn(exchange, { ...terms, price })) return
  const { twin } = rehearse(exchange, { terms, price, from })
  if (twin.metOwn) found.add(20, { reason: 'order_overlap' })
}

/** Step 20 for a live order that is about to enter, after `changes`. */
export function meetsOwn(exchange: NaiveMatching, order: NaiveOrder, changes: Partial<NaiveOrder> = {}): boolean {
  if (!mayMeetOwn(exchange, { ...order, ...changes })) return false
  const twin = copyOf(exchange)
  const same = twin.orders.live.find(({ id }) => id === order.id)
  if (same === undefined) throw new Error('an order that enters is live')
  const { amount = same.amount, price = same.price, reduceOnly = same.reduceOnly } = changes
  Object.assign(same, { amount, price, reduceOnly, stage: 'entering', ...takesWhatItCan })
  twin.orders.leave(same)
  twin.takeIn(same)
  return twin.metOwn
}

/** True if an order that enters later than it was checked may not enter now (C32, R37). */
export function isTooLate(exchange: NaiveMatching, order: NaiveOrder): boolean {
  const best = exchange.orders.bestAgainst(exchange.state.marketOf(order), order.side)
  const wouldTake = best !== undefined && takes(order.side, order.price, best.price)
  return meetsOwn(exchange, order) || (order.postOnly !== 'off' && wouldTake)
}

/** True if the book has an order that this one might match but must not. */
function mayMeetOwn(
  exchange: NaiveMatching,
  order: {
    readonly account: number
    readonly instrument: number
    readonly side: Side
    readonly price: bigint
  },
): boolean {
  if (exchange.state.modeOf(order.account) !== 'reject_taker') return false
  return exchange.orders
    .queue(exchange.state.marketOf(order), otherSide(order.side))
    .some(
      (maker) =>
        exchange.state.token(maker.account) === exchange.state.token(order.account) &&
        takes(order.side, order.price, maker.price),
    )
}

/** The additional amount that a spot order needs from its owner, less the order that it replaces. */
function spotCostOf(exchange: NaiveMatching, market: NaiveMarket, { terms, price, lots, old }: Wish): bigint {
  const before = old === undefined ? 0n : given(market.spec, terms.side, old.lots, old.price)
  const unbounded = bookTypeOf(terms.type) === 'market' && exchange.options.band(market) === undefined
  if (!unbounded || terms.side === 'sell' || old !== undefined) {
    return given(market.spec, terms.side, lots, price) - before
  }
  // A market buy without a band pays the prices of its makers one by one, never orders of its account.
  const { order } = rehearse(exchange, { terms, price }, 'cancel_maker')
  return order.fills.reduce((sum, fill) => sum + given(market.spec, terms.side, fill.lots, fill.price), 0n)
}

/** Matches a new order in a copy of everything. */
function rehearse(
  exchange: NaiveMatching,
  tried: {
    readonly terms: NaiveTerms
    readonly price: bigint
    readonly from?: NaiveOrder | undefined
  },
  instead?: SelfMatchMode,
): { readonly twin: NaiveMatching; readonly order: NaiveOrder } {
  const twin = copyOf(exchange)
  const account = twin.state.accounts[tried.terms.account]
  if (account?.mode === 'reject_taker') account.mode = instead ?? account.mode
  const terms = { ...tried.terms, ...takesWhatItCan }
  const origin = twin.orders.live.find(({ id }) => id === tried.from?.id)
  const birth = { stage: 'entering', price: tried.price } as const
  const order =
    origin === undefined ? twin.orders.create(terms, { ...birth, created: 0 }) : become(twin, origin, terms, birth)
  twin.orders.live.push(order)
  twin.takeIn(order)
  return { twin, order }
}
