/**
 * Fills a Block RFQ: a plan that only reads, and the block trades that carry it out, one for each maker.
 *
 * Rule: rfq.fill. Each quote trades at its own prices, all quotes of a maker as one block; either the whole amount is
 * traded or nothing. A maker that lacks the margin, or may not trade now, is left out, and its quotes end
 * (`not_enough_funds`) when a solution without them is carried out. Rule: rfq.trigger. A trigger trades as soon as
 * quotes within its price fill the whole amount. It is checked after each event of a maker, a buy trigger first.
 *
 * Source: sessions-blocks-gateways.md 5.7, 5.8.
 */

import { allocatePro, type RfqFill, splitHedge } from '../../blocks/index.ts'
import { amount, defined, divFloorBig, type Lots, lots, price9 } from '../../core/index.ts'
import { type BlockLeg, type Fill, NO_SESSION, opposite, type RfqReason, type Side } from '../../model/index.ts'
import { transferPosition } from '../day/index.ts'
import {
  bookBlock,
  cancelTrigger,
  closeRfq,
  countRfqFill,
  emitRfq,
  endRfqQuote,
  makerLegs,
  refreshShown,
  settleBlock,
  solveRfq,
} from '../market/index.ts'
import {
  appsWith,
  type Exchange,
  holdingFor,
  isMobileAsk,
  type RfqIndex,
  type RfqQuoteRow,
  type RfqRow,
  type RfqTrade,
  rowOfInstrument,
  type Turn,
} from '../state/index.ts'
import { bearsBlock, checkBlockLocks } from './block-checks.ts'
import { comboOf, emitBlock, isOptionCombo, noteApps } from './block-execution.ts'
import { structureMark9 } from './rfqs.ts'

/** A quote's part in a plan. */
interface PlannedBlock {
  readonly quote: RfqQuoteRow
  readonly fill: RfqFill
  /** Legs with the sides of the maker. If there is a hedge, it comes last. */
  readonly legs: readonly BlockLeg[]
  readonly hedge: Lots | null
}

/** A fill that can be carried out. */
export interface FillPlan {
  readonly side: Side
  readonly blocks: readonly PlannedBlock[]
  /** Quotes that were left out because their makers lack the margin. */
  readonly dropped: readonly RfqQuoteRow[]
}

/** A plan; `none` if no quotes fill the whole amount, `poor` if the taker lacks the margin. */
type FillOutlook = FillPlan | 'none' | 'poor'

/** The legs of an account on the taker's side of a fill, with the sides of the makers. */
interface SharedLegs {
  readonly account: number
  readonly legs: readonly BlockLeg[]
}

/** Side and price limit of a fill. */
interface FillLimit {
  readonly side: Side
  readonly limit: number
}

/** The fill of a whole RFQ for a side of its taker, within the limit price. */
export function planFill(exchange: Exchange, rfq: RfqRow, of: FillLimit): FillOutlook {
  const except = new Set<number>()
  for (;;) {
    const fills = solveRfq(exchange, rfq, { ...of, except })
    if (fills === undefined) return 'none'
    const blocks = blocksOf(exchange, rfq, of.side, fills)
    const unfit = unfitMakers(exchange, blocks)
    if (unfit.size === 0) {
      const dropped = [...except].map((quote) => quoteOf(rfq, quote))
      const legs = blocks.map((block) => block.legs)
      return bearsShares(exchange, rfq, legs) ? { side: of.side, blocks, dropped } : 'poor'
    }
    for (const { quote } of blocks) if (unfit.has(quote.maker)) except.add(quote.quote)
  }
}

/** The fill of an RFQ that was planned. */
interface RfqFillPlan {
  readonly plan: FillPlan
  readonly reason: RfqReason
  readonly session: number
  /** True if the taker's request came from the session of a mobile device. */
  readonly isMobile: boolean
}

/** Carries a plan out. Events: see `accept_block_rfq`. */
export function fillRfq(turn: Turn, rfq: RfqRow, { plan, reason, session, isMobile }: RfqFillPlan): void {
  for (const quote of plan.dropped) {
    endRfqQuote(turn, rfq, quote, { change: 'cancelled', reason: 'not_enough_funds' })
  }
  const made = partsByMaker(plan.blocks).map(([maker, parts]) => {
    return bookParts(turn, rfq, { maker, parts, session, isMobile })
  })
  const numbers = new Map(made.map(({ maker, number }) => [maker, number]))
  rfq.trades = plan.blocks.map(
    ({ quote, fill, hedge }): RfqTrade => ({
      maker: quote.maker,
      quote: quote.quote,
      side: plan.side,
      price: fill.price,
      amount: fill.amount,
      block: defined(numbers.get(quote.maker), 'the trades of a maker form a block'),
      hedge,
    }),
  )
  for (const { maker, legs } of made) countRfqFill(turn, maker, legs)
  rfq.filledSide = plan.side
  rfq.mark9 = structureMark9(turn.exchange, rfq.legs)
  rfq.indices = indicesOf(turn.exchange, rfq)
  closeRfq(turn, rfq, 'filled', reason)
  for (const { maker, legs } of made) settleBlock(turn, { maker, taker: rfq.taker, legs })
}

