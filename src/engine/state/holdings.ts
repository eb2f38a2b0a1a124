/**
 * Holdings: the rows that tie an account and an instrument to the ledger and to margin.
 */
import { defined, intMapGet, intMapSet } from '../../core/index.ts'
import { reserveHoldings, revalueHolding, sizeOf } from '../../ledger/index.ts'
import { type MarginInput, reserveExposures, updateMargin } from '../../margin/index.ts'
import type { Side } from '../../model/index.ts'
import { watchMargin } from '../liquidation/suspects.ts'
import { type Exchange, type HoldingRow, walletOf } from './exchange.ts'
import type { InstrumentRow } from './instrument-row.ts'
import { recordAt } from './order-records.ts'

/** Room for instruments in the key of a holding. */
const INSTRUMENTS_MAX = 1_048_576

/** The holding of an account in an instrument, made when first needed. */
export function holdingFor(exchange: Exchange, account: number, row: InstrumentRow): HoldingRow {
  const known = findHolding(exchange, account, row)
  if (known !== undefined) return known
  const made = addHolding(exchange, account, row)
  reserveHoldings(exchange.ledger, made.holding + 1)
  reserveExposures(exchange.margin, made.holding + 1)
  return made
}

/** Gives the next row to an account and instrument; the ledger and margin need room for it. */
export function addHolding(exchange: Exchange, account: number, row: InstrumentRow): HoldingRow {
  const owner = defined(exchange.accounts[account], 'an account exists')
  const made: HoldingRow = {
    holding: exchange.holdings.length,
    account,
    wallet: walletOf(account, row.settlement),
    row,
    margined: row.base < 0 && !owner.account.house,
    reducing: [],
    funded: row.funding === null ? 0n : row.funding.accumulated,
  }
  exchange.holdings.push(made)
  intMapSet(exchange.holdingOf, account * INSTRUMENTS_MAX + row.instrument.id, made.holding)
  row.holdings.push(made.holding)
  if (row.funding !== null) owner.perpetuals.push(made)
  return made
}

/** The holding of an account in an instrument, or undefined; makes none. */
export function findHolding(
  exchange: Exchange,
  account: number,
  row: InstrumentRow,
): HoldingRow | undefined {
  const holding = intMapGet(exchange.holdingOf, account * INSTRUMENTS_MAX + row.instrument.id)
  return holding < 0 ? undefined : exchange.holdings[holding]
}

/** The holding of a live order. */
export function holdingOfOrder(exchange: Exchange, slot: number): HoldingRow {
  const { holding } = recordAt(exchange.orders, slot)
  return defined(exchange.holdings[holding], 'an order has a holding')
}

/** What a position leaves to reduce on a side, in lots. */
export function reducible(exchange: Exchange, holding: number, side: Side): number {
  const size = sizeOf(exchange.ledger, holding)
  return Math.max(0, side === 'buy' ? -size : size)
}

/** Brings margin up to date after a holding's position or open orders changed. */
export function refreshMargin(exchange: Exchange, owner: HoldingRow): void {
  if (!owner.margined) {
    watchSpot(exchange, owner)
    return
  }
  updateMargin(exchange.margin, owner, marginInput(exchange, owner))
  watchMargin(exchange, owner.wallet)
}

/** Spot moves cash, which may be margin of positions in both of its currencies. */
function watchSpot(exchange: Exchange, { account, wallet, row }: HoldingRow): void {
  if (row.base < 0) return
  watchMargin(exchange, wallet)
  watchMargin(exchange, walletOf(account, row.base))
}

/** What the margin of a holding depends on, beside its open orders. */
export function marginInput(exchange: Exchange, owner: HoldingRow): MarginInput {
  return { marked: owner.row.markScale, position: sizeOf(exchange.ledger, owner.holding) }
}

/** Revalues all holdings of an instrument at its new mark. */
export function revalueInstrument(exchange: Exchange, row: InstrumentRow): void {
  if (row.base >= 0) return
  for (const holding of row.holdings) {
    const owner = defined(exchange.holdings[holding], 'a holding exists')
    revalueHolding(exchange.ledger, owner, row.markTerms)
    refreshMargin(exchange, owner)
  }
}
