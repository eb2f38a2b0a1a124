/**
 * Liquidations of the naive exchange, a round at each whole second (market.md 6.6; R02, R53).
 *
 * A round looks at accounts of which something moved since the last one, at those that are being
 * liquidated, and at each whole minute at all of them, since funding moves without an event.
 */
import { currencies, houseAccountNames, type PickRule } from '../../src/model/index.ts'
import { black76 } from './naive-black.ts'
import { rdiv, smaller, valueAt } from './naive-money.ts'
import { floorDiv, optionOf } from './naive-options.ts'
import { isLive, type NaiveTerms } from './naive-orders.ts'
import { NaiveSettlement } from './naive-settlement.ts'
import {
  type NaiveLiquidationState,
  type NaiveMarket,
  type NaivePool,
  takes,
} from './naive-state.ts'

const SECOND = 1_000_000
const MINUTE = 60 * SECOND
const PRICE_MAX = 9_007_199_000_000_000n

/** A position that can be closed. */
interface Held {
  readonly market: NaiveMarket
  readonly size: bigint
  readonly maintenance: bigint
  /** Change of the account's worth in coin where the coin moves. */
  readonly delta: number
}

interface Picked extends Held {
  readonly rule: PickRule
  readonly chunk: bigint
}

/** The state with liquidations. */
export class NaiveLiquidation extends NaiveSettlement {
  /** Requests of a whole second come after its round. */
  protected roundsUntil: number = this.config.start
  /** Whether the last round found nothing to do. */
  private isIdle = false

  /** When a round may find something to do, at most at `until`. */
  protected nextRound(until: number): number | undefined {
    if (!this.config.liquidation.enabled) return undefined
    const now = Math.ceil(this.now / SECOND) * SECOND
    const second = now > this.roundsUntil ? now : now + SECOND
    if (this.moved.size > 0 || (this.liquidations.length > 0 && !this.isIdle)) return second
    return this.nextByFunding(until)
  }

  /** Looks at every account that may need it, by ascending id. */
  protected runRound(): void {
    this.roundsUntil = this.now
    const looked = new Set(this.moved)
    for (const { account } of this.liquidations) looked.add(account)
    if (this.now % MINUTE === 0) for (const id of this.accounts.keys()) looked.add(id)
    this.moved.clear()
    const { length } = this.events
    for (const account of [...looked].sort((a, b) => a - b)) {
      if (account < houseAccountNames.length) continue
      for (const currency of currencies) this.liquidate({ account, currency })
    }
    this.isIdle = this.events.length === length && this.moved.size === 0
  }

