/**
 * A maker of Block RFQs: quotes both sides of every RFQ that it may quote, at a distance from the marks of the legs,
 * and moves its quotes with them. It sees only the fields that the venue shows to a maker.
 */
import { defineStrategy, type StrategyVenue } from 'pitclock'

/** Parameters. */
interface Params {
  /** Distance of its price from the mark of a leg: in coin for an option, in USD for a future. */
  edge: { option: number; future: number }
  /** Fraction of the amount that it quotes. 1 is the whole amount. */
  share: number
  /** True to quote all or none. */
  all_or_none?: boolean
  /** Time before it quotes an RFQ, such as `1s`. */
  think: string
  /** Interval between two updates of its quotes, such as `20s`. No updates by default. */
  requote?: string
  /** Lifetime of a quote in milliseconds. By default it lasts as long as its RFQ. */
  life?: number
  /** Number of fills within an hour that makes it pause. No limit by default. */
  fills_per_hour?: number
}

/** Plain data, so the run can be saved. */
type State = {
  /** Open RFQs that it may quote. */
  rfqs: Rfq[]
  /** Its open quotes. */
  quotes: Quote[]
}

type Rfq = {
  readonly id: number
  readonly amount: number
  readonly least: number
  readonly legs: Leg[]
}
type Leg = {
  readonly instrument_name: string
  readonly ratio: number
  readonly direction: 'buy' | 'sell'
}
type Quote = {
  readonly id: number
  readonly rfq: number
  readonly direction: 'buy' | 'sell'
  readonly amount: number
  readonly price: number
}

export default defineStrategy<Params, State>((params) => {
  const { edge, share, think, requote, life, fills_per_hour } = params
  let state: State = { rfqs: [], quotes: [] }

  /** Prices of the legs for a buy or a sell of the structure, away from their marks in its favour. */
  function priced(legs: readonly Leg[], direction: 'buy' | 'sell', venue: StrategyVenue) {
    return legs.map((leg) => {
      const { instrument_name: name } = leg
      const spec = venue.instruments.find((each) => each.name === name)
      const off = spec?.kind === 'option' ? edge.option : edge.future
      // A maker that sells the structure sells the legs marked buy.
      const sells = (direction === 'sell') === (leg.direction === 'buy')
      const wanted = venue.holding(name).markPrice + (sells ? off : -off)
      return { ...leg, price: venue.price(name, wanted, sells ? 'up' : 'down') }
    })
  }

  function priceOf(legs: readonly (Leg & { readonly price: number })[]): number {
    const sum = legs.reduce((total, { direction, ratio, price }) => {
      return total + (direction === 'buy' ? 1 : -1) * ratio * price
    }, 0)
    return Number(sum.toFixed(6))
  }

  function quote(id: number, venue: StrategyVenue): void {
    const rfq = state.rfqs.find((each) => each.id === id)
    const [first] = rfq?.legs ?? []
    if (rfq === undefined || first === undefined) return
    const part = venue.amount(first.instrument_name, rfq.amount * share)
    const amount = share === 1 ? rfq.amount : Math.max(rfq.least, part)
    for (const direction of ['buy', 'sell'] as const) {
      venue.request('private/add_block_rfq_quote', {
        ...{ block_rfq_id: id, amount, direction, legs: priced(rfq.legs, direction, venue) },
        label: direction,
        execution_instruction: params.all_or_none === true ? 'all_or_none' : 'any_part_of',
        ...(life === undefined ? {} : { expires_at: Math.floor(venue.now / 1000) + life }),
      })
    }
  }

  function requoteAll(venue: StrategyVenue): void {
    for (const { id, rfq, direction, amount, price } of state.quotes) {
      const known = state.rfqs.find((each) => each.id === rfq)
      if (known === undefined) continue
      const legs = priced(known.legs, direction, venue)
      if (priceOf(legs) === price) continue
      venue.request('private/edit_block_rfq_quote', {
        ...{ block_rfq_quote_id: id, amount, legs },
      })
    }
  }

  return {
    onStart: (venue) => {
      if (requote !== undefined) venue.setTimer('requote', requote)
      if (fills_per_hour === undefined) return
      venue.request('private/set_mmp_config', {
        ...{ index_name: 'all', block_rfq: true, interval: 3600, frozen_time: 600 },
        ...{ max_quote_quantity: 1000, trade_count_limit: fills_per_hour },
      })
    },
    onBlockRfq: (rfq, venue) => {
      if (rfq.role !== 'maker') return
      const { block_rfq_id: id, amount, min_trade_amount: least, legs } = rfq
      state.rfqs = state.rfqs.filter((each) => each.id !== id)
      if (rfq.change !== 'created') return
      state.rfqs.push({ id, amount, least, legs: legs.map((leg) => ({ ...leg })) })
      venue.setTimer(`quote ${id}`, think)
    },
    onBlockQuote: ({ change, block_rfq_quote_id: id, block_rfq_id: rfq, ...quoted }) => {
      state.quotes = state.quotes.filter((each) => each.id !== id)
      if (change !== 'added' && change !== 'replaced') return
      const { direction, amount, price } = quoted
      state.quotes.push({ id, rfq, direction, amount, price })
    },
    onTimer: (name, venue) => {
      if (name === 'requote') {
        requoteAll(venue)
        venue.setTimer('requote', requote ?? '1h')
      } else quote(Number(name.split(' ')[1]), venue)
    },
    save: () => state,
    load: (saved) => {
      state = saved
    },
  }
})
