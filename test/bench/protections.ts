/**
 * The cost of market makers: replacing the quotes of a group compared with editing as many plain orders of the same
 * shape, and a trip over 500 quotes compared with a cancel of 500 orders. Both of a pair take turns in one process, so
 * that their ratio holds on any machine.
 *
 * All are on options of BTC, one lot on either side, far from each other; a replacement moves each by a tick.
 */
import { lots, type OrderId, sequence, ticks } from '../../src/core/index.ts'
import { apply } from '../../src/engine/index.ts'
import { anyOrder, type Command, type CommandHeader, type Event, type QuoteEntry } from '../../src/model/index.ts'
import { openVenue, type Venue } from '../../src/program/index.ts'
import { median, secondsOf } from './measure.ts'
import type { BenchRow } from './row.ts'

const pairs = 20
const replacements = 200
const rounds = 7
const tripped = 250
/** Counts of the base tick of 0.0001. */
const bid = 10
const ask = 5_000

/** A venue with a market maker and its counterparty. */
interface Maker {
  readonly venue: Venue
  readonly names: readonly string[]
  readonly opened: OrderId[]
  readonly account: CommandHeader['account']
}

/** Figures of quotes and of trips. */
export function benchProtections(): BenchRow[] {
  const quoting = openMaker(pairs)
  const editing = openMaker(pairs)
  quoteAll(quoting, 0)
  placeAll(editing)
  const rates = takeTurns([
    () => replaceByCommand(quoting),
    () => editByCommand(editing),
    () => replaceByRequest(quoting),
    () => editByRequest(editing),
  ]).map((seconds) => (replacements * pairs * 2) / seconds)
  const [quotes = 0, edits = 0, asked = 0, askedEdits = 0] = rates
  const trip = openMaker(tripped)
  const cancel = openMaker(tripped)
  const [tripSeconds = 0, cancelSeconds = 0] = takeTurns([() => tripOnce(trip), () => cancelOnce(cancel)])
  const shape = `${pairs} two-sided quotes at a time`
  return [
    { name: `quotes of a protected group, ${shape}`, value: quotes, unit: 'quotes/s' },
    { name: 'plain orders of that shape, edited one by one', value: edits, unit: 'orders/s' },
    { name: 'the first against the second', value: quotes / edits, unit: 'x', target: '>= 1' },
    { name: 'the first through requests with replies', value: asked, unit: 'quotes/s' },
    { name: 'the second through requests with replies', value: askedEdits, unit: 'orders/s' },
    { name: 'these against each other', value: asked / askedEdits, unit: 'x', target: '>= 1' },
    { name: `a trip over ${tripped * 2} quotes`, value: tripSeconds * 1000, unit: 'ms' },
    {
      name: `a cancel of ${tripped * 2} orders of that shape`,
      value: cancelSeconds * 1000,
      unit: 'ms',
    },
    {
      name: 'the first against the second',
      value: tripSeconds / cancelSeconds,
      unit: 'x',
      target: '<= 1.5',
    },
  ]
}

/** Median seconds of each; the first round warms up. */
function takeTurns(works: readonly (() => number)[]): readonly number[] {
  const seconds = works.map((): number[] => [])
  for (let round = 0; round <= rounds; round += 1) {
    for (const [at, work] of works.entries()) {
      const taken = work()
      if (round > 0) seconds[at]?.push(taken)
    }
  }
  return seconds.map(median)
}

function openMaker(count: number): Maker {
  const opened: OrderId[] = []
  const names = optionNames(count)
  const venue = openVenue({
    start: '2026-01-05T09:00:00Z',
    instruments: names,
    index: { btc_usd: 100_000 },
    accounts: { taker: { BTC: 1_000_000 } },
    config: { priceBands: false, marks: 'index' },
    sink: {
      emit(event: Event): void {
        if (event.kind === 'order' && event.change === 'opened') opened.push(event.order)
      },
    },
  })
  granted(venue.request('sim/create_account', { name: 'maker', margin_model: 'segregated_pm' }))
  granted(venue.request('sim/deposit', { account: 'maker', currency: 'BTC', amount: 1_000_000 }))
  const maker = venue.as('maker', 1)
  granted(maker.request('private/enable_cancel_on_disconnect', {}))
  const limits = { interval: 1, frozen_time: 0, quantity_limit: 0.1, max_quote_quantity: 10 }
  granted(
    maker.request('private/set_mmp_config', {
      index_name: 'btc_usd',
      mmp_group: 'quotes',
      ...limits,
    }),
  )
  const row = venue.exchange.accounts.find(({ account }) => account.name === 'maker')
  if (row === undefined) throw new RangeError('the maker has an account')
  return { venue, names, opened, account: row.account.id }
}

/** Strikes 500 USD apart, of one expiration after the other. */
function optionNames(count: number): readonly string[] {
  const names: string[] = []
  for (const date of ['27MAR26', '26JUN26', '25SEP26']) {
    for (let strike = 60_000; names.length < count && strike < 140_000; strike += 500) {
      names.push(`BTC-${date}-${strike}-C`)
    }
  }
  return names
}

function send({ venue, account }: Maker, body: object): void {
  const { exchange } = venue
  const number = sequence(exchange.lastSequence + 1)
  const header = { time: venue.now, sequence: number, account, session: 1, fault: null }
  // A body with its header is a command, and this object is used only once.
  apply(exchange, Object.assign(body, header) as Command, venue.desk.sink)
}

