/**
 * Orders of random command streams. An intent and the state of the run so far give the terms of an order, of its linked
 * orders, and of an edit.
 */
import { type Lots, lots, type Ticks, ticks } from '../../src/core/index.ts'
import {
  type EditOrder,
  entryTypeOf,
  fillConditions,
  type InstrumentSpec,
  type LinkedOrderType,
  type LinkedTerms,
  type OrderTerms,
  type OrderType,
  type Side,
  type TriggerSource,
  triggerOrderTypes,
  triggerSources,
} from '../../src/model/index.ts'
import type { Intent, Kind, World } from './command-world.ts'

/** The stream's knowledge of one instrument: prices in 1e-9, and signed positions by account. */
export interface Sight {
  readonly spec: InstrumentSpec
  mark: number
  index: number
  last: number
  readonly positions: Map<number, number>
}

/** The fields of a placed order that an edit needs. */
export interface Placed {
  readonly id: number
  readonly account: number
  readonly instrument: number
  readonly side: Side
  readonly type: OrderType
  readonly timeInForce: OrderTerms['timeInForce']
  readonly source: TriggerSource | null
}

/** Terms of a requested order and of its linked orders. */
export interface Wanted extends OrderTerms {
  readonly display: Lots
  readonly linked: LinkedTerms | null
}

/** The shape of an order before prices and sizes are chosen. */
interface Plan {
  readonly type: OrderType
  readonly side: Side
  readonly offset: number
  readonly amount: number
  readonly reduceOnly: boolean
  readonly detail: number
  readonly timeInForce?: OrderTerms['timeInForce']
  readonly postOnly?: OrderTerms['postOnly']
}

/** Orders with limit prices near the mark of one instrument. */
export class OrderWriter {
  private readonly world: World
  private readonly sight: Sight

  constructor(world: World, sight: Sight) {
    this.world = world
    this.sight = sight
  }

  /** An order for a request of the given kind. */
  order(asked: Kind, intent: Intent, account: number): Wanted {
    const { pick, detail } = intent
    if (this.isOption && isConditional(asked)) return this.order('limit', intent, account)
    const kind = asked
    const position = this.sight.positions.get(account) ?? 0
    // Most reduce-only orders are on the reducing side.
    const mayReduce = position !== 0 || detail % 8 === 0
    const reduces = (kind === 'reduce' || kind === 'reduce_stop') && this.isFuture && mayReduce
    const buys = reduces && position !== 0 && detail % 8 > 0 ? position < 0 : intent.buys
    const type = this.typeOf(kind, intent)
    const timeInForce = this.timeOf(kind, intent)
    const plan: Plan = {
      type,
      side: buys ? 'buy' : 'sell',
      offset: this.offsetOf(kind, buys, intent),
      amount: this.sizeOf(kind, intent, Math.abs(position)),
      ...{ reduceOnly: reduces, detail },
      timeInForce,
      postOnly: mayPost(type, timeInForce) ? this.postOnlyOf(kind, intent) : 'off',
    }
    return {
      ...this.terms(plan, intent),
      label: labelOf(pick),
      display: this.displayOf(kind, intent, plan.amount),
      linked: this.linkedOf(kind, plan, intent),
    }
  }

  /** The changes that an edit requests. */
  edit(
    order: Placed,
    intent: Intent,
  ): Omit<EditOrder, 'kind' | 'order' | 'validUntil' | 'time' | 'sequence' | 'account' | 'session' | 'fault'> {
    const { pick, detail, offset, size } = intent
    const part = <T>(bit: number, every: number, value: T): T | null =>
      Math.floor(detail / 7 ** bit) % 7 < every ? value : null
    const waits = order.source !== null
    const trails = order.type === 'trailing_stop'
    const display = this.displayOf('iceberg', intent, size * this.world.scale)
    return {
      amount: part(0, 4, this.lots(size, pick)),
      price: part(1, 3, this.ticksAt(this.sight.mark, offset)),
      advanced: null,
      postOnly: mayPost(order.type, order.timeInForce)
        ? part(2, 3, this.postOnly((['off', 'slide', 'reject'] as const)[pick % 3] ?? 'off'))
        : null,
      reduceOnly: this.isFuture ? part(3, 2, pick % 2 === 0) : null,
      display: part(4, 2, pick % 5 === 0 ? lots(0) : display),
      triggerPrice: waits && !trails ? part(5, 3, this.triggerTicks(order, order.source, intent)) : null,
      triggerOffset: waits && trails ? part(5, 3, this.trailingTicks(intent)) : null,
      mmp: null,
    }
  }

  /** A price at a number of spreads from another. */
  ticksAt(price: number, offset: number): Ticks {
    const { tick9, tickSteps } = this.sight.spec
    if (!this.isOption) return ticks(Math.round(price / tick9) + offset * this.world.spread)
    // Options have a coarse grid. Most prices are on it, and few are far away.
    const spread = Math.min(this.world.spread, 10)
    const step = tickSteps.filter(({ above }) => price >= above).at(-1)?.tick9 ?? tick9
    const grid = Math.round(step / tick9)
    const near = Math.round(price / step) + (offset * spread) / 3
    return ticks(Math.round(offset === 5 ? near * grid : Math.round(near) * grid))
  }