  /** While only funding runs, margins move one way: the first whole second or minute at which one turns. */
  private nextByFunding(until: number): number | undefined {
    const runs = this.markets.some(({ spec, rate }) => spec.funding !== null && rate !== 0n)
    if (!runs) return undefined
    const before = this.now
    const turns = (time: number): boolean => {
      this.now = time
      const found = [...this.accounts.keys()].some((account) =>
        currencies.some((currency) => {
          if (account < houseAccountNames.length) return false
          const isKnown = this.liquidationOf({ account, currency }) !== undefined
          return this.isUnder({ account, currency }) !== isKnown
        }),
      )
      this.now = before
      return found
    }
    const grid = this.liquidations.length > 0 ? SECOND : MINUTE
    let low = Math.floor(before / grid)
    let high = Math.floor(until / grid)
    if (high <= low || !turns(high * grid)) return undefined
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (turns(middle * grid)) high = middle
      else low = middle
    }
    return high * grid
  }

  private liquidationOf({ account, currency }: NaivePool): NaiveLiquidationState | undefined {
    return this.liquidations.find((each) => each.account === account && each.currency === currency)
  }

  private isUnder({ account, currency }: NaivePool): boolean {
    const { maintenance, marginBalance } = this.wallet(account, currency)
    return maintenance > marginBalance
  }

  /** One round of one pool. */
  private liquidate(pool: NaivePool): void {
    const { account, currency } = pool
    const known = this.liquidationOf(pool)
    if (!this.isUnder(pool)) {
      if (known !== undefined) this.release(known, 'healthy')
      return
    }
    const { maintenance } = this.wallet(account, currency)
    if (known === undefined && maintenance === 0n) return
    const liquidation = known ?? this.start(pool)
    if (known === undefined) {
      for (const order of [...this.ordersOf(account)]) {
        const { spec } = this.marketOf(order)
        const isOfPool =
          spec.settlementCurrency === currency ||
          (spec.payoff === 'spot' && spec.baseCurrency === currency)
        if (isOfPool && isLive(order)) this.end(order, 'autoliquidation')
      }
      if (!this.isUnder(pool)) {
        this.release(liquidation, 'healthy')
        return
      }
    }
    const held = this.heldBy(pool)
    if (held.length === 0) this.release(liquidation, 'flat')
    else {
      const picked = this.pick(held)
      if (picked !== null) this.closePart(liquidation, picked)
    }
  }

  private start(pool: NaivePool): NaiveLiquidationState {
    const liquidation = { ...pool, startedAt: this.now, isStuck: false }
    this.liquidations.push(liquidation)
    this.emit({ kind: 'liquidation_started', ...this.headerOf(liquidation) })
    return liquidation
  }

  private release(liquidation: NaiveLiquidationState, outcome: 'healthy' | 'flat'): void {
    this.liquidations = this.liquidations.filter((each) => each !== liquidation)
    this.emit({ kind: 'liquidation_ended', ...this.headerOf(liquidation), outcome })
  }

  /** What every event of a liquidation tells, margins as they are now. */
  private headerOf(liquidation: NaiveLiquidationState): object {
    const { account, currency, startedAt } = liquidation
    const { marginBalance, initial, maintenance } = this.wallet(account, currency)
    const round = (this.now - startedAt) / SECOND + 1
    return { account, currency, marginBalance, initial, maintenance, round }
  }

  /** Positions of a pool, in the order of listing. */
  private heldBy({ account, currency }: NaivePool): readonly Held[] {
    return this.ofCurrency(currency).flatMap((market) => {
      const { size } = this.position(market, account)
      if (size === 0n || market.delivered) return []
      const maintenance = this.maintenance(market, account)
      return [{ market, size, maintenance, delta: this.deltaOf(market, account) }]
    })
  }

  private deltaOf(market: NaiveMarket, account: number): number {
    const { spec } = market
    const position = this.position(market, account)
    const amount = (Number(position.size) * spec.amountStep9) / 1e9
    if (spec.payoff === 'inverse') {
      return Number(rdiv(valueAt(spec, position, market.mark), 1_000_000_000n)) / 1e9
    }
    if (spec.kind !== 'option') return amount
    const state = {
      forward: Number(this.forwardOf(market)) / 1e9,
      years: this.yearsTo(spec.expiration),
      volatility: Number(market.volatility) / 1e9,
    }
    return amount * black76(optionOf(spec), state).delta
  }

  /** Step 3: a future that takes delta off, else any, else a short option: the largest margin. */
  private pick(held: readonly Held[]): Picked | null {
    const futures = held.filter(({ market }) => market.spec.kind === 'future')
    const reducing = futures.filter((each) => {
      const { priceIndex } = each.market.spec
      const sum = held
        .filter(({ market }) => market.spec.priceIndex === priceIndex)
        .reduce((total, { delta }) => total + delta, 0)
      const size = each.size < 0n ? -each.size : each.size
      const part = (each.delta * Number(this.chunkOf(each))) / Number(size)
      return Math.abs(sum - part) < Math.abs(sum)
    })
    const shorts = held.filter(({ market, size }) => market.spec.kind === 'option' && size < 0n)
    return (
      this.largest(reducing, 'reduces_delta') ??
      this.largest(futures, 'largest_future') ??
      this.largest(shorts, 'largest_option')
    )
  }

  private largest(held: readonly Held[], rule: PickRule): Picked | null {
    const [best] = [...held].sort((a, b) =>
      a.maintenance === b.maintenance ? 0 : a.maintenance < b.maintenance ? 1 : -1,
    )
    return best === undefined ? null : { ...best, rule, chunk: this.chunkOf(best) }
  }

  /** Step 4: an eighth, rounded up to the step, and the smallest order at least (T88). */
  private chunkOf({ market, size }: Held): bigint {
    const lots = size < 0n ? -size : size
    const ppm = BigInt(this.config.liquidation.chunkPpm)
    const part = -floorDiv(-lots * ppm, 1_000_000n)
    const least = BigInt(market.spec.minTradeLots)
    return smaller(lots, part > least ? part : least)
  }

  /** Step 5: an order at the edge of the band, which takes what it can. */
  private closePart(liquidation: NaiveLiquidationState, picked: Picked): void {
    const { market, size, chunk, rule, maintenance } = picked
    const { account } = liquidation
    const side = size > 0n ? 'sell' : 'buy'
    const tick = BigInt(market.spec.tick9)
    const band = this.band(market)
    const most = band?.max ?? (PRICE_MAX / tick) * tick
    const price = side === 'buy' ? most : (band?.min ?? tick)
    const header = this.headerOf(liquidation)
    const best = this.bestAgainst(market, side)
    const meets = best !== undefined && takes(side, price, best.price)
    const isSent = market.state === 'open' && market.isMarked && meets
    if (isSent) {
      const terms: NaiveTerms = {
        ...{ account, instrument: market.id, side, type: 'limit', price, amount: chunk },
        ...{ timeInForce: 'immediate_or_cancel', label: '', display: 0n, postOnly: 'off' },
        ...{ reduceOnly: false, advanced: null, liquidation: true, trigger: null },
      }
      const order = this.create(terms, { stage: 'entering', price, created: 0 })
      this.open(order)
      this.enter(order)
    }
    const left = this.position(market, account).size - size
    if (isSent || !liquidation.isStuck) {
      this.emit({
        ...{ kind: 'liquidation_step', ...header, instrument: market.id, position: Number(size) },
        ...{ rule, positionMaintenance: maintenance, route: 'book', asked: Number(chunk) },
        ...{ closed: Math.abs(Number(left)), price: Number(price) },
      })
    }
    liquidation.isStuck = !isSent
  }
}
