/**
 * 08:00 in the naive exchange: delivery, settlement, bankruptcy and new listings, by settlement currency (market.md
 * 1.5, 1.6, 3.5 to 3.7, 4). The other currencies of a bankrupt cross account pay its debt at the indices (6.4).
 */
import { labelOfExpiry, type Micros } from '../../src/core/index.ts'
import {
  type Currency,
  currencies,
  houseAccountNames,
  type InstrumentSpec,
  type InstrumentState,
  specFromName,
} from '../../src/model/index.ts'
import type { NaiveEvents } from './naive-events.ts'
import type { NaiveLiveOrders } from './naive-live-orders.ts'
import type { NaiveMargins } from './naive-margins.ts'
import type { NaiveMarks } from './naive-marks.ts'
import { feeOf, floorDiv, larger, moneyOf, NANO, type NaivePosition, rdiv, smaller, valueAt } from './naive-money.ts'
import { isInverseOption } from './naive-options.ts'
import { isLive, type NaiveOrder, numberOf } from './naive-orders.ts'
import { naiveExpiries } from './naive-schedule.ts'
import { FUND, type NaiveMarket, type NaiveState } from './naive-state.ts'

const FEES = 0
const ROUNDING = 2

/** The sums of one settled instrument. */
interface Sums {
  profit: bigint
  session: bigint
}

/** A transfer of money between two accounts. */
interface NaiveMoneyTransfer {
  readonly source: number
  readonly target: number
  readonly currency: Currency
  readonly amount: bigint
  readonly nonce: string | null
}

/** Currencies whose settlement waits, and books that are closed for it. */
export class NaiveSettlement {
  readonly state: NaiveState
  readonly events: NaiveEvents
  readonly orders: NaiveLiveOrders
  readonly margins: NaiveMargins
  readonly marks: NaiveMarks
  /** Times at which the books of a currency open again after its settlement. */
  reopenings: { readonly due: number; readonly currency: string }[] = []
  /** Currencies whose settlement waits until no book is halted. */
  private readonly waiting = new Set<string>()

  constructor(
    state: NaiveState,
    events: NaiveEvents,
    orders: NaiveLiveOrders,
    margins: NaiveMargins,
    marks: NaiveMarks,
  ) {
    this.state = state
    this.events = events
    this.orders = orders
    this.margins = margins
    this.marks = marks
  }

  /** The work of each 08:00. */
  endSession(): void {
    this.endDayOrders(this.orders.live)
    for (const index of this.state.indices.keys()) this.fixDelivery(index)
    const due = currencies.filter((currency) => this.unsettled(currency).length > 0)
    for (const currency of due) this.waiting.add(currency)
    for (const currency of due) this.settleUnlessHalted(currency)
  }

  /** Settles a waiting currency if no book is halted. */
  settleUnlessHalted(currency: Currency): void {
    const markets = this.unsettled(currency)
    const isHalted = markets.some(({ state }) => state === 'halted')
    if (!this.waiting.has(currency)) return
    if (isHalted) {
      for (const market of markets) if (this.isDue(market)) this.closeBook(market)
      return
    }
    this.waiting.delete(currency)
    for (const market of markets) this.closeBook(market)
    const profits = new Map<number, bigint>()
    const ending = markets.filter((market) => this.isDue(market))
    for (const market of ending) if (isOption(market)) this.deliver(market, profits)
    for (const market of ending) if (!isOption(market)) this.deliver(market, profits)
    for (const market of markets) {
      if (market.delivered || !market.isMarked) continue
      if (isOption(market)) this.resetSessions(market)
      else if (!isCombo(market)) this.settleMarket(market, { type: 'settlement', profits })
    }
    this.shareLosses(currency, profits)
    const { settlementTime } = this.state.config
    if (settlementTime === 0) this.reopen(currency)
    else this.reopenings.push({ due: this.state.now + settlementTime, currency })
  }

  /** Restores the previous states of books, and lists new expiries. */
  reopen(currency: string): void {
    for (const market of this.state.ofCurrency(currency)) {
      const { stateBefore } = market
      market.stateBefore = null
      if (stateBefore !== null && market.state === 'settlement') {
        this.changeState(market, stateBefore)
      }
    }
    this.listScheduled([currency])
  }

