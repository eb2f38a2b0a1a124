/**
 * Settlement and delivery of the holders of one instrument: the cash of each holder, the other side in the house
 * account, and the events.
 *
 * The profit of a future for the trading day becomes cash; an expiring option pays its value. A holding of
 * `house.rounding` takes the exact opposite, in cash and in basis; see `ledger`. Holders are processed by ascending
 * account id.
 *
 * Rule: settlement.daily, settlement.delivery, settlement.option-delivery. Source: market.md 3.6 (T41-T46), 4 (delivery
 * fees); S033; R39, R40.
 */

import { accountId, amount, assert, defined, divHalfAwayBig, lots } from '../../core/index.ts'
import {
  beginDay,
  cashOf,
  deliverOption,
  deliveryFeeNano,
  optionFeeNano,
  postCash,
  readHolding,
  type SettledProfit,
  settleHolding,
} from '../../ledger/index.ts'
import { currencyOf, type EventOf, feeAccount, type OptionRight, roundingAccount } from '../../model/index.ts'
import {
  accountRow,
  type Exchange,
  eventHeader,
  type HoldingRow,
  holdingFor,
  type InstrumentRow,
  isCoinSettled,
  nextEvent,
  noteFundable,
  ONE_COIN9,
  type Turn,
  walletRowOf,
} from '../state/index.ts'
import { accrueFunding, refreshMargin, touchFunding, updateSkippedHolding } from '../value/index.ts'

/** A running settlement: its type, and the sum of the profits of each account. */
interface Settling {
  readonly type: EventOf<'settlement'>['type']
  readonly profits: Map<number, bigint>
}

/** Settles all holdings of an instrument at its mark, or delivers them, and emits their sums. */
export function settleAll(turn: Turn, row: InstrumentRow, settling: Settling): void {
  const sums = { realized: 0n, day: 0n, position: 0 }
  accrueFunding(turn.exchange, row)
  for (const owner of holdersOf(turn.exchange, row)) {
    touchFunding(turn, owner)
    const { size, realized, funding } = readHolding(turn.exchange.ledger, owner.holding)
    if (size === 0 && realized === 0n && funding === 0n) continue
    const settled = settleOne(turn, owner, { ...settling, size })
    sums.realized += settled.realized
    sums.day += settled.day
    sums.position += Math.max(0, size)
  }
  const paid = row.funding === null ? 0n : row.funding.paidByLongs
  if (row.funding !== null) row.funding.paidByLongs = 0n
  turn.log.append({
    kind: 'instrument_settlement',
    ...eventHeader(turn),
    type: settling.type,
    instrument: row.instrument.id,
    currency: currencyOf(row.settlement),
    index: row.index.price,
    mark: settling.type === 'delivery' ? row.deliveryPrice : row.mark,
    position: lots(sums.position),
    profitLoss: amount(sums.realized),
    sessionProfitLoss: amount(sums.day),
    funding: amount(paid),
  })
}

/** Options are not settled: their trading day restarts at the mark, without a change of cash (S033). */
export function resetOption(exchange: Exchange, row: InstrumentRow): void {
  for (const owner of holdersOf(exchange, row)) {
    const mirror = holdingFor(exchange, roundingAccount, row)
    updateSkippedHolding(exchange, owner)
    beginDay(exchange.ledger, owner, row.markTerms, mirror)
  }
}

/** The holdings of an instrument by ascending account, without the house's opposite holding. */
function holdersOf(exchange: Exchange, row: InstrumentRow): readonly HoldingRow[] {
  return row.holdings
    .map((holding) => defined(exchange.holdings[holding], 'the holding exists'))
    .filter(({ account }) => account !== roundingAccount)
    .sort((left, right) => left.account - right.account)
}

/** A settlement of a position of one size. */
interface SettlingSize extends Settling {
  readonly size: number
}

