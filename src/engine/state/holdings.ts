/**
 * Holdings: the rows that tie an account and an instrument to the ledger and to margin.
 */
import { defined, intMapGet, intMapSet } from '../../core/index.ts'
import { reserveHoldings, revalueHolding, sizeOf } from '../../ledger/index.ts'
import {
  type MarginInput,
  type OptionInput,
  reserveExposures,
  updateMargin,
  updateOptionMargin,
} from '../../margin/index.ts'
import type { Side } from '../../model/index.ts'
import { watchHolding } from '../liquidation/suspects.ts'
import { updateExact } from '../margins/exact-margin.ts'
import { noteOptionMarket } from '../margins/option-market.ts'
import { markStale, pairFor } from '../margins/pairs.ts'
import {
  type AccountRow,
  type Exchange,
  type HoldingRisk,
  type HoldingRow,
  type PairRow,
  walletOf,
} from './exchange.ts'
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
    risk: riskOf(owner, row),
    pair: pairOf(exchange, owner, row),
    isStale: false,
    reducing: [],
    funded: row.funding === null ? 0n : row.funding.accumulated,
  }
  exchange.holdings.push(made)
  intMapSet(exchange.holdingOf, account * INSTRUMENTS_MAX + row.instrument.id, made.holding)
  row.holdings.push(made.holding)
  if (row.funding !== null) owner.perpetuals.push(made)
  made.pair?.holdings.push(made)
  return made
}

/** What margin makes of a holding of an account in an instrument. */
function riskOf({ account, risk }: AccountRow, { base, instrument }: InstrumentRow): HoldingRisk {
  if (base >= 0 || account.house) return 'none'
  const { kind } = instrument
  if (kind === 'future_combo' || kind === 'option_combo') return 'combo'
  if (risk.isPortfolio) return 'portfolio'
  if (risk.isCross) return 'cross'
  return kind === 'option' ? 'option' : 'future'
}

function pairOf(exchange: Exchange, owner: AccountRow, row: InstrumentRow): PairRow | null {
  return riskOf(owner, row) === 'portfolio' ? pairFor(exchange, owner, row) : null
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

/** Brings margin up to date after a holding's position changed; the next round may look at the account. */
export function refreshMargin(exchange: Exchange, owner: HoldingRow): void {
  recomputeMargin(exchange, owner)
  watchHolding(exchange, owner)
}

/**
 * Brings margin up to date after the open orders of a holding changed: maintenance margin is that of positions
 * alone, so that no round has to look.
 */
export function recomputeMargin(exchange: Exchange, owner: HoldingRow): void {
  if (owner.risk === 'future') {
    updateMargin(exchange.margin, owner, marginInput(exchange, owner))
  } else if (owner.risk !== 'none') {
    refreshRisk(exchange, owner)
  }
}

/** The same of what is no future under segregated standard margin. */
function refreshRisk(exchange: Exchange, owner: HoldingRow): void {
  const { margin, ledger } = exchange
  const { risk, row, holding } = owner
  switch (risk) {
    case 'option':
      updateOptionMargin(margin, owner, optionInput(exchange, owner))
      return
    case 'cross':
      if (row.instrument.kind === 'option') {
        updateOptionMargin(margin, owner, optionInput(exchange, owner))
      } else updateMargin(margin, owner, marginInput(exchange, owner))
      updateExact(exchange, owner, sizeOf(ledger, holding))
      return
    case 'portfolio':
      markStale(owner)
      return
    default:
      refreshCombo(exchange, owner)
  }
}

/**
 * Finds what follows from the rows of margin of a restored holding, and leaves the rows as they were: a holding
 * that nothing was computed for yet, as that of a waiting order, stays so.
 */
export function rebuildMargin(exchange: Exchange, owner: HoldingRow): void {
  const { risk, row, holding } = owner
  if (risk === 'cross') updateExact(exchange, owner, sizeOf(exchange.ledger, holding))
  else if (risk === 'portfolio') markStale(owner)
  else if (risk === 'combo' && row.instrument.kind === 'option_combo') {
    const account = defined(exchange.accounts[owner.account], 'an account exists')
    if (account.risk.isCross) updateExact(exchange, owner, 0)
  }
}

/** Open orders of a combo count on its legs, and what it reserves on itself. */
function refreshCombo(exchange: Exchange, owner: HoldingRow): void {
  const account = defined(exchange.accounts[owner.account], 'an account exists')
  for (const { row } of owner.row.legs) {
    const leg = findHolding(exchange, owner.account, row)
    if (leg !== undefined) recomputeMargin(exchange, leg)
  }
  if (owner.row.instrument.kind !== 'option_combo' || account.risk.isPortfolio) return
  updateOptionMargin(exchange.margin, owner, { marked: null, position: 0 })
  if (account.risk.isCross) updateExact(exchange, owner, 0)
}

/** What the margin of an option depends on, beside its open orders. */
export function optionInput(exchange: Exchange, { row, holding }: HoldingRow): OptionInput {
  return { marked: row.risk?.marked ?? null, position: sizeOf(exchange.ledger, holding) }
}

/** What the margin of a holding depends on, beside its open orders. */
export function marginInput(exchange: Exchange, owner: HoldingRow): MarginInput {
  return { marked: owner.row.markScale, position: sizeOf(exchange.ledger, owner.holding) }
}

/** Revalues all holdings of an instrument at its new mark. */
export function revalueInstrument(exchange: Exchange, row: InstrumentRow): void {
  if (row.base >= 0) return
  if (row.option !== null) noteOptionMarket(row)
  for (const holding of row.holdings) {
    const owner = defined(exchange.holdings[holding], 'a holding exists')
    revalueHolding(exchange.ledger, owner, row.markTerms)
    refreshMargin(exchange, owner)
  }
}

/**
 * Brings the margins of an option to its forward and its volatility, where these moved and its mark did not.
 * Standard margins know nothing of volatility.
 */
export function followOptionMarket(exchange: Exchange, row: InstrumentRow): void {
  const before = row.risk?.marked
  if (!noteOptionMarket(row)) return
  const isSame = row.risk?.marked === before
  for (const holding of row.holdings) {
    const owner = defined(exchange.holdings[holding], 'a holding exists')
    if (!isSame || owner.risk === 'portfolio') refreshMargin(exchange, owner)
  }
}
