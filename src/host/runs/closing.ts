/** Funds and profit of every account at the end of a run, for its summary. */
import { type AccountId, scaledToNumber } from '../../core/index.ts'
import { accountOf, type Exchange, visitStandings } from '../../engine/index.ts'
import { type Currency, type EventSink, sinkOf } from '../../model/index.ts'

/**
 * Deposits less withdrawals in nano, by account id and currency as `3/BTC`. A transfer between accounts counts as a
 * withdrawal and a deposit.
 */
type Deposits = ReadonlyMap<string, bigint>

/** An account's funds and profit in one currency, for summaries. */
export interface AccountResult {
  readonly account: string
  readonly currency: string
  readonly equity: number
  /** Equity less deposits: profit and loss, including fees. */
  readonly change: number
}

/** Adds up the money that came or went without a trade. */
export function depositSink(deposits: Map<string, bigint>): EventSink {
  const add = (account: AccountId, currency: Currency, change: bigint): void => {
    const wallet = `${account}/${currency}`
    deposits.set(wallet, (deposits.get(wallet) ?? 0n) + change)
  }
  return sinkOf({
    cash: ({ account, currency, change }) => add(account, currency, change),
    transfer: ({ from, to, currency, amount }) => {
      add(from, currency, -amount)
      add(to, currency, amount)
    },
  })
}

/** Funds and profits of the traders, for summaries. */
export function standingsOf(exchange: Exchange, deposits: Deposits): readonly AccountResult[] {
  const standing: AccountResult[] = []
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