function settleOne(turn: Turn, owner: HoldingRow, { type, profits, size }: SettlingSize): SettledProfit {
  const { exchange } = turn
  const { row, account } = owner
  const mirror = holdingFor(exchange, roundingAccount, row)
  const ends = type === 'delivery'
  const settled = row.terms.premium
    ? deliverOne(exchange, owner, mirror, size)
    : settleHolding(exchange.ledger, owner, row.markTerms, mirror, ends)
  exchange.roundings[row.settlement] = (exchange.roundings[row.settlement] ?? 0) + 1
  const profit = row.terms.premium ? settled.realized : settled.day
  profits.set(account, (profits.get(account) ?? 0n) + profit)
  const fee = ends ? payDeliveryFee(exchange, owner, Math.abs(size), settled) : 0n
  noteFundable(exchange, owner)
  refreshMargin(exchange, owner)
  const event: EventOf<'settlement'> = {
    kind: 'settlement',
    time: exchange.now,
    number: nextEvent(exchange),
    cause: turn.cause,
    type,
    account: accountId(account),
    instrument: row.instrument.id,
    currency: currencyOf(row.settlement),
    position: lots(size),
    index: row.index.price,
    mark: ends ? row.deliveryPrice : row.mark,
    profitLoss: amount(settled.realized),
    sessionProfitLoss: amount(settled.day),
    funding: amount(settled.funding),
    fee: amount(fee),
    balance: amount(cashOf(exchange.ledger, owner.wallet)),
  }
  turn.log.append(event)
  return settled
}

/** Pays the value of an option at the delivery price. The cash changes by that value, whatever the option cost. */
function deliverOne(exchange: Exchange, owner: HoldingRow, mirror: HoldingRow, size: number): SettledProfit {
  const { detail, amountStep9 } = owner.row.instrument
  assert(detail.type === 'option', 'only options have a premium')
  const value = deliveredValue(
    detail.right,
    isCoinSettled(owner.row),
    detail.strike,
    owner.row.deliveryPrice,
    BigInt(size) * BigInt(amountStep9),
  )
  const realized = deliverOption(exchange.ledger, owner, value, owner.row.markTerms, mirror)
  return { realized, day: value, funding: 0n }
}

/** Charges the delivery fee of a position of a trader, which the house receives; returns the fee. */
function payDeliveryFee(
  exchange: Exchange,
  { account, wallet, row }: HoldingRow,
  size: number,
  settled: SettledProfit,
): bigint {
  const { account: owner } = accountRow(exchange, account)
  if (owner.house || size === 0) return 0n
  const fee = row.terms.premium
    ? optionFeeNano(row.terms, row.terms.deliveryFee9, {
        lots: size,
        underlying9: isCoinSettled(row) ? ONE_COIN9 : row.deliveryPrice,
        value: settled.day < 0n ? -settled.day : settled.day,
        ppm: owner.feePpm,
      })
    : deliveryFeeNano(row.markTerms, size, owner.feePpm)
  if (fee === 0n) return fee
  postCash(exchange.ledger, wallet, -fee)
  postCash(exchange.ledger, walletRowOf(feeAccount, row.settlement), fee)
  return fee
}

/**
 * The payoff of an option at its delivery.
 *
 * Inverse: call max(D - K, 0) / D, put max(K - D, 0) / D coin for each coin. Linear: the same formulas without the
 * division, in quote. Rounded once for a whole position, half away from zero, to 1e-9 of the currency.
 * Rule: settlement.option-delivery. Source: market.md 3.6 (T41-T45).
 */

/** The value of a position in nano; negative for a short position. */
function deliveredValue(
  right: OptionRight,
  /** True if the payoff is in the underlying coin. */
  isInverse: boolean,
  strike9: number,
  /** Delivery price. */
  price9: number,
  /** Signed size in 1e-9 coin. */
  amount9: bigint,
): bigint {
  const gain = right === 'call' ? price9 - strike9 : strike9 - price9
  if (gain <= 0) return 0n
  return divHalfAwayBig(amount9 * BigInt(gain), isInverse ? BigInt(price9) : 1_000_000_000n)
}
