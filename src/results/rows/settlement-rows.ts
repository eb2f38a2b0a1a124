/**
 * Rows of the venue's money: funding rates, funding of positions, settlements, deliveries, bankruptcies.
 *
 * Each function here returns the writer of one table; see `trading-rows.ts`. Rates change with every mark,
 * the other rows come once for each position at 08:00 or at a fill.
 */
import { divHalfAwayBig } from '../../core/index.ts'
import type {
  AccountBankrupt,
  BankruptcySettled,
  Currency,
  FundingAccrued,
  FundingRateChanged,
  InstrumentSettled,
  LossShared,
  PositionSettled,
} from '../../model/index.ts'
import {
  type NamedBlock,
  setMoney,
  setProduct,
  setValidMoney,
  setValidProduct,
  setValue,
} from '../columns.ts'
import { codeOf, vocabulary } from '../vocabulary/vocabulary.ts'
import { type AmountSteps, type RowWriter, stepOf, wireIdOf } from './trading-rows.ts'

/** Rates of 1e-8 in 1e-9. */
const NANO_PER_1E8 = 10
/** What the engine counts in the last place of an interest value that the tables show. */
const COUNTS_PER_NANO = 1_000_000_000n

const settlementCode = codeOf(vocabulary.settlementType, 'settlement')
const deliveryCode = codeOf(vocabulary.settlementType, 'delivery')
const bankruptcyCode = codeOf(vocabulary.settlementType, 'bankruptcy')
const accountScope = codeOf(vocabulary.settlementScope, 'account')
const instrumentScope = codeOf(vocabulary.settlementScope, 'instrument')
const currencyScope = codeOf(vocabulary.settlementScope, 'currency')

/** What becomes a row of `settlements`. */
export type SettlementEvent =
  | PositionSettled
  | InstrumentSettled
  | AccountBankrupt
  | LossShared
  | BankruptcySettled

/** Writes one row of `funding_rates` for each new rate of a perpetual. */
export function fundingRateWriter(
  block: NamedBlock<'funding_rates'>,
): RowWriter<FundingRateChanged> {
  const { byName, values } = block
  return (source) => {
    const row = block.rows
    values.time[row] = source.time
    values.event[row] = source.number
    values.cause[row] = source.cause
    values.instrument_id[row] = wireIdOf(source.instrument)
    values.rate[row] = source.rate8 * NANO_PER_1E8
    setMoney(byName.interest_value, row, interestOf(source.accumulated))
    values.mark_price[row] = source.mark
    values.index_price[row] = source.index
  }
}

/** Writes one row of `funding` for each payment; the currency is that of its instrument. */
export function fundingWriter(
  block: NamedBlock<'funding'>,
  { steps, currencies }: { readonly steps: AmountSteps; readonly currencies: readonly Currency[] },
): RowWriter<FundingAccrued> {
  const { byName, values } = block
  return (source) => {
    const row = block.rows
    values.time[row] = source.time
    values.event[row] = source.number
    values.cause[row] = source.cause
    values.account_id[row] = source.account
    values.instrument_id[row] = wireIdOf(source.instrument)
    values.currency[row] = codeOf(vocabulary.currency, currencies[source.instrument] ?? '')
    setProduct(byName.position, row, source.position, stepOf(steps, source.instrument))
    setMoney(byName.interest_from, row, interestOf(source.from))
    setMoney(byName.interest_to, row, interestOf(source.to))
    setMoney(byName.funding, row, source.funding)
  }
}

/** Writes one row of `settlements` for each part and each sum. */
export function settlementWriter(
  block: NamedBlock<'settlements'>,
  steps: AmountSteps,
): RowWriter<SettlementEvent> {
  const { byName, values } = block
  const writeExchanged = settledWriter(block, steps)
  return (source) => {
    const row = block.rows
    values.time[row] = source.time
    values.event[row] = source.number
    values.cause[row] = source.cause
    values.currency[row] = codeOf(vocabulary.currency, source.currency)
    setMoney(byName.session_profit_loss, row, source.sessionProfitLoss)
    switch (source.kind) {
      case 'settlement':
      case 'instrument_settlement':
        writeExchanged(source)
        return
      case 'bankruptcy':
        values.type[row] = bankruptcyCode
        values.scope[row] = accountScope
        setValue(byName.account_id, row, source.account)
        setValidMoney(byName.balance, row, 0n)
        setValidMoney(byName.session_bankruptcy, row, source.loss)
        return
      case 'shared_loss':
        values.type[row] = bankruptcyCode
        values.scope[row] = accountScope
        setValue(byName.account_id, row, source.account)
        setValidMoney(byName.balance, row, source.balance)
        setValidMoney(byName.session_tax, row, source.tax)
        return
      case 'currency_bankruptcy':
        values.type[row] = bankruptcyCode
        values.scope[row] = currencyScope
        setValidMoney(byName.balance, row, source.fund)
        setValidMoney(byName.session_bankruptcy, row, source.loss)
        setValidMoney(byName.funded, row, source.funded)
        setValidMoney(byName.socialized, row, source.socialized)
        setValidMoney(byName.session_tax, row, source.tax)
        setValue(byName.session_tax_rate, row, source.taxRate9)
    }
  }
}

/** The columns of a settlement or delivery that a bankruptcy has not. */
function settledWriter(
  block: NamedBlock<'settlements'>,
  steps: AmountSteps,
): RowWriter<PositionSettled | InstrumentSettled> {
  const { byName, values } = block
  return (source) => {
    const row = block.rows
    values.type[row] = source.type === 'settlement' ? settlementCode : deliveryCode
    values.scope[row] = instrumentScope
    setValue(byName.instrument_id, row, wireIdOf(source.instrument))
    const step = stepOf(steps, source.instrument)
    setValidProduct(byName.position, row, source.position, step)
    setValue(byName.index_price, row, source.index)
    setValue(byName.mark_price, row, source.mark)
    setValidMoney(byName.profit_loss, row, source.profitLoss)
    setValidMoney(byName.funding, row, source.funding)
    if (source.kind === 'instrument_settlement') return
    values.scope[row] = accountScope
    setValue(byName.account_id, row, source.account)
    setValidMoney(byName.fee, row, source.fee)
    setValidMoney(byName.balance, row, source.balance)
  }
}

/** An accumulator in 1e-9 of the interest value. */
function interestOf(accumulated: bigint): bigint {
  return divHalfAwayBig(accumulated, COUNTS_PER_NANO)
}
