/**
 * Market-maker protection of Block RFQs: what a maker's fills on RFQs add up to in a window, and how much its quotes
 * may have open.
 *
 * Rule: rfq.mmp. A group counts the legs of its index, and that of all indices every leg; each fill counts once for
 * `trade_count_limit`. The group that a limit trips takes all open quotes of its maker back, and none come until it is
 * over or reset. It is apart from the protection of orders.
 *
 * Rule: rfq.mmp-quantity. What the open quotes of a maker would trade of one instrument on one side of his, over all
 * RFQs, is at most the maximum quote quantity of each of its groups, in coins at the prices that he quotes. Where it is
 * lowered, the newest quotes go until the rest fits.
 *
 * Assumed: the maximum quote quantity bounds open quotes as it does open orders (per group, instrument and side), the
 * share of a hedge included, since the venue asks for it in both configurations and tells one meaning; no margin is
 * held for it, because each quote is checked against margin by itself; and quotes need no configuration, so that
 * removing one leaves them. Source: sessions-blocks-gateways.md 5.11; trading.md 7.3, C43, C45.
 */
import { assert } from '../../core/index.ts'
import type { BlockLeg, Refusal } from '../../model/index.ts'
import {
  accountRow,
  countTrade,
  type Exchange,
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
import { quotedLegs } from './rfq-legs.ts'
import { refreshShown } from './rfq-solution.ts'

/** Groups of all indices have this name. */
const ALL_INDICES = 'all'

/** Why a frozen group keeps a maker from quoting, or null. */
export function rfqFreezeRefusal(exchange: Exchange, maker: number): Refusal | null {
  for (const group of accountRow(exchange, maker).mmpGroups) {
    if (!group.blockRfq) continue
    const refusal = frozenRefusal(exchange, group, { session: 0, resets: false })
    if (refusal !== null) return refusal
  }
  return null
}

/** Why legs do not fit the largest quantity of a maker's groups beside its open quotes, or null. */
export function rfqQuantityRefusal(
  exchange: Exchange,
  legs: readonly BlockLeg[],
  { maker, edited }: { readonly maker: number; readonly edited: RfqQuoteRow | null },
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

/** Takes back the newest quotes that no longer fit the largest quantity of a group, and counts them. */
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
    endRfqQuote(turn, { rfq, quote }, { change: 'cancelled', reason: 'mmp_config_curtailment' })
    touched.add(rfq)
    cancelled += 1
  }
  for (const rfq of touched) refreshShown(turn, rfq, 'quotes')
  return cancelled
}

/** Asserts that the open quotes of a maker fit the largest quantity of a group of its. */
export function auditRfqQuantity(exchange: Exchange, group: MmpGroup): void {
  if (!group.blockRfq || group.config === null) return
  const open = openSizes(exchange, group, openQuotes(exchange, group.account))
  assert(!isBeyond(group, open, open), 'open quotes on RFQs are within the maximum quote quantity')
}

/** Sizes in 1e-9 coins by instrument and the maker's side. */
type CoinSizes = ReadonlyMap<string, number>

/** True if more is open than may be at a place that sizes have. */
function isBeyond({ config }: MmpGroup, open: CoinSizes, sizes: CoinSizes): boolean {
  const most = config?.maxQuote9 ?? 0
  return [...sizes.keys()].some((place) => (open.get(place) ?? 0) > most)
}

function openSizes(
  exchange: Exchange,
  group: MmpGroup,
  quotes: readonly { readonly legs: readonly BlockLeg[] }[],
): Map<string, number> {
  const open = new Map<string, number>()
  for (const { legs } of quotes) {
    for (const [place, coins9] of coinsOf(exchange, group, legs)) {
      open.set(place, (open.get(place) ?? 0) + coins9)
    }
  }
  return open
}

/** Sizes of legs as far as a group covers them. */
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

/** True if a group is of the index of a leg, or of all. */
function isCovered(exchange: Exchange, { membership }: MmpGroup, { instrument }: BlockLeg): boolean {
  const { name } = rowOfInstrument(exchange, instrument).index
  return membership.index === ALL_INDICES || membership.index === name
}

/** Counts a fill of a maker, whose sides the legs have, and acts where a limit is reached. */
export function countRfqFill(turn: Turn, maker: number, legs: readonly BlockLeg[]): void {
  for (const group of [...accountRow(turn.exchange, maker).mmpGroups]) {
    const isFrozen = group.freeze !== null && !group.freeze.isReset
    if (group.blockRfq && group.config !== null && !isFrozen) countIn(turn, group, legs)
  }
}

function countIn(turn: Turn, group: MmpGroup, legs: readonly BlockLeg[]): void {
  const { exchange } = turn
  const { config, membership } = group
  if (config === null) return
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
  const opens = countTrade(group, sum, { now: exchange.now, interval: config.interval })
  const { tradeCounts } = exchange.rfqs
  const count = (opens ? 0 : (tradeCounts.get(membership.group) ?? 0)) + 1
  tradeCounts.set(membership.group, count)
  const isCounted = config.tradeCount !== null && count >= config.tradeCount
  const reached = reachedLimit(group, config) ?? (isCounted ? 'trade_count' : null)
  if (reached !== null) tripGroup(turn, group, reached)
}