  /** Lists the expiries that are due for some settlement currencies. */
  listScheduled(of: readonly string[]): void {
    for (const expiry of naiveExpiries(this.state.now)) {
      for (const pair of this.state.config.listedFutures) {
        const name = `${pair}-${labelOfExpiry(expiry as Micros)}`
        if (this.state.markets.some(({ spec }) => spec.name === name)) continue
        const spec = specFromName(name, { creation: this.state.now as Micros })
        if (!spec.ok) throw new Error(spec.error)
        if (of.includes(spec.value.settlementCurrency)) this.listNew(spec.value)
      }
    }
  }

  listNew(spec: InstrumentSpec): void {
    const id = this.state.markets.length
    const market: NaiveMarket = {
      ...{ id, spec, state: 'open', mark: 0n, isMarked: false, pinned: false },
      direction: 1,
      ...{ resting: [], trades: [], positions: new Map() },
      ...{ ema: 0n, rate: 0n, part: 0n, accumulated: 0n, fundedUntil: this.state.now, longsPaid: 0n },
      ...{ deliveryPrice: 0n, delivered: false, stateBefore: null, volatility: 0n, isReported: false },
      ...{ bookPrice: null, usedAt: this.state.now },
    }
    this.state.markets.push(market)
    this.state.indices.set(spec.priceIndex, this.state.indices.get(spec.priceIndex) ?? 0n)
    this.events.emit({ kind: 'instrument', instrument: { ...spec, id } })
    const isSettling = this.reopenings.some(({ currency }) => currency === spec.settlementCurrency)
    if (isSettling && spec.payoff !== 'spot') {
      market.stateBefore = 'open'
      this.changeState(market, 'settlement')
    }
    if (isOption(market)) this.marks.followForwards(spec.priceIndex)
    this.marks.remark(market)
    this.marks.followFutures(spec.priceIndex)
  }

  changeState(market: NaiveMarket, state: InstrumentState): void {
    if (market.state === state) return
    market.state = state
    this.events.emit({ kind: 'state', instrument: market.id, state })
  }

  /** Dormant secondaries have no day yet. */
  endDayOrders(orders: readonly NaiveOrder[]): void {
    const day = orders.filter(({ timeInForce, stage }) => timeInForce === 'good_til_day' && stage !== 'dormant')
    for (const order of this.inOrder(day)) {
      const isOver = this.state.marketOf(order).spec.expiration <= this.state.now
      if (isLive(order)) this.orders.end(order, isOver ? 'expiry' : 'settlement')
    }
  }

  inOrder(orders: readonly NaiveOrder[]): readonly NaiveOrder[] {
    return [...orders].sort((a, b) => a.instrument - b.instrument || numberOf(a.id) - numberOf(b.id))
  }

  /** Futures and perpetuals of a currency that are not over. */
  private unsettled(currency: string): readonly NaiveMarket[] {
    return this.state.ofCurrency(currency).filter(({ delivered }) => !delivered)
  }

  /** All instruments with one expiry and one index have the same delivery price. */
  private fixDelivery(index: string): void {
    const followers = this.state.markets.filter(
      ({ spec, delivered }) => spec.priceIndex === index && spec.payoff !== 'spot' && !delivered,
    )
    const { price, samples } = this.marks.deliveryOf(index, this.state.now)
    if (followers.length === 0) return
    if (samples > 0) {
      this.events.emit({ kind: 'delivery_price', index, price: Number(price), samples })
    }
    for (const market of followers) {
      const isFixed = market.deliveryPrice > 0n
      if (isFixed || market.spec.expiration > this.state.now) continue
      market.deliveryPrice = price === 0n ? market.mark : price
    }
  }

  /** True if it is delivered now, at the price of 08:00 or with a still unknown index. */
  private isDue(market: NaiveMarket): boolean {
    const isUnknown = this.state.indexOf(market) === 0n && !market.isMarked
    const isKnown = market.deliveryPrice > 0n || isUnknown
    return market.spec.expiration <= this.state.now && isKnown
  }

  /** Closes a book; orders of an instrument that is delivered now end. */
  private closeBook(market: NaiveMarket): void {
    if (market.state === 'open' || market.state === 'locked') {
      market.stateBefore = market.state
      this.changeState(market, 'settlement')
    }
    const orders = this.orders.live.filter((order) => order.instrument === market.id)
    if (this.isDue(market)) {
      for (const order of this.inOrder(orders)) if (isLive(order)) this.orders.end(order, 'expiry')
    } else this.endDayOrders(orders)
  }

