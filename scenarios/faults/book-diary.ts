/**
 * Keeps a diary of a book: each second it places an order labelled with the best ask that it sees.
 */
import { defineStrategy } from 'pitclock'

/** Parameters. */
interface Params {
  instrument: string
  /** Price and amount of the orders, which never match. */
  price: number
  amount: number
}

export default defineStrategy<Params, null>(({ instrument, price, amount }) => ({
  onStart: (venue) => venue.setTimer('write', '1s'),
  onTimer: (_, venue) => {
    const label = `ask ${venue.view(instrument).bestAsk}`
    venue.request('private/buy', { instrument_name: instrument, amount, price, label })
    venue.setTimer('write', '1s')
  },
  save: () => null,
  load: () => undefined,
}))
