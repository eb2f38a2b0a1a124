/**
 * Cash and carry: coin that is held is sold forward by a dated future, which trades above the index, and both are kept
 * until the future is delivered at the index. What the coin is worth then is fixed on the day of the sale, in dollars.
 *
 * It sells at the best bid where the basis (bid over index) is worth `min_yield` of a year, never more than the bid
 * shows, until each coin has been sold once: an inverse future of N dollars sold at F is a hedge of N / F coin.
 */
import { defineStrategy, type StrategyVenue } from 'pitclock'

/** Parameters. */
interface Params {
  /** An inverse future with an end. */
  instrument: string
  /** Coins that are held and sold forward. */
  coin: number
  /** Least basis for a year from which it sells, as a share: 0.1 is 10 %. */
  min_yield: number
}

/** Plain data, so that the run can be saved. */
type State = {
  /** Coins that are sold forward. */
  hedged: number
  /** A request is under way. */
  busy: boolean
}

const YEAR = 365 * 86_400_000_000

export default defineStrategy<Params, State>(({ instrument, coin, min_yield }) => {
  if (!(coin > 0)) throw new RangeError('coin is above 0')
  let state: State = { hedged: 0, busy: false }

  function sell(venue: StrategyVenue): void {
    const terms = venue.instruments.find(({ name }) => name === instrument)
    if (terms === undefined || terms.expiration === null)
      throw new RangeError('instrument is a dated future of this market')
    const { bestBid, bidAmount } = venue.view(instrument)
    const { indexPrice } = venue.holding(instrument)
    const years = (terms.expiration - venue.now) / YEAR
    // Without a bid it is NaN, which is not enough either.
    const basis = (bestBid / indexPrice - 1) / years
    if (!(years > 0 && basis >= min_yield)) return
    const amount = venue.amount(instrument, Math.min(bidAmount, (coin - state.hedged) * bestBid))
    if (amount < terms.minAmount) return
    state.busy = true
    venue.request('private/sell', {
      instrument_name: instrument,
      amount,
      price: bestBid,
      time_in_force: 'immediate_or_cancel',
    })
  }

  return {
    onBook: (view, venue) => {
      if (view.instrument === instrument && !state.busy) sell(venue)
    },
    onFill: ({ amount, price }) => {
      state.hedged += amount / price
    },
    onReply: () => {
      state.busy = false
    },
    save: () => state,
    load: (saved) => {
      state = saved
    },
  }
})
