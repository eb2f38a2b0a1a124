/**
 * Where the mark of a future would bring the account that holds it to its maintenance margin, all else as it is
 * (market.md 6.3). Only of segregated standard margin, as the venue tells it.
 */
import {
  type AccountId,
  divHalfAwayBig,
  type InstrumentId,
  PRICE9_MAX,
  type Price9,
  price9,
} from '../../../core/index.ts'
import { readHolding } from '../../../ledger/index.ts'
import { liquidationPrice9, readExposure } from '../../../margin/index.ts'
import { currencyOf } from '../../../model/index.ts'
import { type Exchange, findHolding, rowOfInstrument } from '../../state/index.ts'
import { freshenHolding, marginsOf } from '../../value/index.ts'

const NANO = 1_000_000_000n

/** The price, or null where there is no position of that sort, or no mark that would do it. */
export function estimatedLiquidation(exchange: Exchange, account: AccountId, instrument: InstrumentId): Price9 | null {
  const row = rowOfInstrument(exchange, instrument)
  const owner = findHolding(exchange, account, row)
  const { payoff, margin, amountStep9 } = row.instrument
  if (owner?.risk !== 'future' || payoff === 'spot') return null
  freshenHolding(exchange, owner)
  const { size, value } = readHolding(exchange.ledger, owner.holding)
  if (size === 0) return null
  const margins = marginsOf(exchange, account, currencyOf(row.settlement))
  const { maintenance } = readExposure(exchange.margin, owner.holding)
  const worth = payoff === 'inverse' ? divHalfAwayBig(value, NANO) : value
  // What the others need stays needed; what this one is worth goes with its price.
  const backing = margins.marginBalance + worth - (margins.maintenance - BigInt(maintenance))
  const amount9 = BigInt(size) * BigInt(amountStep9)
  const found = liquidationPrice9({ payoff, terms: margin, amount9, backing })
  return found === null || found > BigInt(PRICE9_MAX) ? null : price9(Number(found))
}
