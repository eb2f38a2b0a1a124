/**
 * A buyer that places each order exactly once, whatever faults happen on the way. A missing reply does not show whether
 * the order was placed, so the buyer searches for its label before it sends the order again. It ignores replies that it
 * does not wait for, and retries a refused request after a pause.
 */
import { defineStrategy, type StrategyVenue } from 'pitclock'

/** Parameters. */
interface Params {
  instrument: string
  currency: 'BTC' | 'ETH' | 'USDC'
  price: number
  amount: number
  /** Number of orders to place, one after another. */
  orders: number
  /** Time to wait for a reply. */
  patience: string
}

/** Plain data, so the run can be saved. */
type State = {
  placed: number
  /** The request whose reply it waits for, or 0. */
  request: number
  /** True while it searches for an order that it has sent. */
  looks: boolean
}

export default defineStrategy<Params, State>((params) => {
  const { instrument, currency, price, amount, orders, patience } = params
  let state: State = { placed: 0, request: 0, looks: false }

  function ask(venue: StrategyVenue): void {
    const label = `order-${state.placed + 1}`
    state.request = state.looks
      ? venue.request('private/get_order_state_by_label', { currency, label })
      : venue.request('private/buy', { instrument_name: instrument, amount, price, label })
    venue.setTimer('no reply', patience)
  }

  return {
    onStart: ask,
    onReply: ({ request, ...reply }, venue) => {
      if (request !== state.request) return
      state.request = 0
      venue.clearTimer('no reply')
      if (!reply.ok) {
        venue.setTimer('refused', patience)
        return
      }
      const isPlaced = !state.looks || (reply.result as readonly unknown[]).length > 0
      state.looks = false
      if (isPlaced) state.placed += 1
      if (state.placed < orders) ask(venue)
    },
    onTimer: (name, venue) => {
      if (name === 'no reply') state.looks = true
      ask(venue)
    },
    save: () => state,
    load: (saved) => {
      state = saved
    },
  }
})
