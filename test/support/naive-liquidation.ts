/**
 * Liquidations of the naive exchange, with a round at each whole second (market.md 6.6; R02, R53).
 *
 * A round checks accounts that changed since the last round and accounts in liquidation. At each whole minute it checks
 * all accounts, because funding accrues without an event.
 */

import { currencies, houseAccountNames, type LiquidationRoute, type PickRule } from '../../src/model/index.ts'
import { black76 } from './naive-black.ts'
import type { NaiveEvents } from './naive-events.ts'
import type { NaiveLiveOrders } from './naive-live-orders.ts'
import type { NaiveMargins } from './naive-margins.ts'
import { MINUTE, SECOND } from './naive-marks.ts'
import type { NaiveMatching } from './naive-matching.ts'
import { absolute, floorDiv, moneyOf, NANO, rdiv, smaller, valueAt } from './naive-money.ts'
import { isInverseOption, type NaiveOptions, optionOf } from './naive-options.ts'
import { isLive, type NaiveTerms, PRICE_MAX } from './naive-orders.ts'
import {
  FUND,
  type NaiveLiquidationState,
  type NaiveMarket,
  type NaivePool,
  type NaiveState,
  takes,
} from './naive-state.ts'
import { assignToParticipants, deleverage, isProtected, transfer, transferPrice } from './naive-transfers.ts'

const ATTO = NANO * NANO

/** A position that a round can close. */
interface Held {
  readonly market: NaiveMarket
  readonly size: bigint
  readonly maintenance: bigint
  /** Its contribution to the delta of its index, in coin, 1e-9. */
  readonly delta: bigint
  /** The value of an option. */
  readonly worth: bigint
}

interface Picked extends Held {
  readonly rule: PickRule
  readonly chunk: bigint
}

/** Fields of every event of a liquidation. */
interface NaiveHeader {
  readonly account: number
  readonly currency: string
  readonly marginBalance: bigint
  readonly initial: bigint
  readonly maintenance: bigint
  readonly round: number
}

/** Rounds of liquidations. */
export class NaiveLiquidation {
  private readonly state: NaiveState
  private readonly events: NaiveEvents
  private readonly orders: NaiveLiveOrders
  private readonly options: NaiveOptions
  private readonly margins: NaiveMargins
  private readonly matching: NaiveMatching
  /** Time of the next round. A round precedes the requests of its second. */
  roundsUntil: number
  /** True if the last round found nothing to do and nothing has happened since. */
  isIdle = false

  constructor(matching: NaiveMatching) {
    this.state = matching.state
    this.events = matching.events
    this.orders = matching.orders
    this.options = matching.options
    this.margins = matching.margins
    this.matching = matching
    this.roundsUntil = this.state.config.start
  }

  /** The time of the next round that may find something to do, at most `until`. */
  nextRound(until: number): number | undefined {
    if (!this.state.config.liquidation.enabled) return undefined
    const now = Math.ceil(this.state.now / SECOND) * SECOND
    const second = now > this.roundsUntil ? now : now + SECOND
    if (this.state.moved.size > 0 || (this.state.liquidations.length > 0 && !this.isIdle)) return second
    return this.nextByTime(second, until)
  }

  /** Checks every account that may need it, by ascending id. */
  runRound(): void {
    this.roundsUntil = this.state.now
    const looked = new Set(this.state.moved)
    for (const { account } of this.state.liquidations) looked.add(account)
    if (this.state.now % MINUTE === 0) for (const id of this.state.accounts.keys()) looked.add(id)
    this.state.moved.clear()
    const { length } = this.events.list
    for (const account of [...looked].sort((a, b) => a - b)) {
      for (const pool of this.poolsOf(account)) this.liquidate(pool)
    }
    this.isIdle = this.events.list.length === length && this.state.moved.size === 0
  }

