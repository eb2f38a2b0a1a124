/**
 * Read-only views of the liquidity support programme and of locks. Money is nano of USD, limits are parts
 * per million of equity. Source: sessions-blocks-gateways.md 7.2; S156-S164; R22.
 */
import { type AccountId, type Amount, amount, type Micros } from '../../core/index.ts'
import {
  type Currency,
  currencies,
  currencyIdOf,
  type LspGroup,
  lspGroups,
} from '../../model/index.ts'
import { ALL_CURRENCIES, type Exchange } from '../state/exchange.ts'
import { accountRow } from '../state/orders.ts'
import { limitPpmOf } from '../state/participants.ts'

/** What of a group's limit a participant has used. */
export interface LspGroupUsage {
  readonly group: LspGroup
  readonly limitPpm: number
  /** Since the window opened; 0 while none is open. */
  readonly used: Amount
  readonly start: Micros | null
  readonly end: Micros | null
}

/** A participant's limits. */
export interface LspUsage {
  /** How long a window is. */
  readonly cooldown: Micros
  /** Every group in the order of the venue, but those without limit and usage. */
  readonly groups: readonly LspGroupUsage[]
}

/** The limits of a participant; undefined for an account that is none. */
export function viewLspUsage(exchange: Exchange, account: AccountId): LspUsage | undefined {
  const participant = exchange.participants.get(account)
  if (participant === undefined || participant.status === 'removed') return undefined
  const groups: LspGroupUsage[] = []
  for (const group of lspGroups) {
    const window = participant.windows.get(group)
    const limitPpm = limitPpmOf(exchange, participant, group)
    if (limitPpm === 0 && window === undefined) continue
    groups.push({
      group,
      limitPpm,
      used: amount(window?.used ?? 0n),
      start: window?.start ?? null,
      end: window?.end ?? null,
    })
  }
  return { cooldown: exchange.config.lsp.cooldown, groups }
}

/** Currencies of an account whose positions are being liquidated; it is locked while there is one. */
export function liquidatedCurrencies(exchange: Exchange, account: AccountId): readonly Currency[] {
  const { liquidations } = accountRow(exchange, account)
  return currencies.filter((currency) =>
    liquidations.some(
      (each) => each.currency === ALL_CURRENCIES || each.currency === currencyIdOf(currency),
    ),
  )
}
