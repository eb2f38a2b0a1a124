/** Stands in for the market messages of `engine`. */
import type { Exchange } from '../../engine/index.ts'
import type { EventSink, MarketMessage } from '../../model/index.ts'

/** What a message showed about its feed. */
export interface MessageFinding {
  readonly crossed: boolean
  readonly unknownRemovals: number
}

/** Applies one recorded message. */
export function applyMarketMessage(
  exchange: Exchange,
  message: MarketMessage,
  _sink: EventSink,
): MessageFinding {
  exchange.now = message.time
  return { crossed: false, unknownRemovals: 0 }
}
