/**
 * Tables of markets over time: the top of each book and its levels at an interval, and bars of trades.
 */

import {
  amount9,
  float64,
  int32,
  int64,
  money,
  nullable,
  price,
  text,
  time,
  timeSpan,
  total,
  words,
} from '../column-schema.ts'
import { vocabulary } from '../vocabulary/vocabulary.ts'
import { account, instrument, moment, someInstrument, table } from './table-schema.ts'

/** The series by name. */
export const seriesTables = {
  quotes: table('quotes', [
    ...moment,
    ...instrument,
    nullable(price('bid_price', 'best bid price; null if there are no bids')),
    nullable(amount9('bid_amount', 'visible size at the best bid')),
    nullable(price('ask_price', 'best ask price; null if there are no asks')),
    nullable(amount9('ask_amount', 'visible size at the best ask')),
    nullable(price('mid_price', 'mid price, rounded down to 1e-9; null if a side is empty')),
  ]),
  book_snapshots: table('book_snapshots', [
    ...moment,
    ...instrument,
    int32('level', 'depth of the levels in the row; 1 is the best'),
    nullable(price('bid_price', 'price of the bid level; null beyond the last one')),
    nullable(amount9('bid_amount', 'visible size of the bid level')),
    nullable(price('ask_price', 'price of the ask level; null beyond the last one')),
    nullable(amount9('ask_amount', 'visible size of the ask level')),
  ]),
  bars: table('bars', [
    time('time', 'end of the bar; trades at exactly this time belong to the next bar'),
    int64('event', 'number of the last event before the bar was complete'),
    ...instrument,
    timeSpan('interval', 'length of a complete bar'),
    time('start', 'start of the bar, a multiple of the interval since 1970'),
    nullable(price('open', 'first price; null without trades')),
    nullable(price('high', 'highest price')),
    nullable(price('low', 'lowest price')),
    nullable(price('close', 'last price')),
    total('volume', 'amount', 'traded amount'),
    total('volume_coin', 'coin', 'traded size in base coin; for inverse contracts, the sum of amount divided by price'),
    total('volume_quote', 'quote', 'traded value in the quote currency; for inverse contracts, the amount'),
    int64('trades', 'number of trades, including recorded ones'),
    nullable(price('vwap', 'average price, `volume_quote / volume_coin`; for combos, weighted by amount')),
    total('buy_volume', 'amount', 'amount that takers bought'),
    total(
      'sell_volume',
      'amount',
      'amount that takers sold; the rest of the volume comes from recorded trades of unknown side',
    ),
  ]),
} as const

/**
 * The table of metrics: one row for each figure of a run. Figures are doubles; sums of money also have their exact
 * value.
 */

/** The table `metrics`. */
export const metricTable = table('metrics', [
  ...moment,
  ...account,
  nullable(
    words(
      'currency',
      vocabulary.liquidationCurrency,
      'currency of the metric; USD is the sum of all currencies; null for metrics of orders and amounts',
    ),
  ),
  ...someInstrument,
  text('metric', 'name of the metric'),
  nullable(text('label', 'reason of a count by reason, or month of a monthly return')),
  text('unit', 'unit of the value; `currency` means the currency of the row, `part` a fraction of 1'),
  nullable(float64('value', 'value of the metric; null if undefined')),
  nullable(money('exact', 'exact value of a metric that is a sum of money')),
  nullable(text('reason', 'why the value is missing')),
])
