/**
 * Rows of the venue's money: funding rates, funding of positions, settlements, deliveries, bankruptcies.
 *
 * Rates change with every mark, so they have a separate writer; the other rows come once per position at 08:00 or at a
 * fill.
 */

import { divHalfAwayBig } from '../../core/index.ts'
import type { Currency, EventOf } from '../../model/index.ts'
import { type NamedBlock, setMoney } from '../columns.ts'
import { accountOrNull, type Cells, headOf, instrumentSize, orNone } from './cells.ts'
import { type AmountSteps, currencyAt, type RowWriter, wireIdOf } from './trading-rows.ts'

/** Factor from rates in 1e-8 to 1e-9. */
const NANO_PER_1E8 = 10

/** Units of the engine in the last decimal place of an interest value in the tables. */
const COUNTS_PER_NANO = 1_000_000_000n

type Row = Cells<'settlements'>

/** Writes one row of `funding_rates` for each new rate of a perpetual. */
export function fundingRateWriter(block: NamedBlock<'funding_rates'>): RowWriter<EventOf<'funding_rate'>> {
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

/** A payment. Its currency is the one of its instrument. */
export function fundingCells(
  source: EventOf<'funding'>,
  steps: AmountSteps,
  currencies: readonly Currency[],
): Cells<'funding'> {
  return {
    account_id: source.account,
    instrument_id: wireIdOf(source.instrument),
    currency: currencyAt(currencies, source.instrument),
    position: instrumentSize(steps, source.instrument, source.position),
    interest_from: interestOf(source.from),
    interest_to: interestOf(source.to),
    funding: source.funding,
    ...headOf(source),
  }
}

/** A holder's settlement or delivery. */
export function settlementCells(source: EventOf<'settlement'>, steps: AmountSteps): Row {
  return {
    scope: 'account',
    account_id: source.account,
    fee: source.fee,
    balance: source.balance,
    ...exchangedOf(source, steps),
  }
}

/** The sum over all holders of an instrument. */
export function instrumentSettlementCells(source: EventOf<'instrument_settlement'>, steps: AmountSteps): Row {
  return { scope: 'instrument', ...exchangedOf(source, steps) }
}

function exchangedOf(source: EventOf<'settlement' | 'instrument_settlement'>, steps: AmountSteps): Omit<Row, 'scope'> {
  return {
    type: source.type,
    currency: source.currency,
    session_profit_loss: source.sessionProfitLoss,
    instrument_id: wireIdOf(source.instrument),
    position: instrumentSize(steps, source.instrument, source.position),
    index_price: source.index,
    mark_price: source.mark,
    profit_loss: source.profitLoss,
    funding: source.funding,
    ...headOf(source),
  }
}

/** A debt that the fund paid, or a part of it that a profitable account paid. */
export function lossCells(source: EventOf<'bankruptcy' | 'shared_loss'>): Row {
  const isDebt = source.kind === 'bankruptcy'
  return {
    scope: 'account',
    account_id: source.account,
    balance: source.balance,
    session_bankruptcy: isDebt ? source.loss : null,
    session_tax: isDebt ? null : source.tax,
    ...bankruptcyOf(source),
  }
}

/** The bankruptcies of a currency. */
export function currencyBankruptcyCells(source: EventOf<'currency_bankruptcy'>): Row {
  return {
    scope: 'currency',
    balance: source.fund,
    session_bankruptcy: source.loss,
    funded: source.funded,
    socialized: source.socialized,
    session_tax: source.tax,
    session_tax_rate: source.taxRate9,
    ...bankruptcyOf(source),
  }
}

function bankruptcyOf(
  source: EventOf<'bankruptcy' | 'shared_loss' | 'currency_bankruptcy'>,
): Omit<Row, 'scope'> & { readonly type: 'bankruptcy' } {
  return {
    type: 'bankruptcy',
    currency: source.currency,
    session_profit_loss: source.sessionProfitLoss,
    ...headOf(source),
  }
}

/** Converts an accumulator to 1e-9 of the interest value. */
function interestOf(accumulated: bigint): bigint {
  return divHalfAwayBig(accumulated, COUNTS_PER_NANO)
}

/**
 * Rows of `wallet`: one for each change of an address or of a payment.
 */

/** An address that changed. The state of a removed address is `removed`. */
export function addressCells(source: EventOf<'address'>): Cells<'wallet'> {
  return {
    subject: source.type === 'deposit' ? 'deposit_address' : 'address',
    number: source.entry,
    state: source.change === 'removed' ? 'removed' : source.status,
    reason: source.reason,
    account_id: source.account,
    currency: source.currency,
    address_type: source.type,
    address: source.address,
    network: source.network,
    tag: source.tag,
    until: orNone(source.until),
    ...headOf(source),
  }
}

/** A payment that changed. */
export function paymentCells(source: EventOf<'payment'>): Cells<'wallet'> {
  return {
    subject: source.type,
    number: source.payment,
    state: source.state,
    reason: source.reason,
    account_id: source.account,
    counter_account_id: accountOrNull(source.counterparty),
    currency: source.currency,
    amount: source.amount,
    fee: source.fee,
    change: source.change,
    balance: source.balance,
    address: source.address,
    source_address: source.source,
    transaction_id: source.transaction,
    ...headOf(source),
  }
}
