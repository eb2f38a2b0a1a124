/**
 * Quotes a bid and an ask around the mid price. If the position reaches its limit, it quotes only the side that
 * reduces the position.
 */
import { defineStrategy } from 'pitclock'

/** Parameters; amounts and positions in the unit of the instrument. */
interface Params {
  instrument: string
  amount: number
  /** Distance of each quote from the mid price, in quote currency. */
  half_spread: number
  /** Largest position, long or short. */
  most: number
}

export default defineStrategy<Params>(({ instrument, amount, half_spread, most }) => ({
  onStart: (venue) => venue.setTimer('quote', '1s'),
  onTimer: (_, venue) => {
    venue.setTimer('quote', '5s')
    const { mid, isTwoSided } = venue.view(instrument)
    venue.request('private/cancel_all', {})
    if (!isTwoSided) return
    const held = venue.position(instrument)
    const order = { instrument_name: instrument, amount, post_only: true }
    if (held < most) {
      const price = venue.price(instrument, mid - half_spread, 'down')
      venue.request('private/buy', { ...order, price })
    }
    if (held > -most) {
      const price = venue.price(instrument, mid + half_spread, 'up')
      venue.request('private/sell', { ...order, price })
    }
  },
}))
