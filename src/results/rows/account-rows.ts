/**
 * Rows of what accounts and instruments are and hold: instruments, their states, accounts, cash, given
 * positions, the positions and equity that a run reads from its views, and what it counted of its feeds.
 *
 * Each function here returns the writer of one table; see `trading-rows.ts`. These rows are rare.
 */
import type { AccountId, Amount, InstrumentId, Lots, Micros, Price9 } from '../../core/index.ts'
import {
  type AccountOpened,
  type CashPosted,
  type CashTransferred,
  type ComboLeg,
  type Currency,
  type FeedCheck,
  type FeedPolicy,
  type InstrumentListed,
  type InstrumentStateChanged,
  type MarketKind,
  neverExpires,
  type PositionGiven,
  type PositionTransferred,
  type TransferSide,
} from '../../model/index.ts'
import {
  marginInTable,
  type NamedBlock,
  setMoney,
  setProduct,
  setText,
  setValidMoney,
  setValue,
} from '../columns.ts'
import { codeOf, vocabulary } from '../vocabulary/vocabulary.ts'
import { type AmountSteps, type RowWriter, stepOf, wireIdOf } from './trading-rows.ts'

/** A position as a view shows it after event `number`. Money is in `currency`. */
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

/** What an account holds of one currency, as a view shows it after event `number`. */
export interface EquityRecord {
  readonly time: Micros
  readonly number: number
  readonly account: AccountId
  readonly currency: Currency
  readonly balance: Amount
  readonly equity: Amount
  /** Size times mark of all options, which equity includes. */
  readonly optionsValue: Amount
  readonly floatingProfit: Amount
  readonly realizedProfit: Amount
  readonly initialMargin: Amount
  readonly maintenanceMargin: Amount
}

/** How often something was found in a recorded file. */
export interface FeedQualityRecord {
  readonly feed: number
  readonly instrument: InstrumentId
  readonly kind: MarketKind
  readonly check: FeedCheck
  /** What was done about it; null for what is only counted. */
  readonly policy: FeedPolicy | null
  readonly count: number
  /** The first row concerned, or null. */
  readonly firstRow: number | null
}

const NANO_PER_PPM = 1000
const NANO_PER_1E8 = 10

/** Writes one row of `feed_quality`. */
export function feedQualityWriter(block: NamedBlock<'feed_quality'>): RowWriter<FeedQualityRecord> {
  const { byName, values } = block
  return (source) => {
    const row = block.rows
    values.feed[row] = source.feed
    values.instrument_id[row] = wireIdOf(source.instrument)
    values.kind[row] = codeOf(vocabulary.marketKind, source.kind)
    values.check[row] = codeOf(vocabulary.feedCheck, source.check)
    if (source.policy !== null) {
      setValue(byName.policy, row, codeOf(vocabulary.feedPolicy, source.policy))
    }
    values.count[row] = source.count
    if (source.firstRow !== null) setValue(byName.first_row, row, source.firstRow)
  }
}

