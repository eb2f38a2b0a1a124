/**
 * Funding of perpetuals: one accumulator for all holders, which grows at the current rate.
 *
 * The rate and the index are constant between changes. Therefore the accumulator is updated only when one of them or a
 * position changes, and at a settlement. A holding stores the accumulator of the time when its funding was last booked;
 * its funding is the difference times its size.
 *
 * Rule: funding.rate, funding.payment. Source: market.md 3.3, 3.4 (T29-T38).
 */
import { accountId, addWide, amount, defined, lots, setWideBigint } from '../../core/index.ts'
import { postFunding, sizeOf } from '../../ledger/index.ts'
import { fundingExcess, fundingIncrement, fundingOf, fundingRate8 } from '../../pricing/index.ts'
import {
  type AccountRow,
  type Exchange,
  eventHeader,
  type FundingState,
  type HoldingRow,
  type InstrumentRow,
  noteFundable,
  type Turn,
} from '../state/index.ts'
import { awaitFundingLook } from './due-looks.ts'
import { resumeAccount } from './skipped-revaluations.ts'

/** Updates the accumulator of a perpetual to the current time. */
export function accrueFunding(exchange: Exchange, row: InstrumentRow): void {
  if (row.funding === null) return
  if (row.funding.excess !== 0n) row.funding.accumulated = accumulatedNow(exchange, row)
  row.funding.since = exchange.now
}

/** The accumulator of a perpetual at the current time; changes no state. */
export function accumulatedNow(exchange: Exchange, row: InstrumentRow): bigint {
  const { payoff } = row.instrument
  if (row.funding === null || payoff === 'spot') return 0n
  const elapsed = exchange.now - row.funding.since
  if (row.funding.excess === 0n || elapsed === 0) return row.funding.accumulated
  const index9 = row.index.price
  return row.funding.accumulated + fundingIncrement({ payoff, excess: row.funding.excess, elapsed, index9 })
}

/** Recomputes the rate after the mark or the index changed; the old rate applied until now. */
export function refreshRate(turn: Turn, row: InstrumentRow): void {
  const { exchange } = turn
  const { funding, mark, index } = row
  const { funding: terms } = row.instrument
  if (funding === null || terms === null || mark === 0 || index.price === 0) return
  const index9 = index.price
  const excess = fundingExcess({ mark9: mark, index9, terms, time: exchange.now })
  if (excess !== 0n) awaitFundingLook(exchange)
  const rate8 = fundingRate8(excess, index9)
  if (excess === funding.excess && rate8 === funding.rate8) return
  accrueFunding(exchange, row)
  const begins = funding.excess === 0n
  if (begins !== (excess === 0n)) exchange.paying += begins ? 1 : -1
  funding.excess = excess
  if (begins) for (const holding of row.holdings) noteHolder(exchange, holding)
  if (rate8 === funding.rate8) return
  funding.rate8 = rate8
  turn.log.append({
    kind: 'funding_rate',
    ...eventHeader(turn),
    instrument: row.instrument.id,
    rate8,
    accumulated: funding.accumulated,
    mark,
    index: index.price,
  })
}

function noteHolder(exchange: Exchange, holding: number): void {
  const owner = defined(exchange.holdings[holding], 'the holding exists')
  noteFundable(exchange, owner)
  // From now on its margin changes with time.
  if (owner.isFundable) resumeAccount(exchange, owner.account)
}

/** Books the funding of a holding since the last booking into its trading day. */
export function touchFunding(turn: Turn, owner: HoldingRow): void {
  const { row } = owner
  if (row.funding === null || isPaidUp(owner, row.funding)) return
  accrueFunding(turn.exchange, row)
  const from = owner.funded
  const to = row.funding.accumulated
  if (from === to) return
  owner.funded = to
  const position = sizeOf(turn.exchange.ledger, owner.holding)
  if (position === 0) return
  const received = receivedBy(owner, position, from, to)
  postFunding(turn.exchange.ledger, owner, received)
  if (position > 0) row.funding.paidByLongs -= received
  turn.exchange.roundings[row.settlement] = (turn.exchange.roundings[row.settlement] ?? 0) + 1
  turn.log.append({
    kind: 'funding',
    ...eventHeader(turn),
    account: accountId(owner.account),
    instrument: row.instrument.id,
    position: lots(position),
    from,
    to,
    funding: amount(received),
  })
}

/** Funding of a holding since it was last booked, in nano; changes no state. */
export function pendingFunding(exchange: Exchange, owner: HoldingRow): bigint {
  if (owner.row.funding === null || sizeOf(exchange.ledger, owner.holding) === 0) return 0n
  return pendingUntil(exchange, owner, accumulatedNow(exchange, owner.row))
}

/** Funding of a holding since it was last booked, in nano, if the accumulator of its perpetual is at `to`. */
export function pendingUntil(exchange: Exchange, owner: HoldingRow, to: bigint): bigint {
  const from = owner.funded
  if (to === from) return 0n
  return receivedBy(owner, sizeOf(exchange.ledger, owner.holding), from, to)
}

/** Funding of all perpetuals of an account in a currency since it was last booked, in nano. */
export function pendingOfWallet(exchange: Exchange, account: AccountRow, wallet: number): bigint {
  let pending = 0n
  for (const owner of account.fundable) {
    if (owner.wallet === wallet) pending += pendingFunding(exchange, owner)
  }
  return pending
}

/** True if no funding is due, seen without arithmetic: the rate is 0, and was 0 since the last booking. */
function isPaidUp(owner: HoldingRow, { excess, accumulated }: FundingState): boolean {
  return excess === 0n && owner.funded === accumulated
}

/** Adds the pending funding of a wallet to a wide value. */
export function addPending(
  target: Float64Array,
  at: number,
  exchange: Exchange,
  account: AccountRow,
  wallet: number,
): void {
  if (account.fundable.length === 0) return
  const pending = pendingOfWallet(exchange, account, wallet)
  if (pending === 0n) return
  setWideBigint(exchange.scratch, PENDING, pending)
  addWide(target, at, exchange.scratch, PENDING)
}

/** Scratch register of this file. */
const PENDING = 8

function receivedBy(owner: HoldingRow, position: number, from: bigint, to: bigint): bigint {
  const { payoff, amountStep9 } = owner.row.instrument
  if (payoff === 'spot') return 0n
  return fundingOf(payoff, position, amountStep9, from, to)
}
