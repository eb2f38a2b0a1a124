/**
 * The mark of a future at which the account that holds it would reach its maintenance margin, if nothing else changes
 * (market.md 6.3). Only for segregated standard margin, as at the venue.
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

/** The liquidation price, or null without such a position, or if no mark would cause a liquidation. */
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
  // The maintenance of the other positions stays constant; the value of this position changes with its price.
  const backing = margins.marginBalance + worth - (margins.maintenance - BigInt(maintenance))
  const amount9 = BigInt(size) * BigInt(amountStep9)
  const found = liquidationPrice9({ payoff, terms: margin, amount9, backing })
  return found === null || found > BigInt(PRICE9_MAX) ? null : price9(Number(found))
}
