/**
 * Keeps one bid and one offer around the middle, and quotes one side alone once its position is large.
 */
import { defineStrategy } from 'pitclock'

/** Parameters; amounts and positions in the unit of the instrument. */
interface Params {
  instrument: string
  amount: number
  /** Distance of either quote from the middle, in quote currency. */
  half_spread: number
  /** Largest position. */
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
