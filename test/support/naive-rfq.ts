/**
 * The oracle of Block RFQs, written as slowly and plainly as possible: requests, quotes, results and the positions
 * afterwards. Matching tries every subset of quotes.
 *
 * Times are milliseconds from the start of a run. Amounts are whole units of a structure, prices whole ticks of its
 * legs. A refused request gets the codes of all rules that it breaks; the oracle does not decide which one the venue
 * checks first.
 */
import { bestSubset, byPriority, type NaiveFill } from './naive-rfq-matching.ts'
import { beyondMost, isTooMuch } from './naive-rfq-quantity.ts'
import type { Broken, Direction, NaiveParty, NaiveRfq, NaiveRfqQuote, RfqEnd } from './naive-rfq-terms.ts'

export const GRACE = 5_000
export const EXPIRY = 300_000
const QUOTES_MAX = 10
const SIDE_QUOTES_MAX = 5
const ANONYMOUS_MIN = 5
/** The time in milliseconds that a taker must see a complete solution for its RFQ to count in its rating. */
const SEEN_LONG = 1_000

/** All RFQs of a run. */
export class NaiveRfqs {
  now = 0
  readonly rfqs: NaiveRfq[] = []
  readonly quotes: NaiveRfqQuote[] = []
  /** Positions in steps, by account and instrument. */
  readonly sizes = new Map<string, number>()
  /** Money that an account received from spot trades, in ticks times units. */
  readonly money = new Map<string, number>()
  /** The limit of a maker in coins on a side of an instrument; no entry for no limit. */
  readonly most = new Map<string, number>()
  /** Makers that cannot afford a fill now. */
  readonly broke = new Set<string>()
  readonly parties: readonly NaiveParty[]

  constructor(parties: readonly NaiveParty[]) {
    this.parties = parties
  }

  party(name: string): NaiveParty {
    const found = this.parties.find((each) => each.name === name)
    if (found === undefined) throw new Error(`nobody is called ${name}`)
    return found
  }

  rfq(id: number): NaiveRfq | undefined {
    return this.rfqs.find((each) => each.id === id)
  }

  /** Moves the time; stops at each instant with something due. */
  advance(to: number): void {
    for (;;) {
      const due = this.dueTimes().filter((time) => time > this.now && time <= to)
      if (due.length === 0) break
      this.now = Math.min(...due)
      this.settle()
    }
    this.now = to
    this.settle()
  }

  private dueTimes(): readonly number[] {
    const open = this.rfqs.filter((rfq) => rfq.state === 'open')
    return [
      ...open.flatMap((rfq) => [rfq.createdAt + GRACE, rfq.createdAt + EXPIRY]),
      ...this.quotes.filter(({ state }) => state === 'open').map((quote) => quote.expiresAt),
    ]
  }

  private settle(): void {
    for (const rfq of this.rfqs) {
      if (rfq.state === 'open' && this.now >= rfq.createdAt + EXPIRY) {
        this.look(rfq)
        this.close(rfq, 'expired', 'Block RFQ expired')
      }
    }
    for (const quote of this.quotes) {
      if (quote.state === 'open' && this.now >= quote.expiresAt) quote.state = 'expired'
    }
    for (const rfq of this.rfqs) if (rfq.state === 'open') this.look(rfq)
  }

  /** Records what solution the taker sees, and since when. */
  private look(rfq: NaiveRfq): void {
    if (rfq.seenSince !== null && this.now - rfq.seenSince >= SEEN_LONG) rfq.wasSeenLong = true
    const isSeen =
      this.now >= rfq.createdAt + GRACE &&
      (['buy', 'sell'] as const).some((side) => this.solution(rfq, side) !== undefined)
    rfq.seenSince = isSeen ? (rfq.seenSince ?? this.now) : null
  }

  private close(rfq: NaiveRfq, state: RfqEnd, reason: string): void {
    rfq.state = state
    rfq.closedAt = this.now
    for (const trigger of rfq.triggers) {
      if (trigger.state !== 'untriggered') continue
      trigger.state = 'cancelled'
      trigger.reason = reason
    }
    for (const quote of this.openQuotes(rfq)) {
      quote.state = state === 'expired' ? 'expired' : 'cancelled'
    }
  }

  openQuotes(rfq: NaiveRfq): NaiveRfqQuote[] {
    return this.quotes.filter((quote) => quote.rfq === rfq.id && quote.state === 'open')
  }

  /** True if a maker may see an RFQ and quote it. */
  isTarget(rfq: NaiveRfq, name: string): boolean {
    const { isMaker, owner } = this.party(name)
    if (!isMaker || owner === this.party(rfq.taker).owner) return false
    return rfq.targets.length === 0 || rfq.targets.includes(name)
  }

