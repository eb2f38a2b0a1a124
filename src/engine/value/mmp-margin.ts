/**
 * Margin held for market-maker protection: for each configured group, 3 % of its maximum quote quantity is always held
 * as initial margin of its account.
 *
 * The margin is held in the settlement currency of the instruments of the index: coin, or coin times the index price.
 *
 * Rule: mmp.margin. Assumed: it is initial margin and not maintenance margin, under all four models. While an index
 * price is unknown, its groups hold no margin. Groups for Block RFQs hold none either, because each quote on an RFQ is
 * checked against margin (5.5). Source: trading.md 7.3.
 */
import { divHalfAwayBig } from '../../core/index.ts'
import { currencyOf } from '../../model/index.ts'
import type { AccountRow, Exchange, MmpGroup } from '../state/index.ts'
import { usdIndex9 } from './usd-index.ts'

const NANO = 1_000_000_000n
const PERCENT = 100n
const HELD_PERCENT = 3n

/** Margin held for a group with a maximum quote quantity, in nano of its settlement currency. */
export function marginOfQuotes(
  exchange: Exchange,
  { membership, settlement }: Pick<MmpGroup, 'membership' | 'settlement'>,
  maxQuote9: number,
): bigint {
  if (settlement === null) return 0n
  const coins = BigInt(maxQuote9) * HELD_PERCENT
  const isCoin = membership.index.startsWith(`${currencyOf(settlement).toLowerCase()}_`)
  if (isCoin) return divHalfAwayBig(coins, PERCENT)
  const price9 = exchange.indices.get(membership.index)?.price ?? 0
  return divHalfAwayBig(coins * BigInt(price9), PERCENT * NANO)
}

/** Margin held for the groups of an account in a currency, in nano. */
export function heldForGroups(exchange: Exchange, owner: AccountRow, currency: number): bigint {
  let held = 0n
  for (const group of owner.mmpGroups) {
    if (group.config === null || group.settlement !== currency) continue
    held += marginOfQuotes(exchange, group, group.config.maxQuote9)
  }
  return held
}

/** Margin held for all groups of an account, in 1e-9 USD. */
export function heldForGroupsUsd(exchange: Exchange, owner: AccountRow): bigint {
  let held = 0n
  for (const group of owner.mmpGroups) {
    if (group.config === null || group.settlement === null) continue
    const margin = marginOfQuotes(exchange, group, group.config.maxQuote9)
    const index9 = usdIndex9(exchange, currencyOf(group.settlement))
    held += divHalfAwayBig(margin * BigInt(index9), NANO)
  }
  return held
}
