/**
 * Read-only views of Block RFQs, each in the view of one account.
 *
 * Rule: rfq.viewer. Only the taker sees quotes, targets, label, trigger, pre-allocation and whether the RFQ counts for
 * the taker's rating. Makers see only themselves among the traded makers, and aliases of others only if the RFQ is
 * disclosed.
 * Source: sessions-blocks-gateways.md 5.3, 5.6, 5.8, 5.10.
 */
import { ratingBand, takerRating } from '../../../blocks/index.ts'
import { type AccountId, accountId, type InstrumentId, type Lots, type Micros } from '../../../core/index.ts'
import type { BlockLeg, RfqClient, RfqLeg, RfqReason, RfqState, RfqTriggerState, Side } from '../../../model/index.ts'
import { quoteFacts, type RfqQuoteFacts } from '../../market/index.ts'
import { comboOf } from '../../requests/index.ts'
import {
  type Exchange,
  isOfOneOwner,
  isTarget,
  legLotsFor,
  makerAliasOf,
  makersOf,
  partyOf,
  type RfqIndex,
  type RfqRow,
  type RfqShown,
  rfqAt,
  rfqPrice9,
  rfqSize9,
  takerAliasOf,
} from '../../state/index.ts'

/** A part of a filled RFQ. Amounts and prices of structures are in 1e-9. */
export interface RfqTradeView {
  readonly side: Side
  readonly price9: bigint
  readonly amount9: bigint
  /** Null if the viewer may not see it. */
  readonly maker: string | null
  readonly hedge: Lots | null
  readonly block: number
}

/** Best quotes on one side in the taker's view. */
export interface RfqShownView {
  readonly price9: bigint
  readonly amount9: bigint
  /** In order of priority, each once. */
  readonly makers: readonly string[]
  readonly allOrNone: boolean
  readonly updatedAt: Micros
  readonly expiresAt: Micros
}

/** A part for another account. */
export interface RfqShareView {
  readonly account: AccountId
  readonly client: RfqClient | null
  readonly amount9: bigint
}

/** The trigger that an RFQ shows. */
export interface RfqTriggerView {
  readonly state: RfqTriggerState
  readonly side: Side
  readonly price9: bigint
  readonly reason: RfqReason | null
}

/** The part of an RFQ that only its taker sees. */
interface RfqTakerView {
  readonly makers: readonly string[]
  readonly label: string
  readonly appName: string | null
  readonly trigger: RfqTriggerView | null
  readonly shares: readonly RfqShareView[]
  /** Null while it is open. */
  readonly included: boolean | null
  readonly bid: RfqShownView | null
  readonly ask: RfqShownView | null
}

/** A Block RFQ in the view of one account. */
export interface RfqView {
  readonly rfq: number
  readonly state: RfqState
  readonly createdAt: Micros
  readonly expiresAt: Micros
  readonly amount9: bigint
  readonly least9: bigint
  readonly legs: readonly RfqLeg[]
  readonly hedge: BlockLeg | null
  readonly combo: InstrumentId | null
  readonly disclosed: boolean
  /** Band of its taker's rating. */
  readonly rating: string
  readonly mark9: bigint
  /** Null if it is not disclosed. */
  readonly taker: string | null
  /** Null unless it was filled. */
  readonly fill: {
    readonly time: Micros
    readonly side: Side
    readonly trades: readonly RfqTradeView[]
    readonly indices: readonly RfqIndex[]
  } | null
  /** Null for makers. */
  readonly own: RfqTakerView | null
}

const ANONYMOUS = 'ANONYMOUS'

/** An RFQ in the view of an account; undefined if the account may not see it. */
export function viewRfq(exchange: Exchange, number: number, account: AccountId): RfqView | undefined {
  const rfq = exchange.rfqs.rfqs.get(number)
  if (rfq === undefined) return undefined
  return maySee(exchange, rfq, account) ? seenBy(exchange, rfq, { account }) : undefined
}

/**
 * The allocation of an RFQ for its taker; empty if the request named no accounts, or if the RFQ is no longer stored.
 */
