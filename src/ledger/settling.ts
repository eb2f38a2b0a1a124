/**
 * Effects of settlements and deliveries on positions (market.md 3.6): the profit of a trading day becomes cash, and so
 * does the value of an option at its delivery. A mirror holding of the house takes the exact opposite of every posting.
 */
import {
  addWide,
  copyWide,
  divHalfAwayBig,
  setWide,
  setWideBigint,
  subtractWide,
  wideToBigint,
  wideToNano,
} from '../core/index.ts'
import { revalueHolding } from './positions.ts'
import {
  CASH,
  DAY,
  ENTRY,
  FUNDING,
  HOLDING_STRIDE,
  type HoldingOwner,
  type Ledger,
  REALIZED,
  SIZE,
  VALUE,
  WALLET_STRIDE,
} from './rows.ts'
import type { PricedTerms } from './terms.ts'

/** Result of settling a holding, in nano of the settlement currency. */
export interface SettledProfit {
  /** Realized since the last settlement, including funding. */
  readonly realized: bigint
  /** Realized and unrealized, including funding: the amount that became cash. */
  readonly day: bigint
  readonly funding: bigint
}

/**
 * Settles a holding at a price: the profit of its trading day becomes cash, rounded once to nano, and the next day
 * starts from that price. `mirror`, a holding of the house in the same instrument, takes the opposite. With `ends` the
 * position is delivered: the holding is empty afterwards.
 */
export function settleHolding(
  ledger: Ledger,
  owner: HoldingOwner,
  price: PricedTerms,
  mirror: HoldingOwner,
  ends: boolean,
): SettledProfit {
  revalueHolding(ledger, owner, price)
  const { holdings, wallets, scratch } = ledger
  const at = owner.holding * HOLDING_STRIDE
  const inverse = price.terms.payoff === 'inverse'
  const funding = wideToBigint(holdings, at + FUNDING)
  const realized = wideToBigint(holdings, at + REALIZED)
  // Scratch 0 keeps the exact profit, scratch 2 the part that becomes cash.
  copyWide(scratch, 0, holdings, at + REALIZED)
  addWide(scratch, 0, holdings, at + DAY)
  subtractWide(scratch, 0, holdings, at + VALUE)
  copyWide(scratch, 2, scratch, 0)
  if (inverse) setWide(scratch, 2, wideToNano(scratch, 0))
  addWide(scratch, 2, holdings, at + FUNDING)
  addWide(wallets, owner.wallet * WALLET_STRIDE + CASH, scratch, 2)
  subtractWide(wallets, mirror.wallet * WALLET_STRIDE + CASH, scratch, 2)
  const day = wideToBigint(scratch, 2)
  if (ends) {
    addWide(scratch, 0, holdings, at + VALUE)
    holdings[at + SIZE] = 0
    setWide(holdings, at + ENTRY, 0)
    setWide(holdings, at + DAY, 0)
  } else copyWide(holdings, at + DAY, holdings, at + VALUE)
  setWide(holdings, at + REALIZED, 0)
  setWide(holdings, at + FUNDING, 0)
  revalueHolding(ledger, owner, price)
  addWide(holdings, mirror.holding * HOLDING_STRIDE + REALIZED, scratch, 0)
  revalueHolding(ledger, mirror, price)
  return { realized: (inverse ? roundedNano(realized) : realized) + funding, day, funding }
}

/**
 * Starts a new trading day of an option: its profit counts from its mark, and nothing is realized yet. No cash moves,
 * because options are not settled each day. `mirror`, a holding of the house in the same instrument, takes the profit
 * of the day that ends, so that residues of rounding have an owner.
 */
export function beginDay(ledger: Ledger, owner: HoldingOwner, mark: PricedTerms, mirror: HoldingOwner): void {
  revalueHolding(ledger, owner, mark)
  const { holdings } = ledger
  const at = owner.holding * HOLDING_STRIDE
  const realized = mirror.holding * HOLDING_STRIDE + REALIZED
  addWide(holdings, realized, holdings, at + REALIZED)
  addWide(holdings, realized, holdings, at + DAY)
  subtractWide(holdings, realized, holdings, at + VALUE)
  copyWide(holdings, at + DAY, holdings, at + VALUE)
  setWide(holdings, at + REALIZED, 0)
}

/**
 * Delivers an option: its holder receives its value in nano (negative: pays), `mirror`, a holding of the house in the
 * same instrument, takes the opposite in cash and in basis, and the position ends. Returns the profit of the trading
 * day.
 */
export function deliverOption(
  ledger: Ledger,
  owner: HoldingOwner,
  value: bigint,
  mark: PricedTerms,
  mirror: HoldingOwner,
): bigint {
  const { holdings, wallets, scratch } = ledger
  const at = owner.holding * HOLDING_STRIDE
  setWideBigint(scratch, 2, value)
  addWide(wallets, owner.wallet * WALLET_STRIDE + CASH, scratch, 2)
  subtractWide(wallets, mirror.wallet * WALLET_STRIDE + CASH, scratch, 2)
  copyWide(scratch, 0, holdings, at + REALIZED)
  addWide(scratch, 0, holdings, at + DAY)
  holdings[at + SIZE] = 0
  setWide(holdings, at + ENTRY, 0)
  setWide(holdings, at + DAY, 0)
  setWide(holdings, at + REALIZED, 0)
  revalueHolding(ledger, owner, mark)
  addWide(holdings, mirror.holding * HOLDING_STRIDE + REALIZED, scratch, 0)
  return wideToBigint(scratch, 0) + value
}

/** A coin basis in 1e-18, converted to nano. */
function roundedNano(basis: bigint): bigint {
  return divHalfAwayBig(basis, 1_000_000_000n)
}
