/**
 * Result tables the slow, obvious way: arrays of plain rows, with no shared code except the list of columns.
 * `naive-digest.ts` computes their digest the same way.
 */
import { type Event, type EventOf, houseAccountNames, type OrderChanged, type Trade } from '../../src/model/index.ts'
import type { EquityRecord, ExactRow, PositionRecord, TableName } from '../../src/results/index.ts'
import { tableSchemas } from '../../src/results/index.ts'
import { protectionRow } from './naive-protections.ts'
import {
  handoverRows,
  limitRow,
  liquidationRow,
  lockRow,
  moveRows,
  participantRows,
  transferRows,
} from './naive-risk.ts'
import { fundingRow, type NaiveNames, rateRow, settlementRow } from './naive-settlements.ts'
import { currencyOf, fillRows, numberOf, protectionOf, tradeExtras } from './naive-trading.ts'

/** A value of a row. */
export type Cell = bigint | number | boolean | string | null
/** A row as a plain object. */
export type NaiveRow = Readonly<Record<string, Cell>>

/** Tables as arrays of rows. */
export interface NaiveTables {
  readonly rows: ReadonlyMap<TableName, readonly NaiveRow[]>
  emit(event: Event): void
  recordPosition(record: PositionRecord): void
  recordEquity(record: EquityRecord): void
}

const tickDirections = ['plus', 'zero_plus', 'minus', 'zero_minus'] as const

