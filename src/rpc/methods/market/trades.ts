/**
 * public/get_last_trades_by_instrument and its form by time, and public/get_time.
 * Source: S179-S187; coverage R34, R35, R36, R38.
 */
import { z } from '../../../core/index.ts'
import { findInstrument, timeOf } from '../../../engine/index.ts'
import type { Fault } from '../../../model/index.ts'
import { rowsOf, type Truncation, whole } from '../../history/index.ts'
import { placesOf, publicTradeOut, timeOut, type WireTrade } from '../../wire/index.ts'
import { defineMethod, queryOf, type ReadContext, type ReplyContext } from '../method.ts'
import { argumentFault, count, instrumentName, paramFault, sorting, timestamp, unknownInstrument } from '../params.ts'
import { selectTrades, type TradeRange, tradeRangeFault, tradesTruncation } from '../trade-range.ts'
import { marketOf } from './ticker.ts'

const shared = {
  instrument_name: instrumentName,
  start_timestamp: timestamp.optional(),
  end_timestamp: timestamp.optional(),
  count: count(10),
  sorting,
  include_old: z.boolean().optional().describe('accepted, without effect'),
}

/** A page of public trades. */
export interface TradePage extends Truncation {
  readonly trades: readonly WireTrade[]
  /** True if more trades match than were returned. */
  readonly has_more: boolean
}

/** Trades of an instrument by time or sequence number. */
const getLastTradesByInstrument = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    ...shared,
    start_seq: z.int().min(0).optional().describe('first sequence number to return'),
    end_seq: z.int().min(0).optional().describe('last sequence number to return'),
  }),
  read: (context, params) => queryOf(tradeRangeFault(params) ?? tapeFault(context, params.instrument_name)),
  reply: (context, params): TradePage => pageOf(context, params.instrument_name, params),
})

/** Trades of an instrument by time; the schema requires both times, the server one of them (R34). */
const getLastTradesByInstrumentAndTime = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object(shared),
  requires: {
    start_timestamp: 'may be omitted with end_timestamp: starts with the first trade',
    end_timestamp: 'may be omitted with start_timestamp: ends now',
  },
  read: (context, params) => {
    const { start_timestamp, end_timestamp } = params
    if (start_timestamp === undefined && end_timestamp === undefined) {
      return queryOf(paramFault('start_timestamp', 'required'))
    }
    return queryOf(tradeRangeFault(params) ?? tapeFault(context, params.instrument_name))
  },
  reply: (context, params): TradePage => pageOf(context, params.instrument_name, params),
})

/** The exchange's clock in milliseconds. */
const getTime = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({}),
  read: () => queryOf(null),
  reply: (context): number => timeOut(timeOf(context.exchange)),
})

/** The fault of an instrument without a tape: unknown, or matched by a third party (R36). */
function tapeFault(context: ReadContext, name: string): Fault | null {
  const instrument = findInstrument(context.exchange, name)
  if (instrument === undefined) return unknownInstrument
  return instrument.routeDelay === null ? null : argumentFault('invalid_args_for_instrument')
}

function pageOf(context: ReplyContext, name: string, range: TradeRange): TradePage {
  const { instrument } = marketOf(context, name)
  const trades = rowsOf(context.history.trades, instrument.id)
  const { selected, hasMore } = selectTrades(trades, (trade) => trade, range)
  const places = placesOf(context.exchange, context.history)
  return {
    trades: selected.map((trade) => publicTradeOut(trade, places)),
    has_more: hasMore,
    ...(context.history.trades.cut.has(instrument.id) ? tradesTruncation(trades[0], range) : whole),
  }
}

/** Methods by their names; a part of the table. */
export const tradeMethods = {
  'public/get_last_trades_by_instrument': getLastTradesByInstrument,
  'public/get_last_trades_by_instrument_and_time': getLastTradesByInstrumentAndTime,
  'public/get_time': getTime,
} as const
