/**
 * The questions that metrics ask of the exchange while a run goes on; the program that runs it answers from read-only views.
 */
import type { AccountId, Amount, InstrumentId, OrderId, Price9 } from '../../core/index.ts'
import type { Currency } from '../../model/index.ts'

/** Equity and margins of a currency of an account, in nano; of cross margin what the account has in that currency. */
export interface MarginsSeen {
  readonly equity: bigint
  /** The balance that margins are compared with. */
  readonly marginBalance: bigint
  readonly initial: bigint
  readonly maintenance: bigint
}

/** Worth of an account's currency, in nano. */
export interface Standing {
  readonly equity: Amount
  /** Worth of options at their marks, which equity includes. */
  readonly optionsValue: Amount
  /** Profit of other open positions at the mark, not yet realized. */
  readonly floating: Amount
  /** Funding of the session that is not yet settled, up to now. */
  readonly funding: Amount
}

/** Greeks of a position in an option, signed, in 1e-9: delta and gamma in coin, vega and theta in USD. */
export interface GreeksSeen {
  readonly delta: Amount
  readonly gamma: Amount
  readonly vega: Amount
  readonly theta: Amount
}

/** The current state of the exchange. */
export interface MetricsViews {
  equityOf(account: AccountId, currency: Currency): Amount
  /** The parts of equity, at the end of a run. */
  standingOf(account: AccountId, currency: Currency): Standing
  marginsOf(account: AccountId, currency: Currency): MarginsSeen
  greeksOf(account: AccountId, instrument: InstrumentId): GreeksSeen
  /** The mark at which the account would be liquidated, were this its only price that moves; null for none. */
  liquidationPriceOf(account: AccountId, instrument: InstrumentId): Price9 | null
  /** USD for a unit of a currency; 0 while unknown. */
  usdPriceOf(currency: Currency): Price9
  /** The value of an index; 0 while unknown. */
  indexPriceOf(name: string): Price9
  /** The middle of the book in 1e-9, which may be a half; 0 where a side is empty. */
  midOf(instrument: InstrumentId): number
  /** Size in lots ahead of a resting order in a recorded book; -1 if there is no such order. */
  queueAheadOf(order: OrderId): number
}
