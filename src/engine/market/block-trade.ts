/**
 * Books a block trade. Each leg is a public trade between two accounts, in the order of the legs, and no book matches
 * it. Each side of a leg has its own order, which is filled at once and never rests.
 *
 * Block trades take their numbers from the usual counters, and count in volume and open interest. They do not change
 * the last price, fire no triggers and make no candles (R65). The taker pays the rate of blocks, the maker pays nothing
 * (R26). If the legs are those of an option combo, they get the combo's discount.
 *
 * Rule: block.execute, block.fees. Source: sessions-blocks-gateways.md 4.2, 4.6; market.md 4; R26, R65.
 * Assumed: the discount of an option combo requires that this combo is listed.
 */
import { NO_SLOT } from '../../book/index.ts'
import {
  accountId,
  amount,
  defined,
  type InstrumentId,
  lots,
  type OrderId,
  type Price9,
  price9,
} from '../../core/index.ts'
import { cashOf, contractTerms, type PricedTerms, pricedTerms } from '../../ledger/index.ts'
import {
  type BlockApps,
  type BlockLeg,
  currencyOf,
  type Fill,
  type Liquidity,
  makeOrderId,
  NO_SESSION,
  type OrderExtras,
  type OrderNow,
  opposite,
  type ReportedOrigin,
  type Side,
  usualNow,
  usualOrderTerms,
} from '../../model/index.ts'
import { eventHeader, holdingFor, type InstrumentRow, rowOfInstrument, type Turn } from '../state/index.ts'
import { optionTradeOf, refreshMargin } from '../value/index.ts'
import { baseCashOf, bookFill, feeCurrencyOf, feeOf, noFee, payFee } from './fill-booking.ts'
import { nextTrade, noteBlockPrice } from './last-price.ts'
import { legFeeShares } from './order-fee.ts'
import { reallocate } from './reduce-only.ts'

/** A block on which both sides agreed. */
export interface AgreedBlock {
  readonly number: number
  readonly maker: number
  readonly taker: number
  readonly legs: readonly BlockLeg[]
  /** Number of legs of the whole block. `legs` may be a part of it: several quotes of a maker are one block. */
  readonly legCount: number
  /** The combo with the same legs, or -1. */
  readonly combo: InstrumentId | -1
  /** True if the legs are those of an option combo. The taker then gets its discount. */
  readonly isDiscounted: boolean
  /** Number of legs of the structure, which come first. The rest are hedges, which get no discount. */
  readonly structure: number
  /** The Block RFQ and the quote that led to the block, or null. */
  readonly rfq: { readonly rfq: number; readonly quote: number } | null
  readonly apps: BlockApps
  /** The session of the request that executes the block, and the account that sent it. */
  readonly session: { readonly account: number; readonly session: number }
}

const blockExtras: OrderExtras = { mmp: null, quote: null, direct: null, block: true }
const noLegs: readonly [] = []

function extrasOf(apps: BlockApps, side: Liquidity): OrderExtras {
  const appName = apps[side]
  const isMobile = apps.mobile?.includes(side) === true
  if (appName === null && !isMobile) return blockExtras
  const origin: ReportedOrigin = {
    ...(appName === null ? {} : { appName }),
    ...(isMobile ? { mobile: true } : {}),
  }
  return { ...blockExtras, origin }
}

/** One side of a leg. */
interface BlockSide {
  readonly account: number
  readonly liquidity: Liquidity
  readonly direction: Side
  readonly order: OrderId
}

/**
 * Books all legs, and returns the fills of the taker. Events of each: `order` opened of taker and maker, `trade`,
 * `order` filled of both.
 */
export function bookBlock(turn: Turn, block: AgreedBlock): readonly Fill[] {
  const shares = takerShares(turn, block)
  return block.legs.map((leg, at) => bookLeg(turn, block, leg, defined(shares[at], 'each leg has a share of the fee')))
}

/** Updates the margins of both sides after the block, and adjusts their reduce-only orders to the new positions. */
export function settleBlock(turn: Turn, { maker, taker, legs }: Pick<AgreedBlock, 'maker' | 'taker' | 'legs'>): void {
  const { exchange } = turn
  for (const { instrument } of legs) {
    const row = rowOfInstrument(exchange, instrument)
    for (const account of [taker, maker]) {
      const owner = holdingFor(exchange, account, row)
      refreshMargin(exchange, owner)
      if (owner.reducing.length > 0) reallocate(turn, owner, NO_SLOT)
    }
  }
}

/** Share of each leg's fee that the taker pays, in parts per million. */
function takerShares({ exchange }: Turn, { legs, isDiscounted, structure }: AgreedBlock): readonly number[] {
  if (!isDiscounted) return legs.map(() => WHOLE_PPM)
  const traded = legs.slice(0, structure).map(({ instrument, side, price, amount: size }) => {
    const row = rowOfInstrument(exchange, instrument)
    return { row, direction: opposite(side), lots: size, priced: blockPriced(row, price) }
  })
  const hedges = legs.slice(structure).map(() => WHOLE_PPM)
  return [...legFeeShares('option_combo', traded, 'taker'), ...hedges]
}

