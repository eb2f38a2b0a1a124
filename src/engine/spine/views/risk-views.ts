/**
 * Read-only views of an account's risk: deltas and greeks of its positions, its margins.
 *
 * Greeks are those of the whole position, signed, in 1e-9: delta and gamma in coin, vega and theta in USD. In the last
 * half hour before an instrument expires, the delta of a position in it falls to zero, second by second, and so does
 * the value that the net delta subtracts; the public greeks of an option do not.
 *
 * Rule: option.delta-decay. Source: market.md 5.2, 5.3 (T63), 7 (T100).
 */

import {
  type AccountId,
  type Amount,
  amount,
  divHalfAwayBig,
  type InstrumentId,
  PRICE9_MAX,
  type Price9,
  price9,
} from '../../../core/index.ts'
import { readHolding } from '../../../ledger/index.ts'
import { liquidationPrice9, readExposure } from '../../../margin/index.ts'
import { amount9OfLots, type Currency, currencyOf, type MarginModel } from '../../../model/index.ts'
import type { Greeks9 } from '../../../pricing/index.ts'
import { accountRow, type Exchange, findHolding, rowOfInstrument, WINDOW_MICROS } from '../../state/index.ts'
import { type AccountMargins, marginsOf, marginsUnder, updateSkippedHolding, usdIndex9 } from '../../value/index.ts'
import { type PositionView, viewPosition } from './account-views.ts'
import { viewOption } from './book-views.ts'
import { rowOf } from './market-views.ts'

/** Risk figures of a position. */
export interface PositionRisk {
  readonly position: PositionView
  readonly delta: Amount
  /** Delta minus the value of an option that is settled in coin. */
  readonly netDelta: Amount
  /** Null except for options. */
  readonly greeks: { readonly gamma: Amount; readonly vega: Amount; readonly theta: Amount } | null
}

/** Margins of a currency of an account, in nano of it; under cross models they are those of the whole account. */
export interface MarginFigures {
  readonly equity: Amount
  readonly marginBalance: Amount
  readonly initial: Amount
  readonly maintenance: Amount
  readonly spotReserve: Amount
  /** Reserve of open buys of options under `cross_sm`, part of `initial`. */
  readonly additionalReserve: Amount
  /** Figures of the whole account in USD (1e-9) under cross models; otherwise null. */
  readonly usd: CrossFigures | null
}

/** An account whose currencies share their margin. */
export interface CrossFigures {
  readonly equity: Amount
  readonly marginBalance: Amount
  readonly initial: Amount
  readonly maintenance: Amount
}

const NANO = 1_000_000_000n

/** All positions that an account has or had this session, with instruments in the order of listing. */
export function heldPositions(exchange: Exchange, account: AccountId): readonly PositionView[] {
  const found: PositionView[] = []
  for (const row of exchange.instruments) {
    if (row.base >= 0 || findHolding(exchange, account, row) === undefined) continue
    found.push(viewPosition(exchange, account, row.instrument.id))
  }
  return found
}

/** Present risk figures of a position. */
export function viewRisk(exchange: Exchange, position: PositionView): PositionRisk {
  const { instrument, size, sizeAtMark } = position
  const size9 = amount9OfLots(instrument, size)
  const share = (value: bigint): bigint => decayed(exchange, instrument.expiration, value)
  const greeks = greeksOf(exchange, instrument.id)
  if (greeks === null) {
    const delta = amount(share(instrument.payoff === 'inverse' ? sizeAtMark : size9))
    return { position, delta, netDelta: delta, greeks: null }
  }
  const of = (greek9: number): bigint => divHalfAwayBig(size9 * BigInt(greek9), NANO)
  const delta = share(of(greeks.delta9))
  const inCoin = instrument.settlementCurrency === instrument.baseCurrency
  return {
    position,
    delta: amount(delta),
    netDelta: amount(inCoin ? delta - share(sizeAtMark) : delta),
    greeks: {
      gamma: amount(of(greeks.gamma9)),
      vega: amount(of(greeks.vega9)),
      theta: amount(of(greeks.theta9)),
    },
  }
}

/** Remaining delta in the last half hour of an instrument. */
function decayed(exchange: Exchange, expiration: number, value: bigint): bigint {
  const left = expiration - exchange.now
  if (left >= WINDOW_MICROS) return value
  return left <= 0 ? 0n : divHalfAwayBig(value * BigInt(left), BigInt(WINDOW_MICROS))
}

/** Greeks of an option for one coin, zeros while its forward is unknown; null for other instruments. */
function greeksOf(exchange: Exchange, instrument: InstrumentId): Greeks9 | null {
  if (rowOf(exchange, instrument).option === null) return null
  return viewOption(exchange, instrument)?.greeks ?? noGreeks
}

const noGreeks: Greeks9 = { delta9: 0, gamma9: 0, vega9: 0, theta9: 0, rho9: 0 }

/** Margins of a currency of an account. */
export function viewMargins(exchange: Exchange, account: AccountId, currency: Currency): MarginFigures {
  return figuresOf(marginsOf(exchange, account, currency))
}

/** Margins of each currency of an account under another margin model. The function changes nothing. */
export function viewMarginsUnder(
  exchange: Exchange,
  account: AccountId,
  model: MarginModel,
): ReadonlyMap<Currency, MarginFigures> {
  const margins = marginsUnder(exchange, accountRow(exchange, account), model)
  return new Map(margins.map((each) => [each.currency, figuresOf(each)]))
}

function figuresOf(margins: AccountMargins): MarginFigures {
  return {
    equity: amount(margins.equity),
    marginBalance: amount(margins.marginBalance),
    initial: amount(margins.initial),
    maintenance: amount(margins.maintenance),
    spotReserve: amount(margins.spotReserve),
    additionalReserve: amount(margins.additionalReserve),
    usd:
      margins.usd === null
        ? null
        : {
            equity: amount(margins.usd.equity),
            marginBalance: amount(margins.usd.marginBalance),
            initial: amount(margins.usd.initial),
            maintenance: amount(margins.usd.maintenance),
          },
  }
}

/** Value of a unit of a currency in USD; 0 while it is unknown. */
export function usdPrice(exchange: Exchange, currency: Currency): Price9 {
  return price9(usdIndex9(exchange, currency))
}

/**
 * The mark of a future at which the account that holds it would reach its maintenance margin, if nothing else changes
 * (market.md 6.3). Only for segregated standard margin, as at the venue.
 */

/** The liquidation price, or null without such a position, or if no mark would cause a liquidation. */
export function estimatedLiquidation(exchange: Exchange, account: AccountId, instrument: InstrumentId): Price9 | null {
  const row = rowOfInstrument(exchange, instrument)
  const owner = findHolding(exchange, account, row)
  const { payoff, margin, amountStep9 } = row.instrument
  if (owner?.risk !== 'future' || payoff === 'spot') return null
  updateSkippedHolding(exchange, owner)
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