  /**
   * The first whole second or minute from `first` on at which the passing of time alone has made a margin fail or
   * recover. Funding moves a margin in one direction. Options move it at whole minutes, without an event if their mark
   * stays equal, and with options `until` is at most the next minute.
   */
  private nextByTime(first: number, until: number): number | undefined {
    const isFunded = this.state.markets.some(({ spec, part }) => spec.funding !== null && part !== 0n)
    if (!isFunded && this.options.listed().length === 0) return undefined
    const before = this.state.now
    const turns = (time: number): boolean => {
      this.state.now = time
      const found = [...this.state.accounts.keys()].some((account) =>
        this.poolsOf(account).some((pool) => {
          const isKnown = this.liquidationOf(pool) !== undefined
          return this.isUnder(pool) !== isKnown
        }),
      )
      this.state.now = before
      return found
    }
    const grid = this.state.liquidations.length > 0 ? SECOND : MINUTE
    // The round of the current second may still be due, after marks of the same second.
    let low = Math.ceil(first / grid) - 1
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
    return this.state.liquidations.find((each) => each.account === account && each.currency === currency)
  }

  private isUnder({ account, currency }: NaivePool): boolean {
    const { maintenance, marginBalance } = this.margins.poolOf(account, currency)
    return maintenance > marginBalance
  }

  /** The pools of an account; each is liquidated separately. */
  private poolsOf(account: number): readonly NaivePool[] {
    if (account < houseAccountNames.length) return []
    if (this.margins.isCross(account)) return [{ account, currency: null }]
    return currencies.map((currency) => ({ account, currency }))
  }

  /** One round of one pool. */
  private liquidate(pool: NaivePool): void {
    const known = this.liquidationOf(pool)
    if (!this.isUnder(pool)) {
      if (known !== undefined) this.release(known, 'healthy')
      return
    }
    if (known === undefined && this.heldBy(pool).length === 0) return
    const liquidation = known ?? this.start(pool)
    if (known === undefined) {
      this.endAll(pool)
      if (!this.isUnder(pool)) {
        this.release(liquidation, 'healthy')
        return
      }
    }
    const held = this.heldBy(pool)
    if (held.length === 0) this.release(liquidation, 'flat')
    else this.closePart(liquidation, held)
  }

  /** Cancels all open orders of the account in any currency, as 6.6 says. */
  private endAll({ account }: NaivePool): void {
    for (const order of [...this.orders.of(account)]) {
      if (isLive(order)) this.orders.end(order, 'autoliquidation')
    }
  }

  private start(pool: NaivePool): NaiveLiquidationState {
    const liquidation = { ...pool, startedAt: this.state.now, isStuck: false }
    this.state.liquidations.push(liquidation)
    this.events.emit({
      kind: 'liquidation',
      change: 'started',
      ...this.headerOf(liquidation),
      outcome: null,
    })
    return liquidation
  }

  private release(liquidation: NaiveLiquidationState, outcome: 'healthy' | 'flat'): void {
    this.state.liquidations = this.state.liquidations.filter((each) => each !== liquidation)
    const header = this.headerOf(liquidation)
    // A round that finds the account healthy does nothing, and does not count.
    const isCounted = outcome === 'flat' || liquidation.startedAt === this.state.now
    const round = isCounted ? header.round : header.round - 1
    this.events.emit({ kind: 'liquidation', change: 'ended', ...header, round, outcome })
  }

  /** Fields of every event of a liquidation, with the current margins. */
  private headerOf(liquidation: NaiveLiquidationState): NaiveHeader {
    const { account, currency, startedAt } = liquidation
    const { marginBalance, initial, maintenance } = this.margins.poolOf(account, currency)
    const round = (this.state.now - startedAt) / SECOND + 1
    const pool = { account, currency: currency ?? 'USD' }
    return { ...pool, marginBalance, initial, maintenance, round }
  }

