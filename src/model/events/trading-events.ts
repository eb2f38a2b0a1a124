/** Families of orders and trades, and of the visible book. */
import { plainUnit, units, wordUnit } from '../../core/index.ts'
import { NO_ORDER } from '../ids.ts'
import { fillRules, type TickDirection, type TradeLiquidation, tradeLiquidations, tradeSides } from '../words/trades.ts'
import * as eventUnits from './family.ts'
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
  /** Size ahead of the order in the queue, before and after the match; 0 in a closed book. */
  aheadBefore: unless(noLots, units.lots),
  aheadAfter: unless(noLots, units.lots),
  /** The recorded row that caused the fill or set the level; null if two orders of the run matched. */
  source: partOrNull(feedRowColumns),
  /** Fee paid (negative: rebate) in the settlement currency, for spot in the received currency. */
  fee: units.money,
  feeCurrency: eventUnits.currency,
  /** Part of the fee that the insurance fund receives: the surcharge of a liquidation. */
  fundFee: unless(noMoney, units.money),
  /** Realized profit of this fill in the settlement currency; 0 for spot. */
  realized: units.money,
  /**
   * Premium of an option in the settlement currency; positive if received, negative if paid, 0 for other instruments.
   */
  premium: unless(noMoney, units.money),
  /** Cash in the settlement currency after the fill, including fee and premium. */
  balance: units.money,
  /** Cash in the base currency of spot after the fill; otherwise 0. */
  baseBalance: unless(noMoney, units.money),
  /** Signed position of the account after the fill; 0 for spot. */
  position: units.lots,
  /** Remaining size of the order. */
  remaining: units.lots,
}

const optionColumns = {
  /** Implied volatility of the price in 1e-9; 0 if the price is not above the intrinsic value (market.md 7). */
  volatility9: units.volatility9,
  /** Forward price of the expiry that the volatility was computed with. */
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
  /** The taker's side; unknown if a feed does not report it. */
  side: wordUnit('side of a trade', tradeSides),
  /** Index of its word in `tickDirections`. */
  tickDirection: plainUnit<TickDirection>('tick direction', [0, 1, 2, 3]),
  /** Number of the match in the alternative engine, from 1; 0 for matches of the main engine (S048). */
  altMatch: unless(0, units.count),
  index: units.price9,
  mark: units.price9,
  liquidation: unless('none', plainUnit<TradeLiquidation>('liquidated sides', ['none', ...tradeLiquidations])),
  /** Null except for options, and null while the forward is unknown. */
  option: partOrNull(optionColumns),
  /** For the leg of a combo: the combo and its trade. */
  combo: partOrNull({ instrument: units.instrumentId, trade: units.tradeId }),
  /** Legs of a combo. */
  legs: parts(legColumns),
}

/** Families of orders and trades, and of the visible book. */
export const tradingFamilies = {
  /** An order changed. The columns are the order after the change. */
  order: orderColumns,
  /**
   * One match of a taker with one resting order, or a leg of a block trade. The trade of a combo moves no money. Its
   * legs move it; each leg is a trade that follows.
   */
  trade: {
    ...tapeColumns,
    side: eventUnits.side,
    maker: part(fillColumns),
    taker: part(fillColumns),
    /** For a leg of a block: the number of the block, its number of legs, and the combo with these legs, or -1. */
    block: partOrNull({
      number: units.count,
      legs: units.count,
      combo: eventUnits.someInstrument,
    }),
    /** The Block RFQ and the quote from which the block resulted; null for others. */
    rfq: partOrNull({ rfq: units.count, quote: units.count }),
  },
  /**
   * A trade of a recorded feed, after the fills that it caused. The request router keeps it for public queries; results
   * contain it only if the run sets `printEvents`. `number` is the number of the event before it.
   *
   * Assumed: the part of a print that fills the run's orders is a separate trade and a part of that print. `amount` is
   * the rest. A print without a rest has no event. All trades of the print add up to its size.
   */
  print: { ...tapeColumns, source: part(feedRowColumns) },
  /**
   * A visible price level changed. The engine emits it only in runs that record the book. `number` is the number of the
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
 * Codes of the records in the log; null for families that are not in the log. Recorded trades and price levels reach
 * only readers that request them, so they are not part of the digest.
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

/** A leg of a combo trade. It also follows as a separate trade. */
export interface TradeLeg extends ColumnsRow<typeof legColumns> {}

/** A public trade: a match of this venue, or a trade of a recorded feed. */
export interface TapeTrade extends EventHeader, ColumnsRow<typeof tapeColumns> {}

/** One match of a taker with one resting order, or a leg of a block trade. */
export interface Trade extends FamilyRow<'trade', (typeof tradingFamilies)['trade']> {}

/** A trade of a recorded feed, after the fills that it caused. */
export interface Print extends FamilyRow<'print', (typeof tradingFamilies)['print']> {}
