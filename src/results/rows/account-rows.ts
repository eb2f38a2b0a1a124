/**
 * Rows about accounts and instruments: instruments, their states, accounts, cash, given positions, positions and equity
 * from views of a run, and counts of its feeds.
 */
import type { AccountId, Amount, InstrumentId, Lots, Micros, Price9 } from '../../core/index.ts'
import {
  type ComboLeg,
  type Currency,
  type EventOf,
  type FeedCheck,
  type FeedPolicy,
  type MarketKind,
  neverExpires,
  type TransferSide,
} from '../../model/index.ts'
import { moneyInTable } from '../columns.ts'
import { type Cells, headOf, instrumentSize, orNone } from './cells.ts'
import { type AmountSteps, wireIdOf } from './trading-rows.ts'

/** A position according to a view after event `number`. Money is in `currency`. */
export interface PositionRecord {
  readonly time: Micros
  readonly number: number
  readonly account: AccountId
  readonly instrument: InstrumentId
  readonly currency: Currency
  readonly size: Lots
  readonly averagePrice: Price9
  readonly markPrice: Price9
  readonly floatingProfit: Amount
  readonly realizedProfit: Amount
  readonly initialMargin: Amount
  readonly maintenanceMargin: Amount
}

/** Holdings of an account in one currency, according to a view after event `number`. */
export interface EquityRecord {
  readonly time: Micros
  readonly number: number
  readonly account: AccountId
  readonly currency: Currency
  readonly balance: Amount
  readonly equity: Amount
  /** Size times mark of all options, included in equity. */
  readonly optionsValue: Amount
  readonly floatingProfit: Amount
  readonly realizedProfit: Amount
  readonly initialMargin: Amount
  readonly maintenanceMargin: Amount
}

/** The count of a check in a recorded file. */
export interface FeedQualityRecord {
  readonly feed: number
  readonly instrument: InstrumentId
  readonly kind: MarketKind
  readonly check: FeedCheck
  /** The applied policy; null for a check that only counts. */
  readonly policy: FeedPolicy | null
  readonly count: number
  /** The first affected row, or null. */
  readonly firstRow: number | null
}

const NANO_PER_PPM = 1000
const NANO_PER_1E8 = 10

/** A count of a recorded file. */
export function feedQualityCells(source: FeedQualityRecord): Cells<'feed_quality'> {
  return {
    feed: source.feed,
    instrument_id: wireIdOf(source.instrument),
    kind: source.kind,
    check: source.check,
    policy: source.policy,
    count: source.count,
    first_row: source.firstRow,
  }
}

/** A listed instrument. */
export function instrumentCells(source: EventOf<'instrument'>): Cells<'instruments'> {
  const { instrument } = source
  const { detail, amountStep9, expiration, mark, funding } = instrument
  const isOption = detail.type === 'option'
  return {
    instrument: instrument.name,
    instrument_id: wireIdOf(instrument.id),
    kind: instrument.kind,
    payoff: instrument.payoff,
    base_currency: instrument.baseCurrency,
    quote_currency: instrument.quoteCurrency,
    counter_currency: instrument.counterCurrency,
    settlement_currency: instrument.settlementCurrency,
    price_index: instrument.priceIndex,
    settlement_period: instrument.settlementPeriod,
    tick_size: instrument.tick9,
    amount_step: amountStep9,
    contract_size: instrument.contractSize9,
    min_trade_amount: { lots: instrument.minTradeLots, step: amountStep9 },
    maker_fee: instrument.makerFee9,
    taker_fee: instrument.takerFee9,
    max_leverage: instrument.maxLeverage,
    creation: instrument.creation,
    expiration: expiration === neverExpires ? null : expiration,
    option_type: isOption ? detail.right : null,
    strike: isOption ? detail.strike : null,
    route_delay: instrument.routeDelay,
    delivery_fee: instrument.deliveryFee9,
    mark_band: mark === null ? null : mark.clampPpm * NANO_PER_PPM,
    impact_amount: mark === null ? null : orNone(mark.impact9),
    funding_cap: funding === null ? null : funding.cap8 * NANO_PER_1E8,
    legs: detail.type === 'combo' ? legsOf(detail.legs) : null,
    engine: instrument.engine,
    gateway: instrument.gateway,
    speed_bump: orNone(instrument.speedBump),
    ...headOf(source),
  }
}

