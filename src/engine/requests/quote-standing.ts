/**
 * Conditions for quoting, and the freeze after a bulk cancel.
 *
 * Rule: quotes.freeze. For a second after it, and not at its end, no new quotes are taken in the currencies of
 * the cancel. Source: trading.md 4.5 (C12), 6.16; sessions-blocks-gateways.md 2.6, 8.2.
 */
import { type InstrumentId, micros } from '../../core/index.ts'
import type { CommandHeader, Currency, Refusal } from '../../model/index.ts'
import {
  accountRow,
  type Exchange,
  emitStanding,
  isDirect,
  isOfMember,
  sessionAt,
  setTimer,
  type Turn,
} from '../state/index.ts'

/** How long a bulk cancel freezes: a second. */
const FREEZE = 1_000_000

/** Quotes of JSON-RPC come over a session that takes them with it when it ends (13042). */
export function disconnectRefusal(exchange: Exchange, session: number): Refusal | null {
  if (isDirect(exchange, session)) return null
  const covered = sessionAt(exchange, session)?.cancelOnDisconnect === true
  return covered ? null : { reason: 'cod_not_enabled' }
}

/** Staff allow mass quotes; those of a Member come by direct access alone (13902, 13040). */
export function approvalRefusal(
  exchange: Exchange,
  { account, session }: Pick<CommandHeader, 'account' | 'session'>,
): Refusal | null {
  const permissions = exchange.accounts[account]?.standing.permissions
  const barred = isOfMember(exchange, account) && !isDirect(exchange, session)
  if (permissions?.massQuotes !== true || barred) return { reason: 'mass_quotes_disabled' }
  return permissions.mmp ? null : { reason: 'mmp_required' }
}

/** True if a bulk cancel keeps an account from quoting an instrument now (13043). */
export function isFrozen(exchange: Exchange, account: number, instrument: InstrumentId): boolean {
  const { quoteFreezes } = accountRow(exchange, account).standing
  if (quoteFreezes.size === 0) return false
  const currency = exchange.instruments[instrument]?.instrument.settlementCurrency ?? null
  const until = Math.max(quoteFreezes.get(null) ?? 0, quoteFreezes.get(currency) ?? 0)
  return exchange.now < until
}

/** The currencies that a bulk cancel names: themselves, or by an instrument or a price index. */
export interface FreezeScope {
  readonly currencies: readonly Currency[] | null
  readonly instrument: InstrumentId | null
  readonly pair: string | null
}

/** No new quotes are taken for a second. Events: `standing`. */
export function freezeQuotes(
  turn: Turn,
  command: Pick<CommandHeader, 'account' | 'session'>,
  of: { readonly scope: FreezeScope; readonly cancelled: number },
): void {
  const { exchange } = turn
  const { account, session } = command
  const { quoteFreezes } = accountRow(exchange, account).standing
  const until = micros(exchange.now + FREEZE)
  const currencies = frozenCurrencies(exchange, of.scope)
  for (const currency of currencies ?? [null]) quoteFreezes.set(currency, until)
  setTimer(exchange.timers, until, { kind: 'quotes_thaw', account })
  emitStanding(turn, {
    protection: 'quote_freeze',
    change: 'on',
    account,
    session,
    until,
    group: currencies === null ? null : currencies.join(','),
    cancelled: of.cancelled,
  })
}

/** Ends the freezes whose time is over. Events: `standing`. */
export function thawQuotes(turn: Turn, account: number): void {
  const { exchange } = turn
  const owner = accountRow(exchange, account)
  const { quoteFreezes } = owner.standing
  // A later cancel may have frozen some of it anew.
  const over = [...quoteFreezes].filter(([, until]) => until <= exchange.now)
  if (over.length === 0) return
  for (const [currency] of over) quoteFreezes.delete(currency)
  const currencies = over.flatMap(([currency]) => (currency === null ? [] : [currency]))
  emitStanding(turn, {
    protection: 'quote_freeze',
    change: 'off',
    account: owner.account.id,
    group: currencies.length === 0 ? null : currencies.join(','),
  })
}

/** The currencies of a scope; null for all. */
function frozenCurrencies(exchange: Exchange, scope: FreezeScope): readonly Currency[] | null {
  if (scope.currencies !== null) return scope.currencies
  if (scope.instrument === null && scope.pair === null) return null
  const found = new Set<Currency>()
  for (const { instrument } of exchange.instruments) {
    const isNamed = instrument.id === scope.instrument || instrument.priceIndex === scope.pair
    if (isNamed) found.add(instrument.settlementCurrency)
  }
  return [...found]
}
