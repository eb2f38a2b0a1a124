/**
 * A maker of Block RFQs: quotes both sides of each that it may, a little off the marks of the legs, and moves its quotes
 * with them. What it learns of an RFQ is what the venue tells a maker.
 */
import { defineStrategy, type StrategyVenue } from 'pitclock'

/** Parameters. */
interface Params {
  /** How far from its mark it prices a leg: an option in its coin, a future in USD. */
  edge: { option: number; future: number }
  /** Part of the amount that it quotes; all of it where it is 1. */
  share: number
  /** Quotes the whole amount or nothing. */
  all_or_none?: boolean
  /** How long it thinks about an RFQ, such as `1s`. */
  think: string
  /** How often it looks at its quotes again, such as `20s`; never where absent. */
  requote?: string
  /** Milliseconds that a quote lives; as long as its RFQ where absent. */
  life?: number
  /** Fills within an hour that make it pause; no limit where absent. */
  fills_per_hour?: number
}

/** Plain data, so that the run can be saved. */
type State = {
  /** Open RFQs that it may quote. */
  rfqs: Rfq[]
  /** Own open quotes. */
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

  /** Prices of the legs where it buys or sells the structure: off their marks, against the other side. */
  function priced(legs: readonly Leg[], direction: 'buy' | 'sell', venue: StrategyVenue) {
    return legs.map((leg) => {
      const { instrument_name: name } = leg
      const spec = venue.instruments.find((each) => each.name === name)
      const off = spec?.kind === 'option' ? edge.option : edge.future
      // A maker who sells the structure sells its legs that are bought.
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