  /** Positions of a pool, in the order of listing. */
  private heldBy({ account, currency }: NaivePool): readonly Held[] {
    return this.state.markets.flatMap((market) => {
      const { size } = this.state.position(market, account)
      const isOfPool = currency === null || market.spec.settlementCurrency === currency
      if (size === 0n || market.delivered || !isOfPool) return []
      const fine = this.margins.fineMaintenance(market, account)
      const index = this.margins.usdIndex(market.spec.settlementCurrency)
      const maintenance = currency === null ? rdiv(fine * index, ATTO) : rdiv(fine, NANO)
      const value = market.spec.kind === 'option' ? this.margins.valueOf(market, account) : 0n
      const worth = currency === null ? rdiv(value * index, NANO) : value
      return [{ market, size, maintenance, worth, delta: this.deltaOf(market, account) }]
    })
  }

  /** Delta of a position in coin, 1e-9; for an option in coin, less its value. */
  private deltaOf(market: NaiveMarket, account: number): bigint {
    const { spec } = market
    const position = this.state.position(market, account)
    const amount = position.size * BigInt(spec.amountStep9)
    if (spec.payoff === 'inverse') return moneyOf(spec, valueAt(spec, position, market.mark))
    if (spec.kind !== 'option') return amount
    const years = this.options.yearsTo(spec.expiration)
    const forward = Number(this.options.forwardOf(market)) / 1e9
    if (forward === 0 || years === 0) return 0n
    const state = { forward, years, volatility: Number(market.volatility) / 1e9 }
    const { delta } = black76(optionOf(spec), state)
    const own = rdiv(BigInt(Math.round(Math.abs(delta) * 1e9)) * amount, NANO)
    const signed = delta < 0 ? -own : own
    return isInverseOption(spec) ? signed - this.margins.valueOf(market, account) : signed
  }

  /**
   * Step 3: a future that reduces delta, otherwise any future, otherwise a short option; among these the largest
   * margin.
   */
  private pick(held: readonly Held[]): Picked | null {
    const futures = held.filter(({ market }) => market.spec.kind === 'future')
    const reducing = futures.filter((each) => {
      const { priceIndex } = each.market.spec
      const sum = held
        .filter(({ market }) => market.spec.priceIndex === priceIndex)
        .reduce((total, { delta }) => total + delta, 0n)
      const size = each.size < 0n ? -each.size : each.size
      const part = (each.delta * this.chunkOf(each)) / size
      return absolute(sum - part) < absolute(sum)
    })
    const options = held.filter(({ market }) => market.spec.kind === 'option')
    const shorts = options.filter(({ size }) => size < 0n)
    const byMargin = ({ maintenance }: Held): bigint => maintenance
    return (
      this.largest(reducing, byMargin, 'reduces_delta') ??
      this.largest(futures, byMargin, 'largest_future') ??
      this.largest(shorts, byMargin, 'largest_option') ??
      this.largest(options, ({ worth }) => worth, 'largest_option')
    )
  }

  private largest(held: readonly Held[], by: (held: Held) => bigint, rule: PickRule): Picked | null {
    const [best] = [...held].sort((a, b) => (by(a) === by(b) ? 0 : by(a) < by(b) ? 1 : -1))
    return best === undefined ? null : { ...best, rule, chunk: this.chunkOf(best) }
  }

  /** Step 4: an eighth, rounded up to the step, and at least the smallest order (T88). */
  private chunkOf({ market, size }: Held): bigint {
    const lots = size < 0n ? -size : size
    const ppm = BigInt(this.state.config.liquidation.chunkPpm)
    const part = -floorDiv(-lots * ppm, 1_000_000n)
    const least = BigInt(market.spec.minTradeLots)
    return smaller(lots, part > least ? part : least)
  }

