/**
 * A market maker: keeps post-only quotes on both sides of the recorded mid and moves them with it.
 *
 * The first quote of a side is `half_spread` from the mid, each further level `level_step` beyond.
 * A position shifts all quotes against itself by `skew` for each `size` held. A side stops quoting
 * if a fill could take the position past `max_position`. The strategy edits a quote when its target
 * price is `requote` away from the requested price, with one request per quote under way at a time.
 */
import { defineStrategy, type StrategyVenue } from 'pitclock'

/** Parameters; prices in quote units, amounts in the unit of the instrument. */
interface Params {
  instrument: string
  half_spread: number
  size: number
  max_position: number
  /** Quotes on each side, 1 by default. */
  levels?: number
  /** Distance between two levels, `half_spread` by default. */
  level_step?: number
  /** Shift of all quotes for each `size` of position, 0 by default. */
  skew?: number
  /** Smallest change worth an edit, one tick by default. */
  requote?: number
}

/** A quote and its state. Plain data, so the run can be saved. */
type Quote = {
  readonly label: string
  readonly side: 'buy' | 'sell'
  readonly level: number
  order: string | null
  /** The last requested price. Post-only may have moved the order. */
  asked: number
  /** The request under way, or 0. */
  request: number
  /** End of the pause after a refusal, in microseconds. */
  pausedUntil: number
}

const PAUSE = 1_000_000

export default defineStrategy<Params, Quote[]>((params) => {
  const { instrument, half_spread, size, max_position, levels = 1, skew = 0 } = params
  const { level_step = half_spread, requote = 0 } = params
  if (!(size > 0 && half_spread > 0)) throw new RangeError('size and half_spread are above 0')
  let quotes = (['buy', 'sell'] as const).flatMap((side) =>
    Array.from({ length: levels }, (_, level): Quote => {
      const label = `${side}-${level}`
      return { label, side, level, order: null, asked: 0, request: 0, pausedUntil: 0 }
    }),
  )

  function move(quote: Quote, venue: StrategyVenue): void {
    const { side, level, order } = quote
    const sign = side === 'buy' ? 1 : -1
    const position = venue.position(instrument)
    if (sign * position + (level + 1) * size > max_position) {
      if (order !== null) quote.request = venue.request('private/cancel', { order_id: order })
      return
    }
    const away = half_spread + level * level_step
    const wanted = venue.view(instrument).mid - sign * away - (skew * position) / size
    if (!(wanted > 0)) return
    const price = venue.price(instrument, wanted, side === 'buy' ? 'down' : 'up')
    const quoted = { amount: size, price, post_only: true }
    if (order === null) {
      const params = { instrument_name: instrument, label: quote.label, ...quoted }
      quote.request = venue.request(`private/${side}`, params)
    } else if (price !== quote.asked && Math.abs(price - quote.asked) >= requote) {
      quote.request = venue.request('private/edit', { order_id: order, ...quoted })
    } else return
    quote.asked = price
  }

  function moveAll(venue: StrategyVenue): void {
    if (!venue.view(instrument).isTwoSided) return
    for (const quote of quotes) {
      if (quote.request === 0 && venue.now >= quote.pausedUntil) move(quote, venue)
    }
  }

  return {
    onBook: (view, venue) => {
      if (view.instrument === instrument) moveAll(venue)
    },
    onOrder: (order) => {
      const quote = quotes.find(({ label }) => label === order.label)
      if (quote !== undefined) quote.order = order.order_state === 'open' ? order.order_id : null
    },
    onReply: (reply, venue) => {
      const quote = quotes.find(({ request }) => request === reply.request)
      if (quote === undefined) return
      quote.request = 0
      if (!reply.ok) quote.pausedUntil = venue.now + PAUSE
    },
    // The position has changed, and so have the target prices.
    onFill: (_, venue) => moveAll(venue),
    save: () => quotes,
    load: (saved) => {
      quotes = saved
    },
  }
})