function legsOf(legs: readonly ComboLeg[]): string {
  return legs.map(({ ratio, instrumentName }) => `${ratio} ${instrumentName}`).join(' ')
}

/** A new state of a book. */
export function stateCells(source: EventOf<'state'>): Cells<'states'> {
  return {
    instrument_id: wireIdOf(source.instrument),
    state: source.state,
    ...headOf(source),
  }
}

/** An opened account. */
export function accountCells(source: EventOf<'account'>): Cells<'accounts'> {
  return {
    account: source.name,
    account_id: source.account,
    margin_model: source.marginModel,
    house: source.house,
    main_account_id: source.main,
    fee_factor: source.feePpm * NANO_PER_PPM,
    ...headOf(source),
  }
}

/** A deposit or withdrawal. */
export function cashCells(source: EventOf<'cash'>): Cells<'cash'> {
  return {
    account_id: source.account,
    currency: source.currency,
    type: 'outside',
    change: source.change,
    balance: source.balance,
    ...headOf(source),
  }
}

/** One side of a transfer; the sender's row comes first. */
export function transferCells(source: EventOf<'transfer'>, side: 'from' | 'to'): Cells<'cash'> {
  const { from, to, amount, fromBalance, toBalance } = source
  const sends = side === 'from'
  return {
    account_id: sends ? from : to,
    currency: source.currency,
    type: 'transfer',
    change: sends ? -amount : amount,
    balance: sends ? fromBalance : toBalance,
    counter_account_id: sends ? to : from,
    transfer_id: source.transfer,
    ...headOf(source),
  }
}

/** A position given by a scenario. */
export function givenCells(source: EventOf<'given_position'>, steps: AmountSteps): Cells<'given_positions'> {
  return {
    account_id: source.account,
    instrument_id: wireIdOf(source.instrument),
    type: 'given',
    change: instrumentSize(steps, source.instrument, source.change),
    price: source.price,
    position: instrumentSize(steps, source.instrument, source.position),
    premium: orNone(source.premium),
    ...headOf(source),
  }
}

/** One side of a moved position; the old owner's row comes first. */
export function movedCells(
  source: EventOf<'position_transfer'>,
  side: 'from' | 'to',
  steps: AmountSteps,
): Cells<'given_positions'> {
  const { instrument, price } = source
  const { account, position, realized, premium } = source[side]
  return {
    account_id: account,
    instrument_id: wireIdOf(instrument),
    type: 'moved',
    change: instrumentSize(steps, instrument, transferChange(source, side)),
    price,
    position: instrumentSize(steps, instrument, position),
    realized,
    premium: orNone(premium),
    counter_account_id: otherSide(source, side).account,
    ...headOf(source),
  }
}

/** Change of one side of a transfer, in signed lots. */
export function transferChange({ amount }: EventOf<'position_transfer'>, side: 'from' | 'to'): number {
  return side === 'from' ? -amount : amount
}

/** The other side of a transfer. */
export function otherSide(source: EventOf<'position_transfer'>, side: 'from' | 'to'): TransferSide {
  return side === 'from' ? source.to : source.from
}

/** A position from a view. */
export function positionCells(source: PositionRecord, steps: AmountSteps): Cells<'positions'> {
  return {
    time: source.time,
    event: source.number,
    account_id: source.account,
    instrument_id: wireIdOf(source.instrument),
    currency: source.currency,
    size: instrumentSize(steps, source.instrument, source.size),
    average_price: source.averagePrice,
    mark_price: source.markPrice,
    floating_profit: moneyInTable(source.floatingProfit),
    realized_profit: moneyInTable(source.realizedProfit),
    initial_margin: moneyInTable(source.initialMargin),
    maintenance_margin: moneyInTable(source.maintenanceMargin),
  }
}

/** An account's holdings in a currency, from a view. */
export function equityCells(source: EquityRecord, houses: readonly boolean[]): Cells<'equity'> {
  return {
    time: source.time,
    event: source.number,
    account_id: source.account,
    currency: source.currency,
    balance: source.balance,
    equity: moneyInTable(source.equity),
    floating_profit: moneyInTable(source.floatingProfit),
    realized_profit: moneyInTable(source.realizedProfit),
    initial_margin: moneyInTable(source.initialMargin),
    maintenance_margin: moneyInTable(source.maintenanceMargin),
    options_value: moneyInTable(source.optionsValue),
    house: houses[source.account] === true,
  }
}
