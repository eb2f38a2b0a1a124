/**
 * Cash and carry: the strategy holds coin and sells it forward through a dated future that trades above the index. It
 * keeps both until delivery, so the sale fixes the value of the coin in dollars.
 *
 * It sells at the best bid if the basis (bid over index) yields at least `min_yield` a year, up to the size of the bid,
 * until all coins are sold. An inverse future of N dollars sold at F hedges N / F coin.
 */
import { defineStrategy, type StrategyVenue } from 'pitclock'

/** Parameters. */
interface Params {
  /** A dated inverse future. */
  instrument: string
  /** Coins to hold and sell forward. */
  coin: number
  /** Minimum basis per year, as a fraction: 0.1 is 10 %. */
  min_yield: number
}

/** Plain data, so the run can be saved. */
type State = {
  /** Coins sold forward so far. */
  hedged: number
  /** True while a request is under way. */
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
    // Without a bid this is NaN, which fails the comparison too.
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
