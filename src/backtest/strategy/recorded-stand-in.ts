/** Stands in for the recorded sides of `book` and the market messages of `engine`. */
import type { Exchange } from '../../engine/index.ts'
import type { EventSink, MarketMessage } from '../../model/index.ts'

export interface RecordedSide {
  readonly sign: 1 | -1
  readonly levels: Map<number, number>
}
export function createRecordedSide(sign: 1 | -1): RecordedSide {
  return { sign, levels: new Map() }
}
export function setRecorded(
  side: RecordedSide,
  price: number,
  size: number,
  _source: number,
): boolean {
  if (size === 0) return side.levels.delete(price)
  side.levels.set(price, size)
  return true
}
export function clearRecorded(side: RecordedSide): void {
  side.levels.clear()
}
export function bestRecorded(side: RecordedSide): number | undefined {
  let best: number | undefined
  for (const price of side.levels.keys()) {
    if (best === undefined || (price - best) * side.sign > 0) best = price
  }
  return best
}
export function recordedSize(side: RecordedSide, price: number): number {
  return side.levels.get(price) ?? 0
}
export function visitRecorded(
  side: RecordedSide,
  depth: number,
  visit: (price: number, size: number) => void,
): void {
  const sorted = [...side.levels].sort(([left], [right]) => (right - left) * side.sign)
  for (const [price, size] of sorted.slice(0, depth)) visit(price, size)
}
export function applyMarketMessage(
  exchange: Exchange,
  message: MarketMessage,
  _sink: EventSink,
): boolean {
  exchange.now = message.time
  return false
}
