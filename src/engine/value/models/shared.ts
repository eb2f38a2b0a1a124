/**
 * Common part of the two cross models: all currencies share one margin in USD. The figures of one currency are the
 * shared ones divided by its index.
 * Source: market.md 6.4.
 */
import { currencyId, type Nano } from '../../../core/index.ts'
import { type CrossTotals, crossTotals } from '../../../margin/index.ts'
import { CURRENCY_SLOTS, currencies, currencyOf } from '../../../model/index.ts'
import type { AccountRow, Exchange } from '../../state/index.ts'
import { noExactMargin } from '../exact-margin.ts'
import { heldForGroupsUsd } from '../mmp-margin.ts'
import { usdIndex9 } from '../usd-index.ts'
import { walletState } from '../wallet-state.ts'
import type { MarginNeed, SharedMargin, SharedPart } from './margin-model.ts'

/**
 * Contributions of an account's currencies. Currencies without any amount are omitted. `excludesOptions`: the value of
 * options does not count as margin balance.
 */
export function sharedParts(exchange: Exchange, owner: AccountRow, excludesOptions: boolean): readonly SharedPart[] {
  const parts: SharedPart[] = []
  const { exactTotals } = owner.risk
  for (let id = 0; id < Math.min(CURRENCY_SLOTS, currencies.length); id += 1) {
    const { equity, optionsValue, spotReserve } = walletState(exchange, owner, id)
    const exact = exactTotals.get(id) ?? noExactMargin
    const currency = currencyOf(currencyId(id))
    const isHeld = equity !== 0n || optionsValue !== 0n || spotReserve !== 0n
    if (!isHeld && exact.initial18 === 0n && exact.maintenance18 === 0n) continue
    parts.push({
      currency,
      equity,
      spotReserve,
      index9: usdIndex9(exchange, currency),
      haircutPpm: exchange.config.haircutsPpm[currency] ?? 0,
      excluded: excludesOptions ? optionsValue : 0n,
      initial18: exact.initial18,
      maintenance18: exact.maintenance18,
    })
  }
  return parts
}

/** The totals of the parts, plus the margin held for market-maker protection and the margins in `more`. */
export function sharedTotals(
  exchange: Exchange,
  owner: AccountRow,
  of: { readonly parts: readonly SharedPart[]; readonly more: MarginNeed | null },
): CrossTotals {
  const totals = crossTotals(of.parts)
  const held = owner.mmpGroups.length === 0 ? 0n : heldForGroupsUsd(exchange, owner)
  if (held === 0n && of.more === null) return totals
  const { initial = 0n, maintenance = 0n } = of.more ?? {}
  return {
    ...totals,
    initial: totals.initial + held + initial,
    maintenance: totals.maintenance + maintenance,
  }
}

/** True if an account has `rise` available in USD. */
export function hasFreeUsd(shared: SharedMargin, exchange: Exchange, owner: AccountRow, rise: Nano): boolean {
  const { marginBalance, initial, spotReserve } = shared.totals(exchange, owner)
  return marginBalance - initial - spotReserve >= rise
}

/** False for all currencies, because they are liquidated together. */
export function isNeverBound(): boolean {
  return false
}
