/**
 * The closing rows of a run: where every account stands at the end.
 */
import { type Micros, micros, scaledToNumber } from '../../core/index.ts'
import { allAccounts, type Exchange, openPositions, viewWallet } from '../../engine/index.ts'
import { currencies } from '../../model/index.ts'
import type { ResultsSink } from '../../results/index.ts'

/** Deposits less withdrawals in nano, by account id and currency as `3/BTC`. */
export type Deposits = ReadonlyMap<string, bigint>

/** An account's standing in one currency, for summaries. */
export interface AccountResult {
  readonly account: string
  readonly currency: string
  readonly equity: number
  /** Equity less what was deposited: profit and loss, fees included. */
  readonly change: number
}

/**
 * Adds to `positions` every position that is open, and to `equity` every wallet that holds or owes
 * something, accounts in the order of their opening; returns the standing of the traders.
 */
export function recordClosing(
  exchange: Exchange,
  results: ResultsSink,
  deposits: Deposits,
): readonly AccountResult[] {
  const time: Micros = micros(exchange.now)
  const number = exchange.eventCount
  const standing: AccountResult[] = []
  for (const account of allAccounts(exchange)) {
    for (const view of openPositions(exchange, account.id)) {
      results.recordPosition({
        time,
        number,
        account: account.id,
        instrument: view.instrument.id,
        currency: view.instrument.settlementCurrency,
        size: view.size,
        averagePrice: view.averagePrice,
        markPrice: view.mark,
        floatingProfit: view.floating,
        realizedProfit: view.realized,
        initialMargin: view.initialMargin,
        maintenanceMargin: view.maintenanceMargin,
      })
    }
    for (const currency of currencies) {
      const wallet = viewWallet(exchange, account.id, currency)
      const { balance, equity, initialMargin } = wallet
      const deposited = deposits.get(`${account.id}/${currency}`) ?? 0n
      if (balance === 0n && equity === 0n && initialMargin === 0n) continue
      results.recordEquity({
        time,
        number,
        account: account.id,
        currency,
        balance,
        equity,
        floatingProfit: wallet.sessionFloating,
        realizedProfit: wallet.sessionRealized,
        initialMargin,
        maintenanceMargin: wallet.maintenanceMargin,
      })
      if (account.house) continue
      standing.push({
        account: account.name,
        currency,
        equity: scaledToNumber(equity, 9),
        change: scaledToNumber(equity - deposited, 9),
      })
    }
  }
  return standing
}
