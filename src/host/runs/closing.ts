/**
 * The closing rows of a run: where every account stands at the end.
 */
import { type AccountId, type Micros, micros, scaledToNumber } from '../../core/index.ts'
import {
  accountOf,
  allAccounts,
  type Exchange,
  openPositions,
  visitStandings,
} from '../../engine/index.ts'
import type { Currency, Event } from '../../model/index.ts'
import type { ResultsSink } from '../../results/index.ts'

/**
 * Deposits less withdrawals in nano, by account id and currency as `3/BTC`; what one account sends to
 * another counts as both.
 */
export type Deposits = ReadonlyMap<string, bigint>

/** An account's standing in one currency, for summaries. */
export interface AccountResult {
  readonly account: string
  readonly currency: string
  readonly equity: number
  /** Equity less what was deposited: profit and loss, fees included. */
  readonly change: number
}

/** Adds the money of an event that came or went without a trade. */
export function noteDeposit(deposits: Map<string, bigint>, event: Event): void {
  const add = (account: AccountId, currency: Currency, change: bigint): void => {
    const wallet = `${account}/${currency}`
    deposits.set(wallet, (deposits.get(wallet) ?? 0n) + change)
  }
  if (event.kind === 'cash_posted') add(event.account, event.currency, event.change)
  if (event.kind !== 'cash_transferred') return
  add(event.from, event.currency, -event.amount)
  add(event.to, event.currency, event.amount)
}

/**
 * Adds to `positions` every position that is open, accounts in the order of their opening; returns the
 * standing of the traders. Equity is sampled by the run itself.
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
  }
  visitStandings(exchange, ({ account, currency, equity }) => {
    const { name, house } = accountOf(exchange, account)
    if (house) return
    const deposited = deposits.get(`${account}/${currency}`) ?? 0n
    standing.push({
      account: name,
      currency,
      equity: scaledToNumber(equity, 9),
      change: scaledToNumber(equity - deposited, 9),
    })
  })
  return standing
}