export function createNaiveTables(): NaiveTables {
  const rows = new Map<TableName, NaiveRow[]>()
  for (const name of Object.keys(tableSchemas)) rows.set(name as TableName, [])
  const instruments = new Map<number, EventOf<'instrument'>['instrument']>()
  const accounts = new Map<number, string>(houseAccountNames.entries())
  const houses = new Set(accounts.keys())

  const add = <Name extends TableName>(name: Name, row: ExactRow<Name>): void => {
    rows.get(name)?.push(row as NaiveRow)
  }
  const size = (id: number, lots: number): bigint =>
    BigInt(lots) * BigInt(instruments.get(id)?.amountStep9 ?? Number.NaN)
  const instrument = (id: number): { instrument: string; instrument_id: number } => ({
    instrument: instruments.get(id)?.name ?? 'unknown',
    instrument_id: 1000 + id,
  })
  const account = (id: number): { account: string; account_id: number } => ({
    account: accounts.get(id) ?? 'unknown',
    account_id: id,
  })

  const names: NaiveNames = {
    ...{ size, instrument, account },
    order: (id) => ({ order_id: numberOf(id), currency: currencyOf(id) }),
    currency: (id) => instruments.get(id)?.settlementCurrency ?? 'BTC',
    isHouse: (id) => houses.has(id),
  }

  const addInstrument = ({ instrument: spec, ...event }: EventOf<'instrument'>): void => {
    instruments.set(spec.id, spec)
    add('instruments', {
      ...header(event),
      ...instrument(spec.id),
      kind: spec.kind,
      payoff: spec.payoff,
      base_currency: spec.baseCurrency,
      quote_currency: spec.quoteCurrency,
      counter_currency: spec.counterCurrency,
      settlement_currency: spec.settlementCurrency,
      price_index: spec.priceIndex,
      settlement_period: spec.settlementPeriod,
      tick_size: BigInt(spec.tick9),
      amount_step: BigInt(spec.amountStep9),
      contract_size: BigInt(spec.contractSize9),
      min_trade_amount: size(spec.id, spec.minTradeLots),
      maker_fee: BigInt(spec.makerFee9),
      taker_fee: BigInt(spec.takerFee9),
      max_leverage: spec.maxLeverage,
      creation: BigInt(spec.creation),
      expiration: spec.expiration === Number.MAX_SAFE_INTEGER ? null : BigInt(spec.expiration),
      option_type: spec.detail.type === 'option' ? spec.detail.right : null,
      strike: spec.detail.type === 'option' ? BigInt(spec.detail.strike) : null,
      route_delay: spec.routeDelay === null ? null : BigInt(spec.routeDelay),
      delivery_fee: BigInt(spec.deliveryFee9),
      mark_band: spec.mark === null ? null : BigInt(spec.mark.clampPpm) * 1000n,
      impact_amount: spec.mark === null || spec.mark.impact9 === 0 ? null : BigInt(spec.mark.impact9),
      funding_cap: spec.funding === null ? null : BigInt(spec.funding.cap8) * 10n,
      legs:
        spec.detail.type === 'combo'
          ? spec.detail.legs.flatMap((leg) => [String(leg.ratio), leg.instrumentName]).join(' ')
          : null,
      engine: spec.engine,
      gateway: spec.gateway,
      speed_bump: spec.speedBump === 0 ? null : BigInt(spec.speedBump),
    })
  }

  const addOrder = (event: OrderChanged): void => {
    const { trigger, links } = event
    const isIceberg = event.display > 0
    add('orders', {
      ...header(event),
      change: event.change,
      order_id: numberOf(event.order),
      currency: currencyOf(event.order),
      ...instrument(event.instrument),
      ...account(event.account),
      side: event.side,
      type: event.type,
      time_in_force: event.timeInForce,
      price: BigInt(event.price),
      amount: size(event.instrument, event.amount),
      filled: size(event.instrument, event.filled),
      state: event.state,
      post_only: event.postOnly,
      reduce_only: event.reduceOnly,
      label: Buffer.from(event.label).toString(),
      reason: event.reason,
      display: isIceberg ? size(event.instrument, event.display) : null,
      shown: isIceberg ? size(event.instrument, event.shown) : null,
      trigger: trigger === null ? null : trigger.source,
      trigger_price: trigger === null || trigger.price === 0 ? null : BigInt(trigger.price),
      trigger_offset: trigger === null || trigger.offset === 0 ? null : BigInt(trigger.offset),
      triggered_by: event.triggeredBy === 0 ? null : numberOf(event.triggeredBy),
      successor: event.successor === 0 ? null : numberOf(event.successor),
      primary: links.primary === 0 ? null : numberOf(links.primary),
      pair: links.pair === 0 ? null : numberOf(links.pair),
      advanced: event.advanced === null ? null : event.advanced.type,
      advanced_price: event.advanced === null ? null : BigInt(event.advanced.value9),
      auto_replaced: event.advanced === null ? null : event.autoReplaced,
      ...protectionOf(event),
    })
  }

  const addTrade = (event: Trade): void => {
    add('trades', {
      ...header(event),
      trade_id: numberOf(event.trade),
      currency: currencyOf(event.trade),
      trade_seq: BigInt(event.tradeSeq),
      ...instrument(event.instrument),
      price: BigInt(event.price),
      amount: size(event.instrument, event.amount),
      side: event.side,
      tick_direction: tickDirections[event.tickDirection],
      index_price: BigInt(event.index),
      mark_price: BigInt(event.mark),
      ...tradeExtras(event),
    })
    for (const row of fillRows(names, header(event), event)) add('fills', row)
  }

  const addReject = (event: EventOf<'refusal'>): void => {
    const { refusal } = event
    const isBand = refusal.reason === 'price_too_high' || refusal.reason === 'price_too_low'
    const limit = 'limit' in refusal ? BigInt(refusal.limit) : null
    const detail = 'problem' in refusal ? refusal.problem : null
    add('rejects', {
      ...header(event),
      command: event.command,
      ...(event.account === -1 ? { account: null, account_id: null } : account(event.account)),
      ...(event.instrument === -1 ? { instrument: null, instrument_id: null } : instrument(event.instrument)),
      reason: refusal.reason,
      limit_price: isBand ? limit : null,
      limit_count: isBand ? null : limit,
      param: 'param' in refusal ? refusal.param : null,
      detail: 'currency' in refusal ? refusal.currency : detail,
    })
  }

  const emit = (event: Event): void => {
    switch (event.kind) {
      case 'instrument':
        addInstrument(event)
        return
      case 'account':
        accounts.set(event.account, event.name)
        if (event.house) houses.add(event.account)
        add('accounts', {
          ...header(event),
          ...account(event.account),
          margin_model: event.marginModel,
          house: event.house,
          main_account_id: event.main,
          fee_factor: BigInt(event.feePpm) * 1000n,
        })
        return
      case 'order':
        addOrder(event)
        return
      case 'trade':
        addTrade(event)
        return
      case 'refusal':
        addReject(event)
        return
      case 'request':
      case 'self_trading':
        return
      case 'state':
        add('states', {
          ...header(event),
          ...instrument(event.instrument),
          state: event.state,
        })
        return
      case 'funding_rate':
        add('funding_rates', rateRow(names, header(event), event))
        return
      case 'funding':
        add('funding', fundingRow(names, header(event), event))
        return
      case 'settlement':
      case 'instrument_settlement':
      case 'bankruptcy':
      case 'shared_loss':
      case 'currency_bankruptcy':
        add('settlements', settlementRow(names, header(event), event))
        return
      case 'delivery_price':
        add('marks', {
          ...header(event),
          ...{ kind: 'delivery', instrument: null, instrument_id: null, index_name: event.index },
          ...{ price: BigInt(event.price), index_price: null, source: null },
          ...{ iv: null, underlying_price: null },
          samples: BigInt(event.samples),
        })
        return
      case 'level':
        add('book', {
          ...header(event),
          ...instrument(event.instrument),
          side: event.side,
          price: BigInt(event.price),
          amount: size(event.instrument, event.amount),
          change_id: BigInt(event.changeId),
        })
        return
      case 'cash':
        add('cash', {
          ...header(event),
          ...account(event.account),
          currency: event.currency,
          type: 'outside',
          change: event.change,
          balance: event.balance,
          ...{ counter_account_id: null, transfer_id: null },
        })
        return
      case 'given_position':
        add('given_positions', {
          ...header(event),
          ...account(event.account),
          ...instrument(event.instrument),
          type: 'given',
          change: size(event.instrument, event.change),
          price: BigInt(event.price),
          position: size(event.instrument, event.position),
          ...{ realized: null, premium: event.premium === 0n ? null : event.premium },
          counter_account_id: null,
        })
        return
      case 'transfer':
        for (const row of transferRows(names, header(event), event)) add('cash', row)
        return
      case 'position_transfer':
        if (event.reason === 'move' || event.reason === 'allocation') {
          for (const row of moveRows(names, header(event), event)) add('given_positions', row)
        } else {
          for (const row of handoverRows(names, header(event), event)) add('liquidations', row)
        }
        return
      case 'liquidation':
        add('liquidations', liquidationRow(names, header(event), event))
        add('protections', lockRow(names, header(event), event))
        return
      case 'liquidation_step':
        add('liquidations', liquidationRow(names, header(event), event))
        return
      case 'lsp_participant':
        for (const row of participantRows(names, header(event), event)) add('protections', row)
        return
      case 'block_trade':
        for (const [at, leg] of event.legs.entries()) {
          add('blocks', {
            ...header(event),
            ...{ change: event.change, reason: event.reason },
            ...account(event.account),
            role: event.role,
            counter_account_id: event.counterparty === -1 ? null : event.counterparty,
            timestamp: BigInt(event.timestamp),
            nonce: event.nonce,
            block: event.block === 0 ? null : BigInt(event.block),
            leg: at + 1,
            ...instrument(leg.instrument),
            direction: leg.side,
            amount: size(leg.instrument, leg.amount),
            price: BigInt(leg.price),
            combo_id: event.combo === -1 ? null : 1000 + event.combo,
          })
        }
        return
      case 'address':
        add('wallet', {
          ...header(event),
          subject: event.type === 'deposit' ? 'deposit_address' : 'address',
          number: BigInt(event.entry),
          state: event.change === 'removed' ? 'removed' : event.status,
          reason: event.reason,
          ...account(event.account),
          ...{ counter_account_id: null, currency: event.currency },
          ...{ amount: null, fee: null, change: null, balance: null },
          ...{ address_type: event.type, address: event.address, source_address: null },
          ...{ network: event.network, tag: event.tag, transaction_id: null },
          until: event.until === 0 ? null : BigInt(event.until),
        })
        return
      case 'payment':
        add('wallet', {
          ...header(event),
          ...{ subject: event.type, number: BigInt(event.payment), state: event.state },
          ...{ reason: event.reason, ...account(event.account) },
          counter_account_id: event.counterparty === -1 ? null : event.counterparty,
          ...{ currency: event.currency, amount: event.amount, fee: event.fee },
          ...{ change: event.change, balance: event.balance, address_type: null },
          ...{ address: event.address, source_address: event.source, network: null, tag: null },
          ...{ transaction_id: event.transaction, until: null },
        })
        return
      case 'lsp':
        add('protections', limitRow(names, header(event), event))
        return
      case 'mmp':
      case 'bump':
      case 'session':
      case 'quote_refusal':
      case 'standing':
        add('protections', protectionRow(names, header(event), event))
        return
      case 'index':
        add('marks', {
          ...header(event),
          ...{ kind: 'index', instrument: null, instrument_id: null, index_name: event.index },
          ...{ price: BigInt(event.price), index_price: null, source: null, samples: null },
          ...{ iv: null, underlying_price: null },
        })
        return
      case 'mark':
        add('marks', {
          ...header(event),
          ...{ kind: 'mark', ...instrument(event.instrument), index_name: null },
          ...{ price: BigInt(event.price), index_price: BigInt(event.index) },
          ...{ source: event.source, samples: null },
          iv: event.option === null ? null : BigInt(event.option.volatility9),
          underlying_price: event.option === null ? null : BigInt(event.option.forward),
        })
        return
    }
  }

  return {
    rows,
    emit,
    recordPosition: (record) =>
      add('positions', {
        ...{ time: BigInt(record.time), event: BigInt(record.number) },
        ...account(record.account),
        ...instrument(record.instrument),
        currency: record.currency,
        size: size(record.instrument, record.size),
        average_price: BigInt(record.averagePrice),
        mark_price: BigInt(record.markPrice),
        floating_profit: record.floatingProfit,
        realized_profit: record.realizedProfit,
        initial_margin: record.initialMargin,
        maintenance_margin: record.maintenanceMargin,
      }),
    recordEquity: (record) =>
      add('equity', {
        ...{ time: BigInt(record.time), event: BigInt(record.number) },
        ...account(record.account),
        currency: record.currency,
        balance: record.balance,
        equity: record.equity,
        floating_profit: record.floatingProfit,
        realized_profit: record.realizedProfit,
        initial_margin: record.initialMargin,
        maintenance_margin: record.maintenanceMargin,
        options_value: record.optionsValue,
        house: names.isHouse(record.account),
      }),
  }
}

function header(event: { time: number; number: number; cause: number }): {
  time: bigint
  event: bigint
  cause: bigint
} {
  return { time: BigInt(event.time), event: BigInt(event.number), cause: BigInt(event.cause) }
}
