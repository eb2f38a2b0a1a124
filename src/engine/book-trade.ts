/**
 * Booking one fill: postings of both accounts, positions, fees, margin, and the public trade.
 *
 * Fees go to the house; every posting is computed from the fill itself, never as what is missing.
 * Source: market.md 4 (fees), 5.1 (positions), 8 (tick direction); C06 step 1.
 */
import { ownerOf, remainingOf } from '../book/index.ts'
import { accountId, amount, currencyId, lots, type Price9, price9 } from '../core/index.ts'
import {
  baseFeeNano,
  feeNano,
  postCash,
  postFill,
  postWideCash,
  setBasis,
  sizeOf,
} from '../ledger/index.ts'
import { currencyOf, type Fill, feeAccount, makeTradeId } from '../model/index.ts'
import { nextEvent } from './emit.ts'
import type { FillContext } from './match.ts'
import { type InstrumentRow, walletOf } from './state/exchange.ts'
import { refreshMargin } from './state/holdings.ts'
import { holdingAt, idAt, sideAt } from './state/order-rows.ts'

/** Books a fill of both sides and emits the `trade`. */
export function bookTrade(context: FillContext): void {
  const { turn, row } = context
  const { exchange } = turn
  const price = price9(context.price * row.instrument.tick9)
  const maker = bookSide(context, { slot: context.makerSlot, liquidity: 'maker', price })
  const taker = bookSide(context, { slot: context.takerSlot, liquidity: 'taker', price })
  const tickDirection = tickDirectionOf(row, price)
  row.tradeSeq += 1
  const number = (exchange.tradeNumbers[row.settlement] as number) + 1
  exchange.tradeNumbers[row.settlement] = number
  turn.sink.emit({
    kind: 'trade',
    time: exchange.now,
    number: nextEvent(exchange),
    cause: turn.cause,
    trade: makeTradeId(row.settlement, number),
    tradeSeq: row.tradeSeq,
    instrument: row.instrument.id,
    price,
    amount: lots(context.lots),
    side: taker.side,
    tickDirection,
    index: row.index.price,
    mark: row.mark,
    maker,
    taker,
  })
}

/** Which order of the fill is booked. */
interface FillSide {
  readonly slot: number
  readonly liquidity: 'maker' | 'taker'
  readonly price: Price9
}

function bookSide(context: FillContext, side: FillSide): Fill {
  const { turn, row } = context
  const { exchange } = turn
  const { orders } = exchange
  const direction = sideAt(orders, side.slot)
  const account = ownerOf(exchange.slots, side.slot)
  const { liquidity, price } = side
  let fee: number
  let feeCurrency = row.settlement
  let realized = 0n
  let position = 0
  if (row.base >= 0) {
    exchangeSpot(context, { account, side: direction, price })
    // A spot fee is taken from what the account receives.
    if (direction === 'buy') feeCurrency = currencyId(row.base)
    fee =
      direction === 'buy'
        ? baseFeeNano(row.terms, { liquidity, lots: context.lots })
        : feeNano(row.terms, { liquidity, lots: context.lots, price9: price })
  } else {
    fee = feeNano(row.terms, { liquidity, lots: context.lots, price9: price })
    const holding = holdingAt(orders, side.slot)
    const wallet = walletOf(account, row.settlement)
    realized = postFill(
      exchange.ledger,
      { holding, wallet },
      {
        terms: row.terms,
        sign: direction === 'buy' ? 1 : -1,
        lots: context.lots,
        price9: price,
        mark9: row.mark,
      },
    )
    position = sizeOf(exchange.ledger, holding)
    if (liquidity === 'maker') refreshMargin(exchange, holding, row)
  }
  if (fee !== 0) {
    postCash(exchange.ledger, walletOf(account, feeCurrency), -fee)
    postCash(exchange.ledger, walletOf(feeAccount, feeCurrency), fee)
  }
  return {
    account: accountId(account),
    order: idAt(orders, side.slot),
    side: direction,
    rule: liquidity === 'maker' ? 'book_maker' : 'book_taker',
    aheadBefore: lots(0),
    aheadAfter: lots(0),
    fee: amount(BigInt(fee)),
    feeCurrency: currencyOf(feeCurrency),
    realized: amount(realized),
    position: lots(position),
    remaining: lots(remainingOf(exchange.slots, side.slot)),
  }
}

/** Base and quote change hands: each account's two postings mirror the other's exactly. */
function exchangeSpot(
  context: FillContext,
  side: { readonly account: number; readonly side: 'buy' | 'sell'; readonly price: Price9 },
): void {
  const { exchange } = context.turn
  const { row } = context
  const base = context.lots * row.instrument.amountStep9
  const buys = side.side === 'buy'
  postCash(exchange.ledger, walletOf(side.account, row.base), buys ? base : -base)
  setBasis(exchange.scratch, 0, { terms: row.terms, lots: context.lots, price9: side.price })
  postWideCash(exchange.ledger, walletOf(side.account, row.settlement), {
    source: exchange.scratch,
    from: 0,
    sign: buys ? -1 : 1,
  })
}

/** 0 up, 2 down; equal keeps the last move as 1 or 3; the first trade is 1 (T102, T103). */
function tickDirectionOf(row: InstrumentRow, price: Price9): 0 | 1 | 2 | 3 {
  const last = row.lastPrice
  row.lastPrice = price
  if (row.tradeSeq === 0 || price === last) return row.lastMove === 'down' ? 3 : 1
  row.lastMove = price > last ? 'up' : 'down'
  return price > last ? 0 : 2
}