  /** Converts expiring positions to cash; without a price they are worth nothing. */
  private deliver(market: NaiveMarket, profits: Map<number, bigint>): void {
    if (market.deliveryPrice > 0n && !isCombo(market)) {
      if (!isOption(market)) this.marks.setMark(market, market.deliveryPrice, 'delivery')
      this.settleMarket(market, { type: 'delivery', profits })
    }
    market.delivered = true
    if (market.spec.detail.type === 'future') this.marks.stale.add(market.spec.priceIndex)
    this.marks.followFutures(market.spec.priceIndex)
    this.changeState(market, 'delivered')
  }

  private settleMarket(
    market: NaiveMarket,
    how: {
      readonly type: 'settlement' | 'delivery'
      readonly profits: Map<number, bigint>
    },
  ): void {
    const open = [...market.positions.values()].reduce((sum, { size }) => (size > 0n ? sum + size : sum), 0n)
    const sums: Sums = { profit: 0n, session: 0n }
    if (market.spec.funding !== null) this.marks.runFunding(market)
    const holders = [...market.positions.keys()].sort((a, b) => a - b)
    for (const account of holders) {
      const { size, session, realized, funding } = this.state.position(market, account)
      const isFlat = size === 0n && session === 0n && realized === 0n && funding === 0n
      if (account !== ROUNDING && !isFlat) this.settleHolder(market, account, { ...how, sums })
    }
    this.events.emit({
      ...{ kind: 'instrument_settlement', type: how.type, instrument: market.id },
      currency: market.spec.settlementCurrency,
      index: Number(this.state.indexOf(market)),
      mark: Number(how.type === 'delivery' ? market.deliveryPrice : market.mark),
      position: Number(open),
      ...{ profitLoss: sums.profit, sessionProfitLoss: sums.session, funding: market.longsPaid },
    })
    market.longsPaid = 0n
  }

  /**
   * Options are not settled: their session restarts at the mark, without cash, and the house takes the opposite basis.
   */
  private resetSessions(market: NaiveMarket): void {
    for (const [account, position] of market.positions) {
      if (account === ROUNDING) continue
      const value = valueAt(market.spec, position, market.mark)
      this.mirror(market, position.realized + position.session - value)
      position.session = value
      position.realized = 0n
    }
  }

  private settleHolder(
    market: NaiveMarket,
    account: number,
    how: {
      readonly type: 'settlement' | 'delivery'
      readonly profits: Map<number, bigint>
      readonly sums: Sums
    },
  ): void {
    const { spec } = market
    const { mark } = market
    const currency = spec.settlementCurrency
    this.marks.touch(market, account)
    const position = this.state.position(market, account)
    const { size, funding } = position
    const basis = position.realized + position.session - valueAt(spec, position, mark)
    const profitLoss = moneyOf(spec, position.realized) + funding
    const sessionProfitLoss = moneyOf(spec, basis) + funding
    const ends = how.type === 'delivery'
    if (isOption(market)) {
      this.deliverHolder(market, account, how)
      return
    }
    const fee = ends ? this.deliveryFee(market, account) : 0n
    this.state.move(ROUNDING, account, currency, sessionProfitLoss)
    this.state.move(account, FEES, currency, fee)
    this.mirror(market, ends ? position.realized + position.session : basis)
    position.session = valueAt(spec, position, mark)
    position.realized = 0n
    position.funding = 0n
    if (ends) Object.assign(position, { size: 0n, entry: 0n, session: 0n })
    how.sums.profit += profitLoss
    how.sums.session += sessionProfitLoss
    how.profits.set(account, (how.profits.get(account) ?? 0n) + sessionProfitLoss)
    this.events.emit({
      ...{ kind: 'settlement', type: how.type, account, instrument: market.id, currency },
      ...{ position: Number(size), index: Number(this.state.indexOf(market)), mark: Number(mark) },
      ...{ profitLoss, sessionProfitLoss, funding, fee },
      balance: this.state.balance(account, currency),
    })
  }