  private get isOption(): boolean {
    return this.sight.spec.kind === 'option'
  }

  private get isFuture(): boolean {
    return this.sight.spec.payoff !== 'spot' && this.sight.spec.detail.type !== 'combo'
  }

  private get routed(): boolean {
    return this.sight.spec.routeDelay !== null
  }

  private terms(plan: Plan, intent: Intent): OrderTerms {
    const { type, side, reduceOnly } = plan
    // The last price is unknown at first.
    const wanted = triggerSources[plan.detail % 3] ?? 'mark_price'
    const isKnown = wanted !== 'last_price' || this.sight.last > 0 || plan.detail % 7 === 0
    const source = this.routed ? 'last_price' : isKnown ? wanted : 'mark_price'
    const isTrigger = triggerOrderTypes.some((known) => known === type)
    const trails = type === 'trailing_stop'
    return {
      ...{ side, type, reduceOnly, label: '', advanced: null },
      timeInForce: plan.timeInForce ?? 'good_til_cancelled',
      // Some orders lack their price.
      price: plan.detail % 97 === 0 ? null : this.ticksAt(this.sight.mark, plan.offset),
      amount: lots(plan.amount),
      postOnly: plan.postOnly ?? 'off',
      trigger: isTrigger
        ? {
            source,
            price: trails ? null : this.triggerTicks({ type, side }, source, intent),
            offset: trails ? this.trailingTicks(intent) : null,
          }
        : null,
    }
  }

  private offsetOf(kind: Kind, buys: boolean, { offset, detail }: Intent): number {
    // A waiting order may have a price far outside the band when it fires.
    if (kind === 'stop' && detail % 6 === 0) return offset * 400
    const isAway = kind === 'limit' || kind === 'iceberg' || kind === 'reduce' || isLinked(kind)
    return isAway && detail % 4 > 0 ? awayOf(buys, offset) : offset
  }

  /** A market order in flight would reserve all funds if no band limits its price. */
  private get marketType(): OrderType {
    return this.routed && !this.world.priceBands ? 'limit' : 'market'
  }

  private typeOf(kind: Kind, { detail }: Intent): OrderType {
    const stops = this.routed ? (['stop_limit'] as const) : triggerOrderTypes.slice(0, 4)
    switch (kind) {
      case 'market':
        return this.marketType
      case 'market_limit':
        return this.routed ? 'limit' : 'market_limit'
      case 'stop':
      case 'reduce_stop':
        return stops[detail % stops.length] ?? 'stop_limit'
      case 'trailing':
        return this.routed ? 'stop_limit' : 'trailing_stop'
      case 'reduce':
        return detail % 4 === 0 ? this.marketType : 'limit'
      case 'one_cancels':
      case 'one_triggers':
      case 'bracket':
        return this.routed ? 'limit' : mixedType(detail)
      default:
        return 'limit'
    }
  }

  private timeOf(kind: Kind, { pick, detail }: Intent): OrderTerms['timeInForce'] {
    if (kind === 'ioc') return 'immediate_or_cancel'
    if (kind === 'fok') return 'fill_or_kill'
    if (kind === 'day' && !this.routed) return 'good_til_day'
    const mayDie = kind === 'market' || kind === 'stop' || kind === 'reduce' || isLinked(kind)
    if (!mayDie || pick % 4 > 0) return 'good_til_cancelled'
    const day = this.routed ? 'immediate_or_cancel' : 'good_til_day'
    return (['immediate_or_cancel', 'fill_or_kill', day] as const)[detail % 3] ?? day
  }

  private postOnlyOf(kind: Kind, { pick, detail }: Intent): OrderTerms['postOnly'] {
    if (kind === 'slide' || kind === 'reject') return this.postOnly(kind)
    const tries = kind === 'stop' ? pick % 2 === 0 : kind === 'iceberg' && detail % 5 === 0
    return tries ? this.postOnly(detail % 3 === 0 ? 'slide' : 'reject') : 'off'
  }

  /** An alternative engine does not move prices of post-only orders. */
  private postOnly(wanted: OrderTerms['postOnly']): OrderTerms['postOnly'] {
    return this.routed && wanted === 'slide' ? 'reject' : wanted
  }

  private sizeOf(kind: Kind, { pick, size, detail }: Intent, position: number): number {
    const reduces = kind === 'reduce' || kind === 'reduce_stop'
    // Reduce-only orders ask for part of the position, for all of it, or for more.
    if (reduces && position > 0 && detail % 3 > 0) {
      return Math.max(1, Math.floor((position * (1 + (size % 5))) / 4))
    }
    // Linked orders that trigger each other fill lot by lot, so they stay small.
    if (isLinked(kind)) return this.lots(3 + (size % 10), 1)
    const amount = this.lots(size, pick)
    return kind === 'iceberg' && this.world.scale > 1 ? amount * this.sight.spec.minTradeLots : amount
  }