export function rfqSharesOf(exchange: Exchange, number: number): readonly RfqShareView[] {
  const rfq = exchange.rfqs.rfqs.get(number)
  return rfq === undefined ? [] : sharesOf(rfq)
}

function sharesOf(rfq: RfqRow): readonly RfqShareView[] {
  return rfq.shares.map(({ account, client, amount }) => {
    return { account: accountId(account), client, amount9: rfqSize9(rfq, amount) }
  })
}

/** The public view of a filled RFQ, without names; undefined if it was not filled. */
export function viewFilledRfq(exchange: Exchange, number: number): RfqView | undefined {
  const rfq = exchange.rfqs.rfqs.get(number)
  return rfq?.state === 'filled' ? seenBy(exchange, rfq, { account: null }) : undefined
}

/** All RFQs that an account may see, the newest first. */
export function rfqsOf(exchange: Exchange, account: AccountId): readonly RfqView[] {
  const found: RfqView[] = []
  const ratings: Ratings = new Map()
  for (const rfq of exchange.rfqs.rfqs.values()) {
    if (maySee(exchange, rfq, account)) found.push(seenBy(exchange, rfq, { account, ratings }))
  }
  return found.reverse()
}

/** Accounts that an RFQ concerns: its taker, and the makers that may quote it. */
export function partiesOfRfq(
  exchange: Exchange,
  number: number,
): { readonly taker: AccountId; readonly makers: readonly AccountId[] } {
  const rfq = rfqAt(exchange, number)
  const makers = makersOf(exchange).filter((maker) => isTarget(exchange, rfq, maker))
  return { taker: accountId(rfq.taker), makers: makers.map(accountId) }
}

/** The public view of filled RFQs, without names, the latest fill first. */
export function filledRfqs(exchange: Exchange): readonly RfqView[] {
  const filled = [...exchange.rfqs.rfqs.values()].filter(({ state }) => state === 'filled')
  filled.sort((left, right) => (right.closedAt ?? 0) - (left.closedAt ?? 0) || right.rfq - left.rfq)
  const ratings: Ratings = new Map()
  return filled.map((rfq) => seenBy(exchange, rfq, { account: null, ratings }))
}

/** The open quotes of a maker, oldest first, with the RFQ of each. */
export function rfqQuotesOf(exchange: Exchange, account: AccountId): readonly RfqQuoteFacts[] {
  const found: RfqQuoteFacts[] = []
  for (const number of exchange.rfqs.open) {
    const rfq = rfqAt(exchange, number)
    for (const quote of rfq.quotes.values()) {
      if (quote.maker === account) found.push(quoteFacts(rfq, quote))
    }
  }
  return found.sort((left, right) => left.quote - right.quote)
}

/** The hedge of an RFQ, or null. */
export function hedgeOfRfq(exchange: Exchange, rfq: number): BlockLeg | null {
  return rfqAt(exchange, rfq).hedge
}

/** The role of an account in Block RFQs. */
interface RfqPartyView {
  readonly identity: string
  readonly isMaker: boolean
  /** Percent; undefined if no RFQ counts. */
  readonly rating: number | undefined
  readonly preventsSelfMatch: boolean
}

/** The role of an account in Block RFQs. */
export function rfqPartyOf(exchange: Exchange, account: AccountId): RfqPartyView {
  const { isMaker, preventsSelfMatch } = partyOf(exchange, account)
  return {
    identity: isMaker ? makerAliasOf(exchange, account) : takerAliasOf(exchange, account),
    isMaker,
    rating: ratingOf(exchange, account),
    preventsSelfMatch,
  }
}

/** Aliases of the makers that an account may name, in the order of their roles. */
export function rfqMakersFor(exchange: Exchange, account: AccountId): readonly string[] {
  return makersOf(exchange)
    .filter((maker) => !isOfOneOwner(exchange, account, maker))
    .map((maker) => makerAliasOf(exchange, maker))
}

