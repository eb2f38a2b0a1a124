/**
 * The checks of the validation steps (`steps.ts`). Each only reads, except that it may store its results in the
 * candidate.
 *
 * Source: trading.md C07, C20, C23, C24, C28; for direct access sessions document 8.5, 8.7, 8.8.
 */
import { NO_SLOT, priceOf, remainingOf } from '../../book/index.ts'
import { ticks } from '../../core/index.ts'
import { entryTypeOf, isOnGrid, isTriggerType, type Refusal } from '../../model/index.ts'
import { accountRow, type Exchange, isMarked, orderAt } from '../state/index.ts'
import { advancedRefusal } from '../value/index.ts'
import { type Candidate, candidateEntry, type Way } from './candidate.ts'
import { mayMeetOwn } from './dry-run.ts'
import { entryPrice, noMark } from './entry-price.ts'
import { fundsRefusal } from './funds.ts'
import { maxQuoteRefusal, mmpEditRefusal, mmpRefusal } from './mmp-checks.ts'
import { frozenRefusal } from './mmp-freeze.ts'
import {
  accountRefusal,
  bandRefusal,
  icebergRefusal,
  limitRefusal,
  lockRefusal,
  mayBePrice,
  postOnlyPrice,
  productRefusal,
  reduceOnlyRefusal,
  selfMatchRefusal,
  sizeRefusal,
} from './order-checks.ts'
import { riskRefusal } from './risk-limits.ts'
import { triggersRefusal } from './trigger-checks.ts'
import { bumpRefusal, wouldWait } from './waiting.ts'

/** An account in liquidation sends no requests; orders that it caused before continue (R53). */
export function checkLocks(
  exchange: Exchange,
  { way, row, account, reduceOnly, isRequest }: Candidate,
): Refusal | null {
  if (!accountRow(exchange, account).isRestricted && exchange.participants.size === 0) return null
  if (way === 'quote') return productRefusal(accountRow(exchange, account).standing, row)
  const locked = isRequest ? lockRefusal(exchange, account) : null
  return locked ?? accountRefusal(exchange, account, { reduceOnly, row })
}

/** True for an edit of a live order. */
function isEdit(way: Way): boolean {
  return way === 'edit' || way === 'edit_waiting'
}

export function checkCombination(exchange: Exchange, candidate: Candidate): Refusal | null {
  const { way, row, advanced, mmp, slot, type, linked } = candidate
  // A quote can only be replaced by another quote (C28).
  if (isEdit(way) && orderAt(exchange, slot).extras?.quote != null) {
    return { reason: 'invalid_args_for_instrument' }
  }
  const late = advanced === null ? null : advancedRefusal(exchange, row, advanced)
  if (late !== null) return late
  const isOdd = mmp === true && (type !== 'limit' || linked !== null)
  return isOdd ? { reason: 'unsupported_arg_combination' } : null
}

export function checkAmount(_: Exchange, candidate: Candidate): Refusal | null {
  const { way, row, amount, rest, display, isPart } = candidate
  if (isPart) return null
  if (isEdit(way) && rest <= 0) return { reason: 'invalid_amount' }
  // A quote names the size that will rest.
  const size = (way === 'quote' ? sizeRefusal(row, rest) : null) ?? sizeRefusal(row, amount)
  return size ?? icebergRefusal(row, { lots: amount, display }) ?? placedRefusal(candidate)
}

/** An edit may not remove a part of a secondary that was already placed. */
function placedRefusal({ way, amount, linked }: Candidate): Refusal | null {
  if (way !== 'edit_waiting' || linked === null || linked.link === null) return null
  return amount > linked.link.placed ? null : { reason: 'invalid_amount' }
}

/**
 * Computes the price of an order that is not live. An edit and a quote have their own price, or keep the current one.
 */
export function checkPrice(exchange: Exchange, candidate: Candidate): Refusal | null {
  const { way, row, limit, type, side, advanced } = candidate
  const waits = way === 'wait' || way === 'sleep' || way === 'edit_waiting'
  if (waits && entryTypeOf(type) !== 'limit') return null
  if (isEdit(way) || way === 'quote') {
    const isPrice = limit === null || isOrderPrice(candidate)
    return isPrice ? null : { reason: 'price_wrong_tick' }
  }
  const entered = entryPrice(exchange, row, { price: limit, side, advanced, type })
  if (!entered.ok) return entered.refusal
  candidate.price = entered.value
  return null
}

/** True if the price in ticks is on the grid of the instrument, and in the range of its prices. */
function isOrderPrice({ row, price }: Candidate): boolean {
  return mayBePrice(row, price) && isOnGrid(row.instrument, price)
}

