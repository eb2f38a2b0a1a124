/**
 * A buyer that gets its orders placed, each once, whatever happens on the way: a reply that does not come says nothing of
 * the order, so that it is looked for by its label before it is sent again; a reply that nobody waits for is left alone;
 * and who is refused asks again after a while.
 */
import { defineStrategy, type StrategyVenue } from 'pitclock'

/** Parameters. */
interface Params {
  instrument: string
  currency: 'BTC' | 'ETH' | 'USDC'
  price: number
  amount: number
  /** How many orders it places, one after another. */
  orders: number
  /** How long it waits for a reply. */
  patience: string
}

/** Plain data, so that the run can be saved. */
type State = {
  placed: number
  /** The request whose reply it waits for, 0 for none. */
  request: number
  /** True if it looks for the order that it has sent. */
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