function ratingOf(exchange: Exchange, account: number): number | undefined {
  const closed = [...exchange.rfqs.rfqs.values()].flatMap(({ taker, state, included, closedAt }) =>
    taker !== account || closedAt === null ? [] : [{ filled: state === 'filled', included, closedAt }],
  )
  return takerRating(closed, exchange.now - exchange.config.blockRfqs.ratingWindow)
}

/** Bands of ratings by taker that were already computed. */
type Ratings = Map<number, string>

function bandOf(exchange: Exchange, taker: number, ratings: Ratings): string {
  const known = ratings.get(taker)
  if (known !== undefined) return known
  const band = ratingBand(ratingOf(exchange, taker))
  ratings.set(taker, band)
  return band
}

function maySee(exchange: Exchange, rfq: RfqRow, account: AccountId): boolean {
  return rfq.taker === account || isTarget(exchange, rfq, account)
}

/** An RFQ in the view of an account, or in the public view. */
function seenBy(
  exchange: Exchange,
  rfq: RfqRow,
  of: { readonly account: AccountId | null; readonly ratings?: Ratings },
): RfqView {
  const { account, ratings = new Map() } = of
  const isTaker = account === rfq.taker
  return {
    rfq: rfq.rfq,
    state: rfq.state,
    createdAt: rfq.createdAt,
    expiresAt: rfq.expiresAt,
    amount9: rfqSize9(rfq, rfq.amount),
    least9: rfqSize9(rfq, rfq.least),
    legs: rfq.legs,
    hedge: rfq.hedge,
    combo: comboOf(exchange, wholeLegs(exchange, rfq)),
    disclosed: rfq.disclosed,
    rating: bandOf(exchange, rfq.taker, ratings),
    mark9: rfq.mark9,
    taker: rfq.disclosed && account !== null ? takerAliasOf(exchange, rfq.taker) : null,
    fill:
      rfq.filledSide === null || rfq.closedAt === null
        ? null
        : {
            time: rfq.closedAt,
            side: rfq.filledSide,
            trades: rfq.trades.map((trade): RfqTradeView => {
              const isSeen = trade.maker === account || (isTaker && rfq.disclosed)
              return {
                side: trade.side,
                price9: rfqPrice9(rfq, trade.price),
                amount9: rfqSize9(rfq, trade.amount),
                maker: isSeen ? makerAliasOf(exchange, trade.maker) : null,
                hedge: trade.hedge,
                block: trade.block,
              }
            }),
            indices: rfq.indices,
          },
    own: isTaker ? takerView(exchange, rfq) : null,
  }
}

function takerView(exchange: Exchange, rfq: RfqRow): RfqTakerView {
  const trigger = rfq.triggers.findLast(({ state }) => state === 'untriggered') ?? rfq.triggers.at(-1) ?? null
  const shownView = (side: RfqShown | null): RfqShownView | null =>
    side === null
      ? null
      : {
          price9: rfqPrice9(rfq, side.price),
          amount9: rfqSize9(rfq, rfq.amount),
          makers: [...new Set(side.makers.map((maker) => (rfq.disclosed ? makerAliasOf(exchange, maker) : ANONYMOUS)))],
          allOrNone: side.allOrNone,
          updatedAt: side.updatedAt,
          expiresAt: side.expiresAt,
        }
  return {
    makers: rfq.makers.map((maker) => makerAliasOf(exchange, maker)),
    label: rfq.label,
    appName: rfq.appName,
    trigger: trigger === null ? null : { ...trigger, price9: rfqPrice9(rfq, trigger.price) },
    shares: sharesOf(rfq),
    included: rfq.state === 'open' ? null : rfq.included,
    bid: shownView(rfq.shown.bid),
    ask: shownView(rfq.shown.ask),
  }
}

/** The legs with their full sizes, to find a combo with the same legs. */
function wholeLegs(exchange: Exchange, rfq: RfqRow): Parameters<typeof comboOf>[1] {
  return rfq.legs.map((leg) => {
    return { ...leg, amount: legLotsFor(exchange, rfq, leg, rfq.amount) }
  })
}
