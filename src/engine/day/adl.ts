/**
 * Auto-deleveraging: the part of a liquidated position that no participant takes closes positions on the other side,
 * those with the most leveraged profit first.
 *
 * Rule: adl.rank. Profit over cost, times leverage, falling; then by account (sessions-blocks-gateways.md 7.3).
 * Assumed: it skips accounts that are being liquidated, because their own rounds close them; it never closes positions
 * of the house and the recorded market; and a counterparty receives half of the commission.
 */
import { currencyId, type Price9 } from '../../core/index.ts'
import { basisBig, readHolding } from '../../ledger/index.ts'
import { ofUsd } from '../../margin/index.ts'
import { currencyOf } from '../../model/index.ts'
import {
  type AccountRow,
  ALL_CURRENCIES,
  accountRow,
  type Exchange,
  type HoldingRow,
  type Turn,
} from '../state/index.ts'
import { modelOf, stateOfPool, updateSkippedHolding, usdIndex9 } from '../value/index.ts'
import type { Offer } from './lsp.ts'
import { counterpartyShare, deleveragingScore, transferCommission, transferPrice } from './lsp-shares.ts'
import { transferPosition } from './transfers.ts'

/** A position on the other side. */
interface Counterparty {
  readonly owner: HoldingRow
  readonly size: number
  readonly score: bigint
}

/** The price at which positions on the other side are closed. */
export function adlPrice(exchange: Exchange, offer: Offer): Price9 {
  return transferPrice(offer.owner.row.mark, offer.isLong, exchange.config.lsp.adlSpreadPpm)
}

/** Closes positions on the other side against an offer; returns the closed size in lots. */
export function deleverage(turn: Turn, offer: Offer): number {
  const price = adlPrice(turn.exchange, offer)
  let left = offer.lots
  for (const { owner: to, size } of counterparties(turn.exchange, offer)) {
    if (left === 0) break
    const part = Math.min(left, size)
    const notional = basisBig(offer.owner.row.terms, part, price)
    const commission = transferCommission(notional, turn.exchange.config.lsp.commissionPpm)
    transferPosition(turn, {
      reason: 'adl',
      from: offer.owner,
      to,
      lots: offer.isLong ? part : -part,
      price,
      commission,
      commissionToTarget: counterpartyShare(commission),
    })
    left -= part
  }
  return offer.lots - left
}

/** Positions on the other side, in the order in which they are closed. */
function counterparties(exchange: Exchange, { owner, isLong }: Offer): readonly Counterparty[] {
  const found: Counterparty[] = []
  for (const holding of owner.row.holdings) {
    const other = exchange.holdings[holding]
    if (other === undefined || !other.margined || other.account === owner.account) continue
    const account = accountRow(exchange, other.account)
    if (account.liquidations.length > 0) continue
    updateSkippedHolding(exchange, other)
    const { size, entry, value } = readHolding(exchange.ledger, holding)
    if (size === 0 || size > 0 === isLong) continue
    const equity = equityOf(exchange, account, owner.row.settlement)
    const score = deleveragingScore({
      profit: entry - value,
      cost: absolute(entry),
      value: absolute(value),
      equity,
    })
    found.push({ owner: other, size: Math.abs(size), score })
  }
  return found.sort((left, right) => {
    if (left.score === right.score) return left.owner.account - right.owner.account
    return left.score > right.score ? -1 : 1
  })
}

/**
 * Equity behind a position, in nano of its currency; for cross margin, the equity of the whole account (market.md 6.4).
 */
function equityOf(exchange: Exchange, account: AccountRow, currency: number): bigint {
  if (modelOf(account).shared === null) return stateOfPool(exchange, { account, currency }).equity
  const { equity } = stateOfPool(exchange, { account, currency: ALL_CURRENCIES })
  return ofUsd(equity, usdIndex9(exchange, currencyOf(currencyId(currency))))
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value
}