/** Writes one row of `instruments` for each instrument that is listed. */
export function instrumentWriter(block: NamedBlock<'instruments'>): RowWriter<InstrumentListed> {
  const { byName, values } = block
  return (source) => {
    const row = block.rows
    const { instrument } = source
    const { detail, settlementPeriod, amountStep9, expiration, routeDelay } = instrument
    values.time[row] = source.time
    values.event[row] = source.number
    values.cause[row] = source.cause
    setText(byName.instrument, row, instrument.name)
    values.instrument_id[row] = wireIdOf(instrument.id)
    values.kind[row] = codeOf(vocabulary.instrumentKind, instrument.kind)
    values.payoff[row] = codeOf(vocabulary.payoff, instrument.payoff)
    setText(byName.base_currency, row, instrument.baseCurrency)
    setText(byName.quote_currency, row, instrument.quoteCurrency)
    setText(byName.counter_currency, row, instrument.counterCurrency)
    const settlement = codeOf(vocabulary.currency, instrument.settlementCurrency)
    values.settlement_currency[row] = settlement
    setText(byName.price_index, row, instrument.priceIndex)
    if (settlementPeriod !== null) {
      const period = codeOf(vocabulary.settlementPeriod, settlementPeriod)
      setValue(byName.settlement_period, row, period)
    }
    values.tick_size[row] = instrument.tick9
    values.amount_step[row] = amountStep9
    values.contract_size[row] = instrument.contractSize9
    setProduct(byName.min_trade_amount, row, instrument.minTradeLots, amountStep9)
    values.maker_fee[row] = instrument.makerFee9
    values.taker_fee[row] = instrument.takerFee9
    values.max_leverage[row] = instrument.maxLeverage
    values.creation[row] = instrument.creation
    if (expiration !== neverExpires) setValue(byName.expiration, row, expiration)
    if (detail.type === 'option') {
      setValue(byName.option_type, row, codeOf(vocabulary.optionRight, detail.right))
      setValue(byName.strike, row, detail.strike)
    }
    if (routeDelay !== null) setValue(byName.route_delay, row, routeDelay)
    values.delivery_fee[row] = instrument.deliveryFee9
    const { mark, funding } = instrument
    if (mark !== null) {
      setValue(byName.mark_band, row, mark.clampPpm * NANO_PER_PPM)
      if (mark.impact9 !== 0) setValue(byName.impact_amount, row, mark.impact9)
    }
    if (funding !== null) setValue(byName.funding_cap, row, funding.cap8 * NANO_PER_1E8)
    setText(byName.legs, row, detail.type === 'combo' ? legsOf(detail.legs) : null)
    values.engine[row] = codeOf(vocabulary.engine, instrument.engine)
    values.gateway[row] = codeOf(vocabulary.gateway, instrument.gateway)
    if (instrument.speedBump !== 0) setValue(byName.speed_bump, row, instrument.speedBump)
  }
}

/** Writes one row of `states` for each new state of a book. */
export function stateWriter(block: NamedBlock<'states'>): RowWriter<InstrumentStateChanged> {
  const { values } = block
  return (source) => {
    const row = block.rows
    values.time[row] = source.time
    values.event[row] = source.number
    values.cause[row] = source.cause
    values.instrument_id[row] = wireIdOf(source.instrument)
    values.state[row] = codeOf(vocabulary.instrumentState, source.state)
  }
}

/** Writes one row of `accounts` for each account that is opened. */
export function accountWriter(block: NamedBlock<'accounts'>): RowWriter<AccountOpened> {
  const { byName, values } = block
  return (source) => {
    const row = block.rows
    values.time[row] = source.time
    values.event[row] = source.number
    values.cause[row] = source.cause
    setText(byName.account, row, source.name)
    values.account_id[row] = source.account
    values.margin_model[row] = codeOf(vocabulary.marginModel, source.marginModel)
    values.house[row] = source.house ? 1 : 0
    values.main_account_id[row] = source.main
    values.fee_factor[row] = source.feePpm * NANO_PER_PPM
  }
}

/** Writes one row of `cash` for each amount that comes from outside or goes there. */
export function cashWriter(block: NamedBlock<'cash'>): RowWriter<CashPosted> {
  const { byName, values } = block
  return (source) => {
    const row = block.rows
    values.time[row] = source.time
    values.event[row] = source.number
    values.cause[row] = source.cause
    values.account_id[row] = source.account
    values.currency[row] = codeOf(vocabulary.currency, source.currency)
    values.type[row] = codeOf(vocabulary.cashType, 'outside')
    setMoney(byName.change, row, source.change)
    setMoney(byName.balance, row, source.balance)
  }
}

/** Writes the row of one side of a transfer to `cash`: first the sender's, then the receiver's. */
export function transferredCashWriter(
  block: NamedBlock<'cash'>,
): (source: CashTransferred, side: 'from' | 'to') => void {
  const { byName, values } = block
  return (source, side) => {
    const row = block.rows
    const sends = side === 'from'
    values.time[row] = source.time
    values.event[row] = source.number
    values.cause[row] = source.cause
    values.account_id[row] = sends ? source.from : source.to
    values.currency[row] = codeOf(vocabulary.currency, source.currency)
    values.type[row] = codeOf(vocabulary.cashType, 'transfer')
    setMoney(byName.change, row, sends ? -source.amount : source.amount)
    setMoney(byName.balance, row, sends ? source.fromBalance : source.toBalance)
    setValue(byName.counter_account_id, row, sends ? source.to : source.from)
    setValue(byName.transfer_id, row, source.transfer)
  }
}

