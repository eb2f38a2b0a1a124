/**
 * Tables of markets over time: the top of each book and its levels at an interval, and bars of trades.
 */
import { amount, int32, int64, micros, nullable, price, time, total } from '../column-schema.ts'
import { instrument, moment, table } from './table-schema.ts'

/** The series by name. */
export const seriesTables = {
  quotes: table('quotes', [
    ...moment,
    ...instrument,
    nullable(price('bid_price', 'best bid; none where nobody bids')),
    nullable(amount('bid_amount', 'visible size there')),
    nullable(price('ask_price', 'best ask; none where nobody asks')),
    nullable(amount('ask_amount', 'visible size there')),
    nullable(
      price('mid_price', 'middle of both, a half of 1e-9 rounded down; none where a side is empty'),
    ),
  ]),
  book_snapshots: table('book_snapshots', [
    ...moment,
    ...instrument,
    int32('level', 'place of the levels of the row in their sides, 1 is the best'),
    nullable(price('bid_price', 'price of the bid level; none beyond the last one')),
    nullable(amount('bid_amount', 'visible size there')),
    nullable(price('ask_price', 'price of the ask level; none beyond the last one')),
    nullable(amount('ask_amount', 'visible size there')),
  ]),
  bars: table('bars', [
    time('time', 'end of the bar; trades of this time are in the next one'),
    int64('event', 'number of the last event before the bar was complete'),
    ...instrument,
    micros('interval', 'length of a whole bar'),
    time('start', 'start of the bar, a whole multiple of the interval since 1970'),
    nullable(price('open', 'first price; none where nothing was traded')),
    nullable(price('high', 'highest price')),
    nullable(price('low', 'lowest price')),
    nullable(price('close', 'last price')),
    total('volume', 'amount', 'amount traded'),
    total(
      'volume_coin',
      'coin',
      'base coin traded; of inverse contracts each amount over its price',
    ),
    total('volume_quote', 'quote', 'quote currency traded; of inverse contracts the amount'),
    int64('trades', 'number of trades, recorded ones included'),
    nullable(
      price('vwap', 'average price, `volume_quote / volume_coin`; of combos weighted by amounts'),
    ),
    total('buy_volume', 'amount', 'amount traded by takers that bought'),
    total(
      'sell_volume',
      'amount',
      'amount traded by takers that sold; the rest is of recorded trades of an unknown side',
    ),
  ]),
} as const
