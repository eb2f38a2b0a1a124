/**
 * public/get_last_trades_by_instrument and its form by time, and public/get_time.
 * Source: S179-S187; coverage R34, R35, R36, R38.
 */

import { z } from '../../../core/index.ts'
import { allInstruments, findInstrument, timeOf } from '../../../engine/index.ts'
import { type Fault, numberOfId, type TapeTrade } from '../../../model/index.ts'
import { rowsOf, type Truncation, whole } from '../../history/index.ts'
import { placesOf, publicTradeOut, timeOut, type WireTrade } from '../../wire/index.ts'
import { defineMethod, queryOf, type ReadContext, type ReplyContext } from '../method.ts'
import {
  anyInstrumentKind,
  argumentFault,
  count,
  instrumentName,
  kindsOf,
  paramFault,
  requestCurrency,
  sorting,
  timestamp,
  unknownInstrument,
} from '../params.ts'
import { selectTrades, type TradeRange, tradeRangeFault, tradesTruncation } from '../trade-range.ts'
import { belongsTo } from './instruments.ts'
import { marketOf } from './ticker.ts'

/** A page of public trades. */
export interface TradePage extends Truncation {
  readonly trades: readonly WireTrade[]
  /** True if more trades match than were returned. */
  readonly has_more: boolean
}

/**
 * public/get_last_trades_by_currency and its form by time: the merged tapes of all instruments of a currency. Source:
 * market.md 8; coverage R35, R38, R43, R63.
 */

const sharedByCurrency = {
  currency: requestCurrency,
  kind: anyInstrumentKind.optional(),
  start_timestamp: timestamp.optional(),
  end_timestamp: timestamp.optional(),
  count: count(10),
  sorting,
}

type CurrencyRange = TradeRange & {
  readonly currency: z.output<typeof requestCurrency>
  readonly kind?: z.output<typeof anyInstrumentKind> | undefined
}

/** Trades of a currency by time or id. */
const getLastTradesByCurrency = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    ...sharedByCurrency,
    start_id: z.string().optional().describe('first trade id to return'),
    end_id: z.string().optional().describe('last trade id to return'),
    include_old: z.boolean().optional().describe('accepted, without effect'),
  }),
  read: (_context, params) => queryOf(tradeRangeFault(params)),
  reply: pageOfCurrency,
})

// Source: R34.
/** Trades of a currency by time; one of the times is enough, although the schema of the venue requires both. */
const getLastTradesByCurrencyAndTime = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object(sharedByCurrency),
  requires: {
    start_timestamp: 'may be omitted with end_timestamp: starts with the first trade',
    end_timestamp: 'may be omitted with start_timestamp: ends now',
  },
  read: (_context, params) => {
    if (params.start_timestamp === undefined && params.end_timestamp === undefined) {
      return queryOf(paramFault('start_timestamp', 'required'))
    }
    return queryOf(tradeRangeFault(params))
  },
  reply: pageOfCurrency,
})

function pageOfCurrency(context: ReplyContext, params: CurrencyRange): TradePage {
  const kinds = kindsOf(params.kind)
  const ids = allInstruments(context.exchange)
    .filter((instrument) => belongsTo(instrument, params.currency))
    .filter(({ kind }) => kinds?.includes(kind) ?? true)
    .map(({ id }) => id)
  const tapes = ids.map((id) => rowsOf(context.history.trades, id)).filter(({ length }) => length > 0)
  const [only = []] = tapes
  const records = tapes.length > 1 ? tapes.flat().sort(inOrder) : only
  const { selected, hasMore } = selectTrades(records, (trade) => trade, params)
  const places = placesOf(context.exchange, context.history)
  const trades = selected.map((trade) => publicTradeOut(trade, places))
  // After the latest start of the shortened tapes, all tapes are complete.
  const firsts = ids
    .filter((id) => context.history.trades.cut.has(id))
    .flatMap((id) => rowsOf(context.history.trades, id).slice(0, 1))
    .sort((left, right) => inOrder(right, left))
  return { trades, has_more: hasMore, ...tradesTruncation(firsts[0], params) }
}

/**
 * The order in which trades of several instruments were made. Ids of one currency rise; spot trades can have ids of
 * another currency, and event numbers order them. A recorded trade has the number of the previous event.
 */
function inOrder(left: TapeTrade, right: TapeTrade): number {
  return left.time - right.time || left.number - right.number || numberOfId(left.trade) - numberOfId(right.trade)
}

const shared = {
  instrument_name: instrumentName,
  start_timestamp: timestamp.optional(),
  end_timestamp: timestamp.optional(),
  count: count(10),
  sorting,
  include_old: z.boolean().optional().describe('accepted, without effect'),
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

// Source: R34.
/** Trades of an instrument by time; one of the times is enough, although the schema of the venue requires both. */
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
    if (params.start_timestamp === undefined && params.end_timestamp === undefined) {
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

/** The fault of an instrument without a tape: unknown, or matched by a third party. */
// Source: R36.
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
  'public/get_last_trades_by_currency': getLastTradesByCurrency,
  'public/get_last_trades_by_currency_and_time': getLastTradesByCurrencyAndTime,
} as const
