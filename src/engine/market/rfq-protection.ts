/**
 * Market-maker protection of Block RFQs: sums up a maker's fills on RFQs in a window, and limits the size of its open
 * quotes.
 *
 * Rule: rfq.mmp. A group of an index counts the legs of that index, and the group of all indices counts every leg. Each
 * fill counts once for `trade_count_limit`. When a group reaches a limit, all open quotes of its maker are cancelled,
 * and no new ones are accepted until the freeze is over or reset. This protection is independent of that of orders.
 *
 * Rule: rfq.mmp-quantity. The size that the open quotes of a maker would trade of one instrument on one side of the
 * maker, over all RFQs, is at most the maximum quote quantity of each of its groups, in coins at the quoted prices. If
 * the maximum is lowered, the newest quotes are cancelled until the rest fits.
 *
 * Assumed: the maximum quote quantity limits open quotes as it limits open orders (per group, instrument and side),
 * including the share of a hedge, since the venue requires it in both configurations and documents one meaning. No
 * margin is held for it, because each quote is checked against margin by itself. Quotes need no configuration, so
 * removing the configuration keeps them. Source: sessions-blocks-gateways.md 5.11; trading.md 7.3, C43, C45.
 */

import { assert, defined, divFloor, type Lots, lots, mulDivFloor } from '../../core/index.ts'
import { type BlockLeg, opposite, type Refusal, type Side } from '../../model/index.ts'
import {
  accountRow,
  countTrade,
  type Exchange,
  legLotsFor,
  type MmpGroup,
  type RfqQuoteRow,
  type RfqRow,
  reachedLimit,
  rfqAt,
  rowOfInstrument,
  type Turn,
} from '../state/index.ts'
import { mmpCoinSize9, tradeShare } from '../value/index.ts'
import { frozenRefusal, tripGroup } from './mmp-freeze.ts'
import { endRfqQuote } from './rfq-ending.ts'
import { refreshShown } from './rfq-solution.ts'

/** Groups of all indices have this name. */
const ALL_INDICES = 'all'

/** The reason why a frozen group blocks a maker's quotes, or null. */
export function rfqFreezeRefusal(exchange: Exchange, maker: number): Refusal | null {
  for (const group of accountRow(exchange, maker).mmpGroups) {
    if (!group.blockRfq) continue
    const refusal = frozenRefusal(exchange, group, 0, false)
    if (refusal !== null) return refusal
  }
  return null
}

/**
 * The reason why legs exceed the maximum quote quantity of a maker's groups, together with its open quotes, or null.
 */
export function rfqQuantityRefusal(
  exchange: Exchange,
  legs: readonly BlockLeg[],
  maker: number,
  edited: RfqQuoteRow | null,
): Refusal | null {
  for (const group of accountRow(exchange, maker).mmpGroups) {
    if (!group.blockRfq || group.config === null) continue
    const others = openQuotes(exchange, maker).filter(({ quote }) => quote !== edited)
    const open = openSizes(exchange, group, [...others, { legs }])
    if (isBeyond(group, open, coinsOf(exchange, group, legs))) {
      return { reason: 'other_reject max_quote_quantity' }
    }
  }
  return null
}

/** Cancels the newest quotes that no longer fit the maximum quote quantity of a group, and returns their number. */
export function curtailRfqQuotes(turn: Turn, group: MmpGroup): number {
  const { exchange } = turn
  const quotes = [...openQuotes(exchange, group.account)]
  quotes.sort((left, right) => right.quote.quote - left.quote.quote)
  const open = openSizes(exchange, group, quotes)
  const touched = new Set<RfqRow>()
  let cancelled = 0
  for (const { rfq, quote, legs } of quotes) {
    const sizes = coinsOf(exchange, group, legs)
    if (!isBeyond(group, open, sizes)) continue
    for (const [place, coins9] of sizes) open.set(place, (open.get(place) ?? 0) - coins9)
    endRfqQuote(turn, rfq, quote, { change: 'cancelled', reason: 'mmp_config_curtailment' })
    touched.add(rfq)
    cancelled += 1
  }
  for (const rfq of touched) refreshShown(turn, rfq, 'quotes')
  return cancelled
}

/** Asserts that the open quotes of a maker fit the maximum quote quantity of one of its groups. */
export function auditRfqQuantity(exchange: Exchange, group: MmpGroup): void {
  if (!group.blockRfq || group.config === null) return
  const open = openSizes(exchange, group, openQuotes(exchange, group.account))
  assert(!isBeyond(group, open, open), 'open quotes on RFQs are within the maximum quote quantity')
}

/** Sizes in 1e-9 coins by instrument and the maker's side. */
type CoinSizes = ReadonlyMap<string, number>

/** True if `open` exceeds the maximum at any instrument and side in `sizes`. */
function isBeyond(group: MmpGroup, open: CoinSizes, sizes: CoinSizes): boolean {
  const most = group.config?.maxQuote9 ?? 0
  return [...sizes.keys()].some((place) => (open.get(place) ?? 0) > most)
}

/** A quote of an RFQ with its legs. */
interface LeggedQuote {
  readonly legs: readonly BlockLeg[]
}

