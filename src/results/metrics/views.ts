/**
 * The values that metrics read from the exchange during a run. The program that runs the exchange implements them with
 * read-only views.
 */
import type { AccountId, Amount, InstrumentId, OrderId, Price9 } from '../../core/index.ts'
import type { Currency } from '../../model/index.ts'

/** Equity and margins of a currency of an account, in nano; under cross margin the account's part in that currency. */
interface MarginsSeen {
  readonly equity: bigint
  /** The balance that margins are compared with. */
  readonly marginBalance: bigint
  readonly initial: bigint
  readonly maintenance: bigint
}

/** Value of an account's currency, in nano. */
export interface Standing {
  readonly equity: Amount
  /** Value of options at their marks, included in equity. */
  readonly optionsValue: Amount
  /** Profit of other open positions at the mark, not yet realized. */
  readonly floating: Amount
  /** Funding of the session that is not settled yet, up to the current time. */
  readonly funding: Amount
}

/** Greeks of an option position, signed, in 1e-9: delta and gamma in coin, vega and theta in USD. */
interface GreeksSeen {
  readonly delta: Amount
  readonly gamma: Amount
  readonly vega: Amount
  readonly theta: Amount
}

/** The current state of the exchange. */
export interface MetricsViews {
  equityOf(account: AccountId, currency: Currency): Amount
  /** The parts of equity; called at the end of a run. */
  standingOf(account: AccountId, currency: Currency): Standing
  marginsOf(account: AccountId, currency: Currency): MarginsSeen
  greeksOf(account: AccountId, instrument: InstrumentId): GreeksSeen
  /** The mark at which the account would be liquidated if no other price moved; null without one. */
  liquidationPriceOf(account: AccountId, instrument: InstrumentId): Price9 | null
  /** USD per unit of a currency; 0 while unknown. */
  usdPriceOf(currency: Currency): Price9
  /** The value of an index; 0 while unknown. */
  indexPriceOf(name: string): Price9
  /** The mid price of the book in 1e-9, which may be a half; 0 if a side is empty. */
  midOf(instrument: InstrumentId): number
  /** Size in lots ahead of a resting order in a recorded book; -1 if there is no such order. */
  queueAheadOf(order: OrderId): number
}
