/**
 * Closes a part of a position: the engine sends an immediate-or-cancel order at the edge of the price band through the
 * ordinary matching. It is an order of the liquidated account, and the checks of placements do not apply to it (R53).
 *
 * Rule: liquidation.close. The engine does not send an order that would not match. The first round without a match
 * emits a step; further ones emit none until a later round has closed something. Assumed: the venue may nevertheless
 * send one order each second, which would fill the history of an account whose book is empty with orders without
 * effect. If there are participants of the liquidity support programme, they are offered a part first, then accounts on
 * the other side, and the book gets the rest (R54).
 * Source: market.md 6.6 steps 4 to 6.
 */
import { wouldTake } from '../../book/index.ts'
import { amount, divFloor, lots, PRICE9_MAX, price9, type Ticks, ticks } from '../../core/index.ts'
import { sizeOf } from '../../ledger/index.ts'
import {
  insuranceAccount,
  type LiquidationRoute,
  NO_ORDER,
  NO_SESSION,
  type OrderTerms,
  type Side,
  usualTerms,
} from '../../model/index.ts'
import { announce, createOrder, enterOrder } from '../market/index.ts'
import { eventHeader, holdingFor, type InstrumentRow, type Liquidation, type Turn } from '../state/index.ts'
import { bandOf, liquidationHeader, type Pool, type PoolPosition, type PoolState } from '../value/index.ts'
import { adlPrice, deleverage } from './adl.ts'
import { assignOffer, isProtected, lspPrice, type Offer } from './lsp.ts'
import { isFuture, type Picked, pickPosition } from './picking.ts'
import { transferPosition } from './transfers.ts'

/** A running round of a pool. */
interface Round {
  readonly pool: Pool
  readonly liquidation: Liquidation
  /** Margins before the round closes anything. */
  readonly margins: PoolState
  readonly positions: readonly PoolPosition[]
}

/** A part of the selected position, and the result of one attempt to close it. */
interface Part {
  readonly route: LiquidationRoute
  /** Signed position before the attempt. */
  readonly position: number
  readonly asked: number
  readonly closed: number
  readonly price9: number
}

/** Closes a part of one position of a pool: with participants, with accounts on the other side, in the book. */
export function closePart(turn: Turn, round: Round): void {
  if (round.margins.equity < 0n && !round.positions.some(isFuture)) {
    closeOut(turn, round)
    return
  }
  const picked = pickPosition(turn.exchange, round.positions)
  if (picked === null) return
  const { row } = picked.position.owner
  let left = picked.chunk
  if (row.state === 'open' && row.mark > 0 && isProtected(turn.exchange, picked.position.owner)) {
    const offer = { owner: picked.position.owner, isLong: picked.position.size > 0 }
    left -= handOver(turn, round, picked, { ...offer, lots: left, route: 'lsp' })
    if (left > 0) left -= handOver(turn, round, picked, { ...offer, lots: left, route: 'adl' })
    if (left === 0) return
  }
  closeInBook(turn, round, { ...picked, chunk: left })
}

/**
 * Rule: liquidation.close-out. If the account has no value left, the insurance fund takes its options over at their
 * marks, and the next settlement handles the remaining debt.
 */
function closeOut(turn: Turn, round: Round): void {
  for (const position of round.positions) {
    const { owner, size } = position
    // Without a mark there is no price; the next round tries again.
    if (owner.row.mark === 0) continue
    const chunk = Math.abs(size)
    transferPosition(turn, {
      reason: 'close_out',
      from: owner,
      to: holdingFor(turn.exchange, insuranceAccount, owner.row),
      lots: size,
      price: owner.row.mark,
      commission: 0n,
      commissionToTarget: 0n,
    })
    const part = { route: 'fund', position: size, asked: chunk, closed: chunk } as const
    const picked = { position, rule: 'close_out', chunk } as const
    emitStep(turn, round, picked, { ...part, price9: owner.row.mark })
  }
}

/** An offer of a position and the way that it takes. */
interface RoutedOffer extends Offer {
  readonly route: 'lsp' | 'adl'
}

/** Offers the part to participants, or closes it against accounts on the other side; returns the closed size. */
function handOver(turn: Turn, round: Round, picked: Picked, offer: RoutedOffer): number {
  const isLsp = offer.route === 'lsp'
  const price = isLsp ? lspPrice(turn.exchange, offer) : adlPrice(turn.exchange, offer)
  const position = sizeOf(turn.exchange.ledger, offer.owner.holding)
  const closed = isLsp ? assignOffer(turn, offer) : deleverage(turn, offer)
  if (closed === 0) return 0
  round.liquidation.isStuck = false
  emitStep(turn, round, picked, { route: offer.route, position, asked: offer.lots, closed, price9: price })
  return closed
}

function closeInBook(turn: Turn, round: Round, picked: Picked): void {
  const { owner } = picked.position
  const { row } = owner
  const size = sizeOf(turn.exchange.ledger, owner.holding)
  const side = size > 0 ? 'sell' : 'buy'
  const price = worstPrice(row, side)
  const price9 = price * row.instrument.tick9
  const part = { route: 'book', position: size, asked: picked.chunk, price9 } as const
  if (row.state !== 'open' || row.mark === 0 || !wouldTake(row.book, side, price)) {
    if (!round.liquidation.isStuck) emitStep(turn, round, picked, { ...part, closed: 0 })
    round.liquidation.isStuck = true
    return
  }
  round.liquidation.isStuck = false
  const terms: OrderTerms = {
    ...usualTerms,
    side,
    timeInForce: 'immediate_or_cancel',
    price,
    amount: lots(picked.chunk),
  }
  const slot = createOrder(turn.exchange, {
    row,
    account: owner.account,
    terms,
    price,
    display: lots(0),
    stage: 'entering',
    link: null,
    triggeredBy: NO_ORDER,
    liquidation: true,
    session: NO_SESSION,
    extras: null,
  })
  announce(turn, row, slot)
  enterOrder(turn, row, slot, 'placed')
  const closed = Math.abs(size - sizeOf(turn.exchange.ledger, owner.holding))
  emitStep(turn, round, picked, { ...part, closed })
}

/** The edge of the price band; without a band, the worst possible price. */
function worstPrice(row: InstrumentRow, side: Side): Ticks {
  const { min: bandMin, max: bandMax } = bandOf(row)
  if (bandMax > 0) return side === 'buy' ? bandMax : bandMin
  return ticks(side === 'buy' ? divFloor(PRICE9_MAX, row.instrument.tick9) : 1)
}

function emitStep(turn: Turn, round: Round, picked: Picked, part: Part): void {
  turn.log.append({
    kind: 'liquidation_step',
    ...eventHeader(turn),
    ...liquidationHeader(round.pool, round.margins),
    round: round.liquidation.round,
    instrument: picked.position.owner.row.instrument.id,
    position: lots(part.position),
    rule: picked.rule,
    positionMaintenance: amount(picked.position.maintenance),
    route: part.route,
    asked: lots(part.asked),
    closed: lots(part.closed),
    price: price9(part.price9),
  })
}