/** After a change of quotes: fires triggers that can trade, and emits changes of the taker's view. */
export function settleRfq(turn: Turn, rfq: RfqRow, reason: RfqReason): void {
  for (const side of ['buy', 'sell'] as const) {
    const trigger = rfq.triggers.find((each) => each.side === side && each.state === 'untriggered')
    if (trigger === undefined || rfq.state !== 'open') continue
    const plan = planFill(turn.exchange, rfq, { side, limit: trigger.price })
    if (plan === 'none') continue
    if (plan === 'poor') {
      cancelTrigger(turn, rfq, trigger, 'not_enough_funds')
      continue
    }
    for (const other of rfq.triggers) {
      if (other === trigger || other.state !== 'untriggered') continue
      cancelTrigger(turn, rfq, other, 'rfq_filled')
    }
    // A fired trigger is no longer shown, nor are earlier ones (R55).
    rfq.triggers = []
    emitRfq(turn, rfq, { change: 'trigger_fired', reason, side, price: trigger.price })
    const isMobile = trigger.mobile === true
    fillRfq(turn, rfq, { plan, reason, session: NO_SESSION, isMobile })
  }
  refreshShown(turn, rfq, reason)
}

/** Ends the grace time of an RFQ. */
export function endGrace(turn: Turn, number: number): void {
  const rfq = turn.exchange.rfqs.rfqs.get(number)
  if (rfq?.state === 'open') settleRfq(turn, rfq, 'grace_over')
}

function blocksOf(exchange: Exchange, rfq: RfqRow, side: Side, fills: readonly RfqFill[]): readonly PlannedBlock[] {
  const step = rfq.hedge === null ? 1 : rowOfInstrument(exchange, rfq.hedge.instrument).instrument.minTradeLots
  const parts = rfq.hedge === null ? [] : splitHedge(rfq.hedge.amount, step, fills)
  return fills.map((fill, at) => {
    const quote = quoteOf(rfq, fill.quote)
    const part = parts[at]
    const own = part === undefined ? null : lots(part)
    const terms = { quote: { ...quote, side: opposite(side) }, amount: fill.amount, hedge: own }
    return { quote, fill, hedge: own, legs: makerLegs(exchange, rfq, terms.quote, terms.amount, terms.hedge) }
  })
}

/** Makers that may not trade now, or lack the margin for all of their parts. */
function unfitMakers(exchange: Exchange, blocks: readonly PlannedBlock[]): ReadonlySet<number> {
  const unfit = new Set<number>()
  for (const account of new Set(blocks.map(({ quote }) => quote.maker))) {
    const legs = blocks.flatMap(({ quote, legs }) => (quote.maker === account ? legs : []))
    const side = { account, role: 'maker' } as const
    const isBarred = !checkBlockLocks(exchange, legs, [side]).ok
    if (isBarred || !bearsBlock(exchange, legs, side)) unfit.add(account)
  }
  return unfit
}

/** The parts of each maker, in the order of each maker's first part. */
function partsByMaker(
  blocks: readonly PlannedBlock[],
): readonly (readonly [maker: number, parts: readonly PlannedBlock[]])[] {
  const found = new Map<number, PlannedBlock[]>()
  for (const planned of blocks) {
    const { maker } = planned.quote
    const parts = found.get(maker)
    if (parts === undefined) found.set(maker, [planned])
    else parts.push(planned)
  }
  return [...found]
}

/** The trades of one maker with the taker of an RFQ. */
interface MadeBlock {
  readonly number: number
  readonly maker: number
  readonly legs: readonly BlockLeg[]
}

/** Parts of an RFQ that one maker trades. */
interface BookedParts {
  readonly maker: number
  readonly parts: readonly PlannedBlock[]
  readonly session: number
  readonly isMobile: boolean
}

/** Books the parts of a maker as one block: each quote at its own prices. */
function bookParts(turn: Turn, rfq: RfqRow, of: BookedParts): MadeBlock {
  const { maker, parts, session, isMobile } = of
  turn.exchange.blocks.count += 1
  const number = turn.exchange.blocks.count
  const legs = parts.flatMap((part) => part.legs)
  const structure = rfq.legs.length
  const combo = comboOf(turn.exchange, legs.slice(0, structure))
  const isDiscounted = combo !== null && isOptionCombo(turn.exchange, combo)
  const apps = { maker: parts[0]?.quote.appName ?? null, taker: rfq.appName }
  noteApps(turn.exchange, number, apps)
  const common = { number, maker, taker: rfq.taker, legCount: legs.length, combo: combo ?? -1 } as const
  for (const { quote, legs: own } of parts) {
    const fills = bookBlock(turn, {
      ...common,
      legs: own,
      isDiscounted,
      structure,
      rfq: { rfq: rfq.rfq, quote: quote.quote },
      apps: appsWith(
        { maker: quote.appName, taker: rfq.appName },
        { maker: isMobileAsk(turn.exchange, { quote: quote.quote }), taker: isMobile },
      ),
      session: { account: rfq.taker, session },
    })
    bookShares(turn, rfq, own, fills)
  }
  const named = { account: rfq.taker, role: 'taker', timestamp: turn.exchange.now, nonce: '', legs } as const
  emitBlock(turn, named, {
    change: 'executed',
    reason: 'block_rfq',
    block: number,
    other: maker,
    combo: combo ?? -1,
  })
  for (const { quote, fill } of parts) {
    const end = { change: 'filled', reason: 'rfq_filled', filled: fill.amount, block: number } as const
    endRfqQuote(turn, rfq, quote, end)
  }
  return { number, maker, legs }
}

