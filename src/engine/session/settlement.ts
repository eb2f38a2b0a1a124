/**
 * Settlement and delivery of one settlement currency, all at one time: what expires is delivered, the
 * other futures are settled at their marks, debts are paid, books open again.
 *
 * Postings: each holder's profit becomes cash, and a holding of `house.rounding` takes the exact opposite,
 * in cash and in basis; see `ledger`. Instruments go by ascending id, holders by ascending account id.
 *
 * Rule: settlement.daily, settlement.delivery. Source: market.md 3.6 (T46), 4 (delivery fees); S032, S033;
 * R23, R39, R40. No settlement runs while a book of the currency is halted (market.md 1.5): it waits.
 */
import {
  accountId,
  amount,
  type CurrencyId,
  currencyId,
  defined,
  lots,
  micros,
  schedule,
} from '../../core/index.ts'
import {
  cashOf,
  feeShareNano,
  postCash,
  readHolding,
  type SettledProfit,
  settleHolding,
} from '../../ledger/index.ts'
import { currencyOf, feeAccount, type PositionSettled, roundingAccount } from '../../model/index.ts'
import { nextEvent, type Turn } from '../emit.ts'
import { accrueFunding, touchFunding } from '../prices/funding.ts'
import { changeMark } from '../prices/reference.ts'
import { type Exchange, type HoldingRow, timerRank, walletOf } from '../state/exchange.ts'
import { holdingFor, refreshMargin } from '../state/holdings.ts'
import type { InstrumentRow } from '../state/instrument-row.ts'
import { accountRow } from '../state/orders.ts'
import { settleDebts } from './bankruptcy.ts'
import { setState } from './book-state.ts'
import { endDay, endOrders } from './day-orders.ts'
import { listScheduled } from './listing.ts'

/** Settles every currency that waits, where no book of it is halted. */
export function settleWaiting(turn: Turn): void {
  const { exchange } = turn
  for (const currency of [...exchange.unsettled].sort((left, right) => left - right)) {
    const rows = exchange.instruments.filter((row) => isOf(row, currency))
    if (rows.some(({ state }) => state === 'halted')) {
      // What is to be delivered at a price that is fixed trades no more.
      for (const row of rows) if (isExpired(exchange, row)) closeBook(turn, row)
      continue
    }
    exchange.unsettled.delete(currency)
    settleCurrency(turn, currencyId(currency), rows)
  }
}

/** What an instrument of the currency that can be settled is. */
function isOf(row: InstrumentRow, currency: number): boolean {
  return row.base < 0 && row.settlement === currency && row.deliveredAt === null
}

function settleCurrency(turn: Turn, currency: CurrencyId, rows: readonly InstrumentRow[]): void {
  const { exchange } = turn
  for (const row of rows) closeBook(turn, row)
  const profits = new Map<number, bigint>()
  const expired = rows.filter((row) => isExpired(exchange, row))
  for (const row of expired) if (row.instrument.kind === 'option') deliver(turn, row, profits)
  for (const row of expired) if (row.instrument.kind !== 'option') deliver(turn, row, profits)
  for (const row of rows) {
    if (row.deliveredAt !== null || !row.hasMark) continue
    if (row.instrument.kind === 'future') settleAll(turn, row, { type: 'settlement', profits })
    if (row.instrument.detail.type !== 'combo') row.settlementPrice = row.mark
  }
  settleDebts(turn, currency, profits)
  const { settlementTime, listedFutures } = exchange.config
  if (settlementTime === 0) reopenBooks(turn, currency)
  else {
    exchange.settling.add(currency)
    schedule(exchange.timers, {
      time: micros(exchange.now + settlementTime),
      rank: timerRank.settlement,
      payload: { kind: 'settlement_over', currency },
    })
  }
  if (settlementTime === 0 && listedFutures.length > 0) listScheduled(turn, currency)
}

/** The settlement of a currency took its time: its books open again. */
export function endSettlement(turn: Turn, currency: CurrencyId): void {
  turn.exchange.settling.delete(currency)
  reopenBooks(turn, currency)
  listScheduled(turn, currency)
}

/** A book that is open or locked closes for its settlement; orders of what expires end. */
function closeBook(turn: Turn, row: InstrumentRow): void {
  if (row.state === 'open' || row.state === 'locked') {
    row.stateBefore = row.state
    setState(turn, row, 'settlement')
  }
  if (isExpired(turn.exchange, row)) endOrders(turn, row, 'expiry')
  else endDay(turn, row)
}

function reopenBooks(turn: Turn, currency: CurrencyId): void {
  for (const row of turn.exchange.instruments) {
    if (row.settlement !== currency || row.stateBefore === null) continue
    const before = row.stateBefore
    row.stateBefore = null
    if (row.state === 'settlement') setState(turn, row, before)
  }
}

/**
 * Whether an instrument is delivered by this settlement: at a price that was fixed at 08:00, or without
 * one where neither index nor mark was ever known. What is listed after its end, while the settlement waits, has no
 * price yet and is delivered at the next 08:00.
 */
