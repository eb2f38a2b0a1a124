/**
 * The taker's side of trades without a recorded side: the tick rule. Only this file implements it, for fills, the tape,
 * summaries, tables and strategies.
 *
 * A trade above the previous one bought, one below it sold, and one at the same price has the side of the last trade
 * that moved the price. The first trade of a feed bought. Source: Lee and Ready (1991), "Inferring Trade Direction from
 * Intraday Data", the tick test; applied to recorded trades in the order of the feed, own trades excluded.
 */
import { rowSide } from '../../model/index.ts'
import { rowFlags } from '../batch.ts'

/** State of the tick rule after the trades of a feed so far. */
export interface PrintRun {
  /** Price of the last trade, in ticks; NaN before the first. */
  last: number
  /** The side of the last trade that moved the price. */
  side: number
}

/** The state before the first trade. */
export function createPrintRun(): PrintRun {
  return { last: Number.NaN, side: rowSide.buy }
}

/** The taker's side of the next trade, from its flags or its price. */
export function sideOfPrint(run: PrintRun, price: number, flag: number): number {
  if (price > run.last) run.side = rowSide.buy
  else if (price < run.last) run.side = rowSide.sell
  run.last = price
  return (flag & rowFlags.unknownSide) === 0 ? flag & rowFlags.sell : run.side
}

/** Updates the state with the first `rows` trades of a batch, which all have a recorded side. */
export function passPrints(
  run: PrintRun,
  batch: { readonly rows: number; readonly price: Float64Array; readonly flags: Uint8Array },
): void {
  const { rows, price, flags } = batch
  for (let at = 0; at < rows; at += 1) sideOfPrint(run, price[at] as number, flags[at] as number)
}
