/**
 * Which accounts under portfolio margin the next round of liquidations need not look at.
 *
 * A round that found such an account healthy looks for the widest box around the indices, marks, forwards and
 * volatilities of now in which it surely keeps a quarter of what it has to spare (`portfolio-spare.ts`). The account is
 * calm within it: an index beyond, a mark, a forward or a volatility of a position beyond, or whatever else changes it
 * makes it restless again, as those of `calm-accounts.ts`. Options change with time alone, and funding runs, so that who
 * holds options or perpetuals is looked at again when the time of the box is over.
 *
 * Restless stay accounts with a position whose price is unknown or fixed, or whose last minutes have come.
 * Source: market.md 3.3, 6.3-6.6.
 */
import { divFloor } from '../../core/index.ts'
import { sizeOf } from '../../ledger/index.ts'
import { readExposure } from '../../margin/index.ts'
import type {
  AccountRow,
  Band,
  Calm,
  Exchange,
  HoldingRow,
  IndexBounds,
  IndexRow,
} from '../state/index.ts'
import { isWorthCalm } from './calm.ts'
import { beCalm } from './calm-accounts.ts'
import { modelOf } from './models/margin-models.ts'
import { type Box, optionMoves } from './option-drift.ts'
import { sparesWithin } from './portfolio-spare.ts'
import { usdIndexName } from './usd-index.ts'

/** Boxes that are tried, from the narrowest, which is just worth its bounds, to the widest. */
const parts: readonly number[] = [0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256]
/** The part of its spare that is left within a box. */
const KEPT = 0.25
/** The longest and the shortest time of a box, in microseconds. */
const LONGEST = 3_600_000_000
const SHORTEST = 120_000_000

/** Lets a restless account under portfolio margin be calm, where it may be and where there are many of them. */
export function letPortfolioBeCalm(exchange: Exchange, owner: AccountRow): void {
  if (!modelOf(owner).netsPositions || owner.risk.calm !== null) return
  if (exchange.shared.restless.size <= exchange.calmFrom) return
  const until = timeOf(exchange, owner)
  if (until - exchange.now < SHORTEST) return
  const held = owner.perpetuals.filter(({ holding }) => sizeOf(exchange.ledger, holding) !== 0)
  const perpetuals = held.length
  if (!isWorthCalm(exchange, { until, pause: exchange.roundPause, perpetuals })) return
  const widest = widestBox(exchange, owner, until)
  if (widest === null) return
  const { box, left } = widest
  const holdings = holdingsOf(exchange, owner, box)
  if (holdings === null) return
  const bounds = boundsOf(exchange, owner, box)
  beCalm(exchange, owner, { calm: { bounds, until, left }, holdings })
}

/** Until when a box may hold: an hour, half of the time that the first of its options has left, before a future ends. */
function timeOf(exchange: Exchange, { risk }: AccountRow): number {
  const { now, ledger } = exchange
  let until = Number.POSITIVE_INFINITY
  for (const { holdings } of risk.pairs) {
    for (const { row, holding } of holdings) {
      const { detail, expiration } = row.instrument
      if (sizeOf(ledger, holding) === 0) continue
      if (detail.type === 'perpetual') until = Math.min(until, now + LONGEST)
      else if (row.option === null) until = Math.min(until, expiration - 1)
      else until = Math.min(until, now + LONGEST, now + divFloor(expiration - now, 2))
    }
  }
  return until
}

/** A box and what each pool has left within it, by its currency. */
interface WidestBox {
  readonly box: Box
  readonly left: ReadonlyMap<number, number>
}

/** The widest box in which enough is left to spare; null where it is not even in the narrowest. */
function widestBox(exchange: Exchange, owner: AccountRow, until: number): WidestBox | null {
  const present = sparesWithin(exchange, owner, { part: 0, until: exchange.now })
  if (present === null || ![...present.values()].every((spare) => spare > 0)) return null
  let widest: WidestBox | null = null
  for (const part of parts) {
    const box = { part, until }
    const left = sparesWithin(exchange, owner, box)
    if (left === null) break
    if (![...left].every(([pool, spare]) => spare >= (present.get(pool) ?? 0) * KEPT)) break
    widest = { box, left }
  }
  return widest
}

/** Where the indices of its pairs may be, and under cross margin those of its currencies. */
function boundsOf(exchange: Exchange, owner: AccountRow, { part }: Box): readonly IndexBounds[] {
  const indices = new Set<IndexRow>(owner.risk.pairs.map(({ index }) => index))
  for (const { currency } of modelOf(owner).shared?.parts(exchange, owner) ?? []) {
    const index = exchange.indices.get(usdIndexName(currency))
    // An index that begins makes all accounts restless.
    if (index !== undefined && index.price > 0) indices.add(index)
  }
  return [...indices].map((index) => ({ index, ...bandAround(index.price, part) }))
}

/** How each holding of its pairs is calm; null where one of them may not be. */
function holdingsOf(
  exchange: Exchange,
  { risk }: AccountRow,
  box: Box,
): readonly (readonly [HoldingRow, Calm])[] | null {
  const found: (readonly [HoldingRow, Calm])[] = []
  for (const { holdings, group } of risk.pairs) {
    for (const owner of holdings) {
      const { row } = owner
      const position = sizeOf(exchange.ledger, owner.holding)
      const { buys, sells } = readExposure(exchange.margin, owner.holding)
      const base: Calm = {
        marked: row.markTerms,
        market: row.risk,
        low: 0,
        high: Number.POSITIVE_INFINITY,
        bands: [],
        share: 0,
        isIdle: position === 0 && buys === 0 && sells === 0,
      }
      if (position === 0) found.push([owner, base])
      else if (row.option === null)
        found.push([owner, { ...base, ...bandAround(row.mark, box.part) }])
      else {
        const moves = optionMoves(exchange, row, { table: group.table, box })
        if (moves === null) return null
        found.push([owner, { ...base, bands: moves.bands }])
      }
    }
  }
  return found
}

/** From where to where a price may be. */
function bandAround(price: number, part: number): Band {
  return { low: Math.ceil(price * (1 - part)), high: Math.floor(price * (1 + part)) }
}