/** Writes one row of `given_positions` for each position that a scenario gives. */
export function givenPositionWriter(
  block: NamedBlock<'given_positions'>,
  steps: AmountSteps,
): RowWriter<PositionGiven> {
  const { byName, values } = block
  return (source) => {
    const row = block.rows
    const step = stepOf(steps, source.instrument)
    values.time[row] = source.time
    values.event[row] = source.number
    values.cause[row] = source.cause
    values.account_id[row] = source.account
    values.instrument_id[row] = wireIdOf(source.instrument)
    values.type[row] = codeOf(vocabulary.givenType, 'given')
    setProduct(byName.change, row, source.change, step)
    values.price[row] = source.price
    setProduct(byName.position, row, source.position, step)
    if (source.premium !== 0n) setValidMoney(byName.premium, row, source.premium)
  }
}

/** Writes the row of one side of a moved position to `given_positions`: first the old owner's. */
export function movedPositionWriter(
  block: NamedBlock<'given_positions'>,
  steps: AmountSteps,
): (source: PositionTransferred, side: 'from' | 'to') => void {
  const { byName, values } = block
  return (source, side) => {
    const row = block.rows
    const step = stepOf(steps, source.instrument)
    const own = source[side]
    values.time[row] = source.time
    values.event[row] = source.number
    values.cause[row] = source.cause
    values.account_id[row] = own.account
    values.instrument_id[row] = wireIdOf(source.instrument)
    values.type[row] = codeOf(vocabulary.givenType, 'moved')
    setProduct(byName.change, row, changeOf(source, side), step)
    values.price[row] = source.price
    setProduct(byName.position, row, own.position, step)
    setValidMoney(byName.realized, row, own.realized)
    if (own.premium !== 0n) setValidMoney(byName.premium, row, own.premium)
    setValue(byName.counter_account_id, row, otherSide(source, side).account)
  }
}

/** What a transfer brings to one of its sides, in signed lots. */
export function changeOf({ amount }: PositionTransferred, side: 'from' | 'to'): number {
  return side === 'from' ? -amount : amount
}

/** The other side of a transfer. */
export function otherSide(source: PositionTransferred, side: 'from' | 'to'): TransferSide {
  return side === 'from' ? source.to : source.from
}

/** Writes one row of `positions` from a view. */
export function positionWriter(
  block: NamedBlock<'positions'>,
  steps: AmountSteps,
): RowWriter<PositionRecord> {
  const { byName, values } = block
  return (source) => {
    const row = block.rows
    values.time[row] = source.time
    values.event[row] = source.number
    values.account_id[row] = source.account
    values.instrument_id[row] = wireIdOf(source.instrument)
    values.currency[row] = codeOf(vocabulary.currency, source.currency)
    setProduct(byName.size, row, source.size, stepOf(steps, source.instrument))
    values.average_price[row] = source.averagePrice
    values.mark_price[row] = source.markPrice
    setMoney(byName.floating_profit, row, source.floatingProfit)
    setMoney(byName.realized_profit, row, source.realizedProfit)
    setMoney(byName.initial_margin, row, marginInTable(source.initialMargin))
    setMoney(byName.maintenance_margin, row, marginInTable(source.maintenanceMargin))
  }
}

/** Writes one row of `equity` from a view. */
export function equityWriter(block: NamedBlock<'equity'>): RowWriter<EquityRecord> {
  const { byName, values } = block
  return (source) => {
    const row = block.rows
    values.time[row] = source.time
    values.event[row] = source.number
    values.account_id[row] = source.account
    values.currency[row] = codeOf(vocabulary.currency, source.currency)
    setMoney(byName.balance, row, source.balance)
    setMoney(byName.equity, row, source.equity)
    setMoney(byName.floating_profit, row, source.floatingProfit)
    setMoney(byName.realized_profit, row, source.realizedProfit)
    setMoney(byName.initial_margin, row, marginInTable(source.initialMargin))
    setMoney(byName.maintenance_margin, row, marginInTable(source.maintenanceMargin))
    setMoney(byName.options_value, row, source.optionsValue)
  }
}

function legsOf(legs: readonly ComboLeg[]): string {
  return legs.map(({ ratio, instrumentName }) => `${ratio} ${instrumentName}`).join(' ')
}
