/**
 * The freeze of quotes after a bulk cancel.
 *
 * Rule: quotes.freeze. For one second after the cancel, its end excluded, the account can place no new quotes in the
 * currencies of the cancel. Source: trading.md 4.5 (C12), 6.16; sessions-blocks-gateways.md 2.6, 8.2.
 */
import { type InstrumentId, micros } from '../../core/index.ts'
import type { CommandHeader, Currency } from '../../model/index.ts'
import { accountRow, type Exchange, emitStanding, setTimer, type Turn } from '../state/index.ts'

/** Length of a freeze: one second. */
const FREEZE = 1_000_000

/** The currencies of a bulk cancel: named directly, or by an instrument or a price index. */
export interface FreezeScope {
  readonly currencies: readonly Currency[] | null
  readonly instrument: InstrumentId | null
  readonly pair: string | null
}

/** Refuses new quotes for one second. Events: `standing`. */
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

/** Ends the freezes whose time has passed. Events: `standing`. */
export function thawQuotes(turn: Turn, account: number): void {
  const { exchange } = turn
  const owner = accountRow(exchange, account)
  const { quoteFreezes } = owner.standing
  // A later cancel may have extended the freeze of some currencies.
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
