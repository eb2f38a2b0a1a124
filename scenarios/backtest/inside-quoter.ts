/**
 * A quoter in a market of simulated traders. It receives the book, trades, index, mark, funding and settlements of a
 * closed market, and reads its own account. It keeps one bid and one ask inside the best prices.
 */
import { defineStrategy, type StrategyVenue } from 'pitclock'

/** Parameters; amounts in the unit of the instrument. */
interface Params {
  instrument: string
  size: number
  /** From this position on it quotes only the side that reduces it. */
  max_position: number
  /** Minimum equity in the settlement currency. Below it, the quoter stops. */
  min_equity: number
}

/** Plain data, so the run can be saved. */
type State = {
  busy: boolean
  traded: number
  index: number
  mark: number
  funding: number
  settlements: number
}

export default defineStrategy<Params, State>((params) => {
  const { instrument, size, max_position, min_equity } = params
  let state: State = { busy: false, traded: 0, index: 0, mark: 0, funding: 0, settlements: 0 }

  function quote(venue: StrategyVenue): void {
    const view = venue.view(instrument)
    const spec = venue.instruments.find(({ name }) => name === instrument)
    if (spec === undefined || state.busy || !view.isTwoSided) return
    if (venue.funds(spec.settlementCurrency).equity < min_equity) return
    const bid = view.bestBid + spec.tickSize
    const ask = view.bestAsk - spec.tickSize
    // A spread of one tick has no room, and a mid far from the mark is not safe to quote.
    if (ask <= bid || Math.abs(view.mid - state.mark) > state.mark / 200) return
    state.busy = true
    const held = venue.position(instrument)
    const order = { instrument_name: instrument, amount: size, post_only: true }
    venue.request('private/cancel_all', {})
    if (held < max_position) {
      venue.request('private/buy', { ...order, price: venue.price(instrument, bid, 'down') })
    }
    if (held > -max_position) {
      venue.request('private/sell', { ...order, price: venue.price(instrument, ask, 'up') })
    }
    venue.setTimer('again', '2s')
  }

  return {
    onBook: (view, venue) => {
      if (view.instrument === instrument) quote(venue)
    },
    onTrade: ({ amount }) => {
      state.traded += amount
    },
    onIndex: ({ price }) => {
      state.index = price
    },
    onMark: ({ price }) => {
      state.mark = price
    },
    onFunding: ({ rate }) => {
      state.funding = rate
    },
    onSettlement: ({ own }, venue) => {
      state.settlements += 1
      // A settlement with a loss delays the next quotes.
      if (own !== null && own.cash < 0) venue.setTimer('again', '10s')
    },
    onTimer: (_, venue) => {
      state.busy = false
      quote(venue)
    },
    save: () => state,
    load: (saved) => {
      state = saved
    },
  }
})