  private displayOf(kind: Kind, { pick, detail }: Intent, amount: number): Lots {
    if (this.isOption || (kind !== 'iceberg' && detail % 12 > 0)) return lots(0)
    const least = 100 * this.sight.spec.minTradeLots
    if (pick % 11 === 0) return lots(Math.max(1, Math.floor(least / 2)))
    if (pick % 13 === 0) return lots(amount)
    return lots(least + (pick % 3) * Math.floor(least / 2))
  }

  private lots(size: number, pick: number): Lots {
    // Half of the sizes are small, so that some orders match exactly; a few exceed every limit.
    const few = pick % 2 === 0 ? 1 + (size % 3) : size
    const usual = [1, 1, 1, 1, 1, 10, 1000][pick % 7] ?? 1
    const odd = pick % 6 === 0 ? pick % 17 : 0
    const scale = pick % 101 === 0 ? 1_000_000_000_000 : usual * this.world.scale
    return lots(few * scale + odd)
  }

  /** Most triggers are beyond the source's price; some are at it or past it. */
  private triggerTicks(
    { type, side }: { readonly type: OrderType; readonly side: Side },
    source: TriggerSource | null,
    { pick, offset }: Intent,
  ): Ticks {
    const { mark, index, last } = this.sight
    const known = source === 'index_price' ? index : source === 'mark_price' ? mark : last || mark
    const isStop = type === 'stop_limit' || type === 'stop_market'
    const rises = isStop === (side === 'buy')
    const away = (1 + Math.abs(offset)) * ([1, 1, 1, 40][pick % 4] ?? 1)
    if (pick % 53 === 0) return ticks(0)
    const wrong = pick % 12 === 0 ? -1 : 1
    return this.ticksAt(known, (rises ? away : -away) * wrong)
  }

  private trailingTicks({ pick, offset }: Intent): Ticks {
    if (pick % 23 === 0) return ticks(Math.min(0, offset))
    const wide = [1, 1, 3, 40][pick % 4] ?? 1
    return ticks((1 + Math.abs(offset)) * this.world.spread * wide)
  }

  private linkedOf(kind: Kind, plan: Plan, intent: Intent): LinkedTerms | null {
    const types: Partial<Record<Kind, LinkedOrderType>> = {
      one_cancels: 'one_cancels_other',
      one_triggers: 'one_triggers_other',
      bracket: 'one_triggers_one_cancels_other',
    }
    const type = types[kind]
    if (type === undefined || this.routed) return null
    const { detail, pick } = intent
    const count = kind === 'one_cancels' ? 1 : kind === 'bracket' ? 2 : 1 + (detail % 3)
    const condition = fillConditions[Math.floor(detail / 3) % 3] ?? 'first_hit'
    const secondaries = Array.from({ length: count }, (_, at) => {
      const own = Math.floor(detail / 9 ** (at + 1))
      // Exits are on the opposite side, and most have the size of the order that they exit.
      const isExit = kind === 'one_cancels' ? own % 3 === 0 : own % 4 > 0
      const side: Side = isExit === (plan.side === 'buy') ? 'sell' : 'buy'
      const offset = awayOf(side === 'buy', (own % 13) - 6)
      const amount = own % 5 > 0 ? plan.amount : this.lots(1 + (own % 12), 1)
      const reduceOnly = this.isFuture && isExit && own % 3 === 0
      const type_ = mixedType(own)
      const dies = own % 11 === 0
      return {
        ...this.terms(
          {
            ...{ type: type_, side, offset, amount, reduceOnly, detail: own },
            timeInForce: dies ? 'immediate_or_cancel' : own % 13 === 0 ? 'good_til_day' : 'good_til_cancelled',
            postOnly: !dies && own % 13 > 0 && own % 7 === 0 && type_ === 'limit' ? 'slide' : 'off',
          },
          { ...intent, pick: own, offset: (own % 7) - 3 },
        ),
        label: labelOf(pick + at),
      }
    })
    return { type, condition, secondaries }
  }
}

/** Most limit orders are on their own side of the mark. */
function awayOf(buys: boolean, offset: number): number {
  return buys ? offset - 3 : offset + 3
}

/** Options have no trigger orders and no linked orders. */
function isConditional(kind: Kind): boolean {
  return kind === 'stop' || kind === 'reduce_stop' || kind === 'trailing' || isLinked(kind)
}

function isLinked(kind: Kind): boolean {
  return kind === 'one_cancels' || kind === 'one_triggers' || kind === 'bracket'
}

/** Limit orders that rest until they are cancelled. */
function mayPost(type: OrderType, timeInForce: OrderTerms['timeInForce']): boolean {
  return entryTypeOf(type) === 'limit' && timeInForce === 'good_til_cancelled'
}

/** Mostly limit orders; sometimes every other type. */
function mixedType(detail: number): OrderType {
  const types: readonly OrderType[] = ['limit', 'limit', 'limit', 'limit', 'market', 'market_limit']
  const every = [...types, ...triggerOrderTypes]
  return every[detail % every.length] ?? 'limit'
}

function labelOf(pick: number): string {
  return pick % 3 === 0 ? 'a' : pick % 3 === 1 ? 'b' : ''
}