/** Indices of the legs and of the hedge, each once. */
function indicesOf(exchange: Exchange, { legs, hedge }: RfqRow): readonly RfqIndex[] {
  const found = new Map<string, RfqIndex>()
  for (const { instrument } of hedge === null ? legs : [...legs, hedge]) {
    const { name, price } = rowOfInstrument(exchange, instrument).index
    found.set(name, { index: name, price: price9(price) })
  }
  return [...found.values()]
}

function quoteOf(rfq: RfqRow, quote: number): RfqQuoteRow {
  return defined(rfq.quotes.get(quote), 'a solution consists of open quotes')
}

/**
 * Pre-allocation of a Block RFQ: the trades of the taker pass on to the accounts that the request names, at the same
 * prices, each with its part of the fee.
 *
 * Rule: rfq.allocation-booking. Each leg is shared pro rata, rounded down to its step, with the remainder for the first
 * account; the fee is shared in the same way. A named account bears the margin of its part, and the taker only the
 * margin of the taker's own part. For a spot leg, coins and money change hands instead of a position, so a named
 * account must have the money, or the coins, for its part free.
 *
 * Assumed: parts pass through the account of the taker, so a position of the taker there takes the price of the trade
 * into its average. Source: sessions-blocks-gateways.md 5.7.
 */

/** True if all accounts with a part of a fill have the margin for it, and may trade now. */
function bearsShares(exchange: Exchange, rfq: RfqRow, blocks: readonly (readonly BlockLeg[])[]): boolean {
  return sharesOf(exchange, rfq, blocks).every(({ account, legs }) => {
    const side = { account, role: 'taker' } as const
    return checkBlockLocks(exchange, legs, [side]).ok && bearsBlock(exchange, legs, side)
  })
}

/** Passes the parts of a block on. Events: `position_transfer` of each leg and each other account. */
function bookShares(turn: Turn, rfq: RfqRow, legs: readonly BlockLeg[], fills: readonly Fill[]): void {
  if (rfq.shares.length === 0) return
  for (const [at, leg] of legs.entries()) {
    const row = rowOfInstrument(turn.exchange, leg.instrument)
    const parts = partsOf(turn.exchange, rfq, leg)
    const { fee } = defined(fills[at], 'each leg has a fill of the taker')
    const fees = parts.map((part) => divFloorBig(fee * BigInt(part), BigInt(leg.amount)))
    const rest = fees.reduce((sum, part) => sum - part, fee as bigint)
    for (const [which, { account }] of rfq.shares.entries()) {
      const size = parts[which] ?? 0
      if (account === rfq.taker || size === 0) continue
      const commission = (fees[which] ?? 0n) + (which === 0 ? rest : 0n)
      // The account that takes over a bought part gives the same size of the opposite side, and the fee with it.
      const isBought = opposite(leg.side) === 'buy'
      transferPosition(turn, {
        reason: 'allocation',
        from: holdingFor(turn.exchange, account, row),
        to: holdingFor(turn.exchange, rfq.taker, row),
        lots: isBought ? -size : size,
        price: leg.price,
        commission: amount(commission),
        commissionToTarget: amount(commission),
      })
    }
  }
}

/** Legs of all blocks by the account that receives them. */
function sharesOf(exchange: Exchange, rfq: RfqRow, blocks: readonly (readonly BlockLeg[])[]): readonly SharedLegs[] {
  if (rfq.shares.length === 0) return [{ account: rfq.taker, legs: blocks.flat() }]
  return rfq.shares.map(({ account }, which) => {
    const legs = blocks.flat().flatMap((leg): readonly BlockLeg[] => {
      const size = partsOf(exchange, rfq, leg)[which] ?? 0
      return size === 0 ? [] : [{ ...leg, amount: lots(size) }]
    })
    return { account, legs }
  })
}

/** Lots of a leg for each named account. */
function partsOf(exchange: Exchange, rfq: RfqRow, leg: BlockLeg): readonly number[] {
  const { minTradeLots } = rowOfInstrument(exchange, leg.instrument).instrument
  return allocatePro(
    leg.amount,
    minTradeLots,
    rfq.shares.map(({ amount: share }) => share),
  )
}