  /** The best way to fill an RFQ on a taker's side, if there is one. */
  solution(
    rfq: NaiveRfq,
    side: Direction,
    of: { readonly limit?: number; readonly without?: ReadonlySet<string> } = {},
  ): readonly NaiveFill[] | undefined {
    const quotes = this.openQuotes(rfq).filter(
      ({ direction, maker }) => direction !== side && of.without?.has(maker) !== true,
    )
    return bestSubset(side === 'buy', rfq.structure.amount, { quotes, limit: of.limit })
  }

  create(of: Pick<NaiveRfq, 'taker' | 'structure' | 'hedge' | 'disclosed' | 'targets' | 'label' | 'shares'>): Broken {
    const owner = this.party(of.taker).owner
    const broken: number[] = []
    if (!of.disclosed && of.targets.length > 0 && of.targets.length < ANONYMOUS_MIN) broken.push(11029)
    const isOdd = (name: string) => !this.party(name).isMaker || this.party(name).owner === owner
    if (of.targets.some(isOdd)) broken.push(11029)
    if (broken.length > 0) return broken
    this.rfqs.push({
      ...of,
      ...{ id: this.rfqs.length + 1, createdAt: this.now, state: 'open', closedAt: 0 },
      ...{ triggers: [], side: null, fills: [], seenSince: null, wasSeenLong: false },
    })
    return []
  }

  cancel(account: string, id: number): Broken {
    const broken = this.ofTaker(account, id)
    const rfq = this.rfq(id)
    if (broken.length > 0 || rfq === undefined) return broken
    this.look(rfq)
    this.close(rfq, 'cancelled', 'Block RFQ cancelled')
    return []
  }

  /** Codes against a request of a taker. */
  private ofTaker(account: string, id: number): number[] {
    const rfq = this.rfq(id)
    if (rfq === undefined) return [13020]
    const broken: number[] = []
    if (rfq.taker !== account) broken.push(this.isTarget(rfq, account) ? 13021 : 13020, 13021)
    if (rfq.state !== 'open') broken.push(10010)
    return broken
  }

  cancelTriggers(account: string, id: number): Broken {
    const broken = this.ofTaker(account, id)
    const active = this.rfq(id)?.triggers.filter(({ state }) => state === 'untriggered') ?? []
    if (active.length === 0) broken.push(13020)
    if (broken.length > 0) return broken
    for (const trigger of active) {
      trigger.state = 'cancelled'
      trigger.reason = 'User cancelled'
    }
    return []
  }

  add(
    of: Pick<NaiveRfqQuote, 'maker' | 'rfq' | 'direction' | 'label' | 'allOrNone' | 'price' | 'amount'> & {
      readonly expiresAt: number | null
    },
  ): Broken {
    const rfq = this.rfq(of.rfq)
    if (rfq === undefined) return [13020]
    const broken = this.ofMaker(rfq, of.maker)
    const own = this.openQuotes(rfq).filter((quote) => quote.maker === of.maker)
    broken.push(...this.terms(rfq, of, own))
    if (of.label !== '' && own.some(({ label }) => label === of.label)) broken.push(11029)
    if (of.expiresAt !== null && of.expiresAt <= this.now) broken.push(11029)
    if (own.length >= QUOTES_MAX) broken.push(13905)
    const side = own.filter(({ direction }) => direction === of.direction)
    if (side.length >= SIDE_QUOTES_MAX) broken.push(13906)
    if (isTooMuch(this, rfq, of)) broken.push(11030)
    if (broken.length > 0) return broken
    this.look(rfq)
    this.quotes.push({
      ...of,
      ...{ id: this.quotes.length + 1, updatedAt: this.now, filled: 0, replaced: false },
      expiresAt: Math.min(of.expiresAt ?? Number.POSITIVE_INFINITY, rfq.createdAt + EXPIRY),
      state: 'open',
    })
    this.fire(rfq)
    return []
  }

  private ofMaker(rfq: NaiveRfq, maker: string): number[] {
    const broken: number[] = []
    if (!this.isTarget(rfq, maker)) broken.push(13021, 13020)
    if (rfq.state !== 'open') broken.push(10010)
    if (this.broke.has(maker)) broken.push(10009)
    return broken
  }

