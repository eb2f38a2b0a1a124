/**
 * A seller of strangles: sells a call above the index and a put below it, keeps the premium, and pays at the end what
 * one of them is worth. Between the two strikes both expire worthless; outside of them the loss has no bound.
 *
 * Of the options of one end it takes the call with the lowest strike that is at least `distance` above the index, and
 * the put with the highest one that is as far below. Each is sold once, at the best bid, where that pays `min_premium`.
 */
import { defineStrategy, type StrategyInstrument, type StrategyVenue } from 'pitclock'

/** Parameters. */
interface Params {
  /** Index of the options, such as `btc_usd`. */
  index: string
  /** Least distance of both strikes from the index, as a share of it: 0.08 is 8 %. */
  distance: number
  /** Amount of each option, in coin. */
  amount: number
  /** Least premium of each option for a coin, in its quote currency. */
  min_premium: number
}

/** Plain data, so that the run can be saved. */
type State = {
  /** Amounts that are still to be sold, by instrument; null until both are chosen. */
  legs: { [instrument: string]: number } | null
  /** A request is under way. */
  busy: boolean
}

export default defineStrategy<Params, State>(({ index, distance, amount, min_premium }) => {
  if (!(distance > 0 && distance < 1 && amount > 0))
    throw new RangeError('distance lies between 0 and 1, amount is above 0')
  let state: State = { legs: null, busy: false }

  /** The options to sell, by the index as it is now. */
  function choose(venue: StrategyVenue): NonNullable<State['legs']> {
    const options = venue.instruments.filter((option) => option.priceIndex === index)
    const nearest = (type: 'call' | 'put'): StrategyInstrument | undefined => {
      const sign = type === 'call' ? 1 : -1
      return options
        .filter(({ name, strike, optionType }) => {
          const { indexPrice } = venue.holding(name)
          return optionType === type && sign * ((strike ?? 0) / indexPrice - 1) >= distance
        })
        .sort((left, right) => sign * ((left.strike ?? 0) - (right.strike ?? 0)))[0]
    }
    const [call, put] = [nearest('call'), nearest('put')]
    if (call === undefined || put === undefined)
      throw new RangeError('the market has a call and a put at that distance')
    return { [call.name]: amount, [put.name]: amount }
  }

  function sell(instrument: string, venue: StrategyVenue): void {
    const left = state.legs?.[instrument] ?? 0
    const { bestBid, bidAmount } = venue.view(instrument)
    const size = venue.amount(instrument, Math.min(left, bidAmount))
    if (!(size > 0 && bestBid >= min_premium)) return
    state.busy = true
    venue.request('private/sell', {
      instrument_name: instrument,
      amount: size,
      price: bestBid,
      time_in_force: 'immediate_or_cancel',
    })
  }

  function sellAll(venue: StrategyVenue): void {
    const legs = state.legs ?? choose(venue)
    state.legs = legs
    for (const instrument of Object.keys(legs)) {
      if (!state.busy) sell(instrument, venue)
    }
  }

  return {
    onBook: (_, venue) => sellAll(venue),
    onFill: (fill) => {
      const { legs } = state
      if (legs !== null)
        legs[fill.instrument_name] = (legs[fill.instrument_name] ?? 0) - fill.amount
    },
    // The second option is sold once the answer for the first is there.
    onReply: (_, venue) => {
      state.busy = false
      sellAll(venue)
    },
    save: () => state,
    load: (saved) => {
      state = saved
    },
  }
})