  /** The holder of an option receives its value at the delivery price; a short holder pays it. */
  private deliverHolder(
    market: NaiveMarket,
    account: number,
    { profits, sums }: { readonly profits: Map<number, bigint>; readonly sums: Sums },
  ): void {
    const { spec, deliveryPrice } = market
    const currency = spec.settlementCurrency
    const position = this.state.position(market, account)
    const { size } = position
    const value = deliveredValue(spec, deliveryPrice, size)
    const basis = position.realized + position.session
    const rates = { rate: spec.deliveryFee9, price: deliveryPrice }
    const isHouse = account < houseAccountNames.length
    const fee = isHouse ? 0n : this.optionDeliveryFee(market, account, { ...rates, value })
    this.state.move(ROUNDING, account, currency, value)
    this.mirror(market, basis)
    Object.assign(position, { size: 0n, entry: 0n, session: 0n, realized: 0n })
    this.state.move(account, FEES, currency, fee)
    const profitLoss = basis + value
    sums.profit += profitLoss
    sums.session += value
    profits.set(account, (profits.get(account) ?? 0n) + profitLoss)
    this.events.emit({
      ...{ kind: 'settlement', type: 'delivery', account, instrument: market.id, currency },
      ...{ position: Number(size), index: Number(this.state.indexOf(market)) },
      ...{ mark: Number(deliveryPrice), profitLoss, sessionProfitLoss: value, funding: 0n, fee },
      balance: this.state.balance(account, currency),
    })
  }

  /** A rate of the underlying, at most an eighth of the delivered value. */
  private optionDeliveryFee(
    market: NaiveMarket,
    account: number,
    at: { readonly rate: number; readonly price: bigint; readonly value: bigint },
  ): bigint {
    const { size } = this.state.position(market, account)
    const amount = (size < 0n ? -size : size) * BigInt(market.spec.amountStep9)
    const underlying = isInverseOption(market.spec) ? NANO : at.price
    const value = at.value < 0n ? -at.value : at.value
    // Both in nano, times 8e18.
    const rated = BigInt(at.rate) * amount * underlying * 8n
    const fee = smaller(rated, value * NANO * NANO)
    const { feePpm: ppm = 0 } = this.state.accounts[account] ?? {}
    return rdiv(fee * BigInt(ppm), 8n * NANO * NANO * 10n * 1_000_000n) * 10n
  }

  private deliveryFee(market: NaiveMarket, account: number): bigint {
    if (account < houseAccountNames.length) return 0n
    const { size } = this.state.position(market, account)
    const { feePpm: ppm = 0 } = this.state.accounts[account] ?? {}
    const lots = size < 0n ? -size : size
    const rate = market.spec.deliveryFee9
    return feeOf(market.spec, { rate, lots, price: market.mark, side: 'sell', ppm })
  }

  /** The house takes the remainder of the holders' bases, so that they sum to zero. */
  private mirror(market: NaiveMarket, basis: bigint): void {
    const position: NaivePosition = this.state.position(market, ROUNDING)
    position.realized += basis
    market.positions.set(ROUNDING, position)
  }

  /** True if an account has a debt that its other positions do not cover. */
  private isOwing(account: number, currency: Currency): boolean {
    const cash = this.state.balance(account, currency)
    if (this.margins.isCross(account)) return cash < 0n && this.isRuined(account)
    const worth = this.state
      .ofCurrency(currency)
      .reduce((sum, market) => (isOption(market) ? sum + this.margins.valueOf(market, account) : sum), 0n)
    return cash < 0n && cash + worth < 0n
  }

  /** The part of a debt that an account cannot pay; the value of its options stays owed until they are sold. */
  private debtOf(account: number, currency: Currency): bigint {
    const cash = this.state.balance(account, currency)
    const index = this.margins.usdIndex(currency)
    if (!this.margins.isCross(account)) {
      return -larger(cash, cash + this.margins.wallet(account, currency).optionsValue)
    }
    if (index === 0n) return -cash
    return -larger(cash, floorDiv(this.margins.poolOf(account, null).equity * 1_000_000_000n, index))
  }

