/**
 * Moves a position, or a part of it, to another account at a price, without an order and without a trading fee. Both
 * sides are booked like a fill, a commission is paid, and reduce-only orders are adjusted. For spot, coins and money
 * change hands.
 *
 * Rule: position.transfer. Source: market.md 6.6; sessions-blocks-gateways.md 7.1; R03, R54.
 */
import { NO_SLOT } from '../../book/index.ts'
import { accountId, amount, lots, type Price9 } from '../../core/index.ts'
import { cashOf, pricedTerms } from '../../ledger/index.ts'
import { insuranceAccount, type TransferReason, type TransferSide } from '../../model/index.ts'
import { type Booked, baseCashOf, bookFill, feeCurrencyOf, reallocate } from '../market/index.ts'
import { type Exchange, eventHeader, type HoldingRow, type Turn, walletRowOf } from '../state/index.ts'
import { refreshMargin } from '../value/index.ts'
import { pay } from './cash-transfer.ts'

/** A position that changes hands. */
export interface Transfer {
  readonly reason: TransferReason
  readonly from: HoldingRow
  readonly to: HoldingRow
  /** Signed size that `from` gives. */
  readonly lots: number
  readonly price: Price9
  /**
   * Commission that `from` pays, and the part that `to` receives; the insurance fund receives the rest. In nano; for
   * spot in the currency that `from` receives.
   */
  readonly commission: bigint
  readonly commissionToTarget: bigint
}

/** Carries out a transfer. Events: `funding` of both, `position_transfer`, then those of reduce-only orders. */
export function transferPosition(turn: Turn, transfer: Transfer): void {
  const { exchange } = turn
  const { from, to, price, reason, commission, commissionToTarget } = transfer
  const { row } = from
  const priced = pricedTerms(row.terms, price)
  const size = Math.abs(transfer.lots)
  const isLong = transfer.lots > 0
  const direction = isLong ? 'sell' : 'buy'
  const gives = bookFill(turn, { row, owner: from, direction, lots: size, priced })
  const takes = bookFill(turn, {
    row,
    owner: to,
    direction: isLong ? 'buy' : 'sell',
    lots: size,
    priced,
  })
  const currency = feeCurrencyOf(row, direction)
  const payer = walletRowOf(from.account, currency)
  const fund = walletRowOf(insuranceAccount, currency)
  pay(exchange, { from: payer, to: walletRowOf(to.account, currency), nano: commissionToTarget })
  pay(exchange, { from: payer, to: fund, nano: commission - commissionToTarget })
  refreshMargin(exchange, from)
  refreshMargin(exchange, to)
  turn.log.append({
    kind: 'position_transfer',
    ...eventHeader(turn),
    reason,
    instrument: row.instrument.id,
    price,
    amount: lots(transfer.lots),
    from: sideOf(exchange, from, gives),
    to: sideOf(exchange, to, takes),
    commission: amount(commission),
    commissionToTarget: amount(commissionToTarget),
    fromBase: baseCashOf(exchange, row, from.account),
    toBase: baseCashOf(exchange, row, to.account),
  })
  reallocate(turn, from, NO_SLOT)
  reallocate(turn, to, NO_SLOT)
}

function sideOf({ ledger }: Exchange, { account, wallet }: HoldingRow, booked: Booked): TransferSide {
  return {
    account: accountId(account),
    realized: amount(BigInt(booked.realized)),
    premium: amount(BigInt(booked.premium)),
    balance: amount(cashOf(ledger, wallet)),
    position: lots(booked.position),
  }
}
