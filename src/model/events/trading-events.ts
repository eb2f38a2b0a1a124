/**
 * Families of orders and trades, and of what can be seen in a book.
 */
import { plainUnit, units, wordUnit } from '../../core/index.ts'
import { NO_ORDER } from '../ids.ts'
import { fillRules, type TickDirection, type TradeLiquidation, tradeLiquidations, tradeSides } from '../words/trades.ts'
import * as eventUnits from './event-units.ts'
import {
  type ColumnsRow,
  type EventHeader,
  type FamilyRow,
  noLots,
  noMoney,
  part,
  partOrNull,
  parts,
  unless,
} from './family.ts'
import { orderColumns } from './order-event.ts'

const feedRowColumns = { feed: units.count, row: units.count }

const fillColumns = {
  account: units.accountId,
  /** `NO_ORDER` for the recorded market. */
  order: unless(NO_ORDER, units.orderId),
  side: eventUnits.side,
  rule: wordUnit('rule of a fill', fillRules),
  /** Size that stood before it in the queue, before and after the match; 0 in a closed book. */
  aheadBefore: unless(noLots, units.lots),
  aheadAfter: unless(noLots, units.lots),
  /** The recorded row that caused the fill or set the level; null where two orders met. */
  source: partOrNull(feedRowColumns),
  /** Fee paid (negative: rebate) in the settlement currency, for spot in the received currency. */
  fee: units.money,
  feeCurrency: eventUnits.currency,
  /** Part of the fee that the insurance fund receives: the surcharge of a liquidation. */
  fundFee: unless(noMoney, units.money),
  /** Realized profit of this fill in the settlement currency; 0 for spot. */
  realized: units.money,
  /** Premium of an option: received for it, negative: paid, in the settlement currency; else 0. */
  premium: unless(noMoney, units.money),
  /** Cash of the settlement currency after it, fee and premium included. */
  balance: units.money,
  /** Cash of the base currency of spot after it; else 0. */
  baseBalance: unless(noMoney, units.money),
  /** Signed position of the account after the fill; 0 for spot. */
  position: units.lots,
  /** Remaining size of the order. */
  remaining: units.lots,
}

const optionColumns = {
  /** Implied volatility of the price in 1e-9; 0 where there is none (market.md 7). */
  volatility9: units.volatility9,
  /** Forward price of its expiry, which that was found with. */
  forward: units.price9,
}

const legColumns = {
  trade: units.tradeId,
  tradeSeq: units.count,
  instrument: units.instrumentId,
  price: units.price9,
  amount: units.lots,
  /** The taker's side. */
  side: eventUnits.side,
}

const tapeColumns = {
  trade: units.tradeId,
  /** Sequence within the instrument, from 1 without gaps. */
  tradeSeq: units.count,
  instrument: units.instrumentId,
  price: units.price9,
  amount: units.lots,
  /** The taker's side; a feed may not tell it. */
  side: wordUnit('side of a trade', tradeSides),
  /** The position of its word in `tickDirections`. */
  tickDirection: plainUnit<TickDirection>('tick direction', [0, 1, 2, 3]),
  /** Counts matches of the alternative engine from 1; 0 for those of the main one (S048). */
  altMatch: unless(0, units.count),
  index: units.price9,
  mark: units.price9,
  liquidation: unless('none', plainUnit<TradeLiquidation>('liquidated sides', ['none', ...tradeLiquidations])),
  /** Null but for options, and while the forward is unknown. */
  option: partOrNull(optionColumns),
  /** The combo of a leg, and its trade. */
  combo: partOrNull({ instrument: units.instrumentId, trade: units.tradeId }),
  /** Legs of a combo. */
  legs: parts(legColumns),
}

/** Families of orders and trades, and of what can be seen in a book. */
export const tradingFamilies = {
  /** An order changed. The columns are the order after the change. */
  order: orderColumns,
  /**
   * One match of a taker with one resting order, or a leg of a block trade. The trade of a combo moves no money; its legs do, which
   * follow it, one trade each.
   */
  trade: {
    ...tapeColumns,
    side: eventUnits.side,
    maker: part(fillColumns),
    taker: part(fillColumns),
    /** The block that it is a leg of: its number, how many legs it has, and the combo that these are, or -1. */
    block: partOrNull({
      number: units.count,
      legs: units.count,
      combo: eventUnits.someInstrument,
    }),
    /** The Block RFQ and the quote that a block came of; null for others. */
    rfq: partOrNull({ rfq: units.count, quote: units.count }),
  },
  /**
   * A trade of a recorded feed, after the fills that it gave. A desk keeps it for public queries, and results
   * see it only where a run asks for it. `number` is that of the event before it.
   *
   * Assumed: what a print filled of the run's orders is a trade of its own and a part of that print, so that
   * `amount` is what they left of it; a print of which they left nothing is no event. All trades of the print
   * add up to its size.
   */
  print: { ...tapeColumns, source: part(feedRowColumns) },
  /**
   * A visible price level changed; emitted only where a run asks for the book. `number` is that of the
   * event before it.
   */
  level: {
    instrument: units.instrumentId,
    side: eventUnits.side,
    price: units.price9,
    /** Size at the level now; 0 removes it. */
    amount: units.lots,
    changeId: units.count,
  },
}

/**
 * Codes of their records in the log; null for what a log has nothing of: recorded trades and price levels are told to those
 * who ask for them, and what somebody asks for is in no digest.
 */
export const tradingCodes = {
  order: 1,
  trade: 2,
  print: null,
  level: null,
} as const satisfies { readonly [Family in keyof typeof tradingFamilies]: number | null }

/** One account's side of a trade. */
export interface Fill extends ColumnsRow<typeof fillColumns> {}

/** Volatility and forward of a trade of an option. */
export interface OptionTrade extends ColumnsRow<typeof optionColumns> {}

/** A leg of a combo trade, which is a trade of its own and follows it. */
export interface TradeLeg extends ColumnsRow<typeof legColumns> {}

/** A trade as everybody sees it: a match of this venue, or a trade of a recorded feed. */
export interface TapeTrade extends EventHeader, ColumnsRow<typeof tapeColumns> {}

/** One match of a taker with one resting order, or a leg of a block trade. */
export interface Trade extends FamilyRow<'trade', (typeof tradingFamilies)['trade']> {}

/** A trade of a recorded feed, after the fills that it gave. */
export interface Print extends FamilyRow<'print', (typeof tradingFamilies)['print']> {}