  /** Codes for the size and price of a quote, given the maker's other quotes. */
  private terms(
    { structure }: NaiveRfq,
    of: Pick<NaiveRfqQuote, 'direction' | 'allOrNone' | 'price' | 'amount'>,
    others: readonly NaiveRfqQuote[],
  ): number[] {
    const broken: number[] = []
    if (of.allOrNone && of.amount !== structure.amount) broken.push(11029)
    if (of.amount < structure.least) broken.push(10002, 11029)
    if (of.amount > structure.amount) broken.push(11029)
    const crosses = others.some(({ direction, price }) =>
      of.direction === 'buy' ? direction === 'sell' && of.price >= price : direction === 'buy' && of.price <= price,
    )
    if (crosses) broken.push(13910)
    return broken
  }

  edit(maker: string, id: number, to: { readonly price: number; readonly amount: number }): Broken {
    const quote = this.quotes.find((each) => each.id === id && each.maker === maker)
    const rfq = quote === undefined ? undefined : this.rfq(quote.rfq)
    if (quote === undefined || rfq === undefined) return [13020]
    const broken: number[] = []
    if (quote.state !== 'open') broken.push(10010, 13020)
    if (this.broke.has(maker)) broken.push(10009)
    const others = this.openQuotes(rfq).filter((each) => each.maker === maker && each !== quote)
    broken.push(...this.terms(rfq, { ...quote, ...to }, others))
    if (isTooMuch(this, rfq, { ...quote, ...to }, quote)) broken.push(11030)
    if (broken.length > 0) return broken
    this.look(rfq)
    Object.assign(quote, { ...to, replaced: true, updatedAt: this.now })
    this.fire(rfq)
    return []
  }

  /**
   * Sets the limit of a maker in coins on a side; null for none. Its newest quotes are cancelled until the rest fits.
   */
  protect(maker: string, most: number | null): number {
    if (most === null) this.most.delete(maker)
    else this.most.set(maker, most)
    const gone = beyondMost(this, maker)
    for (const quote of gone) this.lookAt(quote.rfq)
    return gone.length
  }

  cancelQuote(maker: string, id: number): Broken {
    const quote = this.quotes.find((each) => each.id === id && each.maker === maker)
    if (quote === undefined) return [13020]
    if (quote.state !== 'open') return [10010, 13020]
    quote.state = 'cancelled'
    this.lookAt(quote.rfq)
    return []
  }

  /** Cancels quotes of a maker; returns how many. */
  cancelAll(maker: string, id: number | null): number {
    const open = this.quotes.filter(
      (quote) => quote.maker === maker && quote.state === 'open' && (id === null || quote.rfq === id),
    )
    for (const quote of open) {
      quote.state = 'cancelled'
      this.lookAt(quote.rfq)
    }
    return open.length
  }

  private lookAt(id: number): void {
    const rfq = this.rfq(id)
    if (rfq !== undefined) this.look(rfq)
  }

  accept(
    account: string,
    id: number,
    of: { readonly side: Direction; readonly price: number; readonly rests: boolean },
  ): Broken {
    const broken = this.ofTaker(account, id)
    const rfq = this.rfq(id)
    if (rfq === undefined) return broken
    if (this.now < rfq.createdAt + GRACE) broken.push(11030)
    if (broken.length > 0) return broken
    const solved = this.solve(rfq, of)
    if (solved !== undefined) {
      this.fill(rfq, of.side, solved)
      return []
    }
    if (!of.rests) return [13907]
    for (const trigger of rfq.triggers) {
      if (trigger.direction !== of.side || trigger.state !== 'untriggered') continue
      trigger.state = 'cancelled'
      trigger.reason = 'Replaced'
    }
    const { side: direction, price } = of
    rfq.triggers.push({ direction, price, state: 'untriggered', reason: '' })
    return []
  }

  /**
   * The solution without quotes whose makers cannot afford their part: such a quote is dropped, and the search repeats.
   */
  private solve(
    rfq: NaiveRfq,
    of: { readonly side: Direction; readonly price: number },
  ): { readonly fills: readonly NaiveFill[]; readonly dropped: readonly number[] } | undefined {
    const dropped: number[] = []
    const without = new Set<string>()
    for (;;) {
      const fills = this.solution(rfq, of.side, { limit: of.price, without })
      if (fills === undefined) return undefined
      const poor = fills.filter(({ quote }) => this.broke.has(this.quote(quote).maker))
      if (poor.length === 0) return { fills, dropped }
      for (const { quote } of poor) {
        dropped.push(quote)
        without.add(this.quote(quote).maker)
      }
    }
  }

  quote(id: number): NaiveRfqQuote {
    const found = this.quotes.find((each) => each.id === id)
    if (found === undefined) throw new Error(`no quote has the id ${id}`)
    return found
  }

