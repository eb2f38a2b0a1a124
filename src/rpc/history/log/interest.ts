/**
 * Funding of positions in rows of the log: since the previous row, and since the last settlement. Source: market.md 5.4
 * (`interest_pl`, `total_interest_pl`).
 */
import { type AccountId, amount, type InstrumentId } from '../../../core/index.ts'
import type { EventOf } from '../../../model/index.ts'
import { entryOf } from '../lists.ts'
import { type Interest, none, type TransactionLog } from './transactions.ts'

const noInterest: Readonly<Interest> = { pending: none, session: none }

/** Adds a funding payment, which the next row of the position reports. */
export function noteFunding(log: TransactionLog, event: EventOf<'funding'>): void {
  const own = entryOf(log.interest, event.account, () => new Map<InstrumentId, Interest>())
  const interest = entryOf(own, event.instrument, () => ({ pending: none, session: none }))
  interest.pending = amount(interest.pending + event.funding)
  interest.session = amount(interest.session + event.funding)
}

/** Returns the funding that a row reports, and clears its pending part. */
export function takeInterest(log: TransactionLog, account: AccountId, instrument: InstrumentId): Readonly<Interest> {
  const interest = log.interest.get(account)?.get(instrument)
  if (interest === undefined) return noInterest
  const taken = { pending: interest.pending, session: interest.session }
  interest.pending = none
  return taken
}

/** Like `takeInterest`, for the row of a settlement, which begins a new session. */
export function settleInterest(log: TransactionLog, account: AccountId, instrument: InstrumentId): Readonly<Interest> {
  const taken = takeInterest(log, account, instrument)
  const interest = log.interest.get(account)?.get(instrument)
  if (interest !== undefined) interest.session = none
  return taken
}
