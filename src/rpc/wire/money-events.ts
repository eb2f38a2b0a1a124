/**
 * Events of funding, settlement, delivery and bankruptcy as printed lines (see `events.ts`).
 *
 * Accumulators of funding are exact decimal texts: coin for each USD of inverse perpetuals, quote for
 * each coin of linear ones.
 */
import {
  type AccountId,
  formatScaled,
  type InstrumentId,
  scaledToNumber,
} from '../../core/index.ts'
import type { EventOf, Instrument } from '../../model/index.ts'
import { amountOut, moneyOut, priceOut } from './numbers.ts'

/** Events of the venue's money. */
export type MoneyEvent = EventOf<
  | 'funding_rate_changed'
  | 'funding_accrued'
  | 'delivery_price_fixed'
  | 'position_settled'
  | 'instrument_settled'
  | 'account_bankrupt'
  | 'loss_shared'
  | 'bankruptcy_settled'
>

/** Names for ids. */
export interface Names {
  instrumentOf(id: InstrumentId): Instrument
  nameOf(id: AccountId): string
}

/** The fields of an event beside its head. */
export function moneyFields(names: Names, event: MoneyEvent): object {
  switch (event.kind) {
    case 'funding_rate_changed':
    case 'funding_accrued':
      return fundingFields(names, event)
    case 'delivery_price_fixed':
      return { index: event.index, price: priceOut(event.price), samples: event.samples }
    case 'position_settled':
    case 'instrument_settled':
      return settlementFields(names, event)
    case 'account_bankrupt':
      return {
        account: names.nameOf(event.account),
        currency: event.currency,
        loss: moneyOut(event.loss),
        session_profit_loss: moneyOut(event.sessionProfitLoss),
      }
    case 'loss_shared':
      return {
        account: names.nameOf(event.account),
        currency: event.currency,
        session_profit_loss: moneyOut(event.sessionProfitLoss),
        tax: moneyOut(event.tax),
        balance: moneyOut(event.balance),
      }
    case 'bankruptcy_settled':
      return {
        currency: event.currency,
        loss: moneyOut(event.loss),
        funded: moneyOut(event.funded),
        socialized: moneyOut(event.socialized),
        tax: moneyOut(event.tax),
        tax_rate: scaledToNumber(event.taxRate9, 9),
        session_profit_loss: moneyOut(event.sessionProfitLoss),
        fund: moneyOut(event.fund),
      }
  }
}

function fundingFields(
  names: Names,
  event: EventOf<'funding_rate_changed' | 'funding_accrued'>,
): object {
  const instrument = names.instrumentOf(event.instrument)
  const accumulator = (value: bigint): string => formatScaled(value, accumulatorScale(instrument))
  if (event.kind === 'funding_rate_changed') {
    return {
      instrument: instrument.name,
      rate_8h: scaledToNumber(event.rate8, 8),
      accumulated: accumulator(event.accumulated),
      mark: priceOut(event.mark),
      index: priceOut(event.index),
    }
  }
  return {
    account: names.nameOf(event.account),
    instrument: instrument.name,
    position: amountOut(instrument, event.position),
    from: accumulator(event.from),
    to: accumulator(event.to),
    funding: moneyOut(event.funding),
  }
}

function settlementFields(
  names: Names,
  event: EventOf<'position_settled' | 'instrument_settled'>,
): object {
  const instrument = names.instrumentOf(event.instrument)
  const holder =
    event.kind === 'position_settled'
      ? { fee: moneyOut(event.fee), balance: moneyOut(event.balance) }
      : {}
  return {
    type: event.type,
    ...(event.kind === 'position_settled' ? { account: names.nameOf(event.account) } : {}),
    instrument: instrument.name,
    currency: event.currency,
    position: amountOut(instrument, event.position),
    index: priceOut(event.index),
    mark: priceOut(event.mark),
    profit_loss: moneyOut(event.profitLoss),
    session_profit_loss: moneyOut(event.sessionProfitLoss),
    funding: moneyOut(event.funding),
    ...holder,
  }
}

/** Decimals of the funding accumulator of a perpetual (market.md 3.4). */
export function accumulatorScale({ payoff }: Pick<Instrument, 'payoff'>): number {
  return payoff === 'inverse' ? 24 : 18
}
