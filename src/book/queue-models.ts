/**
 * Queue models: where an order of the run stands in a recorded queue, and which recorded rows fill it.
 *
 * A place is the lots that stand before an order at its price. The book keeps it and asks the model
 * for it when the order arrives, when a row sets the level, and around a print at the price. What is
 * the same under every model stands elsewhere: orders of the run share one print, or one level, in
 * price-time order; a print consumes the recorded size that it took once, whichever is told first,
 * print or row (`prints.ts`); an order that fills is first from then on.
 *
 * A new model is a word of `queueModels` and an object here. Sizes in lots. Source: DESIGN 5.
 */
import type { QueueModel } from '../model/index.ts'

/** The answers of a queue model. */
export interface QueueModelRules {
  /** The place of an order that comes to a price where prints have left `standing` recorded lots. */
  placeOnArrival(standing: number): number
  /** The place that is left when a row sets the level to `shown` lots; at most the place before. */
  placeAtRow(at: { readonly ahead: number; readonly shown: number }): number
  /**
   * The place at the time of a print at the price. Rows that were told before the print have cut
   * `explained` lots of it on account of that print.
   */
  placeBeforePrint(at: { readonly ahead: number; readonly explained: number }): number
  /** The place after a print of `lots` at the price; what the place before it leaves of the print fills. */
  placeAfterPrint(at: { readonly ahead: number; readonly lots: number }): number
  /** True where a print through the price of an order fills it, whatever is ahead. */
  readonly fillsByPrintThrough: boolean
  /** True where the recorded opposite best fills the orders whose price it reaches. */
  readonly fillsByReachedLevel: boolean
}

/**
 * - On arrival all of the recorded size at its price is ahead of an order.
 * - A print at its price, of a taker from the other side, first goes through what is ahead; only what
 *   is left of the print after that fills the order.
 * - A print through its price (a worse price for the taker's counterparty) fills it up to the size of
 *   the print, whatever is ahead: price comes before time.
 * - A row that sets the level cannot put more ahead than the level now shows, and never moves it back:
 *   what joins a queue joins behind. What leaves it is taken to leave from behind, as far as it can.
 *   Where the row came before the print that made it so, that print shortens the queue no second time.
 * - When the recorded opposite best reaches its price, it fills up to what is left of that level.
 *
 * Known bias: it is the careful end of the models. Cancels ahead of the order are only noticed once
 * the level has become smaller than its place, so that it fills later than it would have; the market
 * does not react to the run's own orders.
 */
const riskAverse: QueueModelRules = {
  placeOnArrival: (standing) => standing,
  placeAtRow: ({ ahead, shown }) => Math.min(ahead, shown),
  placeBeforePrint: ({ ahead, explained }) => ahead + explained,
  placeAfterPrint: ({ ahead, lots }) => Math.max(0, ahead - lots),
  fillsByPrintThrough: true,
  fillsByReachedLevel: true,
}

/** The model behind each word. */
export const queueModelRules: { readonly [Word in QueueModel]: QueueModelRules } = {
  risk_averse: riskAverse,
}
