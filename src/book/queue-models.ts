/**
 * Queue models: they determine the place of an order of the run in a recorded queue, and the recorded rows that fill
 * it.
 *
 * A place is the number of lots ahead of an order at its price. The book stores it and asks the model for it when the
 * order arrives, when a row sets the level, and around a print at the price. The rules that all models share are
 * elsewhere: orders of the run share one print, or one level, in price-time order; a print consumes the recorded size
 * that it took once, whether print or row comes first (`prints.ts`); an order that fills is first in its queue from
 * then on.
 *
 * A new model is a word of `queueModels` and an object here. Sizes in lots. Source: DESIGN 5.
 */
import type { QueueModel } from '../model/index.ts'

/** The functions of a queue model. */
export interface QueueModelRules {
  /** The place of an order that arrives at a price where prints have left `standing` recorded lots. */
  placeOnArrival(size: number): number
  /** The new place when a row sets the level to `shown` lots; at most the previous place. */
  placeAtRow(at: { readonly ahead: number; readonly shown: number }): number
  /**
   * The place at the time of a print at the price. Rows before the print have cut `explained` lots of the place because
   * of this print.
   */
  placeBeforePrint(at: { readonly ahead: number; readonly explained: number }): number
  /**
   * The place after a print of `lots` at the price. The part of the print beyond the previous place fills the order.
   */
  placeAfterPrint(at: { readonly ahead: number; readonly lots: number }): number
  /** True if a print through the price of an order fills it, whatever is ahead. */
  readonly fillsByPrintThrough: boolean
  /** True if the recorded opposite best fills orders when it reaches their price. */
  readonly fillsByReachedLevel: boolean
}

/**
 * - On arrival all of the recorded size at its price is ahead of an order.
 * - A print at its price, by a taker from the other side, first consumes the size ahead; only the rest of the print
 *   fills the order.
 * - A print through its price (a worse price for the taker's counterparty) fills it up to the size of the print,
 *   whatever is ahead: price comes before time.
 * - A row that sets the level limits the size ahead to the size of the level, and never increases it: new orders join
 *   behind. Orders that leave the level count as leaving from behind as long as possible. If the row came before the
 *   print that caused it, the print does not shorten the queue again.
 * - When the recorded opposite best reaches its price, it fills up to the remaining size of that level.
 *
 * Known bias: this is the most conservative model. It notices cancels ahead of the order only when the level has become
 * smaller than the order's place, so the order fills later than it would have. The market does not react to the run's
 * own orders.
 */
const riskAverse: QueueModelRules = {
  placeOnArrival: (size) => size,
  placeAtRow: ({ ahead, shown }) => Math.min(ahead, shown),
  placeBeforePrint: ({ ahead, explained }) => ahead + explained,
  placeAfterPrint: ({ ahead, lots }) => Math.max(0, ahead - lots),
  fillsByPrintThrough: true,
  fillsByReachedLevel: true,
}

/** The model of each word. */
export const queueModelRules: { readonly [Word in QueueModel]: QueueModelRules } = {
  risk_averse: riskAverse,
}