  /** The fund pays the debts of bankrupt traders while it has money; the day's winners pay the rest. */
  private shareLosses(currency: Currency, profits: ReadonlyMap<number, bigint>): void {
    const traders = [...this.state.accounts.keys()].filter((id) => id >= houseAccountNames.length)
    const fund = this.state.balance(FUND, currency)
    const owing: number[] = []
    for (const account of traders) {
      if (!this.isOwing(account, currency)) continue
      if (this.margins.isCross(account)) this.seize(account, currency)
      if (this.debtOf(account, currency) > 0n) owing.push(account)
    }
    if (owing.length === 0) return
    const isRuined = new Map(traders.map((account) => [account, this.isRuined(account)]))
    let loss = 0n
    for (const account of owing) {
      const debt = this.debtOf(account, currency)
      const sessionProfitLoss = profits.get(account) ?? 0n
      loss += debt
      this.state.move(FUND, account, currency, debt)
      const balance = this.state.balance(account, currency)
      this.events.emit({ kind: 'bankruptcy', account, currency, loss: debt, sessionProfitLoss, balance })
    }
    const funded = smaller(loss, fund > 0n ? fund : 0n)
    const rest = loss - funded
    // An account pays at most the cash part of its profit.
    const taxable = (account: number): bigint =>
      smaller(profits.get(account) ?? 0n, this.state.balance(account, currency))
    const winners = traders
      .filter((account) => isRuined.get(account) !== true && taxable(account) > 0n)
      .filter((account) => !owing.includes(account))
      .map((account) => ({ account, share: taxable(account) }))
    const all = winners.reduce((sum, { share }) => sum + share, 0n)
    let taxes = 0n
    for (const { account, share } of winners) {
      const profit = profits.get(account) ?? 0n
      const tax = smaller(rdiv(share * rest, all), share)
      if (tax === 0n) continue
      taxes += tax
      this.state.move(account, ROUNDING, currency, tax)
      this.events.emit({
        ...{ kind: 'shared_loss', account, currency, sessionProfitLoss: profit, tax },
        balance: this.state.balance(account, currency),
      })
    }
    // The fund receives the whole part of the winners, and the rounding account takes the difference.
    this.state.move(ROUNDING, FUND, currency, smaller(rest, all))
    const rate = all === 0n ? 0n : smaller(rdiv(rest * 1_000_000_000n, all), 1_000_000_000n)
    this.events.emit({
      ...{ kind: 'currency_bankruptcy', currency, loss, funded, socialized: rest, tax: taxes },
      ...{ taxRate9: Number(rate), sessionProfitLoss: all, fund: this.state.balance(FUND, currency) },
    })
  }

  transferMoney({ source, target, currency, amount, nonce }: NaiveMoneyTransfer): void {
    this.state.move(source, target, currency, amount)
    this.events.emit({
      ...{ kind: 'transfer', transfer: this.events.next('transfer'), from: source, to: target },
      ...{ currency, amount, nonce, fromBalance: this.state.balance(source, currency) },
      toBalance: this.state.balance(target, currency),
    })
  }

  /** True if an account is worth less than zero over all of its currencies. */
  private isRuined(account: number): boolean {
    return this.margins.isCross(account) && this.margins.poolOf(account, null).equity < 0n
  }

  /** Balances in other currencies pay a debt in one; rounded in favour of the fund. */
  private seize(account: number, currency: Currency): void {
    const index = this.margins.usdIndex(currency)
    if (index === 0n) return
    for (const order of [...this.orders.of(account)]) {
      if (this.state.marketOf(order).spec.payoff === 'spot' && isLive(order)) {
        this.orders.end(order, 'autoliquidation')
      }
    }
    for (const other of currencies) {
      const debt = -this.state.balance(account, currency)
      const price = this.margins.usdIndex(other)
      const { equity, optionsValue } = this.margins.wallet(account, other)
      const had = equity - optionsValue
      if (debt <= 0n || other === currency || had <= 0n || price === 0n) continue
      const isEnough = had * price >= debt * index
      const taken = isEnough ? -floorDiv(-debt * index, price) : had
      const given = isEnough ? debt : floorDiv(had * price, index)
      const nonce = null
      this.transferMoney({ source: account, target: FUND, currency: other, amount: taken, nonce })
      if (given === 0n) continue
      this.transferMoney({ source: FUND, target: account, currency, amount: given, nonce })
    }
  }
}

function isOption({ spec }: NaiveMarket): boolean {
  return spec.kind === 'option'
}

function isCombo({ spec }: NaiveMarket): boolean {
  return spec.detail.type === 'combo'
}

/** The delivered value of options of a signed size at a price, rounded once (market.md 3.6). */
function deliveredValue(spec: InstrumentSpec, price: bigint, lots: bigint): bigint {
  if (spec.detail.type !== 'option') throw new Error('an option is delivered')
  const strike = BigInt(spec.detail.strike)
  const inside = spec.detail.right === 'call' ? price - strike : strike - price
  if (inside <= 0n) return 0n
  const amount = lots * BigInt(spec.amountStep9)
  return rdiv(amount * inside, isInverseOption(spec) ? price : NANO)
}
