/**
 * Records of settlements, deliveries and bankruptcies as JSON: public records of an instrument or a currency, and
 * records of an account.
 *
 * Source: interface document, Settlement record; market.md 3.6, 3.7; coverage R40, R66.
 */
import { type Amount, amount, divHalfAwayBig, scaledToNumber } from '../../core/index.ts'
import type { EventOf, Instrument, SettlementType } from '../../model/index.ts'
import type { AccountSettlement, PublicSettlement } from '../history/index.ts'
import { amountOut, moneyOut, priceOut, timeOut } from './numbers.ts'

/** A settlement record as JSON. */
export interface WireSettlement {
  readonly type: SettlementType
  readonly timestamp: number
  readonly instrument_name?: string
  readonly index_price?: number
  readonly mark_price?: number
  readonly position?: number
  readonly profit_loss?: number
  readonly session_profit_loss: number
  /** Funding that longs paid, or that an account received; only for perpetuals. */
  readonly funding?: number
  readonly session_bankruptcy?: number
  /** Old spelling of `session_bankruptcy`, for clients that read it. */
  // Source: R66.
  readonly session_bankrupcy?: number
  readonly session_tax?: number
  readonly session_tax_rate?: number
  /** Part that the fund paid; for a debtor its share. */
  readonly funded?: number
  /** Part that accounts with a profit paid: for a debtor the loss beyond the fund, for a winner its share. */
  readonly socialized?: number
}

/** A public record; `instrument` is the instrument of a settlement or delivery. */
export function settlementOut(record: PublicSettlement, instrument: Instrument | undefined): WireSettlement {
  if (record.kind === 'currency_bankruptcy') {
    return {
      type: 'bankruptcy',
      timestamp: timeOut(record.time),
      session_profit_loss: moneyOut(record.sessionProfitLoss),
      ...lossOut(record.loss),
      ...taxOut(record.tax),
      session_tax_rate: scaledToNumber(record.taxRate9, 9),
      funded: moneyOut(record.funded),
      socialized: moneyOut(negative(record.socialized)),
    }
  }
  return instrumentRecord(record, instrument)
}

/**
 * An account's record. `bankruptcy` is the public record that it belongs to, which has the tax rate and the part of a
 * debt that the fund paid.
 */
export function accountSettlementOut(
  record: AccountSettlement,
  instrument: Instrument | undefined,
  bankruptcy: EventOf<'currency_bankruptcy'> | undefined,
): WireSettlement {
  if (record.kind === 'settlement') return instrumentRecord(record, instrument)
  const head = {
    type: 'bankruptcy',
    timestamp: timeOut(record.time),
    session_profit_loss: moneyOut(record.sessionProfitLoss),
  } as const
  const rate = bankruptcy?.taxRate9
  const rateOut = rate === undefined ? {} : { session_tax_rate: scaledToNumber(rate, 9) }
  if (record.kind === 'bankruptcy') {
    return {
      ...head,
      ...lossOut(record.loss),
      ...taxOut(amount(0n)),
      ...rateOut,
      ...(bankruptcy === undefined ? {} : debtOut(record.loss, bankruptcy)),
    }
  }
  return {
    ...head,
    ...lossOut(amount(0n)),
    ...taxOut(record.tax),
    ...rateOut,
    funded: 0,
    socialized: moneyOut(negative(record.tax)),
  }
}

/** The parts of a debt: the fund pays its share by loss, rounded half away from zero, and winners pay the rest. */
function debtOut(
  loss: Amount,
  bankruptcy: EventOf<'currency_bankruptcy'>,
): Pick<WireSettlement, 'funded' | 'socialized'> {
  const funded = amount(divHalfAwayBig(bankruptcy.funded * loss, bankruptcy.loss))
  return { funded: moneyOut(funded), socialized: moneyOut(amount(funded - loss)) }
}

function instrumentRecord(
  record: EventOf<'instrument_settlement' | 'settlement'>,
  instrument: Instrument | undefined,
): WireSettlement {
  const perpetual = instrument?.detail.type === 'perpetual'
  return {
    type: record.type,
    timestamp: timeOut(record.time),
    ...(instrument === undefined
      ? {}
      : {
          instrument_name: instrument.name,
          position: amountOut(instrument, record.position),
        }),
    index_price: priceOut(record.index),
    mark_price: priceOut(record.mark),
    ...profitOut(record, instrument),
    ...(perpetual && record.type === 'settlement' ? { funding: moneyOut(record.funding) } : {}),
  }
}

/**
 * Profits of a record. A delivery realizes the whole profit of the session (S111, S112). For an option that is its
 * payout minus its cost, while the record itself has only the cash.
 */
function profitOut(
  record: EventOf<'instrument_settlement' | 'settlement'>,
  instrument: Instrument | undefined,
): Pick<WireSettlement, 'profit_loss' | 'session_profit_loss'> {
  const isOption = instrument?.detail.type === 'option'
  const session = record.type === 'delivery' && isOption ? record.profitLoss : record.sessionProfitLoss
  const realized = record.type === 'delivery' ? session : record.profitLoss
  return { profit_loss: moneyOut(realized), session_profit_loss: moneyOut(session) }
}

function lossOut(loss: Amount): Pick<WireSettlement, 'session_bankruptcy' | 'session_bankrupcy'> {
  const value = moneyOut(loss)
  return { session_bankruptcy: value, session_bankrupcy: value }
}

function taxOut(tax: Amount): Pick<WireSettlement, 'session_tax'> {
  return { session_tax: moneyOut(negative(tax)) }
}

function negative(money: Amount): Amount {
  return amount(-money)
}