const WHOLE_PPM = 1_000_000

/** The arithmetic of a contract at the rates of blocks. */
function blockPriced({ instrument }: InstrumentRow, price: Price9): PricedTerms {
  const rates = { makerFee9: 0, takerFee9: instrument.blockFee9 }
  return pricedTerms(contractTerms({ ...instrument, ...rates }), price)
}

function bookLeg(turn: Turn, block: AgreedBlock, leg: BlockLeg, sharePpm: number): Fill {
  const row = rowOfInstrument(turn.exchange, leg.instrument)
  const taker = sideOf(turn, row, {
    account: block.taker,
    liquidity: 'taker',
    direction: opposite(leg.side),
  })
  const maker = sideOf(turn, row, {
    account: block.maker,
    liquidity: 'maker',
    direction: leg.side,
  })
  for (const side of [taker, maker]) emitOrder(turn, block, { row, leg, side, isFilled: false })
  const makerFill = bookSide(turn, row, leg, maker, sharePpm)
  const takerFill = bookSide(turn, row, leg, taker, sharePpm)
  const tickDirection = noteBlockPrice(turn.exchange, row, leg.price)
  const { trade, tradeSeq } = nextTrade(turn.exchange, row)
  turn.log.append({
    kind: 'trade',
    ...eventHeader(turn),
    trade,
    tradeSeq,
    instrument: row.instrument.id,
    price: leg.price,
    amount: leg.amount,
    side: taker.direction,
    tickDirection,
    altMatch: 0,
    index: row.index.price,
    mark: row.mark,
    liquidation: 'none',
    option: optionTradeOf(turn.exchange, row, leg.price),
    combo: null,
    legs: noLegs,
    maker: makerFill,
    taker: takerFill,
    block: { number: block.number, legs: block.legCount, combo: block.combo },
    rfq: block.rfq,
  })
  for (const side of [taker, maker]) emitOrder(turn, block, { row, leg, side, isFilled: true })
  return takerFill
}

/** A side with the next order number of its currency. */
function sideOf({ exchange }: Turn, { settlement }: InstrumentRow, side: Omit<BlockSide, 'order'>): BlockSide {
  const number = (exchange.orderNumbers[settlement] as number) + 1
  exchange.orderNumbers[settlement] = number
  return { ...side, order: makeOrderId(settlement, number, 'ordinary') }
}

function bookSide(turn: Turn, row: InstrumentRow, leg: BlockLeg, side: BlockSide, sharePpm: number): Fill {
  const { exchange } = turn
  const { account, direction, liquidity } = side
  const owner = holdingFor(exchange, account, row)
  const fill = { row, owner, direction, lots: leg.amount }
  const booked = bookFill(turn, { ...fill, priced: pricedTerms(row.terms, leg.price) })
  const currency = feeCurrencyOf(row, direction)
  const paid =
    liquidity === 'maker' ? noFee : feeOf(exchange, { ...fill, priced: blockPriced(row, leg.price) }, 'taker', sharePpm)
  if (paid.fee !== 0) payFee(exchange, paid, account, currency)
  refreshMargin(exchange, owner)
  return {
    account: accountId(account),
    order: side.order,
    side: direction,
    rule: liquidity === 'maker' ? 'block_maker' : 'block_taker',
    aheadBefore: lots(0),
    aheadAfter: lots(0),
    source: null,
    fee: amount(BigInt(paid.fee)),
    feeCurrency: currencyOf(currency),
    fundFee: amount(BigInt(paid.fund)),
    realized: amount(BigInt(booked.realized)),
    premium: amount(BigInt(booked.premium)),
    balance: amount(cashOf(exchange.ledger, owner.wallet)),
    baseBalance: baseCashOf(exchange, row, account),
    position: lots(booked.position),
    remaining: lots(0),
  }
}

/** One side of a leg of a block trade. */
interface LegOrder {
  readonly row: InstrumentRow
  readonly leg: BlockLeg
  readonly side: BlockSide
  readonly isFilled: boolean
}

/** Emits the order of a side: a limit order at the price of the leg that was in no book. */
function emitOrder(turn: Turn, { session, apps }: AgreedBlock, of: LegOrder): void {
  const { row, leg, side, isFilled } = of
  const filled = lots(isFilled ? leg.amount : 0)
  const order = {
    side: side.direction,
    type: 'limit',
    timeInForce: 'good_til_cancelled',
    amount: leg.amount,
    postOnly: 'off',
    reduceOnly: false,
    replaced: false,
    label: '',
    session: session.account === side.account ? session.session : NO_SESSION,
  } as const
  const terms = { ...usualOrderTerms, extras: extrasOf(apps, side.liquidity) }
  const now: OrderNow = {
    ...usualNow,
    change: isFilled ? 'filled' : 'opened',
    order: side.order,
    account: accountId(side.account),
    instrument: row.instrument.id,
    price: leg.price,
    filled,
    averagePrice: price9(isFilled ? leg.price : 0),
    state: isFilled ? 'filled' : 'open',
    createdAt: turn.exchange.now,
    shown: lots(leg.amount - filled),
  }
  turn.log.order(eventHeader(turn), order, terms, now)
}
