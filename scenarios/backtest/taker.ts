/**
 * A taker: buys when the recorded best bid has more size than the best ask, sells in the opposite
 * case, and closes its position after `hold`. All its orders are immediate-or-cancel at the price it
 * sees. It does not repeat an entry that did not fill, but it repeats an exit.
 */
import { defineStrategy, type StrategyVenue } from 'pitclock'

/** Parameters; amounts in the unit of the instrument. */
interface Params {
  instrument: string
  size: number
  max_position: number
  /** It acts when the larger side has this share of both best amounts, between 0.5 and 1. */
  imbalance: number
  /** Time to hold after its last entry, such as `5s`. */
  hold: string
  /** Pause between two entries, such as `1s`. No pause by default. */
  pause?: string
}

/** Plain data, so the run can be saved. */
type State = {
  /** True while a request is under way or during a pause. */
  busy: boolean
}

export default defineStrategy<Params, State>((params) => {
  const { instrument, size, max_position, imbalance, hold, pause = '0ms' } = params
  if (!(imbalance > 0.5 && imbalance <= 1)) throw new RangeError('imbalance is above 0.5, at most 1')
  let state: State = { busy: false }

  function take(side: 'buy' | 'sell', amount: number, venue: StrategyVenue): void {
    const { bestBid, bestAsk } = venue.view(instrument)
    venue.request(`private/${side}`, {
      instrument_name: instrument,
      amount,
      price: side === 'buy' ? bestAsk : bestBid,
      time_in_force: 'immediate_or_cancel',
    })
    state.busy = true
  }

  return {
    onBook: (view, venue) => {
      if (state.busy || view.instrument !== instrument || !view.isTwoSided) return
      const bidShare = view.bidAmount / (view.bidAmount + view.askAmount)
      const side = bidShare >= imbalance ? 'buy' : bidShare <= 1 - imbalance ? 'sell' : null
      if (side === null) return
      const after = venue.position(instrument) + (side === 'buy' ? size : -size)
      if (Math.abs(after) > max_position) return
      take(side, size, venue)
      venue.setTimer('exit', hold)
    },
    onReply: (_, venue) => venue.setTimer('pause', pause),
    onTimer: (name, venue) => {
      if (name === 'pause') {
        state.busy = false
        return
      }
      const position = venue.position(instrument)
      if (position === 0) return
      // Retries an exit that did not fill or could not be sent yet.
      venue.setTimer('exit', '100ms')
      if (state.busy || !venue.view(instrument).isTwoSided) return
      take(position > 0 ? 'sell' : 'buy', Math.abs(position), venue)
    },
    save: () => state,
    load: (saved) => {
      state = saved
    },
  }
})