/** Only futures and spot allow icebergs (20). A client order id may not be used again while its order is live. */
export function checkDirectTerms(
  exchange: Exchange,
  { row, account, amount, display, direct }: Candidate,
): Refusal | null {
  const { kind } = row.instrument
  const isAllowed = kind === 'future' || kind === 'spot'
  if (display > 0 && !isAllowed) return { reason: 'iceberg_not_allowed' }
  const iceberg = icebergRefusal(row, { lots: amount, display })
  if (iceberg !== null) return iceberg
  const called = direct?.clientOrderId ?? null
  const isTaken = called !== null && accountRow(exchange, account).clientOrders.has(called)
  return isTaken ? { reason: 'duplicate_client_order_id' } : null
}

export function checkPostOnly(exchange: Exchange, candidate: Candidate): Refusal | null {
  const { way, row, side, price, postOnly, slot } = candidate
  const adjusted = postOnlyPrice(row, { side, price, postOnly })
  if (adjusted.ok) {
    candidate.price = adjusted.value
    return null
  }
  const isCancelled = way === 'edit' && adjusted.refusal.reason === 'post_only_reject'
  if (way !== 'direct' && !isCancelled) return adjusted.refusal
  candidate.postOnlyRefusal = adjusted.refusal
  if (isCancelled) candidate.price = ticks(priceOf(exchange.slots, slot))
  return null
}

/** Without a mark there is neither a band nor a margin (C20, C23: 10040). */
export function checkBand(exchange: Exchange, { row, slot, side, price }: Candidate): Refusal | null {
  if (slot !== NO_SLOT && price === priceOf(exchange.slots, slot)) return null
  return isMarked(row) ? bandRefusal(exchange, row, { side, price }) : noMark
}

export function checkReduceOnly(
  exchange: Exchange,
  { row, account, side, reduceOnly, slot }: Candidate,
): Refusal | null {
  const isNew = reduceOnly && (slot === NO_SLOT || !orderAt(exchange, slot).reduceOnly)
  return isNew ? reduceOnlyRefusal(exchange, row, { account, side }) : null
}

export function checkLimits(exchange: Exchange, candidate: Candidate): Refusal | null {
  const { way, row, account, side, rest, slot, after } = candidate
  if (way === 'wait') return triggersRefusal(exchange, candidate)
  const orders = slot !== NO_SLOT ? 0 : after === null || isTriggerType(after.type) ? 1 : 2
  const limit = limitRefusal(exchange, accountRow(exchange, account), { row, orders })
  if (limit !== null || !isLarger(exchange, candidate)) return limit
  return riskRefusal(exchange, { row, account, side, lots: rest, from: slot })
}

/** True if the open size would grow. */
function isLarger(exchange: Exchange, { slot, rest }: Candidate): boolean {
  return slot === NO_SLOT || rest > remainingOf(exchange.slots, slot)
}

export function checkProtection(exchange: Exchange, candidate: Candidate): Refusal | null {
  const { way, row, account, session, side, price, rest, slot, extras, mmp, group } = candidate
  const size = { row, side, price, lots: rest, except: slot }
  if (group !== null) {
    const frozen = frozenRefusal(exchange, group, { session, resets: false })
    // A quote that does not grow always fits, even if the marks of a spread raised its size in coins.
    const stands = slot !== NO_SLOT && price === priceOf(exchange.slots, slot)
    const grows = !stands || isLarger(exchange, candidate)
    return frozen ?? (grows ? maxQuoteRefusal(exchange, group, size) : null)
  }
  if (way === 'edit') {
    if (mmp !== true && orderAt(exchange, slot).extras === null) return null
    return mmpEditRefusal(exchange, { slot, mmp, session, size })
  }
  if (extras === null) return null
  return mmpRefusal(exchange, { row, account, session, extras, side, price, lots: rest })
}

export function checkFunds(exchange: Exchange, candidate: Candidate): Refusal | null {
  return fundsRefusal(exchange, candidateEntry(exchange, candidate), null)
}

/**
 * An order of direct access that waits behind the speed bump later cancels the orders of its account that it meets
 * (8.8).
 */
export function checkSelfMatch(exchange: Exchange, candidate: Candidate): Refusal | null {
  const { way, row, account, direct } = candidate
  if (!mayMeetOwn(exchange, accountRow(exchange, account), candidate)) return null
  const entry = candidateEntry(exchange, candidate)
  const isMetLater = way !== 'move' && direct !== null && wouldWait(exchange, row, entry)
  return isMetLater ? null : selfMatchRefusal(exchange, entry)
}

export function checkSpeedBump(exchange: Exchange, candidate: Candidate): Refusal | null {
  const { row, account, side, price, slot } = candidate
  const isWaiting = slot !== NO_SLOT && orderAt(exchange, slot).stage === 'bumped'
  return bumpRefusal(exchange, { row, account, side, price }, isWaiting)
}
