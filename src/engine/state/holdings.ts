/**
 * Holdings: the rows that tie an account and an instrument to the ledger and to margin.
 */
import { defined, intMapGet, intMapSet } from '../../core/index.ts'
import { reserveHoldings, revalueHolding, sizeOf } from '../../ledger/index.ts'
import { type MarginInput, reserveExposures, updateMargin } from '../../margin/index.ts'
import { type Exchange, type InstrumentRow, walletOf } from './exchange.ts'

/** Room for instruments in the key of a holding. */
const INSTRUMENTS_MAX = 1_048_576

/** The holding of an account in an instrument, made when first needed. */
export function holdingFor(exchange: Exchange, account: number, row: InstrumentRow): number {
  const known = findHolding(exchange, account, row)
  if (known >= 0) return known
  const holding = addHolding(exchange, account, row)
  reserveHoldings(exchange.ledger, holding + 1)
  reserveExposures(exchange.margin, holding + 1)
  return holding
}

/** Gives the next row to an account and instrument; the ledger and margin need room for it. */
export function addHolding(exchange: Exchange, account: number, row: InstrumentRow): number {
  const holding = exchange.holdingAccount.length
  exchange.holdingAccount.push(account)
  exchange.holdingInstrument.push(row.instrument.id)
  intMapSet(exchange.holdingOf, account * INSTRUMENTS_MAX + row.instrument.id, holding)
  row.holdings.push(holding)
  return holding
}

/** The holding of an account in an instrument, or -1; makes none. */
export function findHolding(exchange: Exchange, account: number, row: InstrumentRow): number {
  return intMapGet(exchange.holdingOf, account * INSTRUMENTS_MAX + row.instrument.id)
}

/** What the margin of a holding depends on. */
export function marginInput(exchange: Exchange, holding: number, row: InstrumentRow): MarginInput {
  const account = defined(exchange.holdingAccount[holding], 'a holding has an account')
  return {
    holding,
    wallet: walletOf(account, row.settlement),
    scale: row.scale,
    position: sizeOf(exchange.ledger, holding),
    mark9: row.mark,
  }
}

/** Brings margin up to date after a holding's position or open orders changed. */
export function refreshMargin(exchange: Exchange, holding: number, row: InstrumentRow): void {
  // Spot reserves what it needs instead, and house accounts are bound by nothing.
  if (row.base >= 0) return
  const account = defined(exchange.holdingAccount[holding], 'a holding has an account')
  if (defined(exchange.accounts[account], 'an account exists').account.house) return
  updateMargin(exchange.margin, marginInput(exchange, holding, row))
}

/** Revalues all holdings of an instrument at its new mark. */
export function revalueInstrument(exchange: Exchange, row: InstrumentRow): void {
  if (row.base >= 0) return
  for (const holding of row.holdings) {
    const account = defined(exchange.holdingAccount[holding], 'a holding has an account')
    const wallet = walletOf(account, row.settlement)
    revalueHolding(exchange.ledger, { holding, wallet }, { terms: row.terms, mark9: row.mark })
    refreshMargin(exchange, holding, row)
  }
}