  /** Fires waiting triggers, the buyer's first. */
  private fire(rfq: NaiveRfq): void {
    for (const side of ['buy', 'sell'] as const) {
      const trigger = rfq.triggers.find(({ direction, state }) => direction === side && state === 'untriggered')
      if (trigger === undefined || rfq.state !== 'open') continue
      const solved = this.solve(rfq, { side, price: trigger.price })
      if (solved === undefined) continue
      trigger.state = 'triggered'
      this.fill(rfq, side, solved)
    }
    if (rfq.state === 'open') this.look(rfq)
  }

  private fill(rfq: NaiveRfq, side: Direction, { fills }: { readonly fills: readonly NaiveFill[] }): void {
    const hedges = splitOfHedge(rfq.hedge?.amount ?? 0, fills)
    rfq.fills = fills.map((fill, at) => ({
      ...fill,
      maker: this.quote(fill.quote).maker,
      hedge: hedges[at] ?? 0,
    }))
    rfq.side = side
    const sign = side === 'buy' ? 1 : -1
    for (const { quote, amount, maker, hedge, price } of rfq.fills) {
      const filled = this.quote(quote)
      filled.filled = amount
      filled.state = 'filled'
      for (const leg of rfq.structure.legs) {
        const lots = sign * (leg.direction === 'buy' ? 1 : -1) * leg.ratio * amount
        const paid = rfq.structure.isSpot ? price : 0
        this.moveShared(rfq, leg.instrument, lots, paid)
        this.move(maker, leg.instrument, -lots, paid)
      }
      if (rfq.hedge === null) continue
      const lots = sign * (rfq.hedge.direction === 'buy' ? 1 : -1) * hedge
      this.moveShared(rfq, rfq.hedge.instrument, lots)
      this.move(maker, rfq.hedge.instrument, -lots)
    }
    this.close(rfq, 'filled', 'Block RFQ filled')
  }

  /** Moves lots to the taker or to the accounts that it named: whole lots of each share, the remainder to the first. */
  private moveShared({ taker, shares }: NaiveRfq, instrument: string, lots: number, paid = 0): void {
    const whole = shares.reduce((sum, { amount }) => sum + amount, 0)
    const sign = Math.sign(lots)
    let left = Math.abs(lots)
    const parts = shares.map(({ amount }) => Number((BigInt(sign * lots) * BigInt(amount)) / BigInt(whole)))
    for (const part of parts) left -= part
    for (const [at, { account }] of shares.entries()) {
      this.move(account, instrument, sign * ((parts[at] ?? 0) + (at === 0 ? left : 0)), paid)
    }
    if (shares.length === 0) this.move(taker, instrument, lots, paid)
  }

  private move(account: string, instrument: string, lots: number, paid = 0): void {
    this.money.set(account, (this.money.get(account) ?? 0) - lots * paid)
    const key = `${account} ${instrument}`
    this.sizes.set(key, (this.sizes.get(key) ?? 0) + lots)
  }

  /** Percent of the RFQs in a taker's rating that were filled; undefined without any. */
  rating(taker: string): number | undefined {
    const counted = this.rfqs.filter((rfq) => rfq.taker === taker && rfq.state !== 'open' && this.isIncluded(rfq))
    const filled = counted.filter(({ state }) => state === 'filled').length
    return counted.length === 0 ? undefined : (100 * filled) / counted.length
  }

  /** True if a closed RFQ counts in the rating of its taker. */
  isIncluded(rfq: NaiveRfq): boolean {
    return rfq.state === 'filled' || rfq.wasSeenLong
  }

  /** The taker's view of a side: quotes in their order, the price of the whole amount, and the end of the solution. */
  shown(rfq: NaiveRfq, side: Direction): readonly NaiveRfqQuote[] | null {
    if (rfq.state !== 'open' || this.now < rfq.createdAt + GRACE) return null
    const taken = this.solution(rfq, side)
    if (taken === undefined) return null
    const ids = new Set(taken.map(({ quote }) => quote))
    const quotes = this.openQuotes(rfq).filter(({ id }) => ids.has(id))
    return byPriority(side === 'buy', quotes).map(({ id }) => this.quote(id))
  }
}

/** Steps of a hedge for each fill: whole steps by its share, the rest to the largest fill, then to the lowest quote. */
function splitOfHedge(steps: number, fills: readonly NaiveFill[]): readonly number[] {
  const whole = fills.reduce((sum, { amount }) => sum + amount, 0)
  const parts = fills.map(({ amount }) => Number((BigInt(steps) * BigInt(amount)) / BigInt(whole)))
  const [largest] = [...fills].sort((a, b) => b.amount - a.amount || a.quote - b.quote)
  const rest = steps - parts.reduce((sum, part) => sum + part, 0)
  return parts.map((part, at) => (fills[at] === largest ? part + rest : part))
}
