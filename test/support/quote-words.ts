/** Mass quotes in words, in the form that tests send to a market (see `harness.ts`). */
import type { Micros } from '../../src/core/index.ts'
import type { EventOf, Fault, MassQuote, PostOnly, QuoteEntry, QuoteFilter, QuoteSide } from '../../src/model/index.ts'
import { type Market, market, type Outcome, priceText, type Setup } from './harness.ts'
import { type MmpWords, protect } from './protection-words.ts'

/** One side in words; omitted fields keep the values of the resting quote. */
export interface SideWords {
  readonly price?: string
  readonly amount?: string
  readonly postOnly?: PostOnly
  readonly fault?: Fault
}

/** The quote of an instrument in words; set `s` by default. */
export interface EntryWords {
  readonly instrument?: string
  readonly set?: string
  readonly bid?: SideWords
  readonly ask?: SideWords
}

/** A request in words; group `one` and id `q` by default. */
export interface MassQuoteWords {
  readonly id?: string
  readonly group?: MassQuote['group']
  readonly resetMmp?: boolean
  readonly waits?: boolean
  readonly validUntil?: Micros
  readonly fault?: Fault
}

/** Wide bands, so that every price of BTC futures near 50,000 is valid unless a test asks for bands. */
const quiet: Setup = {
  instruments: { 'BTC-PERPETUAL': {}, 'BTC-27MAR26': {} },
  accounts: { maker: { BTC: '10' }, other: { BTC: '10' }, taker: { BTC: '10' } },
  index: { btc_usd: '50000' },
}

/** The maker's session, with cancel-on-disconnect for its quotes. */
export const quoting = 1

/** A market whose maker may quote in group `one` over session 1. */
export function quotedMarket(setup: Partial<Setup> = {}, words: MmpWords = {}): Market {
  const m = market({ ...quiet, ...setup })
  const { refusal } = protect(m, 'maker', { name: 'one', ...words })
  if (refusal !== null) throw new Error(`the group is refused: ${JSON.stringify(refusal)}`)
  openQuoting(m, 'maker')
  return m
}

/** Opens the session over which an account quotes. */
export function openQuoting(m: Market, account: string, session = quoting): void {
  m.session = session
  m.send({ kind: 'set_cancel_on_disconnect', scope: 'connection', enabled: true }, account)
  m.session = 0
}

/** Sends a mass quote of the maker. */
export function quote(
  m: Market,
  entries: EntryWords | readonly EntryWords[],
  words: MassQuoteWords & { readonly account?: string; readonly session?: number } = {},
): Outcome {
  const list = 'length' in entries ? entries : [entries]
  m.session = words.session ?? quoting
  const outcome = m.send(
    {
      kind: 'mass_quote',
      quoteId: words.id ?? 'q',
      group: words.group ?? 'one',
      quotes: list.map((entry) => entryOf(m, entry)),
      resetMmp: words.resetMmp ?? false,
      waits: words.waits ?? true,
      validUntil: words.validUntil ?? null,
    },
    words.account ?? 'maker',
    words.fault,
  )
  m.session = 0
  return outcome
}

/** Every quote. */
const anyQuote: QuoteFilter = {
  ...{ group: null, side: null, delta: null, quoteSetId: null },
  ...{ instrument: null, kinds: null, currencies: null, pair: null },
}

/** Cancels quotes of the maker. */
export function cancelQuotes(
  m: Market,
  filter: Partial<QuoteFilter> = {},
  words: {
    readonly freeze?: boolean
    readonly account?: string
    readonly session?: number
  } = {},
): Outcome {
  m.session = words.session ?? quoting
  const freeze = words.freeze ?? false
  const outcome = m.send(
    { kind: 'cancel_quotes', filter: { ...anyQuote, ...filter }, freeze },
    words.account ?? 'maker',
  )
  m.session = 0
  return outcome
}

/** Sides that were refused, as `instrument side word`. */
export function refusedSides(m: Market, { events }: Pick<Outcome, 'events'>): readonly string[] {
  return events
    .filter((event): event is EventOf<'quote_refusal'> => event.kind === 'quote_refusal')
    .map(({ instrument, side, refusal }) => {
      const name = m.exchange.instruments[instrument]?.instrument.name
      return `${name} ${side} ${refusal.reason}`
    })
}

/** Open quotes of an account as `instrument side amount@price`, in the order of their creation. */
export function openQuotes(m: Market, account = 'maker'): readonly string[] {
  return m.openOrders(account).flatMap(({ order, instrument, price, filled }) => {
    if (order.extras?.quote == null) return []
    const amount = (order.amount - filled) * instrument.amountStep9
    return [`${instrument.name} ${order.side} ${amount / 1_000_000_000}@${priceText(price)}`]
  })
}

function entryOf(m: Market, { instrument, set, bid, ask }: EntryWords): QuoteEntry {
  const name = instrument ?? m.exchange.instruments[0]?.instrument.name ?? ''
  return {
    instrument: m.instrument(name).id,
    quoteSetId: set ?? 's',
    bid: bid === undefined ? null : sideOf(m, name, bid),
    ask: ask === undefined ? null : sideOf(m, name, ask),
  }
}

function sideOf(m: Market, instrument: string, words: SideWords): QuoteSide {
  return {
    price: words.price === undefined ? null : m.ticks(words.price, instrument),
    amount: words.amount === undefined ? null : m.lots(words.amount, instrument),
    postOnly: words.postOnly ?? 'off',
    fault: words.fault ?? null,
  }
}
