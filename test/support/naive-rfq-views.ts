/**
 * The view of a Block RFQ for each viewer, in the words of the wire, without marks and indices, which the oracle does
 * not know.
 */
import type { Json } from './desk-market.ts'
import { EXPIRY, type NaiveRfqs } from './naive-rfq.ts'
import type { Direction, NaiveHedge, NaiveRfq, NaiveRfqQuote } from './naive-rfq-terms.ts'

/** Units of amounts and prices of a structure on the wire, and the start of a run. */
export interface WireUnits {
  /** The amount of one unit. */
  readonly unit: number
  /** The price of one tick. */
  readonly tick: number
  readonly hedgeStep: number
  readonly hedgePrice: number
  /** Milliseconds since the epoch. */
  readonly start: number
}

/** Removes the rounding error of a binary product. */
export function plain(value: number): number {
  return Number(value.toFixed(9))
}

/** The RFQ as its taker sees it; undefined for other accounts that are not targets. */
export function naiveView(
  twin: NaiveRfqs,
  rfq: NaiveRfq,
  { viewer, units }: { readonly viewer: string; readonly units: WireUnits },
): Json {
  const isTaker = rfq.taker === viewer
  if (!isTaker && !twin.isTarget(rfq, viewer)) return undefined
  const { structure, hedge, disclosed } = rfq
  const common = {
    block_rfq_id: rfq.id,
    creation_timestamp: units.start + rfq.createdAt,
    expiration_timestamp: units.start + rfq.createdAt + EXPIRY,
    role: isTaker ? 'taker' : 'maker',
    state: rfq.state,
    amount: plain(structure.amount * units.unit),
    min_trade_amount: plain(structure.least * units.unit),
    legs: structure.legs.map(({ instrument, direction, ratio }) => ({
      ...{ instrument_name: instrument, direction, ratio },
    })),
    combo_id: null,
    disclosed,
    ...(hedge === null ? {} : { hedge: hedgeOut(hedge, units) }),
    ...(disclosed ? { taker: twin.party(rfq.taker).takerAlias } : {}),
    ...(rfq.state === 'filled' ? { trades: tradesOf(twin, rfq, { viewer, units }) } : {}),
  }
  return isTaker ? { ...common, ...takerOnly(twin, rfq, units) } : common
}

function takerOnly(twin: NaiveRfqs, rfq: NaiveRfq, units: WireUnits): Json {
  const trigger = shownTrigger(rfq)
  return {
    makers: rfq.targets.map((name) => twin.party(name).makerAlias),
    bids: sideOf(twin, rfq, { side: 'sell', units }),
    asks: sideOf(twin, rfq, { side: 'buy', units }),
    ...(rfq.label === '' ? {} : { label: rfq.label }),
    ...(rfq.shares.length === 0 ? {} : { trade_allocations: sharesOut(twin, rfq, units) }),
    ...(rfq.state === 'open' ? {} : { included_in_taker_rating: twin.isIncluded(rfq) }),
    ...(trigger === undefined
      ? {}
      : {
          trade_trigger: {
            ...{ state: trigger.state, direction: trigger.direction },
            price: plain(trigger.price * units.tick),
            ...(trigger.reason === '' ? {} : { cancel_reason: trigger.reason }),
          },
        }),
  }
}

/** The shares of the amount, by account number. */
export function sharesOut(
  twin: NaiveRfqs,
  { shares }: Pick<NaiveRfq, 'shares'>,
  { unit }: Pick<WireUnits, 'unit'>,
): Json[] {
  return shares.map(({ account, amount }) => {
    return { user_id: twin.party(account).number, amount: plain(amount * unit) }
  })
}

/** The newest waiting trigger, otherwise the newest cancelled one; none after one has fired (R55). */
function shownTrigger({ triggers }: NaiveRfq): NaiveRfq['triggers'][number] | undefined {
  if (triggers.some(({ state }) => state === 'triggered')) return undefined
  return (
    triggers.findLast(({ state }) => state === 'untriggered') ?? triggers.findLast(({ state }) => state === 'cancelled')
  )
}

function sideOf(
  twin: NaiveRfqs,
  rfq: NaiveRfq,
  { side, units }: { readonly side: Direction; readonly units: WireUnits },
): Json[] {
  const shown = twin.shown(rfq, side)
  if (shown === null) return []
  const aliases = [...new Set(shown.map(({ maker }) => (rfq.disclosed ? twin.party(maker).makerAlias : 'ANONYMOUS')))]
  const ends = units.start + Math.min(...shown.map(({ expiresAt }) => expiresAt))
  return [
    {
      ...{ maker: aliases[0], makers: aliases, amount: plain(rfq.structure.amount * units.unit) },
      price: plain((shown.at(-1)?.price ?? 0) * units.tick),
      execution_instruction: shown.every(({ allOrNone }) => allOrNone) ? 'all_or_none' : 'any_part_of',
      last_update_timestamp: units.start + Math.max(...shown.map(({ updatedAt }) => updatedAt)),
      ...{ expiration_timestamp: ends, expires_at: ends },
    },
  ]
}

function tradesOf(
  twin: NaiveRfqs,
  rfq: NaiveRfq,
  { viewer, units }: { readonly viewer: string; readonly units: WireUnits },
): Json[] {
  return rfq.fills.map(({ price, amount, maker, hedge }) => {
    const isNamed = maker === viewer || (rfq.taker === viewer && rfq.disclosed)
    return {
      ...{ direction: rfq.side, price: plain(price * units.tick) },
      amount: plain(amount * units.unit),
      ...(isNamed ? { maker: twin.party(maker).makerAlias } : {}),
      ...(rfq.hedge === null ? {} : { hedge_amount: plain(hedge * units.hedgeStep) }),
    }
  })
}

function hedgeOut({ instrument, direction, amount }: NaiveHedge, units: WireUnits): Json {
  return {
    ...{ instrument_name: instrument, direction, price: units.hedgePrice },
    amount: plain(amount * units.hedgeStep),
  }
}

/** An open quote as its maker sees it, without its legs. */
export function naiveQuoteView(quote: NaiveRfqQuote, units: WireUnits): Json {
  return {
    ...{ block_rfq_quote_id: quote.id, block_rfq_id: quote.rfq, quote_state: quote.state },
    execution_instruction: quote.allOrNone ? 'all_or_none' : 'any_part_of',
    price: plain(quote.price * units.tick),
    amount: plain(quote.amount * units.unit),
    filled_amount: plain(quote.filled * units.unit),
    ...{ direction: quote.direction, replaced: quote.replaced },
    last_update_timestamp: units.start + quote.updatedAt,
    expires_at: units.start + quote.expiresAt,
  }
}
