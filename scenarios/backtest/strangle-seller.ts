/**
 * A seller of strangles: sells a call above the index and a put below it, keeps the premium, and pays the value of the
 * option that expires in the money. Between the two strikes both expire worthless. Outside of them the loss grows
 * without limit.
 *
 * From the options of one expiry it takes the call with the lowest strike at least `distance` above the index, and the
 * put with the highest strike at least `distance` below. It sells each once, at a best bid of at least `min_premium`.
 */
import { defineStrategy, type StrategyInstrument, type StrategyVenue } from 'pitclock'

/** Parameters. */
interface Params {
  /** Index of the options, such as `btc_usd`. */
  index: string
  /** Minimum distance of both strikes from the index, as a fraction of it: 0.08 is 8 %. */
  distance: number
  /** Amount of each option, in coin. */
  amount: number
  /** Minimum premium of each option per coin, in its quote currency. */
  min_premium: number
}

/** Plain data, so the run can be saved. */
type State = {
  /** Amounts still to sell, by instrument. Null until both options are chosen. */
  legs: { [instrument: string]: number } | null
  /** True while a request is under way. */
  busy: boolean
}

export default defineStrategy<Params, State>(({ index, distance, amount, min_premium }) => {
  if (!(distance > 0 && distance < 1 && amount > 0))
    throw new RangeError('distance lies between 0 and 1, amount is above 0')
  let state: State = { legs: null, busy: false }

  /** The options to sell at the current index. */
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
      if (legs !== null) legs[fill.instrument_name] = (legs[fill.instrument_name] ?? 0) - fill.amount
    },
    // The strategy sells the second option after the reply for the first.
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
