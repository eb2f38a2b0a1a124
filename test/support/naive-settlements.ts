/**
 * Rows of funding, settlements and bankruptcies, the slow, obvious way: a part of `naive-columns.ts`.
 */
import type { EventOf } from '../../src/model/index.ts'
import type { ExactRow } from '../../src/results/index.ts'

/** Converts ids to words and lots to amounts. */
export interface NaiveNames {
  readonly size: (instrument: number, lots: number) => bigint
  readonly instrument: (id: number) => { instrument: string; instrument_id: number }
  readonly account: (id: number) => { account: string; account_id: number }
  readonly order: (id: number) => { order_id: bigint; currency: ExactRow<'orders'>['currency'] }
  readonly currency: (instrument: number) => ExactRow<'funding'>['currency']
  readonly isHouse: (account: number) => boolean
}

type Header = Pick<ExactRow<'funding'>, 'time' | 'event' | 'cause'>

export function rateRow(names: NaiveNames, header: Header, event: EventOf<'funding_rate'>): ExactRow<'funding_rates'> {
  return {
    ...header,
    ...names.instrument(event.instrument),
    rate: BigInt(event.rate8) * 10n,
    interest_value: nanoOf(event.accumulated),
    mark_price: BigInt(event.mark),
    index_price: BigInt(event.index),
  }
}

export function fundingRow(names: NaiveNames, header: Header, event: EventOf<'funding'>): ExactRow<'funding'> {
  return {
    ...header,
    ...names.account(event.account),
    ...names.instrument(event.instrument),
    currency: names.currency(event.instrument),
    position: names.size(event.instrument, event.position),
    interest_from: nanoOf(event.from),
    interest_to: nanoOf(event.to),
    funding: event.funding,
  }
}

const nothing = {
  ...{ account: null, account_id: null, instrument: null, instrument_id: null },
  ...{ position: null, index_price: null, mark_price: null, profit_loss: null, funding: null },
  ...{ fee: null, balance: null, session_bankruptcy: null, funded: null, socialized: null },
  ...{ session_tax: null, session_tax_rate: null },
}

export function settlementRow(
  names: NaiveNames,
  header: Header,
  event: EventOf<'settlement' | 'instrument_settlement' | 'bankruptcy' | 'shared_loss' | 'currency_bankruptcy'>,
): ExactRow<'settlements'> {
  const common = {
    ...{ ...nothing, ...header, currency: event.currency },
    session_profit_loss: event.sessionProfitLoss,
  }
  switch (event.kind) {
    case 'bankruptcy':
      return {
        ...common,
        ...{ type: 'bankruptcy', scope: 'account', ...names.account(event.account) },
        ...{ balance: 0n, session_bankruptcy: event.loss },
      }
    case 'shared_loss':
      return {
        ...common,
        ...{ type: 'bankruptcy', scope: 'account', ...names.account(event.account) },
        ...{ balance: event.balance, session_tax: event.tax },
      }
    case 'currency_bankruptcy':
      return {
        ...common,
        ...{ type: 'bankruptcy', scope: 'currency', balance: event.fund },
        ...{ session_bankruptcy: event.loss, funded: event.funded, socialized: event.socialized },
        ...{ session_tax: event.tax, session_tax_rate: BigInt(event.taxRate9) },
      }
    default:
      return { ...common, ...settledColumns(names, event) }
  }
}

function settledColumns(
  names: NaiveNames,
  event: EventOf<'settlement' | 'instrument_settlement'>,
): Pick<ExactRow<'settlements'>, 'type' | 'scope'> & Partial<ExactRow<'settlements'>> {
  const isWhole = event.kind === 'instrument_settlement'
  return {
    type: event.type,
    scope: isWhole ? 'instrument' : 'account',
    ...names.instrument(event.instrument),
    position: names.size(event.instrument, event.position),
    ...{ index_price: BigInt(event.index), mark_price: BigInt(event.mark) },
    ...{ profit_loss: event.profitLoss, funding: event.funding },
    ...(isWhole ? {} : { ...names.account(event.account), fee: event.fee, balance: event.balance }),
  }
}

/** Rounded half away from zero to 1e-9 of the interest value. */
function nanoOf(accumulated: bigint): bigint {
  const size = accumulated < 0n ? -accumulated : accumulated
  const rounded = (size + 500_000_000n) / 1_000_000_000n
  return accumulated < 0n ? -rounded : rounded
}
