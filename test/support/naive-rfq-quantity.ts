/** Open quantity of makers on Block RFQs, in the oracle: coins by instrument and side, summed over all open quotes. */
import type { NaiveRfqs } from './naive-rfq.ts'
import type { Direction, NaiveRfq, NaiveRfqQuote } from './naive-rfq-terms.ts'

/** The error bound of sums of binary fractions. */
const DUST = 1e-7

type Quoted = Pick<NaiveRfqQuote, 'maker' | 'direction' | 'amount' | 'price'>

/** True if a quote would exceed its maker's limit on a side of an instrument. */
export function isTooMuch(twin: NaiveRfqs, rfq: NaiveRfq, of: Quoted, except: NaiveRfqQuote | null = null): boolean {
  const most = twin.most.get(of.maker)
  if (most === undefined) return false
  return [...coinsByPlace(rfq, of)].some(
    ([place, coins]) => coins + openCoins(twin, of.maker, { place, except }) > most + DUST,
  )
}

/** Removes the newest quotes of a maker until the rest fits its limit, and returns them. */
export function beyondMost(twin: NaiveRfqs, maker: string): readonly NaiveRfqQuote[] {
  const most = twin.most.get(maker) ?? Number.POSITIVE_INFINITY
  const gone: NaiveRfqQuote[] = []
  for (const quote of twin.quotes.toReversed()) {
    const rfq = twin.rfq(quote.rfq)
    if (quote.maker !== maker || quote.state !== 'open' || rfq === undefined) continue
    const places = [...coinsByPlace(rfq, quote).keys()]
    if (places.every((place) => openCoins(twin, maker, { place }) <= most + DUST)) continue
    quote.state = 'cancelled'
    gone.push(quote)
  }
  return gone
}

function openCoins(
  twin: NaiveRfqs,
  maker: string,
  { place, except = null }: { readonly place: string; readonly except?: NaiveRfqQuote | null },
): number {
  let sum = 0
  for (const quote of twin.quotes) {
    if (quote.maker !== maker || quote.state !== 'open' || quote === except) continue
    const rfq = twin.rfq(quote.rfq)
    if (rfq !== undefined) sum += coinsByPlace(rfq, quote).get(place) ?? 0
  }
  return sum
}

/** Coins that a quote alone would trade, by instrument and the maker's side. */
function coinsByPlace(
  { structure, hedge }: NaiveRfq,
  { direction, amount, price }: Omit<Quoted, 'maker'>,
): Map<string, number> {
  const sideOf = (asked: Direction): Direction => (direction === 'buy' ? asked : asked === 'buy' ? 'sell' : 'buy')
  const found = new Map<string, number>()
  for (const leg of structure.legs) {
    const place = `${leg.instrument} ${sideOf(leg.direction)}`
    found.set(place, structure.coins({ leg, amount, price }))
  }
  if (hedge === null) return found
  const steps = Math.floor((hedge.amount * amount) / structure.amount)
  if (steps > 0) found.set(`${hedge.instrument} ${sideOf(hedge.direction)}`, steps * hedge.coins)
  return found
}
