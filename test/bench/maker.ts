/**
 * A market maker against the generated feed: each second it cancels its quotes and places new ones, one tick below and
 * one tick above the mid. The next print fills one of them. The scripts in `peers` do the same.
 */
import { defineStrategy } from '../../src/backtest/index.ts'
import { feedTerms } from './generated-feed.ts'

const instrument = feedTerms.symbol
const second = 1_000_000

const maker = defineStrategy(() => {
  const open = new Set<string>()
  return {
    onStart: (venue) => venue.setTimer('requote', '1s'),
    onTimer: (_, venue) => {
      venue.setTimer('requote', second - (venue.now % second))
      for (const order_id of open) venue.request('private/cancel', { order_id })
      const view = venue.view(instrument)
      if (!view.isTwoSided) return
      const quote = { instrument_name: instrument, amount: 100 }
      const { tick } = feedTerms
      venue.request('private/buy', { ...quote, price: view.mid - tick })
      venue.request('private/sell', { ...quote, price: view.mid + tick })
    },
    onOrder: ({ order_id, order_state }) => {
      if (order_state === 'open') open.add(order_id)
      else open.delete(order_id)
    },
  }
})

/** The strategies of `makerDocument` by their names. */
export const makers = { maker }

/** A backtest of two recorded files; without the maker it has no orders. */
export function makerDocument(files: { readonly book: string; readonly trades: string }, isMaking: boolean): object {
  const latency = { feed: '2ms', entry: '5ms', response: '5ms' }
  return {
    version: 1,
    title: 'a maker on a generated feed',
    start: feedTerms.start,
    feeds: [
      { format: 'tardis.incremental_book_L2', path: files.book, instrument },
      { format: 'tardis.trades', path: files.trades, instrument },
    ],
    instruments: [{ name: instrument, tick_size: feedTerms.tick }],
    index: { from: 'mid' },
    accounts: { maker: { deposit: { BTC: 1_000 } } },
    ...(isMaking ? { strategies: [{ account: 'maker', module: 'maker', latency }] } : {}),
  }
}
