/**
 * public/get_last_trades_by_instrument and its form by time, and public/get_time.
 * Source: S179-S187; coverage R34, R35, R38.
 */
import { z } from 'zod'
import { micros } from '../../../core/index.ts'
import { defineMethod, queryOf, type ReplyContext } from '../../method.ts'
import { count, instrumentName, paramFault, sorting, timestamp } from '../../params.ts'
import { selectTrades, type TradeRange, tradeRangeFault } from '../../trade-range.ts'
import { timeOut } from '../../wire/numbers.ts'
import { publicTradeOut, type WireTrade } from '../../wire/orders.ts'
import { instrumentFault, marketOf } from './ticker.ts'

const shared = {
  instrument_name: instrumentName,
  start_timestamp: timestamp.optional(),
  end_timestamp: timestamp.optional(),
  count: count(10),
  sorting,
  include_old: z.boolean().optional().describe('accepted and without effect'),
}

/** A page of public trades. */
export interface TradePage {
  readonly trades: readonly WireTrade[]
  /** Whether more trades match than were returned. */
  readonly has_more: boolean
}

/** Trades of an instrument by time or sequence. */
export const getLastTradesByInstrument = defineMethod({
  kind: 'query',
  params: z.object({
    ...shared,
    start_seq: z.int().min(0).optional(),
    end_seq: z.int().min(0).optional(),
  }),
  read: (context, params) =>
    queryOf(tradeRangeFault(params) ?? instrumentFault(context, params.instrument_name)),
  reply: (context, params): TradePage => pageOf(context, params.instrument_name, params),
})

/** Trades of an instrument by time; the schema asks for both times, the server for one (R34). */
export const getLastTradesByInstrumentAndTime = defineMethod({
  kind: 'query',
  params: z.object(shared),
  read: (context, params) => {
    const { start_timestamp, end_timestamp } = params
    if (start_timestamp === undefined && end_timestamp === undefined) {
      return queryOf(paramFault('start_timestamp', 'required'))
    }
    return queryOf(tradeRangeFault(params) ?? instrumentFault(context, params.instrument_name))
  },
  reply: (context, params): TradePage => pageOf(context, params.instrument_name, params),
})

/** The exchange's clock in milliseconds. */
export const getTime = defineMethod({
  kind: 'query',
  params: z.object({}),
  read: () => queryOf(null),
  reply: (context): number => timeOut(micros(context.exchange.now)),
})

function pageOf(context: ReplyContext, name: string, range: TradeRange): TradePage {
  const { instrument } = marketOf(context, name)
  const trades = context.history.trades.get(instrument.id) ?? []
  const { selected, hasMore } = selectTrades(trades, (trade) => trade, range)
  return {
    trades: selected.map((trade) => publicTradeOut(trade, instrument)),
    has_more: hasMore,
  }
}