function openSizes(exchange: Exchange, group: MmpGroup, quotes: readonly LeggedQuote[]): Map<string, number> {
  const open = new Map<string, number>()
  for (const { legs } of quotes) {
    for (const [place, coins9] of coinsOf(exchange, group, legs)) {
      open.set(place, (open.get(place) ?? 0) + coins9)
    }
  }
  return open
}

/** Sizes of the legs that a group covers. */
function coinsOf(exchange: Exchange, group: MmpGroup, legs: readonly BlockLeg[]): CoinSizes {
  const covered = legs.filter((leg) => isCovered(exchange, group, leg))
  return new Map(
    covered.map(({ instrument, side, amount, price }) => {
      const row = rowOfInstrument(exchange, instrument)
      return [`${instrument} ${side}`, mmpCoinSize9(row, { lots: amount, price9: price })]
    }),
  )
}

/** An open quote of a maker with the legs that it would trade. */
interface OpenQuote {
  readonly rfq: RfqRow
  readonly quote: RfqQuoteRow
  readonly legs: readonly BlockLeg[]
}

function openQuotes(exchange: Exchange, maker: number): readonly OpenQuote[] {
  return [...exchange.rfqs.open].flatMap((number) => {
    const rfq = rfqAt(exchange, number)
    const own = [...rfq.quotes.values()].filter((quote) => quote.maker === maker)
    return own.map((quote) => ({ rfq, quote, legs: quotedLegs(exchange, rfq, quote) }))
  })
}

/** True if a group covers the index of a leg, or all indices. */
function isCovered(exchange: Exchange, { membership }: MmpGroup, leg: BlockLeg): boolean {
  const { name } = rowOfInstrument(exchange, leg.instrument).index
  return membership.index === ALL_INDICES || membership.index === name
}

/** Counts a fill of a maker, and trips groups whose limit is reached. The legs have the maker's sides. */
export function countRfqFill(turn: Turn, maker: number, legs: readonly BlockLeg[]): void {
  for (const group of [...accountRow(turn.exchange, maker).mmpGroups]) {
    const isFrozen = group.freeze !== null && !group.freeze.isReset
    if (group.blockRfq && group.config !== null && !isFrozen) countIn(turn, group, legs)
  }
}

function countIn(turn: Turn, group: MmpGroup, legs: readonly BlockLeg[]): void {
  const { exchange } = turn
  if (group.config === null) return
  const counted = legs.filter((leg) => isCovered(exchange, group, leg))
  if (counted.length === 0) return
  const sum = { quantity9: 0, delta9: 0, vega9: 0 }
  for (const { instrument, side, amount, price } of counted) {
    const row = rowOfInstrument(exchange, instrument)
    const share = tradeShare(exchange, { row, side, lots: amount, price9: price })
    sum.quantity9 += share.quantity9
    sum.delta9 += share.delta9
    sum.vega9 += share.vega9
  }
  const opens = countTrade(group, sum, { now: exchange.now, interval: group.config.interval })
  const { tradeCounts } = exchange.rfqs
  const count = (opens ? 0 : (tradeCounts.get(group.membership.group) ?? 0)) + 1
  tradeCounts.set(group.membership.group, count)
  const isCounted = group.config.tradeCount !== null && count >= group.config.tradeCount
  const reached = reachedLimit(group, group.config) ?? (isCounted ? 'trade_count' : null)
  if (reached !== null) tripGroup(turn, group, reached)
}

/**
 * Legs of the part of a Block RFQ that a maker trades, including its share of the hedge.
 *
 * Source: sessions-blocks-gateways.md 5.5, 5.7.
 */

/** The legs of a part of an RFQ, with the maker's sides; the hedge comes last, if there is one. */
export function makerLegs(
  exchange: Exchange,
  rfq: RfqRow,
  quote: Pick<RfqQuoteRow, 'side' | 'legPrices'>,
  amount: number,
  hedge: Lots | null,
): readonly BlockLeg[] {
  const { side, legPrices } = quote
  // A maker who buys the structure takes the sides that the RFQ names.
  const sideOf = (asked: Side): Side => (side === 'buy' ? asked : opposite(asked))
  const legs = rfq.legs.map((leg, at): BlockLeg => {
    const price = defined(legPrices[at], 'a quote has a price for each leg')
    return {
      instrument: leg.instrument,
      side: sideOf(leg.side),
      price,
      amount: legLotsFor(exchange, rfq, leg, amount),
    }
  })
  if (rfq.hedge === null || hedge === null || hedge === 0) return legs
  return [...legs, { ...rfq.hedge, side: sideOf(rfq.hedge.side), amount: hedge }]
}

/** The legs of a quote that is filled by itself. The share of the hedge is rounded down to its step. */
export function quotedLegs(
  exchange: Exchange,
  rfq: RfqRow,
  quote: Pick<RfqQuoteRow, 'side' | 'legPrices' | 'amount'>,
): readonly BlockLeg[] {
  return makerLegs(exchange, rfq, quote, quote.amount, hedgeFor(exchange, rfq, quote.amount))
}

function hedgeFor(exchange: Exchange, { hedge, amount: whole }: RfqRow, amount: number): Lots | null {
  if (hedge === null) return null
  const { minTradeLots } = rowOfInstrument(exchange, hedge.instrument).instrument
  const part = mulDivFloor(hedge.amount, amount, whole)
  return lots(divFloor(part, minTradeLots) * minTradeLots)
}