function isExpired({ now }: Exchange, row: InstrumentRow): boolean {
  const hasPrice = row.deliveryPrice > 0 || (row.index.price === 0 && !row.hasMark)
  return row.instrument.expiration <= now && hasPrice
}

/** Ends an instrument: its positions become cash at the delivery price. Combos have none. */
function deliver(turn: Turn, row: InstrumentRow, profits: Map<number, bigint>): void {
  const { kind } = row.instrument
  const isLeg = kind === 'future' || kind === 'option'
  if (isLeg && row.deliveryPrice > 0) {
    if (kind === 'future') {
      changeMark(turn, row, { price: row.deliveryPrice, source: 'delivery' })
    }
    settleAll(turn, row, { type: 'delivery', profits })
  }
  row.deliveredAt = turn.exchange.now
  row.stateBefore = null
  const { followers } = row.index
  followers.splice(followers.indexOf(row.instrument.id), 1)
  setState(turn, row, 'delivered')
}

/** What is settled, and where the profit of each account adds up. */
interface Settling {
  readonly type: 'settlement' | 'delivery'
  readonly profits: Map<number, bigint>
}

/** Settles all holdings of an instrument at its mark, and tells their sums. */
function settleAll(turn: Turn, row: InstrumentRow, settling: Settling): void {
  const { exchange } = turn
  const sums = { realized: 0n, session: 0n, position: 0 }
  accrueFunding(exchange, row)
  for (const owner of holdersOf(exchange, row)) {
    touchFunding(turn, owner)
    const { size, realized, funding } = readHolding(exchange.ledger, owner.holding)
    if (size === 0 && realized === 0n && funding === 0n) continue
    const settled = settleOne(turn, owner, { ...settling, size })
    sums.realized += settled.realized
    sums.session += settled.session
    sums.position += Math.max(0, size)
  }
  const { funding } = row
  const paid = funding === null ? 0n : funding.paidByLongs
  if (funding !== null) funding.paidByLongs = 0n
  turn.sink.emit({
    kind: 'instrument_settled',
    time: exchange.now,
    number: nextEvent(exchange),
    cause: turn.cause,
    type: settling.type,
    instrument: row.instrument.id,
    currency: currencyOf(row.settlement),
    index: row.index.price,
    mark: settling.type === 'delivery' ? row.deliveryPrice : row.mark,
    position: lots(sums.position),
    profitLoss: amount(sums.realized),
    sessionProfitLoss: amount(sums.session),
    funding: amount(paid),
  })
}

/** The holdings of an instrument but that of the house that mirrors them, by ascending account. */
function holdersOf(exchange: Exchange, row: InstrumentRow): readonly HoldingRow[] {
  return row.holdings
    .map((holding) => defined(exchange.holdings[holding], 'a holding exists'))
    .filter(({ account }) => account !== roundingAccount)
    .sort((left, right) => left.account - right.account)
}

function settleOne(
  turn: Turn,
  owner: HoldingRow,
  { type, profits, size }: Settling & { readonly size: number },
): SettledProfit {
  const { exchange } = turn
  const { row, account } = owner
  const mirror = holdingFor(exchange, roundingAccount, row)
  const ends = type === 'delivery'
  const settled = settleHolding(exchange.ledger, owner, { price: row.markTerms, mirror, ends })
  exchange.roundings[row.settlement] = (exchange.roundings[row.settlement] ?? 0) + 1
  profits.set(account, (profits.get(account) ?? 0n) + settled.session)
  const fee = ends ? payDeliveryFee(exchange, owner, Math.abs(size)) : 0
  refreshMargin(exchange, owner)
  const event: PositionSettled = {
    kind: 'position_settled',
    time: exchange.now,
    number: nextEvent(exchange),
    cause: turn.cause,
    type,
    account: accountId(account),
    instrument: row.instrument.id,
    currency: currencyOf(row.settlement),
    position: lots(size),
    index: row.index.price,
    mark: row.mark,
    profitLoss: amount(settled.realized),
    sessionProfitLoss: amount(settled.session),
    funding: amount(settled.funding),
    fee: amount(BigInt(fee)),
    balance: amount(cashOf(exchange.ledger, owner.wallet)),
  }
  turn.sink.emit(event)
  return settled
}

/** The delivery fee of a position of a trader, paid to the house; returns it. */
function payDeliveryFee(
  exchange: Exchange,
  { account, wallet, row }: HoldingRow,
  size: number,
): number {
  const { account: owner } = accountRow(exchange, account)
  if (owner.house || size === 0) return 0
  const part = { liquidity: 'delivery', lots: size, ppm: owner.feePpm, inBase: false } as const
  const fee = feeShareNano(row.markTerms, part)
  postCash(exchange.ledger, wallet, -fee)
  postCash(exchange.ledger, walletOf(feeAccount, row.settlement), fee)
  return fee
}
