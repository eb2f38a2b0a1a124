/** Events of the naive exchange, and the life cycle of its orders: created, opened, finished. */
import { currencies, type Event, type InstrumentSpec, type OrderChanged } from '../../src/model/index.ts'
import { averageOf } from './naive-money.ts'
import {
  bookTypeOf,
  idOf,
  type NaiveLinks,
  type NaiveOrder,
  type NaiveTerms,
  noLinks,
  PRICE_MAX,
  shownOf,
  shownTrigger,
  stateOf,
} from './naive-orders.ts'
import { NaivePools } from './naive-pools.ts'

type Draft = { readonly kind: Event['kind']; readonly [field: string]: unknown }

/** Fields of an event besides the order itself. */
interface Change {
  readonly state?: OrderChanged['state']
  readonly rested: boolean
  readonly reason?: OrderChanged['reason']
  readonly successor?: number
}

/** Properties of an order that are decided at its creation. */
interface Birth {
  readonly stage: NaiveOrder['stage']
  readonly price: bigint
  readonly created: number
  readonly triggeredBy?: number
  readonly links?: Partial<NaiveLinks>
}

/** Adds events. */
export class NaiveEvents extends NaivePools {
  protected events: Event[] = []
  protected cause = 0
  private count = 0
  private readonly counters = new Map<string, number>()

  /** A new order without an event yet. */
  create(terms: NaiveTerms, birth: Birth): NaiveOrder {
    const market = this.marketOf(terms)
    const currency = market.spec.settlementCurrency
    const { stage, price, created, triggeredBy } = birth
    const { trigger, side } = terms
    const trails = terms.type === 'trailing_stop' && stage === 'untriggered'
    const reference = trails && trigger ? (this.sourceOf(market, trigger.source) ?? 0n) : 0n
    return {
      ...terms,
      id: idOf(currency, this.next(`order ${currency}`), { side, stage, trigger }),
      ...{ stage, price, created, createdAt: this.now, updatedAt: this.now },
      ...{ triggeredBy: triggeredBy ?? 0, filled: 0n, fills: [], tip: 0n },
      ...{ replaced: false, autoReplaced: false, stood: false },
      trigger: trigger && {
        source: trigger.source,
        price: trigger.price ?? 0n,
        offset: trigger.offset ?? 0n,
        ...{ reference, extreme: reference },
      },
      links: { ...noLinks(), ...birth.links },
    }
  }

  /** Announces a new order and counts it as live. */
  open(order: NaiveOrder): void {
    this.orders.push(order)
    this.report('opened', order, { rested: false })
  }

  /** Removes an order from its book, or from its route there. */
  leave(order: NaiveOrder): void {
    const market = this.marketOf(order)
    market.resting = market.resting.filter((other) => other !== order)
    this.routes = this.routes.filter((route) => route.order !== order)
  }

  /** Ends an order. The event shows its last state. */
  finish(order: NaiveOrder, change: OrderChanged['change'], reported: Change): void {
    this.leave(order)
    this.orders = this.orders.filter((other) => other !== order)
    this.ended.add(order.id)
    this.report(change, order, reported)
    order.stage = 'ended'
  }

  /** A market order without a band takes any price, and its events show no price. */
  private isEndOfPrices({ type, side, price }: NaiveOrder, spec: InstrumentSpec): boolean {
    if (bookTypeOf(type) !== 'market') return false
    const most = (PRICE_MAX / BigInt(spec.tick9)) * BigInt(spec.tick9)
    if (side === 'buy') return price === most
    return price === (spec.detail.type === 'combo' ? -most : 0n)
  }

  report(change: OrderChanged['change'], order: NaiveOrder, reported: Change): void {
    const { spec } = this.marketOf(order)
    const { id, account, instrument, side, type, timeInForce, trigger } = order
    order.updatedAt = this.now
    this.emit({
      ...{ kind: 'order', change, order: id, account, instrument, side, type, timeInForce },
      price: Number(this.isEndOfPrices(order, spec) ? 0n : order.price),
      amount: Number(order.amount),
      filled: Number(order.filled),
      averagePrice: Number(averageOf(spec, order.fills)),
      state: reported.state ?? stateOf(order),
      postOnly: order.postOnly,
      ...{ advanced: order.advanced, autoReplaced: order.autoReplaced },
      liquidation: order.liquidation,
      reduceOnly: order.reduceOnly,
      rested: reported.rested,
      replaced: order.replaced,
      label: order.label,
      createdAt: order.createdAt,
      display: Number(order.display),
      shown: Number(shownOf(order)),
      trigger: trigger && {
        source: trigger.source,
        price: Number(shownTrigger(order, spec)),
        offset: Number(trigger.offset),
        reference: Number(trigger.reference),
      },
      links: this.linksOf(order),
      triggeredBy: order.triggeredBy,
      ...{ session: 0, extras: null },
      successor: reported.successor ?? 0,
      reason: reported.reason ?? null,
      by: null,
    })
  }

  protected linksOf({ links }: NaiveOrder): object {
    const { condition, pair, primary, secondaries } = links
    return {
      ...{ condition, pair, primary: primary?.id ?? 0 },
      secondaries: secondaries.map(({ id }) => id),
    }
  }

  emit(draft: Draft): void {
    this.count += 1
    const header = { time: this.now, number: this.count, cause: this.cause }
    // The draft has the fields of its kind, and tests compare all of them with the engine's event.
    this.events.push({ ...draft, ...header } as unknown as Event)
  }

  post(account: number, currency: string, change: bigint): void {
    this.moved.add(account)
    this.cash.set(`${account} ${currency}`, this.balance(account, currency) + change)
  }

  /** One counter for the trades of a currency; the low part of the id holds it (R08). */
  protected nextTrade(currency: (typeof currencies)[number]): number {
    return this.next(`trade ${currency}`) * 128 + currencies.indexOf(currency)
  }

  private next(what: string): number {
    const number = (this.counters.get(what) ?? 0) + 1
    this.counters.set(what, number)
    return number
  }
}