function entriesOf({ venue, names }: Maker, shift: number): readonly QuoteEntry[] {
  return names.map((name) => {
    const row = venue.exchange.instruments.find(({ instrument }) => instrument.name === name)
    if (row === undefined) throw new RangeError(`${name} is listed`)
    const side = { amount: lots(1), postOnly: 'off', fault: null } as const
    return {
      instrument: row.instrument.id,
      quoteSetId: 's',
      bid: { ...side, price: ticks(bid + shift) },
      ask: { ...side, price: ticks(ask + shift * 5) },
    }
  })
}

function massQuote(quotes: readonly QuoteEntry[]): object {
  const named = { kind: 'mass_quote', quoteId: 'q', group: 'quotes', resetMmp: false }
  return { ...named, quotes, waits: true, validUntil: null }
}

function quoteAll(maker: Maker, shift: number): void {
  const entries = entriesOf(maker, shift)
  for (let from = 0; from < entries.length; from += 100) {
    send(maker, massQuote(entries.slice(from, from + 100)))
  }
}

function replaceByCommand(maker: Maker): number {
  const both = [entriesOf(maker, 0), entriesOf(maker, 1)]
  const seconds = secondsOf(() => {
    for (let each = 0; each < replacements; each += 1) {
      send(maker, massQuote(both[(each + 1) % 2] ?? []))
    }
  })
  expectOpen(maker, pairs * 2)
  return seconds
}

function replaceByRequest(maker: Maker): number {
  const asker = maker.venue.as('maker', 1)
  return secondsOf(() => {
    for (let each = 0; each < replacements; each += 1) {
      const shift = (each + 1) % 2
      const quotes = maker.names.map((instrument_name) => ({
        instrument_name,
        quote_set_id: 's',
        bid: { price: (bid + shift) / 10_000, amount: 0.1 },
        ask: { price: (ask + shift * 5) / 10_000, amount: 0.1 },
      }))
      granted(asker.request('private/mass_quote', { quote_id: 'q', mmp_group: 'quotes', quotes }))
    }
  })
}

/** Places a bid and an offer for every option; the ids in `opened` are in pairs. */
function placeAll({ venue, names }: Maker): void {
  const asker = venue.as('maker', 1)
  for (const instrument_name of names) {
    granted(asker.request('private/buy', { instrument_name, amount: 0.1, price: bid / 10_000 }))
    granted(asker.request('private/sell', { instrument_name, amount: 0.1, price: ask / 10_000 }))
  }
}

function editByCommand(maker: Maker): number {
  const seconds = secondsOf(() => {
    for (let each = 0; each < replacements; each += 1) {
      const shift = (each + 1) % 2
      for (const [at, order] of maker.opened.entries()) {
        const price = at % 2 === 0 ? bid + shift : ask + shift * 5
        send(maker, editOf(order, price))
      }
    }
  })
  expectOpen(maker, pairs * 2)
  return seconds
}

function editOf(order: OrderId, price: number): object {
  return {
    kind: 'edit_order',
    order,
    amount: lots(1),
    price: ticks(price),
    postOnly: null,
    reduceOnly: null,
    display: null,
    triggerPrice: null,
    triggerOffset: null,
    advanced: null,
    validUntil: null,
    mmp: null,
  }
}

function editByRequest(maker: Maker): number {
  const asker = maker.venue.as('maker', 1)
  const listed = asker.request('private/get_open_orders', {})
  if (!listed.ok) throw new RangeError(listed.error.message)
  const orders = listed.result.map(({ order_id, direction }) => ({ order_id, direction }))
  return secondsOf(() => {
    for (let each = 0; each < replacements; each += 1) {
      const shift = (each + 1) % 2
      for (const { order_id, direction } of orders) {
        const price = (direction === 'buy' ? bid + shift : ask + shift * 5) / 10_000
        granted(asker.request('private/edit', { order_id, amount: 0.1, price }))
      }
    }
  })
}

/** Seconds of the fill that trips the group and cancels its quotes. */
function tripOnce(maker: Maker): number {
  const { venue } = maker
  venue.wait('2s')
  granted(venue.as('maker', 1).request('private/reset_mmp', { index_name: 'btc_usd', mmp_group: 'quotes' }))
  quoteAll(maker, 0)
  expectOpen(maker, tripped * 2)
  const [instrument_name = ''] = maker.names
  const seconds = secondsOf(() => {
    const params = { instrument_name, amount: 0.1, price: bid / 10_000 }
    granted(venue.as('taker').request('private/sell', params))
  })
  expectOpen(maker, 0)
  return seconds
}

/** Seconds of cancelling as many orders. */
function cancelOnce(maker: Maker): number {
  placeAll(maker)
  expectOpen(maker, tripped * 2)
  const cancel = { kind: 'cancel_orders', filter: anyOrder, freezesQuotes: false }
  const seconds = secondsOf(() => send(maker, cancel))
  expectOpen(maker, 0)
  return seconds
}

function expectOpen({ venue }: Maker, count: number): void {
  const found = venue.as('maker', 1).request('private/get_open_orders', {})
  const open = found.ok ? found.result.length : -1
  if (open !== count) throw new RangeError(`expected ${count} open orders, found ${open}`)
}

function granted(reply: {
  readonly ok?: boolean | undefined
  readonly error?: { readonly message: string } | undefined
}): void {
  if (!reply.ok) throw new RangeError(`expected a result, found ${reply.error?.message ?? ''}`)
}