  /**
   * Steps 5 and 6: the fund takes the options of an account without equity; otherwise part of one position is closed.
   */
  private closePart(liquidation: NaiveLiquidationState, held: readonly Held[]): void {
    const header = this.headerOf(liquidation)
    const { account, currency } = liquidation
    const isOver = this.margins.poolOf(account, currency).equity < 0n
    if (isOver && held.every(({ market }) => market.spec.kind === 'option')) {
      for (const each of held) this.closeOut(liquidation, header, each)
      return
    }
    const picked = this.pick(held)
    if (picked === null) return
    const { market, size } = picked
    let left = picked.chunk
    if (market.state === 'open' && market.isMarked && isProtected(this.matching, market, account)) {
      for (const route of ['lsp', 'adl'] as const) {
        if (left === 0n) break
        const offer = { market, account, isLong: size > 0n, lots: left }
        const { spreadPpm, adlSpreadPpm } = this.state.config.lsp
        const price = transferPrice(offer, route === 'lsp' ? spreadPpm : adlSpreadPpm)
        const before = this.state.position(market, account).size
        const closed = route === 'lsp' ? assignToParticipants(this.matching, offer) : deleverage(this.matching, offer)
        if (closed === 0n) continue
        liquidation.isStuck = false
        this.reportStep(header, picked, { route, position: before, asked: left, closed, price })
        left -= closed
      }
      if (left === 0n) return
    }
    this.closeInBook(liquidation, header, { ...picked, chunk: left })
  }

  private closeOut(liquidation: NaiveLiquidationState, header: object, held: Held): void {
    const { market, size } = held
    if (!market.isMarked) return
    const price = market.mark
    transfer(this.matching, {
      ...{ reason: 'close_out', market, from: liquidation.account, to: FUND, lots: size, price },
    })
    const chunk = absolute(size)
    const picked = { ...held, rule: 'close_out', chunk } as const
    const part = { route: 'fund', position: size, asked: chunk, closed: chunk, price } as const
    this.reportStep(header, picked, part)
  }

  /** Places an order at the edge of the band, which fills as much as possible. */
  private closeInBook(liquidation: NaiveLiquidationState, header: object, picked: Picked): void {
    const { market, chunk } = picked
    const { account } = liquidation
    const before = this.state.position(market, account).size
    const side = before > 0n ? 'sell' : 'buy'
    const tick = BigInt(market.spec.tick9)
    const band = this.options.band(market)
    const most = band?.max ?? (PRICE_MAX / tick) * tick
    const price = side === 'buy' ? most : (band?.min ?? tick)
    const best = this.orders.bestAgainst(market, side)
    const meets = best !== undefined && takes(side, price, best.price)
    const isSent = market.state === 'open' && market.isMarked && meets
    if (isSent) {
      const terms: NaiveTerms = {
        ...{ account, instrument: market.id, side, type: 'limit', price, amount: chunk },
        ...{ timeInForce: 'immediate_or_cancel', label: '', display: 0n, postOnly: 'off' },
        ...{ reduceOnly: false, advanced: null, liquidation: true, trigger: null },
      }
      const order = this.orders.create(terms, { stage: 'entering', price, created: 0 })
      this.orders.open(order)
      this.matching.enter(order)
    }
    const closed = absolute(this.state.position(market, account).size - before)
    if (isSent || !liquidation.isStuck) {
      const part = { route: 'book', position: before, asked: chunk, closed, price } as const
      this.reportStep(header, picked, part)
    }
    liquidation.isStuck = !isSent
  }

  private reportStep(
    header: object,
    { market, rule, maintenance }: Picked,
    part: {
      readonly route: LiquidationRoute
      readonly position: bigint
      readonly asked: bigint
      readonly closed: bigint
      readonly price: bigint
    },
  ): void {
    this.events.emit({
      ...{ kind: 'liquidation_step', ...header, instrument: market.id },
      ...{ position: Number(part.position), rule, positionMaintenance: maintenance, route: part.route },
      ...{ asked: Number(part.asked), closed: Number(part.closed), price: Number(part.price) },
    })
  }
}
